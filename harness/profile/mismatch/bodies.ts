import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import { headerOf, isSuccess, type Exchange } from '../../evidence/exchange.ts'
import { isScalar, leavesOf } from './kinds.ts'
import { ENVIRONMENTS } from '../environment.ts'
import { bodyOfCall } from '../schema/loans.ts'
import { partiesIn, type PaymentsProfile } from '../schema/payments.ts'
import { fill, merge, placeholdersOf, withOtherAmounts } from '../template.ts'
import { answered, isRefusedForContent, sentJson, type KeyRow } from './mismatch.ts'
import { isOf } from './paths.ts'
import type { Profile } from '../schema.ts'

/**
 * The content of requests is not shown. If a target has accepted no ordinary request, and refuses them, the request in
 * the profile may be wrong: then the target cannot be judged by it.
 */

/** The permitted values of placeholders; any other placeholder permits every text and number. */
type Ordinary = Readonly<Record<string, (value: unknown) => boolean>>

const isFilledText = (template: string, sent: unknown, ordinary: Ordinary): boolean => {
  const whole = /^\{(\w+)\}$/.exec(template)?.[1]
  if (whole !== undefined) return ordinary[whole]?.(sent) ?? isScalar(sent)
  // A value inside a longer text cannot be separated from the text around it.
  return /\{\w+\}/.test(template) ? isScalar(sent) : sent === template
}

/** Whether the members are exactly those of the template, with filled values. */
export const isFilled = (template: unknown, sent: unknown, ordinary: Ordinary = {}): boolean => {
  if (typeof template === 'string') return isFilledText(template, sent, ordinary)
  if (!isObjectOrList(template)) return sent === template
  const keys = Object.keys(template)
  return (
    isObjectOrList(sent) &&
    Array.isArray(sent) === Array.isArray(template) &&
    Object.keys(sent).length === keys.length &&
    keys.every((key) => Object.hasOwn(sent, key) && isFilled(template[key], sent[key], ordinary))
  )
}

const MOST_NAMES = 8

const pathsIn = (value: unknown, at: readonly string[] = []): readonly string[] =>
  isObjectOrList(value)
    ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...at, key]))
    : [at.join('.')]

/** The names of its members, never values, which may be secret. `order.totalAmount, order.orderNo` */
export const namesIn = (template: unknown): string => {
  const names = pathsIn(template)
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' …' : '')
}

export const is =
  (...values: readonly unknown[]) =>
  (sent: unknown): boolean =>
    values.includes(sent)

/** Limits, Loan amount; in EUR. */
export const [SMALLEST_LOAN, LARGEST_LOAN] = [100, 2000]

export const isLoanAmount = (sent: unknown): boolean =>
  Number.isSafeInteger(sent) && Number(sent) >= SMALLEST_LOAN && Number(sent) <= LARGEST_LOAN

/** Limits, Loan precalculation scenarios: the third to the sixth have this household. */
export const household = (amount: number): Ordinary => ({
  amount: is(amount),
  income: is(1050),
  expenses: is(410),
  children: is(2),
})

/** The body of a request, and the part of the profile with its path. */
interface Body {
  readonly key: string
  readonly part: string
  /** The body as it is sent; by default the value of the key. */
  readonly template?: unknown
  /** The values that every conforming target accepts. */
  readonly ordinary: Ordinary
  /** Whether only an accepted request with all its members shows that the body fits. */
  readonly isExtension?: true
}

const ordinaryOrder = (payments: PaymentsProfile): Ordinary => {
  const { amount, currency } = payments
  const values = Object.entries(withOtherAmounts({ amount, currency }))
  const parties = ENVIRONMENTS.map((environment) => partiesIn(payments, environment))
  return {
    ...Object.fromEntries(values.map(([name, value]) => [name, is(value)])),
    debtorName: is(...parties.map(({ debtor }) => debtor.name)),
    debtorIban: is(...parties.map(({ debtor }) => debtor.iban)),
    creditorName: is(...parties.map(({ creditor }) => creditor.name)),
    creditorIban: is(...parties.map(({ creditor }) => creditor.iban)),
  }
}

const CALCULATION = 'loans.precalculation'

const bodiesOf = ({ loans, payments }: Profile): readonly Body[] => {
  const bodies = (payments?.initiations ?? []).map((_, at): Body => {
    const part = `payments.initiations.${at}`
    return { key: `${part}.body`, part, ordinary: payments ? ordinaryOrder(payments) : {} }
  })
  if (loans === undefined) return bodies
  const { precalculation, submission, scenario } = loans
  const ordinary = { amount: isLoanAmount }
  const whole = merge(precalculation.body, precalculation.capacity)
  const order = scenario.kind === 'parameter' ? merge(submission.body, scenario.patch) : submission.body
  return [
    ...bodies,
    { key: `${CALCULATION}.body`, part: CALCULATION, ordinary },
    {
      key: `${CALCULATION}.capacity`,
      part: CALCULATION,
      template: whole,
      ordinary: household(250),
      isExtension: true,
    },
    { key: 'loans.submission.body', part: 'loans.submission', template: order, ordinary },
  ]
}

const rowOf = (profile: Profile, body: Body): KeyRow => {
  const { key, part, ordinary, isExtension = false } = body
  const bound = fieldOf(profile, key)
  const { template = bound } = body
  const cause = part === CALCULATION ? profile.loans?.precalculation.cause : undefined
  const causes = [cause?.tooLow, cause?.tooHigh, cause?.insufficient]
  /** A negative result with a documented reason shows that the request was understood. */
  const isUnderstood = (refusal: Exchange): boolean =>
    cause !== undefined &&
    isRefusedForContent(refusal) &&
    causes.some((word) => fieldOf(jsonOf(refusal), cause.member) === word)
  return {
    key,
    bound: namesIn(bound),
    expected: 'request of the target',
    uses: isOf(profile, part),
    fits: (exchange) =>
      (!isExtension || isFilled(template, sentJson(exchange))) &&
      (isSuccess(exchange) || isUnderstood(exchange)),
    contradicts: (exchange) =>
      isRefusedForContent(exchange) && isFilled(template, sentJson(exchange), ordinary),
    shown: answered('each ordinary request like that'),
  }
}

/** The second variant is asked for an account of the list, by its id or its IBAN, in a body. */
const accountRows = (profile: Profile): readonly KeyRow[] =>
  ['readAccount.picked', 'readAccount.typed', 'listTransactions.picked', 'listTransactions.typed'].flatMap(
    (name): readonly KeyRow[] => {
      const key = `secondVariant.${name}`
      const template = fieldOf(profile, key)
      const [place] = placeholdersOf(template)
      if (!isObjectOrList(template) || place === undefined) return []
      const isAt = isOf(profile, key.slice(0, key.lastIndexOf('.')))
      const valueIn = (exchange: Exchange): unknown => fieldOf(sentJson(exchange), place.at.join('.'))
      const senderOf = ({ request }: Exchange) => headerOf(request.headers, 'authorization')
      return [
        {
          key,
          bound: namesIn(template),
          expected: 'account of the list',
          uses: (exchange) =>
            isAt(exchange) &&
            Object.entries(template).every(([at, own]) => isFilled(own, fieldOf(sentJson(exchange), at))),
          contradicts: (exchange, at, exchanges) =>
            isRefusedForContent(exchange) &&
            exchanges
              .slice(0, at)
              .filter((one) => one.operation === 'listAccounts' && senderOf(one) === senderOf(exchange))
              .some((one) => leavesOf(jsonOf(one)).some(({ value }) => value === valueIn(exchange))),
          shown: answered('each request for a listed account'),
        },
      ]
    },
  )

const WORDS = ['cancelled', 'expired', 'nonClient', 'client'] as const

/** The words that select a scenario of the loan sandbox, with a call or with the submission. */
const scenarioRows = (profile: Profile): readonly KeyRow[] => {
  const scenario = profile.loans?.scenario
  // On pages, the recipe itself reports a missing button.
  if (scenario === undefined || scenario.kind === 'page') return []
  const [part, template] =
    scenario.kind === 'call' ? ['loans.scenario', bodyOfCall(scenario)] : ['loans.submission', scenario.patch]
  const [place] = placeholdersOf(template)
  if (place === undefined) return []
  const at = place.at.join('.')
  const isAt = isOf(profile, part)
  const wordIn = (exchange: Exchange): (typeof WORDS)[number] | undefined => {
    const sent = fieldOf(sentJson(exchange), at)
    return WORDS.find((word) => fieldOf(fill(template, { scenario: scenario.values[word] }), at) === sent)
  }
  return WORDS.map((word) => ({
    key: `loans.scenario.values.${word}`,
    bound: scenario.values[word],
    expected: 'scenario of the target',
    uses: (exchange) => isAt(exchange) && wordIn(exchange) === word,
    contradicts: isRefusedForContent,
    shown: answered('each request with it'),
  }))
}

export const bodyKeys = (profile: Profile): readonly KeyRow[] => [
  ...bodiesOf(profile).map((body) => rowOf(profile, body)),
  ...accountRows(profile),
  ...scenarioRows(profile),
]
