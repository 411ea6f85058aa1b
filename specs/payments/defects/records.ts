import { alter, when, type Change, type FactsOf, type Incoming, type Members } from '../../shared/changes.ts'
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
  (...answers: readonly RecordFacts['telling'][]) =>
  ({ telling }: Pick<RecordFacts, 'telling'>): boolean =>
    answers.includes(telling)

// ---- Records

/** Other records of payments, in all answers. */
export const record = (
  change: (usual: Members, facts: RecordFacts, past: Past<'paymentBody'>) => Members,
): Change<RecordFacts> => alter({ paymentBody: change })

/** Other records from the n-th record of the same payment in the same status on. */
export const fromRecord = (n: number, change: (usual: Members) => Members): Change<RecordFacts> =>
  record((usual, { payment }, past) => {
    const earlier = past
      .of('paymentBody')
      .filter(({ facts: { payment: other } }) => other.orderId === payment.orderId)
      .filter(({ facts: { payment: other } }) => other.status === payment.status)
    return earlier.length + 1 >= n ? change(usual) : usual
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

/** Another status of the refusals of payment operations for this reason. */
export const refusedWith = (
  reason: FactsOf<'refusalStatus'>['error'],
  code: number,
): Change<FactsOf<'refusalStatus'>> =>
  when(
    ({ endpoint, error }: FactsOf<'refusalStatus'>) => endpoint === 'payments' && error === reason,
    alter({ refusalStatus: code }),
  )
