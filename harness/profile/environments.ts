import { oauthOf } from './oauth.ts'
import { testHookKey, testHooksIn } from './test-hooks.ts'
import { readingsOf, hostOf, type Segments } from './path-interpretations.ts'
import type { Profile } from './schema.ts'

/** The environments of a target, and the paths that belong to each (interface, Versioning, 2). */

export type Environment = Profile['environment']

export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[]

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** Fields of a request that a server or a gateway may prefer to the address that it is sent to. */
const ADDRESSING = /^(host|x-original-url|x-rewrite-url|x-original-host)$/i

export const isAddressing = (header: string): boolean => ADDRESSING.test(header)

/** The environments in which the credentials and customers of the profile are valid. */
export const heldEnvironments = ({ environment, environments }: Profile): readonly Environment[] =>
  environments ?? [environment]

/** A part of a target that belongs to one environment, by the profile or by the interface. */
interface Claim {
  readonly environment: Environment
  /** The keys of the profile that define it; empty if the interface does. */
  readonly keys: readonly string[]
  /** The path. */
  readonly value: string
  readonly segments: Segments
  /** A base path includes everything below it; without one, only the known operations belong to the API. */
  readonly isBase: boolean
}

/** An operation of the profile by its key. */
interface Named {
  readonly key: string
  readonly path: string
}

/** One API of the target, in one environment. */
interface Api {
  readonly environment: Environment
  /** The key of its base path. */
  readonly key: string
  readonly base: string
  readonly operations: readonly Named[]
}

const operationsIn = (part: object, key: string): readonly Named[] =>
  Object.entries(part).flatMap(([name, operation]: [string, unknown]) =>
    typeof operation === 'object' &&
    operation !== null &&
    'path' in operation &&
    typeof operation.path === 'string'
      ? [{ key: `${key}.${name}.path`, path: operation.path }]
      : [],
  )

const apisOf = (profile: Profile): readonly Api[] => {
  const { basePaths, operations, secondVariant, payments, loans } = profile
  const ofSecond = oauthOf(profile, 'second')
  const inEach = (
    key: string,
    bases: Readonly<Record<Environment, string>>,
    known: readonly Named[],
  ): readonly Api[] =>
    ENVIRONMENTS.map((environment) => ({
      environment,
      key: `${key}.${environment}`,
      base: bases[environment],
      operations: known,
    }))
  return [
    ...inEach('basePaths', basePaths, operationsIn(operations, 'operations')),
    ...(secondVariant
      ? inEach(
          'secondVariant.basePaths',
          secondVariant.basePaths,
          operationsIn(secondVariant, 'secondVariant'),
        )
      : []),
    ...(secondVariant?.oauth
      ? inEach(
          secondVariant.oauth.basePaths === undefined ? 'basePaths' : 'secondVariant.oauth.basePaths',
          ofSecond.basePaths,
          operationsIn(
            { authorize: { path: ofSecond.authorize }, token: { path: ofSecond.token } },
            'secondVariant.oauth',
          ),
        )
      : []),
    ...(payments
      ? [
          ...inEach('payments.basePaths', payments.basePaths, [
            ...operationsIn(payments.initiations, 'payments.initiations'),
            ...operationsIn({ status: payments.status, submission: payments.submission }, 'payments'),
          ]),
          ...inEach(
            'payments.oauthBasePaths',
            payments.oauthBasePaths,
            operationsIn({ token: payments.token, authorize: payments.authorize }, 'payments'),
          ),
        ]
      : []),
    // The loan API has no production.
    ...(loans
      ? [
          {
            environment: 'sandbox' as const,
            key: 'loans.basePath',
            base: loans.basePath,
            operations: operationsIn(loans, 'loans'),
          },
        ]
      : []),
  ]
}

/** Replaces any id in a path: a segment of an address cannot contain a slash. */
const ANYTHING = '/'

/** The first interpretation is the literal one. */
const segmentsOf = (path: string): Segments => readingsOf(path)?.[0] ?? []

/** Up to the first id: `/payments/{orderId}/status` includes all payments. */
const operationSegments = (path: string): Segments => {
  const known = segmentsOf(path.replace(/\/[^/]*\{.*$/s, ''))
  return known.length > 0
    ? known
    : path
        .split('/')
        .slice(1)
        .map((segment) => (segment.includes('{') ? ANYTHING : segment.toLowerCase()))
}

const claimsOfApi = ({ environment, key, base, operations }: Api): readonly Claim[] => {
  const segments = segmentsOf(base)
  if (segments.length > 0) return [{ environment, keys: [key], value: base, segments, isBase: true }]
  return operations.map((operation) => ({
    environment,
    keys: [key, operation.key],
    value: operation.path,
    isBase: false,
    segments: operationSegments(operation.path),
  }))
}

/** This base path always belongs to production, by the interface (Versioning, 2). */
const GIVEN: Claim = {
  environment: 'production',
  keys: [],
  value: '/premium/production',
  segments: ['premium', 'production'],
  isBase: true,
}

const known = new WeakMap<Profile, readonly Claim[]>()

/** The longest path has precedence; of two equal ones, that of production. */
const claimsOf = (profile: Profile): readonly Claim[] => {
  const found =
    known.get(profile) ??
    credible(profile, [...apisOf(profile).flatMap(claimsOfApi), GIVEN]).sort(
      (a, b) =>
        b.segments.length - a.segments.length ||
        Number(b.environment === 'production') - Number(a.environment === 'production'),
    )
  known.set(profile, found)
  return found
}

const isBelow = (segments: Segments, { segments: claimed }: Pick<Claim, 'segments'>): boolean =>
  claimed.length <= segments.length &&
  claimed.every((segment, at) => segment === ANYTHING || segment === segments[at])

/** A sandbox path below production counts only if the profile also lists it in `sandboxesBelowProduction`. */
const credible = (profile: Profile, claims: readonly Claim[]): Claim[] => {
  const productions = claims.filter(({ environment }) => environment === 'production')
  const stated = new Set(profile.sandboxesBelowProduction.map((path) => segmentsOf(path).join('/')))
  return claims.filter(
    ({ environment, segments }) =>
      environment === 'production' ||
      stated.has(segments.join('/')) ||
      !productions.some((production) => isBelow(segments, production)),
  )
}

/** The environment of an address. */
export interface Place {
  readonly environment: Environment
  /** The reason, for messages; undefined if the interpretation of the address is ambiguous. */
  readonly claim?: Claim
  /** Below an operation without a base path: the bank may have pages of all environments there. */
  readonly isShared?: true
}

const placeOf = (claim: Claim, segments: Segments): Place => ({
  environment: claim.environment,
  claim,
  ...(!claim.isBase && segments.length > claim.segments.length && { isShared: true }),
})

/** Production has precedence, and among its places the certain one. */
const worst = (places: readonly Place[]): Place | undefined =>
  places.find(({ environment, isShared }) => environment === 'production' && isShared !== true) ??
  places.find(({ environment }) => environment === 'production') ??
  places[0]

/**
 * The environment of an address: production, if any server could interpret it as an address of production. Undefined if
 * it belongs to none, such as a page of the bank outside of every base path.
 *
 * On the host of the base URL, base paths count below the base URL and from the root of the host, for every port. On
 * the other hosts of the profile only base paths count: operations without one have the same path everywhere.
 * @param baseUrl what interface.md writes {base_url}.
 */
export const placesBelow = (profile: Profile, baseUrl: string): ((url: string) => Place | undefined) => {
  const claims = claimsOf(profile)
  const base = new URL(baseUrl)
  const root = segmentsOf(base.pathname)
  return (url) => {
    const address = new URL(url)
    const readings = readingsOf(address.pathname)
    if (readings === undefined) return { environment: 'production' }
    const isOwnHost = hostOf(address) === hostOf(base)
    const candidates = readings.flatMap((whole) => {
      const below = isBelow(whole, { segments: root }) ? [whole.slice(root.length)] : []
      return [
        ...below.map((segments) => ({ segments, hasOperations: isOwnHost, isRooted: true })),
        { segments: whole, hasOperations: false, isRooted: root.length === 0 },
      ]
    })
    return worst(
      candidates.flatMap(({ segments, hasOperations, isRooted }) => {
        const claim = claims.find(
          (one) =>
            isBelow(segments, one) &&
            (one.isBase ? isRooted || one.environment === 'production' : hasOperations),
        )
        return claim === undefined ? [] : [placeOf(claim, segments)]
      }),
    )
  }
}

/** The addresses of requests for the sandbox. */
interface SandboxAddress {
  readonly keys: readonly string[]
  /** For messages: without the query, which may contain a key. */
  readonly value: string
  readonly url: string
}

const filled = (template: string): string => template.replaceAll(/\{[\w-]+\}/g, 'id')

const sandboxAddresses = (profile: Profile, baseUrl: string): readonly SandboxAddress[] =>
  apisOf(profile)
    .filter(({ environment }) => environment === 'sandbox')
    .flatMap(({ key, base, operations }) => [
      ...(base === '' ? [] : [{ keys: [key], value: base, url: baseUrl + base }]),
      ...operations.map((operation) => ({
        keys: [key, operation.key],
        value: base + operation.path,
        url: baseUrl + filled(base + operation.path),
      })),
    ])

/** Test hooks of a run that judges the sandbox; those at another host do not belong to production. */
const testHookAddresses = (profile: Profile, baseUrl: string): readonly SandboxAddress[] =>
  profile.environment === 'production'
    ? []
    : (['sandbox', 'loans'] as const).flatMap((place) =>
        Object.entries(testHooksIn(profile, place)).flatMap(([name, hook]) => {
          const written = filled(hook?.url ?? '')
          if (hook === undefined || !URL.canParse(written, `${baseUrl}/`)) return []
          const url = new URL(written, `${baseUrl}/`)
          if (hostOf(url) !== hostOf(new URL(baseUrl))) return []
          const key = `${testHookKey(profile, name as keyof Profile['testHooks'], place)}.url`
          return [{ keys: [key], value: url.pathname, url: url.href }]
        }),
      )

const quoted = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(' with ')

const describeConfusion = ({ keys, value }: SandboxAddress, { claim }: Place): string => {
  if (claim === undefined)
    return `${quoted(keys)}: ${value} has too many levels of percent-encoding; write it without escapes`
  const owner = claim.keys.length === 0 ? 'the interface, Versioning, 2' : quoted(claim.keys)
  const isEqual = segmentsOf(value).length === claim.segments.length
  return [
    `${quoted(keys)}: the sandbox address ${value} ${isEqual ? 'is' : 'lies below'} the production address ${claim.value} (${owner}),`,
    'so that a run of the sandbox could act in production; give the sandbox an address of its own',
    ...(isEqual || !claim.isBase
      ? []
      : ['(where the bank does have its sandbox there, add that base path to `sandboxesBelowProduction`)']),
  ].join(' ')
}

/**
 * The addresses of the sandbox that are, or may be, addresses of production: a sentence for each key. Nothing may be sent
 * with such a profile, since one wrong key would send the payments of the sandbox to production.
 */
export const ambiguousAddresses = (profile: Profile, baseUrl: string): readonly string[] => {
  const placeAt = placesBelow(profile, baseUrl)
  const sentences = new Map<string | undefined, string>()
  for (const address of [...sandboxAddresses(profile, baseUrl), ...testHookAddresses(profile, baseUrl)]) {
    const place = placeAt(address.url)
    const [key] = address.keys
    if (place?.environment === 'production' && !sentences.has(key))
      sentences.set(key, describeConfusion(address, place))
  }
  return [...sentences.values()]
}
