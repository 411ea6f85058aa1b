import type { Profile } from './schema.ts'

/** Which of the accounts variants a grant opens, and where it is given. */

export type Variant = 'first' | 'second'

/** How grants of one kind are asked for. */
export interface OAuth {
  /** Without the consentId of a TPP. */
  readonly scope: string
  /** Whether a TPP creates a consent first, whose id stands behind the scope. */
  readonly hasConsent: boolean
  readonly basePaths: Readonly<Record<Profile['environment'], string>>
  /** The paths of both endpoints, behind the base path. */
  readonly authorize: string
  readonly token: string
}

/**
 * The variants that the customer grants by themselves: the first alone, whose grants open the second as well, unless the
 * profile says that the second has a scope of its own (secondVariant.oauth).
 */
export const grantedVariants = ({ secondVariant }: Pick<Profile, 'secondVariant'>): readonly Variant[] =>
  secondVariant?.oauth === undefined ? ['first'] : ['first', 'second']

/** How grants are asked for that open this variant. */
export const oauthOf = (profile: Profile, variant: Variant): OAuth => {
  const { basePaths, operations, scopes, secondVariant } = profile
  const own = variant === 'second' ? secondVariant?.oauth : undefined
  return {
    scope: own?.scope ?? scopes.accounts,
    hasConsent: own?.consent ?? true,
    basePaths: own?.basePaths ?? basePaths,
    authorize: own?.authorize?.path ?? operations.authorize.path,
    token: own?.token?.path ?? operations.token.path,
  }
}
