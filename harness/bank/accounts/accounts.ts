/** The accounts that the customer has granted to the client: their list, and the detail and balances of each. */
import { authenticateBearer } from '../authorization/authentication.ts'
import { factsOf, objectIn, Refusal, type Call } from '../call.ts'
import { json } from '../responses.ts'
import {
  accountWhere,
  type AccountFacts,
  type Balance,
  type Body,
  type CustomerFacts,
  type Naming,
} from '../rules/account-rules.ts'
import { bookingsOf } from '../bookings.ts'
import type { Account } from '../seed-data.ts'

/** An invalid or missing token is answered with 401. */
export const openAccess = (call: Call): CustomerFacts => {
  const { token, grant } = authenticateBearer(call)
  const { endpoint, variant } = call
  const { customers } = call.world.seedData
  const customer = customers.find(({ username }) => username === grant.username)
  if (!customer) throw new Error(`the grant of an unknown customer: ${grant.username}`)
  return { ...factsOf(call), endpoint, variant, token, grant, customer, customers }
}

const accountOfId = (call: Call, facts: CustomerFacts, accountId: string): Account | undefined =>
  accountWhere(facts.customers, (account) => call.rules.accountIdOf({ ...facts, account }) === accountId) ??
  call.rules.accountOfUnknownId({ ...facts, accountId })

/** The account that a call names. One that is not granted is answered like one that does not exist. */
export const openAccount = async (
  call: Call,
  facts: CustomerFacts,
  { naming, name }: { readonly naming: Naming; readonly name: string },
): Promise<AccountFacts> => {
  const account =
    naming === 'id' ? accountOfId(call, facts, name) : call.rules.accountOfIban({ ...facts, iban: name })
  const isOpen = account && (await call.rules.accountIsOpen({ ...facts, account, naming }))
  if (!account || !isOpen) throw new Refusal('account_unknown', 'There is no such account.', account)
  return { ...facts, account }
}

/** The account in the path of the first variant. */
export const openAccountOfPath = (call: Call): Promise<AccountFacts> =>
  openAccount(call, openAccess(call), { naming: 'id', name: call.parameter('accountId') })

/** The account in the body of the second variant, and the body. */
export const openAccountOfBody = async (
  call: Call,
): Promise<{ readonly facts: AccountFacts; readonly body: Body }> => {
  const access = openAccess(call)
  const body = objectIn(await call.request.text())
  if (!body) throw new Refusal('invalid_request', 'The body must be a JSON object.')
  const named = call.rules.accountInBody({ ...access, body })
  if (!named) throw new Refusal('invalid_request', 'The body must name one account: by accountId or by iban.')
  return { facts: await openAccount(call, access, named), body }
}

/** No cache may store account data. */
export const PRIVATE = { 'cache-control': 'no-store' } as const

/** GET /v1/accounts and GET /api/v1/accounts. */
export const listAccounts = async (call: Call): Promise<Response> => {
  const facts = openAccess(call)
  const accounts = await call.rules.accountsSeen(facts)
  const items = accounts.map((account) => itemOf(call, { ...facts, account }))
  return json(200, call.rules.accountListBody({ ...facts, items }), PRIVATE)
}

/** GET /v1/accounts/{account-id}. */
export const readAccount = async (call: Call): Promise<Response> =>
  showDetail(call, await openAccountOfPath(call))

/** POST /api/v1/accounts/information. */
export const readInformation = async (call: Call): Promise<Response> => {
  const { facts } = await openAccountOfBody(call)
  return showDetail(call, facts)
}

const itemOf = ({ rules }: Call, facts: AccountFacts): Body =>
  rules.accountBody({ ...facts, accountId: rules.accountIdOf(facts) })

const showDetail = (call: Call, facts: AccountFacts): Response => {
  const item = itemOf(call, facts)
  const balances = balancesOf(call, facts).map((balance) => call.rules.balanceBody({ ...facts, balance }))
  return json(200, call.rules.accountDetailBody({ ...facts, item, balances }), PRIVATE)
}

const balancesOf = (call: Call, facts: AccountFacts): readonly Balance[] => {
  const kept = bookingsOf(call.ledger, facts.account)
  const bookings = call.rules.bookingsSeen({ ...facts, ...kept, purpose: 'balances' })
  const booked = call.rules.bookedAmount({ ...facts, bookings })
  const available = call.rules.availableAmount({ ...facts, booked })
  return call.rules.balancesShown({ ...facts, booked, available })
}
