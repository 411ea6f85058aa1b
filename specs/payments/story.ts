import { array, constantFrom, oneof, record, tuple } from 'fast-check'
import { NotReached, REASON_CODES } from '../../harness/check/index.ts'
import type { Arbitrary } from 'fast-check'
import type { Exchange, Order, PaymentAuthorization, Payments, Session } from '../../harness/check/index.ts'
import { orderIdIn } from './asking.ts'

/** Stories of payments: plain data, so that they shrink, are printed and are told again; and how they are acted out. */

export const KINDS = ['at once', 'on a later date', 'invalid'] as const

/** When a payment is to be executed; or an order that fails business validation. */
export type Kind = (typeof KINDS)[number]

/** `which` counts the payments that there are by then, from 0, over and over. */
export type Step =
  | { readonly do: 'initiate'; readonly kind: Kind }
  | { readonly do: 'authorize' | 'deny' | 'submit' | 'read'; readonly which: number }
  | { readonly do: 'pass'; readonly ms: number }

export type Story = readonly Step[]

/** How many payments there are side by side, and how often a customer is asked: what one story may cost. */
export const MOST_PAYMENTS = 3
export const MOST_AUTHORIZATIONS = 3

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS
const PASSAGES = [SECOND_MS, 60 * SECOND_MS, HOUR_MS, 24 * HOUR_MS, 4 * 24 * HOUR_MS] as const

const initiations = record({
  do: constantFrom('initiate' as const),
  kind: constantFrom<Kind[]>('at once', 'at once', 'on a later date', 'on a later date', 'invalid'),
})

const acts = (what: 'authorize' | 'deny' | 'submit' | 'read') =>
  record({ do: constantFrom(what), which: constantFrom(0, 1, 2) })

const passages = record({ do: constantFrom('pass' as const), ms: constantFrom(...PASSAGES) })

const steps = [
  { weight: 4, arbitrary: acts('submit') },
  { weight: 4, arbitrary: acts('authorize') },
  { weight: 1, arbitrary: acts('deny') },
  { weight: 2, arbitrary: acts('read') },
  { weight: 2, arbitrary: initiations },
]

const beginningWithAPayment = (rest: Arbitrary<Step>): Arbitrary<Story> =>
  tuple(initiations, array(rest, { maxLength: 9, size: 'max' })).map(([first, others]) => [first, ...others])

export const stories = beginningWithAPayment(oneof(...steps))
export const storiesInTime = beginningWithAPayment(oneof(...steps, { weight: 3, arbitrary: passages }))

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

export interface Passage {
  readonly does: 'pass'
  readonly ms: number
}

/** Something done, with what came of it. */
export type Deed = Initiation | CustomerDecision | Request | Passage

interface Known {
  readonly payment: number
  readonly orderId: string
  /** What the customer has granted last. */
  granted?: PaymentAuthorization
}

/** The actor of one story. */
interface Stage {
  readonly session: Session
  readonly known: Known[]
  payments: Payments
  initiations: number
  authorizations: number
}

const invalidCode = ({ profile: { provocations } }: Payments) =>
  REASON_CODES.find((code) => provocations[code]?.at === undefined && provocations[code]?.twice === false)

/** What the profile knows no way to do is done in the plain way. */
const feasible = (payments: Payments, kind: Kind): Kind => {
  if (kind === 'invalid') return invalidCode(payments) === undefined ? 'at once' : kind
  const isFuture = payments.profile.initiations.some(({ future }) => future)
  return kind === 'on a later date' && !isFuture ? 'at once' : kind
}

const order = async (payments: Payments, kind: Kind) => {
  const code = invalidCode(payments)
  const values = payments.freshValues()
  if (kind === 'invalid' && code !== undefined) {
    const [exchange] = await payments.provoke(code)
    if (exchange === undefined) throw new NotReached(`${code} was not provoked`)
    return { exchange, date: undefined }
  }
  const method = payments.profile.initiations.find(({ future }) => kind === 'on a later date' && future)
  const given: Order = { values, ...(method && { method: method.name }) }
  return { exchange: await payments.initiate(given), date: method && String(values.date) }
}

const initiate = async (stage: Stage, wanted: Kind): Promise<Deed> => {
  const { payments, known } = stage
  const kind = feasible(payments, wanted)
  const payment = (stage.initiations += 1)
  const { exchange, date } = await order(payments, kind)
  const orderId = orderIdIn(payments, exchange)
  if (orderId !== undefined) known.push({ payment, orderId })
  return { does: 'initiate', payment, kind, orderId, date, exchange }
}

const pass = async (stage: Stage, ms: number): Promise<Deed> => {
  const { clock } = stage.session
  const from = clock.now()
  await clock.pass(ms)
  // Tokens may have expired; and a bank that sleeps is waited for.
  stage.payments = await stage.session.payments()
  return { does: 'pass', ms: clock.now().getTime() - from.getTime() }
}

const actOn = async (
  stage: Stage,
  known: Known,
  what: (CustomerDecision | Request)['does'],
): Promise<Deed> => {
  const { payments } = stage
  const { payment, orderId, granted } = known
  if (what === 'read') return { does: what, payment, exchange: await payments.status(orderId) }
  if (what === 'submit')
    return { does: what, payment, exchange: await payments.submit({ orderId, ...granted }) }
  stage.authorizations += 1
  const authorization = await payments.authorize(orderId, what === 'deny' ? 'deny' : 'grant')
  if (authorization.token !== undefined) known.granted = authorization
  return { does: what, payment, authorization }
}

/** Nothing, where there is nothing to act on, or where the story has cost enough. */
const act = async (stage: Stage, step: Step): Promise<Deed | undefined> => {
  if (step.do === 'pass') return pass(stage, step.ms)
  if (step.do === 'initiate')
    return stage.initiations < MOST_PAYMENTS ? initiate(stage, step.kind) : undefined
  const known = stage.known[step.which % stage.known.length]
  const isAsking = step.do === 'authorize' || step.do === 'deny'
  if (known === undefined || (isAsking && stage.authorizations >= MOST_AUTHORIZATIONS)) return undefined
  return actOn(stage, known, step.do)
}

/** Acts a story out, and reads the status of every payment in the end. */
export const actOut = async (
  session: Session,
  story: Story,
): Promise<{ readonly deeds: readonly Deed[] }> => {
  const stage: Stage = {
    ...{ session, known: [], initiations: 0, authorizations: 0 },
    payments: await session.payments(),
  }
  const deeds: Deed[] = []
  for (const step of story) {
    const deed = await act(stage, step)
    if (deed !== undefined) deeds.push(deed)
  }
  for (const known of stage.known) deeds.push(await actOn(stage, known, 'read'))
  return { deeds }
}
