import { alter, type Change, type FactsOf, type Incoming, type Members } from '../../shared/changes.ts'
import type { Difference, MessagePast, Past } from '../../shared/changes.ts'

/** Words for the status records of payments: which are changed, and how. */

export type RecordFacts = FactsOf<'paymentBody'>
export type Payment = RecordFacts['payment']
type OfAPayment = Pick<RecordFacts, 'payment'>

// ---- Conditions

/** Whether a payment is in one of these statuses. */
export const isIn =
  (...statuses: readonly Payment['status'][]) =>
  ({ payment: { status } }: OfAPayment): boolean =>
    statuses.includes(status)

/** Whether a payment is rejected with this code, or with any. */
export const isRejected =
  (code?: Payment['reason']) =>
  ({ payment: { status, reason } }: OfAPayment): boolean =>
    status === 'RJCT' && (code === undefined || reason === code)

/** Whether a payment is of this method. */
export const isBy =
  (method: Payment['order']['method']) =>
  ({ payment: { order } }: OfAPayment): boolean =>
    order.method === method

/** Whether a record is sent in one of these answers. */
export const isSentIn =
  (...answers: readonly RecordFacts['answering'][]) =>
  ({ answering }: Pick<RecordFacts, 'answering'>): boolean =>
    answers.includes(answering)

// ---- Times, in ms

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

// ---- Records

type RecordChange = (usual: Members, facts: RecordFacts, past: Past<'paymentBody'>) => Members

/** Other records of payments, or records with these members, in all answers; undefined removes a member. */
export const record = (change: RecordChange | Members): Change<RecordFacts> =>
  alter({ paymentBody: typeof change === 'function' ? change : having(change) })

/** Other records of payments from the n-th record of the same payment in the same status on. */
export const fromRecord = (n: number, change: RecordChange | Members): Change<RecordFacts> =>
  record((usual, facts, past) => {
    const earlier = past
      .of('paymentBody')
      .map((call) => call.facts.payment)
      .filter(({ orderId, status }) => orderId === facts.payment.orderId && status === facts.payment.status)
    if (earlier.length + 1 < n) return usual
    return typeof change === 'function' ? change(usual, facts, past) : having(change)(usual)
  })

/** A record with these members; undefined removes one. */
export const having =
  (members: Members) =>
  (usual: Members): Members => ({ ...usual, ...members })

/** A record in this status, not a rejected one. */
export const inStatus = (status: string): ((usual: Members) => Members) =>
  having({ status, reasonCode: undefined, additionalInformation: undefined })

export const rejectedWith = (reasonCode: string): ((usual: Members) => Members) =>
  having({ status: 'RJCT', reasonCode, additionalInformation: 'The payment cannot be executed.' })

// ---- Messages

/** A JSON body, whatever the form of the answer that it replaces. */
export const jsonOf = (json: unknown): Difference => ({
  headers: { 'content-type': 'application/json' },
  json,
})

export const NOT_FOUND: Difference = { status: 404, ...jsonOf({ errorCode: 'ORDER_UNKNOWN' }) }

/** The records that these earlier exchanges contain, in their order. */
export const recordsOf = (earlier: MessagePast['earlier']): readonly Members[] =>
  earlier.flatMap(({ answer: { status, members } }) =>
    status < 300 && members.orderId !== undefined ? [members] : [],
  )

/** The exchanges that initiate a payment. */
export const initiationsOf = (earlier: MessagePast['earlier']): MessagePast['earlier'] =>
  earlier.filter(({ asked }) => asked.operation === 'initiatePayment')

/** The orderId in the path of a request for the status. */
export const orderIdIn = ({ url }: Incoming): string =>
  decodeURIComponent(/\/payments\/([^/]+)\/status$/.exec(url.pathname)?.[1] ?? '')
