import { integer, maxSafeInteger, oneof } from 'fast-check'
import { check, held, NotReached, note } from '../../harness/check/index.ts'
import { change, property, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import type { Change, Session } from '../../harness/session/index.ts'
import { checkInEachVariant, scenarioInEachVariant } from '../shared/each-variant.ts'
import type { Variant } from '../shared/account-steps.ts'
import { idsOn, sizeWithinShownLimits, violation } from './assertions.ts'
import { fieldsOf, isWithinBounds, LARGEST, listAccounts, SMALLEST } from './steps.ts'
import { TRX } from './requirements.ts'
import type { Fields } from './steps.ts'

/** An account with more transactions than a page may hold, so that the first page of any size is not the last. */
const longAccount = async (session: Session, variant: Variant, accessToken: string) => {
  const [account] = (await listAccounts(session, variant, accessToken))
    .filter(({ count = 0 }) => count > LARGEST)
    .sort((one, other) => (one.count ?? 0) - (other.count ?? 0))
  if (account === undefined) throw new NotReached('no account is listed that is known to have more than 100')
  return account
}

/** One way to ask for a size: a number, another value, none, or two of them. */
interface Attempt {
  readonly name: string
  readonly size?: number | string
  readonly change?: Change
}

/** One that every bank accepts comes first: after it, a server error to another is distinguished from an outage. */
const NUMBERS = [50, 10, 9, 11, 70, 99, 100, 101, 0, -1, 1.5, 1e20] as const

const named = (size: number): Attempt => ({
  name: Number.isSafeInteger(size) || size < 2 ? String(size) : 'a huge number',
  size,
})

const LARGE = 500

/** Adds a second size to the query or the body: a bank may take either, or refuse both. */
const twice = ({ profile }: Session, variant: Variant): Change => {
  if (variant === 'first') return change.queryTwice('pageSize', String(LARGE))
  // The second one follows the first, wherever that is in the body.
  const { pageSize = '' } = profile.secondVariant?.listTransactions ?? {}
  const member = JSON.stringify(pageSize.split('.').at(-1))
  const once = `${member}:${SMALLEST}`
  return (request) => ({ ...request, text: (request.text ?? '').replace(once, `${once},${member}:${LARGE}`) })
}

const attempts = (session: Session, variant: Variant): readonly Attempt[] => [
  ...NUMBERS.map(named),
  { name: 'a word', size: 'ten' },
  // In a query, every number is a text.
  ...(variant === 'first' ? [] : ['500', '5'].map((size) => ({ name: `the text "${size}"`, size }))),
  { name: 'none' },
  { name: 'two', size: SMALLEST, change: twice(session, variant) },
]

const askForSizes = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const account = await longAccount(session, variant, accessToken)
  const pages = []
  for (const { name, size, change } of attempts(session, variant))
    pages.push({
      name,
      asked: change === undefined ? size : undefined,
      page: await accounts.transactions(accessToken, account, size === undefined ? {} : { size }, change),
    })
  return { fields: fieldsOf(session, variant), count: account.count ?? 0, pages }
}

/** How many transactions a page has; undefined where it was refused. */
const countOn = (page: ObservedExchange, fields: Fields): number | undefined => idsOn(page, fields)?.length

/** Others judge the bounds, and the sizes between. */
const isOrdinary = (asked: number): boolean => asked > SMALLEST && asked < LARGEST && asked % 10 === 0

const isBetweenSteps = (asked: unknown): boolean => isWithinBounds(asked) && asked % 10 > 0

const assertNoServerError = (page: ObservedExchange): void => page.isNoServerError('no server error')

const assertAtMostOneHundred = (page: ObservedExchange, fields: Fields, name: string): void => {
  const count = countOn(page, fields) ?? 0
  if (count <= LARGEST) return held()
  throw violation(page.id, `the page for a pageSize of ${name}`, '100 transactions at most', String(count))
}

/** The account has more than 100 transactions, so that no first page is the last one. */
const assertAtLeastTen = (page: ObservedExchange, fields: Fields, name: string): void => {
  const count = page.accepted ? (countOn(page, fields) ?? SMALLEST) : SMALLEST
  if (count >= SMALLEST) return held()
  throw violation(page.id, `the page for a pageSize of ${name}`, '10 transactions at least', String(count))
}

/** @param size how many transactions the page must have: within the limits of the bank, that is pageSize. */
const assertSize = (page: ObservedExchange, fields: Fields, asked: number, size = asked): void => {
  page.isAccepted(`${asked} is a pageSize from 10 to 100`)
  const count = countOn(page, fields)
  if (count !== size)
    throw violation(page.id, `the page for a pageSize of ${asked}`, `${size} transactions`, String(count))
}

const sizes = scenarioInEachVariant(
  'page sizes of every kind',
  { effect: 'read', as: 'each', needs: ['access', 'long-account'] },
  askForSizes,
)

checkInEachVariant(
  [TRX.strangePageSizeBreaksNothing, TRX.strangePageSizeBreaksNothingInTheSecondVariant],
  sizes,
  ({ pages }) => {
    for (const { page } of pages) assertNoServerError(page)
  },
)

check(TRX.pageHasTheSizeAskedFor, sizes.first, ({ pages, fields, count }) => {
  const answered = pages.flatMap(({ asked, page }) => {
    if (!isWithinBounds(asked) || !page.accepted) return []
    const got = countOn(page, fields)
    // A page that has all transactions is the last one.
    return got === undefined || got >= count ? [] : [{ asked, got, page }]
  })
  const sizeFor = sizeWithinShownLimits(answered)
  if (answered.length === 0)
    throw new NotReached('no pageSize from 10 to 100 was answered with a page that is not the last')
  for (const { asked, page } of answered) assertSize(page, fields, asked, sizeFor(asked))
})

note(TRX.boundsOfTheFirstVariant, sizes.first, ({ pages, fields }) => {
  const counts = pages.map(({ name, page }) => {
    const count = countOn(page, fields)
    return `${name}: ${count === undefined ? `refused (${String(page.status.value)})` : count}`
  })
  return `transactions for a pageSize of ${counts.join(', ')}`
})

check(TRX.pageHasTheSizeAskedForInTheSecondVariant, sizes.second, ({ pages, fields }) => {
  for (const { asked, page } of pages)
    if (isWithinBounds(asked) && (page.accepted || isOrdinary(asked))) assertSize(page, fields, asked)
})

const assertNoSteps = (page: ObservedExchange): void =>
  page.isAccepted(`a pageSize is a whole number from ${SMALLEST} to ${LARGEST}`)

check(TRX.everyWholePageSizeIsAccepted, sizes.second, ({ pages }) => {
  for (const { asked, page } of pages) if (isBetweenSteps(asked)) assertNoSteps(page)
})

const assertAccepted = ({ pages }: RecordOf<typeof askForSizes>, size: number): void =>
  pages
    .find(({ asked }) => asked === size)
    ?.page.isAccepted(`a pageSize may be from ${SMALLEST} to ${LARGEST}, both included`)

check(TRX.smallestPageSizeIsAccepted, sizes.second, (record) => assertAccepted(record, SMALLEST))

check(TRX.largestPageSizeIsAccepted, sizes.second, (record) => assertAccepted(record, LARGEST))

check(TRX.noPageExceedsOneHundred, sizes.second, ({ pages, fields }) => {
  for (const { name, page } of pages) assertAtMostOneHundred(page, fields, name)
})

check(TRX.noPageFallsBelowTen, sizes.second, ({ pages, fields }) => {
  for (const { name, page } of pages) assertAtLeastTen(page, fields, name)
})

/** Ten times as many as the second variant allows. The limit of the first variant is not shown. */
const MOST_REASONABLE = 1_000

const hugeSizes = scenario(
  'page sizes that no page should have',
  { effect: 'read', as: 'each', needs: ['access', 'very-long-account'] },
  async (session) => {
    const { accessToken } = await session.access()
    const accounts = session.app.accounts('first')
    const [account] = (await listAccounts(session, 'first', accessToken)).toSorted(
      (one, other) => (other.count ?? 0) - (one.count ?? 0),
    )
    if (account === undefined || (account.count ?? 0) <= MOST_REASONABLE)
      throw new NotReached(`no account is listed that is known to have more than ${MOST_REASONABLE}`)
    const pages = []
    for (const size of [10_000, 1_000_000])
      pages.push({ size, page: await accounts.transactions(accessToken, account, { size }) })
    return { fields: fieldsOf(session, 'first'), pages }
  },
)

check(TRX.pageSizeHasALimit, hugeSizes, ({ pages, fields }) => {
  for (const { size, page } of pages) {
    const count = countOn(page, fields) ?? 0
    if (count <= MOST_REASONABLE) held()
    else throw violation(page.id, `the page for a pageSize of ${size}`, 'a limit of the bank', String(count))
  }
})

/** A page of the second variant for a page size of any kind. */
const pageOfSize = async (session: Session, size: number) => {
  const { accessToken } = await session.access({ variant: 'second' })
  const account = await longAccount(session, 'second', accessToken)
  const accounts = session.app.accounts('second')
  const page = await session.retryServerError(
    () => accounts.transactions(accessToken, account, { size }),
    () => accounts.transactions(accessToken, account, { size: 20 }),
  )
  return { fields: fieldsOf(session, 'second'), page }
}

const integers = property(
  'any whole number as a page size in the second variant',
  { effect: 'read', as: 'any', needs: ['access', 'long-account', 'second-variant'] },
  oneof(
    integer({ min: SMALLEST, max: LARGEST }),
    integer({ min: -LARGE, max: 2 * LARGE }),
    integer(),
    maxSafeInteger(),
  ),
  pageOfSize,
  { edges: [20, 57] },
)

check(TRX.pageHasTheSizeAskedForInTheSecondVariant, integers, ({ page, fields }, size) => {
  if (isWithinBounds(size) && (page.accepted || isOrdinary(size))) assertSize(page, fields, size)
})

check(TRX.everyWholePageSizeIsAccepted, integers, ({ page }, size) => {
  if (isBetweenSteps(size)) assertNoSteps(page)
})

check(TRX.noPageExceedsOneHundred, integers, ({ page, fields }, size) =>
  assertAtMostOneHundred(page, fields, String(size)),
)

check(TRX.noPageFallsBelowTen, integers, ({ page, fields }, size) =>
  assertAtLeastTen(page, fields, String(size)),
)

check(TRX.strangePageSizeBreaksNothingInTheSecondVariant, integers, ({ page }) => assertNoServerError(page))
