import { describe, expect, test } from 'vitest'
import type { Defect, Wire } from '../../bank/defect.ts'
import type { CheckResult } from '../../check/result.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { merge } from '../../profile/template.ts'
import { dialectOf } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { dialectProfile, referenceProfile } from '../../target/reference-bank/reference-profile.ts'

/** A profile that asks in other words than the bank understands is found out, and the bank is not blamed for it. */

const catalogue = await loadCatalogue()

const judgedWith = (change: object, only: readonly string[]): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({}), {
    profile: merge(referenceProfile(), change) as ProfileInput,
    ...{ only, socket: false, seed: 42, runsOf: () => 2 },
  })

const BLAMES: readonly CheckResult['verdict'][] = ['fail', 'warn', 'harness-error']

const SENT_OTHERWISE = { debtor: null, payer: { name: '{debtorName}', account: '{debtorIban}' } }

/** Not the form in which the bank has them. */
const ODD = { monthlyIncome: 'EUR {income}', monthlyExpenses: '{expenses}', numberOfChildren: '{children}' }

const [ecomm] = referenceProfile().payments?.initiations ?? []

describe('what requests say in other words than the bank understands', () => {
  test.each<readonly [key: string, change: object, only: readonly string[]]>([
    ['loans.token.form', { loans: { token: { form: { grant_type: 'device' } } } }, ['loans']],
    ['loans.precalculation.body', { loans: { precalculation: { body: { sum: '{amount}' } } } }, ['loans']],
    [
      'loans.submission.body',
      { loans: { submission: { body: { financeApplication: null, sum: '{amount}' } } } },
      ['loans'],
    ],
    [
      'loans.precalculation.capacity',
      { loans: { precalculation: { capacity: { capacityInfo: ODD } } } },
      ['loans'],
    ],
    ['payments.token.form', { payments: { token: { form: { grant_type: 'device' } } } }, ['payments']],
    [
      'payments.initiations.0.body',
      { payments: { initiations: [{ ...ecomm, body: { sum: '{amount}', ...SENT_OTHERWISE } }] } },
      ['payments'],
    ],
  ])('%s', async (key, change, only) => {
    const results = await judgedWith(change, only)
    const blaming = results.filter(({ verdict }) => BLAMES.includes(verdict))
    expect(blaming.map(({ id, verdict, violation }) => ({ id, verdict, violation }))).toEqual([])
    const found = new Set(results.flatMap(({ misfits = [] }) => misfits.map((misfit) => misfit.key)))
    expect([...found]).toEqual([key])
  })
})

describe('what a bank passes over without a word', () => {
  const blamed = (results: readonly CheckResult[]) =>
    results.filter(({ verdict }) => BLAMES.includes(verdict))

  test('income, expenses and children under names that it does not know', async () => {
    const capacity = { capacityInfo: null, household: ['{income}', '{expenses}', '{children}'] }
    const results = await judgedWith({ loans: { precalculation: { capacity } } }, ['LOA-11'])
    expect(blamed(results)).toEqual([])
    expect(results.map(({ because }) => because).join()).toContain('`loans.precalculation.capacity`')
  })

  test('a page size under a name that it does not know', async () => {
    const change = { secondVariant: { listTransactions: { pageSize: 'sizeOfPage' } } }
    const results = await judgedWith(change, ['transactions'])
    expect(blamed(results)).toEqual([])
    expect([...new Set(results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key)))]).toEqual([
      'secondVariant.listTransactions.pageSize',
    ])
  })
})

describe('a word for a scenario of loans that the bank does not know', () => {
  const WORDS = { expired: 'FORGOTTEN' }

  test.each([
    ['a call', { kind: 'call', pages: null, values: WORDS }],
    ['the submission', { kind: 'parameter', pages: null, values: WORDS }],
  ])('with %s', async (_, scenario) => {
    const results = await judgedWith({ loans: { scenario } }, ['loans'])
    expect(results.filter(({ verdict }) => BLAMES.includes(verdict))).toEqual([])
    const keys = results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))
    // Where the submission carries it, the rest of that may be the reason as well.
    expect(keys.filter((key) => key !== 'loans.submission.body')).toContain('loans.scenario.values.expired')
  })
})

describe('a negative precalculation that is told in an answer with a status of success', () => {
  const CAUSES = /LOAN_AMNT_|INSUFFICIENT_/

  /** The status of every refusal for a cause of the interface becomes that of a success. */
  const kindly =
    (body: (text: string) => string): Wire =>
    (next) =>
    async (request) => {
      const response = await next(request)
      const text = await response.clone().text()
      return response.status >= 400 && CAUSES.test(text)
        ? new Response(body(text), { status: 200, headers: { 'content-type': 'application/json' } })
        : response
    }

  const judgedAt = async (wrong: Pick<Defect, 'rules' | 'wire'>) => {
    const defect = { id: 'kind', story: 'It has no negative result.', breaks: [], ...wrong }
    const results = await runTrial(catalogue, () => ({ defect }), {
      ...{ profile: referenceProfile(), only: ['loans'], socket: false, seed: 42, runsOf: () => 2 },
    })
    return {
      blamed: results.filter(({ verdict }) => BLAMES.includes(verdict)),
      keys: new Set(results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))),
    }
  }

  test.each([
    ['with its cause', (text: string) => text],
    ['with no offer', () => '[]'],
    ['with a word', () => '{"result":"NEGATIVE"}'],
  ])('%s', async (_, body) => {
    const { blamed, keys } = await judgedAt({ wire: kindly(body) })
    expect(blamed.map(({ id, violation }) => ({ id, violation }))).toEqual([])
    expect([...keys]).toEqual(['loans.precalculation.positive.kind'])
  })

  test('is none where it is like every positive one', async () => {
    const { blamed, keys } = await judgedAt({ rules: { loanCausesLookedFor: () => [] } })
    expect(new Set(blamed.map(({ id }) => id)).size).toBeGreaterThan(3)
    expect([...keys]).toEqual([])
  })

  test.each(['compact', 'nested'])('in the dialect %s', async (dialect) => {
    const profile = merge(dialectProfile(dialect, 'sandbox'), {
      loans: { precalculation: { positive: { kind: 'status', member: null, values: null, list: null } } },
    }) as ProfileInput
    const results = await runTrial(catalogue, () => ({}), {
      ...{ profile, dialect: dialectOf(dialect), only: ['loans'], socket: false, seed: 42, runsOf: () => 2 },
    })
    expect(results.filter(({ verdict }) => BLAMES.includes(verdict))).toEqual([])
    const keys = results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))
    expect([...new Set(keys)]).toEqual(['loans.precalculation.positive.kind'])
  })
})
