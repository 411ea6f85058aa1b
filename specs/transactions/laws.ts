import { NotReached } from '../../harness/check/index.ts'
import { booksIn, distinct, isEnded, isEmptyPage, lastExchange, textOf, violated, walked } from './walks.ts'
import type { ObservedExchange, ObservedWalk } from '../../harness/check/index.ts'
import type { Book, Names, Walks } from './walks.ts'

/** The laws of paging, for every way in which a profile says that a next page is reached. */

/** Each account has a first page. */
export const eachIsAnswered = ({ books, names }: Walks): void => {
  for (const { account, walk } of books) {
    const isBare = walk.end.value === 'refused' && walk.pages.length === 1
    const mayBeEmpty = (account.count ?? 0) === 0 && isEmptyPage(walk, names)
    if (isBare && !mayBeEmpty) walk.isWhole()
  }
}

/** The pages of a walk that say that another one follows. */
const innerPages = ({ walk }: Book) => walk.pages.filter(({ isLast }) => !isLast)

interface Taken {
  readonly asked: number
  readonly got: number
}

/** What a pageSize comes to within the limits that the answers themselves show. */
export const limitsShownBy = (taken: readonly Taken[]) => {
  const least = Math.max(0, ...taken.filter(({ asked, got }) => got > asked).map(({ got }) => got))
  const most = Math.min(Infinity, ...taken.filter(({ asked, got }) => got < asked).map(({ got }) => got))
  // One size for all is no limit: pageSize sets it.
  return (asked: number): number => (least >= most ? asked : Math.min(Math.max(asked, least), most))
}

const limitsOf = (books: readonly Book[]) =>
  limitsShownBy(
    books.flatMap((book) => {
      const [first] = innerPages(book)
      return first === undefined ? [] : [{ asked: book.walk.size, got: Number(first.size.value) }]
    }),
  )

/** Only a size that the interface sets no limit for may be taken for another. */
const sizesFor = ({ hasLimits }: { readonly hasLimits: boolean }, books: readonly Book[]) =>
  hasLimits ? limitsOf(books) : (asked: number) => asked

export const innerPagesAreFull = (record: Walks, limits: { readonly hasLimits: boolean }): void => {
  const books = walked(record)
  const sizeFor = sizesFor(limits, books)
  for (const book of books) for (const { size } of innerPages(book)) size.equals(sizeFor(book.walk.size))
  books.forEach(isEnded)
}

export const innerPagesAreNoSmallerThan = (least: number, record: Walks): void => {
  for (const book of walked(record))
    for (const { size } of innerPages(book)) size.satisfies(Number(size.value) >= least, `${least} or more`)
}

export const lastPagesAreNoLarger = (record: Walks): void => {
  const books = walked(record)
  const sizeFor = limitsOf(books)
  for (const { walk } of books) walk.pages.at(-1)?.size.isBetween(0, sizeFor(walk.size))
  books.forEach(isEnded)
}

export const nothingIsLeftOut = (record: Walks): void => {
  for (const { account, walk } of walked(record)) {
    // A page in the middle that is not answered leaves out all behind it; that there is a first one is judged elsewhere.
    if (walk.end.value === 'refused' && walk.pages.length > 1) walk.isWhole()
    isEnded({ account, walk })
    const { length } = distinct(walk)
    if (length >= (account.count ?? 0)) continue
    const subject = `transactions of an account in pages of ${walk.size}`
    throw violated(lastExchange(walk), subject, `the ${account.count ?? 0} that it has`, String(length))
  }
}

export const nothingIsRepeated = (record: Walks): void => {
  for (const { walk } of walked(record)) {
    const seen = new Set<string>()
    for (const page of walk.pages)
      for (const [at, id] of page.ids.entries()) {
        page.id(at).satisfies(!seen.has(id), 'a transaction that stands nowhere before')
        seen.add(id)
      }
  }
  walked(record).forEach(isEnded)
}

/** Pairs of walks over one account that both came to an end. @throws NotReached where there is none. */
const endedPairs = ({ pairs }: Walks): Walks['pairs'] => {
  for (const { account, wide, narrow } of pairs) for (const walk of [wide, narrow]) isEnded({ account, walk })
  if (pairs.length === 0)
    throw new NotReached('no account has enough transactions for pages of different sizes')
  return pairs
}

/** Nothing, or one that stands in the one walk and not in the other. */
const strayIn = ({ wide, narrow }: Walks['pairs'][number]): string | undefined => {
  const [one, other] = [new Set(wide.ids), new Set(narrow.ids)]
  return [...one].find((id) => !other.has(id)) ?? [...other].find((id) => !one.has(id))
}

export const sizesHaveTheSameWhole = (record: Walks): void => {
  for (const pair of endedPairs(record)) {
    const stray = strayIn(pair)
    if (stray === undefined) continue
    const { wide, narrow } = pair
    const isInWide = wide.ids.includes(stray)
    throw violated(
      lastExchange(isInWide ? narrow : wide),
      `transaction ${stray}`,
      `to stand on the pages of ${wide.size} and on those of ${narrow.size}`,
      `it stands on the pages of ${isInWide ? wide.size : narrow.size} alone`,
    )
  }
}

export const sizesHaveTheSameOrder = (record: Walks): void => {
  for (const pair of endedPairs(record)) {
    // Whether they are the same transactions is judged elsewhere, and so is whether one stands there twice.
    if (strayIn(pair) !== undefined) continue
    const [wide, narrow] = [distinct(pair.wide), distinct(pair.narrow)]
    const at = narrow.findIndex((id, place) => id !== wide[place])
    if (at < 0) continue
    throw violated(
      lastExchange(pair.narrow),
      `transaction ${at + 1} in pages of ${pair.narrow.size}`,
      `${wide[at] ?? 'nothing'}, as in pages of ${pair.wide.size}`,
      narrow[at] ?? 'nothing',
    )
  }
}

export const comeToAnEnd = (record: Walks): void => {
  for (const { walk } of booksIn(record))
    if (['loop', 'endless'].includes(String(walk.end.value))) walk.isWhole()
}

export const linkToNothingElse = (record: Walks): void => {
  for (const { walk } of booksIn(record))
    walk.end.satisfies(walk.end.value !== 'foreign-link', 'no link out of the base path of the target')
}

/** The ids on a page that was asked for by itself; nothing where it was refused. */
export const idsOn = (
  { status, body }: ObservedExchange,
  { transactions, id }: Names,
): readonly string[] | undefined => {
  if (Number(status.value) >= 300) return undefined
  const { value } = body.field(transactions)
  if (!Array.isArray(value)) return undefined
  return value.map((_, at) => textOf(body.field(`${transactions}.${at}.${id}`).value))
}

export const pagesStayTheSame = ({ back, names }: Walks): void => {
  if (back === undefined) throw new NotReached('no account has two pages of transactions')
  for (const { at, exchange } of back.again) {
    const page = back.walk.pages[at]
    const ids = idsOn(exchange, names)
    if (page === undefined || ids === undefined) continue
    const place = ids.findIndex((id, before) => id !== page.ids[before])
    if (place < 0 && ids.length === page.ids.length) continue
    throw violated(
      exchange.id,
      `page ${at + 1}, asked for again`,
      `the ${page.ids.length} transactions that it had before`,
      place < 0 ? `${ids.length} of them` : `another one in place ${place + 1}`,
    )
  }
}

/** An account has fewer than 10 transactions on its last page: those, and nothing beside. */
export const shortLastPagesAreAnswered = (record: Walks): void => {
  let judged = 0
  for (const { account, walk } of walked(record)) {
    const count = account.count ?? countedBefore(record, walk)
    const rest = count % walk.size
    if (rest === 0 || rest >= SHORT) continue
    walk.isWhole()
    const { length } = distinct(walk)
    // There may be more by now, and how many are missing elsewhere is judged elsewhere.
    if (length !== count && length !== count - rest) continue
    judged += 1
    walk.pages.at(-1)?.size.equals(rest)
  }
  if (judged === 0)
    throw new NotReached('no account is known to have a last page of fewer than 10 transactions')
}

const SHORT = 10

/** What the walk in large pages has found, for the walk in smaller ones over the same account. */
const countedBefore = ({ pairs }: Walks, walk: ObservedWalk): number => {
  const wide = pairs.find(({ narrow }) => narrow === walk)?.wide
  return wide === undefined || wide.end.value !== 'last' ? 0 : distinct(wide).length
}
