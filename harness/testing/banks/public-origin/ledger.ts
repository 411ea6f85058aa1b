import { randomUUID } from 'node:crypto'
import { ACCOUNTS, CUSTOMERS, type AccountSeed } from './seed-data.ts'

/** The customers of one environment, with their money. */

export interface Transaction {
  no: string
  cents: number
  booked: number
  text: string
}

export interface Customer {
  name: string
  word: string
  accounts: Account[]
}

const HOUR = 3_600_000

export class Account {
  readonly id: string
  readonly iban: string
  /** The newest is the first. */
  readonly transactions: Transaction[] = []
  #booked = 0
  #reserved = 0

  constructor({ id, iban, transactions, cents }: AccountSeed, opened: number) {
    this.id = id
    this.iban = iban
    const amounts = Array.from({ length: transactions - 1 }, (_, at) => -(120 + ((at * 277) % 1900)))
    // The first deposit makes the transactions add up to the balance.
    amounts.unshift(cents - amounts.reduce((sum, amount) => sum + amount, 0))
    for (const [at, amount] of amounts.entries())
      this.book(amount, opened - (transactions - at) * 11 * HOUR, at === 0 ? 'Deposit' : `Crossing ${at}`)
  }

  get booked(): number {
    return this.#booked
  }

  /** What may be spent: the booked money without that of the payments under way. */
  get available(): number {
    return this.#booked - this.#reserved
  }

  book(cents: number, booked: number, text: string): Transaction {
    const transaction = { no: `T-${randomUUID()}`, cents, booked, text }
    this.transactions.unshift(transaction)
    this.#booked += cents
    return transaction
  }

  reserve(cents: number): void {
    this.#reserved += cents
  }

  release(cents: number): void {
    this.#reserved -= cents
  }
}

export class Ledger {
  readonly customers: Customer[]

  constructor(environment: 'sandbox' | 'production', opened: number) {
    this.customers = CUSTOMERS.map(({ name, word }) => ({
      name,
      word,
      accounts: (ACCOUNTS[environment][name] ?? []).map((seed) => new Account(seed, opened)),
    }))
  }

  account(iban: string): Account | undefined {
    return this.customers.flatMap(({ accounts }) => accounts).find((account) => account.iban === iban)
  }
}
