import { check, NotReached, note, scenario } from '../../harness/check/index.ts'
import type { Observed, Session } from '../../harness/check/index.ts'
import { createWalker, listedBy, ORDINARY, SMALLEST } from './asking.ts'
import { isEmptyPage, namesOf, walkEach } from './walks.ts'
import {
  comeToAnEnd,
  eachIsAnswered,
  innerPagesAreFull,
  innerPagesAreNoSmallerThan,
  lastPagesAreNoLarger,
  linkToNothingElse,
  nothingIsLeftOut,
  nothingIsRepeated,
  pagesStayTheSame,
  shortLastPagesAreAnswered,
  sizesHaveTheSameOrder,
  sizesHaveTheSameWhole,
} from './laws.ts'
import { TRX } from './requirements.ts'
import type { Variant } from './asking.ts'
import type { Walks } from './walks.ts'

const pages = scenario(
  'the pages of each listed account',
  { effect: 'read', as: 'each', needs: ['access'] },
  (session) => walkEach(session, 'first'),
)

check(TRX.pageIsAnswered, pages, eachIsAnswered)

check(TRX.pageHasTheSizeAskedFor, pages, (record) => innerPagesAreFull(record, { hasLimits: true }))

check(TRX.lastPageIsNoLargerThanAskedFor, pages, lastPagesAreNoLarger)

check(TRX.pagesLeaveNothingOut, pages, nothingIsLeftOut)

check(TRX.pagesRepeatNothing, pages, nothingIsRepeated)

check(TRX.pagesAreTheSameForEverySize, pages, sizesHaveTheSameWhole)

check(TRX.pagesKeepTheirOrder, pages, sizesHaveTheSameOrder)

check(TRX.pageIsTheSameWhenAskedForAgain, pages, pagesStayTheSame)

check(TRX.pagesComeToAnEnd, pages, comeToAnEnd)

check(TRX.nextLinkStaysAtTheTarget, pages, linkToNothingElse)

const pagesOfTheSecond = scenario(
  'the pages of each listed account in the second variant',
  { effect: 'read', as: 'each', needs: ['access', 'second-variant'] },
  (session) => walkEach(session, 'second'),
)

check(TRX.pageIsAnsweredInTheSecondVariant, pagesOfTheSecond, eachIsAnswered)

check(TRX.pageHasTheSizeAskedForInTheSecondVariant, pagesOfTheSecond, (record) =>
  innerPagesAreFull(record, { hasLimits: false }),
)

check(TRX.noPageFallsBelowTen, pagesOfTheSecond, (record) => innerPagesAreNoSmallerThan(SMALLEST, record))

check(TRX.lastPageMayBeShort, pagesOfTheSecond, shortLastPagesAreAnswered)

check(TRX.pagesLeaveNothingOutInTheSecondVariant, pagesOfTheSecond, nothingIsLeftOut)

check(TRX.pagesRepeatNothingInTheSecondVariant, pagesOfTheSecond, nothingIsRepeated)

check(TRX.pagesAreTheSameForEverySizeInTheSecondVariant, pagesOfTheSecond, sizesHaveTheSameWhole)

check(TRX.pagesKeepTheirOrderInTheSecondVariant, pagesOfTheSecond, sizesHaveTheSameOrder)

check(TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant, pagesOfTheSecond, pagesStayTheSame)

check(TRX.pagesComeToAnEndInTheSecondVariant, pagesOfTheSecond, comeToAnEnd)

/** The longest page that was answered: it shows most. */
const firstPage = ({ books }: Walks) =>
  books.find(({ walk }) => (walk.pages[0]?.ids.length ?? 0) > 0)?.walk.pages[0]?.exchange

for (const [variant, walks] of [
  ['first', pages],
  ['second', pagesOfTheSecond],
] as const) {
  note(TRX.fieldsOfATransaction, walks, (record) => {
    const page = firstPage(record)
    return page && `${variant} variant: ${page.body.shape}`
  })

  note(TRX.envelopeOfAPage, walks, ({ books, back }) => {
    const ends = books.filter(({ walk }) => (walk.pages.at(-1)?.ids.length ?? 0) === 0).length
    const again = back?.again.every(({ exchange }) => exchange.accepted) === true
    return `${variant} variant: ${ends} of ${books.length} accounts end with an empty page; a page is ${again ? '' : 'not '}answered again`
  })
}

note(TRX.otherQueryParameters, pages, ({ books }) => {
  const urls = books.flatMap(({ walk }) => walk.pages.slice(0, 2).map(({ exchange }) => exchange.request.url))
  const names = new Set(urls.flatMap((url) => [...new URL(url).searchParams.keys()]))
  return `pages are asked for by ${[...names].join(', ')}`
})

note(TRX.bodyOfTheTransactionsRequest, pagesOfTheSecond, (record) => {
  const { text = '{}' } = firstPage(record)?.request.body ?? {}
  return `answered for ${Object.keys(JSON.parse(text) as object).join(', ')}`
})

const walkTheEmpty = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access()
  const accounts = session.app.accounts(variant)
  const listed = await listedBy(session, variant, accessToken)
  const empty = listed.filter(({ count }) => count === 0)
  const walkBy = createWalker(accounts, accessToken)
  const walks = []
  for (const account of empty) walks.push(await walkBy(account, ORDINARY[variant]))
  return { names: namesOf(session, variant), walks }
}

const eachIsEmpty = ({ names, walks }: Observed<Awaited<ReturnType<typeof walkTheEmpty>>>): void => {
  if (walks.length === 0) throw new NotReached('no account is listed that is known to have no transactions')
  for (const walk of walks) {
    if (isEmptyPage(walk, names)) continue
    walk.isWhole()
    for (const { size } of walk.pages) size.equals(0)
  }
}

const empty = scenario(
  'the page of an account without transactions',
  { effect: 'read', as: 'any', needs: ['access', 'empty-account'] },
  (session) => walkTheEmpty(session, 'first'),
)

check(TRX.accountWithoutTransactionsHasAnEmptyPage, empty, eachIsEmpty)

const emptyInTheSecond = scenario(
  'the page of an account without transactions in the second variant',
  { effect: 'read', as: 'any', needs: ['access', 'empty-account', 'second-variant'] },
  (session) => walkTheEmpty(session, 'second'),
)

check(TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant, emptyInTheSecond, eachIsEmpty)
