import { anywhere, fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { merge } from '../template.ts'
import { hasAny, isRefused, isRefusedForContent, isSuccess, sentJson, statusOf } from './mismatch.ts'
import { placeOf } from './paths.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ProfileMismatch, RunExchanges } from './mismatch.ts'
import type { LoansProfile } from '../schema/loans.ts'
import { ENVIRONMENTS } from '../environments.ts'
import { partiesIn, type PaymentsProfile } from '../schema/payments.ts'
import { isObject } from '../../evidence/json.ts'
import type { Profile } from '../schema.ts'

/**
 * The content of requests is not shown. If a target has accepted no ordinary request, and refuses them, the request in
 * the profile may be wrong: then the target cannot be judged by it.
 */

/** The permitted values of placeholders; any other placeholder permits every text and number. */
export type Ordinary = Readonly<Record<string, (value: unknown) => boolean>>

const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

const WHOLE = /^\{(\w+)\}$/

const isFilledText = (template: string, sent: unknown, ordinary: Ordinary): boolean => {
  const whole = WHOLE.exec(template)?.[1]
  if (whole !== undefined) return ordinary[whole]?.(sent) ?? isScalar(sent)
  // A value inside a longer text cannot be separated from the text around it.
  return /\{\w+\}/.test(template) ? isScalar(sent) : sent === template
}

/** Whether the members are exactly those of the template, with filled values. */
export const isFilled = (template: unknown, sent: unknown, ordinary: Ordinary = {}): boolean => {
  if (typeof template === 'string') return isFilledText(template, sent, ordinary)
  if (Array.isArray(template))
    return (
      Array.isArray(sent) &&
      sent.length === template.length &&
      template.every((item, at) => isFilled(item, sent[at], ordinary))
    )
  if (!isObject(template)) return sent === template
  const keys = Object.keys(template)
  return (
    isObject(sent) &&
    Object.keys(sent).length === keys.length &&
    keys.every((key) => Object.hasOwn(sent, key) && isFilled(template[key], sent[key], ordinary))
  )
}

const MOST_NAMES = 8

/** The names of its members, never values, which may be secret. `order.totalAmount, order.orderNo` */
export const namesIn = (template: unknown): string => {
  const names = leaves(template, [])
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' …' : '')
}

const leaves = (value: unknown, at: readonly string[]): readonly string[] =>
  isObject(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...at, key]))
    : [at.join('.')]

/** A part of the profile with the content of a request. */
interface Form {
  /** `loans.submission.body` */
  readonly key: string
  /** The names of its members. */
  readonly bound: string
  /** The part of the profile with its path. */
  readonly part: string
  /** Whether the request has this content, with values that every conforming target accepts. */
  readonly isOrdinary: (exchange: Exchange) => boolean
  /** Whether the request has this content at all; always, if left out. */
  readonly isCarried?: (exchange: Exchange) => boolean
  /** Whether a refusal shows that the request was understood. */
  readonly isUnderstood?: (refusal: Exchange) => boolean
}

const bodyForm = (
  at: Pick<Form, 'key' | 'part'>,
  template: unknown,
  ordinary: Ordinary,
): Pick<Form, 'key' | 'part' | 'bound' | 'isOrdinary'> => ({
  ...at,
  bound: namesIn(template),
  isOrdinary: (exchange) => isFilled(template, sentJson(exchange), ordinary),
})

/** Whether what was sent is one of these values. */
export const is =
  (...values: readonly unknown[]) =>
  (sent: unknown): boolean =>
    values.includes(sent)

/** Limits, Loan amount; in EUR. */
const isLoanAmount = (sent: unknown): boolean =>
  Number.isSafeInteger(sent) && Number(sent) >= 100 && Number(sent) <= 2000

/** Limits, Loan precalculation scenarios: the third of them is positive. */
const HOUSEHOLD: Ordinary = { amount: is(250), income: is(1050), expenses: is(410), children: is(2) }

const loanForms = ({ precalculation, submission, scenario }: LoansProfile): readonly Form[] => {
  const { body, capacity, cause } = precalculation
  // A negative result with a documented reason shows that the request was understood.
  const isUnderstood = (refusal: Exchange): boolean =>
    cause !== undefined &&
    [cause.tooLow, cause.tooHigh, cause.insufficient].some(
      (word) => fieldOf(jsonOf(refusal), cause.member) === word,
    )
  const calculation = { part: 'loans.precalculation', isUnderstood }
  const amount: Ordinary = { amount: isLoanAmount }
  const order = scenario.kind === 'parameter' ? merge(submission.body, scenario.patch) : submission.body
  return [
    { ...calculation, ...bodyForm({ ...calculation, key: 'loans.precalculation.body' }, body, amount) },
    {
      ...calculation,
      ...bodyForm({ ...calculation, key: 'loans.precalculation.capacity' }, merge(body, capacity), HOUSEHOLD),
      bound: namesIn(capacity),
      isCarried: (exchange) => isFilled(merge(body, capacity), sentJson(exchange)),
    },
    {
      ...bodyForm({ part: 'loans.submission', key: 'loans.submission.body' }, order, amount),
      bound: namesIn(submission.body),
    },
  ]
}

const ordinaryOrder = (payments: PaymentsProfile): Ordinary => {
  const { amount, currency } = payments
  const each = (value: (parties: ReturnType<typeof partiesIn>) => string): readonly string[] =>
    ENVIRONMENTS.map((environment) => value(partiesIn(payments, environment)))
  return {
    amount: is(amount),
    amountText: is(amount.toFixed(2)),
    amountMinor: is(Math.round(amount * 100)),
    amountMinorText: is(String(Math.round(amount * 100))),
    currency: is(currency),
    debtorName: is(...each(({ debtor }) => debtor.name)),
    debtorIban: is(...each(({ debtor }) => debtor.iban)),
    creditorName: is(...each(({ creditor }) => creditor.name)),
    creditorIban: is(...each(({ creditor }) => creditor.iban)),
  }
}

const paymentForms = (payments: PaymentsProfile): readonly Form[] =>
  payments.initiations.map(({ body }, at) => {
    const part = `payments.initiations.${at}`
    return bodyForm({ part, key: `${part}.body` }, body, ordinaryOrder(payments))
  })

const formsOf = ({ loans, payments }: Profile): readonly Form[] => [
  ...(loans === undefined ? [] : loanForms(loans)),
  ...(payments === undefined ? [] : paymentForms(payments)),
]

/** What shows that the customer has authorized a payment, where the profile says it: body and headers of the submission. */
const SUBMISSION = 'payments.submission'

/**
 * If no submission was ever accepted, and one is refused after the customer has authorized a payment, what the profile sends
 * with it may be wrong. A submission without anything of the profile's own is as the interface has it, and so is its path.
 */
const mismatchedSubmissions = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const { payments } = profile
  if (payments === undefined) return []
  const { submission, headers } = payments
  const isBody = submission.body !== undefined
  if (!isBody && Object.keys(headers).length === 0) return []
  const isThere = (exchange: Exchange): boolean => placeOf(profile, exchange)?.part.key === SUBMISSION
  const refusal = exchanges.findLast(
    (exchange, at) =>
      isThere(exchange) && isRefusedForWhatItCarries(exchange) && mayBeAuthorized(exchanges.slice(0, at)),
  )
  if (refusal === undefined || hasAny(all(), (one) => isThere(one) && isCarriedOut(one))) return []
  return [
    {
      key: isBody ? `${SUBMISSION}.body` : 'payments.headers',
      bound: isBody ? namesIn(submission.body) : Object.keys(headers).join(', '),
      expected: 'submission of the target',
      shown: `each submission is answered ${statusOf(refusal)}`,
      exchange: refusal.id,
    },
  ]
}

/** Whether the last authorization of a payment did not end with an error: such a payment must not be submitted. */
const mayBeAuthorized = (before: readonly Exchange[]): boolean => {
  const response = before.findLast(({ operation }) => operation === 'authorizePayment')?.response
  if (response === undefined || response.status >= 400) return false
  return !response.headers.some(
    ([name, value]) => name.toLowerCase() === 'location' && /[?&#]error=/.test(value),
  )
}

const isAt =
  (profile: Profile, { part }: Form) =>
  (exchange: Exchange): boolean =>
    placeOf(profile, exchange)?.part.key === part

/** A request fits if it was accepted, or refused with a documented reason. */
const fits = ({ isCarried, isUnderstood }: Form, exchange: Exchange): boolean =>
  (isCarried?.(exchange) ?? true) &&
  (isSuccess(exchange) || (isRefusedForContent(exchange) && isUnderstood?.(exchange) === true))

/** If both a body and an extension of it are refused, only the body is reported. */
const withoutFollowing = (mismatches: readonly ProfileMismatch[]): readonly ProfileMismatch[] =>
  mismatches.some(({ key }) => key === 'loans.precalculation.body')
    ? mismatches.filter(({ key }) => key !== 'loans.precalculation.capacity')
    : mismatches

export const mismatchedRequests = (seen: RunExchanges): readonly ProfileMismatch[] => [
  ...mismatchedForms(seen),
  ...mismatchedSubmissions(seen),
]

/** Accepted, or answered with a status to which only a submission leads, whatever the HTTP status says. */
const isCarriedOut = (submission: Exchange): boolean =>
  isSuccess(submission) ||
  anywhere(jsonOf(submission), 'status').some((status) => ['ACSP', 'ACSC', 'PDNG'].includes(String(status)))

/** Not a missing path, and not the rate. */
const isRefusedForWhatItCarries = (exchange: Exchange): boolean =>
  isRefused(exchange) && ![404, 405, 429].includes(statusOf(exchange))

const mismatchedForms = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] =>
  withoutFollowing(
    formsOf(profile).flatMap((form) => {
      const isThere = isAt(profile, form)
      const refusal = exchanges.find(
        (exchange) => isRefusedForContent(exchange) && form.isOrdinary(exchange) && isThere(exchange),
      )
      if (refusal === undefined) return []
      if (hasAny(all(), (exchange) => isThere(exchange) && fits(form, exchange))) return []
      return [
        {
          key: form.key,
          bound: form.bound,
          expected: 'request of the target',
          shown: `each ordinary request like that is answered ${statusOf(refusal)}`,
          exchange: refusal.id,
        },
      ]
    }),
  )
