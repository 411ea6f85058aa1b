import { createHash } from 'node:crypto'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { fieldOf, idOf, readJson, responseOf } from '../../evidence/record/answer.ts'
import { linkIn } from './link-header.ts'
import { COUNT } from '../../profile/mismatch/kinds.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Paging } from '../../profile/schema/operations.ts'
import { idByContent } from '../../evidence/record/page-walk.ts'
import type { Position, Walk, WalkEnd, WalkedPage } from '../../evidence/record/page-walk.ts'

/**
 * Requests the pages of an account one after the other. Each page is read once and not kept as a whole, so that a
 * long account needs little memory.
 */

/** The paths of the fields of a page of transactions. */
interface PageBinding {
  /** The list of transactions. */
  readonly transactions: string
  /** The identifier, within one transaction. */
  readonly id: string
  readonly paging: Paging
}

interface WalkOptions {
  readonly size: number
  readonly binding: PageBinding
  /** A link is only followed below this address. */
  readonly base: string
  /** Other origins that a link may name: such a link is followed at the origin of `base`. */
  readonly origins?: readonly string[]
  /** Requests the page at this position; without one, the first page. */
  readonly ask: (position: Position | undefined) => Promise<Exchange>
  readonly mostPages?: number
}

/** With the smallest pages of the interface, 10 transactions, this is 100,000 transactions. */
const MOST_PAGES = 10_000

/** A page that is repeated once may be a slip; after the third time the walk has no end. */
const MOST_REPEATED = 3

/** @throws Inconclusive if a page was not answered, or does not say in a readable form what follows. */
export const walkAccount = async (options: WalkOptions): Promise<Walk> => {
  const { size, ask, binding, mostPages = MOST_PAGES } = options
  const pages: WalkedPage[] = []
  const seen = new Set<string>()
  const repeated = new Map<string, number>()
  const unnamed = new Map<string, number>()
  const ended = (end: WalkEnd): Walk => {
    const [last, empty] = pages.slice(-2)
    // The page before the empty one was the last.
    if (end === 'last' && binding.paging.end === 'empty-page' && last && empty?.ids.length === 0)
      pages.splice(-2, 2, { ...last, isLast: true })
    return { kind: 'walk', size, pages, end }
  }
  for (let position: Position | undefined; ;) {
    const exchange = await ask(position)
    seen.add(keyOf(position ?? startOf(exchange)))
    const { page, onward: nextPage } = readPage(exchange, options, position, unnamed)
    pages.push(page)
    if (typeof nextPage === 'string') return ended(nextPage)
    if (nextPage.kind === 'foreign') return { ...ended('foreign-link'), leadsTo: nextPage.url }
    if (seen.has(keyOf(nextPage)) || countIn(repeated, page, options) >= MOST_REPEATED) return ended('loop')
    if (binding.paging.end !== 'empty-page' && hasNoEnd(pages)) return ended('empty-pages')
    if (pages.length >= mostPages) return ended('endless')
    position = nextPage
  }
}

/** Links and cursors may differ each time. */
const hasNoEnd = (pages: readonly WalkedPage[]): boolean =>
  pages.length >= MOST_REPEATED && pages.slice(-MOST_REPEATED).every(({ ids }) => ids.length === 0)

/** The first page has an address too: a link may lead back to it. */
const startOf = ({ request }: Exchange): Position => ({ kind: 'link', url: new URL(request.url).href })

/**
 * How often a page with the same transactions has come. Empty
 * pages are counted only if pages are numbered: an address does not show then that it leads nowhere.
 */
const countIn = (
  repeated: Map<string, number>,
  { ids }: WalkedPage,
  { binding: { paging } }: WalkOptions,
): number => {
  if (ids.length === 0 && paging.kind !== 'number' && paging.kind !== 'offset') return 0
  // Only the first and last id: an account may have thousands of pages.
  const key = JSON.stringify([ids.length, ids[0], ids.at(-1)])
  const count = (repeated.get(key) ?? 0) + 1
  repeated.set(key, count)
  return count
}

const keyOf = (position: Position): string => JSON.stringify(position)

type NextPage = Position | WalkEnd | { readonly kind: 'foreign'; readonly url: string }

const readPage = (
  exchange: Exchange,
  { binding, base, origins = [] }: WalkOptions,
  position: Position | undefined,
  known: Map<string, number>,
): { readonly page: WalkedPage; readonly onward: NextPage } => {
  const json = readJson(exchange)
  const transactions = fieldOf(json, binding.transactions)
  if (!Array.isArray(transactions)) return { page: { exchange, ids: [], isLast: true }, onward: 'refused' }
  const ids = idsOf(transactions, binding.id, known)
  const onward = nextOf({ exchange, json, position }, binding, { base, origins })
  return { page: { exchange, ids, isLast: onward === 'last' }, onward }
}

/**
 * The id of each transaction. One without an id, such as a pending one, is known by its content: the second one with the
 * same content is another one.
 */
const idsOf = (
  transactions: readonly unknown[],
  path: string,
  known: Map<string, number>,
): readonly string[] =>
  transactions.map((transaction) => {
    const id = idOf(fieldOf(transaction, path))
    if (id !== undefined) return id
    const content = createHash('sha256').update(JSON.stringify(transaction)).digest('hex').slice(0, 16)
    const count = (known.get(content) ?? 0) + 1
    known.set(content, count)
    return idByContent(content, count)
  })

/** The ids on a page by itself; undefined if it has no list. */
export const idsOnPage = (
  exchange: Exchange,
  { transactions, id }: Pick<PageBinding, 'transactions' | 'id'>,
): readonly string[] | undefined => {
  const items = fieldOf(readJson(exchange), transactions)
  return Array.isArray(items) ? idsOf(items, id, new Map()) : undefined
}

interface CurrentPage {
  readonly exchange: Exchange
  readonly json: unknown
  readonly position: Position | undefined
}

/** Where a link may lead. */
type LinkPlaces = Required<Pick<WalkOptions, 'base' | 'origins'>>

const nextOf = (
  { exchange, json, position }: CurrentPage,
  { paging, transactions }: Pick<PageBinding, 'paging' | 'transactions'>,
  places: LinkPlaces,
): NextPage => {
  const items = fieldOf(json, transactions)
  const isCounted = paging.end !== 'empty-page'
  if (!isCounted && Array.isArray(items) && items.length === 0) return 'last'
  if (paging.kind === 'offset') {
    const total = isCounted ? fieldOf(json, paging.total) : Infinity
    if (isCounted && !COUNT.fits(total))
      throw unreadable(exchange, paging.total, 'how many transactions there are')
    const start = position?.kind === 'number' ? position.page : paging.first
    const page = start + (Array.isArray(items) ? items.length : 0)
    return page - paging.first < Number(total) ? { kind: 'number', page } : 'last'
  }
  if (paging.kind === 'number') {
    const count = isCounted ? fieldOf(json, paging.count) : Infinity
    if (isCounted && !COUNT.fits(count)) throw unreadable(exchange, paging.count, 'how many pages there are')
    const page = position?.kind === 'number' ? position.page : paging.first
    return page - paging.first + 1 < Number(count) ? { kind: 'number', page: page + 1 } : 'last'
  }
  if (paging.kind === 'link-header') {
    const link = linkIn(responseOf(exchange).headers, paging.relation)
    return link === undefined ? 'last' : linkOf(link, exchange, places)
  }
  const next = fieldOf(json, paging.next)
  if (isNothing(next)) return 'last'
  const text = idOf(next)
  if (text === undefined) throw unreadable(exchange, paging.next, 'which page follows')
  return paging.kind === 'cursor' ? { kind: 'cursor', value: text } : linkOf(text, exchange, places)
}

/**
 * How the page after this one is requested, for a scenario that requests pages itself; undefined after the last
 * page.
 * @throws NotReached if a link leads to another origin.
 */
export const nextPosition = (
  exchange: Exchange,
  { origins = [], ...binding }: Pick<PageBinding, 'paging' | 'transactions'> & Pick<WalkOptions, 'origins'>,
  position?: Position,
): Position | undefined => {
  // The path of a link is checked when the link is followed.
  const base = new URL(exchange.request.url).origin
  const onward = nextOf({ exchange, json: readJson(exchange), position }, binding, { base, origins })
  if (typeof onward === 'string') return undefined
  if (onward.kind === 'foreign') throw new NotReached(`${exchange.id} links to a page of another origin`)
  return onward
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false

const unreadable = ({ id }: Exchange, path: string, what: string): Inconclusive =>
  new Inconclusive(
    `${id} does not say under ${path} ${what} (listTransactions.paging); where an empty page ends them, say \`paging.end: empty-page\``,
  )

/**
 * An absolute link, or one relative to the page that has it (RFC 3986 §5). A bank may write the origin of its gateway:
 * where the profile lists it, the link is followed at the origin of the target, so that no other host gets the token.
 */
const linkOf = (link: string, { id, request }: Exchange, places: LinkPlaces): NextPage => {
  const url = linkedFrom(request.url, link, places)
  if (url === undefined)
    throw new Inconclusive(`${id} has a link to the next page that is not a URL (listTransactions.paging)`)
  return { kind: isBelow(url, places.base) ? 'link' : 'foreign', url }
}

/** Where a link of a page leads; undefined if it is not a URL. */
export const linkedFrom = (page: string, link: string, { base, origins }: LinkPlaces): string | undefined => {
  if (!URL.canParse(link, page)) return undefined
  const url = new URL(link, page)
  // A fragment is never sent: two links that differ only in it lead to one page.
  url.hash = ''
  if (origins.some((origin) => new URL(origin).origin === url.origin)) {
    const target = new URL(base)
    url.protocol = target.protocol
    url.host = target.host
    url.port = target.port
  }
  return url.href
}

/** Whether an address belongs to the target: the access token is sent to it. */
export const isBelow = (address: string, base: string): boolean => {
  const [url, root] = [new URL(address), new URL(`${base}/`)]
  const isCredentialed = url.username !== '' || url.password !== ''
  return url.origin === root.origin && url.pathname.startsWith(root.pathname) && !isCredentialed
}
