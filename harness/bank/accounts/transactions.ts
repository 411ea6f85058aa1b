/** The size of a page: the requested one, within the bounds of the variant. */
import { type Call, Refusal, single } from '../call.ts'
import { json } from '../responses.ts'
import type { AccountFacts } from '../rules/account-rules.ts'
import type { PageFacts } from '../rules/transaction-rules.ts'
import type { Transaction } from '../state.ts'
import { openAccountOfBody, openAccountOfPath, PRIVATE } from './accounts.ts'
import { bookingsOf, historyOf } from '../bookings.ts'

/** `pageSize` is a text of the query or a value of the body; undefined if the request has none. */
export const pageSizeOf = (call: Call, facts: AccountFacts, pageSize: unknown): number => {
  const { rules } = call
  if (pageSize === undefined) return rules.defaultPageSize(facts)
  const asked = rules.pageSizeAskedFor({ ...facts, pageSize })
  if (asked !== undefined) return within(call, facts, asked)
  if (rules.pageSizeMalformed({ ...facts, pageSize }) === 'left out') return rules.defaultPageSize(facts)
  throw new Refusal('invalid_request', 'The pageSize must be an integer.')
}

const within = ({ rules }: Call, facts: AccountFacts, asked: number): number => {
  const floor = rules.pageSizeFloor(facts)
  const ceiling = rules.pageSizeCeiling(facts)
  const bound = asked < floor ? 'floor' : asked > ceiling ? 'ceiling' : undefined
  if (bound === undefined) return asked
  if (rules.pageSizeBeyond({ ...facts, asked, bound }) === 'clamped') {
    return bound === 'floor' ? floor : ceiling
  }
  throw new Refusal('invalid_request', `The pageSize must be from ${floor} to ${ceiling}.`)
}

/** GET /v1/accounts/{account-id}/transactions. */
export const listTransactions = async (call: Call): Promise<Response> => {
  const facts = await openAccountOfPath(call)
  const query = call.url.searchParams
  const size = pageSizeOf(call, facts, single(call, query, 'pageSize'))
  const all = await allTransactions(call, facts)
  const cursor = single(call, query, call.rules.cursorParameter(facts))
  const asked = { ...facts, all, size }
  const offset = cursor === undefined ? 0 : call.rules.offsetOfCursor({ ...asked, cursor })
  if (offset === undefined) throw new Refusal('invalid_request', 'There is no such page.')
  return showPage(call, { ...asked, offset })
}

/** POST /api/v1/accounts/transactions. */
export const searchTransactions = async (call: Call): Promise<Response> => {
  const { facts, body } = await openAccountOfBody(call)
  const size = pageSizeOf(call, facts, body['pageSize'])
  const asked = { ...facts, all: await allTransactions(call, facts), size }
  const number = call.rules.pageNumber({ ...asked, page: body['page'] })
  if (number === undefined) throw new Refusal('invalid_request', 'The page must be an integer from 1 on.')
  const page = { ...asked, number, offset: call.rules.offsetOfPage({ ...asked, number }) }
  const isEmpty = number > 1 && page.offset >= page.all.length
  // An empty page that is counted is not after the last one.
  if (isEmpty && call.rules.pageBehindTheLast(page) === 'refused' && number > call.rules.pageCount(page)) {
    throw new Refusal('invalid_request', 'There is no such page.')
  }
  return showPage(call, page)
}

const allTransactions = async (call: Call, facts: AccountFacts): Promise<readonly Transaction[]> => {
  const kept = bookingsOf(call.ledger, facts.account)
  const bookings = call.rules.bookingsSeen({ ...facts, ...kept, purpose: 'transactions' })
  const history = await historyOf(call.world, facts.account)
  const transactions = call.rules.transactionsOf({ ...facts, history, bookings })
  // Every rule of the page gets all transactions. They are frozen, so that a recording need not copy them.
  return Object.freeze(call.rules.transactionOrder({ ...facts, transactions }))
}

const showPage = (call: Call, facts: PageFacts): Response => {
  const items = call.rules.pageItems(facts)
  const bodies = items.map((transaction) => call.rules.transactionBody({ ...facts, transaction }))
  const next = linkToNext(call, facts, items)
  const pageCount = call.rules.pageCount(facts)
  return json(200, call.rules.transactionPageBody({ ...facts, items: bodies, next, pageCount }), PRIVATE)
}

const linkToNext = (call: Call, facts: PageFacts, items: readonly Transaction[]): string | undefined => {
  // The second variant has page numbers and no links.
  if (facts.variant === 'second' || !call.rules.hasNextPage(facts)) return undefined
  const cursor = call.rules.cursorAt({ ...facts, offset: call.rules.nextOffset({ ...facts, items }) })
  const parameters = { pageSize: String(facts.size), [call.rules.cursorParameter(facts)]: cursor }
  return call.rules.nextLink({
    ...facts,
    origin: call.url.origin,
    path: call.url.pathname,
    query: new URLSearchParams(parameters).toString(),
  })
}
