import type { Profile } from './schema.ts'

/** The environments of a target, and whose path is whose (interface, Versioning, 2). */

export type Environment = Profile['environment']

export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[]

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** Where the credentials and customers of the profile hold. */
export const heldEnvironments = ({ environment, environments }: Profile): readonly Environment[] =>
  environments ?? [environment]

interface Territory {
  readonly environment: Environment
  readonly prefix: string
}

/** A base path claims all that is below it; no base path claims the known paths alone, or it would claim everything. */
const territories = (
  environment: Environment,
  base: string,
  paths: readonly string[],
): readonly Territory[] =>
  base === ''
    ? paths.map((path) => ({ environment, prefix: path.replace(/\{.*$/s, '') }))
    : [{ environment, prefix: `${base}/` }]

const pathsOf = (operations: object): readonly string[] =>
  Object.values(operations).flatMap((operation: unknown) =>
    typeof operation === 'object' && operation !== null && 'path' in operation
      ? [String(operation.path)]
      : [],
  )

const territoriesIn = (profile: Profile, environment: Environment): readonly Territory[] => {
  const { basePaths, operations, secondVariant, payments } = profile
  const claim = (base: string, paths: readonly string[]): readonly Territory[] =>
    territories(environment, base, paths)
  return [
    ...claim(basePaths[environment], pathsOf(operations)),
    ...(secondVariant ? claim(secondVariant.basePaths[environment], pathsOf(secondVariant)) : []),
    ...(payments
      ? [
          ...claim(payments.basePaths[environment], [
            ...pathsOf(payments.initiations),
            ...pathsOf([payments.status, payments.submission]),
          ]),
          ...claim(payments.oauthBasePaths[environment], pathsOf([payments.token, payments.authorize])),
        ]
      : []),
  ]
}

/** The loan API has a sandbox alone. */
const loanTerritories = ({ loans }: Profile): readonly Territory[] =>
  loans === undefined ? [] : territories('sandbox', loans.basePath, pathsOf(loans))

/** Whose a prefix is: nobody's, where both environments share it. */
interface Claim {
  readonly prefix: string
  readonly environment: Environment | undefined
}

/** The longest prefix comes first: it says more than a shorter one. */
const claimed = (all: readonly Territory[]): readonly Claim[] =>
  [...new Set(all.map(({ prefix }) => prefix))]
    .map((prefix) => {
      const claimants = all.filter((territory) => territory.prefix === prefix)
      const [first, ...others] = new Set(claimants.map(({ environment }) => environment))
      return { prefix, environment: others.length === 0 ? first : undefined }
    })
    .sort((a, b) => b.prefix.length - a.prefix.length)

const known = new WeakMap<Profile, readonly Claim[]>()

const claimsOf = (profile: Profile): readonly Claim[] => {
  const found =
    known.get(profile) ??
    claimed([
      ...ENVIRONMENTS.flatMap((environment) => territoriesIn(profile, environment)),
      ...loanTerritories(profile),
    ])
  known.set(profile, found)
  return found
}

/** Tells the path of an address below the base URL; undefined for another origin, or outside of it. */
const pathsBelow = (baseUrl: string): ((url: string) => string | undefined) => {
  const { origin, pathname } = new URL(baseUrl)
  const root = pathname.replace(/\/+$/, '')
  return (url) => {
    const address = new URL(url)
    return address.origin === origin && address.pathname.startsWith(`${root}/`)
      ? address.pathname.slice(root.length)
      : undefined
  }
}

/**
 * Tells the environment that an address belongs to, by its base path; undefined where it tells none: a page of the bank
 * outside of every base path, or one that both environments share.
 * @param baseUrl what interface.md writes {base_url}.
 */
export const environmentsBelow = (
  profile: Profile,
  baseUrl: string,
): ((url: string) => Environment | undefined) => {
  const pathOf = pathsBelow(baseUrl)
  const claims = claimsOf(profile)
  return (url) => {
    const path = pathOf(url)
    return path === undefined ? undefined : claims.find(({ prefix }) => path.startsWith(prefix))?.environment
  }
}
