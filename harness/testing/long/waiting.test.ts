import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { suite } from '../program.ts'
import { reportSchema } from '../../report/schema.ts'
import { resultProblems } from '../allure-results.ts'
import { credentials } from '../certify.ts'
import { pace, SOON } from '../pace.ts'
import { startServerProcess } from '../server-process.ts'
import { startingAt, userEnvironment } from '../user-environment.ts'
import type { Report } from '../../report/schema.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * A bank with a fast clock and no clock test hook: the run waits for steps of minutes, which take seconds; checks that
 * need months are prepared, and judged by a later run. One run is undisturbed, another one is killed and resumed. Takes
 * about 70 s.
 */

/** Low enough that a killed run is resumed before a step of a path is missed, even on a busy machine. */
const SPEED = 20
/** Loan paths with many polls and with a final poll only, and a token at the end of its 90 days. */
const SELECTORS = ['LOA-25', 'LOA-29', 'ACC-12']
const RUN_MS = Math.round(90_000 * pace)
const DAY_MS = 24 * 60 * 60 * 1000
const WAITS = 'accounts/an-account-detail-with-an-expired-token'

let folder: string
let bank: ServerProcess | undefined

const command = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, suite('run', ...args), {
    cwd: ROOT,
    env: userEnvironment({ ...credentials, ...env }),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 4 * RUN_MS,
  })

const target = () => [`--base-url=${bank?.url ?? ''}`, `--profile=${join(folder, 'bank.yaml')}`]

const start = (out: string) =>
  command([...target(), '--no-pages', '--time=wall', `--out=${join(folder, out)}`, '--only', ...SELECTORS])

const resume = (out: string, env?: NodeJS.ProcessEnv) =>
  command([...target(), '--resume', '--out', join(folder, out)], env)

const reportIn = (out: string): Report =>
  reportSchema.parse(JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')))

const verdictsIn = (report: Report): readonly string[] =>
  report.requirements
    .filter(({ id }) => SELECTORS.includes(id))
    .flatMap(({ id, checks }) => checks.map(({ title, verdict }) => `${id} ${title}: ${verdict}`))

const linesIn = (out: string, file: string): readonly string[] => {
  try {
    return readFileSync(join(folder, out, file), 'utf8')
      .split('\n')
      .slice(0, -1)
  } catch {
    return []
  }
}

/** Waits for the first poll of an application: its path has just begun. */
const firstPoll = async (out: string): Promise<void> => {
  const isPoll = (line: string): boolean => line.includes('"operation":"readLoan"')
  await vi.waitFor(() => expect(linesIn(out, 'evidence.jsonl').some(isPoll)).toBe(true), SOON)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waiting-'))
  const profile = readFileSync(join(ROOT, 'docs/examples/reference-bank.yaml'), 'utf8')
  const fastClock = `\nclock:\n  speed: ${SPEED}\n\ndeadlines:\n  runMs: ${RUN_MS}\n`
  writeFileSync(join(folder, 'bank.yaml'), profile + fastClock)
  bank = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0', '--speed', String(SPEED)])

  const undisturbed = start('undisturbed')
  const killed = start('killed')
  await firstPoll('killed')
  killed.kill('SIGKILL')
  await killed
  await Promise.all([undisturbed, resume('killed')])
}, 6 * RUN_MS)

afterAll(async () => {
  await bank?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the run waits for all paths of minutes concurrently', () => {
  const { run, target, requirements } = reportIn('undisturbed')
  expect(target.clock).toBe('wall')
  expect(run.durationMs).toBeLessThan(RUN_MS)
  for (const id of SELECTORS.filter((selector) => selector.startsWith('LOA')))
    expect(requirements.find((row) => row.id === id)).toMatchObject({ id, verdict: 'pass' })
})

test('checks that need months are prepared, and the report says until when they wait', () => {
  const { waiting, conclusion, run } = reportIn('undisturbed')
  expect(conclusion).toBe('incomplete')
  expect(waiting?.map(({ scenario, requirements }) => ({ scenario, requirements }))).toEqual(
    ['FAC', 'TPP'].map((kind) => ({ scenario: `${WAITS}@${kind}`, requirements: ['ACC-12'] })),
  )
  const due = Date.parse(run.startedAt) + (90 * DAY_MS + DAY_MS / 24) / SPEED
  for (const { until } of waiting ?? []) expect(Math.abs(Date.parse(until) - due)).toBeLessThan(RUN_MS)
})

test('a run that was killed and resumed has the same verdicts, and unique exchange ids', () => {
  const report = reportIn('killed')
  expect(verdictsIn(report)).toEqual(verdictsIn(reportIn('undisturbed')))
  expect(report.run.resumed).toBe(1)
  const ids = linesIn('killed', 'evidence.jsonl').map(
    (line) => (JSON.parse(line) as { readonly id: string }).id,
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(resultProblems(report, join(folder, 'killed'))).toEqual([])
  const known = new Set(ids)
  const cited = report.requirements.flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges))
  expect(cited.filter((id) => !known.has(id))).toEqual([])
})

test('no secret is in the resume log', () => {
  const log = linesIn('killed', 'resume.jsonl').join('\n')
  expect(log).toContain('catalogueDigest')
  for (const secret of Object.values(credentials).filter((each) => each !== undefined && each.length > 6))
    expect(log).not.toContain(secret)
})

test('a run that is resumed too early ends at once, and a new run does not replace it', async () => {
  const early = await resume('killed')
  expect([early.exitCode, early.stdout]).toEqual([2, expect.stringContaining('waits until')])
  const again = await start('killed')
  expect([again.exitCode, again.stderr]).toEqual([3, expect.stringContaining('would replace it')])
})

test('after the wait, the prepared checks are judged, and nothing is left to resume', async () => {
  // The run does not know that the bank's clock was moved, as if the time had passed.
  await fetch(`${bank?.url ?? ''}/_test-hooks/clock/advance`, {
    method: 'POST',
    body: JSON.stringify({ milliseconds: 91 * DAY_MS }),
    headers: { 'Content-Type': 'application/json' },
  })
  const inMonths = new Date(Date.now() + (91 * DAY_MS) / SPEED)
  const later = await resume('killed', startingAt(inMonths))
  expect(later.stderr).toMatch(/^((deleting what the run created|writing the reports)(\n|$))*$/)
  const report = reportIn('killed')
  expect(report).toMatchObject({ conclusion: 'conforms', run: { resumed: 2 } })
  expect(report.waiting).toBeUndefined()
  expect(verdictsIn(report).filter((line) => !line.endsWith('pass'))).toEqual([])
  const over = await resume('killed')
  expect([over.exitCode, over.stderr]).toEqual([3, expect.stringContaining('nothing to resume')])
})
