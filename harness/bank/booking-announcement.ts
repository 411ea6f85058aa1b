/** What follows from a booking, beyond the account itself. */
import { notifyBooking } from './events.ts'
import { branchOf, type BankParts } from './parts.ts'
import { ENVIRONMENTS, type Account, type Transaction } from './world.ts'

/** Tells those who want to know that a transaction was booked on the account, in every environment alike. */
export const announceBooking = (parts: BankParts, account: Account, transaction: Transaction): void => {
  for (const environment of ENVIRONMENTS) notifyBooking(branchOf(parts, environment), account, transaction)
}
