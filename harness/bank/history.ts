/**
 * The transactions that an account has when the bank opens: invented, the same for every bank of the same seed and
 * opening day, made when somebody first asks for them, and shared from then on.
 */
import type { Faker } from '@faker-js/faker'
import { ibanAt } from './iban.ts'
import { DAY } from './rules/facts.ts'
import type { Account, Transaction, World } from './world.ts'

/** People, shops, and what they are paid for. */
interface Cast {
  readonly counterparties: readonly Transaction['counterparty'][]
  readonly occasions: readonly string[]
}

const CAST_SIZE = 40
const LONGEST_PAUSE_DAYS = 2
const LARGEST_AMOUNT = 250_000

/** How often money leaves an account, rather than comes to it. */
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
  // One language alone, and not before it is needed: the whole library takes longer to load than most runs.
  const { faker } = await import('@faker-js/faker/locale/sk')
  // All that is drawn in one go, so that no other account draws in between.
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
