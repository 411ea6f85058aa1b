import { fstatSync, ftruncateSync, writeSync } from 'node:fs'

const LINE_END = Buffer.from('\n')

/** Writes as many of the bytes from `from` on as possible, and returns how many. */
type Write = (handle: number, bytes: Buffer, from: number) => number

/**
 * Appends a line to an open file: as a whole, or not at all. A file system that is nearly full writes only a part.
 * @throws the error of the file system, such as ENOSPC.
 */
export const appendLine = (handle: number, line: string | Buffer, write: Write = writeSync): void => {
  const bytes = Buffer.concat([Buffer.from(line), LINE_END])
  let written = 0
  try {
    while (written < bytes.length) written += write(handle, bytes, written)
  } catch (error) {
    // No other process could write after it: the part is at the end of the file.
    if (written > 0) ftruncateSync(handle, fstatSync(handle).size - written)
    throw error
  }
}
