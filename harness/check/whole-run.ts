import { Selection } from './selection.ts'
import type { Acted } from './acted.ts'
import type { SeenOperation } from '../evidence/exchange.ts'
import type { ObservedDelivery } from './observed/delivery.ts'
import type { Profile } from '../profile/schema.ts'
import type { ObservedExchange } from './observed/exchange.ts'

/** Checks on all answers of a run, whichever scenario sent the request. They are judged when all scenarios have ended. */

/** What one bank answered and called in a run, in the order of time. Answers of intermediaries are left out. */
export interface WholeRun {
  readonly exchanges: readonly ObservedExchange[]
  /** The webhook calls that the bank made. */
  readonly calls: readonly ObservedDelivery[]
  /** Gives the names of what the interface does not show. */
  readonly profile: Profile
}

/**
 * All exchanges of the run with these operations.
 * @param anchor a scenario that always has such exchanges: it is run if only this check is selected (`--only`).
 */
export const inWholeRun = (anchor: Acted, operations: readonly SeenOperation[]): Selection<WholeRun> =>
  new Selection(anchor, (whole) => [{ read: () => whole as WholeRun }], true, operations)

/** Each answer of the run to these operations. */
export const everyAnswer = (
  anchor: Acted,
  operations: readonly SeenOperation[],
): Selection<ObservedExchange> =>
  inWholeRun(anchor, operations).each(({ exchanges }) => exchanges, 'there was no such answer in the run')

export const everyCall = (anchor: Acted): Selection<ObservedDelivery> =>
  inWholeRun(anchor, ['webhook']).each(({ calls }) => calls, 'no webhook call has arrived')
