import { TRX } from './requirements.ts'
import {
  beginning,
  bounding,
  counting,
  cut,
  isLast,
  isThird,
  opening,
  reading,
  refusing,
  showing,
} from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong over pages that are numbered and counted. */

const SHORT = 10

const defectsOfWholeness: readonly Defect[] = [
  {
    id: 'last-listed-account-has-no-numbered-page',
    story: 'The second variant shows no transactions of the last account of the list.',
    breaks: [TRX.pageIsAnsweredInTheSecondVariant],
    rules: opening('second', (facts) => (isLast(facts) ? false : undefined)),
  },
  {
    id: 'third-numbered-page-has-one-less',
    story: 'A numbered page in the middle ends one transaction early.',
    breaks: [
      TRX.pageHasTheSizeAskedForInTheSecondVariant,
      TRX.noPageFallsBelowTen,
      TRX.pagesLeaveNothingOutInTheSecondVariant,
      TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    ],
    rules: showing('second', (facts, page) => (isThird(facts) ? page.slice(0, -1) : undefined)),
  },
  {
    id: 'page-count-is-one-too-small',
    story: 'Pages are counted from 0, and the count is the number of the last one.',
    breaks: [
      TRX.lastPageMayBeShort,
      TRX.pagesLeaveNothingOutInTheSecondVariant,
      TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    ],
    rules: counting((_, count) => Math.max(1, count - 1)),
  },
  {
    id: 'page-count-is-one-too-large',
    story: 'Behind the last page another one is counted.',
    breaks: [TRX.pageHasTheSizeAskedForInTheSecondVariant, TRX.noPageFallsBelowTen, TRX.lastPageMayBeShort],
    rules: counting(({ all }, count) => (all.length > 0 ? count + 1 : count)),
  },
  {
    id: 'page-count-leaves-short-pages-out',
    story: 'A last page of fewer than 10 transactions is not counted, since the minimum is 10.',
    breaks: [
      TRX.lastPageMayBeShort,
      TRX.pagesLeaveNothingOutInTheSecondVariant,
      TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
    ],
    rules: counting(({ all, size }, count) =>
      all.length % size < SHORT ? Math.floor(all.length / size) : count,
    ),
  },
  {
    id: 'page-count-has-no-end',
    story: 'A long history is said to have a million pages.',
    breaks: [
      TRX.pageHasTheSizeAskedForInTheSecondVariant,
      TRX.noPageFallsBelowTen,
      TRX.pagesComeToAnEndInTheSecondVariant,
    ],
    rules: counting(({ all }, count) => (all.length > 1000 ? 1_000_000 : count)),
  },
  {
    id: 'last-numbered-page-is-repeated-without-end',
    story: 'Each page says that there is one more; behind the last one it is shown again.',
    breaks: [TRX.pagesComeToAnEndInTheSecondVariant, TRX.pagesRepeatNothingInTheSecondVariant],
    rules: (lawful) => ({
      ...counting(({ all }, count) => (all.length === 100 ? 1_000_000 : count))(lawful),
      ...beginning(({ all, size }, offset) =>
        all.length === 100 ? Math.min(offset, all.length - size) : offset,
      )(lawful),
    }),
  },
  {
    id: 'full-numbered-page-is-dropped',
    story: 'A history of exactly one full page has none.',
    breaks: [TRX.pagesLeaveNothingOutInTheSecondVariant, TRX.pagesAreTheSameForEverySizeInTheSecondVariant],
    rules: showing('second', (facts) => (facts.all.length === facts.size ? [] : undefined)),
  },
  {
    id: 'numbered-pages-overlap-from-the-third-on',
    story: 'From the third page on a page begins with the last transaction of the one before.',
    breaks: [TRX.pagesRepeatNothingInTheSecondVariant, TRX.lastPageMayBeShort],
    rules: beginning(({ number }, offset) => (number > 2 ? offset - 1 : offset)),
  },
  {
    id: 'page-of-100-comes-twice',
    story: 'In pages of 100 the second one is counted and shown twice.',
    breaks: [TRX.pagesRepeatNothingInTheSecondVariant],
    rules: (lawful) => ({
      ...counting(({ all, size }, count) => (size === 100 && all.length > 1000 ? count + 1 : count))(lawful),
      ...beginning(({ all, size, number }, offset) =>
        size === 100 && all.length > 1000 && number > 2 ? offset - size : offset,
      )(lawful),
    }),
  },
  {
    id: 'short-page-is-filled-up',
    story: 'A last page of fewer than 10 transactions is filled up with those before it.',
    breaks: [TRX.lastPageMayBeShort, TRX.pagesRepeatNothingInTheSecondVariant],
    rules: showing('second', (facts, page) =>
      facts.offset > 0 && page.length > 0 && page.length < SHORT
        ? cut(facts, facts.all.length - SHORT, facts.all.length)
        : undefined,
    ),
  },
  {
    id: 'short-history-is-refused',
    story: 'An account with fewer than 10 transactions has no page, since the minimum is 10.',
    breaks: [TRX.lastPageMayBeShort, TRX.pageIsAnsweredInTheSecondVariant],
    rules: (lawful) => ({
      pageNumber: (facts) =>
        facts.all.length > 0 && facts.all.length < SHORT ? undefined : lawful.pageNumber(facts),
    }),
  },
  {
    id: 'later-numbered-pages-are-the-other-way-round',
    story: 'Behind the first one a numbered page begins with its oldest transaction.',
    breaks: [TRX.pagesKeepTheirOrderInTheSecondVariant],
    rules: showing('second', ({ offset }, page) => (offset > 0 ? [...page].reverse() : undefined)),
  },
  {
    id: 'numbered-page-is-another-when-asked-for-again',
    story: 'The first page, asked for behind a later one, lacks the transaction that it began with.',
    breaks: [TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant],
    rules: (lawful) => {
      const left = new Set<string>()
      const change = showing('second', (facts) => {
        const { account, offset, size, all } = facts
        if (size > 20 || all.length < 30) return undefined
        if (offset > 0) left.add(account.accountId)
        return offset === 0 && left.has(account.accountId) ? cut(facts, 1, size + 1) : undefined
      })
      return change(lawful)
    },
  },
]

const defectsOfSizes: readonly Defect[] = [
  {
    id: 'odd-page-size-is-refused',
    story: 'The second variant takes multiples of ten alone for a pageSize.',
    breaks: [TRX.pageHasTheSizeAskedForInTheSecondVariant, TRX.lastPageMayBeShort],
    rules: reading('second', (size) => (size % 10 === 0 ? size : undefined)),
  },
  {
    id: 'some-page-sizes-are-taken-for-60',
    story: 'The second variant has one size for all pages of 60 to 90 transactions.',
    breaks: [TRX.pageHasTheSizeAskedForInTheSecondVariant],
    rules: reading('second', (size) => (size >= 60 && size <= 90 ? 60 : size)),
  },
  {
    id: 'page-size-of-101-is-answered',
    story: 'The maximum of pageSize is one too large.',
    breaks: [TRX.noPageExceedsOneHundred],
    rules: bounding('second', 'pageSizeCeiling', 101),
  },
  {
    id: 'huge-page-size-shows-all',
    story: 'A pageSize beyond a million stands for all there is.',
    breaks: [TRX.noPageExceedsOneHundred],
    rules: (lawful) => {
      let isHuge = false
      return {
        pageSizeAskedFor: (facts) => {
          const asked = lawful.pageSizeAskedFor(facts)
          isHuge = facts.variant === 'second' && (asked ?? 0) > 1_000_000
          return asked
        },
        pageSizeCeiling: (facts) => (isHuge ? Infinity : lawful.pageSizeCeiling(facts)),
      }
    },
  },
  {
    id: 'default-page-exceeds-100',
    story: 'The second variant has pages of 500 where none names a size.',
    breaks: [TRX.noPageExceedsOneHundred],
    rules: bounding('second', 'defaultPageSize', 500),
  },
  {
    id: 'page-size-of-9-is-answered-with-9',
    story: 'The minimum of pageSize is one too small.',
    breaks: [TRX.noPageFallsBelowTen],
    rules: bounding('second', 'pageSizeFloor', 9),
  },
  {
    id: 'negative-page-size-is-taken-for-its-amount',
    story: 'A pageSize below zero is taken without its sign, behind the look at the minimum.',
    breaks: [TRX.noPageFallsBelowTen],
    rules: (lawful) => {
      let isNegative = false
      return {
        pageSizeAskedFor: (facts) => {
          const asked = lawful.pageSizeAskedFor(facts)
          isNegative = facts.variant === 'second' && asked !== undefined && asked < 0
          return isNegative ? Math.abs(asked ?? 0) : asked
        },
        pageSizeFloor: (facts) => (isNegative ? 1 : lawful.pageSizeFloor(facts)),
      }
    },
  },
  {
    id: 'default-page-falls-below-10',
    story: 'The second variant has pages of 5 where none names a size.',
    breaks: [TRX.noPageFallsBelowTen],
    rules: bounding('second', 'defaultPageSize', 5),
  },
  {
    id: 'page-size-of-10-is-refused',
    story: 'The minimum of pageSize is itself too small.',
    breaks: [TRX.smallestPageSizeIsAccepted],
    rules: bounding('second', 'pageSizeFloor', 11),
  },
  {
    id: 'page-size-of-100-is-refused',
    story: 'The maximum of pageSize is itself too large.',
    breaks: [TRX.largestPageSizeIsAccepted],
    rules: bounding('second', 'pageSizeCeiling', 99),
  },
  {
    id: 'strange-page-size-breaks-the-second-variant-down',
    story: 'A pageSize out of bounds is a server error in the second variant.',
    breaks: [TRX.strangePageSizeBreaksNothingInTheSecondVariant],
    rules: refusing('second', 'invalid_request', 500),
  },
]

export const defectsOfNumberedPages: readonly Defect[] = [...defectsOfWholeness, ...defectsOfSizes]
