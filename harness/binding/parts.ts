import { attached } from '../evidence/attached.ts'
import { fieldOf } from '../session/answer.ts'
import { ENVIRONMENTS } from '../profile/environments.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Operation } from '../session/request.ts'

/** Which part of the profile says how an exchange was asked and is read: known from its operation and its address. */

/** A part of the profile that binds the path of an operation. */
export interface Part {
  /** `operations.listTransactions` */
  readonly key: string
  readonly operation: Operation
  readonly path: string
  /** The same in the interface (Endpoints), where that shows it. */
  readonly documented?: string
  /** The keys of the base paths that the path goes behind, one for each environment. */
  readonly bases: readonly Base[]
}

export interface Base {
  /** `basePaths.sandbox` */
  readonly key: string
  readonly path: string
  readonly documented?: string
  /** What the addresses of the operation end in. */
  readonly ending: RegExp
  /** Whether it is that of the environment that is judged. */
  readonly isJudged: boolean
}

/** `{account-id}` is a placeholder; the address has an id there. */
interface Template {
  readonly key: string
  readonly operation: Operation
  readonly base: keyof typeof BASES
  readonly documented?: string
}

/** Where the base paths stand in the profile, and what the interface has there. */
const BASES = {
  accounts: { key: 'basePaths', sandbox: '/premium/sandbox', production: '/premium/production' },
  second: { key: 'secondVariant.basePaths' },
  payments: { key: 'payments.basePaths' },
  oauth: { key: 'payments.oauthBasePaths' },
  loans: { key: 'loans.basePath', sandbox: '/paylater/sandbox' },
} as const satisfies Readonly<
  Record<string, { readonly key: string; readonly sandbox?: string; readonly production?: string }>
>

const of =
  (base: keyof typeof BASES) =>
  (key: string, operation: Operation, documented?: string): Template => ({
    ...{ key, operation, base },
    ...(documented !== undefined && { documented }),
  })

const [account, second, payment, oauth, loan] = [
  of('accounts'),
  of('second'),
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
  const { key, ...documented }: { readonly key: string } & Partial<Record<string, string>> = BASES[base]
  const bound = fieldOf(profile, key)
  const at = (name: string, before: string, documentedPath?: string): Base => ({
    ...{ key: name, path: before, ending: endingOf(before + path) },
    isJudged: name.endsWith(`.${profile.environment}`),
    ...known(documentedPath),
  })
  if (typeof bound === 'string') return [at(key, bound, documented['sandbox'])]
  return ENVIRONMENTS.flatMap((environment) => {
    const before = fieldOf(bound, environment)
    return typeof before === 'string' ? [at(`${key}.${environment}`, before, documented[environment])] : []
  })
}

const known = (documented: string | undefined): Pick<Base, 'documented'> =>
  documented === undefined ? {} : { documented }

const parts = new WeakMap<Profile, readonly Part[]>()

/** Those that the profile has. */
export const partsOf = (profile: Profile): readonly Part[] => {
  const found =
    parts.get(profile) ??
    [...TEMPLATES, ...initiationsOf(profile)].flatMap(({ key, operation, base, documented }) => {
      const path = fieldOf(fieldOf(profile, key), 'path')
      if (typeof path !== 'string') return []
      return [{ key, operation, path, ...known(documented), bases: basesOf(profile, base, path) }]
    })
  parts.set(profile, found)
  return found
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')

const endingOf = (path: string): RegExp =>
  new RegExp(
    `${path
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[^/]+')}$`,
  )

/** An exchange, as the profile has asked for it. */
export interface Placed {
  readonly part: Part
  readonly base: Base
}

type Places = Map<Profile, { readonly placed: Placed | undefined }>

/** Each name of the profile asks it of each exchange. */
const placesOf = attached<Exchange, Places>('places')

/**
 * The part that an exchange belongs to, and the base path that it went to. Nothing for an address that the profile does
 * not bind: a link of the target, a path that a check has changed.
 */
export const placeOf = (profile: Profile, exchange: Exchange): Placed | undefined => {
  const places = placesOf(exchange, () => new Map())
  const place = places.get(profile) ?? { placed: findPlace(profile, exchange) }
  places.set(profile, place)
  return place.placed
}

const findPlace = (profile: Profile, { operation, request }: Exchange): Placed | undefined => {
  const { pathname } = new URL(request.url)
  const fitting = partsOf(profile)
    .filter((part) => part.operation === operation)
    .flatMap((part) => part.bases.map((base) => ({ part, base })))
    .filter(({ base }) => base.ending.test(pathname))
  // One base path may be the end of another, or be none.
  const lengths = fitting.map(({ base }) => base.path.length)
  return fitting.find((_, at) => lengths[at] === Math.max(...lengths))
}
