import { check, held, inWholeRun, note } from '../../harness/check/index.ts'
import type { ObservedExchange, WholeRun } from '../../harness/check/index.ts'
import { isBelow, linkedFrom, linkIn, linkOrigins, placeOf } from '../../harness/session/index.ts'
import { assertSuccessStatus } from '../shared/account-steps.ts'
import {
  checkInEachVariant,
  dataInEachVariant,
  noteInEachVariant,
  scenarioInEachVariant,
  whereInEachVariant,
} from '../shared/each-variant.ts'
import {
  assertEachAnswered,
  assertInnerPagesFull,
  assertLastPagesNotLarger,
  assertNothingMissing,
  assertNothingTwice,
  assertSameForEverySize,
  assertSameOrderForEverySize,
  assertSameWhenAskedAgain,
  assertShortLastPages,
  assertWalksEnd,
  idsOn,
  isEmptyPage,
} from './assertions.ts'
import {
  createWalker,
  fieldsOf,
  isWithinBounds,
  LARGEST,
  listAccounts,
  ORDINARY_SIZES,
  SMALLEST,
  walkEach,
  withAtLeast,
} from './steps.ts'
import { assertSameTransaction, shownAgain } from './shown-again.ts'
import { assertCount, sizedPages } from './sized-pages.ts'
import { TRX } from './requirements.ts'
import type { Walks } from './assertions.ts'

/** The first page that has transactions, of the accounts walked in large pages. */
const firstPage = ({ walks }: Walks) =>
  walks.find(({ walk }) => (walk.pages[0]?.ids.length ?? 0) > 0)?.walk.pages[0]?.exchange

const pages = scenarioInEachVariant(
  'the pages of each listed account',
  { effect: 'read', as: 'each', needs: ['access'] },
  walkEach,
)

const JUDGED = [
  [TRX.pageIsAnswered, TRX.pageIsAnsweredInTheSecondVariant, assertEachAnswered],
  [TRX.pagesRepeatNothing, TRX.pagesRepeatNothingInTheSecondVariant, assertNothingTwice],
  [
    TRX.pagesAreTheSameForEverySize,
    TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    assertSameForEverySize,
  ],
  [TRX.pagesKeepTheirOrder, TRX.pagesKeepTheirOrderInTheSecondVariant, assertSameOrderForEverySize],
  [
    TRX.pageIsTheSameWhenAskedForAgain,
    TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant,
    assertSameWhenAskedAgain,
  ],
  [TRX.pagesComeToAnEnd, TRX.pagesComeToAnEndInTheSecondVariant, assertWalksEnd],
] as const

for (const [first, second, judge] of JUDGED) checkInEachVariant([first, second], pages, judge)

checkInEachVariant(
  [TRX.pageIsTheSameWhenAskedForAgain, TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant],
  { first: shownAgain(pages.first, 'first'), second: shownAgain(pages.second, 'second') },
  assertSameTransaction,
)

checkInEachVariant(
  [TRX.pageHasTheSizeAskedFor, TRX.pageHasTheSizeAskedForInTheSecondVariant],
  pages,
  (record, variant) => assertInnerPagesFull(record, { mayLimit: variant === 'first' }),
)

checkInEachVariant(
  [TRX.pagesLeaveNothingOut, TRX.pagesLeaveNothingOutInTheSecondVariant],
  pages,
  assertNothingMissing,
  { needs: ['counted-account'] },
)

checkInEachVariant(
  [TRX.statusGivesTheResult, TRX.statusGivesTheResultInTheSecondVariant],
  dataInEachVariant(pages, ['listTransactions']),
  assertSuccessStatus,
)

noteInEachVariant(TRX.fieldsOfATransaction, pages, (record, variant) => {
  const page = firstPage(record)
  return page && `${variant} variant: ${page.body.shape}`
})

noteInEachVariant(TRX.envelopeOfAPage, pages, ({ walks, repeated }, variant) => {
  const empty = walks.filter(({ walk }) => (walk.pages.at(-1)?.ids.length ?? 0) === 0).length
  const isAnswered = repeated?.again.every(({ exchange }) => exchange.accepted) === true
  return `${variant} variant: ${empty} of ${walks.length} accounts end with an empty page; a page is ${isAnswered ? '' : 'not '}answered again`
})

check(TRX.lastPageIsNoLargerThanAskedFor, pages.first, assertLastPagesNotLarger)

/** The address below which a page was asked for, as the profile says; none for a page that was linked. */
const baseOf = ({ request }: ObservedExchange, profile: WholeRun['profile']): readonly string[] => {
  const { origin, pathname } = new URL(request.url)
  const { base } = placeOf(profile, { operation: 'listTransactions', request }) ?? {}
  return base === undefined ? [] : [origin + pathname.replace(base.ending, base.path)]
}

/** The pages of the run below the base paths of the profile, and where each of them may say which one follows. */
const answeredPages = inWholeRun(pages.first, ['listTransactions']).each(({ exchanges, profile }) => {
  const { paging } = profile.operations.listTransactions
  const all = exchanges.filter(({ accepted, request }) => accepted && request.method === 'GET')
  const bases = [...new Set(all.flatMap((page) => baseOf(page, profile)))]
  const places = bases.map((base) => ({ base, origins: linkOrigins(profile) }))
  const isPlaced = ({ request }: ObservedExchange) => places.some(({ base }) => isBelow(request.url, base))
  return all.filter(isPlaced).map((page) => {
    const next = paging.kind === 'link' ? page.body.field(paging.next) : page.header('Link')
    const text = typeof next.value === 'string' ? next.value : ''
    const inHeader = paging.kind === 'link-header' ? linkIn([['Link', text]], paging.relation) : undefined
    return { page, next, link: paging.kind === 'link' ? text : inHeader, places }
  })
}, 'no page was answered')

check(TRX.nextLinkStaysAtTheTarget, answeredPages, ({ page, next, link = '', places }) =>
  next.satisfies(
    link === '' ||
      places.some((place) => {
        const url = linkedFrom(page.request.url, link, place)
        return url === undefined || isBelow(url, place.base)
      }),
    "an address below the target's base path (a gateway's own is `publicOrigin` of the profile)",
  ),
)

note(TRX.otherQueryParameters, pages.first, ({ walks }) => {
  const exchanges = walks.flatMap(({ walk }) => walk.pages.slice(0, 2).map(({ exchange }) => exchange))
  const names = exchanges.flatMap(({ request }) => [...new URL(request.url).searchParams.keys()])
  return `pages are asked for by ${[...new Set(names)].join(', ')}`
})

const sized = sizedPages(pages.second)

const innerPages = sized.where(
  ({ isInner }) => isInner,
  'no account has more transactions than a page, so that no page is followed by another',
)

check(TRX.noPageExceedsOneHundred, sized, (one) => assertCount(one, one.count <= LARGEST, '100 at most'))

check(TRX.noPageFallsBelowTen, innerPages, (one) =>
  assertCount(one, one.count >= SMALLEST, '10 at least, since another page follows'),
)

check(
  TRX.pageHasTheSizeAskedForInTheSecondVariant,
  innerPages.where(({ asked }) => isWithinBounds(asked), 'no pageSize from 10 to 100 was asked for'),
  (one) => assertCount(one, one.count === one.asked, `${String(one.asked)}, since another page follows`),
)

for (const [row, bound] of [
  [TRX.smallestPageSizeIsAccepted, SMALLEST],
  [TRX.largestPageSizeIsAccepted, LARGEST],
] as const)
  check(
    row,
    pages.second.each(
      // An empty page is no refusal.
      ({ bounds, fields }) =>
        bounds.filter(({ size, page }) => size === bound && idsOn(page, fields)?.length !== 0),
      'no account was answered with a transaction',
    ),
    ({ page }) => page.isAccepted(`another pageSize than ${bound} is accepted for the account`),
  )

check(TRX.lastPageMayBeShort, pages.second, assertShortLastPages)

note(TRX.bodyOfTheTransactionsRequest, pages.second, (record) => {
  const { text = '{}' } = firstPage(record)?.request.body ?? {}
  return `answered for ${Object.keys(JSON.parse(text) as object).join(', ')}`
})

const empty = scenarioInEachVariant(
  'the page of an account without transactions',
  { effect: 'read', as: 'each', needs: ['access', 'empty-account'] },
  async (session, variant) => {
    const { accessToken } = await session.access({ variant })
    const accounts = session.app.accounts(variant)
    const walkBy = createWalker(accounts, accessToken)
    const listed = await listAccounts(session, variant, accessToken)
    const [other] = withAtLeast(1, listed)
    const [size] = ORDINARY_SIZES[variant]
    // Once another account is answered, a server error to an empty one is distinguished from an outage.
    if (other !== undefined) await accounts.transactions(accessToken, other, { ...(size && { size }) })
    const walks = []
    for (const account of listed.filter(({ count }) => count === 0))
      walks.push(await walkBy(account, ORDINARY_SIZES[variant]))
    return { fields: fieldsOf(session, variant), walks }
  },
)

checkInEachVariant(
  [
    TRX.accountWithoutTransactionsHasAnEmptyPage,
    TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant,
  ],
  whereInEachVariant(
    empty,
    ({ walks }) => walks.length > 0,
    'no account is listed that is known to have no transactions',
  ),
  ({ fields, walks }) => {
    for (const walk of walks) {
      if (isEmptyPage(walk, fields)) {
        held()
        continue
      }
      walk.isWhole()
      for (const { size } of walk.pages) size.equals(0)
    }
  },
)
