import { openChain } from '../chain.ts'
import type { SecretFacts } from '../redaction/secret-facts.ts'

/**
 * records.jsonl: what the checks of a run judged, as a hash chain. The exchanges are in the evidence. The lines of one
 * scenario or check replace earlier ones: a run that waits judges again when it is resumed.
 */

/** Why a scenario has no record: what it threw. */
export interface StoredStop {
  readonly name: 'NotReached' | 'Inconclusive' | 'Waiting' | 'ProfileMistake' | 'ViolationError' | 'Error'
  /** Its message; for an error of the suite, its stack. */
  readonly because: string
  /** For `Waiting`. */
  readonly until?: string
  /** The key of the profile of a `ProfileMistake`, or the violation of a `ViolationError`. */
  readonly detail?: unknown
}

/** What a scenario returned, with what is known of the secrets that had stood in it; or why it returned nothing. */
export type StoredOutcome =
  | { readonly record: unknown; readonly facts?: Readonly<Record<string, SecretFacts>> }
  | { readonly stopped: StoredStop }

/** One execution of a scenario. */
export interface RecordLine {
  readonly kind: 'record'
  /** The scenario's id in the plan. */
  readonly scenario: string
  /** The beginning of the ids of its exchanges. */
  readonly attempt: string
  /** For a property: SHA-256 of the value, in hex. */
  readonly of?: string
  readonly outcome: StoredOutcome
  /** The id of another scenario that may have ended its tokens while it waited. */
  readonly interfering?: string
}

export interface CheckLine<ProfileMismatch = unknown> {
  readonly kind: 'check'
  /** The check's id in the plan, and that of its scenario. */
  readonly id: string
  readonly scenario: string
  /** The keys of the profile that explain the finding: finding them takes the secrets of the profile. */
  readonly mismatches?: readonly ProfileMismatch[]
  /** Whether a resumed run judges it again. */
  readonly open?: true
}

/** Raised whenever the meaning of the lines changes: records of another format are not judged. */
export const RECORDS_FORMAT = 2

export interface FormatLine {
  readonly kind: 'format'
  readonly format: number
}

/** The run was resumed: checks that were open are judged again. */
export interface ResumedLine {
  readonly kind: 'resumed'
  readonly at: string
}

export type StoredLine = FormatLine | RecordLine | CheckLine | ResumedLine

export type RecordFile = ReturnType<typeof openRecords>

export const openRecords = (file: string) => {
  const chain = openChain(file)
  return {
    write: (line: StoredLine) => void chain.append(JSON.stringify(line)),
    close: () => chain.close(),
  }
}

export interface StoredRecords {
  /** By scenario, then by value. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, RecordLine>>
  readonly checks: ReadonlyMap<string, CheckLine>
  /** Undefined for those of versions that wrote no format. */
  readonly format: number | undefined
}

/** @param lines in the order of the file. */
export const gatherRecords = (lines: Iterable<StoredLine>): StoredRecords => {
  const records = new Map<string, Map<string, RecordLine>>()
  const checks = new Map<string, CheckLine>()
  let format: number | undefined
  for (const line of lines) {
    switch (line.kind) {
      case 'format':
        format = line.format
        break
      case 'record': {
        const own = records.get(line.scenario) ?? new Map<string, RecordLine>()
        records.set(line.scenario, own.set(line.of ?? '', line))
        break
      }
      case 'check':
        checks.set(line.id, line)
        break
      case 'resumed':
        for (const [id, { open }] of checks) if (open === true) checks.delete(id)
    }
  }
  return { records, checks, format }
}
