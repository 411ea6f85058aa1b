import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OUTPUT } from '../../evidence/output.ts'
import { appendTo, createHeader, readLog, startLog } from '../../engine/resume/log-file.ts'
import { refuseToOverwrite } from './resume.ts'

const STARTED = '2026-01-05T09:00:00.000Z'
const NOW = new Date('2026-01-05T09:30:00.000Z')

let out = ''

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'continuing-'))
})

afterEach(() => rmSync(out, { recursive: true }))

const startedRun = async ({ requests }: { readonly requests: number }): Promise<void> => {
  const file = join(out, OUTPUT.log)
  const { header, key } = await createHeader(
    {
      suite: { name: 'suite', version: '1', catalogueDigest: 'c' },
      profileDigest: 'p',
      baseUrl: 'http://bank.example',
      seed: 42,
      argv: [],
      startedAt: STARTED,
      pace: { origin: 0, speed: 1 },
    },
    ['a secret'],
  )
  startLog(file, header)
  const writer = appendTo(file, readLog(file), key)
  for (let at = 0; at < requests; at += 1) writer.append({ kind: 'waits', check: String(at), until: STARTED })
  writer.close()
}

const reported = (startedAt: string, waiting: readonly { readonly until: string }[] = []): void =>
  writeFileSync(join(out, OUTPUT.report), JSON.stringify({ run: { startedAt }, waiting }))

test('a folder without a run can be used', () => {
  expect(() => refuseToOverwrite(out, NOW)).not.toThrow()
})

test('the folder of a run that was killed before its report is refused', async () => {
  await startedRun({ requests: 1 })
  expect(() => refuseToOverwrite(out, NOW)).toThrow(/ended before it could write its report.*--resume --out/)
})

test('the report of another run does not count as its report', async () => {
  await startedRun({ requests: 1 })
  reported('2026-01-04T09:00:00.000Z')
  expect(() => refuseToOverwrite(out, NOW)).toThrow(/ended before it could write its report/)
})

test('the folder of a run without results can be used', async () => {
  await startedRun({ requests: 0 })
  expect(() => refuseToOverwrite(out, NOW)).not.toThrow()
})

test('the folder of a finished run can be used', async () => {
  await startedRun({ requests: 1 })
  reported(STARTED)
  expect(() => refuseToOverwrite(out, NOW)).not.toThrow()
})

test('the folder of a run that waits is refused until that time', async () => {
  await startedRun({ requests: 1 })
  reported(STARTED, [{ until: '2026-01-12T09:00:00.000Z' }])
  expect(() => refuseToOverwrite(out, NOW)).toThrow(/waits until/)
  expect(() => refuseToOverwrite(out, new Date('2026-01-13T09:00:00.000Z'))).not.toThrow()
})
