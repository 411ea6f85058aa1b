import { standingHeaders } from '../../profile/schema/connection.ts'
import { createHttp, type Http, type HttpOptions } from './http.ts'
import { permitsFor, type Allowed } from './permissions.ts'
import { credentialsOf } from '../../profile/applications.ts'
import { isUnknownClient } from '../../profile/mismatch/requests.ts'
import { headerPlacesOf } from '../../profile/header-places.ts'
import type { Environment } from '../../profile/environment.ts'
import type { Profile } from '../../profile/schema.ts'

/** Options that are derived from the profile and the base URL. */
type Decided =
  | ('origins' | 'publicOrigin' | 'credentials' | 'permits' | 'headers')
  | ('refusals' | 'inHeaders' | 'answerBytes' | 'idempotent')

type Defaulted = 'requestMs' | 'now' | 'onExchange'

interface TargetHttpOptions
  extends Omit<HttpOptions, Decided | Defaulted>, Partial<Pick<HttpOptions, Defaulted | 'origins'>> {
  readonly profile: Profile
  readonly baseUrl: string
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
    answerBytes: profile.budget.answerMiB * 1024 * 1024,
    inHeaders: headerPlacesOf(profile),
    credentials: {
      pairs: profile.applications.flatMap(credentialsOf),
      isUnknownClient: (exchange) => isUnknownClient(exchange, profile),
    },
    idempotent: [
      ...(profile.payments?.idempotent === true ? (['pay'] as const) : []),
      ...(profile.loans?.idempotent === true ? (['apply'] as const) : []),
    ],
    ...(profile.publicOrigin !== undefined && {
      publicOrigin: { named: new URL(profile.publicOrigin).origin, reached: new URL(baseUrl).origin },
    }),
  })

/** Every request is meant for this environment. */
export const actingIn = (http: Http, environment: Environment): Http => ({
  ...http,
  send: (request, ...rest) => http.send({ ...request, environment }, ...rest),
})
