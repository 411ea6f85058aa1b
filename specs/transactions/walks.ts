import { asking, createWalker, ends, listedBy, SMALLEST } from './asking.ts'
import { Inconclusive, NotReached, positionBehind, ViolationError } from '../../harness/check/index.ts'
import type { Observed, ObservedWalk, Session, Walk } from '../../harness/check/index.ts'
import type { KnownAccount, Variant } from './asking.ts'

/** Walks over the pages of accounts, in pages of different sizes: how they are made, and what a judge reads of them. */

/** The largest pages, and where they are refused, smaller ones: which are refused is judged elsewhere. */
const WIDE: Readonly<Record<Variant, readonly number[]>> = { first: [100, 50, 20, 10], second: [100, 50] }

/** So many accounts are walked in smaller pages as well: those with the fewest transactions. */
const WALKED_AGAIN = 5

const lengthOf = ({ pages }: Walk): number => pages.reduce((sum, { ids }) => sum + ids.length, 0)

/** Sizes that leave fewer than 10 for the last page; multiples of ten first, since every bank knows those. */
const sizesWithRest = (length: number, most: number): readonly number[] =>
  Array.from({ length: most - SMALLEST + 1 }, (_, at) => most - at)
    .filter((size) => length % size > 0 && length % size < SMALLEST)
    .sort((one, other) => Number(one % 10 > 0) - Number(other % 10 > 0))

/**
 * About half as many, so that there are two pages or more; and others, where that is refused. Of an account that nobody
 * knows the length of, this walk tells it for the next one, whose last page is to be short.
 */
const smallerSizes = (walk: Walk, { count }: KnownAccount): readonly number[] => {
  const half = Math.min(50, Math.max(SMALLEST, Math.floor(lengthOf(walk) / 2 / 10) * 10))
  const short = count === undefined ? sizesWithRest(lengthOf(walk), half).slice(0, 2) : []
  return [...short, half, 20, 30, SMALLEST].filter((one) => one !== walk.size)
}

/** One that is no multiple of ten, for three pages or more. The first variant may take round sizes alone. */
const oddSize = (length: number): number | undefined => {
  const size = 2 * Math.floor(length / 6) + 1
  return size > SMALLEST && size < 100 ? size : undefined
}

/** Asks once more for the second page and for the first: back over the pages of a walk. */
const walkBack = async (
  ask: ReturnType<typeof asking>,
  walk: Walk,
  binding: Parameters<typeof positionBehind>[1],
) => {
  const [first] = walk.pages
  const again = []
  for (const at of [1, 0]) {
    const position = at > 0 && first ? positionBehind(first.exchange, binding) : undefined
    again.push({ at, exchange: await ask(position) })
  }
  return { walk, again }
}

/** Every account in large pages, and those with few transactions in small ones as well. */
export const walkEach = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const accounts = session.app.accounts(variant)
  const walkBy = createWalker(accounts, accessToken)
  const books = []
  for (const account of ends(await listedBy(session, variant, accessToken)))
    books.push({ account, walk: await walkBy(account, WIDE[variant]) })

  const several = books
    .filter(({ walk }) => walk.end === 'last' && lengthOf(walk) >= SMALLEST)
    .sort((one, other) => lengthOf(one.walk) - lengthOf(other.walk))
    .slice(0, WALKED_AGAIN)
  const pairs = []
  for (const { account, walk: wide } of several)
    pairs.push({ account, wide, narrow: await walkBy(account, smallerSizes(wide, account)) })

  const [odd] = variant === 'second' ? pairs.slice(-1) : []
  const size = odd && oddSize(lengthOf(odd.wide))
  if (odd && size !== undefined)
    pairs.push({ account: odd.account, wide: odd.wide, narrow: await walkBy(odd.account, [size]) })

  const longest = pairs.reduce<(typeof pairs)[number] | undefined>(
    (most, pair) => (pair.narrow.pages.length > (most?.narrow.pages.length ?? 1) ? pair : most),
    undefined,
  )
  const back =
    longest &&
    (await walkBack(
      asking(accounts, accessToken, longest.account, longest.narrow.size),
      longest.narrow,
      bindingOf(session, variant),
    ))
  return { names: namesOf(session, variant), books, pairs, back }
}

/** Where a page has what, in the words of the profile. */
export interface Names {
  readonly transactions: string
  readonly id: string
}

/** @throws NotReached where the profile has no such variant. */
export const bindingOf = ({ profile }: Session, variant: Variant) => {
  const operations = variant === 'first' ? profile.operations : profile.secondVariant
  if (operations === undefined) throw new NotReached('the profile names no second accounts variant')
  return operations.listTransactions
}

export const namesOf = (session: Session, variant: Variant): Names => {
  const { transactions, id } = bindingOf(session, variant)
  return { transactions, id }
}

export type Walks = Observed<Awaited<ReturnType<typeof walkEach>>>
export type Book = Walks['books'][number]

/** Every walk of the record, with the account that it is one over. */
export const booksIn = ({ books, pairs }: Pick<Walks, 'books' | 'pairs'>): readonly Book[] => [
  ...books,
  ...pairs.map(({ account, narrow }) => ({ account, walk: narrow })),
]

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A page without a transaction, if it is answered at all: with an empty list, or with none. */
export const isEmptyPage = ({ pages: [first] }: ObservedWalk, { transactions }: Names): boolean => {
  if (first === undefined) return false
  const { status, body } = first.exchange
  if (Number(status.value) < 200 || Number(status.value) >= 300) return false
  if (body.text.value === '') return true
  const { value } = body.field(transactions)
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === null
}

/** @throws NotReached where a walk did not come to a last page: that is judged elsewhere. */
export const isEnded = ({ account, walk }: Book): void => {
  const { value } = walk.end
  if (value === 'foreign-link')
    throw new Inconclusive(`the pages of ${account.accountId} lead out of the target's base path`)
  if (value === 'last') return
  const last = walk.pages.at(-1)?.exchange
  const end = last === undefined ? '' : ` (${last.id}: ${String(last.status.value)})`
  throw new NotReached(`the pages of ${account.accountId} came to no last one${end}`)
}

/** The walks that have pages: an account without transactions may be answered without a list. */
export const walked = (record: Pick<Walks, 'books' | 'pairs' | 'names'>): readonly Book[] =>
  booksIn(record).filter(
    ({ account, walk }) =>
      walk.end.value !== 'refused' || (account.count ?? 0) > 0 || !isEmptyPage(walk, record.names),
  )

/** What a walk has of transactions; each once. */
export const distinct = ({ ids }: ObservedWalk): readonly string[] => [...new Set(ids)]

export const lastExchange = ({ pages }: ObservedWalk): string => pages.at(-1)?.exchange.id ?? ''

export const violated = (
  exchange: string,
  subject: string,
  expected: string,
  received: string,
): ViolationError => new ViolationError({ subject, expected, received, exchange })
