import { isOfTheSecondCustomer } from '../../shared/account-changes.ts'
import { alter, isOfATpp, when, type FactsOf, type Past } from '../../shared/changes.ts'
import { isEmpty, isLater, isThird, ofNumberedPages } from './pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Pages of the second variant that are incomplete, repeated, counted wrongly, or too large or small. */

type OfAnAccount = Pick<FactsOf<'pageCount'>, 'all' | 'size'>

const SHORT = 10
const isShort = ({ all }: OfAnAccount): boolean => all.length > 0 && all.length < SHORT
const isOfAHundred = ({ all }: OfAnAccount): boolean => all.length === 100
const isOfLargePages = ({ all, size }: OfAnAccount): boolean => size === 100 && all.length > 1000

const MISSING = [
  TRX.pagesLeaveNothingOutInTheSecondVariant,
  TRX.pagesAreTheSameForEverySizeInTheSecondVariant,
]
const REPEATED = TRX.pagesRepeatNothingInTheSecondVariant
const TOO_SHORT = [TRX.pageHasTheSizeAskedForInTheSecondVariant, TRX.noPageFallsBelowTen]
const NO_END = TRX.pagesComeToAnEndInTheSecondVariant

const counts: readonly Defect[] = [
  ...ofNumberedPages([...TOO_SHORT, TRX.lastPageMayBeShort], {
    'The count of pages is one too large': alter({
      pageCount: (count, facts) => (isEmpty(facts) ? count : count + 1),
    }),
  }),
  ...ofNumberedPages([...TOO_SHORT, NO_END], {
    'An account with more than 1000 transactions has a count of a million pages': alter({
      pageCount: (count, { all }) => (all.length > 1000 ? 1_000_000 : count),
    }),
  }),
  ...ofNumberedPages([TRX.lastPageMayBeShort, ...MISSING], {
    'The count of pages is one too small': alter({ pageCount: (count) => Math.max(1, count - 1) }),
    'A last page of fewer than 10 transactions is not counted': alter({
      pageCount: (count, { all, size }) =>
        all.length % size < SHORT ? Math.floor(all.length / size) : count,
    }),
  }),
  ...ofNumberedPages([NO_END, REPEATED], {
    'The count of pages is a million, and the last page is repeated': when(
      isOfAHundred,
      alter({
        pageCount: 1_000_000,
        offsetOfPage: (offset, { all, size }) => Math.min(offset, all.length - size),
      }),
    ),
  }),
]

const items: readonly Defect[] = [
  ...ofNumberedPages([TRX.pageIsAnsweredInTheSecondVariant, TRX.lastPageMayBeShort], {
    'An account with fewer than 10 transactions has no page': when(isShort, alter({ pageNumber: undefined })),
  }),
  ...ofNumberedPages([...TOO_SHORT, ...MISSING, TRX.bookingLeavesNothingOutInTheSecondVariant], {
    'The third numbered page has one transaction less': when(
      isThird,
      alter({ pageItems: (page) => page.slice(0, -1) }),
    ),
  }),
  ...ofNumberedPages([TRX.lastPageMayBeShort, REPEATED], {
    'A last page of fewer than 10 transactions is filled with earlier ones': when(
      isLater,
      alter({
        pageItems: (page, { all }) => (page.length > 0 && page.length < SHORT ? all.slice(-SHORT) : page),
      }),
    ),
  }),
  ...ofNumberedPages([TRX.lastPageMayBeShort, REPEATED, ...MISSING], {
    'From the third page on, a page begins with the end of the page before': alter({
      offsetOfPage: (offset, { number }) => (number > 2 ? offset - 1 : offset),
    }),
  }),
  ...ofNumberedPages([REPEATED], {
    'In pages of 100, the second page comes twice': when(
      isOfLargePages,
      alter({
        pageCount: (count) => count + 1,
        offsetOfPage: (offset, { number, size }) => (number > 2 ? offset - size : offset),
      }),
    ),
  }),
  ...ofNumberedPages([REPEATED, ...MISSING], {
    'For a pageSize like 25, later pages begin as for half of it': alter({
      offsetOfPage: (offset, { number, size }) =>
        size % 10 > 0 ? (number - 1) * Math.floor(size / 2) : offset,
    }),
  }),
  ...ofNumberedPages([REPEATED, ...MISSING, TRX.bookingLeavesNothingOutInTheSecondVariant], {
    'For a TPP, a third numbered page that is not the last begins with the end of the second': when(
      isOfATpp,
      alter({
        offsetOfPage: (offset, { number, size, all }) =>
          number === 3 && all.length > 3 * size ? offset - 1 : offset,
      }),
    ),
  }),
  ...ofNumberedPages([TRX.pageIsTheSameWhenAskedForAgainInTheSecondVariant], {
    'After a later page of its size, a first page exchanges its first two transactions': when(
      ({ offset }) => offset === 0,
      alter({
        pageItems: (page, { account, size, variant }, past) =>
          past
            .of('pageItems')
            .filter(({ facts }) => isLater(facts) && facts.size === size && facts.variant === variant)
            .some(({ facts }) => facts.account === account)
            ? [...page.slice(0, 2).reverse(), ...page.slice(2)]
            : page,
      }),
    ),
  }),
]

const atMost = (size: number) => alter({ pageSizeCeiling: size })
const atLeast = (size: number) => alter({ pageSizeFloor: size })
const byDefault = (size: number) => alter({ defaultPageSize: size })

/** Reads a pageSize in a text as its number, with another bound then. */
const ofATextWith = (bound: 'pageSizeCeiling' | 'pageSizeFloor', other: number) =>
  alter(
    {
      pageSizeAskedFor: (usual, { pageSize }) =>
        typeof pageSize === 'string' && /^\d+$/.test(pageSize) ? Number(pageSize) : usual,
      [bound]: (usual: number, _: unknown, past: Past<'pageSizeAskedFor'>) =>
        typeof past.of('pageSizeAskedFor').at(-1)?.facts.pageSize === 'string' ? other : usual,
    },
    'pageSizeAskedFor',
  )

const sizes: readonly Defect[] = [
  ...ofNumberedPages([TRX.everyWholePageSizeIsAccepted], {
    'Only multiples of ten are accepted for a pageSize': alter({
      pageSizeAskedFor: (size) => ((size ?? 0) % 10 === 0 ? size : undefined),
    }),
  }),
  ...ofNumberedPages([TRX.pageHasTheSizeAskedForInTheSecondVariant], {
    'All pages of 60 to 90 transactions have one size': alter({
      pageSizeAskedFor: (size) => (size && size >= 60 && size <= 90 ? 60 : size),
    }),
    'For the second customer, a page has 50 transactions, whatever the pageSize is': when(
      isOfTheSecondCustomer,
      alter({ pageSizeAskedFor: 50 }),
    ),
  }),
  ...ofNumberedPages([TRX.noPageExceedsOneHundred], {
    'The maximum of pageSize is one too large': atMost(101),
    'For a pageSize above a million, all transactions are on one page': alter(
      {
        pageSizeCeiling: (most, _, past) =>
          (past.of('pageSizeAskedFor').at(-1)?.answer ?? 0) > 1_000_000 ? Infinity : most,
      },
      'pageSizeAskedFor',
    ),
    'The maximum is not compared with a pageSize in a text': ofATextWith('pageSizeCeiling', Infinity),
    'Without a pageSize, a page of the second variant has 500 transactions': byDefault(500),
    'The second customer gets pages of up to 500 transactions': when(isOfTheSecondCustomer, atMost(500)),
    'A TPP gets pages of up to 500 transactions': when(isOfATpp, atMost(500)),
  }),
  ...ofNumberedPages([TRX.noPageFallsBelowTen], {
    'The minimum of pageSize is one too small': atLeast(9),
    'For the second customer, the minimum of pageSize is 9': when(isOfTheSecondCustomer, atLeast(9)),
    'A negative pageSize is used without its sign, after the check of the minimum': alter({
      pageSizeAskedFor: (size) => size && Math.abs(size),
      pageSizeFloor: (least, _, past) =>
        Number(past.of('pageSizeAskedFor').at(-1)?.facts.pageSize) < 0 ? 1 : least,
    }),
    'The minimum is not compared with a pageSize in a text': ofATextWith('pageSizeFloor', 1),
    'Without a pageSize, a page of the second variant has 5 transactions': byDefault(5),
  }),
  ...ofNumberedPages([TRX.smallestPageSizeIsAccepted], { 'A pageSize of 10 is refused': atLeast(11) }),
  ...ofNumberedPages([TRX.largestPageSizeIsAccepted], { 'A pageSize of 100 is refused': atMost(99) }),
]

export const numberedPageDefects: readonly Defect[] = [...counts, ...items, ...sizes]
