/** From a data call to the customer whose data it asks for, and to the one account that it names. */
import { authenticateBearer } from './bearer.ts'
import { factsOf, Refusal, type Call } from './call.ts'
import { accountWhere, type AccountFacts, type CustomerFacts, type Naming } from './rules/account-rules.ts'
import type { Account } from './world.ts'

/** A dead or missing token is answered with 401. */
export const openAccess = (call: Call): CustomerFacts => {
  const { token, grant } = authenticateBearer(call)
  const { endpoint, variant } = call
  const { customers } = call.world.residents
  const customer = customers.find(({ username }) => username === grant.username)
  if (!customer) throw new Error(`the grant of an unknown customer: ${grant.username}`)
  return { ...factsOf(call), endpoint, variant, token, grant, customer, customers }
}

const accountOfId = (call: Call, facts: CustomerFacts, accountId: string): Account | undefined =>
  accountWhere(facts.customers, (account) => call.rules.accountIdOf({ ...facts, account }) === accountId) ??
  call.rules.accountOfUnknownId({ ...facts, accountId })

/** The account that a call names. One that is not open is answered like one that does not exist. */
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

export type JsonObject = Readonly<Record<string, unknown>>

const readObject = async (call: Call): Promise<JsonObject> => {
  const body: unknown = await call.request.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject
  throw new Refusal('invalid_request', 'The body must be a JSON object.')
}

/** The account in the body of the second variant, and the body. */
export const openAccountOfBody = async (
  call: Call,
): Promise<{ readonly facts: AccountFacts; readonly body: JsonObject }> => {
  const access = openAccess(call)
  const body = await readObject(call)
  const named = call.rules.accountInBody({ ...access, body })
  if (!named) throw new Refusal('invalid_request', 'The body must name one account: by accountId or by iban.')
  return { facts: await openAccount(call, access, named), body }
}
