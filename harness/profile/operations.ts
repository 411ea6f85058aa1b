import { fieldOf } from '../evidence/record/answer.ts'
import { ENVIRONMENTS, type Environment } from './environment.ts'
import type { Operation } from '../evidence/exchange.ts'
import type { Profile } from './schema.ts'

/** The operations of the interface with their addresses: the only place where a base path and a path are joined. */

export interface BoundOperation {
  /** `operations.listTransactions` */
  readonly key: OperationKey
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
  readonly environment: Environment
  /** Matches the end of the addresses of the operation. */
  readonly ending: RegExp
}

/** The base path, the part, its operation, and how the interface shows it. `{account-id}` is a placeholder for any id. */
type Row = readonly [base: string, part: string, operation: Operation, documented?: `${Method} /${string}`]

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const TABLE = [
  ['basePaths', 'operations.createConsent', 'createConsent', 'POST /v1/consents'],
  ['basePaths', 'operations.deleteConsent', 'deleteConsent'],
  ['basePaths', 'operations.authorize', 'authorize', 'GET /auth/oauth/v2/authorize'],
  ['basePaths', 'operations.token', 'token', 'POST /auth/oauth/v2/token'],
  ['basePaths', 'operations.listAccounts', 'listAccounts', 'GET /v1/accounts'],
  ['basePaths', 'operations.readAccount', 'readAccount', 'GET /v1/accounts/{account-id}'],
  [
    'basePaths',
    'operations.listTransactions',
    'listTransactions',
    'GET /v1/accounts/{account-id}/transactions',
  ],
  ['basePaths', 'operations.refresh', 'refresh', 'PUT /refresh'],
  ['secondVariant.basePaths', 'secondVariant.listAccounts', 'listAccounts', 'GET /api/v1/accounts'],
  [
    'secondVariant.basePaths',
    'secondVariant.readAccount',
    'readAccount',
    'POST /api/v1/accounts/information',
  ],
  [
    'secondVariant.basePaths',
    'secondVariant.listTransactions',
    'listTransactions',
    'POST /api/v1/accounts/transactions',
  ],
  ['secondVariant.oauth.basePaths', 'secondVariant.oauth.authorize', 'authorize'],
  ['secondVariant.oauth.basePaths', 'secondVariant.oauth.token', 'token'],
  ['payments.basePaths', 'payments.status', 'readPayment', 'GET /payments/{orderId}/status'],
  ['payments.basePaths', 'payments.submission', 'submitPayment', 'POST /payments/submission'],
  ['payments.basePaths', 'payments.initiations.0', 'initiatePayment', 'POST /payments/ecomm/sba'],
  ['payments.oauthBasePaths', 'payments.token', 'token', 'POST /auth/oauth/v2/token'],
  ['payments.oauthBasePaths', 'payments.authorize', 'authorizePayment', 'GET /auth/oauth/v2/authorize'],
  ['loans.basePath', 'loans.token', 'loanToken', 'POST /auth/oauth/v2/token'],
  ['loans.basePath', 'loans.precalculation', 'precalculateLoan', 'PUT /v1/applications/precalculation'],
  ['loans.basePath', 'loans.submission', 'applyForLoan', 'POST /v1/applications'],
  ['loans.basePath', 'loans.scenario', 'selectLoanScenario'],
  ['loans.basePath', 'loans.status', 'readLoan', 'GET /v1/applications/{application-id}/status'],
  ['loans.basePath', 'loans.cancellation', 'cancelLoan', 'DELETE /v1/applications/{application-id}'],
] as const satisfies readonly Row[]

export type OperationKey = (typeof TABLE)[number][1] | `payments.initiations.${number}`

interface Documented {
  readonly method: string
  readonly path: string
}

const documentedIn = (text: string | undefined): Documented | undefined => {
  const [method, path] = text?.split(' ') ?? []
  return method === undefined || path === undefined ? undefined : { method, path }
}

/** An operation as the interface shows it (Endpoints): it shows one method of initiation. @throws Error if it shows none. */
export const documentedOf = (key: OperationKey): Documented => {
  const shown = key.replace(/^(payments\.initiations)\.\d+$/, '$1.0')
  const documented = documentedIn(TABLE.find(([, part]) => part === shown)?.[3])
  if (documented === undefined) throw new Error(`the interface does not show ${key}`)
  return documented
}

/** Further methods of initiation are not shown. */
const furtherInitiations = ({ payments }: Profile) =>
  (payments?.initiations ?? [])
    .slice(1)
    .map((_, at) => ['payments.basePaths', `payments.initiations.${at + 1}`, 'initiatePayment'] as const)

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
  // The loan API has no production.
  const places =
    typeof bound === 'string'
      ? [{ key: base, environment: 'sandbox' as const }]
      : ENVIRONMENTS.map((environment) => ({ key: `${base}.${environment}`, environment }))
  return places.flatMap(({ key, environment }) => {
    const before = fieldOf(profile, key)
    if (typeof before !== 'string') return []
    return [
      { key, environment, path: before, documented: DOCUMENTED_BASES[key], ending: endingOf(before + path) },
    ]
  })
}

/** The endpoints for grants of the second variant may have the paths of the first. */
const pathAt = (profile: Profile, key: string): unknown =>
  fieldOf(profile, `${key}.path`) ??
  (profile.secondVariant?.oauth === undefined
    ? undefined
    : fieldOf(profile, `${key.replace(/^secondVariant\.oauth/, 'operations')}.path`))

/** Cached for each profile: they are used for every exchange and every key. */
const known = new WeakMap<Profile, readonly BoundOperation[]>()

export const operationsOf = (profile: Profile): readonly BoundOperation[] => {
  const operations =
    known.get(profile) ??
    [...TABLE, ...furtherInitiations(profile)].flatMap(([base, key, operation, documented]) => {
      const path = pathAt(profile, key)
      if (typeof path !== 'string') return []
      return [
        {
          key,
          operation,
          path,
          documented: documentedIn(documented)?.path,
          bases: basesOf(profile, base, path),
        },
      ]
    })
  known.set(profile, operations)
  return operations
}

/** An operation of a profile, with its base path. @param key the profile must have it in this environment. */
export const boundAt = (
  profile: Profile,
  key: OperationKey,
  environment: Environment = profile.environment,
) => {
  const operation = operationsOf(profile).find((one) => one.key === key)
  const base = operation?.bases.find((one) => one.environment === environment)
  if (operation === undefined || base === undefined)
    throw new Error(`the profile has no ${key} in ${environment}`)
  return { operation, base }
}

/**
 * The address of an operation, after the base URL, with the placeholders of its path.
 * @param key the profile must have it in this environment.
 */
export const addressOf = (
  profile: Profile,
  key: OperationKey,
  environment: Environment = profile.environment,
): string => {
  const { operation, base } = boundAt(profile, key, environment)
  return base.path + operation.path
}

/** The base path of an operation: empty if it has none. */
export const basePathOf = (profile: Profile, key: OperationKey): string => boundAt(profile, key).base.path
