import { noJournal } from '../evidence/journal.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { standingHeaders } from '../profile/connection.ts'
import { createHttp } from '../session/http.ts'
import { openConnections } from '../target/connections.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'

/** Nobody who answers questions waits longer for one answer. */
const LONGEST_MS = 10_000

/** The bank, as it is asked while its profile is written: what the profile allows, and no origin but its own. */
export interface Visit {
  readonly http: Http
  close(): Promise<void>
}

/** @throws ConfigurationError for a file of `connection` that cannot be read. */
export const openVisit = (profile: Profile, baseUrl: string, ends: AbortSignal): Visit => {
  const connections = openConnections(profile)
  const http = createHttp({
    scenario: 'init',
    dispatcher: connections.dispatcher,
    origins: [baseUrl, ...profile.origins].map((address) => new URL(address).origin),
    allowed: profile.allow[profile.environment],
    headers: standingHeaders(profile.headers),
    requestMs: Math.min(profile.deadlines.requestMs, LONGEST_MS),
    now: () => new Date(),
    redactor: createRedactor([]),
    // Nothing of it is kept.
    journal: noJournal,
    onExchange: () => undefined,
    ends,
  })
  return { http, close: () => connections.close() }
}
