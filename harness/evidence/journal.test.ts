import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { diskFullReason, openJournal, toleratingFullDisk } from './journal.ts'
import { appendLine } from './journal-line.ts'
import { createRedactor } from './redaction.ts'
import type { Exchange } from './exchange.ts'

const redactor = createRedactor([])

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'journal-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const exchange = (id: string, text: string): Exchange => ({
  kind: 'exchange',
  id,
  sender: 'scenario',
  operation: 'token',
  effect: 'consent',
  request: { method: 'GET', url: 'http://bank/', headers: [] },
  response: { status: 200, headers: [], body: { text, bytes: text.length } },
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
})

const lines = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { prev, ...exchange } = JSON.parse(line) as Record<string, unknown>
      expect(prev).toMatch(/^[0-9a-f]{64}$/)
      return exchange
    })

test('an exchange is on disk when write returns, without a close', () => {
  const file = join(folder, 'evidence.jsonl')
  const journal = openJournal(file)
  journal.write(exchange('a/1', 'one\ntwo'), redactor)
  expect(lines(file)).toEqual([exchange('a/1', 'one\ntwo')])
  journal.close()
})

test.runIf(existsSync('/dev/full'))('what has to be done in any case is done without room for it', () => {
  const full = openJournal('/dev/full')
  expect(() => full.write(exchange('a/1', 'one'), redactor)).toThrow('ENOSPC')
  expect(() => toleratingFullDisk(full).write(exchange('a/2', 'two'), redactor)).not.toThrow()
  full.close()
  // Every other fault is one still.
  expect(() => toleratingFullDisk(full).write(exchange('a/3', 'three'), redactor)).toThrow('EBADF')
})

test('two journals of one file keep whole lines', () => {
  const file = join(folder, 'evidence.jsonl')
  const [first, second] = [openJournal(file), openJournal(file)]
  const long = 'x'.repeat(300_000)
  for (let n = 0; n < 20; n += 1) {
    first.write(exchange(`a/${n}`, long), redactor)
    second.write(exchange(`b/${n}`, long), redactor)
  }
  first.close()
  second.close()
  expect(lines(file)).toHaveLength(40)
})

test('a journal goes on where an earlier one ended', () => {
  const file = join(folder, 'evidence.jsonl')
  for (const id of ['a/1', 'a/2']) {
    const journal = openJournal(file)
    journal.write(exchange(id, ''), redactor)
    journal.close()
  }
  expect(lines(file)).toHaveLength(2)
})

test('what the file has already is not written again, and a half line is taken away', () => {
  const file = join(folder, 'evidence.jsonl')
  openJournal(file).write(exchange('a/1', 'one'), redactor)
  appendFileSync(file, '{"kind":"exchange","id":"a/2')
  const journal = openJournal(file, true)
  for (const id of ['a/1', 'a/2']) journal.write(exchange(id, 'again'), redactor)
  expect(journal.read('a/1')).toMatchObject(exchange('a/1', 'one'))
  expect(journal.read('a/2')).toEqual(exchange('a/2', 'again'))
  expect(journal.read('a/3')).toBeUndefined()
  journal.close()
  expect(lines(file)).toEqual([exchange('a/1', 'one'), exchange('a/2', 'again')])
})

const opened = (): { readonly file: string; readonly handle: number } => {
  const folder = mkdtempSync(join(tmpdir(), 'append-line-'))
  const file = join(folder, 'lines')
  const handle = openSync(file, 'a')
  onTestFinished(() => {
    closeSync(handle)
    rmSync(folder, { recursive: true })
  })
  return { file, handle }
}

/** A disk that takes so many bytes at once, and so many in all. */
const diskOf = (atOnce: number, room: number) => {
  let left = room
  return (handle: number, bytes: Buffer, from: number): number => {
    if (left === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    const written = writeSync(handle, bytes.subarray(from, from + Math.min(atOnce, left)))
    left -= written
    return written
  }
}

test('a line that is taken in parts is written whole', () => {
  const { file, handle } = opened()
  appendLine(handle, 'pôžička', diskOf(3, 100))
  appendLine(handle, 'splátka')
  expect(readFileSync(file, 'utf8')).toBe('pôžička\nsplátka\n')
})

test.each([0, 1, 6])('of a line for which there is room for %i bytes nothing stays', (room) => {
  const { file, handle } = opened()
  appendLine(handle, 'first')
  expect(() => appendLine(handle, 'second', diskOf(4, room))).toThrow('ENOSPC')
  appendLine(handle, 'third')
  expect(readFileSync(file, 'utf8')).toBe('first\nthird\n')
})

const thrownBy = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

test('a device without space is written in words, with the code of the system', () => {
  expect(diskFullReason(thrownBy(() => appendFileSync('/dev/full', 'x')))).toBe(
    'no space is left on the device (ENOSPC)',
  )
})

test.each([
  thrownBy(() => appendFileSync('/no/such/folder', 'x')),
  new Error('ENOSPC: no space left on device, write'),
  'ENOSPC',
  undefined,
  null,
])('nothing is said of %s', (error) => {
  expect(diskFullReason(error)).toBeUndefined()
})
