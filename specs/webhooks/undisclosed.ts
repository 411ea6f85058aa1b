import { note } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery, Scenario } from '../../harness/check/index.ts'
import { WEB } from './requirements.ts'

/** What is observed of calls that the interface does not show. */

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'nothing')

const distinct = (values: readonly string[]): string => [...new Set(values)].join(', ')

/** How often a call came that says the same as one before: two bookings on one account may say the same, too. */
const repeatedAmong = (calls: readonly ObservedDelivery[]): number =>
  calls.length - new Set(calls.map(({ body }) => textOf(body.text.value))).size

/** Notes how the target calls. */
export const describeCalls = <Seen>(
  scenario: Scenario<Seen>,
  pick: (record: Observed<Seen>) => readonly ObservedDelivery[],
  name: 'transactionEvent' | 'accountEvent',
): void => {
  const describe =
    (say: (calls: readonly ObservedDelivery[]) => string) =>
    (record: Observed<Seen>): string | undefined => {
      const calls = pick(record)
      return calls.length === 0 ? undefined : `${name}: ${say(calls)}`
    }
  note(
    WEB.methodOfTheCall,
    scenario,
    describe((calls) => distinct(calls.map(({ method }) => textOf(method.value)))),
  )
  note(
    WEB.encodingOfTheCall,
    scenario,
    describe((calls) => {
      const types = distinct(calls.map((call) => textOf(call.header('Content-Type').value)))
      const shapes = distinct(calls.map(({ body }) => body.shape))
      return `${types}, ${shapes}`
    }),
  )
  note(
    WEB.deliveryRetries,
    scenario,
    describe((calls) => {
      const repeated = repeatedAmong(calls)
      return `each call was taken with 204; ${repeated} of ${calls.length} say what one before has said`
    }),
  )
}
