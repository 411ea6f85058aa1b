import { held, Inconclusive, NotReached, ViolationError } from '../../harness/check/index.ts'
import { SMALLEST } from './steps.ts'
import type { ObservedExchange, ObservedWalk, RecordOf } from '../../harness/check/index.ts'
import type { Fields, walkEach } from './steps.ts'

/** What the checks of this chapter assert of pages, however the profile says that a next page is reached. */

export type Walks = RecordOf<typeof walkEach>

/** One account, and one walk over its pages. */
export type AccountWalk = Walks['walks'][number]

const allWalks = ({ walks, pairs }: Pick<Walks, 'walks' | 'pairs'>): readonly AccountWalk[] => [
  ...walks,
  ...pairs.map(({ account, small }) => ({ account, walk: small })),
]

/** Whether a first page is answered and has no transaction: an empty list, no list, or no body. */
export const isEmptyPage = ({ pages: [first] }: ObservedWalk, { transactions }: Fields): boolean => {
  if (first === undefined) return false
  const { status, body } = first.exchange
  if (Number(status.value) < 200 || Number(status.value) >= 300) return false
  if (body.text.value === '') return true
  const { value } = body.field(transactions)
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === null
}

/** @throws NotReached where a walk did not reach a last page. */
export const requireLastPage = ({ account, walk }: AccountWalk): void => {
  const { value } = walk.end
  if (value === 'foreign-link')
    throw new Inconclusive(`the pages of ${account.accountId} lead out of the target's base path`)
  if (value === 'last') return
  const last = walk.pages.at(-1)?.exchange
  const end = last === undefined ? '' : ` (${last.id}: ${String(last.status.value)})`
  throw new NotReached(`the walk over ${account.accountId} did not reach a last page${end}`)
}

/** The walks over accounts with pages: an account without transactions may be answered without a list. */
const walksWithPages = (record: Walks): readonly AccountWalk[] =>
  allWalks(record).filter(
    ({ account, walk }) =>
      walk.end.value !== 'refused' || (account.count ?? 0) > 0 || !isEmptyPage(walk, record.fields),
  )

/** The ids of a walk, each once. */
export const distinctIds = ({ ids }: ObservedWalk): readonly string[] => [...new Set(ids)]

export const lastExchangeOf = ({ pages }: ObservedWalk): string => pages.at(-1)?.exchange.id ?? ''

export const violation = (
  exchange: string,
  subject: string,
  expected: string,
  received: string,
): ViolationError => new ViolationError({ subject, expected, received, exchange })

export const assertEachAnswered = ({ walks, fields }: Walks): void => {
  for (const { account, walk } of walks) {
    const isRefused = walk.end.value === 'refused' && walk.pages.length === 1
    const mayBeEmpty = (account.count ?? 0) === 0 && isEmptyPage(walk, fields)
    if (isRefused && !mayBeEmpty) walk.isWhole()
    else held()
  }
}

/** The pages of a walk that are followed by another one. */
const innerPagesOf = ({ walk }: AccountWalk) => walk.pages.filter(({ isLast }) => !isLast)

/** The size that a bank uses for a pageSize, given the lower and the upper limit that its own pages show. */
export const sizeWithinShownLimits = (
  answered: readonly { readonly asked: number; readonly got: number }[],
): ((asked: number) => number) => {
  const raised = answered.filter(({ asked, got }) => got > asked).map(({ got }) => got)
  const cut = answered.filter(({ asked, got }) => got < asked).map(({ got }) => got)
  const least = Math.max(0, ...raised)
  const most = Math.min(Infinity, ...cut)
  // A bank with one size for all pages has no limits: it ignores pageSize.
  return (asked) => (least >= most ? asked : Math.min(Math.max(asked, least), most))
}

const innerSizesOf = (walks: readonly AccountWalk[]) =>
  walks.flatMap((one) => {
    const [first] = innerPagesOf(one)
    return first === undefined ? [] : [{ asked: one.walk.size, got: Number(first.size.value) }]
  })

/** Single pages that are larger than asked for: a lower limit, unless a page that is followed by another one is smaller. */
const raisedSinglesOf = (walks: readonly AccountWalk[]) => {
  const smallest = Math.min(...innerSizesOf(walks).map(({ got }) => got))
  return walks
    .filter(({ walk }) => walk.pages.length === 1)
    .map(({ walk }) => ({ asked: walk.size, got: Number(walk.pages[0]?.size.value) }))
    .filter(({ asked, got }) => got > asked && got <= smallest)
}

/** @param mayLimit whether a bank may use another size, within limits of its own. */
export const assertInnerPagesFull = (record: Walks, { mayLimit }: { readonly mayLimit: boolean }): void => {
  const walks = walksWithPages(record)
  const sizeFor = mayLimit ? sizeWithinShownLimits(innerSizesOf(walks)) : (asked: number) => asked
  for (const one of walks) for (const { size } of innerPagesOf(one)) size.equals(sizeFor(one.walk.size))
  walks.forEach(requireLastPage)
  requireInnerPage(walks)
}

/** @throws NotReached where each walk has one page: then a bank that ignores pageSize answers the same. */
const requireInnerPage = (walks: readonly AccountWalk[]): void => {
  if (walks.every((one) => innerPagesOf(one).length === 0))
    throw new NotReached(
      'no account has more transactions than a page, so that no page is followed by another',
    )
}

export const assertLastPagesNotLarger = (record: Walks): void => {
  const walks = walksWithPages(record)
  const sizeFor = sizeWithinShownLimits([...innerSizesOf(walks), ...raisedSinglesOf(walks)])
  for (const { walk } of walks) walk.pages.at(-1)?.size.isBetween(0, sizeFor(walk.size))
  walks.forEach(requireLastPage)
  requireInnerPage(walks)
}

/** @throws NotReached where the profile counts the transactions of no account: then one that is missing is not seen. */
export const assertNothingMissing = (record: Walks): void => {
  const walks = walksWithPages(record)
  for (const { account, walk } of walks) {
    // A later page that is refused leaves out the rest.
    if (walk.end.value === 'refused' && walk.pages.length > 1) walk.isWhole()
    requireLastPage({ account, walk })
    const { length } = distinctIds(walk)
    if (length >= (account.count ?? 0)) {
      held()
      continue
    }
    const subject = `transactions of an account in pages of ${walk.size}`
    throw violation(lastExchangeOf(walk), subject, `the ${account.count ?? 0} that it has`, String(length))
  }
  if (!walks.some(({ account: { count = 0 } }) => count > 0))
    throw new NotReached(
      'no account is listed whose transactions the profile counts (customers[].accounts: transactions)',
    )
}

export const assertNothingTwice = (record: Walks): void => {
  for (const { walk } of walksWithPages(record)) walk.repeatsNothing()
  walksWithPages(record).forEach(requireLastPage)
}

type Pair = Walks['pairs'][number]

/** Pairs of walks over one account that both reached a last page. @throws NotReached where there is none. */
const completePairs = ({ pairs }: Walks): readonly Pair[] => {
  for (const { account, large, small } of pairs)
    for (const walk of [large, small]) requireLastPage({ account, walk })
  if (pairs.length === 0)
    throw new NotReached('no account has enough transactions for pages of different sizes')
  return pairs
}

/** A transaction that only one of the two walks has. */
const unmatchedId = ({ large, small }: Pair): string | undefined => {
  const [one, other] = [new Set(large.ids), new Set(small.ids)]
  return [...one].find((id) => !other.has(id)) ?? [...other].find((id) => !one.has(id))
}

export const assertSameForEverySize = (record: Walks): void => {
  for (const pair of completePairs(record)) {
    const id = unmatchedId(pair)
    if (id === undefined) {
      held()
      continue
    }
    const { large, small } = pair
    const isInLarge = large.ids.includes(id)
    throw violation(
      lastExchangeOf(isInLarge ? small : large),
      `transaction ${id}`,
      `to be on the pages of ${large.size} and on those of ${small.size}`,
      `it is only on the pages of ${isInLarge ? large.size : small.size}`,
    )
  }
}

export const assertSameOrderForEverySize = (record: Walks): void => {
  for (const pair of completePairs(record)) {
    if (unmatchedId(pair) !== undefined) continue
    const [large, small] = [distinctIds(pair.large), distinctIds(pair.small)]
    const at = small.findIndex((id, place) => id !== large[place])
    if (at < 0) {
      held()
      continue
    }
    throw violation(
      lastExchangeOf(pair.small),
      `transaction ${at + 1} in pages of ${pair.small.size}`,
      `${large[at] ?? 'nothing'}, as in pages of ${pair.large.size}`,
      small[at] ?? 'nothing',
    )
  }
}

export const assertWalksEnd = (record: Walks): void => {
  for (const { walk } of allWalks(record))
    if (['loop', 'endless', 'empty-pages'].includes(String(walk.end.value))) walk.isWhole()
    else held()
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** The ids on a single page; undefined where it was refused. */
export const idsOn = (
  { accepted, status, body }: ObservedExchange,
  { transactions, id }: Fields,
): readonly string[] | undefined => {
  // A page that has transactions is one, whatever its status says: the status is judged by itself.
  if (!accepted && Number(status.value) >= 300) return undefined
  const { value } = body.field(transactions)
  if (!Array.isArray(value)) return undefined
  return value.map((_, at) => textOf(body.field(`${transactions}.${at}.${id}`).value))
}

/** The id, without the number that a transaction without one has among those with the same content. */
export const contentOf = (id: string): string => id.replace(/^(content [\da-f]+), \d+$/, '$1')

export const assertSameWhenAskedAgain = ({ repeated, fields }: Walks): void => {
  if (repeated === undefined) throw new NotReached('no account has two pages of transactions')
  for (const { at, exchange, ids } of repeated.again) {
    const page = repeated.walk.pages[at]
    if (page === undefined || idsOn(exchange, fields) === undefined) continue
    const place = ids.findIndex((id, before) => contentOf(id) !== contentOf(page.ids[before] ?? ''))
    if (place < 0 && ids.length === page.ids.length) {
      held()
      continue
    }
    throw violation(
      exchange.id,
      `page ${at + 1}, asked for again`,
      `the ${page.ids.length} transactions that it had before`,
      place < 0 ? `${ids.length} of them` : `another one in place ${place + 1}`,
    )
  }
}

/** Asserts that a last page of fewer than 10 transactions has these, and no others. */
export const assertShortLastPages = (record: Walks): void => {
  let judged = 0
  for (const { account, walk } of walksWithPages(record)) {
    // There may be more by now than the profile knows, and fewer where a bank leaves old ones out.
    for (const count of new Set([account.count ?? 0, countInLargePages(record, walk)])) {
      const rest = count % walk.size
      if (rest === 0 || rest >= SMALLEST) continue
      // A bank with sizes in steps of ten refuses others.
      if (walk.end.value === 'refused' && walk.pages.length === 1 && walk.size % 10 > 0) continue
      walk.isWhole()
      const { length } = distinctIds(walk)
      if (length !== count && length !== count - rest) continue
      judged += 1
      walk.pages.at(-1)?.size.equals(rest)
    }
  }
  if (judged === 0)
    throw new NotReached('no account is known to have a last page of fewer than 10 transactions')
}

/** How many transactions the walk in large pages has found, for the walk in small pages over the same account. */
const countInLargePages = ({ pairs }: Walks, walk: ObservedWalk): number => {
  const large = pairs.find(({ small }) => small === walk)?.large
  return large === undefined || large.end.value !== 'last' ? 0 : distinctIds(large).length
}
