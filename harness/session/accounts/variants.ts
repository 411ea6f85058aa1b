import { NotReached } from '../../evidence/signals.ts'
import { createFirstVariant } from './first-variant.ts'
import { createSecondVariant } from './second-variant.ts'
import type { Accounts, AccountsContext } from './accounts.ts'

/** The accounts variants that the profile binds. */
export type Variants = (variant: Accounts['variant']) => Accounts

export const createVariants = (context: AccountsContext): Variants => {
  const first = createFirstVariant(context)
  const { secondVariant } = context.profile
  const second = secondVariant && createSecondVariant(context, secondVariant)
  return (variant) => {
    if (variant === 'first') return first
    if (second !== undefined) return second
    throw new NotReached('the profile has no second accounts variant (secondVariant)')
  }
}
