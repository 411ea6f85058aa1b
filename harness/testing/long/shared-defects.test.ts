import { expect, test } from 'vitest'
import { certify, credentials, explain, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { startBank } from '../../bank/server.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { CHAPTERS } from '../../check/requirement.ts'
import { generalRows, loadDefects, type ChapterDefect } from '../../proof/selection.ts'
import type { Defect } from '../../bank/defect.ts'
import type { Rules } from '../../bank/rules.ts'
import type { RequirementReport } from '../../report/schema.ts'

/**
 * The proof tests each defect on banks that are new for each scenario, in one process, with a stopped clock. Here all
 * scenarios share one bank with a running clock, over a socket. Takes about 30 s.
 */

/** One defect of each chapter, with some requirements that are judged in addition to the violated ones. */
const SELECTED: Readonly<Record<string, readonly string[]>> = {
  'a-secret-with-one-wrong-character-creates-a-consent': ['consent'],
  'only-the-first-parameter-of-a-query-of-a-redirect-uri-is-kept': ['AUT-01', 'AUT-04', 'AUT-37'],
  'the-access-tokens-of-a-fac-are-the-time-of-their-issue-between-two-constants': [
    'TOK-23',
    'TOK-24',
    'TOK-26',
  ],
  'the-refusal-of-a-detail-has-the-name-of-the-holder-of-the-account-in-the-first-variant': [
    'ACC-07',
    'ACC-25',
    'ACC-33',
  ],
  'the-third-page-begins-with-the-last-transaction-of-the-second': ['TRX-03', 'TRX-06', 'TRX-30'],
  'a-refresh-is-accepted-with-an-access-token-for-payments': ['REF-01', 'REF-03', 'REF-12'],
  'the-first-webhook-url-is-called-after-it-was-changed': ['WEB-18', 'WEB-27'],
  'a-customer-who-denies-one-payment-denies-all-that-wait-for-an-authorization': ['PAY-30', 'PAY-33'],
  'only-the-first-half-of-an-application-id-is-compared': ['LOA-41'],
  'the-transactions-accept-payment-tokens': ['environments'],
}

const general = generalRows(await loadCatalogue())

/** Rows that see all answers of a run may be broken as well. */
const withoutGeneral = (ids: readonly string[], stated: readonly string[]): readonly string[] =>
  ids.filter((id) => stated.includes(id) || !general.has(id))

const defects = (await loadDefects()).filter(({ id }) => id in SELECTED)

test('each chapter has a defect', () => {
  expect(defects.map(({ chapter }) => chapter)).toEqual([...CHAPTERS])
})

/** A bank with all of these defects. */
const combined = (several: readonly ChapterDefect[]): Defect => ({
  id: 'several',
  title: 'is wrong in one place of each chapter',
  breaks: several.flatMap(({ breaks }) => breaks),
  rules: (rules) =>
    several.reduce<Rules>(
      (known, { rules: changed }) => ({
        ...known,
        ...(typeof changed === 'function' ? changed(known) : changed),
      }),
      rules,
    ),
  wire: (next) => several.reduce((exchange, { wire }) => wire?.(exchange) ?? exchange, next),
})

/** Runs the command against a shared bank with this defect. */
const sharedWith = async <T>(defect: Defect, run: (options: readonly string[]) => Promise<T>) => {
  const bank = await startBank({ defect, speed: 1 })
  try {
    const profile = '--profile=docs/examples/reference-bank.yaml'
    return await run([`--base-url=${bank.url}`, profile, '--allow', 'pay'])
  } finally {
    await bank.close()
  }
}

const failedIn = ({ report }: Certified): readonly RequirementReport[] =>
  report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')

const brokenBy = ({ breaks }: Defect): readonly string[] => breaks.map(({ id }) => id)

test(
  'on a bank with a defect in each chapter, exactly the violated requirements are found',
  { timeout: RUN_DEADLINE_MS },
  async () => {
    const defect = combined(defects)
    const rows = brokenBy(defect)
    const certified = await sharedWith(defect, (options) =>
      certify([...options, '--only', ...rows, ...Object.values(SELECTED).flat()], credentials),
    )
    const failed = failedIn(certified)
    expect(withoutGeneral(failed.map((row) => row.id).sort(), rows), failed.map(explain).join('\n')).toEqual(
      [...new Set(rows)].sort(),
    )
    expect(certified.exitCode).toBe(1)
  },
)

test(
  'the command that a failure contains reproduces it on the same bank',
  { timeout: RUN_DEADLINE_MS },
  async () => {
    const defect = defects.find(({ chapter }) => chapter === 'consent')
    if (defect === undefined) throw new Error('there is no defect of the chapter consent')
    const runs = await sharedWith(defect, async (options) => {
      const first = await certify([...options, '--only', ...brokenBy(defect), '--seed', '7'], credentials)
      const command =
        failedIn(first)[0]?.checks.find(({ violation }) => violation !== undefined)?.reproduce ?? ''
      const argv = command.replace(/^npm test -- /, '').split(' ')
      return [first, await certify(argv, credentials)]
    })
    const [first = [], second] = runs.map((run) => failedIn(run).map(({ id }) => id))
    expect(withoutGeneral(first.toSorted(), brokenBy(defect))).toEqual(brokenBy(defect).toSorted())
    expect(second).toEqual(first.slice(0, 1))
  },
)
