import { describe, expect, test } from 'vitest'
import type { Defect, Wire } from '../../bank/defect.ts'
import type { CheckResult } from '../../check/result.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { merge } from '../../profile/template.ts'
import { dialectOf } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { dialectProfile, referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/** A profile whose requests the bank does not understand is reported as the cause, and the bank is not blamed. */

const catalogue = await loadCatalogue()

const judgedWith = (change: object, only: readonly string[]): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({}), {
    profile: merge(referenceProfile(), change) as ProfileInput,
    only,
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })

const BLAMES: readonly CheckResult['verdict'][] = ['fail', 'warn', 'harness-error']

const OTHER_MEMBERS = { debtor: null, payer: { name: '{debtorName}', account: '{debtorIban}' } }

/** Values in a form that the bank does not accept. */
const OTHER_FORMS = {
  monthlyIncome: 'EUR {income}',
  monthlyExpenses: '{expenses}',
  numberOfChildren: '{children}',
}

const [ecomm] = referenceProfile().payments?.initiations ?? []

describe('a request that the bank does not understand', () => {
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
      { loans: { precalculation: { capacity: { capacityInfo: OTHER_FORMS } } } },
      ['loans'],
    ],
    ['payments.token.form', { payments: { token: { form: { grant_type: 'device' } } } }, ['payments']],
    [
      'payments.initiations.0.body',
      { payments: { initiations: [{ ...ecomm, body: { sum: '{amount}', ...OTHER_MEMBERS } }] } },
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

describe('a member that the bank ignores', () => {
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

describe('a value for a loan scenario that the bank does not know', () => {
  const WORDS = { expired: 'FORGOTTEN' }

  test.each([
    ['a call', { kind: 'call', pages: null, values: WORDS }],
    ['the submission', { kind: 'parameter', pages: null, values: WORDS }],
  ])('with %s', async (_, scenario) => {
    const results = await judgedWith({ loans: { scenario } }, ['loans'])
    expect(results.filter(({ verdict }) => BLAMES.includes(verdict))).toEqual([])
    const keys = results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))
    // If the submission carries the value, its body may be the cause as well.
    expect(keys.filter((key) => key !== 'loans.submission.body')).toContain('loans.scenario.values.expired')
  })
})

describe('a negative precalculation in an answer with a success status', () => {
  const CAUSES = /LOAN_AMNT_|INSUFFICIENT_/

  /** Answers every refusal for a cause of the interface with status 200. */
  const withStatus200 =
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
    const defect = { id: 'no-negative-result', story: 'It has no negative result.', breaks: [], ...wrong }
    const results = await runTrial(catalogue, () => ({ defect }), {
      profile: referenceProfile(),
      only: ['loans'],
      socket: false,
      seed: 42,
      runsOf: () => 2,
    })
    return {
      blamed: results.filter(({ verdict }) => BLAMES.includes(verdict)),
      keys: new Set(results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))),
    }
  }

  test.each([
    ['with its cause', (text: string) => text],
    ['with no offer', () => '[]'],
    ['with a result member', () => '{"result":"NEGATIVE"}'],
  ])('%s', async (_, body) => {
    const { blamed, keys } = await judgedAt({ wire: withStatus200(body) })
    expect(blamed.map(({ id, violation }) => ({ id, violation }))).toEqual([])
    expect([...keys]).toEqual(['loans.precalculation.positive.kind'])
  })

  test('is a violation if it is equal to a positive one', async () => {
    const { blamed, keys } = await judgedAt({ rules: { loanCausesChecked: () => [] } })
    expect(new Set(blamed.map(({ id }) => id)).size).toBeGreaterThan(3)
    expect([...keys]).toEqual([])
  })

  test.each(['generated-1', 'generated-2'])('in the dialect %s', async (dialect) => {
    const profile = merge(dialectProfile(dialect, 'sandbox'), {
      loans: { precalculation: { positive: { kind: 'status', member: null, values: null, list: null } } },
    }) as ProfileInput
    const results = await runTrial(catalogue, () => ({}), {
      profile,
      dialect: dialectOf(dialect),
      only: ['loans'],
      socket: false,
      seed: 42,
      runsOf: () => 2,
    })
    expect(results.filter(({ verdict }) => BLAMES.includes(verdict))).toEqual([])
    const keys = results.flatMap(({ misfits = [] }) => misfits.map(({ key }) => key))
    expect([...new Set(keys)]).toEqual(['loans.precalculation.positive.kind'])
  })
})
