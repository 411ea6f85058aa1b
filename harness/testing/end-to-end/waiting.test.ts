import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { reportSchema } from '../../report/schema.ts'
import { credentials } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { Report } from '../../report/schema.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * A bank in a hurry, whose clock nobody moves: what takes minutes is waited for, in seconds; what takes months is
 * prepared, and judged by a later run. One run is left alone, another one is killed in the middle and resumed.
 */

/** So slow that a killed run misses no whole step of a path until it is resumed, on a busy machine too. */
const SPEED = 20
/** Loans on their paths, looked at all the time and only in the end, and a token at the end of its 90 days. */
const SELECTORS = ['LOA-25', 'LOA-29', 'ACC-12']
const RUN_MS = 90_000
const DAY_MS = 24 * 60 * 60 * 1000
const WAITS = 'accounts/an-account-detail-with-an-expired-token'

let folder: string
let bank: ServerProcess | undefined

const command = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, ['--import', 'tsx', 'harness/cli/run.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...credentials, ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 4 * RUN_MS,
  })

const start = (out: string) =>
  command([
    `--base-url=${bank?.url ?? ''}`,
    `--profile=${join(folder, 'bank.yaml')}`,
    ...['--time', 'wall', '--out', join(folder, out), '--only', ...SELECTORS],
  ])

const resume = (out: string, env?: NodeJS.ProcessEnv) =>
  command(['--resume', '--out', join(folder, out)], env)

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

/** Until an application has been looked at: its path has just begun. */
const underWay = async (out: string): Promise<void> => {
  const isLook = (line: string): boolean => line.includes('"operation":"readLoan"')
  for (let tries = 0; tries < 600 && !linesIn(out, 'evidence.jsonl').some(isLook); tries += 1) await sleep(50)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waiting-'))
  const profile = readFileSync(join(ROOT, 'harness/testing/profiles/reference-bank.yaml'), 'utf8')
  const hurry = `\nclock:\n  speed: ${SPEED}\n\ndeadlines:\n  runMs: ${RUN_MS}\n`
  writeFileSync(join(folder, 'bank.yaml'), profile + hurry)
  bank = await startServerProcess('harness/cli/bank.ts', ['--port', '0', '--speed', String(SPEED)])

  const undisturbed = start('undisturbed')
  const killed = start('killed')
  await underWay('killed')
  killed.kill('SIGKILL')
  await killed
  await Promise.all([undisturbed, resume('killed')])
}, 6 * RUN_MS)

afterAll(async () => {
  await bank?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('paths that take minutes are waited for, all at once', () => {
  const { run, target, requirements } = reportIn('undisturbed')
  expect(target.clock).toBe('wall')
  expect(run.durationMs).toBeLessThan(RUN_MS)
  for (const id of SELECTORS.filter((selector) => selector.startsWith('LOA')))
    expect(requirements.find((row) => row.id === id)).toMatchObject({ id, verdict: 'pass' })
})

test('what takes months is prepared, and says until when it waits', () => {
  const { waiting, conclusion, run } = reportIn('undisturbed')
  expect(conclusion).toBe('incomplete')
  expect(waiting?.map(({ scenario, requirements }) => ({ scenario, requirements }))).toEqual(
    ['FAC', 'TPP'].map((kind) => ({ scenario: `${WAITS}@${kind}`, requirements: ['ACC-12'] })),
  )
  const due = Date.parse(run.startedAt) + (90 * DAY_MS + DAY_MS / 24) / SPEED
  for (const { until } of waiting ?? []) expect(Math.abs(Date.parse(until) - due)).toBeLessThan(RUN_MS)
})

test('a run that was killed and resumed comes to the same verdicts, under ids of its own', () => {
  const report = reportIn('killed')
  expect(verdictsIn(report)).toEqual(verdictsIn(reportIn('undisturbed')))
  expect(report.run.resumed).toBe(1)
  const ids = linesIn('killed', 'evidence.jsonl').map(
    (line) => (JSON.parse(line) as { readonly id: string }).id,
  )
  expect(new Set(ids).size).toBe(ids.length)
  const known = new Set(ids)
  const cited = report.requirements.flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges))
  expect(cited.filter((id) => !known.has(id))).toEqual([])
})

test('no secret is in the log', () => {
  const log = linesIn('killed', 'resume.jsonl').join('\n')
  expect(log).toContain('catalogueDigest')
  for (const secret of Object.values(credentials).filter((each) => each !== undefined && each.length > 6))
    expect(log).not.toContain(secret)
})

test('too early there is nothing to do, and a new run does not take its place', async () => {
  const early = await resume('killed')
  expect([early.exitCode, early.stdout]).toEqual([2, expect.stringContaining('waits until')])
  const again = await start('killed')
  expect([again.exitCode, again.stderr]).toEqual([3, expect.stringContaining('would replace it')])
})

test('when its time has come, what was prepared is judged, and then nothing is left to resume', async () => {
  // The clock of the bank is moved behind the back of the run, as if it had been left alone for as long.
  await fetch(`${bank?.url ?? ''}/_test-hooks/clock/advance`, {
    method: 'POST',
    body: JSON.stringify({ milliseconds: 91 * DAY_MS }),
    headers: { 'Content-Type': 'application/json' },
  })
  const later = await resume('killed', {
    LATER_MS: String((91 * DAY_MS) / SPEED),
    NODE_OPTIONS: `--import=${join(ROOT, 'harness/testing/later.mjs')}`,
  })
  expect(later.stderr).toBe('')
  const report = reportIn('killed')
  expect(report).toMatchObject({ conclusion: 'conforms', run: { resumed: 2 } })
  expect(report.waiting).toBeUndefined()
  expect(verdictsIn(report).filter((line) => !line.endsWith('pass'))).toEqual([])
  const over = await resume('killed')
  expect([over.exitCode, over.stderr]).toEqual([3, expect.stringContaining('nothing to resume')])
})
