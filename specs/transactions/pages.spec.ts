import { check, held, note, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import { assertSuccessStatus, VARIANTS, type Variant } from '../shared/account-steps.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import {
  assertEachAnswered,
  assertInnerPagesFull,
  assertInnerPagesOfTenOrMore,
  assertLastPagesNotLarger,
  assertNoForeignLink,
  assertNothingMissing,
  assertNothingTwice,
  assertSameForEverySize,
  assertSameOrderForEverySize,
  assertSameWhenAskedAgain,
  assertShortLastPages,
  assertWalksEnd,
  isEmptyPage,
} from './assertions.ts'
import { createWalker, fieldsOf, listAccounts, ORDINARY_SIZES, walkEach, withAtLeast } from './steps.ts'
import { TRX } from './requirements.ts'
import type { Walks } from './assertions.ts'

const REQUIREMENTS = {
  first: {
    isAnswered: TRX.pageIsAnswered,
    hasTheSize: TRX.pageHasTheSizeAskedFor,
    nothingIsMissing: TRX.pagesLeaveNothingOut,
    nothingIsTwice: TRX.pagesRepeatNothing,
    sameForEverySize: TRX.pagesAreTheSameForEverySize,
    sameOrder: TRX.pagesKeepTheirOrder,
    sameWhenAskedAgain: TRX.pageIsTheSameWhenAskedForAgain,
    comeToAnEnd: TRX.pagesComeToAnEnd,
    emptyAccount: TRX.accountWithoutTransactionsHasAnEmptyPage,
    statusGivesTheResult: TRX.statusGivesTheResult,
  },
  second: {
    isAnswered: TRX.pageIsAnsweredInTheSecondVariant,
    hasTheSize: TRX.pageHasTheSizeAskedForInTheSecondVariant,
    nothingIsMissing: TRX.pagesLeaveNothingOutInTheSecondVariant,
    nothingIsTwice: TRX.pagesRepeatNothingInTheSecondVariant,
    sameForEverySize: TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    sameOrder: TRX.pagesKeepTheirOrderInTheSecondVariant,
    sameWhenAskedAgain: TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant,
    comeToAnEnd: TRX.pagesComeToAnEndInTheSecondVariant,
    emptyAccount: TRX.accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant,
    statusGivesTheResult: TRX.statusGivesTheResultInTheSecondVariant,
  },
} as const

/** The first page that has transactions, of the accounts walked in large pages. */
const firstPage = ({ walks }: Walks) =>
  walks.find(({ walk }) => (walk.pages[0]?.ids.length ?? 0) > 0)?.walk.pages[0]?.exchange

for (const { variant, suffix, needs } of VARIANTS) {
  const pages = scenario(
    `the pages of each listed account${suffix}`,
    { effect: 'read', as: 'each', needs: ['access', ...needs] },
    (session) => walkEach(session, variant),
  )
  const requirements = REQUIREMENTS[variant]

  check(requirements.isAnswered, pages, assertEachAnswered)

  check(requirements.hasTheSize, pages, (record) =>
    assertInnerPagesFull(record, { mayLimit: variant === 'first' }),
  )

  check(requirements.nothingIsMissing, pages, assertNothingMissing, { needs: ['counted-account'] })

  check(requirements.nothingIsTwice, pages, assertNothingTwice)

  check(requirements.sameForEverySize, pages, assertSameForEverySize)

  check(requirements.sameOrder, pages, assertSameOrderForEverySize)

  check(requirements.sameWhenAskedAgain, pages, assertSameWhenAskedAgain)

  check(requirements.comeToAnEnd, pages, assertWalksEnd)

  check(requirements.statusGivesTheResult, pages, ({ walks, pairs }) => {
    const walked = [...walks.map(({ walk }) => walk), ...pairs.map(({ small }) => small)]
    assertSuccessStatus(walked.flatMap((walk) => walk.pages.map(({ exchange }) => exchange)))
  })

  note(TRX.fieldsOfATransaction, pages, (record) => {
    const page = firstPage(record)
    return page && `${variant} variant: ${page.body.shape}`
  })

  note(TRX.envelopeOfAPage, pages, ({ walks, repeated }) => {
    const empty = walks.filter(({ walk }) => (walk.pages.at(-1)?.ids.length ?? 0) === 0).length
    const isAnswered = repeated?.again.every(({ exchange }) => exchange.accepted) === true
    return `${variant} variant: ${empty} of ${walks.length} accounts end with an empty page; a page is ${isAnswered ? '' : 'not '}answered again`
  })

  if (variant === 'first') {
    check(TRX.lastPageIsNoLargerThanAskedFor, pages, assertLastPagesNotLarger)

    check(TRX.nextLinkStaysAtTheTarget, pages, assertNoForeignLink)

    note(TRX.otherQueryParameters, pages, ({ walks }) => {
      const exchanges = walks.flatMap(({ walk }) => walk.pages.slice(0, 2).map(({ exchange }) => exchange))
      const names = exchanges.flatMap(({ request }) => [...new URL(request.url).searchParams.keys()])
      return `pages are asked for by ${[...new Set(names)].join(', ')}`
    })
  } else {
    check(TRX.noPageFallsBelowTen, pages, assertInnerPagesOfTenOrMore)

    check(TRX.lastPageMayBeShort, pages, assertShortLastPages)

    note(TRX.bodyOfTheTransactionsRequest, pages, (record) => {
      const { text = '{}' } = firstPage(record)?.request.body ?? {}
      return `answered for ${Object.keys(JSON.parse(text) as object).join(', ')}`
    })
  }
}

const walkEmptyAccounts = async (session: Session, variant: Variant) => {
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
}

type Empty = Observed<Awaited<ReturnType<typeof walkEmptyAccounts>>>

const assertEachEmpty = ({ fields, walks }: Empty): void => {
  if (walks.length === 0) throw new NotReached('no account is listed that is known to have no transactions')
  for (const walk of walks) {
    if (isEmptyPage(walk, fields)) {
      held()
      continue
    }
    walk.isWhole()
    for (const { size } of walk.pages) size.equals(0)
  }
}

for (const { variant, suffix, needs } of VARIANTS) {
  const empty = scenario(
    `the page of an account without transactions${suffix}`,
    { effect: 'read', as: 'each', needs: ['access', 'empty-account', ...needs] },
    (session) => walkEmptyAccounts(session, variant),
  )

  check(REQUIREMENTS[variant].emptyAccount, empty, assertEachEmpty)
}
