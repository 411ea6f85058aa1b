import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { stamp } from './clock.ts'
import type { Account } from './ledger.ts'
import type { Guarded, Tokens } from './tokens.ts'
import { addressOf, only, parametersOf, refused } from './wire.ts'

/** The accounts behind the token of a customer's grant. */

const DEFAULT_SIZE = 25
const GREATEST_SIZE = 100

type Guest = Context<Guarded>

export function accountRoutes(base: string, tokens: Tokens): Hono<Guarded> {
  const guard = tokens.guard(({ customer }) => customer !== undefined)
  const consented = (context: Guest): Account[] => context.get('grant').customer?.accounts ?? []
  const withAccount = (context: Guest, answer: (account: Account) => Response): Response => {
    const account = consented(context).find(({ id }) => id === context.req.param('id'))
    return account === undefined ? refused(context, 404, 'the account is unknown') : answer(account)
  }
  const routes = new Hono<Guarded>()
  routes
    .use('/v1/accounts/*', guard)
    .use('/refresh', guard)
    .get('/v1/accounts', (context) =>
      context.json({ result: consented(context).map(({ id, iban }) => ({ accountId: id, iban })) }),
    )
    .all('/v1/accounts', only('GET'))
    .get('/v1/accounts/:id', (context) =>
      withAccount(context, ({ iban, booked }) =>
        context.json({ result: { iban, balances: [{ kind: 'booked', minor: booked, unit: 'EUR' }] } }),
      ),
    )
    .all('/v1/accounts/:id', only('GET'))
    .get('/v1/accounts/:id/transactions', (context) =>
      withAccount(context, (account) => pageOf(context, base, account)),
    )
    .all('/v1/accounts/:id/transactions', only('GET'))
    .put('/refresh', (context) => context.json({ result: { taskId: randomUUID() } }))
    .all('/refresh', only('PUT'))
  return routes
}

/** A page of transactions. It goes on behind a transaction, not a number, so that new ones shift nothing. */
function pageOf(context: Guest, base: string, { id, transactions }: Account): Response {
  const query = new URL(context.req.url).searchParams
  const { values, repeated } = parametersOf(query.toString())
  const asked = query.get('pageSize') ?? `${DEFAULT_SIZE}`
  if (!/^\d+$/.test(asked) || Number(asked) < 1 || repeated.has('pageSize'))
    return refused(context, 422, 'pageSize is no number from 1')
  const size = Math.min(Number(asked), GREATEST_SIZE)
  const after = values.get('after')
  const start = after === undefined ? 0 : transactions.findIndex(({ no }) => no === after) + 1
  if (after !== undefined && start === 0) return refused(context, 422, 'the page is unknown')
  const shown = transactions.slice(start, start + size)
  const last = shown.at(-1)
  const next = new URLSearchParams({ pageSize: `${size}`, after: last?.no ?? '' })
  const hasMore = start + size < transactions.length
  return context.json({
    result: shown.map(({ no, cents, booked, text }) => ({
      no,
      minor: cents,
      unit: 'EUR',
      booked: stamp(booked),
      text,
    })),
    ...(hasMore ? { more: addressOf(`${base}/v1/accounts/${id}/transactions?${next.toString()}`) } : {}),
  })
}
