import { fieldOf } from '../../evidence/record/answer.ts'
import { codeOf } from '../../evidence/record/loan-application.ts'
import { ENVIRONMENTS } from '../environments.ts'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'
import { statusOf } from './mismatch.ts'
import type { ProfileMismatch, RunExchanges } from './mismatch.ts'

/** The part of the profile that configures an exchange, found by its operation and its address. */

/** A part of the profile with the path of an operation. */
export interface Part {
  /** `operations.listTransactions` */
  readonly key: string
  readonly operation: Operation
  readonly path: string
  /** The same in the interface (Endpoints), if it is shown. */
  readonly documented: string | undefined
  /** The keys of the base paths before the path, one for each environment. */
  readonly bases: readonly Base[]
}

export interface Base {
  /** `basePaths.sandbox` */
  readonly key: string
  readonly path: string
  readonly documented: string | undefined
  /** Matches the end of the addresses of the operation. */
  readonly ending: RegExp
  /** Whether it is that of the environment that is judged. */
  readonly isJudged: boolean
}

/** `{account-id}` is a placeholder for any id. */
interface Template {
  readonly key: string
  readonly operation: Operation
  readonly base: keyof typeof BASES
  readonly documented: string | undefined
}

/** The base paths of the profile, with those of the interface. */
const BASES = {
  accounts: { key: 'basePaths', sandbox: '/premium/sandbox', production: '/premium/production' },
  second: { key: 'secondVariant.basePaths' },
  secondOauth: { key: 'secondVariant.oauth.basePaths' },
  payments: { key: 'payments.basePaths' },
  oauth: { key: 'payments.oauthBasePaths' },
  loans: { key: 'loans.basePath', sandbox: '/paylater/sandbox' },
} as const satisfies Readonly<
  Record<string, { readonly key: string; readonly sandbox?: string; readonly production?: string }>
>

const of =
  (base: keyof typeof BASES) =>
  (key: string, operation: Operation, documented?: string): Template => ({
    key,
    operation,
    base,
    documented,
  })

const [account, second, secondOauth, payment, oauth, loan] = [
  of('accounts'),
  of('second'),
  of('secondOauth'),
  of('payments'),
  of('oauth'),
  of('loans'),
]

const TEMPLATES: readonly Template[] = [
  account('operations.createConsent', 'createConsent', '/v1/consents'),
  account('operations.authorize', 'authorize', '/auth/oauth/v2/authorize'),
  account('operations.token', 'token', '/auth/oauth/v2/token'),
  account('operations.listAccounts', 'listAccounts', '/v1/accounts'),
  account('operations.readAccount', 'readAccount', '/v1/accounts/{account-id}'),
  account('operations.listTransactions', 'listTransactions', '/v1/accounts/{account-id}/transactions'),
  account('operations.refresh', 'refresh', '/refresh'),
  second('secondVariant.listAccounts', 'listAccounts', '/api/v1/accounts'),
  second('secondVariant.readAccount', 'readAccount', '/api/v1/accounts/information'),
  second('secondVariant.listTransactions', 'listTransactions', '/api/v1/accounts/transactions'),
  secondOauth('secondVariant.oauth.authorize', 'authorize'),
  secondOauth('secondVariant.oauth.token', 'token'),
  oauth('payments.token', 'token', '/auth/oauth/v2/token'),
  oauth('payments.authorize', 'authorizePayment', '/auth/oauth/v2/authorize'),
  payment('payments.status', 'readPayment', '/payments/{orderId}/status'),
  payment('payments.submission', 'submitPayment', '/payments/submission'),
  loan('loans.token', 'loanToken', '/auth/oauth/v2/token'),
  loan('loans.precalculation', 'precalculateLoan', '/v1/applications/precalculation'),
  loan('loans.submission', 'applyForLoan', '/v1/applications'),
  loan('loans.scenario', 'selectLoanScenario'),
  loan('loans.status', 'readLoan', '/v1/applications/{application-id}/status'),
  loan('loans.cancellation', 'cancelLoan', '/v1/applications/{application-id}'),
]

/** Further methods of initiation are not shown. */
const initiationsOf = ({ payments }: Profile): readonly Template[] =>
  (payments?.initiations ?? []).map((_, at) =>
    payment(`payments.initiations.${at}`, 'initiatePayment', at === 0 ? '/payments/ecomm/sba' : undefined),
  )

const basesOf = (profile: Profile, base: keyof typeof BASES, path: string): readonly Base[] => {
  if (base === 'secondOauth' && profile.secondVariant?.oauth?.basePaths === undefined)
    return basesOf(profile, 'accounts', path)
  const { key, ...documented }: { readonly key: string } & Partial<Record<string, string>> = BASES[base]
  const bound = fieldOf(profile, key)
  const at = (name: string, before: string, documentedPath?: string): Base => ({
    key: name,
    path: before,
    documented: documentedPath,
    ending: endingOf(before + path),
    isJudged: name.endsWith(`.${profile.environment}`),
  })
  if (typeof bound === 'string') return [at(key, bound, documented['sandbox'])]
  return ENVIRONMENTS.flatMap((environment) => {
    const before = fieldOf(bound, environment)
    return typeof before === 'string' ? [at(`${key}.${environment}`, before, documented[environment])] : []
  })
}

/** Cached for each profile: they are used for every exchange and every name. */
const known = new WeakMap<Profile, readonly Part[]>()

/** Those that the profile has. */
export const partsOf = (profile: Profile): readonly Part[] => {
  const parts =
    known.get(profile) ??
    [...TEMPLATES, ...initiationsOf(profile)].flatMap(({ key, operation, base, documented }) => {
      const path = fieldOf(fieldOf(profile, key), 'path')
      if (typeof path !== 'string') return []
      return [{ key, operation, path, documented, bases: basesOf(profile, base, path) }]
    })
  known.set(profile, parts)
  return parts
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')

const endingOf = (path: string): RegExp =>
  new RegExp(
    `${path
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[^/]+')}$`,
  )

/** An exchange with its part of the profile. */
export interface PlacedExchange {
  readonly part: Part
  readonly base: Base
}

/**
 * The part that an exchange belongs to, and the base path that it went to. Undefined for an address that is
 * not from the profile: a link of the target, a path that a check has changed.
 */
export const placeOf = (profile: Profile, { operation, request }: Exchange): PlacedExchange | undefined => {
  const { pathname } = new URL(request.url)
  const fitting = partsOf(profile)
    .filter((part) => part.operation === operation)
    .flatMap((part) => part.bases.map((base) => ({ part, base })))
    .filter(({ base }) => base.ending.test(pathname))
  // One base path may be the end of another, or be none.
  const lengths = fitting.map(({ base }) => base.path.length)
  return fitting.find((_, at) => lengths[at] === Math.max(...lengths))
}

/** There is no resource, or none with this method (RFC 9110 §15.5.5, §15.5.6). */
const NOT_FOUND: ReadonlySet<number | undefined> = new Set([404, 405])

/** Errors, 5: an answer with such a code is that of a loan operation, whatever its status. */
const LOAN_CODES: readonly unknown[] = ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER']

const isOfAnOperation = ({ loans }: Profile, exchange: Exchange): boolean =>
  !NOT_FOUND.has(exchange.response?.status) ||
  (loans !== undefined && LOAN_CODES.includes(codeOf(exchange, loans)))

interface AskedPath extends PlacedExchange {
  readonly exchange: Exchange
  readonly isThere: boolean
}

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly AskedPath[] => {
  const asked: AskedPath[] = []
  for (const exchange of exchanges) {
    if (exchange.response === undefined) continue
    const placed = placeOf(profile, exchange)
    if (placed !== undefined) asked.push({ ...placed, exchange, isThere: isOfAnOperation(profile, exchange) })
  }
  return asked
}

const isShown = ({ path, documented }: Part | Base): boolean => path === documented

const mismatchOf = (
  key: string,
  { path, documented }: Part | Base,
  { exchange }: AskedPath,
): ProfileMismatch => ({
  key,
  bound: path === '' ? '/' : path,
  expected: 'operation',
  shown:
    `each request is answered ${statusOf(exchange)}` +
    (documented === undefined ? '' : `, and the interface has ${documented}`),
  exchange: exchange.id,
})

/** The cause of a 404 or 405: the path, the base path, or the target (undefined). */
const causeOf = ({ part, base }: AskedPath, isBaseThere: boolean): 'path' | 'base' | undefined => {
  // In the environment that is not judged, there are too few requests to conclude that the base path is wrong.
  const isBaseOpen = !isBaseThere && !isShown(base) && (base.documented !== undefined || base.isJudged)
  if (part.documented !== undefined && !isShown(part)) return 'path'
  if (isBaseOpen) return 'base'
  return part.documented === undefined ? 'path' : undefined
}

/**
 * Paths without any successful answer. A documented path must exist, so that only another one may be an error of
 * the profile.
 */
export const mismatchedPaths = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const missed = askedIn(profile, exchanges).filter(({ isThere }) => !isThere)
  if (missed.length === 0) return []
  const there = askedIn(profile, all()).filter(({ isThere }) => isThere)
  const paths = new Set(there.map(({ part, base }) => `${part.key} ${base.key}`))
  const bases = new Set(there.map(({ base }) => base.key))
  return missed
    .filter(({ part, base }) => !paths.has(`${part.key} ${base.key}`))
    .flatMap((asked) => {
      const { part, base } = asked
      const cause = causeOf(asked, bases.has(base.key))
      if (cause === undefined) return []
      return [
        cause === 'path' ? mismatchOf(`${part.key}.path`, part, asked) : mismatchOf(base.key, base, asked),
      ]
    })
}
