import { Accounts } from './ledger.ts'
import type { Clock } from './clock.ts'
import { Orders } from './orders.ts'
import { seedAccounts } from './seed.ts'
import { Tokens } from './tokens.ts'

export interface Consent {
  consentId: string
  applicationId: string
  createdAt: number
  /** The customer who granted it first. */
  customer?: string
}

const NINETY_DAYS = 90 * 86_400

/** The sandbox or production: nothing of the one is known in the other. */
export class Environment {
  readonly consents = new Map<string, Consent>()
  readonly accounts: Accounts
  readonly orders: Orders
  readonly tokens: Tokens

  constructor(
    readonly name: 'sandbox' | 'production',
    readonly clock: Clock,
  ) {
    this.accounts = new Accounts(seedAccounts(clock.now()))
    this.orders = new Orders(this.accounts, clock)
    this.tokens = new Tokens(clock, NINETY_DAYS)
  }
}
