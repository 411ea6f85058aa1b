import { addressOf, type OperationKey } from '../profile/operations.ts'
import { chance, type Random } from './random.ts'
import type { Environment } from '../profile/environment.ts'
import type { Exchange, Operation } from '../evidence/exchange.ts'
import type { CustomerProfile, Profile } from '../profile/schema.ts'
import type { AuthorizationDriver } from './authorization/driver.ts'
import type { TargetClock } from './clock.ts'
import type { Http, SecretsOf } from './http/http.ts'
import type { Change, Fields, HttpRequest } from './http/request.ts'

/** What every operation needs of a target. */
export interface TargetContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

/** For operations that a customer authorizes, or that depend on the time. */
export interface FlowContext extends TargetContext {
  readonly driver: AuthorizationDriver
  readonly clock: TargetClock
  readonly customer: CustomerProfile | undefined
  /** The number of the amount of the first loan, where an application names none. */
  readonly turn?: number | undefined
}

interface Placed {
  readonly environment?: Environment
  readonly values?: Readonly<Record<string, string>>
}

export const urlOf = (
  { profile, baseUrl }: Pick<TargetContext, 'profile' | 'baseUrl'>,
  key: OperationKey,
  { environment, values = {} }: Placed = {},
): string =>
  Object.entries(values).reduce(
    (url, [name, value]) => url.replaceAll(`{${name}}`, () => encodeURIComponent(value)),
    baseUrl + addressOf(profile, key, environment),
  )

/** The fields that most requests have: an id of their own, and the authorization. */
export const idAndAuthorization = (
  { random = chance }: Pick<TargetContext, 'random'>,
  requestIdHeader: string,
  authorization: string,
): Fields => [
  [requestIdHeader, random.uuid()],
  ['Authorization', authorization],
]

/** The part of a request that the operation decides. */
export type OperationRequest = Omit<HttpRequest, 'sender'>

/** Sends a valid request of a scenario with one change. */
export type SendChanged = (
  request: OperationRequest,
  change: Change,
  secretsOf?: SecretsOf,
) => Promise<Exchange>

export const sendingTo =
  (http: Http): SendChanged =>
  (request, change, secretsOf) =>
    http.send(change({ sender: 'scenario', ...request }), secretsOf)

/** Sends every page as a step of this operation. */
export const asStepOf = (http: Http, operation: Operation): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, operation }, ...rest),
})
