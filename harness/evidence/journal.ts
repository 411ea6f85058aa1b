import { closeSync, openSync, writeSync } from 'node:fs'
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
 */
export const openJournal = (file: string): Journal => {
  const handle = openSync(file, 'a')
  return {
    write: (exchange, redactor) => void writeSync(handle, `${JSON.stringify(redactor.exchange(exchange))}\n`),
    close: () => closeSync(handle),
  }
}

/** Keeps nothing: for runs of which only the verdicts matter. */
export const noJournal: Journal = { write: () => undefined, close: () => undefined }
