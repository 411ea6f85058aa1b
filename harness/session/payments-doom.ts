import { NotReached } from '../evidence/signals.ts'
import { REASON_CODES } from '../profile/payments-codes.ts'
import type { ReasonCode } from '../profile/payments-codes.ts'
import type { PaymentsProfile } from '../profile/payments.ts'

/** Orders that are valid when they are initiated, and rejected when they are submitted. */

type Orders = Pick<PaymentsProfile, 'rejectedAtSubmission'>
type Doom = NonNullable<Orders['rejectedAtSubmission'][ReasonCode]>

/**
 * The codes for which the profile names one that can be come by.
 * @param canMoveTime whether a time of day can be come by.
 */
export const doomsIn = ({ rejectedAtSubmission }: Orders, canMoveTime: boolean): readonly ReasonCode[] =>
  REASON_CODES.filter((code) => {
    const doom = rejectedAtSubmission[code]
    return doom !== undefined && (doom.at === undefined || canMoveTime)
  })

/** @throws NotReached where the profile names none for that code. */
export const doomIn = ({ rejectedAtSubmission }: Orders, code: ReasonCode): Doom => {
  const doom = rejectedAtSubmission[code]
  if (doom === undefined) throw new NotReached(`the profile names no payments.rejectedAtSubmission.${code}`)
  return doom
}
