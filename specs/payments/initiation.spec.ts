import { constantFrom, integer, oneof, record, string } from 'fast-check'
import {
  brokeDown,
  check,
  draws,
  held,
  Inconclusive,
  isRefusedBetween,
  note,
  NotReached,
  wasProcessed,
  type Exchange,
  type ObservedExchange,
  type RecordOf,
} from '../../harness/check/index.ts'
import {
  change,
  property,
  scenario,
  type Change,
  type Order,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import { PAYMENT } from './model.ts'
import { initiating } from './options.ts'
import { firstMoveOf } from './model-walk.ts'
import { whyNotAccepted } from './submissions.ts'
import { aMoment, orderIdIn, readBack } from './status-reads.ts'
import { unknownOrderIds } from './unknown-order-ids.ts'
import { checkLaws } from './record-rules.ts'
import {
  areDistinct,
  failsOnlyForATime,
  isInValidation,
  isSuccess,
  MOVED,
  recordIn,
  stateIn,
  STATES,
} from './records.ts'
import { agreesWithItsInitiation, checkReadability, checkReadings, isAnswered } from './readings.ts'
import { PAY } from './requirements.ts'

/** Enough to find orderIds that are made from the time or a counter. */
const AT_ONCE = 8
const ONE_AFTER_THE_OTHER = 3

const readUnknown = async (payments: Payments, orderId: string) => {
  const before = await payments.status(orderId)
  const changed = []
  for (const id of unknownOrderIds(orderId)) changed.push(await payments.status(id))
  return { before, changed, after: await payments.status(orderId) }
}

const initiated = scenario(
  'payments that are initiated',
  initiating(1 + ONE_AFTER_THE_OTHER + AT_ONCE),
  async (session) => {
    const payments = await session.payments()
    const one = await payments.initiate()
    await aMoment(session)
    const read = await readBack(payments, one, 2)
    const others = []
    for (let count = 0; count < ONE_AFTER_THE_OTHER; count += 1) others.push(await payments.initiate())
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => payments.initiate()))
    const orderId = orderIdIn(payments, one)
    const unknown = orderId === undefined ? [] : [await readUnknown(payments, orderId)]
    // Each payment has its own status, although all of them are read at the same moment.
    const ids = [one, ...others, ...atOnce].flatMap((each) => orderIdIn(payments, each) ?? [])
    const together = await Promise.all(ids.map((id) => payments.status(id)))
    const unauthenticated =
      orderId === undefined
        ? []
        : [await payments.status(orderId, (request) => ({ ...request, headers: [] }))]
    const [method] = payments.profile.initiations
    return {
      one,
      read,
      others,
      atOnce,
      together,
      unknown,
      unauthenticated,
      authentication: payments.profile.authentication,
      tokens: payments.tokens,
      body: Object.keys(method?.body ?? {}),
    }
  },
)

checkLaws(initiated, ['initiations', 'records', 'unrejected', 'times', 'unmoved', 'refused'])
checkReadings(initiated)

draws(PAYMENT, initiated, ({ one, others, atOnce }) => [one, ...others, ...atOnce].flatMap(firstMoveOf))

const NONE = 'no initiation was successful'

/** A payment in the answer shows that the initiation was successful, whatever the HTTP status says. */
const hasPayment = (initiation: ObservedExchange): boolean =>
  isSuccess(initiation) || isInValidation(initiation)

/**
 * Judges that equal orders are in ACTC. That a status is given is judged above.
 * @throws NotReached if the first of them was not accepted: then the profile may be wrong about the order.
 */
const areInValidation = (initiations: readonly ObservedExchange[]): void => {
  const [first] = initiations
  const fault = first && whyNotAccepted(first)
  if (fault !== undefined) throw new NotReached(fault)
  for (const initiation of initiations) {
    if (!hasPayment(initiation)) initiation.isAccepted('an equal order was accepted before')
    const record = recordIn(initiation)
    failsOnlyForATime(record)
    if (record.has('status')) record.status.equals('ACTC')
  }
}

check(PAY.validPaymentIsAccepted, initiated, ({ one, others, atOnce }) =>
  // How many calls a bank accepts at the same moment is not shown.
  areInValidation([one, ...others, ...atOnce.filter(isSuccess)]),
)

check(PAY.concurrentOrderIdsAreDistinct, initiated, ({ atOnce }) => areDistinct(atOnce.filter(isSuccess)))

check(
  PAY.statusIsAnsweredUnderTheOrderId,
  initiated.each(({ read, together }) => [...read, ...together], NONE),
  (answer) => isAnswered(answer, 'its orderId was given a moment before'),
)

check(PAY.statusRecordAgreesWithTheInitiation, initiated, ({ one, read }) =>
  agreesWithItsInitiation(one, read),
)

const unknownOrders = initiated.each(({ unknown }) => unknown, NONE)

check(PAY.unknownOrderIsRefused, unknownOrders, (attempts) =>
  isRefusedBetween(attempts, 'the bank never issued the orderId'),
)

note(PAY.bodyOfTheInitiation, initiated, ({ one, body }) =>
  one.accepted ? `accepted with ${body.join(', ')}` : undefined,
)
note(
  PAY.scopesOfThePaymentOperations,
  initiated,
  ({ tokens, authentication }) =>
    tokens.map((token) => `token: ${token.body.shape}`).join() || `no token: ${authentication}`,
)
note(PAY.authenticationOfThePaymentOperations, initiated, ({ unauthenticated }) =>
  unauthenticated.map(({ status }) => `a status without credentials: ${String(status.value)}`).join(),
)
note(PAY.statusCodesOfThePaymentApi, initiated, ({ unknown }) =>
  unknown.map(({ changed: [one] }) => `an unknown orderId: ${String(one?.status.value)}`).join(),
)

const further = scenario(
  'payments by the further initiation methods',
  initiating(5, 'further-initiation'),
  async (session) => {
    const payments = await session.payments()
    const plain = await payments.initiate()
    const asked = []
    for (const { name, path } of payments.profile.initiations.slice(1)) {
      const initiation = await payments.initiate({ method: name })
      const again = await payments.initiate({ method: name })
      asked.push({ name, path, initiation, again, read: await readBack(payments, initiation) })
    }
    return { plain, asked }
  },
)

checkReadability(further)

draws(PAYMENT, further, ({ plain, asked }) =>
  [plain, ...asked.flatMap(({ initiation, again }) => [initiation, again])].flatMap(firstMoveOf),
)

/** @throws NotReached if it was refused: its path and body are not shown, and the profile may be wrong about them. */
const wasInitiated = (initiation: ObservedExchange): void => {
  const fault = stateIn(initiation) === 'RJCT' ? undefined : whyNotAccepted(initiation)
  if (fault !== undefined) throw new NotReached(fault)
  if (!isSuccess(initiation)) initiation.isAccepted('the order is the one that the profile calls valid')
}

const methods = further.each(({ asked }) => asked, 'the profile has no further method')

check(PAY.otherInitiationHasTheSameShape, methods, ({ initiation, again }) => {
  for (const one of [initiation, again]) {
    wasInitiated(one)
    one.status.equals(201)
    recordIn(one).carries('orderId', 'statusDateTime')
    recordIn(one).status.isOneOf(STATES)
  }
})

check(PAY.orderIdsAreDistinct, further, ({ plain, asked }) =>
  areDistinct([plain, ...asked.flatMap(({ initiation, again }) => [initiation, again])].filter(isSuccess)),
)

check(PAY.validPaymentIsAccepted, methods, ({ initiation, again }) => areInValidation([initiation, again]))

check(PAY.statusRecordAgreesWithTheInitiation, methods, ({ initiation, read }) =>
  agreesWithItsInitiation(initiation, read),
)

note(PAY.otherInitiationMethods, further, ({ asked }) =>
  asked.map(({ path, initiation }) => `${path}: ${String(initiation.status.value)}`).join(', '),
)

interface Malformed {
  readonly what: string
  readonly order?: Order
  readonly change?: Change
}

const json = (text: string): Change => change.body(text, 'application/json')

/** The first half of the JSON. */
const cut: Change = (request) => json((request.text ?? '').slice(0, (request.text ?? '').length / 2))(request)

/** None of these names a payment, however tolerant the bank is. */
const NO_PAYMENTS: readonly Malformed[] = [
  { what: 'half of its JSON', change: cut },
  { what: 'an empty body', change: json('') },
  { what: 'an empty list', change: json('[]') },
  { what: 'null', change: json('null') },
  { what: 'no amount', order: { values: { amount: undefined } } },
  { what: 'an amount below zero', order: { values: { amount: -1 } } },
  { what: 'an amount in words', order: { values: { amount: 'one' } } },
  { what: 'an object as its amount', order: { values: { amount: { of: 1 } } } },
]

/** A contract of the merchant may fix the creditor, so that the bank does not read this account. */
const NO_CREDITORS: readonly Malformed[] = [
  { what: 'no account of the creditor', order: { values: { creditorIban: undefined } } },
  { what: 'a list as the account of the creditor', order: { values: { creditorIban: [] } } },
]

const bodyOf = ({ profile }: Session): string => JSON.stringify(profile.payments?.initiations[0]?.body)

type Retry = (ask: () => Promise<Exchange>) => Promise<Exchange>

const attempt = async (
  payments: Payments,
  { what, order, change: one }: Malformed,
  retry: Retry = (ask) => ask(),
) => {
  const answer = await retry(() => payments.initiate(order, one))
  // A call that is refused and contains an orderId may have been carried out.
  return { what, answer, read: await readBack(payments, answer) }
}

const malformed = scenario('initiations that name no payment', initiating(2), async (session) => {
  const payments = await session.payments()
  const { initiation: before } = await payments.initiateValid()
  const orderId = orderIdIn(payments, before)
  // What names no payment can be repeated; the control only reads, so that nothing is paid for it.
  const retry: Retry = (ask) =>
    orderId === undefined ? ask() : session.retryServerError(ask, () => payments.status(orderId))
  const changed = []
  for (const one of NO_PAYMENTS) changed.push(await attempt(payments, one, retry))
  // These are not repeated: a bank may take one for a payment.
  const creditors = []
  if (bodyOf(session).includes('{creditorIban}'))
    for (const one of NO_CREDITORS) creditors.push(await attempt(payments, one))
  return { before, changed, creditors, after: await payments.initiate() }
})

/** Judges an initiation between two of a valid order: it may be refused, or rejected. */
const isNotAccepted = (answer: ObservedExchange, what: string): void => {
  const state = stateIn(answer)
  const subject = state === undefined ? answer.status : recordIn(answer).status
  const isPayment = state === 'ACTC' || MOVED.includes(state)
  subject.satisfies(!isPayment, `RJCT, or a refusal: the initiation has ${what}`)
}

const controlled = malformed.where(
  ({ before, after }) => isInValidation(before) && isInValidation(after),
  'the valid order before or after the malformed one was not accepted',
)

const areNotAccepted = (attempts: RecordOf<typeof malformed>['changed']): void => {
  for (const { what, answer, read } of attempts)
    if (!brokeDown(answer)) for (const one of [answer, ...read]) isNotAccepted(one, what)
  for (const { what, answer } of attempts)
    answer.isNoServerError(`RJCT, or a refusal: the initiation has ${what}`)
}

check(PAY.malformedInitiationIsNotAccepted, controlled, ({ changed }) => areNotAccepted(changed))

check(
  PAY.initiationWithoutCreditorIsNotAccepted,
  controlled.where(({ creditors }) => creditors.length > 0, 'the body of the profile has no {creditorIban}'),
  ({ creditors }) => areNotAccepted(creditors),
)

check(PAY.malformedInitiationIsNoBreakdown, controlled, ({ changed, creditors }) => {
  for (const { what, answer } of [...changed, ...creditors])
    answer.isNoServerError(`a status below 500: the initiation has ${what}`)
})

const MEBIBYTE = 1024 * 1024

const oversized = scenario('an initiation with a text of 1 MiB', initiating(4), async (session) => {
  if (!bodyOf(session).includes('{remittanceInformation}'))
    throw new NotReached('the body of the profile has no {remittanceInformation}')
  const payments = await session.payments()
  const { initiation: before } = await payments.initiateValid()
  const send = () => payments.initiate({ values: { remittanceInformation: 'A'.repeat(MEBIBYTE) } })
  // A bank may answer and close before it has read all: whether its answer arrives then is a matter of chance.
  const first = await send()
  const changed = first.response === undefined ? await send() : first
  return { before, changed, after: await payments.initiate() }
})

check(
  PAY.oversizedTextIsNotAccepted,
  oversized.where(
    ({ before, after }) => isInValidation(before) && isInValidation(after),
    'a valid order before or after it was not accepted',
  ),
  ({ changed }) => {
    if (changed.isCutOff) return held()
    isNotAccepted(changed, 'a text of 1 MiB')
    if (brokeDown(changed))
      throw new Inconclusive(`${changed.id} was not refused but answered with a server error`)
  },
)

/** The characters that every bank of SEPA accepts (EPC217-08). */
const SEPA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ "
const SLOVAK = 'aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzžAÁBCČDĎEÉIÍLĽNŇOÓÔRŔSŠTŤUÚYÝZŽ '

const LARGEST_CENTS = 999_999_999_999

/** A text has no slash at its ends and no two slashes in a row (EPC132-08), and no blanks at its ends. */
const tidy = (text: string): string => text.replaceAll(/\/+/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, '')

const text = (characters: string, most: number) =>
  string({ unit: constantFrom(...Array.from(characters)), minLength: 1, maxLength: most, size: 'max' })
    .map(tidy)
    .filter((one) => one !== '')

const cents = oneof(
  constantFrom(1, 99, 100, 101, 99_999_999_999, 100_000_000_000, LARGEST_CENTS),
  integer({ min: 1, max: 100_000 }),
  integer({ min: 100_000, max: LARGEST_CENTS }),
)

const orders = record({
  amount: cents.map((count) => count / 100),
  remittanceInformation: text(SEPA, 140),
  endToEndIdentification: text(SEPA, 35),
  creditorName: text(SLOVAK, 70),
  debtorName: text(SLOVAK, 70),
})

const validOrders = property(
  'an initiation within the limits of SEPA',
  initiating(1, 'any-amount'),
  orders,
  async (session, values) => {
    const payments = await session.payments()
    const initiation = await payments.initiate({ values })
    if (!isServerError(initiation)) return { initiation }
    const valid = await payments.initiate()
    const orderId = orderIdIn(payments, valid)
    if (orderId === undefined) return { initiation, valid }
    // A server error to every order, or to this one only once, is not caused by the values of this order.
    const again = await session.retryServerError(
      () => payments.initiate({ values }),
      () => payments.status(orderId),
    )
    return { initiation: again, valid }
  },
)

const isServerError = ({ response }: Exchange): boolean => response !== undefined && response.status >= 500

check(PAY.validInitiationIsNoBreakdown, validOrders, ({ initiation, valid }) => {
  if (brokeDown(initiation) && valid?.accepted !== true)
    throw new Inconclusive('another order was not accepted either')
  wasProcessed(initiation)
  initiation.isNoServerError('a status below 500, whether the payment is accepted or not')
})
