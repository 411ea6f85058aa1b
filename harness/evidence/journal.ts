import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { Exchange } from './exchange.ts'
import type { Redactor } from './redaction.ts'

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

/** Writes exchanges as they happen, one per line, without secrets. */
export interface Journal {
  /** @param redactor removes the secrets before writing. */
  write(exchange: Exchange, redactor: Redactor): void
  close(): void
}

/**
 * Opens evidence.jsonl for appending. Each line is one write at the end of the file: several processes may share
 * it, and the lines survive a killed run.
 * @param known the ids of exchanges in the file: they are not written again.
 */
export const openJournal = (file: string, known: Iterable<string> = []): Journal => {
  const handle = openSync(file, 'a')
  const written = new Set(known)
  return {
    write(exchange, redactor) {
      // Redacted even if it is not written: pseudonyms are numbered in the order in which secrets are seen.
      const line = JSON.stringify(redactor.exchange(exchange))
      if (!written.has(exchange.id)) appendLine(handle, line)
    },
    close: () => closeSync(handle),
  }
}

/** The complete lines of such a file; an incomplete last line is removed from it. */
export const wholeLines = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  return whole.split('\n').slice(0, -1)
}

/** The ids of the exchanges in such a file. */
export const idsIn = (file: string): readonly string[] =>
  wholeLines(file).map((line) => (JSON.parse(line) as Exchange).id)

/** A journal for requests that must be sent in any case: if the disk is full, they are not recorded. */
export const toleratingFullDisk = (journal: Journal): Journal => ({
  ...journal,
  write(exchange, redactor) {
    try {
      journal.write(exchange, redactor)
    } catch (error) {
      if (diskFullReason(error) === undefined) throw error
    }
  },
})

/** Writes nothing: for runs of which only the verdicts matter. */
export const noJournal: Journal = { write: () => undefined, close: () => undefined }
