import { closing, isLast, isOfTheSecondCustomer, refusingWith } from '../../shared/account-defects.ts'
import { breaking, changedRules, isOfATpp, together, where, type FactsOf } from '../../shared/defects.ts'
import { cut, isThird, NUMBERED_PAGES, reading, showing } from './linked-pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Pages of the second variant that are incomplete, repeated, counted wrongly, or too large or small. */

/** Begins a numbered page at another place. */
const beginning = (offsetOf: (facts: FactsOf<'offsetOfPage'>, lawful: number) => number): RuleChange =>
  where(NUMBERED_PAGES, (lawful) => ({
    offsetOfPage: (facts) => offsetOf(facts, lawful.offsetOfPage(facts)),
  }))

/** Has another count of pages. */
const counting = (countOf: (facts: FactsOf<'pageCount'>, lawful: number) => number): RuleChange =>
  where(NUMBERED_PAGES, (lawful) => ({ pageCount: (facts) => countOf(facts, lawful.pageCount(facts)) }))

const SHORT = 10

export const numberedPageDefects: readonly Defect[] = [
  ...breaking(TRX.pageIsAnsweredInTheSecondVariant, {
    'last-listed-account-has-no-numbered-page': {
      story: 'The second variant refuses the transactions of the last account of the list.',
      rules: closing(NUMBERED_PAGES, isLast),
    },
  }),
  ...breaking(TRX.pageHasTheSizeAskedForInTheSecondVariant, {
    'third-numbered-page-has-one-less': {
      story: 'The third numbered page has one transaction less.',
      alsoBreaks: [
        TRX.noPageFallsBelowTen,
        TRX.pagesLeaveNothingOutInTheSecondVariant,
        TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
      ],
      rules: showing(NUMBERED_PAGES, (facts, page) => (isThird(facts) ? page.slice(0, -1) : undefined)),
    },
    'page-count-is-one-too-large': {
      story: 'The count of pages is one too large.',
      alsoBreaks: [TRX.noPageFallsBelowTen, TRX.lastPageMayBeShort],
      rules: counting(({ all }, count) => (all.length > 0 ? count + 1 : count)),
    },
    'page-count-has-no-end': {
      story: 'An account with more than 1000 transactions has a count of a million pages.',
      alsoBreaks: [TRX.noPageFallsBelowTen, TRX.pagesComeToAnEndInTheSecondVariant],
      rules: counting(({ all }, count) => (all.length > 1000 ? 1_000_000 : count)),
    },
  }),
  ...breaking(TRX.lastPageMayBeShort, {
    'page-count-is-one-too-small': {
      story: 'The count of pages is one too small.',
      alsoBreaks: [
        TRX.pagesLeaveNothingOutInTheSecondVariant,
        TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
      ],
      rules: counting((_, count) => Math.max(1, count - 1)),
    },
    'page-count-leaves-short-pages-out': {
      story: 'A last page of fewer than 10 transactions is not counted, since the minimum is 10.',
      alsoBreaks: [
        TRX.pagesLeaveNothingOutInTheSecondVariant,
        TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
      ],
      rules: counting(({ all, size }, count) =>
        all.length % size < SHORT ? Math.floor(all.length / size) : count,
      ),
    },
    'short-page-is-filled-up': {
      story: 'A last page of fewer than 10 transactions is filled with earlier ones.',
      alsoBreaks: [TRX.pagesRepeatNothingInTheSecondVariant],
      rules: showing(NUMBERED_PAGES, (facts, page) =>
        facts.offset > 0 && page.length > 0 && page.length < SHORT
          ? cut(facts, facts.all.length - SHORT, facts.all.length)
          : undefined,
      ),
    },
    'short-history-is-refused': {
      story: 'An account with fewer than 10 transactions has no page, since the minimum is 10.',
      alsoBreaks: [TRX.pageIsAnsweredInTheSecondVariant],
      rules: (lawful) => ({
        pageNumber: (facts) =>
          facts.all.length > 0 && facts.all.length < SHORT ? undefined : lawful.pageNumber(facts),
      }),
    },
  }),
  ...breaking(TRX.pagesComeToAnEndInTheSecondVariant, {
    'last-numbered-page-is-repeated-without-end': {
      story: 'The count of pages is a million, and after the last page the last one is repeated.',
      alsoBreaks: [TRX.pagesRepeatNothingInTheSecondVariant],
      rules: together(
        counting(({ all }, count) => (all.length === 100 ? 1_000_000 : count)),
        beginning(({ all, size }, offset) =>
          all.length === 100 ? Math.min(offset, all.length - size) : offset,
        ),
      ),
    },
  }),
  ...breaking(TRX.pagesLeaveNothingOutInTheSecondVariant, {
    'full-numbered-page-is-dropped': {
      story: 'An account of exactly one full page has an empty page.',
      alsoBreaks: [TRX.pagesAreTheSameForEverySizeInTheSecondVariant],
      rules: showing(NUMBERED_PAGES, (facts) => (facts.all.length === facts.size ? [] : undefined)),
    },
  }),
  ...breaking(TRX.pagesRepeatNothingInTheSecondVariant, {
    'numbered-pages-overlap-from-the-third-on': {
      story: 'From the third page on, a page begins with the last transaction of the page before.',
      alsoBreaks: [TRX.lastPageMayBeShort],
      rules: beginning(({ number }, offset) => (number > 2 ? offset - 1 : offset)),
    },
    'page-of-100-comes-twice': {
      story: 'In pages of 100, the second page comes twice.',
      rules: together(
        counting(({ all, size }, count) => (size === 100 && all.length > 1000 ? count + 1 : count)),
        beginning(({ all, size, number }, offset) =>
          size === 100 && all.length > 1000 && number > 2 ? offset - size : offset,
        ),
      ),
    },
    'pages-of-an-odd-size-begin-at-tens': {
      story: 'For a pageSize that is no multiple of ten, later pages begin as for the multiple below it.',
      alsoBreaks: [TRX.lastPageMayBeShort],
      rules: beginning(({ number, size }) => (number - 1) * (size - (size % 10))),
    },
    'third-page-of-a-tpp-overlaps-in-the-second-variant': {
      story:
        'For a TPP, the third page of the second variant begins with the last transaction of the second.',
      alsoBreaks: [
        TRX.pagesLeaveNothingOutInTheSecondVariant,
        TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
      ],
      rules: beginning((facts, offset) => (isOfATpp(facts) && facts.number === 3 ? offset - 1 : offset)),
    },
  }),
  ...breaking(TRX.pagesKeepTheirOrderInTheSecondVariant, {
    'later-numbered-pages-are-the-other-way-round': {
      story: 'Later numbered pages are in reverse order.',
      rules: showing(NUMBERED_PAGES, ({ offset }, page) => (offset > 0 ? [...page].reverse() : undefined)),
    },
  }),
  ...breaking(TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant, {
    'numbered-page-is-another-when-asked-for-again': {
      story:
        'The first page that is asked for after a later one of its size has its first two transactions the other way round.',
      rules: (lawful) => {
        const left = new Set<string>()
        const change = showing(NUMBERED_PAGES, (facts, page) => {
          const { account, offset, size } = facts
          const key = `${size} ${account.accountId}`
          if (offset > 0) left.add(key)
          return offset === 0 && left.has(key) ? [...page.slice(0, 2).reverse(), ...page.slice(2)] : undefined
        })
        return changedRules(change, lawful)
      },
    },
  }),
  ...breaking(TRX.pageHasTheSizeAskedForInTheSecondVariant, {
    'odd-page-size-is-refused': {
      story: 'The second variant accepts only multiples of ten for a pageSize.',
      rules: reading(NUMBERED_PAGES, (size) => (size % 10 === 0 ? size : undefined)),
    },
    'some-page-sizes-are-taken-for-60': {
      story: 'The second variant has one size for all pages of 60 to 90 transactions.',
      rules: reading(NUMBERED_PAGES, (size) => (size >= 60 && size <= 90 ? 60 : size)),
    },
  }),
  ...breaking(TRX.noPageExceedsOneHundred, {
    'page-size-of-101-is-answered': {
      story: 'The maximum of pageSize is one too large.',
      rules: where(NUMBERED_PAGES, { pageSizeCeiling: () => 101 }),
    },
    'huge-page-size-shows-all': {
      story: 'For a pageSize above a million, all transactions are on one page.',
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
    'default-page-exceeds-100': {
      story: 'Without a pageSize, a page of the second variant has 500 transactions.',
      rules: where(NUMBERED_PAGES, { defaultPageSize: () => 500 }),
    },
    'large-page-size-of-the-second-customer-is-answered': {
      story: 'The second customer is answered pages of up to 500 transactions.',
      rules: where((facts) => NUMBERED_PAGES(facts) && isOfTheSecondCustomer(facts), {
        pageSizeCeiling: () => 500,
      }),
    },
    'large-page-size-of-a-tpp-is-answered': {
      story: 'A TPP is answered pages of up to 500 transactions.',
      rules: where((facts) => NUMBERED_PAGES(facts) && isOfATpp(facts), { pageSizeCeiling: () => 500 }),
    },
  }),
  ...breaking(TRX.noPageFallsBelowTen, {
    'page-size-of-9-is-answered-with-9': {
      story: 'The minimum of pageSize is one too small.',
      rules: where(NUMBERED_PAGES, { pageSizeFloor: () => 9 }),
    },
    'page-size-of-9-is-answered-to-the-second-customer': {
      story: 'The minimum of pageSize is one too small for the second customer.',
      rules: where((facts) => NUMBERED_PAGES(facts) && isOfTheSecondCustomer(facts), {
        pageSizeFloor: () => 9,
      }),
    },
    'negative-page-size-is-taken-for-its-amount': {
      story: 'A negative pageSize is used without its sign, after the check of the minimum.',
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
    'default-page-falls-below-10': {
      story: 'Without a pageSize, a page of the second variant has 5 transactions.',
      rules: where(NUMBERED_PAGES, { defaultPageSize: () => 5 }),
    },
  }),
  ...breaking(TRX.smallestPageSizeIsAccepted, {
    'page-size-of-10-is-refused': {
      story: 'A pageSize of 10 is refused.',
      rules: where(NUMBERED_PAGES, { pageSizeFloor: () => 11 }),
    },
  }),
  ...breaking(TRX.largestPageSizeIsAccepted, {
    'page-size-of-100-is-refused': {
      story: 'A pageSize of 100 is refused.',
      rules: where(NUMBERED_PAGES, { pageSizeCeiling: () => 99 }),
    },
  }),
  ...breaking(TRX.strangePageSizeBreaksNothingInTheSecondVariant, {
    'strange-page-size-breaks-the-second-variant-down': {
      story: 'A pageSize out of bounds is answered with a server error in the second variant.',
      rules: refusingWith(NUMBERED_PAGES, 'invalid_request', 500),
    },
  }),
]
