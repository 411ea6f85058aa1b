/** Payments that settle sooner, later or not at all, are named otherwise, and judged and refused in another way. */
import { randomBytes } from 'node:crypto'
import type { Variation } from '../defect.ts'
import { atHour } from '../payments/calendar.ts'
import type { Order } from '../payments/payment.ts'
import { DAY, MINUTE } from '../rules/facts.ts'
import type { RefusalWord } from '../rules/refusal-rules.ts'
import { paymentRecordVariations, paymentWordVariations } from './payment-record-variations.ts'

const settlementVariations: readonly Variation[] = [
  {
    id: 'payments-settle-at-once',
    story: 'A payment is completed as soon as its submission has been answered.',
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSP' ? { at: facts.now, status: 'ACSC' } : lawful.nextMove(facts),
    }),
  },
  {
    id: 'payments-settle-the-next-day',
    story: 'A payment is completed a day after its submission.',
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSP'
          ? { at: new Date(facts.now.getTime() + DAY), status: 'ACSC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'payments-stay-in-process',
    story: 'Nobody is told that a payment is completed.',
    rules: { nextMove: () => undefined },
  },
  {
    id: 'pending-payments-come-into-process',
    story: 'A payment that has waited for its day is in ACSP for a while, and then completed.',
    rules: (lawful) => ({
      nextMove: (facts) => {
        const move = lawful.nextMove(facts)
        return move && facts.payment.status === 'PDNG' ? { ...move, status: 'ACSP' } : move
      },
    }),
  },
  {
    id: 'pending-payments-are-rejected',
    story: 'A payment that has waited for its day is rejected on it, for a reason that is not told.',
    rules: (lawful) => ({
      outcomeOfMove: (facts) =>
        facts.payment.status === 'PDNG' ? { status: 'RJCT', cause: 'MS03' } : lawful.outcomeOfMove(facts),
    }),
  },
  {
    id: 'pending-payments-settle-at-midnight',
    story: 'A payment that waits for its day is completed as soon as that day begins.',
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'PDNG'
          ? { at: atHour(facts.executionDay, 0), status: 'ACSC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'denial-rejects-the-payment',
    story: 'A payment that its customer denies is rejected there and then.',
    rules: { outcomeOfDenial: () => ({ status: 'RJCT', cause: 'MS03' }) },
  },
  {
    id: 'submission-can-be-repeated',
    story: 'A second submission is answered like a question for the status.',
    rules: (lawful) => ({
      redeemsPaymentToken: () => true,
      mayBeSubmitted: () => true,
      statusAfterSubmission: (facts) =>
        facts.payment.status === 'ACTC' ? lawful.statusAfterSubmission(facts) : facts.payment.status,
    }),
  },
]

/** The payment that a submission names, whoever has authorized it or not. */
const namedIn = (body: unknown): string | undefined => {
  const orderId = typeof body === 'object' && body !== null && 'orderId' in body ? body.orderId : undefined
  return typeof orderId === 'string' ? orderId : undefined
}

const earlySubmissions: Variation = {
  id: 'early-submission-rejects-the-payment',
  story: 'A payment that is submitted before its customer has authorized it is rejected for good.',
  rules: (lawful) => {
    let isEarly = false
    return {
      orderSubmitted: (facts) => {
        const orderId = namedIn(facts.body) ?? lawful.orderSubmitted(facts)
        isEarly = orderId !== lawful.orderSubmitted(facts)
        return orderId
      },
      redeemsPaymentToken: (facts) => isEarly || lawful.redeemsPaymentToken(facts),
      causesLookedFor: (facts) =>
        isEarly && facts.stage === 'submission' ? ['MS03'] : lawful.causesLookedFor(facts),
      nothingElseForbids: (facts) =>
        !(isEarly && facts.stage === 'submission') && lawful.nothingElseForbids(facts),
    }
  },
}

/** At most 35 characters, as clients of the interface allow. */
const LONGEST_ID = 35

const lettersAndDigits = (length: number): string => randomBytes(length).toString('hex').slice(0, length)

const nameVariations: readonly Variation[] = [
  {
    id: 'order-ids-are-counted',
    story: 'The orderIds are 1, 2, 3 and so on.',
    rules: () => {
      let count = 0
      return { newOrderId: () => String((count += 1)) }
    },
  },
  {
    id: 'order-ids-are-counted-per-environment',
    story: 'The orderIds are 1, 2, 3 and so on, in the sandbox and in production alike.',
    rules: () => {
      const counts = { sandbox: 0, production: 0 }
      return { newOrderId: ({ environment }) => String((counts[environment] += 1)) }
    },
  },
  {
    id: 'order-ids-of-35-characters',
    story: 'An orderId has 35 characters, small letters, digits and hyphens.',
    rules: { newOrderId: () => `pay-2026-${lettersAndDigits(LONGEST_ID - 'pay-2026-'.length)}` },
  },
  {
    id: 'order-ids-to-be-escaped',
    story: 'An orderId holds slashes, plus signs and equals signs.',
    rules: { newOrderId: () => `P/${randomBytes(12).toString('base64')}+/=` },
  },
  {
    id: 'payment-tokens-like-jwts',
    story: 'The tokens of the payment operations look like JWTs, and name no scope.',
    rules: (lawful) => ({
      newPaymentToken: () =>
        `eyJhbGciOiJFUzI1NiJ9.${randomBytes(300).toString('base64url')}.${randomBytes(64).toString('base64url')}`,
      paymentTokenBody: (facts) => ({ ...lawful.paymentTokenBody(facts), scope: undefined }),
    }),
  },
  {
    id: 'payment-tokens-of-five-minutes',
    story: 'The token that an application initiates with lives for five minutes.',
    rules: { paymentTokenLifetime: () => 5 * MINUTE },
  },
  {
    id: 'payment-tokens-of-an-untold-lifetime',
    story: 'The answer with a token of the payment operations does not tell how long it lives.',
    rules: (lawful) => ({
      paymentTokenBody: (facts) => ({ ...lawful.paymentTokenBody(facts), expires_in: undefined }),
    }),
  },
  {
    id: 'payment-tokens-by-another-clock',
    story:
      'Tokens of the payment operations are taken for five minutes longer than they tell, since clocks differ.',
    rules: {
      paymentTokenIsFresh: ({ token, now }) => now.getTime() < token.expiresAt.getTime() + 5 * MINUTE,
    },
  },
]

const STATUSES: Partial<Record<RefusalWord, number>> = {
  invalid_request: 422,
  order_unknown: 403,
  order_state: 400,
  not_authorized: 401,
}

/** What cannot be read as an order names no account. */
const UNREADABLE: Order = {
  method: 'ecomm',
  instructionIdentification: '',
  createdAt: new Date(0),
  debtor: { name: '', iban: '' },
  transfers: [],
  agreed: undefined,
  controlSum: undefined,
  requestedDate: undefined,
}

const contentOf = ({ transfers, debtor }: Order): string => JSON.stringify([debtor, transfers])

const judgementVariations: readonly Variation[] = [
  {
    id: 'payments-refused-with-other-statuses',
    story: 'Malformed orders are refused with 422, unknown ones with 403, those in another state with 400.',
    rules: (lawful) => ({
      refusalStatus: (facts) => {
        const status = facts.endpoint === 'payments' ? STATUSES[facts.error] : undefined
        return status ?? lawful.refusalStatus(facts)
      },
    }),
  },
  {
    id: 'malformed-orders-are-rejected',
    story: 'An initiation that is JSON but no order comes to a payment that is rejected.',
    rules: (lawful) => ({
      orderOf: (facts) => {
        const order = lawful.orderOf(facts)
        return typeof order === 'string' && facts.body !== undefined ? UNREADABLE : order
      },
    }),
  },
  {
    id: 'causes-in-another-order',
    story: 'The causes for a rejection are looked for in the opposite order.',
    rules: (lawful) => ({ causesLookedFor: (facts) => lawful.causesLookedFor(facts).toReversed() }),
  },
  {
    id: 'duplicates-known-by-content',
    story: 'A message is a duplicate if all that it asks for has been asked before, under whatever name.',
    rules: {
      messageIsNew: ({ order, earlier }) =>
        earlier.every((payment) => contentOf(payment.order) !== contentOf(order)),
    },
  },
]

export const paymentVariations: readonly Variation[] = [
  ...settlementVariations,
  earlySubmissions,
  ...nameVariations,
  ...paymentRecordVariations,
  ...judgementVariations,
  ...paymentWordVariations,
]
