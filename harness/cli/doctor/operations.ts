import { applicationsIn } from '../../profile/applications.ts'
import { isDeepStrictEqual } from 'node:util'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { partsOf } from '../../profile/mismatch/paths.ts'
import { heldEnvironments, otherThan } from '../../profile/environments.ts'
import { profileJsonSchema, valueAt, type SchemaNode } from '../../profile/json-schema.ts'
import type { Examination, ExaminedTarget } from '../../connection/first-contact/examination.ts'
import { findingOf, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import { judgeBasePath } from '../../connection/first-contact/first-contact.ts'
import { findRoute } from '../../connection/first-contact/route.ts'
import { createTestHookClock, createTestHooks } from '../../connection/test-hooks.ts'
import { testHookKey, testHooksIn } from '../../profile/test-hooks.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Place } from '../../profile/schema/places.ts'
import type { TestHookRequest } from '../../profile/schema/test-hooks.ts'
import type { Http } from '../../session/http/http.ts'

/** Examines whether the interface answers at every base path of the profile; the first contact tries one of them. */

interface BasePath {
  readonly path: string
  /** The key in the profile. */
  readonly key: string
  /** Whether it belongs to the environment that is not judged. */
  readonly isOtherEnvironment?: boolean
}

/** An id in paths that does not exist. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const withUnknownId = (path: string): string => path.replaceAll(/\{[\w-]+\}/g, UNKNOWN_ID)

const basePathsOf = (profile: Profile): readonly BasePath[] => {
  const { environment, basePaths, operations, secondVariant, payments, loans, allow } = profile
  const other = otherThan(environment)
  const found: BasePath[] = []
  if (allow[other].includes('read'))
    found.push({
      path: basePaths[other] + operations.listAccounts.path,
      key: `basePaths.${other}`,
      isOtherEnvironment: true,
    })
  if (secondVariant !== undefined)
    found.push({
      path: secondVariant.basePaths[environment] + secondVariant.listAccounts.path,
      key: `secondVariant.basePaths.${environment}`,
    })
  if (payments !== undefined)
    found.push({
      path: payments.basePaths[environment] + withUnknownId(payments.status.path),
      key: `payments.basePaths.${environment}`,
    })
  if (loans !== undefined)
    found.push({ path: loans.basePath + withUnknownId(loans.status.path), key: 'loans.basePath' })
  return found
}

export const examineBasePaths = ({ target }: Examination, http: Http): Promise<Findings> =>
  Promise.all(
    basePathsOf(target.profile).map(async (basePath) => {
      const url = target.baseUrl + basePath.path
      const exchange = await http.send({
        operation: 'probe',
        sender: 'probe',
        method: 'GET',
        url,
        headers: [],
        ...(basePath.isOtherEnvironment === true && {
          environment: otherThan(target.profile.environment),
        }),
      })
      const finding = withoutSignature(judge(basePath, exchange), basePath, target.profile)
      return basePath.isOtherEnvironment === true ? ofOtherEnvironment(finding, target.profile) : finding
    }),
  )

const judge = ({ path, key }: BasePath, exchange: Exchange): Finding => {
  const { request, response } = exchange
  // A gateway answers 404 in its own form for an unknown path; an interface that answers 404 in JSON knows the path.
  const isUnknownId =
    path.includes(UNKNOWN_ID) &&
    response?.status === 404 &&
    /\bjson\b/i.test(headerOf(response.headers, 'content-type') ?? '')
  return isUnknownId
    ? findingOf('TGT-PATH-1', {
        cause: `GET ${request.url} (${key}) answers 404, in JSON: there is no account with this id.`,
      })
    : judgeBasePath(exchange, key)
}

/** This request has no credentials, and a bank that checks signatures first may answer it otherwise than a signed one. */
const withoutSignature = (finding: Finding, { key }: BasePath, { payments }: Profile): Finding =>
  key.startsWith('payments.') && payments?.signature !== undefined
    ? {
        ...finding,
        cause: `${finding.cause} It was sent without credentials, and not signed by \`payments.signature\`: --day sends signed requests.`,
      }
    : finding

/** The other environment is optional, unless the profile says that its credentials are valid there. */
const ofOtherEnvironment = (finding: Finding, profile: Profile): Finding => {
  if (finding.level === 'ok' || finding.level === 'notice') return finding
  const isExpected = heldEnvironments(profile).includes(otherThan(profile.environment))
  const { cause } = finding
  return findingOf('TGT-PATH-5', isExpected ? { cause, level: 'warning' } : { cause })
}

/** Lists the bindings that are guesses: defaults that were observed at another service, not at this target. */

/** The parts of a profile with bindings that the interface does not define. */
const PARTS = [
  'basePaths',
  'scopes',
  'authorization',
  'operations',
  'secondVariant',
  'payments',
  'loans',
] as const

/** Where a guess can be verified. The last matching prefix counts, so longer prefixes come later. */
const SEEN_IN: readonly (readonly [prefix: string, place: string])[] = [
  ['basePaths', 'an answer other than 404'],
  ['scopes', 'the authorize page'],
  ['authorization', 'the pages of a login'],
  ['operations.createConsent', 'the answer to a consent'],
  ['operations.token', 'an answer of the token endpoint'],
  ['operations.authorize', 'the authorize page'],
  ['operations.listAccounts', 'a list of accounts'],
  ['operations.readAccount', 'the detail of an account'],
  ['operations.listTransactions', 'a page of transactions'],
  ['operations.refresh', 'the answer to a refresh'],
  ['secondVariant', 'the answers of the second variant'],
  ['payments', 'the answers of the payment API'],
  ['loans', 'the answers of the loan API'],
]

/** Keys that configure a run, not the target. */
const OF_THE_RUN =
  /^(authorization\.(kind|limit)|payments\.(amount|currency|facts|provocations|rejectedAtSubmission)|loans\.(timing|scenario\.limit))/

/** Values that the interface defines, in addition to paths and base paths. */
const DOCUMENTED: Readonly<Record<string, unknown>> = {
  'scopes.accounts': 'PREMIUM_AIS',
  'operations.createConsent.requestIdHeader': 'X-Request-ID',
}

interface Guess {
  readonly key: string
  readonly value: unknown
}

/** The keys of paths and base paths whose values the interface defines (Endpoints). */
const documentedPaths = (profile: Profile): ReadonlySet<string> =>
  new Set(
    partsOf(profile).flatMap(({ key, path, documented, bases }) => [
      ...(path === documented ? [`${key}.path`] : []),
      ...bases.filter((base) => base.path === base.documented).map((base) => base.key),
    ]),
  )

/** The alternative of a `oneOf` whose constants match the value. */
const alternativeFor = (node: SchemaNode, value: unknown): SchemaNode =>
  node.oneOf?.find((option) =>
    Object.entries(option.properties ?? {}).every(
      ([key, { const: constant }]) => constant === undefined || constant === valueAt(value, [key]),
    ),
  ) ?? node

/** Keys that are not used where the profile says that the target has another way. */
const unusedIn = ({ payments, loans, applications }: Profile): readonly string[] => [
  ...(applications.some(({ redirectUris }) =>
    redirectUris.some(({ delivery }) => delivery === 'result-screen'),
  )
    ? []
    : ['authorization.code']),
  ...(loans?.scenario.kind === 'call' && loans.scenario.link !== undefined ? ['loans.scenario.path'] : []),
  ...(loans?.scenario.kind === 'call' && loans.scenario.methodIn !== undefined
    ? ['loans.scenario.method']
    : []),
  ...(payments?.authentication === 'bearer' ? [] : ['payments.token.']),
  ...(payments?.approval === undefined ? [] : ['payments.authorize.', 'payments.submission.token']),
  ...(payments?.authentication !== 'bearer' && payments?.approval !== undefined
    ? ['payments.oauthBasePaths.']
    : []),
]

const guessesOf = ({ profile, written }: ExaminedTarget): readonly Guess[] => {
  const paths = documentedPaths(profile)
  const unused = unusedIn(profile)
  const isGuess = (node: SchemaNode, path: readonly string[], key: string, value: unknown): boolean => {
    if (node.default === undefined || OF_THE_RUN.test(key) || paths.has(key)) return false
    if (unused.some((prefix) => key.startsWith(prefix))) return false
    if (Object.hasOwn(DOCUMENTED, key) && isDeepStrictEqual(value, DOCUMENTED[key])) return false
    // A default that is written in the profile counts as verified.
    return written === undefined
      ? isDeepStrictEqual(value, node.default)
      : valueAt(written, path) === undefined
  }
  const guessesBelow = (node: SchemaNode, path: readonly string[]): readonly Guess[] => {
    const value = valueAt(profile, path)
    if (value === undefined) return []
    const { properties } = alternativeFor(node, value)
    if (properties !== undefined)
      return Object.entries(properties).flatMap(([key, inner]) => guessesBelow(inner, [...path, key]))
    const key = path.join('.')
    return isGuess(node, path, key, value) ? [{ key, value }] : []
  }
  const { properties = {} } = profileJsonSchema()
  return PARTS.flatMap((part) => guessesBelow(properties[part] ?? {}, [part]))
}

const placeOf = ({ key }: Guess): string =>
  SEEN_IN.findLast(([prefix]) => key.startsWith(prefix))?.[1] ?? 'its documentation'

/** One finding, with a line for each place in which guesses can be checked. */
export const examineBindings = ({ target }: Pick<Examination, 'target'>): Findings => {
  const guesses = guessesOf(target)
  if (guesses.length === 0) return []
  const shows = [...new Set(guesses.map(placeOf))].map((place) => {
    const seenThere = guesses.filter((guess) => placeOf(guess) === place)
    return `${place}: ${seenThere.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`).join(', ')}`
  })
  const subject = guesses.length === 1 ? 'One key is' : `${guesses.length} keys are`
  const cause = `${subject} not in the profile; what is used is the form of another service. By the place where it can be seen:`
  return [findingOf('CFG-BIND-1', { cause, shows })]
}

const PERSONAL_DATA: Readonly<Record<Profile['personalData'], string>> = {
  pseudonyms:
    'Names, account numbers and texts of customers become pseudonyms in everything that a run writes.',
  kept: 'Names, account numbers and texts of customers are written as the target sends them.',
}

/** Announces what a run writes of customers. */
export const announcePersonalData = ({ personalData }: Profile): Findings => [
  findingOf('CFG-DATA-1', { cause: `${PERSONAL_DATA[personalData]} The key is \`personalData\`.` }),
]

/** Examines whether the test hooks of the profile can be called. It calls only those that read. */

interface BoundHook {
  /** The key in the profile. */
  readonly key: string
  readonly origin: string
}

/** Those of the environment that is judged, and the clock of the loan sandbox. */
const hooksOf = (profile: Profile): readonly (readonly [key: string, hook: TestHookRequest])[] => {
  const ofLoans = Object.entries(testHooksIn(profile, 'loans')).filter(([name]) => name.endsWith('Clock'))
  const inOne = (hooks: Profile['testHooks'], place: Place) =>
    Object.entries(hooks).flatMap(([name, hook]) =>
      hook === undefined
        ? []
        : [[testHookKey(profile, name as keyof Profile['testHooks'], place), hook] as const],
    )
  return [
    ...new Map([
      ...inOne(testHooksIn(profile), profile.environment),
      ...(profile.loans === undefined ? [] : inOne(Object.fromEntries(ofLoans), 'loans')),
    ]),
  ]
}

const boundHooks = (profile: Profile, baseUrl: string): readonly BoundHook[] =>
  hooksOf(profile).flatMap(([key, testHook]) => {
    // Braces of a placeholder are not allowed in some parts of a URL.
    const address = testHook.url.replaceAll(/[{}]/g, '')
    return URL.canParse(address, `${baseUrl}/`)
      ? [{ key, origin: new URL(address, `${baseUrl}/`).origin }]
      : []
  })

export const examineTestHooks = async (examination: Examination, http: Http): Promise<Findings> => {
  const { target } = examination
  const { profile, baseUrl } = target
  const hooks = boundHooks(profile, baseUrl)
  const forbidden = hooks.filter(({ origin }) => !http.origins.includes(origin))
  const allowed = hooks.filter((hook) => !forbidden.includes(hook))
  const otherOrigins = new Set(allowed.map(({ origin }) => origin))
  otherOrigins.delete(new URL(baseUrl).origin)
  const routes = await Promise.all(
    [...otherOrigins].map((origin) => examineOrigin(examination, origin, allowed)),
  )
  const canRead = (name: 'readClock' | 'readWebhook', place: Place = profile.environment): boolean =>
    testHooksIn(profile, place)[name]?.method === 'GET' &&
    !forbidden.some(({ key }) => key === testHookKey(profile, name, place))
  const loansHaveOwnClock =
    profile.loans !== undefined &&
    !isDeepStrictEqual(testHooksIn(profile, 'loans').readClock, testHooksIn(profile).readClock)
  return [
    ...forbidden.map(({ key, origin }) =>
      findingOf('CFG-TEST-HOOK-1', { cause: `\`${key}\` is at ${origin}.` }),
    ),
    ...routes.flat(),
    ...(canRead('readClock') ? [await examineClock(target, http, profile.environment)] : []),
    ...(loansHaveOwnClock && canRead('readClock', 'loans')
      ? [await examineClock(target, http, 'loans')]
      : []),
    ...(canRead('readWebhook') ? [await examineWebhookSettings(target, http)] : []),
  ]
}

const examineOrigin = async (
  examination: Examination,
  origin: string,
  hooks: readonly BoundHook[],
): Promise<Findings> => {
  const { findings } = await findRoute(examination, origin)
  const error = findings.find(({ level }) => level === 'error')
  if (error === undefined) return []
  const keys = hooks.filter((hook) => hook.origin === origin).map(({ key }) => `\`${key}\``)
  return [findingOf('NET-TEST-HOOK-1', { cause: `${keys.join(', ')} at ${origin}: ${error.cause}` })]
}

/** The result of a test hook, or a finding with the reason why it failed. */
const callHook = async (
  call: () => Promise<Finding>,
  failure: 'TGT-TEST-HOOK-2' | 'TGT-TEST-HOOK-4',
): Promise<Finding> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'HeldBack') throw error
    return findingOf(failure, { cause: `${error.message}.` })
  }
}

const examineClock = ({ baseUrl, profile }: ExaminedTarget, http: Http, place: Place): Promise<Finding> =>
  callHook(async () => {
    const clock = await createTestHookClock(http, baseUrl, profile, place)
    const whose = place === 'loans' ? 'The clock of the loan sandbox' : "The target's clock"
    return findingOf('TGT-TEST-HOOK-1', { cause: `${whose} shows ${clock.now().toISOString()}.` })
  }, 'TGT-TEST-HOOK-2')

const examineWebhookSettings = ({ baseUrl, profile }: ExaminedTarget, http: Http): Promise<Finding> =>
  callHook(async () => {
    const testHooks = createTestHooks(http, baseUrl, profile)
    const found = await Promise.all(
      applicationsIn(profile).map(({ clientId }) => testHooks.readWebhook(clientId)),
    )
    const set = found.filter((settings) => settings !== undefined).length
    const cause = `Of ${found.length} applications, ${set} have such settings.`
    return findingOf('TGT-TEST-HOOK-3', { cause })
  }, 'TGT-TEST-HOOK-4')
