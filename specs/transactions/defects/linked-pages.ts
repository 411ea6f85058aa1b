import { closing, isLast, refusingWith, type Operation } from '../../shared/account-defects.ts'
import {
  breaking,
  changedRules,
  isFor,
  isOfAFac,
  isOfATpp,
  together,
  where,
  type FactsOf,
} from '../../shared/defects.ts'
import { TRX } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Parts of the defects of pages. A change that gives undefined leaves the lawful value as it is. */

/** The pages of the first variant, each of which links to the next. */
export const LINKED_PAGES = isFor('transactions', 'first')

/** The pages of the second variant, which are numbered and counted. */
export const NUMBERED_PAGES = isFor('transactions', 'second')

export type PageFacts = FactsOf<'pageItems'>
export type Transaction = PageFacts['all'][number]

/** Shows other transactions on a page. */
export const showing = (
  operation: Operation,
  items: (facts: PageFacts, lawful: readonly Transaction[]) => readonly Transaction[] | undefined,
): RuleChange =>
  where(operation, (lawful) => ({
    pageItems: (facts) => {
      const page = lawful.pageItems(facts)
      return items(facts, page) ?? page
    },
  }))

/** Reads another pageSize than was asked for; undefined refuses it. */
export const reading = (operation: Operation, read: (size: number) => number | undefined): RuleChange =>
  where(operation, (lawful) => ({
    pageSizeAskedFor: (facts) => {
      const asked = lawful.pageSizeAskedFor(facts)
      return asked === undefined ? undefined : read(asked)
    },
  }))

/** Whether a request of the first variant is for a later page: a link adds a parameter to those of the first page. */
export const asksForALaterPage = ({ query }: Pick<FactsOf<'bearerToken'>, 'query'>): boolean =>
  [...query.keys()].some((name) => name !== 'pageSize')

/** Is wrong only on later pages of the first variant, to which a link leads. */
export const onLaterLinkedPages =
  (change: (isLaterPage: Operation) => RuleChange): RuleChange =>
  (lawful) => {
    let isLater = false
    return {
      bearerToken: (facts) => {
        isLater = asksForALaterPage(facts)
        return lawful.bearerToken(facts)
      },
      ...changedRules(
        change((facts) => LINKED_PAGES(facts) && isLater),
        lawful,
      ),
    }
  }

/** The transactions from one place to another. */
export const cut = ({ all }: Pick<PageFacts, 'all'>, from: number, to: number): readonly Transaction[] =>
  all.slice(Math.max(0, from), to)

/** Whether a page is the third of more than three. */
export const isThird = ({ all, offset, size }: PageFacts): boolean =>
  offset === 2 * size && offset + size < all.length

/** Whether a transaction was booked by a test hook: the ids of older ones are numbers. */
export const isNew = ({ transactionId }: Transaction): boolean => !/^\d{6}-\d{6}$/.test(transactionId)

/** Pages of the first variant that are incomplete, repeated or linked wrongly. */

/** Decides differently whether a page links to a next one. */
const following = (hasNext: (facts: PageFacts) => boolean | undefined): RuleChange =>
  where(LINKED_PAGES, (lawful) => ({
    hasNextPage: (facts) => hasNext(facts) ?? lawful.hasNextPage(facts),
  }))

/** Begins the next page at another place. */
const continuing =
  (offsetOf: (facts: PageFacts, lawful: number) => number): RuleChange =>
  (lawful) => ({ nextOffset: (facts) => offsetOf(facts, lawful.nextOffset(facts)) })

/** Links to another page. */
const linking =
  (link: (facts: FactsOf<'nextLink'>) => string | undefined): RuleChange =>
  (lawful) => ({ nextLink: (facts) => link(facts) ?? lawful.nextLink(facts) })

const isOfMany = ({ all }: { readonly all: readonly unknown[] }): boolean => all.length > 100

export const linkedPageDefects: readonly Defect[] = [
  ...breaking(TRX.pageIsAnswered, {
    'last-listed-account-has-no-page': {
      story: 'The transactions of the last account of the list are refused.',
      rules: closing(LINKED_PAGES, isLast),
    },
  }),
  ...breaking(TRX.pageHasTheSizeAskedFor, {
    'third-page-has-one-less': {
      story: 'The third page has one transaction less.',
      rules: showing(LINKED_PAGES, (facts, page) => (isThird(facts) ? page.slice(0, -1) : undefined)),
    },
    'second-page-has-one-more': {
      story: 'The second page has one transaction more.',
      rules: showing(LINKED_PAGES, (facts) =>
        facts.offset === facts.size && facts.offset + facts.size + 1 < facts.all.length
          ? cut(facts, facts.offset, facts.offset + facts.size + 1)
          : undefined,
      ),
    },
    'every-page-has-one-more': {
      story: 'Every page also has the first transaction of the next one.',
      rules: showing(LINKED_PAGES, (facts) =>
        facts.offset + facts.size < facts.all.length
          ? cut(facts, facts.offset, facts.offset + facts.size + 1)
          : undefined,
      ),
    },
    'page-size-is-rounded-up-to-tens': {
      story: 'A pageSize is rounded up to a multiple of ten.',
      rules: reading(LINKED_PAGES, (size) => Math.ceil(size / 10) * 10),
    },
    'page-size-has-no-effect': {
      story: 'A page has 50 transactions, whatever pageSize says.',
      alsoBreaks: [TRX.lastPageIsNoLargerThanAskedFor],
      rules: reading(LINKED_PAGES, (size) => (size < 1 ? size : 50)),
    },
  }),
  ...breaking(TRX.lastPageIsNoLargerThanAskedFor, {
    'rest-of-one-joins-the-last-page': {
      story: 'A single transaction of a last page is put on the page before.',
      rules: together(
        showing(LINKED_PAGES, (facts) =>
          facts.offset + facts.size + 1 === facts.all.length
            ? cut(facts, facts.offset, facts.all.length)
            : undefined,
        ),
        following((facts) => facts.offset + facts.size + 1 < facts.all.length),
      ),
    },
  }),
  ...breaking(TRX.pagesLeaveNothingOut, {
    'oldest-of-a-thousand-is-missing': {
      story: 'Only a thousand transactions of an account are shown.',
      rules: where(LINKED_PAGES, (lawful) => ({
        transactionsOf: (facts) => lawful.transactionsOf(facts).slice(0, 1000),
      })),
    },
    'full-last-page-is-dropped': {
      story: 'A last page that is full is left out.',
      alsoBreaks: [TRX.pagesAreTheSameForEverySize],
      rules: following((facts) => (facts.offset + 2 * facts.size === facts.all.length ? false : undefined)),
    },
    'account-of-one-full-page-is-empty': {
      story: 'An account with exactly as many transactions as pageSize says has an empty page.',
      alsoBreaks: [TRX.pagesAreTheSameForEverySize],
      rules: showing(LINKED_PAGES, (facts) => (facts.all.length === facts.size ? [] : undefined)),
    },
    'small-pages-skip-one': {
      story: 'After a page of fewer than 50 transactions, one is skipped.',
      alsoBreaks: [TRX.pagesAreTheSameForEverySize],
      rules: continuing(({ size }, offset) => (size < 50 ? offset + 1 : offset)),
    },
    'fourth-page-is-refused': {
      story: 'The fourth page and later ones are refused.',
      rules: (lawful) => ({
        offsetOfCursor: (facts) => {
          const offset = lawful.offsetOfCursor(facts)
          return isOfMany(facts) && (offset ?? 0) >= 3 * facts.size ? undefined : offset
        },
      }),
    },
    'small-pages-of-a-tpp-skip-one': {
      story: 'For a TPP, one transaction is skipped after a page of fewer than 50.',
      alsoBreaks: [TRX.pagesAreTheSameForEverySize],
      rules: continuing((facts, offset) => (isOfATpp(facts) && facts.size < 50 ? offset + 1 : offset)),
    },
  }),
  ...breaking(TRX.pagesRepeatNothing, {
    'second-and-third-page-overlap': {
      story: 'The third page begins with the last transaction of the second.',
      rules: continuing(({ offset, size }, next) => (offset === size ? next - 1 : next)),
    },
    'page-has-a-transaction-twice': {
      story: 'A page of 100 transactions has its first one again at the end.',
      alsoBreaks: [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
      rules: showing(LINKED_PAGES, ({ size }, page) =>
        size === 100 && page.length === 100 ? [...page.slice(0, 99), ...page.slice(0, 1)] : undefined,
      ),
    },
    'second-and-third-page-of-a-fac-overlap': {
      story: 'For a FAC, the third page begins with the last transaction of the second.',
      rules: continuing((facts, next) => (isOfAFac(facts) && facts.offset === facts.size ? next - 1 : next)),
    },
    'second-and-third-page-of-a-tpp-overlap': {
      story: 'For a TPP, the third page begins with the last transaction of the second.',
      rules: continuing((facts, next) => (isOfATpp(facts) && facts.offset === facts.size ? next - 1 : next)),
    },
  }),
  ...breaking(TRX.pagesKeepTheirOrder, {
    'later-pages-are-the-other-way-round': {
      story: 'Later pages are in reverse order.',
      rules: showing(LINKED_PAGES, ({ offset }, page) => (offset > 0 ? [...page].reverse() : undefined)),
    },
  }),
  ...breaking(TRX.pageIsTheSameWhenAskedForAgain, {
    'second-page-is-another-when-asked-for-again': {
      story: 'A second page that is asked for again begins with its second transaction.',
      rules: (lawful) => {
        const shown = new Set<string>()
        const change = showing(LINKED_PAGES, (facts) => {
          const { account, offset, size, all } = facts
          if (offset !== size || size > 20 || all.length < 30) return undefined
          const isAgain = shown.has(account.accountId)
          shown.add(account.accountId)
          return isAgain ? cut(facts, offset + 1, offset + size + 1) : undefined
        })
        return changedRules(change, lawful)
      },
    },
  }),
  ...breaking(TRX.nextLinkStaysAtTheTarget, {
    'next-link-leads-to-another-origin': {
      story: 'The link to the next page has the host name of an internal server.',
      rules: linking(({ path, query }) => `https://core.bank.example${path}?${query}`),
    },
    'next-link-leads-to-another-origin-late': {
      story: 'After a thousand transactions the link leads to the host of an archive.',
      rules: linking(({ offset, path, query }) =>
        offset >= 1000 ? `//archive.bank.example${path}?${query}` : undefined,
      ),
    },
    'next-link-leaves-the-base-path': {
      story: 'The link to the next page has no base path of the environment.',
      rules: linking(({ path, query }) => `${path.replace(/^\/premium\/\w+/, '')}?${query}`),
    },
  }),
  ...breaking(TRX.pagesComeToAnEnd, {
    'next-link-of-the-last-page-leads-to-the-first': {
      story: 'The last page links to the first one.',
      alsoBreaks: [TRX.pageHasTheSizeAskedFor],
      rules: together(
        following((facts) => (facts.all.length > facts.size ? true : undefined)),
        linking(({ all, offset, size, path }) =>
          offset + size >= all.length ? `${path}?pageSize=${size}` : undefined,
        ),
      ),
    },
    'next-link-leads-to-the-same-page': {
      story: 'The second page of an account with many transactions links to itself.',
      rules: continuing((facts, next) =>
        isOfMany(facts) && facts.offset === facts.size ? facts.offset : next,
      ),
    },
    'last-page-comes-again-and-again': {
      story: 'The last page links to itself, with another link each time.',
      alsoBreaks: [TRX.pagesRepeatNothing, TRX.pageHasTheSizeAskedFor],
      rules: (lawful) => {
        let links = 0
        return {
          hasNextPage: (facts) => (LINKED_PAGES(facts) && isOfMany(facts)) || lawful.hasNextPage(facts),
          nextOffset: (facts) => Math.min(lawful.nextOffset(facts), facts.all.length - 1),
          cursorAt: (facts) => `${lawful.cursorAt(facts)}~${(links += 1)}`,
          offsetOfCursor: ({ cursor, ...facts }) =>
            lawful.offsetOfCursor({ ...facts, cursor: cursor.replace(/~.*/, '') }),
        }
      },
    },
  }),
  ...breaking(TRX.pageSizeHasALimit, {
    'every-page-size-is-answered-in-full': {
      story: 'The first variant has no limit of pageSize.',
      rules: where(LINKED_PAGES, { pageSizeCeiling: () => Infinity }),
    },
  }),
  ...breaking(TRX.strangePageSizeBreaksNothing, {
    'strange-page-size-breaks-down': {
      story: 'An invalid pageSize is answered with a server error.',
      rules: refusingWith(LINKED_PAGES, 'invalid_request', 500),
    },
    'huge-page-size-breaks-down': {
      story: 'A pageSize of more than 32 bits is answered with a server error.',
      rules: together(
        reading(LINKED_PAGES, (size) => (size > 2 ** 31 ? undefined : size)),
        refusingWith(LINKED_PAGES, 'invalid_request', 502),
      ),
    },
  }),
]
