import { randomBytes, randomInt, randomUUID } from '../random.ts'
import { read } from '../dialects/vocabulary.ts'
import { MINUTE, SECOND, type Endpoint } from '../rules/facts.ts'
import { changeObjects } from './wires.ts'
import type { Variation } from '../defect.ts'
import type { Calculation, LoanStatus } from '../loans/loan.ts'
import type { RefusalWord } from '../rules/account-rules.ts'

/** Other ways to read, offer and calculate loans; the six scenarios have the same results. */

const NUMBERS: readonly string[] = [
  'loanAmount',
  'totalAmount',
  'monthlyIncome',
  'monthlyExpenses',
  'numberOfChildren',
]

/** Reads numbers that were sent as texts. */
const withNumbers = (body: unknown): unknown =>
  changeObjects(body, (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const isMeant = NUMBERS.includes(name) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
        return [name, isMeant ? Number(value) : value]
      }),
    ),
  )

const withWholeNumbers = (body: unknown): unknown =>
  changeObjects(body, (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        NUMBERS.includes(name) && typeof value === 'number' ? Math.floor(value) : value,
      ]),
    ),
  )

const amountIn = (body: unknown): number => (body as { readonly loanAmount: number }).loanAmount

/** Limits, Loan precalculation scenarios: the amounts within the bounds. */
const SCRIPTED: readonly number[] = [250, 1850]

const isScripted = ({ amount, household }: Calculation): boolean => {
  const isWithin = amount >= 100 && amount <= 2000
  if (household === undefined) return !isWithin || SCRIPTED.includes(amount)
  const { income, expenses, children } = household
  return SCRIPTED.includes(amount) && income === 1050 && expenses === 410 && children === 2
}

const loanCalculationVariations: readonly Variation[] = [
  {
    id: 'loan-numbers-read-leniently',
    story: 'Numbers may be texts, and those of a precalculation may have a fraction.',
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const body = withNumbers(facts.body)
        const calculation = lawful.calculationOf({ ...facts, body: withWholeNumbers(body) })
        return typeof calculation === 'string' ? calculation : { ...calculation, amount: amountIn(body) }
      },
      loanRequestOf: (facts) => lawful.loanRequestOf({ ...facts, body: withNumbers(facts.body) }),
    }),
  },
  {
    id: 'one-offer',
    story: 'A precalculation offers one loan.',
    rules: (lawful) => ({ loanOffers: (facts) => lawful.loanOffers(facts).slice(0, 1) }),
  },
  {
    id: 'many-offers',
    story:
      'A precalculation offers loans of 1 to 60 months, free of interest, and none of them is preferred.',
    rules: {
      loanOffers: ({ calculation: { amount } }) =>
        Array.from({ length: 60 }, (_, place) => ({
          amount,
          months: place + 1,
          interestRate: 0,
          annualRate: 0,
          instalment: Math.ceil((amount * 100) / (place + 1)) / 100,
          isPreferred: false,
        })),
    },
  },
  {
    id: 'capacity-by-income-and-expenses',
    story: 'A household may owe what it can save in two months, however many children it has.',
    rules: { capacityOf: ({ income, expenses }) => (income - expenses) * 2 },
  },
  {
    id: 'capacity-by-instalments',
    story:
      'A household may owe twelve tenths of what it has left in a month, each child costing 200 EUR of it.',
    rules: { capacityOf: ({ income, expenses, children }) => 1.2 * (income - expenses - 200 * children) },
  },
  {
    id: 'scripted-precalculations-only',
    story:
      'The sandbox calculates the six scripted inputs, and answers 400 to every other one within the bounds.',
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const calculation = lawful.calculationOf(facts)
        return typeof calculation === 'string' || isScripted(calculation)
          ? calculation
          : 'No scenario has this input.'
      },
    }),
  },
  {
    id: 'loan-causes-in-another-order',
    story: 'The causes of a negative result are checked in the opposite order.',
    rules: (lawful) => ({ loanCausesChecked: (facts) => lawful.loanCausesChecked(facts).toReversed() }),
  },
]

/** Other timing, ids, cancellations, retention and answers of loan applications. */

/** About three minutes, each with another duration. */
const UNEVEN = [130 * SECOND, 230 * SECOND, 170 * SECOND, 215 * SECOND] as const

const timingVariations: readonly Variation[] = [
  {
    id: 'loans-move-early',
    story: 'The status of a loan application changes every two minutes and a half.',
    rules: { loanStepDelay: () => 2.5 * MINUTE },
  },
  {
    id: 'loans-move-late',
    story: 'The status of a loan application changes every three minutes and a half.',
    rules: { loanStepDelay: () => 3.5 * MINUTE },
  },
  {
    id: 'loans-move-unevenly',
    story: 'The statuses of a loan application have different durations, from 2:10 to 3:50 minutes.',
    rules: { loanStepDelay: ({ step }) => UNEVEN[(step - 1) % UNEVEN.length] ?? UNEVEN[0] },
  },
]

const cancellationVariations: readonly Variation[] = [
  {
    id: 'loans-can-be-canceled-while-new',
    story: 'A loan application can be canceled as long as it is NEW.',
    rules: { mayCancelLoan: ({ status }) => status === 'NEW' },
  },
  {
    id: 'new-loans-cannot-be-canceled',
    story: 'A DELETE is answered NOT_ALLOWED_OPER while the loan application is NEW.',
    rules: (lawful) => ({
      mayCancelLoan: (facts) => facts.status !== 'NEW' && lawful.mayCancelLoan(facts),
    }),
  },
  {
    id: 'loans-can-be-canceled-while-in-progress',
    story: 'A loan application can be canceled in LOAN_APPLICATION_IN_PROGRESS only.',
    rules: { mayCancelLoan: ({ status }) => status === 'LOAN_APPLICATION_IN_PROGRESS' },
  },
  {
    id: 'loans-can-be-canceled-until-in-progress',
    story: 'A loan application can be canceled until it is in LOAN_APPLICATION_IN_PROGRESS.',
    rules: { mayCancelLoan: ({ status }) => status === 'NEW' || status === 'CUSTOMER_CREATION_IN_PROGRESS' },
  },
  {
    id: 'loans-can-be-canceled-until-they-end',
    story: 'A loan application can be canceled until it is disbursed, expired or canceled.',
    rules: { mayCancelLoan: ({ status }) => !['LOAN_DISBURSED', 'EXPIRED', 'CANCELED'].includes(status) },
  },
  {
    id: 'cancellation-without-body',
    story: 'The cancellation of a loan application is answered with 204, and no body.',
    rules: { cancellationAnswer: () => ({ http: 204, body: undefined }) },
  },
  {
    id: 'cancellation-has-its-code-deeper',
    story: 'A refused DELETE of a loan application has its code in `fault.code`, and other refusals do not.',
    rules: (lawful) => ({
      refusalBody: (facts) => {
        const body = lawful.refusalBody(facts)
        return facts.endpoint === 'loan-cancellation' ? { fault: { code: read(body, 'errorCode') } } : body
      },
    }),
  },
  {
    id: 'cancellation-is-accepted',
    story: 'The cancellation of a loan application is answered with 202 and the application-id only.',
    rules: {
      cancellationAnswer: ({ application: { applicationId } }) => ({ http: 202, body: { applicationId } }),
    },
  },
]

/** The time in which the status before the cancellation is still reported, in ms. */
const UNTIL_CANCELED = 2 * SECOND

const slowCancellations: Variation = {
  id: 'cancellation-takes-a-moment',
  story:
    'The cancellation of a loan application is answered with 202, and changes its status two seconds later.',
  rules: (lawful) => {
    const canceled = new Map<string, { readonly before: LoanStatus; readonly at: number }>()
    return {
      mayCancelLoan: (facts) => {
        const { application, status, now } = facts
        const may = lawful.mayCancelLoan(facts)
        if (may) canceled.set(application.applicationId, { before: status, at: now.getTime() })
        return may
      },
      cancellationAnswer: () => ({ http: 202, body: undefined }),
      reportedLoanStatus: (facts) => {
        const known = canceled.get(facts.application.applicationId)
        const isSeen = known === undefined || facts.now.getTime() >= known.at + UNTIL_CANCELED
        return isSeen ? lawful.reportedLoanStatus(facts) : known.before
      },
    }
  },
}

const isOfLoans = (endpoint: Endpoint): boolean => endpoint.startsWith('loan-') && endpoint !== 'loan-token'

type Statuses = Readonly<Partial<Record<RefusalWord, number>>>

const answeredWith = (statuses: Statuses): NonNullable<Variation['rules']> => {
  return (lawful) => ({ refusalStatus: (facts) => statuses[facts.error] ?? lawful.refusalStatus(facts) })
}

const answerVariations: readonly Variation[] = [
  {
    id: 'loan-refusals-with-400',
    story: 'Every refusal of a loan operation has the status 400, with a code for the reason.',
    rules: answeredWith({
      negative_value: 400,
      loan_too_low: 400,
      loan_too_high: 400,
      capacity_insufficient: 400,
      total_too_low: 400,
      total_too_high: 400,
      application_unknown: 400,
      cancellation_not_allowed: 400,
      scenario_selected: 400,
    }),
  },
  {
    id: 'loan-refusals-with-409-and-410',
    story: 'A cancellation that is not allowed is refused with 409, an unknown loan application with 410.',
    rules: answeredWith({ application_unknown: 410, cancellation_not_allowed: 409 }),
  },
  {
    id: 'loan-codes-with-200',
    story: 'NOT_ALLOWED_OPER and APP_NOT_FOUND have the status 200, since the call itself has succeeded.',
    rules: answeredWith({ application_unknown: 200, cancellation_not_allowed: 200 }),
  },
  {
    id: 'malformed-loan-requests-with-422',
    story: 'A malformed loan request is refused with 422, like a well-formed one that is out of bounds.',
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        isOfLoans(facts.endpoint) && facts.error === 'invalid_request' ? 422 : lawful.refusalStatus(facts),
    }),
  },
  {
    id: 'loan-clients-refused-with-400',
    story: 'The token endpoint of the loan sandbox refuses a wrong client with 400 (RFC 6749 §5.2).',
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        facts.endpoint === 'loan-token' && facts.error === 'invalid_client'
          ? 400
          : lawful.refusalStatus(facts),
    }),
  },
  {
    id: 'loans-of-others-are-forbidden',
    story: 'A loan application of another client is refused with 403, an unknown one with 404.',
    rules: { refusalOfForeignApplication: () => 'not_authorized' },
  },
  {
    id: 'loan-refusals-with-more-members',
    story: 'A refusal of a loan operation has more members, such as a timestamp.',
    rules: (lawful) => ({
      refusalBody: (facts) => {
        const body = lawful.refusalBody(facts)
        const { endpoint, now } = facts
        if (!isOfLoans(endpoint)) return body
        return {
          timestamp: now.toISOString(),
          status: facts.error.toUpperCase(),
          ...(body as object),
          errors: [{ field: null, code: 'SEE_ERROR_CODE' }],
        }
      },
    }),
  },
  {
    id: 'loan-submission-with-200',
    story: 'A submitted loan application is answered with 200, and without its status.',
    rules: (lawful) => ({
      submissionAnswer: (facts) => ({
        http: 200,
        body: { ...lawful.submissionAnswer(facts).body, applicationStatus: undefined },
      }),
    }),
  },
  {
    id: 'loan-records-of-more-members',
    story: 'Each answer about a loan application has the whole record, and internal members of the bank.',
    rules: (lawful) => ({
      statusAnswer: (facts) => {
        const { http, body } = lawful.statusAnswer(facts)
        const { applicationId, orderNo, submittedAt } = facts.application
        return { http, body: { applicationId, orderNo, state: 'S3', ...body, since: submittedAt } }
      },
    }),
  },
]

const nameVariations: readonly Variation[] = [
  {
    id: 'loan-token-type-in-small-letters',
    story: 'The token_type of the loan sandbox is bearer.',
    rules: (lawful) => ({
      loanTokenBody: (facts) => ({ ...lawful.loanTokenBody(facts), token_type: 'bearer' }),
    }),
  },
  {
    id: 'loan-tokens-like-jwts',
    story: 'The tokens of the loan sandbox look like JWTs.',
    rules: {
      newLoanToken: () =>
        `eyJhbGciOiJFUzI1NiJ9.${randomBytes(300).toString('base64url')}.${randomBytes(64).toString('base64url')}`,
    },
  },
  {
    id: 'one-loan-token-at-a-time',
    story: 'A new token of the loan sandbox ends the earlier one.',
    rules: { newLoanTokenEnds: () => true },
  },
  {
    id: 'loan-token-is-prolonged',
    story: 'A client that asks for another token of the loan sandbox gets its old one, for another day.',
    rules: (lawful) => ({
      newLoanToken: (facts) => {
        const { tokens, client, now } = facts
        const alive = [...tokens.values()].find(
          ({ clientId, expiresAt }) => clientId === client.clientId && now < expiresAt,
        )
        return alive?.value ?? lawful.newLoanToken(facts)
      },
    }),
  },
  {
    id: 'loan-token-is-given-once-more',
    story:
      'A client that asks for another token of the loan sandbox gets its old one, with its remaining lifetime.',
    rules: (lawful) => {
      let until = 0
      return {
        newLoanToken: (facts) => {
          const { tokens, client, now } = facts
          const alive = [...tokens.values()].find(
            ({ clientId, expiresAt }) => clientId === client.clientId && now < expiresAt,
          )
          until = alive?.expiresAt.getTime() ?? now.getTime() + lawful.loanTokenLifetime(facts)
          return alive?.value ?? lawful.newLoanToken(facts)
        },
        loanTokenLifetime: ({ now }) => until - now.getTime(),
      }
    },
  },
  {
    id: 'application-ids-as-uuids',
    story: 'The ids of loan applications are UUIDs.',
    rules: { newApplicationId: () => randomUUID() },
  },
  {
    id: 'application-ids-of-digits',
    story: 'The ids of loan applications are strings of twelve digits, the first of which may be 0.',
    rules: {
      newApplicationId: () =>
        randomInt(2 ** 39)
          .toString()
          .padStart(12, '0'),
    },
  },
  {
    id: 'application-ids-are-counted',
    story: 'The ids of loan applications are 1, 2, 3 and so on.',
    rules: () => {
      let count = 0
      return { newApplicationId: () => String((count += 1)) }
    },
  },
  {
    id: 'application-ids-to-be-escaped',
    story: 'The ids of loan applications contain slashes, plus signs and equals signs.',
    rules: { newApplicationId: () => `L/${randomBytes(9).toString('base64')}+/=` },
  },
  {
    id: 'scenario-page-with-welcome',
    story: 'A welcome page is shown before the page on which a scenario is selected.',
    rules: { selectionBeginsWithWelcome: () => true },
  },
  {
    id: 'scenario-page-by-redirect',
    story: 'The browser is sent back to the page once a scenario is selected (post, redirect, get).',
    rules: { selectionReturnsToThePage: () => true },
  },
  {
    id: 'scenario-can-be-changed-while-new',
    story:
      'Another scenario can be selected for a loan application that is still NEW; its path starts again.',
    rules: { mayBeSelected: ({ application }) => application.status === 'NEW' },
  },
]

export const loanVariations: readonly Variation[] = [
  ...timingVariations,
  ...cancellationVariations,
  slowCancellations,
  ...answerVariations,
  ...loanCalculationVariations,
  ...nameVariations,
]
