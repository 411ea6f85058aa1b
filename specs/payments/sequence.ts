import { array, constantFrom, noBias, oneof, tuple, type Arbitrary } from 'fast-check'
import { NotReached, type Exchange } from '../../harness/check/index.ts'
import {
  canWait,
  REASON_CODES,
  type Order,
  type PaymentAuthorization,
  type Payments,
  type ProvokingOrder,
  type Session,
} from '../../harness/session/index.ts'
import { orderIdIn } from './status-reads.ts'

/** Sequences of steps on payments: plain data, so that they can be shrunk, printed and repeated; and how they are run. */

export const KINDS = ['at once', 'on a later date', 'on a date far ahead', 'invalid'] as const

/** When a payment is to be executed; or an order that fails business validation. */
export type Kind = (typeof KINDS)[number]

/**
 * `which` counts the payments that there are by then, over and over: from 0, the last one that was not submitted yet,
 * to the first one that was.
 */
export type Step =
  | { readonly do: 'initiate'; readonly kind: Kind }
  | { readonly do: 'authorize' | 'deny' | 'submit' | 'read'; readonly which: number }
  | { readonly do: 'pass'; readonly ms: number }

export type Sequence = readonly Step[]

/** How many payments there are side by side, and how often a customer is asked: what one sequence may cost. */
export const MOST_PAYMENTS = 3
export const MOST_AUTHORIZATIONS = 2

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const PASSAGES = [SECOND_MS, 60 * SECOND_MS, 60 * SECOND_MS, HOUR_MS, DAY_MS, DAY_MS, 4 * DAY_MS] as const

/** Shrinks to the first. */
const kinds = constantFrom<Kind[]>(
  'at once',
  'at once',
  'at once',
  'on a later date',
  'on a date far ahead',
  'invalid',
)
const which = constantFrom(0, 0, 0, 1, 1, 2)

/** How far a new payment is led at once. Shrinks to the first. */
const LEADS = [[], ['authorize'], ['authorize', 'submit'], ['authorize', 'submit']] as const

const initiations = tuple(kinds, constantFrom(...LEADS)).map(([kind, leads]): Sequence => [
  { do: 'initiate', kind },
  ...leads.map((lead) => ({ do: lead, which: 0 })),
])

const acts = (what: 'deny' | 'read') => which.map((one): Sequence => [{ do: what, which: one }])

/** More often than not with the authorization that it needs, but shrunk to one without. */
const submissions = tuple(which, constantFrom(false, true, true)).map(([one, isAuthorized]): Sequence => [
  ...(isAuthorized ? [{ do: 'authorize', which: one } as const] : []),
  { do: 'submit', which: one },
])

const passages = constantFrom(...PASSAGES).map((ms): Sequence => [{ do: 'pass', ms }])

const turns = oneof(
  { weight: 3, arbitrary: passages },
  { weight: 4, arbitrary: initiations },
  { weight: 4, arbitrary: submissions },
  { weight: 1, arbitrary: acts('deny') },
  { weight: 1, arbitrary: acts('read') },
)

const MOST_TURNS = 7

/** Without a bias to the small: a short sequence shows little. */
export const sequences: Arbitrary<Sequence> = noBias(
  array(turns, { minLength: 1, maxLength: MOST_TURNS, size: 'max' }),
).map((sequence) => sequence.flat())

/** Two payments wait and one is rejected; the customer denies the last one, and then authorizes the first. */
export const NEIGHBOURS: Sequence = [
  { do: 'initiate', kind: 'at once' },
  { do: 'initiate', kind: 'invalid' },
  { do: 'initiate', kind: 'at once' },
  { do: 'deny', which: 0 },
  { do: 'read', which: 2 },
  { do: 'authorize', which: 2 },
  { do: 'submit', which: 2 },
]

/** One payment is executed and another one waits for its date, while an hour and days pass. */
export const AS_TIME_PASSES: Sequence = [
  { do: 'initiate', kind: 'at once' },
  { do: 'authorize', which: 0 },
  { do: 'submit', which: 0 },
  { do: 'initiate', kind: 'on a date far ahead' },
  { do: 'authorize', which: 0 },
  { do: 'submit', which: 0 },
  { do: 'pass', ms: 60 * SECOND_MS },
  { do: 'pass', ms: HOUR_MS },
  { do: 'pass', ms: DAY_MS },
  { do: 'pass', ms: DAY_MS },
  { do: 'pass', ms: 4 * DAY_MS },
]

/** `payment` counts from 1. */
export interface Initiation {
  readonly does: 'initiate'
  readonly payment: number
  readonly kind: Kind
  readonly orderId: string | undefined
  /** The requested execution date, YYYY-MM-DD. */
  readonly date: string | undefined
  readonly exchange: Exchange
}

export interface CustomerDecision {
  readonly does: 'authorize' | 'deny'
  readonly payment: number
  readonly authorization: PaymentAuthorization
}

export interface Request {
  readonly does: 'submit' | 'read'
  readonly payment: number
  readonly exchange: Exchange
}

export interface LoginFlow {
  readonly does: 'pass'
  readonly ms: number
}

/** A step that was done, with its result. */
export type Action = Initiation | CustomerDecision | Request | LoginFlow

interface Known {
  readonly payment: number
  readonly orderId: string
  /** The last grant of the customer. */
  granted?: PaymentAuthorization
  isSubmitted: boolean
}

/** The state of one run of a sequence. */
interface Stage {
  readonly session: Session
  readonly known: Known[]
  payments: Payments
  initiations: number
  authorizations: number
}

const pick = (known: readonly Known[], which: number): Known | undefined =>
  known
    .toReversed()
    .toSorted((one, other) => Number(one.isSubmitted) - Number(other.isSubmitted))
    .at(which % known.length)

/** An order that is to be rejected by itself, at any time. */
const invalidOrder = (payments: Payments): ProvokingOrder | undefined =>
  REASON_CODES.flatMap((code) => payments.provocations(code)).find(
    ({ isTimed, isSecond }) => !isTimed && !isSecond,
  )

const isLater = (kind: Kind): boolean => kind === 'on a later date' || kind === 'on a date far ahead'

/** A month ahead there is no week, and no number of a day, that is the same; almost a year ahead the day is an earlier one. */
const FAR_DAYS = [40, 362] as const

/** A kind that the profile cannot provide is replaced by the plain one. */
const feasible = (payments: Payments, kind: Kind): Kind => {
  if (kind === 'invalid') return invalidOrder(payments) === undefined ? 'at once' : kind
  const isFuture = payments.profile.initiations.some(({ future }) => future)
  return isLater(kind) && !isFuture ? 'at once' : kind
}

const order = async (payments: Payments, kind: Kind, payment: number) => {
  const invalid = invalidOrder(payments)
  const values = payments.freshValues(kind === 'on a date far ahead' ? FAR_DAYS[payment % 2] : undefined)
  if (kind === 'invalid' && invalid !== undefined) {
    const [exchange] = await invalid.send()
    if (exchange === undefined) throw new NotReached(`the order of ${invalid.key} was not sent`)
    return { exchange, date: undefined }
  }
  const method = payments.profile.initiations.find(({ future }) => isLater(kind) && future)
  const given: Order = { values, ...(method && { method: method.name }) }
  return { exchange: await payments.initiate(given), date: method && String(values.date) }
}

const initiate = async (stage: Stage, wanted: Kind): Promise<Action> => {
  const { payments, known } = stage
  const kind = feasible(payments, wanted)
  const payment = (stage.initiations += 1)
  const { exchange, date } = await order(payments, kind, payment)
  const orderId = orderIdIn(payments, exchange)
  if (orderId !== undefined) known.push({ payment, orderId, isSubmitted: false })
  return { does: 'initiate', payment, kind, orderId, date, exchange }
}

/** Time passes, and then every payment is read: it may have moved by itself. */
const pass = async (stage: Stage, ms: number): Promise<readonly Action[]> => {
  const { clock } = stage.session
  const from = clock.now()
  await clock.pass(ms)
  // The token may have expired, and the payment hours may be over.
  if (ms >= HOUR_MS) stage.payments = await stage.session.payments()
  const passed = clock.now().getTime() - from.getTime()
  return [{ does: 'pass', ms: passed }, ...(await readAll(stage))]
}

const readAll = async ({ payments, known }: Stage): Promise<readonly Action[]> => {
  const actions: Action[] = []
  for (const { payment, orderId } of known)
    actions.push({ does: 'read', payment, exchange: await payments.status(orderId) })
  return actions
}

const actOn = async (
  stage: Stage,
  known: Known,
  what: (CustomerDecision | Request)['does'],
): Promise<Action> => {
  const { payments } = stage
  const { payment, orderId, granted } = known
  if (what === 'read') return { does: what, payment, exchange: await payments.status(orderId) }
  if (what === 'submit') {
    known.isSubmitted = true
    return { does: what, payment, exchange: await payments.submit({ orderId, ...granted }) }
  }
  stage.authorizations += 1
  const authorization = await payments.authorize(orderId, what === 'deny' ? 'deny' : 'grant')
  if (authorization.token !== undefined || authorization.approval !== undefined) known.granted = authorization
  return { does: what, payment, authorization }
}

/**
 * A step on a payment initiates one if there is none. Nothing is done beyond the most payments and authorizations, no customer is
 * asked where the bank gives no way to, and no time passes if the clock cannot be moved or if there is no payment.
 */
const act = async (stage: Stage, step: Step): Promise<readonly Action[]> => {
  const { session, known: all } = stage
  if (step.do === 'pass') return canWait(session.clock, step.ms) && all.length > 0 ? pass(stage, step.ms) : []
  if (step.do === 'initiate')
    return stage.initiations < MOST_PAYMENTS ? [await initiate(stage, step.kind)] : []
  const first = stage.initiations === 0 ? [await initiate(stage, 'at once')] : []
  const known = pick(stage.known, step.which)
  const isAsking = step.do === 'authorize' || step.do === 'deny'
  const cannotAsk =
    isAsking &&
    known !== undefined &&
    (stage.authorizations >= MOST_AUTHORIZATIONS || !stage.payments.canAuthorize(known.orderId))
  return known === undefined || cannotAsk ? first : [...first, await actOn(stage, known, step.do)]
}

const BETWEEN_STORIES_MS = 60 * SECOND_MS

/** Runs a sequence, and reads the status of every payment at the end. */
export const actOut = async (
  session: Session,
  sequence: Sequence,
): Promise<{ readonly actions: readonly Action[] }> => {
  // If time can be moved, payments of earlier sequences are settled first.
  if (canWait(session.clock, BETWEEN_STORIES_MS)) await session.clock.pass(BETWEEN_STORIES_MS)
  const stage: Stage = {
    session,
    known: [],
    initiations: 0,
    authorizations: 0,
    payments: await session.payments(),
  }
  const actions: Action[] = []
  for (const step of sequence) actions.push(...(await act(stage, step)))
  const isRead = sequence.at(-1)?.do === 'pass' && actions.at(-1)?.does === 'read'
  return { actions: isRead ? actions : [...actions, ...(await readAll(stage))] }
}
