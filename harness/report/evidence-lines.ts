import { readFileSync } from 'node:fs'
import type { Exchange } from '../evidence/exchange.ts'

/** The evidence of a run, read line by line: more may stand in it than in one text. */

const LINE_END = 0x0a

/** Those that were written whole, without their ends. */
export function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0, end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

/** Evidence that cannot be read has been complained of by whoever was to write it. */
export const readEvidence = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

const exchangeIn = (line: Buffer): readonly Exchange[] => {
  try {
    return [JSON.parse(line.toString('utf8')) as Exchange]
  } catch {
    return []
  }
}

/**
 * The exchanges of a run.
 * @param file its evidence.
 * @param operations those of these operations alone; all, if it is left out.
 */
export function* exchangesOf(file: string, operations?: readonly string[]): Generator<Exchange> {
  const marks = operations?.map((operation) => `"operation":"${operation}"`)
  for (const line of linesOf(readEvidence(file))) {
    // The mark stands near the front: most lines are of other chapters, and need not be parsed.
    const head = line.subarray(0, 512).toString('utf8')
    if (marks === undefined || marks.some((mark) => head.includes(mark))) yield* exchangeIn(line)
  }
}
