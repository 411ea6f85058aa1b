import { fstatSync, ftruncateSync, writeSync } from 'node:fs'

/** Writes so many of the bytes as there is room for, from the one at `from` on, and tells how many. */
type Write = (handle: number, bytes: Buffer, from: number) => number

/**
 * Appends a line to a file that is open for appending: as a whole, or not at all. Where room for a part of it is left,
 * a file system takes that part.
 * @throws the fault of the file system, such as ENOSPC.
 */
export const appendLine = (handle: number, line: string, write: Write = writeSync): void => {
  const bytes = Buffer.from(`${line}\n`)
  let written = 0
  try {
    while (written < bytes.length) written += write(handle, bytes, written)
  } catch (error) {
    // Nobody else has found room behind it: what ends the file is this part.
    if (written > 0) ftruncateSync(handle, fstatSync(handle).size - written)
    throw error
  }
}
