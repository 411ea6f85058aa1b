import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Exchange } from '../../evidence/exchange.ts'
import type { EvidenceLookup } from '../terminal/failure.ts'

/** Reads exchanges back from evidence.jsonl while it grows; keeps where they stand, not what they say. */

interface Place {
  readonly start: number
  readonly length: number
}

const LINE_END = 0x0a

const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' &&
  value !== null &&
  (value as Partial<Exchange>).kind === 'exchange' &&
  typeof (value as Partial<Exchange>).id === 'string'

const parse = (line: Buffer): Exchange | undefined => {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isExchange(value) ? value : undefined
  } catch {
    // A line that cannot be read is no evidence of anything; the others still are.
    return undefined
  }
}

/** How a line begins that the journal has written: who looks for its id need not read all of what was answered. */
const BEGINNING = /^\{"kind":"exchange","id":("(?:[^"\\]|\\.)*")/
const BEGINNING_BYTES = 512

const idOf = (line: Buffer): string | undefined => {
  const [, id] = BEGINNING.exec(line.subarray(0, BEGINNING_BYTES).toString('utf8')) ?? []
  return id === undefined ? parse(line)?.id : (JSON.parse(id) as string)
}

const withFile = <Value>(file: string, use: (handle: number) => Value, absent: Value): Value => {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    // A run that has sent nothing has written nothing.
    return absent
  }
  try {
    return use(handle)
  } finally {
    closeSync(handle)
  }
}

const readAt = (handle: number, { start, length }: Place): Buffer => {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(handle, bytes, 0, length, start))
}

/**
 * Opens nothing yet: the file may not exist before the first exchange. A line without its end is left for the next
 * look, since it is still being written.
 */
export const createEvidenceReader = (file: string): EvidenceLookup => {
  const places = new Map<string, Place>()
  let scanned = 0

  const scan = (handle: number): void => {
    const bytes = readAt(handle, { start: scanned, length: Math.max(0, fstatSync(handle).size - scanned) })
    let start = 0
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const id = idOf(bytes.subarray(start, end))
      if (id !== undefined) places.set(id, { start: scanned + start, length: end - start })
      start = end + 1
    }
    scanned += start
  }

  return (id) =>
    withFile(
      file,
      (handle) => {
        if (!places.has(id)) scan(handle)
        const place = places.get(id)
        return place === undefined ? undefined : parse(readAt(handle, place))
      },
      undefined,
    )
}
