import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify, credentials, explain, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * The reference bank in each of its dialects, in a process of its own, judged by the real command with the profile that
 * its owner would write: requirement by requirement the verdicts are those on the bank in its own words.
 */

const DIALECTS = ['compact', 'nested'] as const
type Name = (typeof DIALECTS)[number]

const UNLIKE: Readonly<Record<Name, readonly string[]>> = {
  // The scenario is chosen with the submission, so that nothing is chosen later.
  compact: ['LOA-23', 'LOA-24'],
  // A payment is submitted with the token of the application.
  nested: ['PAY-69'],
}

/** What a property tries is the same in every dialect: few values are enough. */
const FEW = ['--runs', '3']

const banks: ServerProcess[] = []
const runs = new Map<Name, Certified>()
let own: Certified

const certifyIn = async (dialect: Name): Promise<void> => {
  const bank = await startServerProcess('harness/cli/bank.ts', ['--dialect', dialect, '--port', '0'])
  banks.push(bank)
  const profile = `harness/target/reference-bank/${dialect}-bank.yaml`
  const run = await certify([`--base-url=${bank.url}`, `--profile=${profile}`, ...FEW], credentials)
  expect(originsOf(run)).toEqual([bank.url])
  runs.set(dialect, run)
}

beforeAll(async () => {
  own = await certify(FEW)
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
    const alarms = report.requirements.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict))
    expect(alarms.map(explain)).toEqual([])
    expect([exitCode, report.conclusion]).toEqual([0, 'conforms'])
  })

  test('gets the verdicts of the bank in its own words', () => {
    const except = UNLIKE[dialect]
    expect(verdictsOf(runIn(dialect), except)).toEqual(verdictsOf(own, except))
  })

  test('leaves nothing unjudged but what it does not have', () => {
    const unjudged = runIn(dialect)
      .report.requirements.filter(({ id }) => UNLIKE[dialect].includes(id))
      .map(({ verdict }) => verdict)
    expect(unjudged).toEqual(UNLIKE[dialect].map(() => 'not-applicable'))
  })
})
