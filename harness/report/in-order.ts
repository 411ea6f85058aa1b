import { CHAPTERS } from '../check/requirement.ts'
import type { CheckResult } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Scenarios are done side by side, and evidence stands in the order in which it came. What a report lists has an order
 * of its own, so that the same run reads the same each time.
 */

const CHAPTER_OF = /^[a-z]+/

/** What belongs to no chapter, such as a stray call, comes behind those that do. */
const chapterAt = (exchange: string): number => {
  const at = CHAPTERS.findIndex((chapter) => chapter === CHAPTER_OF.exec(exchange)?.[0])
  return at === -1 ? CHAPTERS.length : at
}

/** `…/9` stands before `…/10`; in any locale of the machine alike. */
const compareNumbered = new Intl.Collator('en', { numeric: true }).compare

/** By chapter as in the interface, then by scenario, then by the place in it. */
export const compareExchanges = (one: string, other: string): number =>
  chapterAt(one) - chapterAt(other) || compareNumbered(one, other)

/** @param exchangeOf the id of the exchange by which an item is placed. */
export const byExchange = <Item>(items: readonly Item[], exchangeOf: (item: Item) => string): Item[] =>
  items.toSorted((one, other) => compareExchanges(exchangeOf(one), exchangeOf(other)))

/** As the plan has their checks; what no planned check asked for comes last. */
export const byPlan = (results: readonly CheckResult[], { checks }: Pick<Plan, 'checks'>): CheckResult[] => {
  const places = new Map(checks.map(({ id }, at) => [id, at]))
  const placeOf = ({ id }: CheckResult): number => places.get(id) ?? checks.length
  return results.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** States and transitions: the states of a payment and of a loan application, as the interface lists them. */
const STATUSES: readonly string[] = [
  ...['ACTC', 'ACSP', 'ACSC', 'PDNG', 'RJCT'],
  ...['NEW', 'CUSTOMER_CREATION_IN_PROGRESS', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED'],
  ...['LOAN_DISBURSED', 'CANCELED', 'EXPIRED'],
]

const statusAt = (status: string): number => {
  const at = STATUSES.indexOf(status)
  return at === -1 ? STATUSES.length : at
}

/** As the interface lists them; words of the target's own behind them, by the alphabet. */
export const compareStatuses = (one: string, other: string): number =>
  statusAt(one) - statusAt(other) || compareNumbered(one, other)
