import {
  rejectedAtSubmissionOf,
  type KeyedOrder,
  type PaymentsProfile,
  type RejectedOrder,
} from '../../profile/schema/payments.ts'
import type { Order } from './initiation.ts'

/** The orders of the profile that are valid at their initiation and rejected at their submission. */

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
