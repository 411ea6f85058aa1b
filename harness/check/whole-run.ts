import { Selection } from './selection.ts'
import type { Acted } from './acted.ts'
import type { Operation } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { ObservedExchange } from './observed/exchange.ts'

/**
 * What holds always is judged on every answer of the run, whichever scenario asked for it, once the run has ended.
 */

/** What was exchanged with one bank in a run, in the order of time: what it answered itself. */
export interface WholeRun {
  readonly exchanges: readonly ObservedExchange[]
  /** The names of the profile, for fields that the interface does not show. */
  readonly profile: Pick<Profile, 'operations' | 'scopes'>
}

/**
 * All exchanges of the run with these operations.
 * @param anchor the scenario that is planned for such a check: where nothing else is selected, it alone shows them.
 */
export const inWholeRun = (anchor: Acted, operations: readonly Operation[]): Selection<WholeRun> =>
  new Selection(anchor, (whole) => [{ read: () => whole as WholeRun }], true, operations)

/** Each answer of the run to these operations. */
export const everyAnswer = (anchor: Acted, operations: readonly Operation[]): Selection<ObservedExchange> =>
  inWholeRun(anchor, operations).each(({ exchanges }) => exchanges, 'there was no such answer in the run')
