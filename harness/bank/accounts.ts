/** GET /v1/accounts: the accounts that the customer has opened to the client. */
import { json } from './answers.ts'
import { authenticateBearer } from './bearer.ts'
import { factsOf, type Call } from './call.ts'

export const listAccounts = async (call: Call): Promise<Response> => {
  const { token, grant } = authenticateBearer(call)
  const { customers } = call.world.residents
  const customer = customers.find(({ username }) => username === grant.username)
  if (!customer) throw new Error(`the grant of an unknown customer: ${grant.username}`)
  const facts = { ...factsOf(call), token, grant }
  const accounts = await call.rules.accountsSeen({ ...facts, customer, customers })
  const items = accounts.map((account) => call.rules.accountBody({ ...facts, account }))
  return json(200, call.rules.accountListBody({ ...facts, items }), { 'cache-control': 'no-store' })
}
