import { closeSync, openSync, writeSync } from 'node:fs'
import type { Exchange } from './exchange.ts'

/** Where exchanges are written as they happen, one line each, secrets already taken out. */
export interface Journal {
  write(exchange: Exchange): void
  close(): void
}

/**
 * Opens evidence.jsonl for appending. Each line is one write at the end of the file, so several processes may share
 * it, and what was written outlives a killed run.
 */
export const openJournal = (file: string): Journal => {
  const handle = openSync(file, 'a')
  return {
    write: (exchange) => void writeSync(handle, `${JSON.stringify(exchange)}\n`),
    close: () => closeSync(handle),
  }
}

/** Keeps nothing: for runs of which only the verdicts matter. */
export const noJournal: Journal = { write: () => undefined, close: () => undefined }
