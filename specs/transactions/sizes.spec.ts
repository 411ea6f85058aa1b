import { integer, maxSafeInteger, oneof } from 'fast-check'
import {
  askTwiceAtMost,
  change,
  check,
  NotReached,
  note,
  property,
  scenario,
} from '../../harness/check/index.ts'
import { listedBy, SMALLEST } from './asking.ts'
import { idsOn, limitsShownBy } from './laws.ts'
import { TRX } from './requirements.ts'
import { namesOf, violated } from './walks.ts'
import type { Change, Observed, ObservedExchange, Session } from '../../harness/check/index.ts'
import type { Variant } from './asking.ts'
import type { Names } from './walks.ts'

const LARGEST = 100

/** More than a page may hold, so that the first page of any size is not the last. */
const longAccount = async (session: Session, variant: Variant, accessToken: string) => {
  const long = (await listedBy(session, variant, accessToken))
    .filter(({ count = 0 }) => count > LARGEST)
    .sort((one, other) => (one.count ?? 0) - (other.count ?? 0))
  const [account] = long
  if (account === undefined) throw new NotReached('no account is listed that is known to have more than 100')
  return account
}

/** What a request says of the size: a number as it is, another value as a text of the query or a value of the body. */
interface Attempt {
  readonly name: string
  readonly size?: number | string
  readonly change?: Change
}

const NUMBERS = [9, 10, 11, 99, 100, 101, 0, -1, 1.5, 1e20] as const

const named = (size: number): Attempt => ({
  name: Number.isSafeInteger(size) || size < 2 ? String(size) : 'a huge number',
  size,
})

const LARGE = 500

/** Two sizes in one query, or in one body: who reads it may take either, or none. */
const twice = ({ profile }: Session, variant: Variant): Change => {
  if (variant === 'first') return change.queryTwice('pageSize', String(LARGE))
  // Wherever it lies in the body, both stand side by side.
  const { pageSize = '' } = profile.secondVariant?.listTransactions ?? {}
  const member = JSON.stringify(pageSize.split('.').at(-1))
  const once = `${member}:${SMALLEST}`
  return (request) => ({ ...request, text: (request.text ?? '').replace(once, `${once},${member}:${LARGE}`) })
}

const attempts = (session: Session, variant: Variant): readonly Attempt[] => [
  ...NUMBERS.map(named),
  { name: 'a word', size: 'ten' },
  { name: 'none' },
  { name: 'two', size: SMALLEST, change: twice(session, variant) },
]

const askForSizes = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const accounts = session.app.accounts(variant)
  const account = await longAccount(session, variant, accessToken)
  const pages = []
  for (const { name, size, change } of attempts(session, variant))
    pages.push({
      name,
      asked: change === undefined ? size : undefined,
      page: await askTwiceAtMost(() =>
        accounts.transactions(accessToken, account, size === undefined ? {} : { size }, change),
      ),
    })
  return { names: namesOf(session, variant), count: account.count ?? 0, pages }
}

type Asked = Observed<Awaited<ReturnType<typeof askForSizes>>>

/** How many transactions a page holds; nothing where it was refused. */
const countOn = (page: ObservedExchange, names: Names): number | undefined => {
  if (Number(page.status.value) >= 300) return undefined
  return idsOn(page, names)?.length
}

const isWithin = (asked: unknown): asked is number =>
  Number.isInteger(asked) && Number(asked) >= SMALLEST && Number(asked) <= LARGEST

const isNoBreakdown = (page: ObservedExchange): void =>
  page.status.satisfies(Number(page.status.value) < 500, 'no server error')

const exceedsNothing = (page: ObservedExchange, names: Names, name: string): void => {
  const count = countOn(page, names) ?? 0
  if (count > LARGEST)
    throw violated(page.id, `the page for a pageSize of ${name}`, '100 transactions at most', String(count))
}

/** The account has more than 100 transactions, so that no first page is the last one. */
const fallsNotBelow = (page: ObservedExchange, names: Names, name: string): void => {
  const count = page.accepted ? (countOn(page, names) ?? SMALLEST) : SMALLEST
  if (count < SMALLEST)
    throw violated(page.id, `the page for a pageSize of ${name}`, '10 transactions at least', String(count))
}

const isAsLargeAs = (page: ObservedExchange, names: Names, size: number): void => {
  page.isAccepted(`${size} is a pageSize from 10 to 100`)
  const count = countOn(page, names)
  if (count !== size)
    throw violated(page.id, `the page for a pageSize of ${size}`, `${size} transactions`, String(count))
}

const sizes = scenario(
  'page sizes of every kind',
  { effect: 'read', as: 'each', needs: ['access', 'long-account'] },
  (session) => askForSizes(session, 'first'),
)

check(TRX.strangePageSizeBreaksNothing, sizes, ({ pages }) => {
  for (const { page } of pages) isNoBreakdown(page)
})

check(TRX.pageHasTheSizeAskedFor, sizes, ({ pages, names, count }) => {
  const taken = pages.flatMap(({ asked, page }) => {
    const got = isWithin(asked) && page.accepted ? countOn(page, names) : undefined
    // A page that has all there is, is the last one.
    return got === undefined || got >= count || !isWithin(asked) ? [] : [{ asked, got, page }]
  })
  const sizeFor = limitsShownBy(taken)
  for (const { asked, page } of taken) isAsLargeAs(page, names, sizeFor(asked))
})

note(TRX.boundsOfTheFirstVariant, sizes, ({ pages, names }) => {
  const said = pages.map(({ name, page }) => {
    const count = countOn(page, names)
    return `${name}: ${count === undefined ? `refused (${String(page.status.value)})` : count}`
  })
  return `transactions for a pageSize of ${said.join(', ')}`
})

const sizesOfTheSecond = scenario(
  'page sizes of every kind in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'long-account', 'second-variant'] },
  (session) => askForSizes(session, 'second'),
)

check(TRX.strangePageSizeBreaksNothingInTheSecondVariant, sizesOfTheSecond, ({ pages }) => {
  for (const { page } of pages) isNoBreakdown(page)
})

check(TRX.noPageExceedsOneHundred, sizesOfTheSecond, ({ pages, names }) => {
  for (const { name, page } of pages) exceedsNothing(page, names, name)
})

check(TRX.noPageFallsBelowTen, sizesOfTheSecond, ({ pages, names }) => {
  for (const { name, page } of pages) fallsNotBelow(page, names, name)
})

check(TRX.pageHasTheSizeAskedForInTheSecondVariant, sizesOfTheSecond, ({ pages, names }) => {
  for (const { asked, page } of pages)
    // That the bounds themselves are accepted is judged beside.
    if (isWithin(asked) && (page.accepted || (asked > SMALLEST && asked < LARGEST)))
      isAsLargeAs(page, names, asked)
})

const isAccepted = ({ pages }: Asked, size: number): void =>
  pages
    .find(({ asked }) => asked === size)
    ?.page.isAccepted(`a pageSize may be from ${SMALLEST} to ${LARGEST}, both included`)

check(TRX.smallestPageSizeIsAccepted, sizesOfTheSecond, (record) => isAccepted(record, SMALLEST))

check(TRX.largestPageSizeIsAccepted, sizesOfTheSecond, (record) => isAccepted(record, LARGEST))

const anySize = oneof(
  { weight: 3, arbitrary: integer({ min: SMALLEST, max: LARGEST }) },
  { weight: 3, arbitrary: integer({ min: -LARGE, max: 2 * LARGE }) },
  integer(),
  maxSafeInteger(),
)

const integers = property(
  'any whole number as a page size in the second variant',
  { effect: 'read', as: 'any', needs: ['access', 'long-account', 'second-variant'] },
  anySize,
  async (session, size) => {
    const { accessToken } = await session.access()
    const account = await longAccount(session, 'second', accessToken)
    const accounts = session.app.accounts('second')
    const page = await askTwiceAtMost(() => accounts.transactions(accessToken, account, { size }))
    return { names: namesOf(session, 'second'), page }
  },
)

check(TRX.pageHasTheSizeAskedForInTheSecondVariant, integers, ({ page, names }, size) => {
  const isBound = size === SMALLEST || size === LARGEST
  // Outside of the bounds there is no size to have. The verdict rests on the answer all the same.
  if (page.accepted ? isWithin(size) : isWithin(size) && !isBound) isAsLargeAs(page, names, size)
})

check(TRX.noPageExceedsOneHundred, integers, ({ page, names }, size) =>
  exceedsNothing(page, names, String(size)),
)

check(TRX.noPageFallsBelowTen, integers, ({ page, names }, size) => fallsNotBelow(page, names, String(size)))

check(TRX.strangePageSizeBreaksNothingInTheSecondVariant, integers, ({ page }) => isNoBreakdown(page))
