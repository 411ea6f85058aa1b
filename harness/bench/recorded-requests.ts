import { Agent } from 'undici'
import { noJournal } from '../evidence/journal.ts'
import { createRedactor, type KnownSecret, type Redactor } from '../evidence/redaction.ts'
import { recorder } from '../evidence/recorder.ts'
import { EFFECTS, type Exchange } from '../evidence/exchange.ts'
import { createHttp, type Http, type HttpOptions, type SecretsOf } from '../session/http/http.ts'
import { change, type HttpRequest } from '../session/http/request.ts'
import { permitsAnywhere } from '../session/http/permissions.ts'
import { createSession } from '../session/session.ts'
import { createTestHooks } from '../connection/test-hooks.ts'
import { createWallClock } from '../connection/wall-clock.ts'
import type { Profile } from '../profile/schema.ts'
import type { Application } from '../session/application.ts'

/** Requests as a run sends them, which get the same answer however often they are sent. */

export interface RecordedRequest {
  readonly request: HttpRequest
  /** Finds secrets in the answer. */
  readonly secretsOf?: SecretsOf
  /** Unredacted: bare undici and newman send the same bytes. */
  readonly exchange: Exchange
}

export interface BenchTarget {
  readonly baseUrl: string
  readonly profile: Profile
  readonly secrets: readonly KnownSecret[]
}

export const httpOptions = (
  { baseUrl, profile, secrets }: BenchTarget,
  dispatcher: HttpOptions['dispatcher'],
  redactor: Redactor = createRedactor(secrets),
): HttpOptions => ({
  scenario: 'bench/exchange',
  dispatcher,
  origins: [baseUrl],
  permits: permitsAnywhere(EFFECTS),
  headers: profile.headers,
  requestMs: profile.deadlines.requestMs,
  now: () => new Date(),
  redactor,
  journal: noJournal,
  onExchange: () => undefined,
})

const FORGED = '00000000-0000-4000-8000-000000000000'

type Keep = (work: () => Promise<unknown>) => Promise<void>

/** In the order of a scenario; one answer in three is a page, as in a run. */
const sendAll = async (app: Application, keep: Keep): Promise<void> => {
  const consentId = await app.consent()
  const grant = await app.grant()
  const { accessToken } = app.tokensOf(await app.exchangeCode(grant), grant)
  const page = { ...(consentId !== undefined && { consentId }) }
  await keep(() => app.createConsent())
  await keep(() => app.createConsent(change.noHeader('Authorization')))
  await keep(() => app.authorize(page))
  await keep(() => app.authorize({ ...page, change: change.noQuery('client_id') }))
  await keep(() => app.authorize({ ...page, decision: 'deny' }))
  await keep(() => app.authorize({ ...page, change: change.query('redirect_uri', FORGED) }))
  await keep(() => app.exchangeCode({ ...grant, code: FORGED }))
  await keep(() => app.exchangeCode(grant, change.basic('nobody', FORGED)))
  await keep(() => app.refresh({ refreshToken: FORGED }))
  await keep(() => app.listAccounts(accessToken))
  await keep(() => app.listAccounts(FORGED))
  await keep(() => app.listAccounts(accessToken, change.noHeader('Authorization')))
  await keep(() => app.listAccounts(accessToken))
}

/** Stops an authorization after its first request: the others cannot be repeated. */
class Enough extends Error {}

/** Acts on the bank as a scenario does, and records the first request of each step. */
export const recordRequests = async (target: BenchTarget): Promise<readonly RecordedRequest[]> => {
  const { baseUrl, profile } = target
  const agent = new Agent()
  const wire = createHttp(httpOptions(target, agent.compose(recorder)))
  const kept: RecordedRequest[] = []
  let left = Number.POSITIVE_INFINITY

  const http: Http = {
    ...wire,
    async send(request, secretsOf) {
      if (left === 0) throw new Enough()
      left -= 1
      const exchange = await wire.send(request, secretsOf)
      if (left === 0) kept.push({ request, exchange, ...(secretsOf && { secretsOf }) })
      return exchange
    },
  }
  const testHooks = createTestHooks(http, baseUrl, profile)
  const { app } = createSession({
    profile,
    baseUrl,
    http,
    testHooks,
    kind: 'TPP',
    clock: createWallClock(),
    access: () => app.tokens(),
  })
  await sendAll(app, async (work) => {
    left = 1
    await work().catch((error: unknown) => {
      if (!(error instanceof Enough)) throw error
    })
  })
  await agent.close()
  return kept
}
