import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { systemCodeOf } from './errors.ts'

/** Reads the files that a person names: profile, waivers, keys, certificates, OpenAPI document. */

const MEBIBYTE = 1024 * 1024

/** In MiB: a file that a run has written. A report of all requirements has about one. */
export const MOST_OF_A_RUN = 64

/** Why such a file cannot be read, as the end of a sentence that begins with its name. It quotes nothing of the file. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'

  constructor(
    reason: string,
    readonly isMissing = false,
  ) {
    super(reason)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read; allow your user to read it',
  EPERM: 'may not be read; allow your user to read it',
}

const opened = (file: string): number => {
  try {
    // A pipe without a writer would block the process.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown'
    throw new UnreadableFile(REASONS[code] ?? `cannot be read (${code})`, code === 'ENOENT')
  }
}

/**
 * The text of a regular file.
 * @param most its size in MiB; a device or a larger file is not read.
 * @throws UnreadableFile
 */
export const readInputFile = (file: string, most = 1): string => {
  const descriptor = opened(file)
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new UnreadableFile('is a folder; name the file in it')
    if (!stats.isFile()) throw new UnreadableFile('is not a regular file')
    if (stats.size > most * MEBIBYTE)
      throw new UnreadableFile(`has ${stats.size} bytes; at most ${most} MiB are read`)
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '')
  } finally {
    closeSync(descriptor)
  }
}
