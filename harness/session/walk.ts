import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { fieldOf, readJson, responseOf } from './answer.ts'
import { linkIn } from './link-header.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Paging } from '../profile/schema.ts'
import type { Position, Walk, WalkEnd, WalkedPage } from './accounts.ts'

/** Walks the pages of an account. Each page is read once and let go, so that a long account costs little more. */

/** Where a page of transactions has what. */
export interface PageBinding {
  /** The list of transactions. */
  readonly transactions: string
  /** What tells one transaction from another, within one transaction. */
  readonly id: string
  readonly paging: Paging
}

export interface WalkOptions {
  readonly size: number
  readonly binding: PageBinding
  /** A link is followed below this address and nowhere else. */
  readonly base: string
  /** Asks for the page at this position; without one, for the first. */
  readonly ask: (position: Position | undefined) => Promise<Exchange>
  readonly mostPages?: number
}

/** With the smallest pages that the interface knows of, 10 transactions, these hold 100,000. */
const MOST_PAGES = 10_000

export const isWalk = (value: unknown): value is Walk =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'walk'

/** A page that is answered once more may be a slip; one that is answered for the third time has no end. */
const MOST_ALIKE = 3

/** @throws Inconclusive where a page was not answered at all, or says in no readable way what follows. */
export const walkAccount = async (options: WalkOptions): Promise<Walk> => {
  const { size, ask, mostPages = MOST_PAGES } = options
  const pages: WalkedPage[] = []
  const seen = new Set<string>()
  const alike = new Map<string, number>()
  const ended = (end: WalkEnd): Walk => ({ kind: 'walk', size, pages, end })
  for (let position: Position | undefined; ;) {
    const exchange = await ask(position)
    seen.add(keyOf(position ?? startOf(exchange)))
    const { page, onward } = readPage(exchange, options, position)
    pages.push(page)
    if (typeof onward === 'string') return ended(onward)
    if (seen.has(keyOf(onward)) || countIn(alike, page, options) >= MOST_ALIKE) return ended('loop')
    if (pages.length >= mostPages) return ended('endless')
    position = onward
  }
}

/** A link may lead back to the first page as well, which no link has led to. */
const startOf = ({ request }: Exchange): Position => ({ kind: 'link', url: new URL(request.url).href })

/**
 * How often such a page has come. Those that do not tell their transactions apart may be any. Pages without a
 * transaction are counted where they are numbered: no address shows that they lead nowhere.
 */
const countIn = (
  alike: Map<string, number>,
  { ids }: WalkedPage,
  { binding: { paging } }: WalkOptions,
): number => {
  if (ids.includes('') || (ids.length === 0 && paging.kind !== 'number' && paging.kind !== 'offset')) return 0
  // By its ends: an account may have thousands of pages.
  const key = JSON.stringify([ids.length, ids[0], ids.at(-1)])
  const count = (alike.get(key) ?? 0) + 1
  alike.set(key, count)
  return count
}

const keyOf = (position: Position): string => JSON.stringify(position)

/** Where a page leads: to the next one, or to the end of the walk. */
type Onward = Position | WalkEnd

interface ReadPage {
  readonly page: WalkedPage
  readonly onward: Onward
}

const readPage = (
  exchange: Exchange,
  { binding, base }: WalkOptions,
  position: Position | undefined,
): ReadPage => {
  const json = readJson(exchange)
  const transactions = fieldOf(json, binding.transactions)
  if (!Array.isArray(transactions)) return { page: { exchange, ids: [], isLast: true }, onward: 'refused' }
  const ids = transactions.map((transaction) => textOf(fieldOf(transaction, binding.id)))
  const onward = nextOf({ exchange, json, position }, binding, base)
  return { page: { exchange, ids, isLast: onward === 'last' }, onward }
}

/** Ids and cursors are texts or numbers. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

interface Standing {
  readonly exchange: Exchange
  readonly json: unknown
  readonly position: Position | undefined
}

const nextOf = (
  { exchange, json, position }: Standing,
  { paging, transactions }: Pick<PageBinding, 'paging' | 'transactions'>,
  base: string,
): Onward => {
  if (paging.kind === 'offset') {
    const total = fieldOf(json, paging.total)
    if (!isCount(total)) throw unreadable(exchange, paging.total, 'how many transactions there are')
    const items = fieldOf(json, transactions)
    const start = position?.kind === 'number' ? position.page : paging.first
    const page = start + (Array.isArray(items) ? items.length : 0)
    return page - paging.first < total ? { kind: 'number', page } : 'last'
  }
  if (paging.kind === 'number') {
    const count = fieldOf(json, paging.count)
    if (!isCount(count)) throw unreadable(exchange, paging.count, 'how many pages there are')
    const page = position?.kind === 'number' ? position.page : paging.first
    return page - paging.first + 1 < count ? { kind: 'number', page: page + 1 } : 'last'
  }
  if (paging.kind === 'link-header') {
    const link = linkIn(responseOf(exchange).headers, paging.relation)
    return link === undefined ? 'last' : linkOf(link, exchange, base)
  }
  const next = fieldOf(json, paging.next)
  if (isNothing(next)) return 'last'
  const text = textOf(next)
  if (text === '') throw unreadable(exchange, paging.next, 'which page follows')
  return paging.kind === 'cursor' ? { kind: 'cursor', value: text } : linkOf(text, exchange, base)
}

/**
 * How the page behind this one is asked for, by whoever walks on by themselves; nothing behind the last one.
 * @throws NotReached where a link leads to another origin.
 */
export const positionBehind = (
  exchange: Exchange,
  binding: Pick<PageBinding, 'paging' | 'transactions'>,
  position?: Position,
): Position | undefined => {
  // Below which path of it a link may be followed is looked at when it is.
  const { origin } = new URL(exchange.request.url)
  const onward = nextOf({ exchange, json: readJson(exchange), position }, binding, origin)
  if (onward === 'foreign-link') throw new NotReached(`${exchange.id} links to a page of another origin`)
  return typeof onward === 'string' ? undefined : onward
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value)

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false

const unreadable = ({ id }: Exchange, path: string, what: string): Inconclusive =>
  new Inconclusive(`${id} does not say under ${path} ${what} (listTransactions.paging)`)

/** An absolute link, or one relative to the page that has it (RFC 3986 §5). */
const linkOf = (link: string, exchange: Exchange, base: string): Onward => {
  if (!URL.canParse(link, exchange.request.url))
    throw new Inconclusive(
      `${exchange.id} has a link to the next page that is no URL (listTransactions.paging)`,
    )
  const url = new URL(link, exchange.request.url)
  // It is never sent, so that two links that differ in it alone lead to one page.
  url.hash = ''
  return isBelow(url.href, base) ? { kind: 'link', url: url.href } : 'foreign-link'
}

/** Whether an address is one of the target's: the access token goes along with whatever is asked for. */
export const isBelow = (address: string, base: string): boolean => {
  const [url, root] = [new URL(address), new URL(`${base}/`)]
  const isCredentialed = url.username !== '' || url.password !== ''
  return url.origin === root.origin && url.pathname.startsWith(root.pathname) && !isCredentialed
}
