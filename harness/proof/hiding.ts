import { matches } from '../bank/composition/conflicts.ts'
import { HIDING_ACCOUNTS } from './hiding/accounts.ts'
import { HIDING_AUTHORIZATION_AND_TOKENS } from './hiding/authorization-and-tokens.ts'
import { HIDING_ENVIRONMENTS } from './hiding/environments.ts'
import { HIDING_LOANS } from './hiding/loans.ts'
import { HIDING_PAYMENTS } from './hiding/payments.ts'
import { HIDING_REFRESH } from './hiding/refresh.ts'
import { HIDING_TRANSACTIONS } from './hiding/transactions.ts'
import { HIDING_WEBHOOKS } from './hiding/webhooks.ts'
import type { Hiding } from './hiding/entry.ts'
import type { Defect, Variation } from '../bank/defect.ts'

/** Which variations a composed bank must not have, so that a defect of it can be observed. */

/** What does not follow from `neverOccurs` of a variation. */
export const HIDING: readonly Hiding[] = [
  ...HIDING_ACCOUNTS,
  ...HIDING_AUTHORIZATION_AND_TOKENS,
  ...HIDING_ENVIRONMENTS,
  ...HIDING_LOANS,
  ...HIDING_PAYMENTS,
  ...HIDING_REFRESH,
  ...HIDING_TRANSACTIONS,
  ...HIDING_WEBHOOKS,
]

type Shown = Pick<Variation, 'id' | 'neverOccurs'>

type Hidden = Pick<Defect, 'id' | 'breaks' | 'wire' | 'environment' | 'triedIn'>

/** Whether a defect may have no effect in a bank with this variation, or may be lawful there. */
export const isHiddenBy = (
  { id, breaks, wire, environment, triedIn = environment ?? 'sandbox' }: Hidden,
  { id: variation, neverOccurs = [] }: Shown,
): boolean => {
  const names = [id, ...breaks.map((row) => row.id)]
  const isNamed = (ids: readonly string[]): boolean =>
    names.some((name) => ids.some((pattern) => matches(name, pattern)))
  // A defect in HTTP messages cannot read a compressed body.
  if (variation === 'gzipped' && wire !== undefined) return true
  return (
    isNamed(neverOccurs) ||
    HIDING.some(
      ({ variations, defects, judgedIn = triedIn }) =>
        judgedIn === triedIn && variations.some((pattern) => matches(variation, pattern)) && isNamed(defects),
    )
  )
}
