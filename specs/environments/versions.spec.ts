import { asCalculation, check, isRefusedBetween, note, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Exchange, LoanWords, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { Change } from '../../harness/session/index.ts'
import { moved } from './crossings.ts'
import { ENV } from './requirements.ts'

/** Before every version that there can be, and behind every one that anybody has announced. */
const UNKNOWN = ['v0', 'v999'] as const

const SEGMENT = /\/v\d+(?=\/)/

/** Another version in the place of the one that a path names. @throws NotReached where it names none. */
const inVersion = (path: string, version: string): Change => {
  if (!SEGMENT.test(path)) throw new NotReached(`the profile has no version in the path ${path}`)
  return moved(path, path.replace(SEGMENT, `/${version}`))
}

/** The version behind the one that a path names. */
const next = (path: string): string => `v${Number(/\/v(\d+)\//.exec(path)?.[1] ?? 0) + 1}`

/** The same request in versions that do not exist, between two in the one that does. */
const inUnknownVersions = async (path: string, ask: (change?: Change) => Promise<Exchange>) => {
  const before = await ask()
  const changed: Exchange[] = []
  for (const version of UNKNOWN) changed.push(await ask(inVersion(path, version)))
  return { before, changed, after: await ask() }
}

const BECAUSE = 'the path names a version that does not exist'

const lists = scenario(
  'the list of accounts in other versions',
  { effect: 'read', as: 'any', needs: ['access'] },
  async (session) => {
    const { accessToken } = await session.access()
    const { path } = session.profile.operations.listAccounts
    const ask = (made?: Change) => session.app.listAccounts(accessToken, made)
    const attempts = await inUnknownVersions(path, ask)
    return {
      attempts,
      next: { version: next(path), answer: await ask(inVersion(path, next(path))) },
      withQuery: await ask(change.query('conformance-probe', '1')),
      withHeader: await ask(change.header('X-Conformance-Probe', '1')),
    }
  },
)

check(ENV.unknownVersionOfAccountsIsRefused, lists, ({ attempts }) => isRefusedBetween(attempts, BECAUSE))

const secondLists = scenario(
  'the list of the second variant in other versions',
  { effect: 'read', as: 'any', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access()
    const { path = '' } = session.profile.secondVariant?.listAccounts ?? {}
    return inUnknownVersions(path, (made) => session.app.accounts('second').list(accessToken, made))
  },
)

check(ENV.unknownVersionOfTheSecondVariantIsRefused, secondLists, (attempts) =>
  isRefusedBetween(attempts, BECAUSE),
)

const exchanges = scenario(
  'the code exchange in other versions',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer'] },
  async ({ app, profile }) => {
    const { path } = profile.operations.token
    const before = await app.exchangeFreshCode()
    const grant = await app.grant()
    const changed: Exchange[] = []
    for (const version of UNKNOWN) changed.push(await app.exchangeCode(grant, inVersion(path, version)))
    const answer = await app.exchangeCode(grant, inVersion(path, next(path)))
    return { before, changed, after: await app.exchangeFreshCode(), next: { version: next(path), answer } }
  },
)

check(ENV.unknownVersionOfOauthIsRefused, exchanges, (attempts) => isRefusedBetween(attempts, BECAUSE))

const calculations = scenario(
  'a precalculation in other versions',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const loans = await session.loans()
    const { path } = loans.profile.precalculation
    const attempts = await inUnknownVersions(path, (made) => loans.precalculate({ amount: 250 }, made))
    return { attempts, words: loans.profile }
  },
)

/** A redirect to another version is no result of any kind, and so none that was answered here. */
const asAnswer = (answer: ObservedExchange, words: LoanWords) => {
  const told = asCalculation(answer, words)
  const isRedirect = /^3/.test(String(answer.status.value))
  return {
    accepted: told.accepted,
    isRefused: (because: string): void => (isRedirect ? undefined : told.isRefused(because)),
  }
}

check(ENV.unknownVersionOfLoansIsRefused, calculations, ({ attempts, words }) =>
  isRefusedBetween(
    {
      before: asCalculation(attempts.before, words),
      changed: attempts.changed.map((answer) => asAnswer(answer, words)),
      after: asCalculation(attempts.after, words),
    },
    BECAUSE,
  ),
)

/** Headers that tell of the life of a version, or of limits to the rate; no standard of the interface knows them. */
const OF_DEPRECATION = ['Deprecation', 'Sunset', 'Warning', 'API-Version']
const OF_RATES = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'Retry-After',
]

const headersOf = (answer: ObservedExchange, names: readonly string[]): string => {
  const found = names.flatMap((name) => {
    const { value } = answer.header(name)
    return typeof value === 'string' ? [`${name}: ${value}`] : []
  })
  return found.length === 0 ? 'no header tells of it' : found.join(', ')
}

const endOf = (answer: ObservedExchange): string =>
  `${answer.accepted ? 'answered' : 'refused'} with ${String(answer.status.value)}`

type Lists = Observed<Awaited<ReturnType<typeof lists.act>>>

note(
  ENV.rulesForNewVersions,
  lists,
  ({ next: { version, answer } }: Lists) => `accounts in ${version}: ${endOf(answer)}`,
)
note(
  ENV.rulesForNewVersions,
  exchanges,
  ({ next: { version, answer } }) => `the token endpoint in ${version}: ${endOf(answer)}`,
)
note(ENV.rulesForDeprecation, lists, ({ attempts }) => headersOf(attempts.before, OF_DEPRECATION))
note(
  ENV.rulesForCompatibility,
  lists,
  ({ withQuery, withHeader }) =>
    `an unknown parameter of the query: ${endOf(withQuery)}; an unknown header: ${endOf(withHeader)}`,
)
note(ENV.rateLimits, lists, ({ attempts }) => headersOf(attempts.after, OF_RATES))
