/** The accounts that the customer has opened to the client: their list, and each one's detail and balances. */
import { json } from './answers.ts'
import { openAccess, openAccountOfBody, openAccountOfPath } from './account-access.ts'
import { bookingsOf } from './bookings.ts'
import type { Call } from './call.ts'
import type { Body } from './rules/account-bodies.ts'
import type { AccountFacts, Balance } from './rules/account-rules.ts'

/** Nobody keeps what is a customer's own. */
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
