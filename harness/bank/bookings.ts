/** The transactions of an account: generated ones before the bank opened, and those booked since. */
import { randomUUID } from './random.ts'
import type { Faker } from '@faker-js/faker'
import { ENVIRONMENTS } from './base-paths.ts'
import { type BankParts, type BankContext, contextOf, factsAt } from './call.ts'
import { accountWhere } from './rules/account-rules.ts'
import { DAY } from './rules/facts.ts'
import type { Account } from './seed-data.ts'
import type { Bookings, Ledger, Transaction, World } from './state.ts'
import { announceBooking } from './webhooks/events.ts'

/** Of Slovak IBANs, which have two kinds of check digits (ISO 13616, and the weights of the national standard). */
const WEIGHTS = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1] as const

const weighted = (digits: string): number =>
  Array.from(digits).reduce((sum, digit, place) => sum + Number(digit) * (WEIGHTS[place] ?? 0), 0)

/** SK as numbers, and two zeros in the place of the check digits. */
const COUNTRY = '282000'

/** The IBAN with the first valid account number from `from` on (at most ten digits) at this bank. */
const ibanAt = (bankCode: string, from: number): string => {
  let number = from
  // About one number in eleven is valid.
  while (weighted(String(number).padStart(10, '0')) % 11 !== 0) number += 1
  const account = `${bankCode}000000${String(number).padStart(10, '0')}`
  const digits = 98n - (BigInt(account + COUNTRY) % 97n)
  return `SK${String(digits).padStart(2, '0')}${account}`
}

/** Counterparties and remittance texts. */
interface Cast {
  readonly counterparties: readonly Transaction['counterparty'][]
  readonly occasions: readonly string[]
}

const CAST_SIZE = 40
const LONGEST_PAUSE_DAYS = 2
const LARGEST_AMOUNT = 250_000

/** The share of debits. */
const PAYMENT_SHARE = 0.8

const histories = new Map<string, Promise<readonly Transaction[]>>()

/** The newest first. */
export const historyOf = (
  { seed, openedAt }: Pick<World, 'seed' | 'openedAt'>,
  account: Account,
): Promise<readonly Transaction[]> => {
  const today = Math.floor(openedAt.getTime() / DAY)
  const key = `${seed} ${today} ${account.accountId}`
  const history = histories.get(key) ?? invent(account, seed, today)
  histories.set(key, history)
  return history
}

const invent = async (account: Account, seed: number, today: number): Promise<readonly Transaction[]> => {
  // Only one language, and only when needed, since the whole library loads slowly.
  const { faker } = await import('@faker-js/faker/locale/sk')
  // Generated without a pause, so that no other account uses the random sequence in between.
  faker.seed([seed, Number(account.iban.slice(-10))])
  const cast = castOf(faker)
  let date = today
  return Object.freeze(
    Array.from({ length: account.openingTransactions }, (_, place) => {
      date -= faker.number.int(LONGEST_PAUSE_DAYS)
      const number = account.openingTransactions - place
      return Object.freeze(transaction(faker, cast, account, { date, number }))
    }),
  )
}

const castOf = (faker: Faker): Cast => ({
  counterparties: Array.from({ length: CAST_SIZE }, (_, place) => ({
    name: place % 2 === 0 ? faker.company.name() : faker.person.fullName(),
    iban: ibanAt('9810', faker.number.int({ min: 1_000_000_000, max: 8_999_999_999 })),
  })),
  occasions: Array.from({ length: CAST_SIZE }, () => faker.commerce.productName()),
})

interface Entry {
  /** Days since 1970. */
  readonly date: number
  /** Counted from the account's first transaction. */
  readonly number: number
}

const transaction = (
  faker: Faker,
  { counterparties, occasions }: Cast,
  { iban }: Account,
  { date, number }: Entry,
): Transaction => {
  const bookingDate = new Date(date * DAY).toISOString().slice(0, 10)
  const isPayment = faker.number.float() < PAYMENT_SHARE
  const amount = faker.number.int({ min: 1, max: LARGEST_AMOUNT })
  return {
    transactionId: `${iban.slice(-6)}-${String(number).padStart(6, '0')}`,
    amount: isPayment ? -amount : amount,
    bookingDate,
    valueDate: bookingDate,
    counterparty: faker.helpers.arrayElement(counterparties),
    remittanceInformation: faker.helpers.arrayElement(occasions),
  }
}

/** A bank that is not part of the seed data. */
const COUNTERPARTY_IBAN = ibanAt('9810', 2_700_000_000)

const NOTHING: Bookings = { booked: [], known: [] }

export const bookingsOf = (ledger: Ledger, { accountId }: Account): Bookings =>
  ledger.bookings.get(accountId) ?? NOTHING

/** Copies the bookings of the other bank, at the end of its refresh. */
export const takeOver = (ledger: Ledger, account: Account): void => {
  const { booked } = bookingsOf(ledger, account)
  if (booked.length > 0) ledger.bookings.set(account.accountId, { booked, known: booked })
}

export const accountWithIban = ({ seedData }: World, iban: string): Account | undefined =>
  accountWhere(seedData.customers, (account) => account.iban === iban)

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

/** Books an amount, in hundredths of the account's currency, in every environment. */
export const book = (parts: BankParts, account: Account, amount: number): Transaction => {
  const transaction = newTransaction(parts.clock.now(), amount)
  for (const environment of ENVIRONMENTS) bookOn(contextOf(parts, environment), account, transaction)
  announceBooking(parts, account, transaction)
  return transaction
}

/** Adds a transaction in one environment, without a notification. */
export const bookOn = (context: BankContext, account: Account, transaction: Transaction): void => {
  const { ledger, rules } = context
  const { booked, known } = bookingsOf(ledger, account)
  const facts = { ...factsAt(context), account, transaction }
  ledger.bookings.set(account.accountId, {
    booked: [transaction, ...booked],
    known: rules.bookingIsKnownAtOnce(facts) ? [transaction, ...known] : known,
  })
}
