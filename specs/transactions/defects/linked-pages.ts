import { alter, isOfAFac, isOfATpp, refuse, when } from '../../shared/changes.ts'
import { isSecond, isThird, left, ofLinkedPages, type PageFacts } from './pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Pages of the first variant that are incomplete, repeated or linked wrongly. */

const oneMore = alter({ pageItems: (_, { all, offset, size }) => all.slice(offset, offset + size + 1) })
const skipOne = alter({ nextOffset: (next) => next + 1 })
const repeatOne = alter({ nextOffset: (next) => next - 1 })

const isSmall = ({ size }: Pick<PageFacts, 'size'>): boolean => size < 50
const isOfMany = ({ all }: Pick<PageFacts, 'all'>): boolean => all.length > 100
const isSmallSecond = (facts: PageFacts): boolean =>
  facts.variant === 'first' && isSecond(facts) && facts.size <= 20 && facts.all.length >= 30

const items: readonly Defect[] = [
  ...ofLinkedPages([TRX.pageHasTheSizeAskedFor], {
    'The third page lacks one transaction': when(isThird, alter({ pageItems: (page) => page.slice(0, -1) })),
    'The second page has one transaction more': when((page) => isSecond(page) && left(page) > 1, oneMore),
    'Every page also has the first transaction of the next one': oneMore,
    'A pageSize is rounded up to a multiple of ten': alter({
      pageSizeAskedFor: (size) => size && Math.ceil(size / 10) * 10,
    }),
  }),
  ...ofLinkedPages([TRX.pageHasTheSizeAskedFor, TRX.lastPageIsNoLargerThanAskedFor], {
    'All pages have 50 transactions': alter({ pageSizeAskedFor: (size) => ((size ?? 0) < 1 ? size : 50) }),
  }),
  ...ofLinkedPages([TRX.lastPageIsNoLargerThanAskedFor], {
    'A single transaction of a last page is put on the page before': alter({
      pageItems: (page, facts) => (left(facts) === 1 ? facts.all.slice(facts.offset) : page),
      hasNextPage: (_, facts) => left(facts) > 1,
    }),
  }),
  ...ofLinkedPages([TRX.pagesLeaveNothingOut], {
    'Only a thousand transactions are shown': alter({ transactionsOf: (all) => all.slice(0, 1000) }),
    'The fourth page and later ones are refused': alter({
      offsetOfCursor: (offset, facts) =>
        isOfMany(facts) && (offset ?? 0) >= 3 * facts.size ? undefined : offset,
    }),
  }),
  ...ofLinkedPages([TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize], {
    'A last page that is full is left out': refuse('hasNextPage', (facts) => left(facts) === facts.size),
    'For a TPP, one is skipped after a page of fewer than 50': when(isOfATpp, when(isSmall, skipOne)),
  }),
  ...ofLinkedPages([TRX.pagesRepeatNothing], {
    'The third page begins with the last transaction of the second': when(isSecond, repeatOne),
    'For a FAC, the third page begins with the end of the second': when(isOfAFac, when(isSecond, repeatOne)),
    'For a TPP, the third page begins with the end of the second': when(isOfATpp, when(isSecond, repeatOne)),
  }),
  ...ofLinkedPages([TRX.pagesRepeatNothing, TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize], {
    'A page of 100 transactions has its first one also at its end': alter({
      pageItems: (page, { size }) =>
        size === 100 && page.length === 100 ? [...page.slice(0, 99), ...page.slice(0, 1)] : page,
    }),
  }),
  ...ofLinkedPages([TRX.pageIsTheSameWhenAskedForAgain], {
    'A second page that is repeated begins with its second transaction': when(
      isSmallSecond,
      alter({
        pageItems: (page, { account, all, offset, size }, past) =>
          past.of('pageItems').some(({ facts }) => facts.account === account && isSmallSecond(facts))
            ? all.slice(offset + 1, offset + size + 1)
            : page,
      }),
    ),
  }),
]

const links: readonly Defect[] = [
  ...ofLinkedPages([TRX.nextLinkStaysAtTheTarget], {
    'The link to the next page has the host name of an internal server': alter({
      nextLink: (_, { path, query }) => `https://core.bank.example${path}?${query}`,
    }),
    'After a thousand transactions the link leads to the host of an archive': alter({
      nextLink: (link, { offset, path, query }) =>
        offset >= 1000 ? `//archive.bank.example${path}?${query}` : link,
    }),
    'The link to the next page has no base path of the environment': alter({
      nextLink: (_, { path, query }) => `${path.replace(/^\/premium\/\w+/, '')}?${query}`,
    }),
  }),
  ...ofLinkedPages([TRX.pagesComeToAnEnd], {
    'The second page of an account with many transactions links to itself': when(
      (page) => isOfMany(page) && isSecond(page),
      alter({ nextOffset: (_, { offset }) => offset }),
    ),
  }),
  ...ofLinkedPages([TRX.pagesComeToAnEnd, TRX.pageHasTheSizeAskedFor], {
    'The last page links to the first one': alter({
      hasNextPage: (has, { all, size }) => has || all.length > size,
      nextLink: (link, facts) => (left(facts) > 0 ? link : `${facts.path}?pageSize=${facts.size}`),
    }),
  }),
  ...ofLinkedPages([TRX.pagesComeToAnEnd, TRX.pagesRepeatNothing, TRX.pageHasTheSizeAskedFor], {
    'The last page links to itself, with another link each time': alter({
      hasNextPage: (has, facts) => has || isOfMany(facts),
      nextOffset: (next, { all }) => Math.min(next, all.length - 1),
      cursorAt: (cursor, _, { calls }) => `${cursor}~${calls}`,
      offsetOfCursor: (_, { cursor, ...facts }, { rules }) =>
        rules.offsetOfCursor({ ...facts, cursor: cursor.replace(/~.*/, '') }),
    }),
  }),
]

const sizes: readonly Defect[] = [
  ...ofLinkedPages([TRX.pageSizeHasALimit], {
    'The first variant has no limit of pageSize': alter({ pageSizeCeiling: Infinity }),
  }),
  ...ofLinkedPages([TRX.strangePageSizeBreaksNothing], {
    'A pageSize of more than 32 bits is answered with a server error': alter({
      pageSizeAskedFor: (size) => ((size ?? 0) > 2 ** 31 ? undefined : size),
      refusalStatus: (usual, { error }) => (error === 'invalid_request' ? 502 : usual),
    }),
  }),
]

export const linkedPageDefects: readonly Defect[] = [...items, ...links, ...sizes]
