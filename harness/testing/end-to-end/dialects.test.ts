import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify, credentials, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * The reference bank in each of its dialects, in a process of its own, judged by the real command with the profile of
 * that dialect: each requirement has the verdict that it has on the bank without a dialect. Takes about 80 s.
 */

const DIALECTS = ['compact', 'nested'] as const
type Name = (typeof DIALECTS)[number]

const NOT_APPLICABLE: Readonly<Record<Name, readonly string[]>> = {
  // The scenario is selected with the submission and not later.
  compact: ['LOA-23', 'LOA-24'],
  // A payment is submitted with the token of the application.
  nested: ['PAY-69'],
}

/** The dialect does not change the values of property tests, so few of them are enough. */
const FEW_RUNS = ['--runs', '3']

const banks: ServerProcess[] = []
const runs = new Map<Name, Certified>()
let plain: Certified

const certifyIn = async (dialect: Name): Promise<void> => {
  const bank = await startServerProcess('harness/cli/main.ts', ['bank', '--dialect', dialect, '--port', '0'])
  banks.push(bank)
  const profile = `harness/target/reference-bank/${dialect}-bank.yaml`
  // On the embedded bank they are allowed in production too.
  const allowed = ['--environment', 'sandbox', '--allow', 'notify', 'pay']
  const options = [`--base-url=${bank.url}`, `--profile=${profile}`, ...allowed, ...FEW_RUNS]
  const run = await certify(options, credentials)
  expect(originsOf(run)).toEqual([bank.url])
  runs.set(dialect, run)
}

beforeAll(async () => {
  plain = await certify(FEW_RUNS)
  for (const dialect of DIALECTS) await certifyIn(dialect)
}, 3 * RUN_DEADLINE_MS)

afterAll(() => Promise.all(banks.map((bank) => bank.stop())))

const runIn = (dialect: Name): Certified => {
  const run = runs.get(dialect)
  if (run === undefined) throw new Error(`the bank was not judged in its ${dialect} dialect`)
  return run
}

const verdictsOf = ({ report }: Certified, except: readonly string[]): readonly string[] =>
  report.requirements.filter(({ id }) => !except.includes(id)).map(({ id, verdict }) => `${id} ${verdict}`)

describe.each(DIALECTS)('the %s dialect', (dialect) => {
  test('raises no alarm', () => {
    const { exitCode, report } = runIn(dialect)
    const alarms = report.requirements.filter(
      ({ verdict }) => !['pass', 'not-tested', 'not-applicable'].includes(verdict),
    )
    expect(alarms.map(explain)).toEqual([])
    expect([exitCode, report.conclusion]).toEqual([0, 'conforms'])
  })

  test('gets the verdicts of the bank without a dialect', () => {
    const except = NOT_APPLICABLE[dialect]
    expect(verdictsOf(runIn(dialect), except)).toEqual(verdictsOf(plain, except))
  })

  test('leaves only the requirements unjudged that do not apply to it', () => {
    const unjudged = runIn(dialect)
      .report.requirements.filter(({ id }) => NOT_APPLICABLE[dialect].includes(id))
      .map(({ verdict }) => verdict)
    expect(unjudged).toEqual(NOT_APPLICABLE[dialect].map(() => 'not-applicable'))
  })
})
