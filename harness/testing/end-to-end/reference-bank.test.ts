import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, credentials, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * The reference bank in a process of its own, judged by the real command as any other target: the verdicts are those
 * on the embedded bank, which is new for each scenario. One bank serves all of these runs, as a sandbox does.
 */

const ENVIRONMENTS = ['sandbox', 'production'] as const
type Environment = (typeof ENVIRONMENTS)[number]
type Runs = Readonly<Record<Environment, Certified>>

const PROFILE = 'harness/testing/profiles/reference-bank.yaml'

/** The sandbox as a user gets it; in production what is allowed differs, and not what a property tries. */
const OPTIONS: Readonly<Record<Environment, readonly string[]>> = {
  sandbox: ['--environment', 'sandbox'],
  production: ['--environment', 'production', '--runs', '3'],
}

const certifyAlone = (url: string, environment: Environment): Promise<Certified> =>
  certify([`--base-url=${url}`, `--profile=${PROFILE}`, ...OPTIONS[environment]], credentials)

const certifyEmbedded = (environment: Environment): Promise<Certified> => certify(OPTIONS[environment])

/** One after the other: two runs would move each other's clock. */
const inTurn = async (run: (environment: Environment) => Promise<Certified>): Promise<Runs> => ({
  sandbox: await run('sandbox'),
  production: await run('production'),
})

let bank: ServerProcess | undefined
let alone: Runs
let embedded: Runs

beforeAll(async () => {
  const { url } = (bank = await startServerProcess('harness/cli/bank.ts', ['--port', '0']))
  ;[alone, embedded] = await Promise.all([
    inTurn((environment) => certifyAlone(url, environment)),
    inTurn(certifyEmbedded),
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

test.each(ENVIRONMENTS)('the bank alone gets the verdicts of the embedded one in %s', (environment) => {
  expect(verdictsOf(alone[environment])).toEqual(verdictsOf(embedded[environment]))
  expect(alone[environment].exitCode).toBe(embedded[environment].exitCode)
  expect(alone[environment].report.conclusion).toBe(embedded[environment].report.conclusion)
})

test.each(ENVIRONMENTS)('the clock is moved by test hooks in %s', (environment) => {
  expect(alone[environment].report.target).toMatchObject({
    clock: 'testHook',
    baseUrl: bank?.url,
    environment,
  })
  expect(embedded[environment].report.target).toMatchObject({ clock: 'virtual', environment })
})

test.each(ENVIRONMENTS)('nothing but the bank is asked in %s', (environment) => {
  expect(originsOf(alone[environment])).toEqual([bank?.url])
})

test('neither run is without a judgement', () => {
  for (const { report } of Object.values(alone)) expect(report.counts.pass).toBeGreaterThan(0)
})
