import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { examineChain, readAt, type LinePosition } from '../evidence/chain.ts'
import { messageOf } from '../evidence/errors.ts'
import { isObject, jsonIn } from '../evidence/json.ts'
import { plural } from '../plan/lists.ts'
import { OUTPUT } from '../evidence/output.ts'
import { readReport } from './read-report.ts'
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
  isObject(value) && value.kind === 'exchange' && typeof value.id === 'string'

/** Undefined for a line that cannot be parsed. */
export const exchangeIn = (line: Buffer): Exchange | undefined => {
  const value = jsonIn(line.toString('utf8'))
  return isExchange(value) ? value : undefined
}

/**
 * The exchanges of a run.
 * @param file its evidence.
 * @param operations only exchanges of these operations; by default all.
 */
export function* exchangesOf(file: string, operations?: readonly string[]): Generator<Exchange> {
  // As the journal writes it: most lines need not be parsed.
  const members = operations?.map((operation) => `"operation":"${operation}"`)
  for (const line of linesOf(readEvidence(file))) {
    if (members?.some((member) => line.includes(member)) === false) continue
    const exchange = exchangeIn(line)
    if (exchange !== undefined && operations?.includes(exchange.operation) !== false) yield exchange
  }
}

const withFile = <Value>(file: string, use: (handle: number) => Value): Value | undefined => {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    // A run without a request writes no evidence.
    return undefined
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
    for (const line of linesOf(bytes)) {
      const id = exchangeIn(line)?.id
      if (id !== undefined) positions.set(id, { start: scanned, length: line.length })
      scanned += line.length + 1
    }
  }

  return (id) =>
    withFile(file, (handle) => {
      if (!positions.has(id)) scan(handle)
      const position = positions.get(id)
      return position === undefined ? undefined : exchangeIn(readAt(handle, position))
    })
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

/** SHA-256 in hex. */
export const sha256Of = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

type EvidenceDigest = Report['evidence']

const digestLines = (file: string): EvidenceDigest['records'] => {
  const bytes = readEvidence(file)
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1)
  const lines = [...linesOf(whole)]
  const heads = [...examineChain(lines).heads]
  return { lines: lines.length, bytes: whole.length, sha256: sha256Of(whole), heads }
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

/** Whether a file has this digest: an interrupted run may have added lines after its report. */
const hasDigest = (file: string, { bytes, sha256 }: EvidenceDigest): boolean => {
  const digested = readEvidence(file).subarray(0, bytes)
  return digested.length === bytes && sha256Of(digested) === sha256
}

/** Whether the evidence in a folder is still that of the report in it. */
export const verifyEvidenceOf = (
  outDir: string,
): { readonly isUnchanged: boolean; readonly sentence: string } => {
  try {
    const { evidence } = readReport(outDir)
    const isUnchanged = hasDigest(join(outDir, OUTPUT.evidence), evidence)
    const sentence = isUnchanged
      ? `${OUTPUT.evidence} has the ${plural(evidence.exchanges, 'exchange')} that the report was written from.`
      : `${OUTPUT.evidence} does not belong to ${OUTPUT.report}: one of them was changed, or is from another run.`
    return { isUnchanged, sentence }
  } catch (error) {
    return { isUnchanged: false, sentence: messageOf(error) }
  }
}
