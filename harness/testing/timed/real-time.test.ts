import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAPTERS } from '../../check/requirement.ts'
import { ROOT } from '../../plan/root.ts'
import { pace } from '../pace.ts'
import { suite } from '../program.ts'
import { certify, explain, type Certified } from '../certify.ts'
import { userEnvironment } from '../user-environment.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'

/**
 * The run that the README ends its tour with, on a bank with a fast clock: the profile is the one that `init` writes, which
 * holds some checks back, and the loan paths are waited for. Takes about 80 s.
 */

/** Low enough that a busy machine polls in time. */
const SPEED = 20
const SELECTORS = ['loans', 'tokens']

const env = userEnvironment({
  BANK_CLIENT_ID: 'tpp-pocketwise',
  BANK_CLIENT_SECRET: 'pocketwise-secret-Zp40',
  BANK_USERNAME: 'alena',
  BANK_PASSWORD: 'alena-password',
})

const command = (...args: readonly string[]) =>
  execa(process.execPath, suite(...args), {
    cwd: ROOT,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })

const initialize = (url: string, file: string) =>
  command(
    ...['init', '--base-url', url, '--kind', 'TPP', '--log-in', '--loans', '--out', file],
    ...['--client-id-env', 'BANK_CLIENT_ID', '--client-secret-env', 'BANK_CLIENT_SECRET'],
    ...['--username-env', 'BANK_USERNAME', '--password-env', 'BANK_PASSWORD'],
    ...['--redirect-uri', 'https://pocketwise.example/callback', 'https://bank.example/result'],
    ...['--delivery', 'redirect', 'result-screen'],
  )

/** When a scenario sent its first request and had its last answer, in ms since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

const spansIn = ({ evidence }: Certified): readonly Span[] => {
  const spans = new Map<string, Span>()
  for (const { id, sentAt, durationMs } of evidence) {
    const scenario = id.slice(0, id.lastIndexOf('/')).replace(/:.*$/, '')
    // The probe and the clean-up are no scenarios.
    if (!CHAPTERS.some((chapter) => scenario.startsWith(`${chapter}/`))) continue
    const from = Date.parse(sentAt)
    const { from: first = from, to: last = 0 } = spans.get(scenario) ?? {}
    spans.set(scenario, { from: Math.min(first, from), to: Math.max(last, from + durationMs) })
  }
  return [...spans.values()]
}

const lengthOf = ({ from, to }: Span): number => to - from
const firstOf = (instants: readonly number[]): number => Math.min(...instants)
const lastOf = (instants: readonly number[]): number => Math.max(...instants)

let folder: string
let profile: string
let bank: ServerProcess
let certified: Certified

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'real-time-'))
  profile = join(folder, 'bank.yaml')
  bank = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0', '--speed', String(SPEED)])
  const written = await initialize(bank.url, profile)
  expect([written.exitCode, written.stderr]).toEqual([0, expect.any(String)])
  appendFileSync(profile, `\nclock:\n  speed: ${SPEED}\n`)
  certified = await certify([`--profile=${profile}`, '--only', ...SELECTORS], env)
})

afterAll(async () => {
  await bank.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the bank conforms, although some checks are held back', () => {
  const { report, exitCode } = certified
  const open = report.requirements.filter(
    ({ verdict }) => verdict === 'not-reached' || verdict === 'inconclusive',
  )
  expect([report.conclusion, exitCode], open.map(explain).join('\n')).toEqual(['conforms', 0])
  expect(report.target.clock).toBe('wall')
  expect(report.requirements.some(({ verdict }) => verdict === 'not-tested')).toBe(true)
})

test('all scenarios that wait begin at once, what needs no wait ends before, and the longest wait is the run', () => {
  const spans = spansIn(certified)
  const longest = lastOf(spans.map(lengthOf))
  const waiting = spans.filter((span) => lengthOf(span) > longest / 4)
  const others = spans.filter((span) => !waiting.includes(span))
  expect(waiting.length).toBeGreaterThan(5)
  expect(others.length).toBeGreaterThan(waiting.length)
  // Of 25 min these are 150 s: a busy machine takes longer for the first steps of a scenario.
  const begins = waiting.map(({ from }) => from)
  expect((lastOf(begins) - firstOf(begins)) / longest).toBeLessThan(0.1 * pace)
  expect(lastOf(others.map(({ to }) => to))).toBeLessThan(firstOf(waiting.map(({ to }) => to)))
  // Of 25 min: 5 % and one minute, and 90 s for a busy machine.
  const whole = lastOf(spans.map(({ to }) => to)) - firstOf(spans.map(({ from }) => from))
  expect(whole / longest).toBeLessThan(1.05 + 0.04 + 0.06 * pace)
})

test('a limit that is shorter than the longest wait is a configuration error, and nothing is sent', async () => {
  const short = join(folder, 'short.yaml')
  const written = await initialize(bank.url, short)
  expect(written.exitCode).toBe(0)
  appendFileSync(short, `\nclock:\n  speed: ${SPEED}\n\ndeadlines:\n  runMs: 60000\n`)
  const out = join(folder, 'short')
  const { exitCode, stderr } = await command(
    'run',
    `--profile=${short}`,
    '--out',
    out,
    '--only',
    ...SELECTORS,
  )
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringContaining('the run may last 60 s (60000), and its plan takes about'),
  ])
})
