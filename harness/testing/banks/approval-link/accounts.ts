import type { Hono } from 'hono'
import type { Grants } from './grants.ts'
import { type Account, type Ledger, decimal, euro } from './ledger.ts'
import { type Call, type Served, fault, only, queryOf, randomId } from './wire.ts'

/** The accounts that a customer has granted: list, detail, transactions, refresh. */

const PAGE = 20
const LARGEST_PAGE = 100

export function serveAccounts(app: Hono<Served>, grants: Grants, ledger: Ledger): void {
  /** The granted accounts, or the refusal of the call. */
  const granted = (call: Call): Account[] | Response => {
    const grant = grants.bearer(call)
    return grant instanceof Response ? grant : ledger.of(grant.customer)
  }

  const withAccount =
    (answer: (call: Call, account: Account) => Response) =>
    (call: Call): Response => {
      const accounts = granted(call)
      if (accounts instanceof Response) return accounts
      const account = accounts.find(({ seed }) => seed.id === call.req.param('id'))
      return account === undefined
        ? fault(call, 404, 'account', 'There is no such account.')
        : answer(call, account)
    }

  app.get('/v1/accounts', (call) => {
    const accounts = granted(call)
    if (accounts instanceof Response) return accounts
    return call.json({
      data: { accounts: accounts.map((account) => ({ ...named(account), label: account.seed.label })) },
    })
  })
  app.get('/v1/accounts/:id', withAccount(detail))
  app.get('/v1/accounts/:id/transactions', withAccount(transactions))
  for (const path of ['/v1/accounts', '/v1/accounts/:id', '/v1/accounts/:id/transactions'])
    app.all(path, only('GET, HEAD'))

  app.put('/refresh', (call) => {
    const accounts = granted(call)
    return accounts instanceof Response ? accounts : call.json({ taskId: randomId() }, 202)
  })
  app.all('/refresh', only('PUT'))
}

const named = ({ seed }: Account): { accountId: string; number: { iban: string } } => ({
  accountId: seed.id,
  number: { iban: seed.iban },
})

const detail = (call: Call, account: Account): Response =>
  call.json({
    data: {
      ...named(account),
      label: account.seed.label,
      money: { booked: euro(account.booked), available: euro(account.available) },
    },
  })

function transactions(call: Call, { moves }: Account): Response {
  const query = queryOf(call)
  const size = wholeNumber(query, 'pageSize', PAGE)
  const from = wholeNumber(query, 'from', 0)
  if (size === undefined || size < 1 || size > LARGEST_PAGE)
    return fault(call, 400, 'pageSize', `pageSize is a whole number from 1 to ${LARGEST_PAGE}.`)
  if (from === undefined) return fault(call, 400, 'from', 'from is a whole number of 0 or more.')
  return call.json({
    data: {
      moves: moves
        .slice(from, from + size)
        .map(({ key, cents, day }) => ({ key, sum: decimal(cents), unit: 'EUR', day })),
    },
    paging: { count: moves.length },
  })
}

/** A parameter as a whole number; undefined if it is none, or occurs more than once. */
function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number | undefined {
  const [text, ...more] = query.getAll(name)
  if (text === undefined) return otherwise
  return more.length === 0 && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
