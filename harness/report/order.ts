import { ALL_CHAPTERS } from '../check/requirement.ts'
import { LOAN_STATUSES } from '../evidence/record/loan-application.ts'
import type { CheckResult } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Scenarios run concurrently, and evidence is written in the order of arrival. Reports sort what they list, so that
 * repetitions of a run are reported in the same order.
 */

/** What is not in the list comes last. */
const placeIn = (list: readonly string[], item: string | undefined): number =>
  list.includes(item ?? '') ? list.indexOf(item ?? '') : list.length

/** Exchanges without a chapter are stray calls. */
const chapterAt = (exchange: string): number => placeIn(ALL_CHAPTERS, /^[a-z]+/.exec(exchange)?.[0])

/** `…/9` comes before `…/10`, in any locale. */
export const compareNumbered = new Intl.Collator('en', { numeric: true }).compare

/** By chapter as in the interface, then by scenario, then by the place in it. */
export const compareExchanges = (one: string, other: string): number =>
  chapterAt(one) - chapterAt(other) || compareNumbered(one, other)

/** @param exchangeOf the id of the exchange by which an item is placed. */
export const byExchange = <Item>(items: readonly Item[], exchangeOf: (item: Item) => string): Item[] =>
  items.toSorted((one, other) => compareExchanges(exchangeOf(one), exchangeOf(other)))

/** In the order of the plan; results without a planned check come last. */
export const byPlan = (results: readonly CheckResult[], { checks }: Pick<Plan, 'checks'>): CheckResult[] => {
  const places = new Map(checks.map(({ id }, at) => [id, at]))
  const placeOf = ({ id }: CheckResult): number => places.get(id) ?? checks.length
  return results.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** States and transitions: the states of a payment and of a loan application, as the interface lists them. */
const STATUSES: readonly string[] = ['ACTC', 'ACSP', 'ACSC', 'PDNG', 'RJCT', ...LOAN_STATUSES]

/** In the order of the interface; statuses that it does not list come last, in alphabetical order. */
export const compareStatuses = (one: string, other: string): number =>
  placeIn(STATUSES, one) - placeIn(STATUSES, other) || compareNumbered(one, other)
