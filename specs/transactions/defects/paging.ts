import { changedRules, isFor, where } from '../../shared/defects.ts'
import type { RuleChange } from '../../../harness/bank/defect.ts'
import type { Operation } from '../../shared/account-defects.ts'
import type { FactsOf } from '../../shared/defects.ts'

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

/** Is wrong only on later pages of the first variant, to which a link leads. */
export const onLaterLinkedPages =
  (change: (isLaterPage: Operation) => RuleChange): RuleChange =>
  (lawful) => {
    let isLater = false
    return {
      bearerToken: (facts) => {
        isLater = facts.query.has('entryReferenceFrom')
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
