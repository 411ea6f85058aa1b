import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { appendLine } from './append-line.ts'
import { unkeptBecause } from './unkept.ts'
import type { Exchange } from './exchange.ts'
import type { Redactor } from './redaction.ts'

/** Where exchanges are written as they happen, one line each, secrets already taken out. */
export interface Journal {
  /** The redactor takes the secrets out first. */
  write(exchange: Exchange, redactor: Redactor): void
  close(): void
}

/**
 * Opens evidence.jsonl for appending. Each line is one write at the end of the file, so several processes may share
 * it, and what was written outlives a killed run.
 * @param known the ids of exchanges that the file has already: they are not written again.
 */
export const openJournal = (file: string, known: Iterable<string> = []): Journal => {
  const handle = openSync(file, 'a')
  const written = new Set(known)
  return {
    write(exchange, redactor) {
      // The pseudonyms are given in the order in which secrets are seen: what is written already counts as seen.
      const line = JSON.stringify(redactor.exchange(exchange))
      if (!written.has(exchange.id)) appendLine(handle, line)
    },
    close: () => closeSync(handle),
  }
}

/** The lines of such a file that were written whole; one that was not is taken away. */
export const wholeLines = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
  return whole.split('\n').slice(0, -1)
}

/** The ids of the exchanges in such a file. */
export const idsIn = (file: string): readonly string[] =>
  wholeLines(file).map((line) => (JSON.parse(line) as Exchange).id)

/** A journal for what has to be done in any case: what there is no room for is done, and not kept. */
export const asFarAsThereIsRoom = (journal: Journal): Journal => ({
  ...journal,
  write(exchange, redactor) {
    try {
      journal.write(exchange, redactor)
    } catch (error) {
      if (unkeptBecause(error) === undefined) throw error
    }
  },
})

/** Keeps nothing: for runs of which only the verdicts matter. */
export const noJournal: Journal = { write: () => undefined, close: () => undefined }
