import { readFileSync, truncateSync } from 'node:fs'
import { openChain, type LinePosition } from './chain.ts'
import type { Exchange } from './exchange.ts'
import type { Redactor } from './redaction.ts'

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

/** A journal whose exchanges can be read again. */
export interface ReadableJournal extends Journal {
  /** The exchange as it was written; undefined if it was not. */
  read(id: string): Exchange | undefined
}

/** Exchanges that were written last are read from memory, except large ones. */
const KEPT_BYTES = 8 * 1024 * 1024
const LARGEST_KEPT = 16 * 1024

/** A line that was written, or found in the file. */
interface Written extends LinePosition {
  exchange?: Exchange
}

/**
 * Opens evidence.jsonl for appending. Each line is one write at the end of the file: several threads may share
 * it, and the lines survive a killed run. The lines are a hash chain.
 * @param isContinued whether the file may have exchanges of an earlier part of the run: they are not written again.
 */
export const openJournal = (file: string, isContinued = false): ReadableJournal => {
  const written = isContinued ? positionsIn(file) : new Map<string, Written>()
  const chain = openChain(file)
  const kept: Written[] = []
  let keptBytes = 0

  const keep = (line: Written, exchange: Exchange): void => {
    if (line.length > LARGEST_KEPT) return
    line.exchange = exchange
    kept.push(line)
    keptBytes += line.length
    while (keptBytes > KEPT_BYTES && kept.length > 1) {
      const oldest = kept.shift()
      keptBytes -= oldest?.length ?? 0
      delete oldest?.exchange
    }
  }

  return {
    write(exchange, redactor) {
      // Redacted even if it is not written: pseudonyms are numbered in the order in which secrets are seen.
      const redacted = redactor.exchange(exchange)
      if (written.has(exchange.id)) return
      const line: Written = chain.append(JSON.stringify(redacted))
      written.set(exchange.id, line)
      keep(line, redacted)
    },
    read(id) {
      const line = written.get(id)
      if (line === undefined) return undefined
      if (line.exchange !== undefined) return line.exchange
      const exchange = JSON.parse(chain.read(line).toString('utf8')) as Exchange
      keep(line, exchange)
      return exchange
    },
    close: () => chain.close(),
  }
}

/** The complete lines of such a file; an incomplete last line is removed from it. */
export const wholeLines = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  return whole.split('\n').slice(0, -1)
}

/** The exchanges in such a file, by their ids. */
const positionsIn = (file: string): Map<string, Written> => {
  let start = 0
  return new Map(
    wholeLines(file).map((line) => {
      const length = Buffer.byteLength(line)
      const position = { start, length }
      start += length + 1
      return [(JSON.parse(line) as Exchange).id, position]
    }),
  )
}

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

/** In memory: for runs that keep no evidence. */
export const openMemoryJournal = (): ReadableJournal => {
  const exchanges = new Map<string, Exchange>()
  return {
    write: (exchange, redactor) => void exchanges.set(exchange.id, redactor.exchange(exchange)),
    read: (id) => exchanges.get(id),
    close: () => undefined,
  }
}

/** Writes nothing: for requests of which only the verdicts matter. */
export const noJournal: Journal = { write: () => undefined, close: () => undefined }
