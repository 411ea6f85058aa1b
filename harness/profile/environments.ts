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

const known = new WeakMap<Profile, readonly Territory[]>()

const territoriesOf = (profile: Profile): readonly Territory[] => {
  const found = known.get(profile) ?? [
    ...ENVIRONMENTS.flatMap((environment) => territoriesIn(profile, environment)),
    ...loanTerritories(profile),
  ]
  known.set(profile, found)
  return found
}

/** The path of an address below the base URL; undefined for another origin, or outside of it. */
const pathBelow = (baseUrl: string, url: string): string | undefined => {
  const [base, address] = [new URL(baseUrl), new URL(url)]
  const root = base.pathname.replace(/\/+$/, '')
  return address.origin === base.origin && address.pathname.startsWith(`${root}/`)
    ? address.pathname.slice(root.length)
    : undefined
}

/**
 * The environment that an address belongs to, by its base path; undefined where it tells none: a page of the bank
 * outside of every base path, or one that both environments share.
 * @param baseUrl what interface.md writes {base_url}.
 */
export const environmentOf = (profile: Profile, baseUrl: string, url: string): Environment | undefined => {
  const path = pathBelow(baseUrl, url)
  if (path === undefined) return undefined
  const claims = territoriesOf(profile).filter(({ prefix }) => path.startsWith(prefix))
  const longest = Math.max(...claims.map(({ prefix }) => prefix.length))
  const [first, ...others] = new Set(
    claims.filter(({ prefix }) => prefix.length === longest).map(({ environment }) => environment),
  )
  return others.length === 0 ? first : undefined
}
