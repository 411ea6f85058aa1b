import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { examineChain, readAt, type LinePosition } from '../evidence/chain.ts'
import { OUTPUT } from '../evidence/output.ts'
import { problemOfReport, reportSchema } from './schema.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Report } from './schema.ts'
import type { EvidenceLookup } from './terminal/failure.ts'

/** Reads evidence.jsonl, line by line: it may be longer than the longest string. */

const LINE_END = 0x0a

/** The complete lines, without their line ends. */
export function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0, end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

/** Empty if it is no regular file, or cannot be read; the writer of the file reports the error. */
export const readEvidence = (file: string): Buffer => {
  try {
    return statSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'exchange' &&
  'id' in value &&
  typeof value.id === 'string'

/** Ignores lines that cannot be parsed. */
const parse = (line: Buffer): Exchange | undefined => {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isExchange(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The exchanges of a run.
 * @param file its evidence.
 * @param operations only exchanges of these operations; by default all.
 */
export function* exchangesOf(file: string, operations?: readonly string[]): Generator<Exchange> {
  for (const line of linesOf(readEvidence(file))) {
    const exchange = parse(line)
    if (exchange !== undefined && operations?.includes(exchange.operation) !== false) yield exchange
  }
}

const withFile = <Value>(file: string, use: (handle: number) => Value, absent: Value): Value => {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    // A run without a request writes no evidence.
    return absent
  }
  try {
    return use(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Finds exchanges by their ids while the file is still being written; keeps only the positions of the lines. The file
 * need not exist yet. A line without its end is read again by the next call.
 */
export const createEvidenceReader = (file: string): EvidenceLookup => {
  const positions = new Map<string, LinePosition>()
  let scanned = 0

  const scan = (handle: number): void => {
    const bytes = readAt(handle, { start: scanned, length: Math.max(0, fstatSync(handle).size - scanned) })
    let start = 0
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const id = parse(bytes.subarray(start, end))?.id
      if (id !== undefined) positions.set(id, { start: scanned + start, length: end - start })
      start = end + 1
    }
    scanned += start
  }

  return (id) =>
    withFile(
      file,
      (handle) => {
        if (!positions.has(id)) scan(handle)
        const position = positions.get(id)
        return position === undefined ? undefined : parse(readAt(handle, position))
      },
      undefined,
    )
}

/** The calls of the webhook sink at addresses that no scenario gave to the target. */
export const readStrays = (file: string): NonNullable<Report['strays']> =>
  [...exchangesOf(file, ['stray'])].map(({ id, request }) => ({
    exchange: id,
    method: request.method,
    url: request.url,
  }))

/** The number of requests that a run has sent, by operation; without the requests of the target. */
export const requestCounts = (evidence: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { sender, operation } of exchangesOf(evidence))
    if (sender !== 'target') counts.set(operation, (counts.get(operation) ?? 0) + 1)
  return counts
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type EvidenceDigest = Report['evidence']

/** The digest of the complete lines of a file. */
const digestLines = (file: string): EvidenceDigest['records'] => {
  const bytes = readEvidence(file)
  const lines = [...linesOf(bytes)]
  const whole = bytes.subarray(
    0,
    lines.reduce((sum, { length }) => sum + length + 1, 0),
  )
  const heads = [...examineChain(lines).heads]
  return { lines: lines.length, bytes: whole.length, sha256: hashOf(whole), heads }
}

/**
 * The digests of the complete lines of evidence and records, with which a reader can verify that they and the report
 * belong together.
 * @param outDir the folder of the run.
 */
export const digestEvidence = (outDir: string): EvidenceDigest => {
  const { lines, ...evidence } = digestLines(join(outDir, OUTPUT.evidence))
  return { exchanges: lines, ...evidence, records: digestLines(join(outDir, OUTPUT.records)) }
}

interface EvidenceState {
  readonly isUnchanged: boolean
  readonly sentence: string
}

const unchanged = ({ exchanges }: Report['evidence']): string =>
  `${OUTPUT.evidence} has the ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'} that the report was written from.`

const CHANGED = `${OUTPUT.evidence} does not belong to ${OUTPUT.report}: one of them was changed, or is from another run.`

const dataIn = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The lines that a digest was made of: an interrupted run may have added more after its report. */
const digestedLines = (file: string, { bytes }: Pick<EvidenceDigest, 'bytes'>): Buffer =>
  readEvidence(file).subarray(0, bytes)

/** Whether a file has this digest. */
const hasDigest = (file: string, digest: Pick<EvidenceDigest, 'bytes' | 'sha256'>): boolean => {
  const found = digestedLines(file, digest)
  return found.length === digest.bytes && hashOf(found) === digest.sha256
}

/** Whether the evidence in a folder is still that of the report in it. */
export const verifyEvidenceOf = (outDir: string): EvidenceState => {
  const file = join(outDir, OUTPUT.report)
  const data = dataIn(file)
  if (data === undefined)
    return { isUnchanged: false, sentence: `There is no readable ${OUTPUT.report} in ${outDir}.` }
  const parsed = reportSchema.safeParse(data)
  if (!parsed.success) return { isUnchanged: false, sentence: `${file}: ${problemOfReport(data) ?? ''}` }
  const { evidence } = parsed.data
  const isUnchanged = hasDigest(join(outDir, OUTPUT.evidence), evidence)
  return { isUnchanged, sentence: isUnchanged ? unchanged(evidence) : CHANGED }
}
