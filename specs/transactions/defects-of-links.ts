import { TRX } from './requirements.ts'
import {
  continuing,
  cut,
  following,
  isLast,
  isOf,
  isThird,
  linking,
  opening,
  reading,
  refusing,
  showing,
  together,
} from './defect-rules.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong over pages that link to the next one. */

const isOfMany = ({ all }: { readonly all: readonly unknown[] }): boolean => all.length > 100

const defectsOfFullness: readonly Defect[] = [
  {
    id: 'last-listed-account-has-no-page',
    story: 'The last account of the list has no transactions that may be seen.',
    breaks: [TRX.pageIsAnswered],
    rules: opening('first', (facts) => (isOf('first')(facts) && isLast(facts) ? false : undefined)),
  },
  {
    id: 'third-page-has-one-less',
    story: 'A page in the middle ends one transaction early, and the next one begins there.',
    breaks: [TRX.pageHasTheSizeAskedFor],
    rules: showing('first', (facts, page) => (isThird(facts) ? page.slice(0, -1) : undefined)),
  },
  {
    id: 'second-page-has-one-more',
    story: 'The second page counts from 0 where the others count from 1.',
    breaks: [TRX.pageHasTheSizeAskedFor],
    rules: showing('first', (facts) =>
      facts.offset === facts.size && facts.offset + facts.size + 1 < facts.all.length
        ? cut(facts, facts.offset, facts.offset + facts.size + 1)
        : undefined,
    ),
  },
  {
    id: 'every-page-has-one-more',
    story: 'A page ends behind the first transaction of the next one.',
    breaks: [TRX.pageHasTheSizeAskedFor],
    rules: showing('first', (facts) =>
      facts.offset + facts.size < facts.all.length
        ? cut(facts, facts.offset, facts.offset + facts.size + 1)
        : undefined,
    ),
  },
  {
    id: 'page-size-is-rounded-up-to-tens',
    story: 'A pageSize is rounded up to a multiple of ten.',
    breaks: [TRX.pageHasTheSizeAskedFor],
    rules: reading('first', (size) => Math.ceil(size / 10) * 10),
  },
  {
    id: 'page-size-has-no-effect',
    story: 'A page has 50 transactions, whatever pageSize says.',
    breaks: [TRX.pageHasTheSizeAskedFor, TRX.lastPageIsNoLargerThanAskedFor],
    rules: reading('first', (size) => (size < 1 ? size : 50)),
  },
  {
    id: 'rest-of-one-joins-the-last-page',
    story: 'A last page of one transaction is spared: the page before has it.',
    breaks: [TRX.lastPageIsNoLargerThanAskedFor],
    rules: together(
      showing('first', (facts) =>
        facts.offset + facts.size + 1 === facts.all.length
          ? cut(facts, facts.offset, facts.all.length)
          : undefined,
      ),
      following((facts) => facts.offset + facts.size + 1 < facts.all.length),
    ),
  },
]

const defectsOfWholeness: readonly Defect[] = [
  {
    id: 'oldest-of-a-thousand-is-missing',
    story: 'A long history is cut at a thousand transactions.',
    breaks: [TRX.pagesLeaveNothingOut],
    rules: (lawful) => ({
      transactionsOf: (facts) => {
        const all = lawful.transactionsOf(facts)
        return isOf('first')(facts) && all.length > 1000 ? all.slice(0, 1000) : all
      },
    }),
  },
  {
    id: 'full-last-page-is-dropped',
    story: 'A last page that is full is taken for none: its end is the end of all.',
    breaks: [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    rules: following((facts) => (facts.offset + 2 * facts.size === facts.all.length ? false : undefined)),
  },
  {
    id: 'account-of-one-full-page-is-empty',
    story: 'An account with exactly as many transactions as pageSize says has an empty page.',
    breaks: [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    rules: showing('first', (facts) => (facts.all.length === facts.size ? [] : undefined)),
  },
  {
    id: 'small-pages-skip-one',
    story: 'Behind a page of fewer than 50 transactions, one is skipped.',
    breaks: [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    rules: continuing(({ size }, offset) => (size < 50 ? offset + 1 : offset)),
  },
  {
    id: 'fourth-page-is-refused',
    story: 'A page behind the third is refused.',
    breaks: [TRX.pagesLeaveNothingOut],
    rules: (lawful) => ({
      offsetOfCursor: (facts) => {
        const offset = lawful.offsetOfCursor(facts)
        return isOfMany(facts) && (offset ?? 0) >= 3 * facts.size ? undefined : offset
      },
    }),
  },
  {
    id: 'second-and-third-page-overlap',
    story: 'The third page begins with the last transaction of the second one.',
    breaks: [TRX.pagesRepeatNothing],
    rules: continuing(({ offset, size }, next) => (offset === size ? next - 1 : next)),
  },
  {
    id: 'page-has-a-transaction-twice',
    story: 'A page of exactly 100 transactions ends with the one that it begins with.',
    breaks: [TRX.pagesRepeatNothing, TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    rules: showing('first', ({ size }, page) =>
      size === 100 && page.length === 100 ? [...page.slice(0, 99), ...page.slice(0, 1)] : undefined,
    ),
  },
  {
    id: 'later-pages-are-the-other-way-round',
    story: 'Behind the first page each page begins with its oldest transaction.',
    breaks: [TRX.pagesKeepTheirOrder],
    rules: showing('first', ({ offset }, page) => (offset > 0 ? [...page].reverse() : undefined)),
  },
  {
    id: 'second-page-is-another-when-asked-for-again',
    story: 'A second page that was shown is shown again from its second transaction on.',
    breaks: [TRX.pageIsTheSameWhenAskedForAgain],
    rules: (lawful) => {
      const shown = new Set<string>()
      const change = showing('first', (facts) => {
        const { account, offset, size, all } = facts
        if (offset !== size || size > 20 || all.length < 30) return undefined
        const isAgain = shown.has(account.accountId)
        shown.add(account.accountId)
        return isAgain ? cut(facts, offset + 1, offset + size + 1) : undefined
      })
      return change(lawful)
    },
  },
]

const defectsOfLinks: readonly Defect[] = [
  {
    id: 'next-link-leads-to-another-origin',
    story: 'The link to the next page names the host behind the gateway.',
    breaks: [TRX.nextLinkStaysAtTheTarget],
    rules: linking(({ path, query }) => `https://core.bank.example${path}?${query}`),
  },
  {
    id: 'next-link-leads-to-another-origin-late',
    story: 'Behind the thousandth transaction the archive has the next page, on a host of its own.',
    breaks: [TRX.nextLinkStaysAtTheTarget],
    rules: linking(({ offset, path, query }) =>
      offset >= 1000 ? `//archive.bank.example${path}?${query}` : undefined,
    ),
  },
  {
    id: 'next-link-leaves-the-base-path',
    story: 'The link to the next page lacks the base path of the environment.',
    breaks: [TRX.nextLinkStaysAtTheTarget],
    rules: linking(({ path, query }) => `${path.replace(/^\/premium\/\w+/, '')}?${query}`),
  },
  {
    id: 'next-link-of-the-last-page-leads-to-the-first',
    story: 'The last page of many links to the first one.',
    breaks: [TRX.pagesComeToAnEnd, TRX.pageHasTheSizeAskedFor],
    rules: together(
      following((facts) => (facts.all.length > facts.size ? true : undefined)),
      linking(({ all, offset, size, path }) =>
        offset + size >= all.length ? `${path}?pageSize=${size}` : undefined,
      ),
    ),
  },
  {
    id: 'next-link-leads-to-the-same-page',
    story: 'The second page of an account with many transactions links to itself.',
    breaks: [TRX.pagesComeToAnEnd],
    rules: continuing((facts, next) =>
      isOfMany(facts) && facts.offset === facts.size ? facts.offset : next,
    ),
  },
  {
    id: 'last-page-comes-again-and-again',
    story: 'Behind the last page comes the last page, under another link each time.',
    breaks: [TRX.pagesComeToAnEnd, TRX.pagesRepeatNothing, TRX.pageHasTheSizeAskedFor],
    rules: (lawful) => {
      let links = 0
      return {
        ...following((facts) => (isOfMany(facts) ? true : undefined))(lawful),
        ...continuing((facts, next) => Math.min(next, facts.all.length - 1))(lawful),
        cursorAt: (facts) => `${lawful.cursorAt(facts)}~${(links += 1)}`,
        offsetOfCursor: ({ cursor, ...facts }) =>
          lawful.offsetOfCursor({ ...facts, cursor: cursor.replace(/~.*/, '') }),
      }
    },
  },
]

const defectsOfSizes: readonly Defect[] = [
  {
    id: 'strange-page-size-breaks-down',
    story: 'A pageSize that is no size is a server error.',
    breaks: [TRX.strangePageSizeBreaksNothing],
    rules: refusing('first', 'invalid_request', 500),
  },
  {
    id: 'huge-page-size-breaks-down',
    story: 'A pageSize that does not fit into 32 bits is a server error.',
    breaks: [TRX.strangePageSizeBreaksNothing],
    rules: together(
      reading('first', (size) => (size > 2 ** 31 ? undefined : 'as it is')),
      (lawful) => ({
        refusalStatus: (facts) =>
          facts.error === 'invalid_request' && isOf('first')(facts) ? 502 : lawful.refusalStatus(facts),
      }),
    ),
  },
]

export const defectsOfLinkedPages: readonly Defect[] = [
  ...defectsOfFullness,
  ...defectsOfWholeness,
  ...defectsOfLinks,
  ...defectsOfSizes,
]
