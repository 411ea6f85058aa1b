/** New transactions: where they are written down, and when they are known here. */
import { randomUUID } from 'node:crypto'
import { announceBooking } from './booking-announcement.ts'
import { branchOf, factsAt, type BankParts, type Branch } from './parts.ts'
import { ibanAt } from './iban.ts'
import { ENVIRONMENTS, type Account, type Bookings, type Ledger, type Transaction } from './world.ts'

/** At a bank of which nothing else is known. */
const COUNTERPARTY_IBAN = ibanAt('9810', 2_700_000_000)

const NOTHING: Bookings = { booked: [], known: [] }

export const bookingsOf = (ledger: Ledger, { accountId }: Account): Bookings =>
  ledger.bookings.get(accountId) ?? NOTHING

/** What the bank that holds the account has booked is known here from now on: its refresh is finished. */
export const takeOver = (ledger: Ledger, account: Account): void => {
  const { booked } = bookingsOf(ledger, account)
  if (booked.length > 0) ledger.bookings.set(account.accountId, { booked, known: booked })
}

/** The account of this IBAN, whoever holds it. */
export const accountWithIban = ({ world }: BankParts, iban: string): Account | undefined =>
  world.residents.customers.flatMap(({ accounts }) => accounts).find((account) => account.iban === iban)

const newTransaction = (now: Date, amount: number): Transaction => {
  const today = now.toISOString().slice(0, 10)
  return {
    transactionId: randomUUID(),
    amount,
    bookingDate: today,
    valueDate: today,
    counterparty: { name: 'Božena Ďurišová', iban: COUNTERPARTY_IBAN },
    remittanceInformation: amount < 0 ? 'Card payment' : 'Incoming payment',
  }
}

/** Books an amount in hundredths of the account's currency, in every environment alike. */
export const book = (parts: BankParts, account: Account, amount: number): Transaction => {
  const transaction = newTransaction(parts.clock.now(), amount)
  for (const environment of ENVIRONMENTS) bookOn(branchOf(parts, environment), account, transaction)
  announceBooking(parts, account, transaction)
  return transaction
}

/** Writes a transaction down in one environment; nobody is told of it. */
export const bookOn = (branch: Branch, account: Account, transaction: Transaction): void => {
  const { ledger, rules } = branch
  const { booked, known } = bookingsOf(ledger, account)
  const facts = { ...factsAt(branch), account, transaction }
  ledger.bookings.set(account.accountId, {
    booked: [transaction, ...booked],
    known: rules.bookingIsKnownAtOnce(facts) ? [transaction, ...known] : known,
  })
}
