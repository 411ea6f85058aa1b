import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { appendTo, entriesOf, readLog, startLog } from './log-file.ts'
import { createHeader, keyFor } from './log-header.ts'
import type { Entry } from './log-entries.ts'

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
  { kind: 'reading', attempt: 'tokens/x', at: 1 },
  { kind: 'access', attempt: 'tokens/x', access: { accessToken: 't0ken-of-a-customer', scope: 'ALL' } },
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

test('entries are read in the order in which they were written', () => {
  write(...ENTRIES.slice(0, 2))
  write(...ENTRIES.slice(2))
  expect(readAll()).toEqual(ENTRIES)
  expect(readLog(file).header).toMatchObject(ABOUT)
})

test('without the secrets of the applications only the first line can be read', async () => {
  write(...ENTRIES)
  const text = readFileSync(file, 'utf8')
  for (const secret of [...SECRETS.slice(1), 't0ken', 'TOK-01', 'reading']) expect(text).not.toContain(secret)
  const { header } = readLog(file)
  expect(await keyFor(header, SECRETS)).toEqual(key)
  for (const others of [[], ['shop', 'hush'], ['hush-hush', 'shop'], ['shophush-hush']])
    expect(await keyFor(header, others)).toBeUndefined()
})

test('other users of this machine cannot read the file', () => {
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('an incomplete last line is ignored and overwritten', () => {
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
    'if a line is missing': (all) => all.toSpliced(1, 1),
    'if two lines are exchanged': ([first = '', ...rest]) => [first, ...rest.toReversed()],
    'if a line is duplicated': (all) => all.toSpliced(2, 0, all[1] ?? ''),
    'if a line was changed': (all) =>
      all.with(
        1,
        (all[1] ?? '').replace(/.(?="}$)/, (end) => (end === 'A' ? 'B' : 'A')),
      ),
    'if a line is not JSON': (all) => all.with(1, 'nonsense'),
    'if the first line was changed': (all) => all.with(0, (all[0] ?? '').replace('42', '43')),
  }
  test.each(Object.entries(damage))('%s, and the error names the line', (_, change) => {
    write(...ENTRIES)
    rewrite(change(lines()))
    expect(readAll).toThrow(ConfigurationError)
    expect(readAll).toThrow(/resume\.jsonl:[23] is damaged/)
  })

  test('if its first line is not a header', () => {
    rewrite(['{"format":2}', ...lines()])
    expect(() => readLog(file)).toThrow('resume.jsonl:1 is damaged')
  })

  test('if there is no log, the error says that no run has begun', () => {
    expect(() => readLog(join(folder, 'none'))).toThrow('no run has begun there')
  })
})

test('a line cannot be copied into another log of the same run', async () => {
  write(...ENTRIES)
  const taken = lines()
  const other = await createHeader(ABOUT, SECRETS)
  startLog(file, other.header)
  key = other.key
  rewrite([...lines(), ...taken.slice(1)])
  expect(readAll).toThrow('resume.jsonl:2 is damaged')
})

describe('a header that was changed has no key', () => {
  const CHANGES: Readonly<Record<string, unknown>> = {
    suite: { name: 'suite', version: '1', catalogueDigest: 'd' },
    profileDigest: 'q',
    baseUrl: 'https://other.example',
    seed: 43,
    argv: ['--time', 'wall', '--environment', 'production', '--allow', 'pay', '--yes'],
    startedAt: '2026-01-06T09:00:00.000Z',
    pace: { origin: 1, speed: 1 },
    salt: Buffer.alloc(16).toString('base64'),
    proof: Buffer.alloc(39).toString('base64'),
  }
  test.each(Object.entries(CHANGES))('%s', async (member, value) => {
    const [first = '', ...rest] = lines()
    rewrite([JSON.stringify({ ...(JSON.parse(first) as object), [member]: value }), ...rest])
    expect(await keyFor(readLog(file).header, SECRETS)).toBeUndefined()
  })

  test('every member is tried', () => {
    expect(new Set(['format', ...Object.keys(CHANGES)])).toEqual(new Set(Object.keys(readLog(file).header)))
  })
})
