import { fieldOf, jsonOf } from '../session/answer.ts'
import { merge } from '../session/payments-body.ts'
import { isFilled, namesIn } from './filled.ts'
import { placeOf } from './parts.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { LoansProfile } from '../profile/loans.ts'
import type { PaymentsProfile } from '../profile/payments.ts'
import type { Profile } from '../profile/schema.ts'
import type { Ordinary } from './filled.ts'

/**
 * What requests say is not shown. A target that has accepted none of those that are ordinary, and refuses them, may be
 * asked in other words than its own: then nothing that it does is known, and nothing is held against it.
 */

/** One part of the profile that says what a request carries. */
interface Form {
  /** `loans.submission.body` */
  readonly key: string
  /** What the profile has there, in names. */
  readonly bound: string
  /** The part of the profile that has its path. */
  readonly part: string
  /** Whether that is what was sent, with values that every conforming target takes. */
  readonly isOrdinary: (sent: string | undefined) => boolean
  /** Whether what was sent has it at all; all that is sent there has, where this is left out. */
  readonly isCarried?: (sent: string | undefined) => boolean
  /** Whether a refusal shows that the request was understood. */
  readonly isUnderstood?: (refusal: Exchange) => boolean
}

const jsonIn = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const bodyForm = (
  at: Pick<Form, 'key' | 'part'>,
  template: unknown,
  ordinary: Ordinary,
): Pick<Form, 'key' | 'part' | 'bound' | 'isOrdinary'> => ({
  ...at,
  bound: namesIn(template),
  isOrdinary: (sent) => isFilled(template, jsonIn(sent), ordinary),
})

const is =
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
  // A result that is negative for a reason of the interface is an answer to what was asked.
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
      isCarried: (sent) => isFilled(merge(body, capacity), jsonIn(sent)),
    },
    {
      ...bodyForm({ part: 'loans.submission', key: 'loans.submission.body' }, order, amount),
      bound: namesIn(submission.body),
    },
  ]
}

const ordinaryOrder = (payments: PaymentsProfile): Ordinary => {
  const { amount, currency, debtor, creditor } = payments
  return {
    amount: is(amount),
    amountText: is(amount.toFixed(2)),
    amountMinor: is(Math.round(amount * 100)),
    amountMinorText: is(String(Math.round(amount * 100))),
    currency: is(currency),
    ...{ debtorName: is(debtor.name), debtorIban: is(debtor.iban) },
    ...{ creditorName: is(creditor.name), creditorIban: is(creditor.iban) },
  }
}

const paymentForms = (payments: PaymentsProfile): readonly Form[] =>
  payments.initiations.map(({ body }, at) => {
    const part = `payments.initiations.${at}`
    return bodyForm({ part, key: `${part}.body` }, body, ordinaryOrder(payments))
  })

const forms = new WeakMap<Profile, readonly Form[]>()

const formsOf = (profile: Profile): readonly Form[] => {
  const { loans, payments } = profile
  const found = forms.get(profile) ?? [
    ...(loans === undefined ? [] : loanForms(loans)),
    ...(payments === undefined ? [] : paymentForms(payments)),
  ]
  forms.set(profile, found)
  return found
}

/** Refused for who asks, where, or how often; the request itself was not looked at. */
const UNREAD: ReadonlySet<number> = new Set([401, 403, 404, 405, 429])

const statusOf = ({ response }: Exchange): number => response?.status ?? 0

export const isRefusedForWhatItSays = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && !UNREAD.has(statusOf(exchange))

export const isTaken = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300

const isAt =
  (profile: Profile, { part }: Form) =>
  (exchange: Exchange): boolean =>
    placeOf(profile, exchange)?.part.key === part

/** One that was taken, or refused for a reason of the interface, is a request that fits. */
const fits = ({ isCarried, isUnderstood }: Form, exchange: Exchange): boolean =>
  (isCarried?.(exchange.request.body?.text) ?? true) &&
  (isTaken(exchange) || (isRefusedForWhatItSays(exchange) && isUnderstood?.(exchange) === true))

/** Beside the longer body that is merged over it, the shorter one is the reason why nothing is understood. */
const withoutFollowing = (misfits: readonly Misfit[]): readonly Misfit[] =>
  misfits.some(({ key }) => key === 'loans.precalculation.body')
    ? misfits.filter(({ key }) => key !== 'loans.precalculation.capacity')
    : misfits

/**
 * @param exchanges those of one scenario.
 * @param all those of the run so far.
 */
export const misfittingRequests = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] =>
  withoutFollowing(
    formsOf(profile).flatMap((form) => {
      const isThere = isAt(profile, form)
      const refusal = exchanges.find(
        (exchange) =>
          isRefusedForWhatItSays(exchange) &&
          form.isOrdinary(exchange.request.body?.text) &&
          isThere(exchange),
      )
      if (refusal === undefined) return []
      for (const exchange of all()) if (isThere(exchange) && fits(form, exchange)) return []
      return [
        {
          ...{ key: form.key, bound: form.bound, expected: 'request of the target' },
          shown: `each ordinary request like that is answered ${statusOf(refusal)}`,
          exchange: refusal.id,
        },
      ]
    }),
  )
