import { asCalculation, check, isRefusedBetween, note, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Exchange, LoanWords, ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import type { Change } from '../../harness/session/index.ts'
import { accountWithTransactions, moved } from './places.ts'
import { ENV } from './requirements.ts'

/** v0 comes before the first version, and v999 was never announced. */
const UNKNOWN = ['v0', 'v999'] as const

const SEGMENT = /\/v\d+(?=\/)/

/** Replaces the version segment of a path. @throws NotReached if the path has none. */
const withSegment = (path: string, segment: string): Change => {
  if (!SEGMENT.test(path)) throw new NotReached(`the profile has no version in the path ${path}`)
  return moved(path, path.replace(SEGMENT, segment))
}

const inVersion = (path: string, version: string): Change => withSegment(path, `/${version}`)
const withoutVersion = (path: string): Change => withSegment(path, '')

/** The version after the one that a path has. */
const next = (path: string): string => `v${Number(/\/v(\d+)\//.exec(path)?.[1] ?? 0) + 1}`

/** The same request in versions that do not exist and without a version, between two in the one that does. */
const inUnknownVersions = async (path: string, ask: (change?: Change) => Promise<Exchange>) => {
  const before = await ask()
  const changed: Exchange[] = []
  for (const version of UNKNOWN) changed.push(await ask(inVersion(path, version)))
  return { before, changed, bare: await ask(withoutVersion(path)), after: await ask() }
}

type Attempts = RecordOf<typeof inUnknownVersions>

const BECAUSE = 'the path has a version that does not exist'
const BARE = 'the path has no version segment'

/** A redirect to another version is a refusal, unless its body has the result. */
const orRedirected = (
  exchange: ObservedExchange,
  answer: { readonly accepted: boolean; readonly isRefused: (because: string) => void },
) => ({
  accepted: answer.accepted,
  isRefused: (because: string): void =>
    !answer.accepted && /^3/.test(String(exchange.status.value))
      ? exchange.countsAsRefused()
      : answer.isRefused(because),
})

const areRefused = (attempts: readonly Attempts[]): void => {
  for (const { before, changed, after } of attempts)
    isRefusedBetween({ before, changed: changed.map((each) => orRedirected(each, each)), after }, BECAUSE)
}

const areRefusedBare = (attempts: readonly Attempts[]): void => {
  for (const { before, bare, after } of attempts)
    isRefusedBetween({ before, changed: orRedirected(bare, bare), after }, BARE)
}

const filled = (path: string, id: string): string =>
  path.replaceAll('{account-id}', () => encodeURIComponent(id))

const lists = scenario(
  'accounts in other versions',
  { effect: 'read', as: 'any', needs: ['access'] },
  async (session) => {
    const { accessToken } = await session.access()
    const { listAccounts, readAccount, listTransactions } = session.profile.operations
    const { path } = listAccounts
    const accounts = session.app.accounts('first')
    const ask = (made?: Change) => accounts.list(accessToken, made)
    const attempts = [await inUnknownVersions(path, ask)]
    const listed = accounts.accountsIn(await ask())
    const account = await accountWithTransactions(accounts, accessToken, listed)
    if (account !== undefined)
      attempts.push(
        await inUnknownVersions(filled(readAccount.path, account.accountId), (made) =>
          accounts.read(accessToken, account, made),
        ),
        await inUnknownVersions(filled(listTransactions.path, account.accountId), (made) =>
          accounts.transactions(accessToken, account, {}, made),
        ),
      )
    return {
      attempts,
      next: { version: next(path), answer: await ask(inVersion(path, next(path))) },
      withQuery: await ask(change.query('conformance-probe', '1')),
      withHeader: await ask(change.header('X-Conformance-Probe', '1')),
    }
  },
)

const consents = scenario(
  'a consent in other versions',
  { effect: 'consent', as: 'TPP' },
  async ({ app, profile }) => ({
    attempts: [
      await inUnknownVersions(profile.operations.createConsent.path, (made) => app.createConsent(made)),
    ],
  }),
)

for (const asked of [lists, consents]) {
  check(ENV.unknownVersionOfAccountsIsRefused, asked, ({ attempts }) => areRefused(attempts))
  check(ENV.missingVersionIsRefused, asked, ({ attempts }) => areRefusedBare(attempts))
}

const secondLists = scenario(
  'the second variant in other versions',
  { effect: 'read', as: 'any', needs: ['access', 'second-variant'] },
  async (session) => {
    const { accessToken } = await session.access({ variant: 'second' })
    const { secondVariant } = session.profile
    if (secondVariant === undefined) throw new Error('the scenario needs "second-variant"')
    const { listAccounts, readAccount, listTransactions } = secondVariant
    const accounts = session.app.accounts('second')
    const attempts = [await inUnknownVersions(listAccounts.path, (made) => accounts.list(accessToken, made))]
    const listed = accounts.accountsIn(await accounts.list(accessToken))
    const account = await accountWithTransactions(accounts, accessToken, listed)
    if (account !== undefined)
      attempts.push(
        await inUnknownVersions(readAccount.path, (made) => accounts.read(accessToken, account, made)),
        await inUnknownVersions(listTransactions.path, (made) =>
          accounts.transactions(accessToken, account, {}, made),
        ),
      )
    return { attempts }
  },
)

check(ENV.unknownVersionOfTheSecondVariantIsRefused, secondLists, ({ attempts }) => areRefused(attempts))
check(ENV.missingVersionIsRefused, secondLists, ({ attempts }) => areRefusedBare(attempts))

const exchanges = scenario(
  'the code exchange in other versions',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer'] },
  async ({ app, profile }) => {
    const { path } = profile.operations.token
    const before = await app.exchangeFreshCode()
    const grant = await app.grant()
    const changed: Exchange[] = []
    for (const version of UNKNOWN) changed.push(await app.exchangeCode(grant, inVersion(path, version)))
    const bare = await app.exchangeCode(grant, withoutVersion(path))
    const answer = await app.exchangeCode(grant, inVersion(path, next(path)))
    return {
      before,
      changed,
      bare,
      after: await app.exchangeFreshCode(),
      next: { version: next(path), answer },
    }
  },
)

check(ENV.unknownVersionOfOauthIsRefused, exchanges, (attempts) => areRefused([attempts]))
check(ENV.missingVersionIsRefused, exchanges, (attempts) => areRefusedBare([attempts]))

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

const calculationsAre = (
  { before, after }: Attempts,
  changed: readonly ObservedExchange[],
  words: LoanWords,
  because: string,
): void =>
  isRefusedBetween(
    {
      before: asCalculation(before, words),
      changed: changed.map((answer) => orRedirected(answer, asCalculation(answer, words))),
      after: asCalculation(after, words),
    },
    because,
  )

check(ENV.unknownVersionOfLoansIsRefused, calculations, ({ attempts, words }) =>
  calculationsAre(attempts, attempts.changed, words, BECAUSE),
)
check(ENV.missingVersionIsRefused, calculations, ({ attempts, words }) =>
  calculationsAre(attempts, [attempts.bare], words, BARE),
)

/** Headers about the life of a version, or about rate limits; no standard of the interface has them. */
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
  return found.length === 0 ? 'no header is about it' : found.join(', ')
}

const endOf = (answer: ObservedExchange): string =>
  `${answer.accepted ? 'answered' : 'refused'} with ${String(answer.status.value)}`

/** @throws NotReached if nothing was requested. */
const firstOf = (attempts: readonly Attempts[]): Attempts => {
  const [first] = attempts
  if (first !== undefined) return first
  throw new NotReached('no account was requested')
}

note(
  ENV.rulesForNewVersions,
  lists,
  ({ next: { version, answer } }: RecordOf<typeof lists>) => `accounts in ${version}: ${endOf(answer)}`,
)
note(
  ENV.rulesForNewVersions,
  exchanges,
  ({ next: { version, answer } }) => `the token endpoint in ${version}: ${endOf(answer)}`,
)
note(ENV.rulesForDeprecation, lists, ({ attempts }) => headersOf(firstOf(attempts).before, OF_DEPRECATION))
note(
  ENV.rulesForCompatibility,
  lists,
  ({ withQuery, withHeader }) =>
    `an unknown parameter of the query: ${endOf(withQuery)}; an unknown header: ${endOf(withHeader)}`,
)
note(ENV.rateLimits, lists, ({ attempts }) => headersOf(firstOf(attempts).after, OF_RATES))
