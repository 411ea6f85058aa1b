import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { appendTo, createHeader, entriesOf, keyFor, readLog, startLog } from './log-file.ts'
import type { Entry } from './run-log.ts'

const SECRETS = ['shop', 'hush-hush']

const ABOUT = {
  suite: { name: 'suite', version: '1', catalogueDigest: 'c' },
  profileDigest: 'p',
  baseUrl: 'https://bank.example',
  seed: 42,
  argv: ['--time', 'wall'],
  startedAt: '2026-01-05T09:00:00.000Z',
  pace: { origin: 0, speed: 1 },
}

const ENTRIES: readonly Entry[] = [
  { kind: 'waits', check: 'TOK-01/1', until: '2026-04-05T09:00:00.000Z' },
  { kind: 'reading', act: 'tokens/x', at: 1 },
  { kind: 'access', act: 'tokens/x', access: { accessToken: 't0ken-of-a-customer', scope: 'ALL' } },
]

let folder: string
let file: string
let key: Buffer

const write = (...entries: readonly Entry[]): void => {
  const writer = appendTo(file, readLog(file), key)
  entries.forEach((entry) => writer.append(entry))
  writer.close()
}

const readAll = (): readonly Entry[] => entriesOf(file, readLog(file), key)
const lines = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const rewrite = (changed: readonly string[]): void => writeFileSync(file, `${changed.join('\n')}\n`)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
  file = join(folder, 'resume.jsonl')
  const created = await createHeader(ABOUT, SECRETS)
  key = created.key
  startLog(file, created.header)
})

afterEach(() => rmSync(folder, { recursive: true }))

test('what was written is read again, in its order', () => {
  write(...ENTRIES.slice(0, 2))
  write(...ENTRIES.slice(2))
  expect(readAll()).toEqual(ENTRIES)
  expect(readLog(file).header).toMatchObject(ABOUT)
})

test('nothing but what the run is about can be read without the secrets of the applications', async () => {
  write(...ENTRIES)
  const text = readFileSync(file, 'utf8')
  for (const secret of [...SECRETS.slice(1), 't0ken', 'TOK-01', 'reading']) expect(text).not.toContain(secret)
  const { header } = readLog(file)
  expect(await keyFor(header, SECRETS)).toEqual(key)
  for (const others of [[], ['shop', 'hush'], ['hush-hush', 'shop'], ['shophush-hush']])
    expect(await keyFor(header, others)).toBeUndefined()
})

test('nobody else on this machine may read the file', () => {
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a last line that was not written to its end counts for nothing, and is written over', () => {
  write(...ENTRIES.slice(0, 2))
  const whole = readFileSync(file, 'utf8')
  for (const cut of [1, 20, 60]) {
    writeFileSync(file, whole.slice(0, -cut))
    expect(readAll()).toEqual(ENTRIES.slice(0, 1))
  }
  appendFileSync(file, 'é'.repeat(3))
  write(...ENTRIES.slice(1))
  expect(readAll()).toEqual(ENTRIES)
})

describe('a log is damaged', () => {
  const damage: Readonly<Record<string, (all: string[]) => readonly string[]>> = {
    'where a line is missing': (all) => all.toSpliced(1, 1),
    'where two lines have changed places': ([first = '', ...rest]) => [first, ...rest.toReversed()],
    'where a line stands twice': (all) => all.toSpliced(2, 0, all[1] ?? ''),
    'where a line was changed': (all) =>
      all.with(
        1,
        (all[1] ?? '').replace(/.(?="}$)/, (end) => (end === 'A' ? 'B' : 'A')),
      ),
    'where a line is no JSON': (all) => all.with(1, 'nonsense'),
    'where the first line was changed': (all) => all.with(0, (all[0] ?? '').replace('42', '43')),
  }
  test.each(Object.entries(damage))('%s, and says where', (_, change) => {
    write(...ENTRIES)
    rewrite(change(lines()))
    expect(readAll).toThrow(ConfigurationError)
    expect(readAll).toThrow(/resume\.jsonl:[23] is damaged/)
  })

  test('where its first line is none', () => {
    rewrite(['{"format":2}', ...lines()])
    expect(() => readLog(file)).toThrow('resume.jsonl:1 is damaged')
  })

  test('where there is none, somebody is told which runs have one', () => {
    expect(() => readLog(join(folder, 'none'))).toThrow('only a run that waits by the wall clock')
  })
})

test('a line cannot be taken into another log of the same run', async () => {
  write(...ENTRIES)
  const taken = lines()
  const other = await createHeader(ABOUT, SECRETS)
  startLog(file, other.header)
  key = other.key
  rewrite([...lines(), ...taken.slice(1)])
  expect(readAll).toThrow('resume.jsonl:2 is damaged')
})
