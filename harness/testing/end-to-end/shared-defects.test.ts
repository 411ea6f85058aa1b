import { expect, test } from 'vitest'
import { certify, credentials, explain, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startBank } from '../../bank/server.ts'
import { CHAPTERS } from '../../check/requirement.ts'
import { type ChapterDefect, loadDefects } from '../../proof/selection.ts'
import type { RequirementReport } from '../../report/schema.ts'

/**
 * The proof tries each defect on banks that are new for each scenario, in one process, with a clock that stands still.
 * Here a bank is shared by all scenarios of a run, behind a socket, with a clock that runs: what is wrong is found there
 * as well, and nothing else.
 */

/** One of each chapter, with some of what is judged beside the rows that it breaks. */
const SUSPECTS: Readonly<Record<string, readonly string[]>> = {
  'secret-may-differ-in-one-character': ['consent'],
  'redirect-uri-keeps-one-parameter': ['AUT-01', 'AUT-04', 'AUT-37'],
  'access-tokens-tell-the-time': ['TOK-23', 'TOK-24', 'TOK-26'],
  'refusal-names-the-holder': ['ACC-07', 'ACC-25', 'ACC-33'],
  'second-and-third-page-overlap': ['TRX-03', 'TRX-06', 'TRX-30'],
  'refresh-takes-tokens-for-payments': ['REF-01', 'REF-03', 'REF-12'],
  'first-webhook-url-stays': ['WEB-18', 'WEB-27'],
  'denial-rejects-whatever-waits': ['PAY-30', 'PAY-33'],
  'end-of-an-application-id-is-not-read': ['LOA-41'],
  'payment-token-reads-transactions': ['environments'],
}

const suspects = (await loadDefects()).filter(({ id }) => id in SUSPECTS)

test('each chapter has a suspect', () => {
  expect(suspects.map(({ chapter }) => chapter)).toEqual([...CHAPTERS])
})

/** Certifies a shared bank with this defect. */
const sharedWith = async <T>(
  defect: ChapterDefect,
  certifying: (options: readonly string[]) => Promise<T>,
) => {
  const bank = await startBank({ defect, speed: 1 })
  try {
    const profile = '--profile=harness/testing/profiles/reference-bank.yaml'
    return await certifying([`--base-url=${bank.url}`, profile, '--allow', 'pay'])
  } finally {
    await bank.close()
  }
}

const redIn = ({ report }: Certified): readonly RequirementReport[] =>
  report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')

const brokenBy = ({ breaks }: ChapterDefect): readonly string[] => breaks.map(({ id }) => id)

test.each(suspects.map((defect) => [defect.id, defect] as const))(
  '%s breaks what it breaks on a bank of its own',
  async (id, defect) => {
    const rows = brokenBy(defect)
    const certified = await sharedWith(defect, (options) =>
      certify([...options, '--only', ...rows, ...(SUSPECTS[id] ?? [])], credentials),
    )
    const red = redIn(certified)
    expect(red.map((row) => row.id).sort(), red.map(explain).join('\n')).toEqual([...rows].sort())
    expect(certified.exitCode).toBe(1)
  },
  RUN_DEADLINE_MS,
)

test(
  'the command that a failure names shows it again on the same bank',
  { timeout: RUN_DEADLINE_MS },
  async () => {
    const defect = suspects.find(({ chapter }) => chapter === 'payments')
    if (defect === undefined) throw new Error('payments have no suspect')
    const runs = await sharedWith(defect, async (options) => {
      const first = await certify([...options, '--only', ...brokenBy(defect), '--seed', '7'], credentials)
      const command =
        redIn(first)[0]?.checks.find(({ violation }) => violation !== undefined)?.reproduce ?? ''
      const argv = command.replace(/^npm test -- /, '').split(' ')
      return [first, await certify(argv, credentials)]
    })
    expect(runs.map((run) => redIn(run).map(({ id }) => id))).toEqual([brokenBy(defect), brokenBy(defect)])
  },
)
