import type { OperationKey } from './operations.ts'
import type { Profile } from './schema.ts'

/** The accounts variants of a grant, and its endpoints. */

export type Variant = 'first' | 'second'

/** The request for a grant. */
export interface OAuth {
  /** Without the consentId of a TPP. */
  readonly scope: string
  /** Whether a TPP creates a consent first, whose id follows the scope. */
  readonly hasConsent: boolean
  /** The keys of both endpoints. */
  readonly authorize: OperationKey
  readonly token: OperationKey
}

/**
 * The variants that the customer grants separately: only the first, whose grants are valid for the second as well, unless
 * the second has a separate scope in the profile (secondVariant.oauth).
 */
export const grantedVariants = ({ secondVariant }: Pick<Profile, 'secondVariant'>): readonly Variant[] =>
  secondVariant?.oauth === undefined ? ['first'] : ['first', 'second']

/** The request for a grant of this variant. */
export const oauthOf = (profile: Profile, variant: Variant): OAuth => {
  const { scopes, secondVariant } = profile
  const own = variant === 'second' ? secondVariant?.oauth : undefined
  const part = own === undefined ? 'operations' : 'secondVariant.oauth'
  return {
    scope: own?.scope ?? scopes.accounts,
    hasConsent: own?.consent ?? true,
    authorize: `${part}.authorize`,
    token: `${part}.token`,
  }
}
