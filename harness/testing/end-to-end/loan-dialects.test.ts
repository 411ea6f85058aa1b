import { expect, test } from 'vitest'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { loadDefects } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { loansOfReference } from '../../target/reference-bank/reference-profile.ts'
import type { Variation } from '../../bank/defect.ts'
import type { CheckResult } from '../../check/result.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Faults } from '../../target/embedded.ts'

/** One bank with different profiles gets the same verdicts. */

type LoansInput = NonNullable<ProfileInput['loans']>

const SELECTED_LATER = ['LOA-23', 'LOA-24']
const EXPLAINED = ['LOA-48', 'LOA-49', 'LOA-50']

const catalogue = await loadCatalogue()

const judged = (loans: LoansInput, faults: Faults = {}): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => faults, {
    profile: { loans },
    only: ['loans'],
    socket: false,
    seed: 42,
    runsOf: () => 3,
  })

const isOfLoans = ({ requirement }: CheckResult): boolean => requirement.startsWith('LOA-')

const requirementsOf = (results: readonly CheckResult[]): readonly string[] => [
  ...new Set(results.filter(isOfLoans).map(({ requirement }) => requirement)),
]

const ordinary = judged(loansOfReference())

/** Every check passes, except for the requirements that this dialect does not have. */
const expectSameVerdicts = async (
  results: readonly CheckResult[],
  unjudged: readonly string[] = [],
): Promise<void> => {
  expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  const all = requirementsOf(await ordinary)
  expect(all.filter((id) => !requirementsOf(results).includes(id)).sort()).toEqual(unjudged)
}

test('the scenario is selected with a call, and the credentials are in a header', async () => {
  await expectSameVerdicts(
    await judged({ ...loansOfReference(), token: { credentials: 'basic' }, scenario: { kind: 'call' } }),
  )
})

test('the scenario is selected with the submission', async () => {
  await expectSameVerdicts(
    await judged({ ...loansOfReference(), scenario: { kind: 'parameter' } }),
    SELECTED_LATER,
  )
})

test('a profile that binds neither code nor cause leaves the causes unjudged', async () => {
  const { precalculation, status, ...others } = loansOfReference()
  expect([precalculation, status]).toEqual([expect.anything(), expect.anything()])
  await expectSameVerdicts(await judged(others), EXPLAINED)
})

const LOAN_PATH = /\/v1\/applications/

/** Answers 200 in all cases, with statuses and codes in nested members. */
const reworded: Variation = {
  id: 'reworded-loans',
  story: 'The loan operations answer with members of other names, and with 200.',
  wire: (next) => async (request) => {
    const response = await next(request)
    const text = await response.clone().text()
    if (!LOAN_PATH.test(request.url) || text === '' || response.status === 401) return response
    const { pathname } = new URL(request.url)
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    const renamed = pathname.endsWith('/precalculation') ? resultIn(body) : recordIn(body)
    return Response.json(renamed)
  },
}

const resultIn = (body: Readonly<Record<string, unknown>>): unknown =>
  Array.isArray(body)
    ? { result: 'POSITIVE', offers: body }
    : { result: 'NEGATIVE', why: { code: body['errorCode'] } }

const recordIn = (body: Readonly<Record<string, unknown>>): unknown => ({
  loan: { id: body['applicationId'], state: body['applicationStatus'], page: body['applicationProcessUrl'] },
  outcome: { code: body['resultCode'], error: body['errorCode'] },
})

const { precalculation, submission, scenario } = loansOfReference()

const rewordedProfile = (positive: NonNullable<LoansInput['precalculation']>['positive']): LoansInput => ({
  precalculation: {
    ...(positive && { positive }),
    ...(precalculation?.cause && { cause: { ...precalculation.cause, member: 'why.code' } }),
  },
  submission: { ...submission, id: 'loan.id' },
  ...(scenario?.kind === 'page' && { scenario: { ...scenario, link: 'loan.page' } }),
  status: { status: 'loan.state', code: 'outcome.code' },
  errorCode: 'outcome.error',
})

const BY_MEMBER = { kind: 'member' as const, member: 'result', values: ['POSITIVE'] as [string] }
const BY_LIST = { kind: 'list' as const, list: 'offers' }

test.each([BY_MEMBER, BY_LIST])(
  'results, statuses and codes are in other members, and every answer has status 200: $kind',
  async (positive) => {
    await expectSameVerdicts(await judged(rewordedProfile(positive), { variation: reworded }))
  },
)

/** Takes amounts in cents, and the income and the expenses as texts of cents. */
const inCents: Variation = {
  id: 'loans-in-cents',
  story: 'The loan operations take amounts in cents.',
  wire: (next) => async (request) => {
    const text = await request.clone().text()
    if (!LOAN_PATH.test(request.url) || !text.includes('"cents"')) return next(request)
    const euros = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      if (!('cents' in value))
        return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, euros(member)]))
      const { cents } = value
      const isCents = typeof cents === 'number' || (typeof cents === 'string' && /^\d+$/.test(cents))
      return isCents ? Number(cents) / 100 : cents
    }
    const body = JSON.stringify(euros(JSON.parse(text)))
    return next(new Request(request.url, { method: request.method, headers: request.headers, body }))
  },
}

const CENTS = { cents: '{amountMinor}' }

test('amounts are in cents', async () => {
  const loans: LoansInput = {
    ...loansOfReference(),
    precalculation: {
      ...precalculation,
      body: { loanAmount: CENTS },
      capacity: {
        capacityInfo: {
          monthlyIncome: { cents: '{incomeMinorText}' },
          monthlyExpenses: { cents: '{expensesMinorText}' },
          numberOfChildren: '{children}',
        },
      },
    },
    submission: { body: { financeApplication: { order: { orderNo: '{orderNo}', totalAmount: CENTS } } } },
  }
  await expectSameVerdicts(await judged(loans, { variation: inCents }))
  const defect = (await loadDefects()).find(({ id }) => id === 'applications-begin-at-99')
  if (defect === undefined) throw new Error('the defect has another id')
  const red = (await judged(loans, { variation: inCents, defect })).filter(({ violation }) => violation)
  expect(requirementsOf(red)).toEqual(expect.arrayContaining([defect.breaks[0]?.id]))
})

const DEFECTS = [
  'precalculation-ends-at-2001',
  'insufficient-is-called-too-high',
  'applications-begin-at-99',
  'application-is-canceled-again',
  'status-of-an-unknown-application-is-not-found',
]

test.each(DEFECTS)('a defect is detected in other members as well: %s', async (id) => {
  const defect = (await loadDefects()).find((one) => one.id === id)
  if (defect === undefined) throw new Error(`no defect has the id ${id}`)
  const results = await judged(rewordedProfile(BY_LIST), { variation: reworded, defect })
  const red = results.filter(({ violation }) => violation !== undefined)
  expect(requirementsOf(red)).toEqual(expect.arrayContaining([defect.breaks[0]?.id]))
})
