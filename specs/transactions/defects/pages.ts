import { inEachVariant } from '../../shared/account-changes.ts'
import { defectsIn, isFor, type Call, type FactsOf } from '../../shared/changes.ts'

/** Tables of defects for the pages of each variant, and conditions on pages. */

/** Defects of the first variant, in which each page links to the next. */
export const ofLinkedPages = defectsIn(isFor('transactions', 'first'))

/** Defects of the second variant, in which pages are numbered and counted. */
export const ofNumberedPages = defectsIn(isFor('transactions', 'second'))

/** The same defects of each variant, and what they break there. */
export const ofEachVariant = inEachVariant('transactions')

export type PageFacts = FactsOf<'pageItems'>
export type Transaction = PageFacts['all'][number]
type Has<Name extends keyof PageFacts> = Pick<PageFacts, Name>

/** The number of transactions after a page. */
export const left = ({ all, offset, size }: Has<'all' | 'offset' | 'size'>): number =>
  all.length - offset - size

export const isLater = ({ offset }: Has<'offset'>): boolean => offset > 0
export const isSecond = ({ offset, size }: Has<'offset' | 'size'>): boolean => offset === size
/** Whether a page is the third of more than three. */
export const isThird = (facts: PageFacts): boolean => facts.offset === 2 * facts.size && left(facts) > 0
export const isEmpty = ({ all }: Has<'all'>): boolean => all.length === 0

/** Whether a transaction was booked by a test hook: the ids of older ones are numbers. */
export const isNew = ({ transactionId }: Transaction): boolean => !/^\d{6}-\d{6}$/.test(transactionId)

/** Whether a request of the first variant is for a later page: a link adds a parameter to those of the first page. */
export const isForALaterPage = ({ query }: Call<'bearerToken'>['facts']): boolean =>
  [...query.keys()].some((name) => name !== 'pageSize')
