/** Other ways to read, offer and calculate loans, and to name, cancel and report their applications. */
import { accept, alter, refuse, type FactsOf } from '../changes/alter.ts'
import { answer, membersOf } from '../changes/answer.ts'
import { when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import type { Calculation, LoanStatus } from '../rules/loan.ts'
import { Refusal } from '../call.ts'
import { randomBytes, randomInt, randomUUID } from '../random.ts'
import { MINUTE, SECOND } from '../rules/facts.ts'
import { changeObjects, inLocation, jwtLike, refusalStatuses } from './words.ts'

const NUMBERS: readonly string[] = [
  'loanAmount',
  'totalAmount',
  'monthlyIncome',
  'monthlyExpenses',
  'numberOfChildren',
]

const withNumbers = (body: unknown, change: (value: unknown) => unknown): unknown =>
  changeObjects(body, (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, NUMBERS.includes(name) ? change(value) : value]),
    ),
  )

const parsed = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

const whole = (value: unknown): unknown => (typeof value === 'number' ? Math.floor(value) : value)

/** Limits, Loan precalculation scenarios: the amounts within the bounds. */
const SCRIPTED: readonly number[] = [250, 1850]

const isScripted = ({ amount, household }: Calculation): boolean => {
  const isWithin = amount >= 100 && amount <= 2000
  if (household === undefined) return !isWithin || SCRIPTED.includes(amount)
  const { income, expenses, children } = household
  return SCRIPTED.includes(amount) && income === 1050 && expenses === 410 && children === 2
}

const calculations = variationsOf({
  'Numbers of loan requests may be texts or have fractions': alter({
    calculationOf: (_, facts, { rules }) => {
      const body = withNumbers(facts.body, parsed)
      const calculation = rules.calculationOf({ ...facts, body: withNumbers(body, whole) })
      const amount = Number(membersOf(body)['loanAmount'])
      return typeof calculation === 'string' ? calculation : { ...calculation, amount }
    },
    loanRequestOf: (_, facts, { rules }) =>
      rules.loanRequestOf({ ...facts, body: withNumbers(facts.body, parsed) }),
  }),
  'A precalculation offers one loan': alter({ loanOffers: (offers) => offers.slice(0, 1) }),
  'A precalculation offers 60 loans without interest': alter({
    loanOffers: (_, { calculation: { amount } }) =>
      Array.from({ length: 60 }, (__, place) => ({
        amount,
        months: place + 1,
        interestRate: 0,
        annualRate: 0,
        instalment: Math.ceil((amount * 100) / (place + 1)) / 100,
        isPreferred: false,
      })),
  }),
  'The capacity of a household does not depend on its children': alter({
    capacityOf: (_, { income, expenses }) => (income - expenses) * 2,
  }),
  'The capacity of a household is 1.2 times what it has left': alter({
    capacityOf: (_, { income, expenses, children }) => 1.2 * (income - expenses - 200 * children),
  }),
  'Only the six inputs of the scenarios can be precalculated': alter({
    calculationOf: (calculation) =>
      typeof calculation === 'string' || isScripted(calculation)
        ? calculation
        : 'No scenario has this input.',
  }),
  'The causes of a negative result are checked in reverse': alter({
    loanCausesChecked: (causes) => causes.toReversed(),
  }),
})

/** About three minutes, each with another duration. */
const UNEVEN = [130 * SECOND, 230 * SECOND, 170 * SECOND, 215 * SECOND] as const

const times = variationsOf({
  'Loan statuses last two minutes and a half': alter({ loanStepDelay: 2.5 * MINUTE }),
  'Loan statuses last three minutes and a half': alter({ loanStepDelay: 3.5 * MINUTE }),
  'Loan statuses have different durations': alter({
    loanStepDelay: (_, { step }) => UNEVEN[(step - 1) % UNEVEN.length] ?? UNEVEN[0],
  }),
})

/** Cancellations in these statuses, and in no others. */
const cancelable = (...statuses: readonly LoanStatus[]) =>
  alter({ mayCancelLoan: (_, { status }) => statuses.includes(status) })

/** The time in which the status before the cancellation is still reported, in ms. */
const UNTIL_CANCELED = 2 * SECOND

const cancellations = variationsOf({
  'Loans can be canceled as long as they are NEW': cancelable('NEW'),
  'Loans cannot be canceled while they are NEW': refuse('mayCancelLoan', ({ status }) => status === 'NEW'),
  'Loans can be canceled in LOAN_APPLICATION_IN_PROGRESS only': cancelable('LOAN_APPLICATION_IN_PROGRESS'),
  'Loans can be canceled until LOAN_APPLICATION_IN_PROGRESS': cancelable(
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
  ),
  'Loans can be canceled until they end': alter({
    mayCancelLoan: (_, { status }) => !['LOAN_DISBURSED', 'EXPIRED', 'CANCELED'].includes(status),
  }),
  'The cancellation of a loan is answered with 204 and no body': alter({
    cancellationAnswer: { http: 204, body: undefined },
  }),
  'A refused cancellation of a loan has its code in an object': when(
    ({ endpoint }: FactsOf<'refusalBody'>) => endpoint === 'loan-cancellation',
    alter({ refusalBody: (body) => ({ fault: { code: membersOf(body)['errorCode'] } }) }),
  ),
  'The cancellation of a loan is answered with 202 and its id': alter({
    cancellationAnswer: (_, { application: { applicationId } }) => ({ http: 202, body: { applicationId } }),
  }),
  'The cancellation of a loan takes two seconds': alter(
    {
      cancellationAnswer: { http: 202, body: undefined },
      reportedLoanStatus: (status, { application, now }: FactsOf<'reportedLoanStatus'>, past) => {
        const canceled = past
          .of('mayCancelLoan')
          .findLast(
            ({ facts, answer }) => answer && facts.application.applicationId === application.applicationId,
          )
        return canceled && now.getTime() < canceled.facts.now.getTime() + UNTIL_CANCELED
          ? canceled.facts.status
          : status
      },
    },
    'mayCancelLoan',
  ),
})

const isOfLoans = ({ endpoint }: FactsOf<'refusalStatus'>): boolean =>
  endpoint.startsWith('loan-') && endpoint !== 'loan-token'

const answers = variationsOf({
  'Every refusal of a loan operation has the status 400': refusalStatuses({
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
  'Unknown loans are refused with 410, cancellations with 409': refusalStatuses({
    application_unknown: 410,
    cancellation_not_allowed: 409,
  }),
  'NOT_ALLOWED_OPER and APP_NOT_FOUND have the status 200': refusalStatuses({
    application_unknown: 200,
    cancellation_not_allowed: 200,
  }),
  'Malformed loan requests are refused with 422': when(isOfLoans, refusalStatuses({ invalid_request: 422 })),
  // RFC 6749 §5.2.
  'The loan sandbox refuses wrong client credentials with 400': when(
    ({ endpoint }: FactsOf<'refusalStatus'>) => endpoint === 'loan-token',
    refusalStatuses({ invalid_client: 400 }),
  ),
  'A loan application of another client is refused with 403': alter({
    refusalOfForeignApplication: 'not_authorized',
  }),
  'Refusals of loan operations have further members': when(
    isOfLoans,
    alter({
      refusalBody: (body, { now, error }) => ({
        timestamp: now.toISOString(),
        status: error.toUpperCase(),
        ...membersOf(body),
        errors: [{ field: null, code: 'SEE_ERROR_CODE' }],
      }),
    }),
  ),
  'A submitted loan is answered with 200 and no status': alter({
    submissionAnswer: ({ body }) => ({ http: 200, body: { ...body, applicationStatus: undefined } }),
  }),
  'The id of a loan application is in Location only': answer(
    'submitLoan',
    ({ members: { applicationId, ...members } }, { url: { pathname } }) =>
      typeof applicationId === 'string'
        ? { headers: inLocation(pathname, applicationId), status: 201, json: members }
        : undefined,
  ),
  'The status of a loan is answered with the whole application': alter({
    statusAnswer: ({ http, body }, { application: { applicationId, orderNo, submittedAt } }) => ({
      http,
      body: { applicationId, orderNo, state: 'S3', ...body, since: submittedAt },
    }),
  }),
})

/** The token of the client that has not expired yet. */
const currentToken = ({ tokens, client, now }: FactsOf<'newLoanToken'>) =>
  [...tokens.values()].find(({ clientId, expiresAt }) => clientId === client.clientId && now < expiresAt)

const names = variationsOf({
  'The token_type of the loan sandbox is bearer': alter({
    loanTokenBody: (members) => ({ ...members, token_type: 'bearer' }),
  }),
  'The tokens of the loan sandbox look like JWTs': alter({ newLoanToken: () => jwtLike(300) }),
  'A new token of the loan sandbox ends the earlier one': accept('newLoanTokenEnds'),
  'A client gets its old loan token, for another day': alter({
    newLoanToken: (value, facts) => currentToken(facts)?.value ?? value,
  }),
  'A client gets its old loan token, for its remaining lifetime': alter({
    newLoanToken: (value, facts) => currentToken(facts)?.value ?? value,
    loanTokenLifetime: (lifetime, { now }, { of }) => {
      const [asked] = of('newLoanToken').slice(-1)
      const current = asked && currentToken(asked.facts)
      return current === undefined ? lifetime : current.expiresAt.getTime() - now.getTime()
    },
  }),
  'The ids of loan applications are UUIDs, and any other id is malformed': alter({
    newApplicationId: () => randomUUID(),
    applicationNamed: (usual, { applicationId }) => {
      if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(applicationId))
        throw new Refusal('invalid_request', 'The application-id is no UUID.')
      return usual
    },
  }),
  'The ids of loan applications are twelve digits': alter({
    newApplicationId: () => String(randomInt(2 ** 39)).padStart(12, '0'),
  }),
  'Ids of loan applications are counted': alter({ newApplicationId: (_, __, { calls }) => String(calls) }),
  'The ids of loan applications must be escaped in a path': alter({
    newApplicationId: () => `L/${randomBytes(9).toString('base64')}+/=`,
  }),
  'A welcome page comes before the selection of a scenario': accept('selectionBeginsWithWelcome'),
  'A selected scenario is answered with a redirect to the page': accept('selectionReturnsToThePage'),
  'Another scenario can be selected while a loan is NEW': alter({
    mayBeSelected: (_, { application }) => application.status === 'NEW',
  }),
})

export const loanVariations: readonly Variation[] = [
  ...calculations,
  ...times,
  ...cancellations,
  ...answers,
  ...names,
]
