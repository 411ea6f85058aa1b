/** The data of one environment: customers, consents, grants and tokens. */

import { randomBytes } from 'node:crypto'
import { customersOf, type Account, type Application, type Customer } from './seed-data.ts'

interface Consent {
  readonly consentId: string
  readonly application: Application
  readonly requestId: string
  customer?: Customer
  ended: boolean
}

export interface LoginSession {
  readonly application: Application
  readonly address: string
  readonly shows: boolean
  readonly state: string | undefined
  readonly scope: string
  readonly consentId: string
  readonly challenge: string
  /** The query of the authorization request. */
  readonly query: URLSearchParams
  name?: string
  customer?: Customer
}

export interface Grant {
  readonly application: Application
  readonly customer: Customer
  readonly consentId: string
  readonly scope: string
  readonly accountIds: ReadonlySet<string>
  readonly at: number
  ended: boolean
}

interface Code {
  readonly grant: Grant
  readonly address: string
  readonly challenge: string
  readonly until: number
  spent: boolean
}

export interface Token {
  readonly grant: Grant
  readonly until: number
  ended: boolean
}

export interface Task {
  readonly taskId: string
  readonly grant: Grant
  readonly due: number
}

export interface Environment {
  readonly name: string
  readonly customers: readonly Customer[]
  readonly consents: Map<string, Consent>
  readonly loginSessions: Map<string, LoginSession>
  readonly codes: Map<string, Code>
  readonly access: Map<string, Token>
  readonly renewal: Map<string, Token>
  readonly known: Map<string, Customer>
  readonly grants: Grant[]
  tasks: Task[]
}

export const environmentOf = (name: string): Environment => ({
  name,
  customers: customersOf(name),
  consents: new Map(),
  loginSessions: new Map(),
  codes: new Map(),
  access: new Map(),
  renewal: new Map(),
  known: new Map(),
  grants: [],
  tasks: [],
})

export const DAY = 86_400_000

/** Ids contain plus signs, slashes and equals signs, as base64 does. */
export const randomId = (bytes: number): string => `+${randomBytes(bytes).toString('base64')}/=`

/** A token ends with its grant, and with the consent of the grant. */
export const isValid = (environment: Environment, token: Token, now: number): boolean =>
  !token.ended &&
  !token.grant.ended &&
  environment.consents.get(token.grant.consentId)?.ended !== true &&
  now < token.until

/** The accounts of a grant, in the order of the customer's accounts. */
export const accountsOf = (grant: Grant): Account[] =>
  grant.customer.accounts.filter((account) => grant.accountIds.has(account.accountId))
