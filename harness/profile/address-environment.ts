import { addressOf, operationsOf, type Base, type BoundOperation } from './operations.ts'
import { testHookKey, testHooksIn } from './test-hooks.ts'
import { readingsOf, hostOf, type Segments } from './path-interpretations.ts'
import type { Environment } from './environment.ts'
import type { Profile } from './schema.ts'

/** The environment that an address belongs to (interface, Versioning, 2). */

/** Fields of a request that a server or a gateway may prefer to the address that it is sent to. */
const ADDRESSING = /^(host|x-original-url|x-rewrite-url|x-original-host)$/i

export const isAddressing = (header: string): boolean => ADDRESSING.test(header)

/** A part of a target that belongs to one environment, by the profile or by the interface. */
interface Claim {
  readonly environment: Environment
  /** The keys of the profile that define it; empty if the interface does. */
  readonly keys: readonly string[]
  readonly value: string
  readonly segments: Segments
  /** A base path includes everything below it; without one, only the known operations belong to the API. */
  readonly isBase: boolean
}

interface Api {
  readonly base: Base
  readonly operations: readonly BoundOperation[]
}

const apisOf = (profile: Profile): readonly Api[] => {
  const apis = new Map<string, { readonly base: Base; readonly operations: BoundOperation[] }>()
  for (const operation of operationsOf(profile))
    for (const base of operation.bases) {
      const api = apis.get(base.key) ?? { base, operations: [] }
      api.operations.push(operation)
      apis.set(base.key, api)
    }
  return [...apis.values()]
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

const claimsOfApi = ({ base: { environment, key, path }, operations }: Api): readonly Claim[] => {
  const segments = segmentsOf(path)
  if (segments.length > 0) return [{ environment, keys: [key], value: path, segments, isBase: true }]
  return operations.map((operation) => ({
    environment,
    keys: [key, `${operation.key}.path`],
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

/** The base path at which the interface's paths of payments are production, where a profile names none. */
const PAYMENTS = '/api/v1'

/** A profile that gives its sandbox the production of another profile has mixed them up, unless it says so. */
const mistakenPayments = ({ payments, sandboxesBelowProduction }: Profile): readonly string[] => {
  const isUsual = (path = ''): boolean =>
    readingsOf(path)?.some((segments) => segments.join('/') === PAYMENTS.slice(1)) === true
  const { sandbox, production } = payments?.basePaths ?? {}
  if (!isUsual(sandbox) || isUsual(production) || sandboxesBelowProduction.some(isUsual)) return []
  return [
    `\`payments.basePaths.sandbox\`: ${PAYMENTS} is the production address of payments by default (docs/keys.md), so that a run of the sandbox could act in production; where the bank does have its sandbox there, add ${PAYMENTS} to \`sandboxesBelowProduction\``,
  ]
}

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

interface SandboxAddress {
  readonly keys: readonly string[]
  /** For messages: without the query, which may contain a key. */
  readonly value: string
  readonly url: string
}

const filled = (template: string): string => template.replaceAll(/\{[\w-]+\}/g, 'id')

const sandboxAddresses = (profile: Profile, baseUrl: string): readonly SandboxAddress[] =>
  apisOf(profile)
    .filter(({ base }) => base.environment === 'sandbox')
    .flatMap(({ base, operations }) => [
      ...(base.path === '' ? [] : [{ keys: [base.key], value: base.path, url: baseUrl + base.path }]),
      ...operations.map(({ key }) => {
        const value = addressOf(profile, key, 'sandbox')
        return { keys: [base.key, `${key}.path`], value, url: baseUrl + filled(value) }
      }),
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
  return [...sentences.values(), ...mistakenPayments(profile)]
}
