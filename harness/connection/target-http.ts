import { noJournal } from '../evidence/journal.ts'
import { createRedactor, type KnownSecret } from '../evidence/redaction.ts'
import { NotReached } from '../evidence/signals.ts'
import { createTargetHttp } from '../session/http/target-http.ts'
import { createSession, type Session, type SessionOptions } from '../session/session.ts'
import type { Allowed } from '../session/http/permissions.ts'
import { openConnections } from './connections.ts'
import { createTestHooks } from './test-hooks.ts'
import { createWallClock } from './wall-clock.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http, HttpOptions } from '../session/http/http.ts'
import type { Target } from './target.ts'

/** Requests to a target before or after the scenarios of a run, over separate connections. */

type Optional = 'journal' | 'origins' | 'requestMs' | 'onExchange' | 'budget' | 'turn' | 'pause'

interface TargetHttpOptions extends Partial<Pick<HttpOptions, Optional>> {
  readonly profile: Profile
  readonly baseUrl: string
  /** The beginning of the ids of the exchanges. */
  readonly scenario: string
  readonly secrets: readonly KnownSecret[]
  readonly signal: AbortSignal
  /** The effects that are allowed in each environment; by default those of the profile. */
  readonly allowed?: Allowed
  /** The environment with HTTPS_PROXY and similar variables; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

/**
 * Sends what the profile allows, to the origins of the profile, and keeps no evidence, unless the options say otherwise.
 * @throws ConfigurationError for a file of `connection` that cannot be read.
 */
export const openTargetHttp = ({
  profile,
  baseUrl,
  secrets,
  signal,
  env,
  allowed = profile.allow,
  ...options
}: TargetHttpOptions): { readonly http: Http; readonly close: () => Promise<void> } => {
  const connections = openConnections(profile, env)
  const http = createTargetHttp({
    profile,
    baseUrl,
    allowed,
    dispatcher: connections.dispatcher,
    redactor: createRedactor(secrets, profile),
    journal: noJournal,
    ends: signal,
    ...options,
  })
  return { http, close: () => connections.close() }
}

/** A session outside of the scenarios of a run. It shares no access. */
export const openTargetSession = (
  options: Pick<SessionOptions, 'profile' | 'baseUrl' | 'http'> & Partial<SessionOptions>,
): Session =>
  createSession({
    kind: 'any',
    clock: createWallClock(),
    testHooks: createTestHooks(options.http, options.baseUrl, options.profile),
    access: () => Promise.reject(new NotReached('no access is shared')),
    ...options,
  })

/** A target at an address: one set of connections, shared by all scenarios. */
export const createRemoteTarget = (profile: Profile, baseUrl: string): Target => {
  const connections = openConnections(profile)
  return {
    profile,
    fresh: false,
    shared: true,
    open: async () => ({
      baseUrl,
      dispatcher: connections.dispatcher,
    }),
    close: () => connections.close(),
  }
}
