import { standingHeaders } from '../../profile/schema/connection.ts'
import { createHttp } from './http.ts'
import { permitsFor } from './permissions.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http, HttpOptions } from './http.ts'
import type { Allowed } from './permissions.ts'

/** What the profile and the base URL decide. */
type Decided = 'origins' | 'permits' | 'headers'

/** What has a default. */
type Defaulted = 'requestMs' | 'now' | 'onExchange'

export interface TargetHttpOptions
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
  })
