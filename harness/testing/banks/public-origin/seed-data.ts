/** The applications, customers and accounts that the bank starts with, and one account of another bank. */

export type Place = 'sandbox' | 'production' | 'loans'

export interface Application {
  id: string
  kind: 'TPP' | 'FAC'
  /** The secret of each place where the application is known. */
  secrets: Partial<Record<Place, string>>
  redirect: string
}

export interface AccountSeed {
  id: string
  iban: string
  transactions: number
  cents: number
}

export const BARGE: Application = {
  id: 'ferry-barge',
  kind: 'TPP',
  secrets: { sandbox: 'barge-sand-1', production: 'barge-live-2', loans: 'barge-loan-3' },
  redirect: 'https://barge.example/back',
}

export const RAFT: Application = {
  id: 'ferry-raft',
  kind: 'TPP',
  secrets: { sandbox: 'raft-sand-4', production: 'raft-live-5' },
  redirect: 'https://raft.example/back',
}

export const PUNT: Application = {
  id: 'ferry-punt',
  kind: 'FAC',
  secrets: { sandbox: 'punt-sand-6' },
  redirect: 'https://punt.example/back',
}

export const APPLICATIONS = [BARGE, RAFT, PUNT]

export const CYRIL = { name: 'cyril', word: 'cyril-word-1' }
export const DANA = { name: 'dana', word: 'dana-word-2' }
export const EMIL = { name: 'emil', word: 'emil-word-3' }

export const CUSTOMERS = [CYRIL, DANA, EMIL]

/** The accounts of each environment, by the name of the customer. */
export const ACCOUNTS: Record<'sandbox' | 'production', Record<string, AccountSeed[]>> = {
  sandbox: {
    cyril: [
      { id: 'berth-5e01c7', iban: 'DE39100400000412770101', transactions: 130, cents: 70_000 },
      { id: 'berth-91aa42', iban: 'DE28100400000412770202', transactions: 12, cents: 0 },
    ],
    dana: [{ id: 'berth-c37d10', iban: 'DE67100400000588310303', transactions: 33, cents: 20_000 }],
  },
  production: {
    cyril: [{ id: 'berth-07f9b6', iban: 'DE86100400009412770404', transactions: 64, cents: 50_000 }],
    dana: [{ id: 'berth-e8430d', iban: 'DE28100400009588310505', transactions: 33, cents: 20_000 }],
  },
}

/** An open account at another German bank, for payees. */
export const PAYEE_IBAN = 'DE82370502990612345678'
