import { appendTo, entriesOf, readLog } from './log-file.ts'
import { createRunLog, noLog } from './run-log.ts'
import type { RunLog } from './run-log.ts'

export interface OpenLog {
  readonly log: RunLog
  close(): void
}

/** The log that a run goes on with, where it has one. The key is in base64. */
export const openLog = (given: { readonly file: string; readonly key: string } | undefined): OpenLog => {
  if (given === undefined) return { log: noLog, close: () => undefined }
  const key = Buffer.from(given.key, 'base64')
  const read = readLog(given.file)
  const entries = entriesOf(given.file, read, key)
  const writer = appendTo(given.file, read, key)
  return { log: createRunLog(entries, (entry) => writer.append(entry)), close: () => writer.close() }
}
