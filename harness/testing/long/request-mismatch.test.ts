import { describe, expect, test } from 'vitest'
import type { Defect, Wire } from '../../bank/defect.ts'
import type { CheckResult } from '../../check/result.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { merge } from '../../profile/template.ts'
import { dialectOf } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { failuresIn, keysFoundIn } from '../profile-mismatch.ts'
import { dialectProfile, referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/** A profile whose requests the bank does not understand is reported as the cause, and not as a failure of the bank. */

const catalogue = await loadCatalogue()

const OPTIONS = { socket: false, seed: 42, runsOf: () => 2 }

const judgedWith = (change: object, only: readonly string[]): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({}), {
    profile: merge(referenceProfile(), change) as ProfileInput,
    only,
    ...OPTIONS,
  })

const OTHER_MEMBERS = { debtor: null, payer: { name: '{debtorName}', account: '{debtorIban}' } }

/** Values in a form that the bank does not accept. */
const OTHER_FORMS = {
  monthlyIncome: 'EUR {income}',
  monthlyExpenses: '{expenses}',
  numberOfChildren: '{children}',
}

const ofKind = (kind: string) => referenceProfile().applications.find((each) => each.kind === kind)

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
    [
      'applications.0.kind',
      { applications: [{ ...ofKind('FAC'), kind: 'TPP' }] },
      ['consent', 'authorization'],
    ],
    [
      'applications.0.kind',
      { applications: [{ ...ofKind('TPP'), kind: 'FAC' }] },
      ['consent', 'authorization'],
    ],
  ])('%s', async (key, change, only) => {
    const results = await judgedWith(change, only)
    expect(failuresIn(results)).toEqual([])
    expect(keysFoundIn(results)).toEqual([key])
  })
})

describe('a member that the bank ignores', () => {
  test('income, expenses and children under names that it does not know', async () => {
    const capacity = { capacityInfo: null, household: ['{income}', '{expenses}', '{children}'] }
    const results = await judgedWith({ loans: { precalculation: { capacity } } }, ['LOA-11'])
    expect(failuresIn(results)).toEqual([])
    expect(results.map(({ because }) => because).join()).toContain('`loans.precalculation.capacity`')
  })

  test('a page size under a name that it does not know', async () => {
    const change = { secondVariant: { listTransactions: { pageSize: 'sizeOfPage' } } }
    const results = await judgedWith(change, ['transactions'])
    expect(failuresIn(results)).toEqual([])
    expect(keysFoundIn(results)).toEqual(['secondVariant.listTransactions.pageSize'])
  })
})

describe('a value for a loan scenario that the bank does not know', () => {
  const WORDS = { expired: 'FORGOTTEN' }

  test.each([
    ['a call', { kind: 'call', pages: null, values: WORDS }],
    ['the submission', { kind: 'parameter', pages: null, values: WORDS }],
  ])('with %s', async (_, scenario) => {
    const results = await judgedWith({ loans: { scenario } }, ['loans'])
    expect(failuresIn(results)).toEqual([])
    const keys = keysFoundIn(results)
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
    const defect = { id: 'no-negative-result', title: 'It has no negative result.', breaks: [], ...wrong }
    return runTrial(catalogue, () => ({ defect }), {
      profile: referenceProfile(),
      only: ['loans'],
      ...OPTIONS,
    })
  }

  test.each([
    ['with its cause', (text: string) => text],
    ['with no offer', () => '[]'],
    ['with a result member', () => '{"result":"NEGATIVE"}'],
  ])('%s', async (_, body) => {
    const results = await judgedAt({ wire: withStatus200(body) })
    expect(failuresIn(results)).toEqual([])
    expect(keysFoundIn(results)).toEqual(['loans.precalculation.positive.kind'])
  })

  test('is a violation if it is equal to a positive one', async () => {
    const results = await judgedAt({ rules: { loanCausesChecked: () => [] } })
    expect(new Set(failuresIn(results).map(({ id }) => id)).size).toBeGreaterThan(3)
    expect(keysFoundIn(results)).toEqual([])
  })

  test.each(['generated-1', 'generated-2'])('in the dialect %s', async (dialect) => {
    const profile = merge(dialectProfile(dialect, 'sandbox'), {
      loans: { precalculation: { positive: { kind: 'status', member: null, values: null, list: null } } },
    }) as ProfileInput
    const results = await runTrial(catalogue, () => ({}), {
      profile,
      dialect: dialectOf(dialect),
      only: ['loans'],
      ...OPTIONS,
    })
    expect(failuresIn(results)).toEqual([])
    expect(keysFoundIn(results)).toEqual(['loans.precalculation.positive.kind'])
  })
})

test.each([400, 403, 422])(
  'a bank that answers each consent request %i is not excused by a kind',
  async (status) => {
    const wire: Wire = (next) => async (request) =>
      request.method === 'POST' && request.url.endsWith('/v1/consents')
        ? Response.json({ errorCode: 'INVALID_REQUEST' }, { status })
        : next(request)
    const defect = { id: 'no-consent', title: 'It gives no consent.', breaks: [], wire }
    const results = await runTrial(catalogue, () => ({ defect }), { only: ['CON-04'], ...OPTIONS })
    expect(failuresIn(results).map(({ id }) => id)).toContain('CON-04/1')
  },
)
