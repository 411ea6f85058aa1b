import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judgedIn, run, scratchFolders, writeProfile } from '../faults/run.ts'
import { runInProcess } from '../faults/run-in-process.ts'
import { startBankWith } from '../defective-bank.ts'

/** A declared exception from the command line to the exit code. */

const folders = scratchFolders()

const defectiveBank = async (): Promise<string> => {
  const id = 'the-answer-to-a-consent-request-has-an-id-in-the-place-of-the-consentid'
  const bank = await startBankWith(id)
  onTestFinished(() => bank.close())
  return bank.url
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

const waiving = (...requirements: readonly string[]): string => {
  const waivers = requirements.map((requirement) => ({
    requirement,
    reason: 'The new core is rolled out in spring.',
    owner: 'consents@bank.example',
    expires: tomorrow,
  }))
  const file = join(folders(), 'waivers.json')
  writeFileSync(file, JSON.stringify({ waivers }))
  return file
}

const selected = (url: string, waivers: string) => [
  ...[`--base-url=${url}`, `--profile=${writeProfile(folders())}`, `--waivers=${waivers}`],
  ...['--only', 'CON-01', 'ENV-05'],
]

test('a waived requirement does not fail the run, and the report contains its violation', async () => {
  const ended = await runInProcess(folders(), selected(await defectiveBank(), waiving('CON-01')))
  expect(ended).toMatchObject({
    exitCode: 0,
    report: { conclusion: 'conforms', counts: { requirements: { waived: 1 } } },
  })
  expect(judgedIn(ended).find(({ id }) => id === 'CON-01')).toMatchObject({
    verdict: 'waived',
    because: expect.stringContaining(`waived until ${tomorrow} by consents@bank.example`) as unknown,
    checks: [{ verdict: 'waived', violation: { subject: expect.any(String) as unknown } }],
  })
  expect(ended.report).toMatchObject({ waivers: [{ requirement: 'CON-01', state: 'needed' }] })
})

test('a waiver of a requirement that passes stops the run, and is not a fault of the target', async () => {
  const ended = await run(folders(), selected(await defectiveBank(), waiving('CON-01', 'ENV-05')))
  expect(ended).toMatchObject({ exitCode: 6, report: { conclusion: 'conforms', gate: 'stale-waiver' } })
  expect(ended.report).toMatchObject({
    waivers: [
      { requirement: 'CON-01', state: 'needed' },
      { requirement: 'ENV-05', state: 'stale' },
    ],
  })
  expect(ended.stderr).toContain('ENV-05 passes now')
  expect(ended.stdout).toContain(
    'stale-waiver: 1 accepted exception is no longer needed; the target conforms so far',
  )
})
