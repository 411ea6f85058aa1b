import { oauthOf } from './oauth.ts'
import type { Profile } from './schema.ts'

/**
 * The ways in which a server, or what stands in front of it, may read the path of one address. Two of them need not agree
 * on where a path leads: one decodes `%2F` and the other does not, one drops `;parameters`, one joins double slashes.
 */

/** A path as its segments, folded: servers may ignore case, blanks and dots at the end of a segment. */
type Segments = readonly string[]

/** Nothing is encoded more often in earnest. */
const MOST_DECODINGS = 5

/** Nothing in it that two servers could read differently. */
const PLAIN = /^(\/[a-z0-9_~-]+)*\/?$/

/**
 * Every reading of the path of an address; undefined where it is encoded so often that its readings have no end.
 * @param pathname as the URL class gives it: dot segments that are written out are resolved.
 */
export const readingsOf = (pathname: string): readonly Segments[] | undefined => {
  const text = pathname.toLowerCase()
  if (PLAIN.test(text)) return [text.split('/').filter((segment) => segment !== '')]
  const decodings = decodingsOf(pathname)
  if (decodings === undefined) return undefined
  const readings = decodings
    .flatMap((decoded) => [decoded, withoutParameters(decoded)])
    .map((reading) => reading.normalize('NFKC').toLowerCase().split(/[/\\]/).map(folded))
    .flatMap((segments) => [withoutEmpty(resolved(segments)), withoutEmpty(resolved(withoutEmpty(segments)))])
  return [...new Map(readings.map((segments) => [segments.join('/'), segments])).values()]
}

const decodingsOf = (pathname: string): readonly string[] | undefined => {
  const decodings = [pathname]
  for (let text = decodeOnce(pathname); text !== decodings.at(-1); text = decodeOnce(text)) {
    if (decodings.length > MOST_DECODINGS) return undefined
    decodings.push(text)
  }
  return decodings
}

const ESCAPES = /(?:%[0-9a-f]{2})+/gi
/** Not in any standard; some servers read it. */
const UNICODE_ESCAPE = /%u([0-9a-f]{4})/gi
/** Longer forms than UTF-8 allows: a lenient decoder reads C0 AF as a slash. */
const OVERLONG = /%e0%([89][0-9a-f])%([89ab][0-9a-f])|%(c[01])%([89ab][0-9a-f])/gi

const decodeOnce = (text: string): string =>
  text
    .replaceAll(UNICODE_ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(OVERLONG, decodedOverlong)
    // What is no UTF-8 becomes a character that no claim has, and the rest of the run stays readable.
    .replaceAll(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))

const decodedOverlong = (
  _: string,
  high: string | undefined,
  low: string | undefined,
  first: string | undefined,
  second: string | undefined,
): string => {
  const [lead, last] = [high ?? first ?? '', low ?? second ?? ''].map((digits) => Number.parseInt(digits, 16))
  return String.fromCharCode((((lead ?? 0) & 0x1f) << 6) | ((last ?? 0) & 0x3f))
}

/** `/a;b=c/d` is `/a/d` to a server that knows parameters of segments. */
const withoutParameters = (path: string): string => path.replaceAll(/;[^/\\]*/g, '')

const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200d\ufeff]/g

const folded = (segment: string): string => {
  const visible = segment.replaceAll(IGNORED, '')
  return visible === '.' || visible === '..' ? visible : visible.replace(/\.+$/, '')
}

const resolved = (segments: Segments): Segments => {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  return kept
}

const withoutEmpty = (segments: Segments): Segments => segments.filter((segment) => segment !== '')

/**
 * A host name as it is compared: in lower case, without the dot of the root. All names of this machine are one.
 */
const hostOf = ({ hostname }: URL): string => {
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  return LOOPBACK.test(host) ? 'localhost' : host
}

const LOOPBACK =
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/** The environments of a target, and whose path is whose (interface, Versioning, 2). */

export type Environment = Profile['environment']

export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[]

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** Fields of a request that a server or a gateway may prefer to the address that it is sent to. */
const ADDRESSING = /^(host|x-original-url|x-rewrite-url|x-original-host)$/i

export const isAddressing = (header: string): boolean => ADDRESSING.test(header)

/** Where the credentials and customers of the profile hold. */
export const heldEnvironments = ({ environment, environments }: Profile): readonly Environment[] =>
  environments ?? [environment]

/** A part of a target that belongs to one environment, by what the profile says, or the interface. */
interface Claim {
  readonly environment: Environment
  /** The keys of the profile that claim it; none where the interface does. */
  readonly keys: readonly string[]
  /** What stands there. */
  readonly value: string
  readonly segments: Segments
  /** A base path claims all that lies below it; without one, the known operations are all there is to claim. */
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
      ...{ environment, key: `${key}.${environment}` },
      ...{ base: bases[environment], operations: known },
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

/** Stands for whatever a path names: no segment of an address has a slash. */
const ANYTHING = '/'

/** The first of its readings is the one in which it is written. */
const segmentsOf = (path: string): Segments => readingsOf(path)?.[0] ?? []

/** Up to what it names: `/payments/{orderId}/status` claims all payments. */
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
    ...{ environment, keys: [key, operation.key], value: operation.path, isBase: false },
    segments: operationSegments(operation.path),
  }))
}

/** Whatever a profile says, the interface gives this base path to production (Versioning, 2). */
const GIVEN: Claim = {
  environment: 'production',
  keys: [],
  value: '/premium/production',
  segments: ['premium', 'production'],
  isBase: true,
}

const known = new WeakMap<Profile, readonly Claim[]>()

/** The longest claim comes first, since it says more than a shorter one; of two that are equal, production's. */
const claimsOf = (profile: Profile): readonly Claim[] => {
  const found =
    known.get(profile) ??
    believed(profile, [...apisOf(profile).flatMap(claimsOfApi), GIVEN]).sort(
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

/** What a profile calls the sandbox does not vouch for itself below production, unless the profile says so twice. */
const believed = (profile: Profile, claims: readonly Claim[]): Claim[] => {
  const productions = claims.filter(({ environment }) => environment === 'production')
  const stated = new Set(profile.sandboxesBelowProduction.map((path) => segmentsOf(path).join('/')))
  return claims.filter(
    ({ environment, segments }) =>
      environment === 'production' ||
      stated.has(segments.join('/')) ||
      !productions.some((production) => isBelow(segments, production)),
  )
}

/** Whose an address is. */
export interface Place {
  readonly environment: Environment
  /** What claims it, for a person who reads it; nothing where nobody can say where the address leads. */
  readonly claim?: Claim
  /** Below an operation that has no base path: the bank may have pages there that all environments share. */
  readonly isShared?: true
}

const placeOf = (claim: Claim, segments: Segments): Place => ({
  ...{ environment: claim.environment, claim },
  ...(!claim.isBase && segments.length > claim.segments.length && { isShared: true }),
})

/** Production first, and of its places the certain one. */
const worst = (places: readonly Place[]): Place | undefined =>
  places.find(({ environment, isShared }) => environment === 'production' && isShared !== true) ??
  places.find(({ environment }) => environment === 'production') ??
  places[0]

/**
 * Tells whose an address is: production's, if any server could read it as an address of production. Undefined where
 * nobody claims it, such as a page of the bank outside of every base path.
 *
 * On the host of the base URL base paths hold below the base URL and from the root of the host, whatever the port. On
 * the other hosts of the profile only base paths say something: operations without one are named alike everywhere.
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

/** The environment of an address, where somebody claims it. */
export const environmentsBelow = (
  profile: Profile,
  baseUrl: string,
): ((url: string) => Environment | undefined) => {
  const placeAt = placesBelow(profile, baseUrl)
  return (url) => placeAt(url)?.environment
}

/** Where the profile sends what is meant for the sandbox. */
interface SandboxAddress {
  readonly keys: readonly string[]
  /** As a message shows it: no query, which may carry a key. */
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

/** Test hooks of a run that judges the sandbox; those at another host are no part of production. */
const testHookAddresses = ({ environment, testHooks }: Profile, baseUrl: string): readonly SandboxAddress[] =>
  Object.entries(testHooks).flatMap(([name, hook]) => {
    const written = filled(hook?.url ?? '')
    if (environment === 'production' || hook === undefined || !URL.canParse(written, `${baseUrl}/`)) return []
    const url = new URL(written, `${baseUrl}/`)
    const isOwnHost = hostOf(url) === hostOf(new URL(baseUrl))
    return isOwnHost ? [{ keys: [`testHooks.${name}.url`], value: url.pathname, url: url.href }] : []
  })

const quoted = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(' with ')

const confusion = ({ keys, value }: SandboxAddress, { claim }: Place): string => {
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
 * The addresses of the sandbox that are, or may be, production's as well: a sentence for each key. Nothing may be sent
 * with such a profile, since one wrong key would make the sandbox's payments in production.
 */
export const confusedAddresses = (profile: Profile, baseUrl: string): readonly string[] => {
  const placeAt = placesBelow(profile, baseUrl)
  const sentences = new Map<string | undefined, string>()
  for (const address of [...sandboxAddresses(profile, baseUrl), ...testHookAddresses(profile, baseUrl)]) {
    const place = placeAt(address.url)
    const [key] = address.keys
    if (place?.environment === 'production' && !sentences.has(key))
      sentences.set(key, confusion(address, place))
  }
  return [...sentences.values()]
}
