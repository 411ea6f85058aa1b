import { randomBytes, randomInt } from '../random.ts'
import { atHour, bankDay, localDateTime } from '../payments/calendar.ts'
import { DAY, HOUR, MINUTE } from '../rules/facts.ts'
import { rewriteJson } from './wires.ts'
import type { Variation } from '../defect.ts'
import type { Order, Payment, ReasonCode } from '../payments/payment.ts'
import type { RefusalWord } from '../rules/account-rules.ts'

/** Other permitted status records and refusals of payments. */

const IN_SLOVAK: Readonly<Record<ReasonCode, string>> = {
  AC01: 'Číslo účtu nie je správne.',
  AC04: 'Účet bol zrušený.',
  AG01: 'Z tohto typu účtu sa platiť nedá.',
  AM03: 'Mena sa nedá spracovať.',
  AM04: 'Na účte nie je dosť prostriedkov.',
  AM05: 'Takýto príkaz sme už dostali.',
  AM09: 'Suma nie je dohodnutá suma.',
  AM10: 'Súčet súm sa nerovná kontrolnému súčtu.',
  DT01: 'Dátum nie je platný.',
  MS03: 'Platbu sme zamietli. Obráťte sa, prosím, na banku.',
  RC01: 'Kód banky nemá správny tvar.',
  RR03: 'Chýba meno alebo adresa príjemcu.',
  TM01: 'Príkaz prišiel po uzávierke.',
}

const EASTERN = -5 * HOUR

const NOTE = 'unknown members are allowed'

const hourAtTheBank = (now: Date): number => Number(localDateTime(now).slice(11, 13))

const linksOf = ({ orderId }: Payment): unknown => ({
  self: { href: `/payments/${encodeURIComponent(orderId)}` },
  status: { href: `/payments/${encodeURIComponent(orderId)}/status`, method: 'GET' },
})

const paymentRecordVariations: readonly Variation[] = [
  {
    id: 'explanations-in-slovak',
    story: 'The additionalInformation is in Slovak.',
    rules: { additionalInformation: ({ reason }) => IN_SLOVAK[reason] },
  },
  {
    id: 'explanations-with-the-time',
    story: 'The additionalInformation contains the time and the orderId, so that it differs in each answer.',
    rules: (lawful) => ({
      additionalInformation: (facts) =>
        `[${facts.telling} of ${facts.payment.orderId}, ${facts.now.toISOString()}]\n${String(lawful.additionalInformation(facts))}`,
    }),
  },
  {
    id: 'date-times-in-utc',
    story: 'A statusDateTime ends with a Z.',
    rules: { statusDateTime: ({ payment }) => payment.statusAt.toISOString() },
  },
  {
    id: 'date-times-of-another-zone',
    story: 'A statusDateTime has an offset of minus five hours: the server is in another country.',
    rules: { statusDateTime: ({ payment }) => localDateTime(payment.statusAt, EASTERN) },
  },
  {
    id: 'no-reason-is-null',
    story: 'A payment that is not rejected has null for its reasonCode and its additionalInformation.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({
        reasonCode: null,
        ...lawful.paymentBody(facts),
        ...(facts.payment.reason === undefined && { reasonCode: null, additionalInformation: null }),
      }),
    }),
  },
  {
    id: 'payments-with-links',
    story: 'A status record has links, one of which is called status.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({ _links: linksOf(facts.payment), ...lawful.paymentBody(facts) }),
    }),
  },
  {
    id: 'payments-and-refusals-with-a-constant-note',
    story: 'Every record and every refusal of the payment operations has the same note.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({ ...lawful.paymentBody(facts), note: NOTE }),
      refusalBody: (facts) => {
        const body = lawful.refusalBody(facts)
        return facts.endpoint === 'payments' && typeof body === 'object' ? { ...body, note: NOTE } : body
      },
    }),
  },
  {
    id: 'submission-is-created',
    story: 'A submission is answered with 201.',
    rules: { submissionStatus: () => 201 },
  },
]

/** No digits, no vowels, so that no word results, and no letters of hexadecimal numbers. */
const CONSONANTS = 'GHJKLMNPQRSTVWXYZ'

const consonants = (length: number): string =>
  Array.from({ length }, () => CONSONANTS.charAt(randomInt(CONSONANTS.length))).join('')

/** ISO 8601 has both a basic form and dates by week, which begin with the Monday of the week of 4 January. */
const byWeek = (extended: string): string => {
  const day = Date.parse(extended.slice(0, 10))
  const weekday = new Date(day).getUTCDay() || 7
  const thursday = new Date(day + (4 - weekday) * DAY)
  const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 0)) / DAY / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}${extended.slice(10)}`
}

const basic = (extended: string): string => extended.replaceAll(/-(?=.*T)|:/g, '')

/** The refusals of several frameworks for an invalid member of a request. */
const refusing =
  (body: (error: string, description: string) => unknown): NonNullable<Variation['rules']> =>
  (lawful) => ({
    refusalBody: (facts) =>
      facts.endpoint === 'payments' ? body(facts.error, facts.description) : lawful.refusalBody(facts),
  })

const orderAskedFor = ({ url }: Request): string | undefined => {
  const orderId = /\/payments\/([^/]+)\/status$/.exec(new URL(url).pathname)?.[1]
  return orderId === undefined ? undefined : decodeURIComponent(orderId)
}

const paymentWordVariations: readonly Variation[] = [
  {
    id: 'order-ids-of-consonants',
    story: 'An orderId has 24 capital letters, and none that a hexadecimal number has.',
    rules: { newOrderId: () => consonants(24) },
  },
  {
    id: 'date-times-in-the-basic-form',
    story: 'A statusDateTime is in the basic form of ISO 8601, without hyphens and colons.',
    rules: { statusDateTime: ({ payment }) => basic(localDateTime(payment.statusAt)) },
  },
  {
    id: 'date-times-by-week',
    story: 'A statusDateTime names its day by year, week and weekday.',
    rules: { statusDateTime: ({ payment }) => byWeek(localDateTime(payment.statusAt)) },
  },
  {
    id: 'payment-refusals-name-a-member',
    story: 'A refusal of payments has a list of errors, each with the name of the member at fault: orderId.',
    rules: refusing((error, message) => ({
      status: 400,
      error,
      errors: [{ field: 'orderId', message }],
    })),
  },
  {
    id: 'payment-refusals-under-a-member',
    story: 'A refusal of payments has what is wrong under the name of the member at fault: orderId.',
    rules: refusing((title, detail) => ({ title, status: 400, errors: { orderId: [detail] } })),
  },
  {
    id: 'payment-refusals-repeat-the-order',
    story:
      'A refused status repeats the orderId that was asked for, and has a list of additionalInformation.',
    wire: rewriteJson(
      ({ text, request }) =>
        JSON.stringify({
          ...(JSON.parse(text) as object),
          orderId: orderAskedFor(request),
          additionalInformation: ['See the documentation.'],
        }),
      ({ status, request }) => status >= 400 && orderAskedFor(request) !== undefined,
    ),
  },
  {
    id: 'payments-in-an-envelope',
    story: 'A status record is next to another object that has the orderId as well.',
    rules: (lawful) => ({
      paymentBody: (facts) => ({
        about: { orderId: facts.payment.orderId, told: facts.telling },
        payment: lawful.paymentBody(facts),
      }),
    }),
  },
]

/** Other permitted settlement times, orderIds, checks and refusals of payments. */

const settlementVariations: readonly Variation[] = [
  {
    id: 'payments-settle-at-once',
    story: 'A payment is completed directly after the answer to its submission.',
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
    story: 'The status of a payment never says that it is completed.',
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
    story: 'A payment that has waited for its day is rejected on it, for a reason that is not specified.',
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
    story: 'A payment that its customer denies is rejected at once.',
    rules: { outcomeOfDenial: () => ({ status: 'RJCT', cause: 'MS03' }) },
  },
  {
    id: 'submission-can-be-repeated',
    story: 'A second submission is answered like a status request.',
    rules: (lawful) => ({
      redeemsPaymentToken: () => true,
      mayBeSubmitted: () => true,
      statusAfterSubmission: (facts) =>
        facts.payment.status === 'ACTC' ? lawful.statusAfterSubmission(facts) : facts.payment.status,
    }),
  },
]

/** The payment that a submission names, authorized or not. */
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
    story: 'An orderId contains slashes, plus signs and equals signs.',
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
    story: 'The answer with a token of the payment operations does not contain its lifetime.',
    rules: (lawful) => ({
      paymentTokenBody: (facts) => ({ ...lawful.paymentTokenBody(facts), expires_in: undefined }),
    }),
  },
  {
    id: 'payment-tokens-by-another-clock',
    story:
      'Tokens of the payment operations are accepted for five minutes after their expires_in, since clocks differ.',
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

/** A malformed order names no account. */
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
    story: 'An initiation that is JSON but not an order results in a rejected payment.',
    rules: (lawful) => ({
      orderOf: (facts) => {
        const order = lawful.orderOf(facts)
        return typeof order === 'string' && facts.body !== undefined ? UNREADABLE : order
      },
    }),
  },
  {
    id: 'causes-in-another-order',
    story: 'The causes of a rejection are checked in the opposite order.',
    rules: (lawful) => ({ causesLookedFor: (facts) => lawful.causesLookedFor(facts).toReversed() }),
  },
  {
    id: 'hours-by-local-time',
    story: 'Orders for the same day are accepted from 7 to 18 by the local time of the bank.',
    rules: {
      isWithinHours: ({ executionDay, now }) => {
        const hour = hourAtTheBank(now)
        return executionDay !== bankDay(now) || (7 <= hour && hour < 18)
      },
    },
  },
  {
    id: 'duplicates-known-by-content',
    story: 'An order is a duplicate if it equals an earlier one, except for its identification.',
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
