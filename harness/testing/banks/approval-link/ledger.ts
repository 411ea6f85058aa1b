import { randomUUID } from 'node:crypto'
import { type AccountSeed, CUSTOMERS, type Customer } from './seed-data.ts'
import { localDay } from './time.ts'

/** The accounts of one environment, in cents. */

const DAY = 86_400_000

interface Move {
  key: string
  cents: number
  day: string
}

export class Account {
  /** The newest first. */
  readonly moves: Move[]
  booked: number
  /** What orders in settlement will take. */
  reserved = 0

  constructor(
    readonly seed: AccountSeed,
    now: number,
  ) {
    this.booked = seed.cents
    this.moves = firstMoves(seed, now)
  }

  get available(): number {
    return this.booked - this.reserved
  }

  book(cents: number, moment: number): void {
    this.booked += cents
    this.moves.unshift({ key: randomUUID(), cents, day: localDay(moment) })
  }
}

/** Transactions of the days before; the oldest brings what the others leave to the balance. */
function firstMoves({ cents, moves }: AccountSeed, now: number): Move[] {
  const sums = Array.from({ length: moves }, (_, at) => (at % 5 === 4 ? 2_350 : -310 - ((at * 37) % 290)))
  sums[moves - 1] = cents - sums.slice(0, -1).reduce((sum, one) => sum + one, 0)
  return sums.map((sum, at) => ({ key: randomUUID(), cents: sum, day: localDay(now - (at + 1) * DAY) }))
}

export class Ledger {
  readonly #accounts: Account[]

  constructor(now: number) {
    this.#accounts = CUSTOMERS.flatMap(({ accounts }) => accounts.map((seed) => new Account(seed, now)))
  }

  of(customer: Customer): Account[] {
    return this.#accounts.filter(({ seed }) => customer.accounts.includes(seed))
  }

  byIban(iban: string): Account | undefined {
    return this.#accounts.find(({ seed }) => seed.iban === iban)
  }
}

/** Cents of a decimal with at most two digits behind the point. */
export function centsOf(text: string): number {
  const [whole = '', part = ''] = text.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

export function decimal(cents: number): string {
  const digits = Math.abs(cents).toString().padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const euro = (cents: number): { sum: string; unit: string } => ({ sum: decimal(cents), unit: 'EUR' })
