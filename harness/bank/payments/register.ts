/** What the bank knows of the accounts that an order names, and of the money on them. */
import { bookingsOf } from '../bookings.ts'
import type { Account, Ledger, Payee, World } from '../world.ts'
import { totalOf } from './order.ts'
import type { Order } from './payment.ts'

export const customerAccountOf = ({ residents }: World, iban: string): Account | undefined =>
  residents.customers.flatMap(({ accounts }) => accounts).find((account) => account.iban === iban)

/** Of those whose accounts the order names, the ones who do not use the interface. */
export const payeesOf = ({ residents }: World, { debtor, transfers }: Order): readonly Payee[] => {
  const named = [debtor.iban, ...transfers.map(({ creditor }) => creditor.iban)]
  return residents.payees.filter(({ iban }) => named.includes(iban))
}

/** What may leave the account, in hundredths: its balance, but for what is set aside for payments in process. */
export const fundsOn = (ledger: Ledger, account: Account | undefined): number => {
  if (!account) return 0
  const booked = bookingsOf(ledger, account).known
  const balance = booked.reduce((sum, { amount }) => sum + amount, account.openingBalance)
  const inProcess = [...ledger.payments.values()].filter(
    ({ status, order }) => status === 'ACSP' && order.debtor.iban === account.iban,
  )
  return inProcess.reduce((funds, { order }) => funds - totalOf(order), balance)
}
