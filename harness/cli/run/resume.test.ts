import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { OUTPUT } from '../../evidence/output.ts'
import { appendTo, readLog, startLog } from '../../engine/resume/log-file.ts'
import { createHeader } from '../../engine/resume/log-header.ts'
import { startResumableRun } from '../../engine/resume/resumable-run.ts'
import { SAMPLE_ENV, sampleProfile } from '../../testing/samples/profile.ts'
import { parseRunOptions } from './options.ts'
import { refuseToOverwrite } from '../../engine/resume/unfinished.ts'
import { resolveTarget } from '../../engine/run/target.ts'
import { prepareResumedRun } from './resume.ts'
import { scratch } from '../../testing/samples/reports.ts'

const STARTED = '2026-01-05T09:00:00.000Z'
const NOW = new Date('2026-01-05T09:30:00.000Z')

let out = ''

beforeEach(() => void (out = scratch()))

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

describe('the header of a log that somebody else may have written', () => {
  const BANK = 'https://bank.example'
  let profile = ''
  let marker = ''
  let hostile = ''

  beforeEach(() => {
    profile = join(out, 'bank.json')
    writeFileSync(profile, JSON.stringify(sampleProfile()))
    marker = join(out, 'was-imported')
    hostile = join(out, 'hostile.mjs')
    writeFileSync(
      hostile,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\nexport default ${JSON.stringify(sampleProfile())}\n`,
    )
  })

  const target = () => ['--profile', profile, '--base-url', BANK]

  const resumed = async (...argv: readonly string[]) => {
    const given = parseRunOptions([...argv, '--resume', '--out', out])
    if (given.kind !== 'resume') throw new Error('it has --resume')
    return prepareResumedRun(given, argv, SAMPLE_ENV)
  }

  const start = async (...argv: readonly string[]): Promise<void> => {
    const options = parseRunOptions(argv)
    if (options.kind !== 'run') throw new Error('it is a run')
    const subject = await resolveTarget(options, SAMPLE_ENV)
    const about = {
      suite: { name: 'suite', version: '1', catalogueDigest: 'c' },
      profileDigest: subject.digest,
      baseUrl: BANK,
      seed: 42,
      argv: [...argv],
      startedAt: STARTED,
      pace: { origin: 0, speed: 1 },
    }
    await startResumableRun(join(out, OUTPUT.log), about, subject.profile)
  }

  const edit = (change: (header: { argv: string[]; baseUrl: string }) => unknown): void => {
    const file = join(out, OUTPUT.log)
    const header = JSON.parse(readFileSync(file, 'utf8')) as { argv: string[]; baseUrl: string }
    writeFileSync(file, `${JSON.stringify(Object.assign(header, change(header)))}\n`)
  }

  test.each<readonly [string, (header: { argv: string[] }) => object]>([
    ['another base URL', ({ argv }) => ({ argv: [...argv, '--base-url', 'https://thief.example'] })],
    [
      'payments in production',
      ({ argv }) => ({ argv: [...argv, '--environment', 'production', '--allow', 'pay', '--yes'] }),
    ],
    ['a profile that is a module', () => ({ argv: ['--profile', hostile, '--base-url', BANK] })],
    ['a catalogue', ({ argv }) => ({ argv: [...argv, '--catalogue', out] })],
    ['another seed', ({ argv }) => ({ argv: [...argv, '--seed', '7'] })],
  ])('is refused before anything of it is used if it was given %s', async (_, change) => {
    await start(...target())
    edit(change)
    for (const argv of [target(), []])
      await expect(resumed(...argv)).rejects.toThrow(/does not fit the profile that is typed/)
    expect(existsSync(marker)).toBe(false)
  })

  test.each([
    ['--environment', 'production'],
    ['--allow', 'pay'],
    ['--webhook-url', 'https://me.example/hook'],
  ])('says %s %s, which has to be typed again', async (...option) => {
    await start(...target(), ...option)
    await expect(resumed(...target())).rejects.toThrow(
      new RegExp(`was started with another ${option[0]}, which is not taken from the folder`),
    )
    await expect(resumed(...target(), ...option)).resolves.toHaveProperty('prepared')
  })

  test('says the base URL, which has to be typed again', async () => {
    await start(...target())
    await expect(resumed('--profile', profile)).rejects.toThrow(/another --base-url/)
  })

  test('leaves the seed to the run, and --yes to the one who types', async () => {
    await start(...target(), '--seed', '7', '--yes')
    const { prepared } = { prepared: undefined, ...(await resumed(...target())) }
    expect(prepared?.options).toMatchObject({ seed: 7, yes: false })
    await expect(resumed(...target(), '--seed', '8')).rejects.toThrow(/started with other options/)
  })
})
