import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, credentials, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * The reference bank in its own process, judged by the real command: the verdicts are those on the embedded bank, which
 * is new for each scenario and begins in the morning. One bank serves all of these runs, as a sandbox does, and begins
 * in the evening, after the cut-off time of payments. Takes about 70 s.
 */

const ENVIRONMENTS = ['sandbox', 'production'] as const
type Environment = (typeof ENVIRONMENTS)[number]
type Runs = Readonly<Record<Environment, Certified>>

const PROFILE = 'docs/examples/reference-bank.yaml'

/** In a run of the sandbox, the embedded bank allows these in production too. Few values of property tests are enough. */
const OPTIONS: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: ['--environment', 'sandbox', '--allow', 'notify', 'pay', '--runs', '8'],
  production: ['--environment', 'production', '--runs', '3'],
}

const certifyProcess = (url: string, environment: Environment): Promise<Certified> =>
  certify([`--base-url=${url}`, `--profile=${PROFILE}`, ...OPTIONS[environment]], credentials)

const certifyEmbedded = (environment: Environment): Promise<Certified> => certify(OPTIONS[environment])

const EVENING = '2026-01-05T21:43:00Z'
const NEARLY_MIDNIGHT = '2026-01-05T23:30:00Z'

/** Sequential, since two runs would move the same clock. */
const runBoth = async (run: (environment: Environment) => Promise<Certified>): Promise<Runs> => ({
  sandbox: await run('sandbox'),
  production: await run('production'),
})

let bank: ServerProcess | undefined
let separate: Runs
let embedded: Runs

beforeAll(async () => {
  const { url } = (bank = await startServerProcess('harness/cli/main.ts', [
    'bank',
    ...['--port', '0', '--start-at', EVENING],
  ]))
  ;[separate, embedded] = await Promise.all([
    runBoth((environment) => certifyProcess(url, environment)),
    runBoth(certifyEmbedded),
  ])
}, ENVIRONMENTS.length * RUN_DEADLINE_MS)

afterAll(() => bank?.stop())

const verdictsOf = ({ report }: Certified): readonly unknown[] =>
  report.requirements.map(({ id, verdict, checks }) => ({
    id,
    verdict,
    checks: checks.map((check) => ({
      title: check.title,
      verdict: check.verdict,
      ...(check.verdict !== 'pass' && { because: check.because }),
    })),
  }))

test.each(ENVIRONMENTS)(
  'the bank in its own process gets the verdicts of the embedded one in %s',
  (environment) => {
    expect(verdictsOf(separate[environment])).toEqual(verdictsOf(embedded[environment]))
    expect(separate[environment].exitCode).toBe(embedded[environment].exitCode)
    expect(separate[environment].report.conclusion).toBe(embedded[environment].report.conclusion)
  },
)

test.each(ENVIRONMENTS)('the clock is moved by test hooks in %s', (environment) => {
  expect(separate[environment].report.target).toMatchObject({
    clock: 'testHook',
    baseUrl: bank?.url,
    environment,
  })
  expect(embedded[environment].report.target).toMatchObject({ clock: 'virtual', environment })
})

test.each(ENVIRONMENTS)('requests are only sent to the bank in %s', (environment) => {
  expect(originsOf(separate[environment])).toEqual([bank?.url])
})

test('the sandbox is judged completely', () => {
  const { scope } = separate.sandbox.report
  expect(scope.name).toBe('full')
  expect(scope.coverage).toMatchObject({ judged: scope.coverage.of, partly: 0, declared: 0 })
})

test('each run has requirements that pass', () => {
  for (const { report } of Object.values(separate)) expect(report.counts.requirements.pass).toBeGreaterThan(0)
})

test(
  'a run that begins half an hour before midnight ends like one in the morning',
  async () => {
    const late = await startServerProcess('harness/cli/main.ts', [
      'bank',
      ...['--port', '0', '--start-at', NEARLY_MIDNIGHT],
    ])
    try {
      const chapters = ['payments', 'webhooks', 'loans']
      const { report, exitCode } = await certify(
        [
          ...[`--base-url=${late.url}`, `--profile=${PROFILE}`, ...OPTIONS.sandbox],
          ...['--only', ...chapters],
        ],
        credentials,
      )
      const verdictsIn = ({ requirements }: Certified['report']) =>
        requirements
          .filter(({ chapter }) => chapters.includes(chapter))
          .map(({ id, verdict }) => `${id} ${verdict}`)
      expect(verdictsIn(report)).toEqual(verdictsIn(embedded.sandbox.report))
      expect(exitCode).toBe(0)
    } finally {
      await late.stop()
    }
  },
  RUN_DEADLINE_MS,
)
