import { fieldOf } from '../../evidence/record/answer.ts'
import { codeOf } from '../../evidence/record/loan-application.ts'
import { ENVIRONMENTS } from '../environments.ts'
import { statusOf, type ProfileMismatch, type RunExchanges } from './mismatch.ts'
import type { Exchange, Operation } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

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

/** The base path, the part, its operation, and its path in the interface. `{account-id}` is a placeholder for any id. */
type Row = readonly [base: string, part: string, operation: Operation, documented?: string]

const TABLE: readonly Row[] = [
  ['basePaths', 'operations.createConsent', 'createConsent', '/v1/consents'],
  ['basePaths', 'operations.authorize', 'authorize', '/auth/oauth/v2/authorize'],
  ['basePaths', 'operations.token', 'token', '/auth/oauth/v2/token'],
  ['basePaths', 'operations.listAccounts', 'listAccounts', '/v1/accounts'],
  ['basePaths', 'operations.readAccount', 'readAccount', '/v1/accounts/{account-id}'],
  ['basePaths', 'operations.listTransactions', 'listTransactions', '/v1/accounts/{account-id}/transactions'],
  ['basePaths', 'operations.refresh', 'refresh', '/refresh'],
  ['secondVariant.basePaths', 'secondVariant.listAccounts', 'listAccounts', '/api/v1/accounts'],
  ['secondVariant.basePaths', 'secondVariant.readAccount', 'readAccount', '/api/v1/accounts/information'],
  [
    'secondVariant.basePaths',
    'secondVariant.listTransactions',
    'listTransactions',
    '/api/v1/accounts/transactions',
  ],
  ['secondVariant.oauth.basePaths', 'secondVariant.oauth.authorize', 'authorize'],
  ['secondVariant.oauth.basePaths', 'secondVariant.oauth.token', 'token'],
  ['payments.oauthBasePaths', 'payments.token', 'token', '/auth/oauth/v2/token'],
  ['payments.oauthBasePaths', 'payments.authorize', 'authorizePayment', '/auth/oauth/v2/authorize'],
  ['payments.basePaths', 'payments.status', 'readPayment', '/payments/{orderId}/status'],
  ['payments.basePaths', 'payments.submission', 'submitPayment', '/payments/submission'],
  ['payments.basePaths', 'payments.initiations.0', 'initiatePayment', '/payments/ecomm/sba'],
  ['loans.basePath', 'loans.token', 'loanToken', '/auth/oauth/v2/token'],
  ['loans.basePath', 'loans.precalculation', 'precalculateLoan', '/v1/applications/precalculation'],
  ['loans.basePath', 'loans.submission', 'applyForLoan', '/v1/applications'],
  ['loans.basePath', 'loans.scenario', 'selectLoanScenario'],
  ['loans.basePath', 'loans.status', 'readLoan', '/v1/applications/{application-id}/status'],
  ['loans.basePath', 'loans.cancellation', 'cancelLoan', '/v1/applications/{application-id}'],
]

/** Further methods of initiation are not shown. */
const furtherInitiations = ({ payments }: Profile): readonly Row[] =>
  (payments?.initiations ?? [])
    .slice(1)
    .map((_, at) => ['payments.basePaths', `payments.initiations.${at + 1}`, 'initiatePayment'])

/** The base paths of the interface. */
const DOCUMENTED_BASES: Readonly<Record<string, string>> = {
  'basePaths.sandbox': '/premium/sandbox',
  'basePaths.production': '/premium/production',
  'loans.basePath': '/paylater/sandbox',
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')

const endingOf = (path: string): RegExp =>
  new RegExp(
    `${path
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[^/]+')}$`,
  )

const basesOf = (profile: Profile, base: string, path: string): readonly Base[] => {
  const bound = fieldOf(profile, base)
  // The grants of the second variant may have the base path of the first.
  if (bound === undefined) return basesOf(profile, 'basePaths', path)
  const keys =
    typeof bound === 'string' ? [base] : ENVIRONMENTS.map((environment) => `${base}.${environment}`)
  return keys.flatMap((key) => {
    const before = fieldOf(profile, key)
    if (typeof before !== 'string') return []
    const isJudged = key.endsWith(`.${profile.environment}`)
    return [
      { key, path: before, documented: DOCUMENTED_BASES[key], ending: endingOf(before + path), isJudged },
    ]
  })
}

/** Cached for each profile: they are used for every exchange and every key. */
const known = new WeakMap<Profile, readonly Part[]>()

/** Those that the profile has. */
export const partsOf = (profile: Profile): readonly Part[] => {
  const parts =
    known.get(profile) ??
    [...TABLE, ...furtherInitiations(profile)].flatMap(([base, key, operation, documented]) => {
      const path = fieldOf(profile, `${key}.path`)
      if (typeof path !== 'string') return []
      return [{ key, operation, path, documented, bases: basesOf(profile, base, path) }]
    })
  known.set(profile, parts)
  return parts
}

/** An exchange with its part of the profile. */
export interface PlacedExchange {
  readonly part: Part
  readonly base: Base
}

/**
 * The part that an exchange belongs to, and the base path that it went to. Undefined for an address that is
 * not from the profile: a link of the target, a path that a check has changed.
 */
const placeOf = (profile: Profile, { operation, request }: Exchange): PlacedExchange | undefined => {
  const { pathname } = new URL(request.url)
  const fitting = partsOf(profile)
    .filter((part) => part.operation === operation)
    .flatMap((part) => part.bases.map((base) => ({ part, base })))
    .filter(({ base }) => base.ending.test(pathname))
  // One base path may be the end of another, or be none.
  const longest = Math.max(...fitting.map(({ base }) => base.path.length))
  return fitting.find(({ base }) => base.path.length === longest)
}

/** Whether an exchange belongs to this part of the profile, or to an item of it. */
export const isOf =
  (profile: Profile, part: string) =>
  (exchange: Exchange): boolean =>
    `${placeOf(profile, exchange)?.part.key ?? ''}.`.startsWith(`${part}.`)

/** There is no resource, or none with this method (RFC 9110 §15.5.5, §15.5.6). */
const NOT_FOUND: readonly number[] = [404, 405]

/** Errors, 5: an answer with such a code is that of a loan operation, whatever its status. */
const LOAN_CODES: readonly unknown[] = ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER']

const isOfAnOperation = ({ loans }: Profile, exchange: Exchange): boolean =>
  !NOT_FOUND.includes(statusOf(exchange)) ||
  (loans !== undefined && LOAN_CODES.includes(codeOf(exchange, loans)))

interface AskedPath extends PlacedExchange {
  readonly exchange: Exchange
  readonly isThere: boolean
}

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly AskedPath[] =>
  [...exchanges].flatMap((exchange) => {
    const placed = exchange.response && placeOf(profile, exchange)
    return placed === undefined ? [] : [{ ...placed, exchange, isThere: isOfAnOperation(profile, exchange) }]
  })

/** The cause of a 404 or 405: the path, the base path, or the target (undefined). */
const causeOf = ({ part, base }: AskedPath, isBaseThere: boolean): 'path' | 'base' | undefined => {
  if (part.documented !== undefined && part.path !== part.documented) return 'path'
  // In the environment that is not judged, there are too few requests to conclude that the base path is wrong.
  const mayBeBase = base.documented === undefined ? base.isJudged : base.path !== base.documented
  if (!isBaseThere && mayBeBase) return 'base'
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
  return missed.flatMap((asked) => {
    const { part, base, exchange } = asked
    const onBase = there.filter((one) => one.base.key === base.key)
    if (onBase.some((one) => one.part.key === part.key)) return []
    const cause = causeOf(asked, onBase.length > 0)
    if (cause === undefined) return []
    const [key, { path, documented }] = cause === 'path' ? [`${part.key}.path`, part] : [base.key, base]
    return [
      {
        key,
        bound: path === '' ? '/' : path,
        expected: 'operation',
        shown:
          `each request is answered ${statusOf(exchange)}` +
          (documented === undefined ? '' : `, and the interface has ${documented}`),
        exchange: exchange.id,
      },
    ]
  })
}
