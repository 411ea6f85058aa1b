import {
  EARLIER_VALUES,
  provocationsOf,
  rejectedAtSubmissionOf,
  type KeyedOrder,
  type PaymentsProfile,
  type Provocation,
  type Rejection,
  type RejectedOrder,
} from '../../profile/schema/payments.ts'
import { placeholdersOf, type Values } from '../../profile/template.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Initiation, Order } from './initiation.ts'

/** The orders of the profile that are to be rejected: at their submission, or at their initiation. */

/** An order that is valid at its initiation and rejected at its submission. */
export interface LateOrder extends Pick<KeyedOrder<RejectedOrder>, 'code' | 'key' | 'states'> {
  /** Whether the profile marks it as a guess. */
  readonly isGuess: boolean
  readonly order: Order
  /** Whether an equal order has to be submitted before, which leaves too little for this one. */
  readonly isSecond: boolean
  /** Lets the time pass at which its submission is rejected. */
  readonly reach: () => Promise<void>
}

/** Whether an order can be sent at its time of day, if it has one. */
export const isReached = (
  { order: { at } }: { readonly order: { readonly at?: string | undefined } },
  canMoveTime: boolean,
): boolean => at === undefined || canMoveTime

/** @param canMoveTime whether the scenario can reach a given time of day. */
export const ordersRejectedAtSubmission = (
  profile: Pick<PaymentsProfile, 'rejectedAtSubmission'>,
  canMoveTime: boolean,
): readonly KeyedOrder<RejectedOrder>[] =>
  rejectedAtSubmissionOf(profile).filter((one) => isReached(one, canMoveTime))

/** The orders of a profile, and which of them can be sent at their time of day. */
export interface ReachableOrders {
  readonly profile: PaymentsProfile
  readonly canMoveTime: boolean
  /** Whether the profile marks what is under a key as a guess. */
  readonly isGuess: (key: string) => boolean
  /** Lets the time pass until that time of day. */
  readonly moveTo: (time: string | undefined) => Promise<void>
}

/** Those that can be sent. */
export const lateOrders = ({
  profile,
  canMoveTime,
  isGuess,
  moveTo,
}: ReachableOrders): readonly LateOrder[] =>
  ordersRejectedAtSubmission(profile, canMoveTime).map(({ code, key, states, order }) => ({
    code,
    key,
    states,
    isGuess: isGuess(key),
    order: { patch: order.change, ...(order.method !== undefined && { method: order.method }) },
    isSecond: order.twice,
    reach: () => moveTo(order.at),
  }))

/** An order that is to be rejected at its initiation. */
export interface ProvokingOrder {
  /** The key of the profile that describes it, and what it states. */
  readonly key: string
  readonly states: string
  /** Whether the profile marks this as a guess. */
  readonly isGuess: boolean
  readonly method?: string
  /** Whether the same message is sent twice. */
  readonly isTwice: boolean
  /** Whether it is sent at a given time of day only. */
  readonly isTimed: boolean
  /** Whether another order has to be sent before it: an equal one, or one whose values it repeats. */
  readonly isSecond: boolean
  /** Lets its time of day pass, and sends it after the orders that it needs before it: the last one is meant. */
  readonly send: () => Promise<readonly Exchange[]>
  /** The same with new identifiers, at the time that it is, after the same earlier order. */
  readonly sendAgain: () => Promise<readonly Exchange[]>
}

/** Whether the order repeats values of an earlier one, which has to be sent before it. */
const repeatsEarlier = ({ change }: Provocation): boolean =>
  placeholdersOf(change).some(({ name }) => EARLIER_VALUES.some((value) => value === name))

/**
 * How many orders are sent to provoke a rejection with this code in each way of the profile: each order twice, after the
 * one that it repeats, and a valid one.
 */
export const countOfProvokingOrders = (
  profile: PaymentsProfile,
  rejection: Rejection,
  canMoveTime: boolean,
): number =>
  provocationsOf(profile, rejection)
    .filter((one) => isReached(one, canMoveTime))
    .map(({ order }) => (order.twice ? 4 : 2) + (repeatsEarlier(order) ? 1 : 0) + 1)
    .reduce((sum, count) => sum + count, 0)

/** The payment operations that send these orders. */
interface Operations extends Initiation, ReachableOrders {}

export const provokingOrders = (operations: Operations, rejection: Rejection): readonly ProvokingOrder[] =>
  provocationsOf(operations.profile, rejection)
    .filter((one) => isReached(one, operations.canMoveTime))
    .map((one) => provokingOrder(operations, one))

const provokingOrder = (
  { isGuess, freshValues, initiate, initiateValid, moveTo }: Operations,
  { key, states, order: own }: KeyedOrder<Provocation, Rejection>,
): ProvokingOrder => {
  const { method: name, change: patch, twice, at } = own
  const method = name === undefined ? {} : { method: name }
  let repeated: { readonly initiation: Exchange; readonly values: Values } | undefined

  const sendEarlier = async () => {
    const values = freshValues()
    const { initiation, orderId } = await initiateValid({ ...method, values })
    const earlier: Readonly<Record<(typeof EARLIER_VALUES)[number], unknown>> = {
      earlierInstructionIdentification: values.instructionIdentification,
      earlierEndToEndIdentification: values.endToEndIdentification,
      earlierOrderId: orderId,
    }
    return { initiation, values: earlier }
  }

  const sendNow = async (): Promise<readonly Exchange[]> => {
    const order = { ...method, values: { ...freshValues(), ...own.values, ...repeated?.values }, patch }
    const first = await initiate(order)
    return [
      ...(repeated === undefined ? [] : [repeated.initiation]),
      first,
      ...(twice ? [await initiate(order)] : []),
    ]
  }

  return {
    key,
    states,
    isGuess: isGuess(key),
    ...method,
    isTwice: twice,
    isTimed: at !== undefined,
    isSecond: twice || repeatsEarlier(own),
    async send() {
      // Before the time of day, at which it may be rejected as well.
      if (repeatsEarlier(own)) repeated = await sendEarlier()
      await moveTo(at)
      return sendNow()
    },
    sendAgain: sendNow,
  }
}
