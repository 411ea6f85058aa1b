import { join } from 'node:path'
import { jsonIn } from '../../evidence/json.ts'
import { OUTPUT } from '../../evidence/output.ts'
import {
  gatherRecords,
  RECORDS_FORMAT,
  type StoredLine,
  type StoredRecords,
} from '../../evidence/stored/record-file.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { readInputs, type Inputs } from '../../report/certificate/inputs-file.ts'
import { linesOf, readEvidence } from '../../report/evidence-file.ts'
import { readReport } from '../../report/read-report.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Report } from '../../report/schema.ts'

export interface StoredFolder {
  readonly folder: string
  readonly report: Report
  readonly inputs: Inputs
  /** The folder of own checks of the reader. */
  readonly ownChecks: string | undefined
  readonly evidence: readonly Buffer[]
  readonly records: readonly Buffer[]
  readonly stored: StoredRecords
  readonly exchangeOf: (id: string) => Exchange | undefined
}

const KINDS: ReadonlySet<unknown> = new Set(['format', 'record', 'check', 'resumed'])

/** A line that cannot be read is found by its digest. */
const readStored = (lines: readonly Buffer[]): StoredRecords =>
  gatherRecords(
    lines.flatMap((line) => {
      const one = jsonIn(line.toString('utf8')) as StoredLine | undefined
      return one !== undefined && KINDS.has(one.kind) ? [one] : []
    }),
  )

const ID = /"id":("(?:[^"\\]|\\.)*")/

/** Finds exchanges by their ids; each is parsed once, and only if it is asked for. */
const findExchanges = (lines: readonly Buffer[]): StoredFolder['exchangeOf'] => {
  const places = new Map<string, Buffer>()
  for (const line of lines) {
    const id = ID.exec(line.subarray(0, 1_000).toString('utf8'))?.[1]
    if (id !== undefined) places.set(JSON.parse(id) as string, line)
  }
  const known = new Map<string, Exchange>()
  return (id) => {
    const line = places.get(id)
    const exchange = known.get(id) ?? (line && (jsonIn(line.toString('utf8')) as Exchange | undefined))
    if (exchange !== undefined) known.set(id, exchange)
    return exchange
  }
}

/**
 * Reads a folder as data: whatever it says, nothing of it is run.
 * @param ownChecks the folder of own checks, from the command line.
 * @throws ConfigurationError if it is not the folder of a run, or one of a version that stored other records, or the own
 * checks of the run are not given.
 */
export const readFolder = (folder: string, ownChecks?: string): StoredFolder => {
  const report = readReport(folder)
  const { ownChecks: had } = report.suite
  if (had !== undefined && ownChecks === undefined)
    throw new ConfigurationError(
      `the run judged own checks too (${JSON.stringify(had.title)}, folder ${JSON.stringify(had.folder)}): give yours with --catalogue DIR; no code is taken from the folder of a run`,
    )
  const inputs = readInputs(folder)
  const evidence = [...linesOf(readEvidence(join(folder, OUTPUT.evidence)))]
  const records = [...linesOf(readEvidence(join(folder, OUTPUT.records)))]
  const stored = readStored(records)
  if (stored.format !== RECORDS_FORMAT)
    throw new ConfigurationError(
      `${join(folder, OUTPUT.records)} has ${stored.format === undefined ? 'no format number' : `the format ${stored.format}`}, and this version judges the format ${RECORDS_FORMAT}: judge it with the version that ran it (${report.suite.version})`,
    )
  return { folder, report, inputs, ownChecks, evidence, records, stored, exchangeOf: findExchanges(evidence) }
}
