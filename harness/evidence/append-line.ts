import { fstatSync, ftruncateSync, writeSync } from 'node:fs'

/** Writes as many of the bytes from `from` on as possible, and returns how many. */
type Write = (handle: number, bytes: Buffer, from: number) => number

/**
 * Appends a line to an open file: as a whole, or not at all. A file system that is nearly full writes only a part.
 * @throws the error of the file system, such as ENOSPC.
 */
export const appendLine = (handle: number, line: string, write: Write = writeSync): void => {
  const bytes = Buffer.from(`${line}\n`)
  let written = 0
  try {
    while (written < bytes.length) written += write(handle, bytes, written)
  } catch (error) {
    // No other process could write after it: the part is at the end of the file.
    if (written > 0) ftruncateSync(handle, fstatSync(handle).size - written)
    throw error
  }
}

/** Errors of a file system that accepts no more data. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'a file may not grow any further'],
  ['EROFS', 'the file system can only be read'],
])

/** Why nothing more can be written; undefined for any other error. */
export const diskFullReason = (error: unknown): string | undefined => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const reason = REASONS.get(code)
  return reason === undefined ? undefined : `${reason} (${String(code)})`
}
