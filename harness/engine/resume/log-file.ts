import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRunLog, noLog } from './run-log.ts'
import { appendLine } from '../../evidence/journal-line.ts'
import { jsonIn } from '../../evidence/json.ts'
import { createSeal } from '../../evidence/seal.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { isHeader, type Header } from './log-header.ts'
import type { Entry } from './log-entries.ts'

/** The log of a run as a file: a header in plain text, and one encrypted line for each entry. */

/** The complete lines of a log; its entries are still encrypted. */
interface ReadLog {
  readonly header: Header
  /** The exact text of the first line: the encryption of the others depends on it. */
  readonly first: string
  readonly sealed: readonly string[]
  /** The length of all complete lines, in bytes. */
  readonly wholeBytes: number
}

export const startLog = (file: string, header: Header): void => {
  // As a whole or not at all, whenever the process is killed. Readable for its owner only: the reports may be readable
  // for others.
  const draft = `${file}.draft`
  writeFileSync(draft, `${JSON.stringify(header)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

const damagedLog = (file: string, line: number, what: string): ConfigurationError =>
  new ConfigurationError(
    `${file}:${line} is damaged (${what}): the run cannot be resumed from it; start a new run with another --out`,
  )

/**
 * A last line without a line end is incomplete: its value was never used, so that it is ignored.
 * @throws ConfigurationError if there is no log, or its first line cannot be read.
 */
export const readLog = (file: string): ReadLog => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new ConfigurationError(
      `there is no log at ${file}: no run has begun there, so that nothing was sent; name its folder with --out, or start it with its options`,
    )
  }
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1)
  const [first = '', ...sealed] = completeLines.split('\n').slice(0, -1)
  const header = jsonIn(first)
  if (!isHeader(header)) throw damagedLog(file, 1, 'it is not the header of a log of this version')
  return { header, first, sealed, wholeBytes: Buffer.byteLength(completeLines) }
}

const entryIn = (line: string, at: number, open: (sealed: string) => string): Entry => {
  const { n, sealed } = (jsonIn(line) ?? {}) as { readonly n?: unknown; readonly sealed?: unknown }
  if (n !== at) throw new Error(`it should be number ${at}`)
  return JSON.parse(open(String(sealed))) as Entry
}

/** @throws ConfigurationError with the number of the first line that was changed. */
export const entriesOf = (file: string, { first, sealed }: ReadLog, key: Buffer): readonly Entry[] => {
  const seal = createSeal(key, first)
  return sealed.map((line, index) => {
    const at = index + 1
    try {
      return entryIn(line, at, (text) => seal.open(text, at))
    } catch {
      throw damagedLog(file, at + 1, 'it was changed after it was written')
    }
  })
}

/**
 * Appends after the last complete line. Intents, settings and waits are synchronized to the disk: they must also survive a crash
 * of the machine.
 */
export const appendTo = (file: string, { first, sealed, wholeBytes }: ReadLog, key: Buffer) => {
  truncateSync(file, wholeBytes)
  const seal = createSeal(key, first)
  const handle = openSync(file, 'a')
  let n = sealed.length
  return {
    /** Writes an entry, before its value is used. */
    append(entry: Entry) {
      const next = n + 1
      appendLine(handle, JSON.stringify({ n: next, sealed: seal.close(JSON.stringify(entry), next) }))
      n = next
      if (SYNCHRONIZED.has(entry.kind)) fdatasyncSync(handle)
    },
    close: () => closeSync(handle),
  }
}

const SYNCHRONIZED: ReadonlySet<Entry['kind']> = new Set(['intent', 'settings', 'due'])

/** The log that a run resumes, if it has one. The key is in base64. */
export const openLog = (given: { readonly file: string; readonly key: string } | undefined) => {
  if (given === undefined) return { log: noLog, close: () => undefined }
  const key = Buffer.from(given.key, 'base64')
  const read = readLog(given.file)
  const entries = entriesOf(given.file, read, key)
  const writer = appendTo(given.file, read, key)
  return { log: createRunLog(entries, (entry) => writer.append(entry)), close: () => writer.close() }
}
