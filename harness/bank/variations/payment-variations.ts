/** Other permitted status records, refusals, settlement times, orderIds and checks of payments. */
import { accept, alter, replaceRules, type FactsOf } from '../changes/alter.ts'
import { membersOf, refusal, type Members } from '../changes/answer.ts'
import { both, when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { RuleChange, Variation } from '../defect.ts'
import { atHour, bankDay, localDateTime } from '../rules/payment-calendar.ts'
import type { Order, Payment } from '../rules/payment.ts'
import { randomBytes, randomInt } from '../random.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../rules/facts.ts'
import { hasJson, jwtLike, refusalStatuses } from './words.ts'

const isOfPayments = ({ endpoint }: Pick<FactsOf<'refusalStatus'>, 'endpoint'>): boolean =>
  endpoint === 'payments'

const dateTimes = (form: (statusAt: Date) => string) =>
  alter({ statusDateTime: (_, { payment }) => form(payment.statusAt) })

/** ISO 8601 has both a basic form and dates by week, which begin with the Monday of the week of 4 January. */
const byWeek = (extended: string): string => {
  const day = Date.parse(extended.slice(0, 10))
  const weekday = new Date(day).getUTCDay() || 7
  const thursday = new Date(day + (4 - weekday) * DAY)
  const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 0)) / DAY / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}${extended.slice(10)}`
}

const linksOf = ({ orderId }: Payment): unknown => ({
  self: { href: `/payments/${encodeURIComponent(orderId)}` },
  status: { href: `/payments/${encodeURIComponent(orderId)}/status`, method: 'GET' },
})

const withNote = (body: unknown): Members => ({ ...membersOf(body), note: 'unknown members are allowed' })

const records = variationsOf({
  'The additionalInformation is in Slovak': alter({
    additionalInformation: (_, { reason }) => `Platbu sme zamietli z dôvodu ${reason}. Obráťte sa na banku.`,
  }),
  'The additionalInformation contains the time and the orderId': alter({
    additionalInformation: (text, { answering, payment: { orderId }, now }) =>
      `[${answering} of ${orderId}, ${now.toISOString()}]\n${String(text)}`,
  }),
  'A statusDateTime is in UTC': dateTimes((statusAt) => statusAt.toISOString()),
  'A statusDateTime has an offset of minus five hours': dateTimes((at) => localDateTime(at, -5 * HOUR)),
  'A statusDateTime is in the basic form of ISO 8601': dateTimes((statusAt) =>
    localDateTime(statusAt).replaceAll(/-(?=.*T)|:/g, ''),
  ),
  'A statusDateTime has its day by year, week and weekday': dateTimes((at) => byWeek(localDateTime(at))),
  'A payment that is not rejected has null as its reasonCode': alter({
    paymentBody: (body, { payment: { reason } }) => ({
      reasonCode: null,
      ...membersOf(body),
      ...(reason === undefined && { reasonCode: null, additionalInformation: null }),
    }),
  }),
  'The statusDateTime of a submission is that of a server that is 1.5 seconds late': when(
    ({ payment: { status } }: FactsOf<'statusTime'>) => status === 'ACTC',
    alter({ statusTime: (time) => new Date(time.getTime() - 1.5 * SECOND) }),
  ),
  'A payment record has links, one of which is called status': alter({
    paymentBody: (body, { payment }) => ({ _links: linksOf(payment), ...membersOf(body) }),
  }),
  'All payment records and refusals have the same note': both(
    alter({ paymentBody: withNote }),
    when(isOfPayments, alter({ refusalBody: withNote })),
  ),
  'A payment record is next to another object with the orderId': alter({
    paymentBody: (body, { payment: { orderId }, answering }) => ({
      about: { orderId, at: answering },
      payment: body,
    }),
  }),
  'A submission is answered with 201': alter({ submissionStatus: 201 }),
})

/** The statuses of payments in these cases change in another way. */
const isIn =
  (status: Payment['status']) =>
  ({ payment }: Pick<FactsOf<'nextMove'>, 'payment'>): boolean =>
    payment.status === status

const settlements = variationsOf({
  'A payment is completed directly after its submission': when(
    isIn('ACSP'),
    alter({ nextMove: (_, { now }) => ({ at: now, status: 'ACSC' }) }),
  ),
  'A payment is completed a day after its submission': when(
    isIn('ACSP'),
    alter({ nextMove: (_, { now }) => ({ at: new Date(now.getTime() + DAY), status: 'ACSC' }) }),
  ),
  'A payment is never reported as completed': alter({ nextMove: undefined }),
  'A pending payment is in ACSP before it is completed': when(
    isIn('PDNG'),
    alter({ nextMove: (move) => move && { ...move, status: 'ACSP' } }),
  ),
  'A pending payment is rejected on its day': when(
    isIn('PDNG'),
    alter({ outcomeOfMove: { status: 'RJCT', cause: 'MS03' } }),
  ),
  'A pending payment is completed when its day begins': when(
    isIn('PDNG'),
    alter({ nextMove: (_, { executionDay }) => ({ at: atHour(executionDay, 0), status: 'ACSC' }) }),
  ),
  'A payment that is denied is rejected': alter({ outcomeOfDenial: { status: 'RJCT', cause: 'MS03' } }),
  'A second submission is answered like a status request': both(
    accept('redeemsPaymentToken'),
    accept('mayBeSubmitted'),
    alter({
      statusAfterSubmission: (usual, { payment: { status } }) => (status === 'ACTC' ? usual : status),
    }),
  ),
})

/** Rejects a payment that is submitted before its authorization. The token that it is submitted with stays unused. */
const rejectingEarlySubmissions: RuleChange = (conforming) => {
  let isEarly = false
  return {
    orderSubmitted: (facts) => {
      const { orderId } = membersOf(facts.body)
      const usual = conforming.orderSubmitted(facts)
      isEarly = typeof orderId === 'string' && orderId !== usual
      return typeof orderId === 'string' ? orderId : usual
    },
    redeemsPaymentToken: (facts) => isEarly || conforming.redeemsPaymentToken(facts),
    causesLookedFor: (facts) =>
      isEarly && facts.stage === 'submission' ? ['MS03'] : conforming.causesLookedFor(facts),
    nothingElseForbids: (facts) =>
      !(isEarly && facts.stage === 'submission') && conforming.nothingElseForbids(facts),
  }
}

/** No digits, no vowels, so that no word results, and no letters of hexadecimal numbers. */
const CONSONANTS = 'GHJKLMNPQRSTVWXYZ'

const consonants = (length: number): string =>
  Array.from({ length }, () => CONSONANTS.charAt(randomInt(CONSONANTS.length))).join('')

const hours = (now: Date): number => Number(localDateTime(now).slice(11, 13))

const ids = variationsOf({
  'A payment that is submitted before its approval is rejected': replaceRules(rejectingEarlySubmissions),
  'OrderIds have 24 capital letters': alter({ newOrderId: () => consonants(24) }),
  'OrderIds are counted': alter({ newOrderId: (_, __, { calls }) => String(calls) }),
  'OrderIds are counted in each environment': alter({
    newOrderId: (_, { environment }, { of }) =>
      String(1 + of('newOrderId').filter(({ facts }) => facts.environment === environment).length),
  }),
  // At most 35 characters, as clients of the interface allow.
  'OrderIds have 35 small letters, digits and hyphens': alter({
    newOrderId: () => `pay-2026-${randomBytes(13).toString('hex')}`,
  }),
  'OrderIds must be escaped in paths': alter({
    newOrderId: () => `P/${randomBytes(12).toString('base64')}+/=`,
  }),
  'Payment tokens look like JWTs and have no scope': alter({
    newPaymentToken: () => jwtLike(300),
    paymentTokenBody: (members) => ({ ...members, scope: undefined }),
  }),
  'Payment tokens of the application live for five minutes': alter({ paymentTokenLifetime: 5 * MINUTE }),
  'Payment tokens are issued without their lifetime': alter({
    paymentTokenBody: (members) => ({ ...members, expires_in: undefined }),
  }),
  'Payment tokens are accepted five minutes after expires_in': alter({
    paymentTokenIsFresh: (_, { token, now }) => now.getTime() < token.expiresAt.getTime() + 5 * MINUTE,
  }),
})

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

/** The refusals of several frameworks for an invalid member of a request. */
const refused = (body: (facts: FactsOf<'refusalBody'>) => unknown) =>
  when(isOfPayments, alter({ refusalBody: (_, facts) => body(facts) }))

const checks = variationsOf({
  'Payments are refused with other statuses': when(
    isOfPayments,
    refusalStatuses({ invalid_request: 422, order_unknown: 403, order_state: 400, not_authorized: 401 }),
  ),
  'A malformed order results in a rejected payment': alter({
    orderOf: (order, { body }) => (typeof order === 'string' && body !== undefined ? UNREADABLE : order),
  }),
  'Causes of a rejection are checked in reverse': alter({ causesLookedFor: (causes) => causes.toReversed() }),
  'Orders for the same day are accepted from 7 to 18 local time': alter({
    isWithinHours: (_, { executionDay, now }) =>
      executionDay !== bankDay(now) || (hours(now) >= 7 && hours(now) < 18),
  }),
  'An order with the content of an earlier one is a duplicate': alter({
    messageIsNew: (_, { order, earlier }) =>
      earlier.every((payment) => contentOf(payment.order) !== contentOf(order)),
  }),
  'Refusals of payments have a list of errors with a field': refused(({ error, description: message }) => ({
    status: 400,
    error,
    errors: [{ field: 'orderId', message }],
  })),
  'Refusals of payments have an error under the name orderId': refused(({ error: title, description }) => ({
    title,
    status: 400,
    errors: { orderId: [description] },
  })),
  'Refusals of payments repeat the orderId': refusal('paymentStatus', (sent, { url }) => {
    const [, orderId = ''] = /\/payments\/([^/]+)\/status$/.exec(url.pathname) ?? []
    const additionalInformation = ['See the documentation.']
    return hasJson(sent)
      ? { json: { ...sent.members, orderId: decodeURIComponent(orderId), additionalInformation } }
      : undefined
  }),
})

export const paymentVariations: readonly Variation[] = [...settlements, ...ids, ...records, ...checks]
