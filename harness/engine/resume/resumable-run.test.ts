import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { openLog } from './log-file.ts'
import { continueRun, readEarlierRun, startResumableRun } from './resumable-run.ts'
import type { Subject } from './resumable-run.ts'

const profile = profileSchema.parse(sampleProfile())

const SUBJECT: Subject = {
  suite: { name: 'suite', version: '1', catalogueDigest: 'c1' },
  profileDigest: 'p1',
  baseUrl: 'https://bank.example',
}

const START = {
  seed: 42,
  argv: ['--time', 'wall'],
  startedAt: '2026-01-05T09:00:00.000Z',
  pace: { origin: 7, speed: 60 },
}

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resumption-'))
  file = join(folder, 'resume.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const start = () => startResumableRun(file, { ...SUBJECT, ...START }, profile)

const result = (id: string) => ({
  id,
  requirement: 'TOK-01',
  title: 't',
  verdict: 'pass' as const,
  durationMs: 1,
  exchanges: ['x/1'],
})

test('a run is resumed with the results, the start time and the pace of its first part', async () => {
  const { log } = await start()
  const opened = openLog(log)
  opened.log.storeResult('TOK-01/1', { result: result('TOK-01/1') })
  opened.log.storeWait('TOK-02/1', '2026-04-05T09:00:00.000Z')
  opened.close()
  const first = await readEarlierRun(file, SUBJECT, profile)
  expect(first.results).toEqual([result('TOK-01/1')])
  expect([...first.waits]).toEqual([['TOK-02/1', new Date('2026-04-05T09:00:00.000Z')]])
  expect(await continueRun(file, SUBJECT, profile)).toMatchObject({
    log,
    pace: START.pace,
    startedAt: new Date(START.startedAt),
    resumed: 1,
  })
  expect((await continueRun(file, SUBJECT, profile)).resumed).toBe(2)
  expect((await readEarlierRun(file, SUBJECT, profile)).resumed).toBe(2)
})

describe('a run is not resumed', () => {
  const others: Readonly<Record<string, readonly [Subject, string]>> = {
    'by another catalogue': [
      { ...SUBJECT, suite: { ...SUBJECT.suite, catalogueDigest: 'c2' } },
      'the catalogue was c1 and is now c2',
    ],
    'by another version of the suite': [
      { ...SUBJECT, suite: { ...SUBJECT.suite, version: '2' } },
      'the version of the suite was suite 1 and is now suite 2',
    ],
    'with another profile': [{ ...SUBJECT, profileDigest: 'p2' }, 'the profile was p1 and is now p2'],
    'at another base URL': [
      { ...SUBJECT, baseUrl: 'https://other.example' },
      'the base URL was https://bank.example and is now https://other.example',
    ],
  }
  test.each(Object.entries(others))('%s', async (_, [subject, difference]) => {
    await start()
    const before = readFileSync(file, 'utf8')
    await expect(continueRun(file, subject, profile)).rejects.toThrow(ConfigurationError)
    await expect(continueRun(file, subject, profile)).rejects.toThrow(difference)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('with other secrets of the applications, which the message does not contain', async () => {
    await start()
    const applications = profile.applications.map((one) => ({ ...one, clientSecret: 'planted-secret' }))
    const wrong = { ...profile, applications }
    await expect(continueRun(file, SUBJECT, wrong)).rejects.toThrow('other secrets of the applications')
    await expect(continueRun(file, SUBJECT, wrong)).rejects.not.toThrow('planted-secret')
  })
})
