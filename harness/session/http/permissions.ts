import { OPERATIONS, type Effect } from '../../evidence/exchange.ts'
import { type Environment } from '../../profile/environment.ts'
import { placesBelow, type Place } from '../../profile/address-environment.ts'
import { standingHeaders } from '../../profile/schema/connection.ts'
import { createHttp, type Http, type HttpOptions, type Permits } from './http.ts'
import type { Profile } from '../../profile/schema.ts'
import type { HttpRequest } from './request.ts'

/** Decides whether a request may be sent: by its address, and by the effects that are allowed in its environment. */

/** Effects that are allowed in each environment. */
export type Allowed = Readonly<Record<Environment, readonly Effect[]>>

/** The allowed effects in the judged environment, and in the other one. */
export const allowedIn = (
  { environment }: Pick<Profile, 'environment'>,
  here: readonly Effect[],
  there: readonly Effect[] = [],
): Allowed => {
  const isSandbox = environment === 'sandbox'
  return { sandbox: isSandbox ? here : there, production: isSandbox ? there : here }
}

/** For a server that has one environment only, such as those of the tests and of the benchmark. */
export const permitsAnywhere =
  (effects: readonly Effect[]): Permits =>
  () => ({ kind: 'allowed', effects })

/** Every request is meant for this environment. */
export const actingIn = (http: Http, environment: Environment): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, environment }, ...rest),
})

/**
 * Decides by the address of a request, in every interpretation. No request that is meant for the sandbox is sent to
 * production, whether its address is from a profile, a redirect, a form or a link.
 */
export const permitsFor = (profile: Profile, baseUrl: string, allowed: Allowed): Permits => {
  const placeAt = placesBelow(profile, baseUrl)
  return (request) => {
    const meant = request.environment ?? profile.environment
    const place = placeAt(request.url)
    const environment = place?.environment ?? meant
    const mayBelongToProduction = place?.environment === 'production' && meant === 'sandbox'
    if (
      mayBelongToProduction &&
      !(isSharedPage(request, place) && allowed.production.includes(OPERATIONS[request.operation]))
    )
      return { kind: 'misdirected', because: describeMisdirection(request, place) }
    return { kind: 'allowed', environment, effects: allowed[environment] }
  }
}

/**
 * Whether the address is below an operation of production without a base path, where the bank may
 * have the pages of all environments. The effects of production are allowed there.
 */
const isSharedPage = ({ sender }: HttpRequest, { isShared }: Place): boolean =>
  sender === 'customer' && isShared === true

const describeMisdirection = ({ method, url }: HttpRequest, { claim }: Place): string => {
  const { origin, pathname } = new URL(url)
  const owner =
    claim === undefined
      ? 'is encoded so often that it could be one of production'
      : `could be one of production, ${claim.value} (${claim.keys.join(' with ') || 'the interface, Versioning, 2'})`
  return `${method} ${origin}${pathname} was not sent: it is meant for the sandbox, and its address ${owner}; look at what leads there: the profile, or a redirect, form or link of the bank`
}

/** Options that are derived from the profile and the base URL. */
type Decided = 'origins' | 'publicOrigin' | 'permits' | 'headers' | 'refusals' | 'idempotent'

/** Options with a default. */
type Defaulted = 'requestMs' | 'now' | 'onExchange'

interface TargetHttpOptions
  extends Omit<HttpOptions, Decided | Defaulted>, Partial<Pick<HttpOptions, Defaulted | 'origins'>> {
  readonly profile: Profile
  readonly baseUrl: string
  /** The effects that are allowed in each environment. */
  readonly allowed: Allowed
}

/**
 * Creates the HTTP client for a target and its test hooks. Every request of a run, of the doctor and of init goes through
 * such a client: nothing is sent unless its origin, and its effect in the environment of its address, are allowed.
 */
export const createTargetHttp = ({ profile, baseUrl, allowed, ...options }: TargetHttpOptions): Http =>
  createHttp({
    origins: [baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    requestMs: profile.deadlines.requestMs,
    now: () => new Date(),
    onExchange: () => undefined,
    ...options,
    permits: permitsFor(profile, baseUrl, allowed),
    headers: standingHeaders(profile.headers),
    ...(profile.refusals && { refusals: profile.refusals }),
    idempotent: [
      ...(profile.payments?.idempotent === true ? (['pay'] as const) : []),
      ...(profile.loans?.idempotent === true ? (['apply'] as const) : []),
    ],
    ...(profile.publicOrigin !== undefined && {
      publicOrigin: { named: new URL(profile.publicOrigin).origin, reached: new URL(baseUrl).origin },
    }),
  })
