import type { Profile } from './schema.ts'

export type Variant = 'first' | 'second'

/**
 * The variants that the customer grants separately: only the first, whose grants are valid for the second as well, unless
 * the second has a separate scope in the profile (secondVariant.oauth).
 */
export const grantedVariants = ({ secondVariant }: Pick<Profile, 'secondVariant'>): readonly Variant[] =>
  secondVariant?.oauth === undefined ? ['first'] : ['first', 'second']

export const oauthOf = (profile: Profile, variant: Variant) => {
  const { scopes, secondVariant } = profile
  const own = variant === 'second' ? secondVariant?.oauth : undefined
  const part = own === undefined ? 'operations' : 'secondVariant.oauth'
  return {
    /** Without the consentId of a TPP. */
    scope: own?.scope ?? scopes.accounts,
    /** Whether a TPP creates a consent first, whose id follows the scope. */
    hasConsent: own?.consent ?? true,
    authorize: `${part}.authorize` as const,
    token: `${part}.token` as const,
  }
}
