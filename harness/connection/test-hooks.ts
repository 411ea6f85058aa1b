import { isPage } from '../evidence/record/answer-kind.ts'
import { fieldOf, jsonOf, responseOf } from '../evidence/record/answer.ts'
import { NotReached } from '../evidence/signals.ts'
import { fill, withOtherAmounts } from '../profile/template.ts'
import { clockArguments, type TestHookRequest } from '../profile/schema/test-hooks.ts'
import { testHooksIn } from '../profile/test-hooks.ts'
import { secretsOfSettings, parseWebhookSettings } from './webhook-settings.ts'
import type { Exchange, Operation } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Place } from '../profile/schema/places.ts'
import type { RevocationDelay, TargetClock, TestHooks } from '../session/clock.ts'
import type { Http, SecretsOf } from '../session/http/http.ts'
import type { HttpRequest } from '../session/http/request.ts'

type Arguments = Readonly<Record<string, string | number | boolean>>

/** A token may have reserved characters of a URL. */
const urlEncoded = (values: Arguments): Arguments =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]))

/** The target of the test hooks: where they are, and of which environment. */
interface HookTarget {
  readonly http: Http
  readonly baseUrl: string
  readonly environment: Profile['environment']
}

interface HookCall {
  readonly testHook: TestHookRequest
  readonly values: Arguments
  /** The operation, which determines the effect; `testHook` by default. */
  readonly operation?: Extract<Operation, 'testHook' | 'configureWebhook'>
  readonly secretsOf?: SecretsOf
}

/** Returns the exchange, whatever its status. */
const sendHookRequest = async (
  { http, baseUrl, environment }: HookTarget,
  { testHook, values: own, operation = 'testHook', secretsOf }: HookCall,
): Promise<Exchange> => {
  const values = { ...own, environment }
  const headers: [string, string][] = Object.entries(testHook.headers)
  if (testHook.body !== undefined) headers.push(['Content-Type', 'application/json'])
  const request: HttpRequest = {
    operation,
    sender: 'testHook',
    method: testHook.method,
    url: new URL(String(fill(testHook.url, urlEncoded(values))), `${baseUrl}/`).href,
    headers: headers.map(([name, value]) => [name, String(fill(value, values))]),
    ...(testHook.body !== undefined && { text: JSON.stringify(fill(testHook.body, values)) }),
    ...(testHook.settleMs !== undefined && { settleMs: testHook.settleMs }),
  }
  return http.send(request, secretsOf)
}

/** A longer answer is not quoted: a part of a secret would not be recognized as one. */
const LONGEST_QUOTED = 300

/** What a failed test hook says, for a report, which hides what is secret in it. */
const quoted = (exchange: Exchange): string => {
  const text = responseOf(exchange)
    .body.text.trim()
    .replaceAll(/\s*\n\s*/g, ' ')
  if (text === '') return ''
  if (isPage(exchange)) return ': an HTML page'
  return text.length > LONGEST_QUOTED ? `: ${text.length} characters` : `: ${text}`
}

const hookFailed = ({ url }: TestHookRequest, exchange: Exchange): NotReached =>
  new NotReached(
    `the test hook at ${url} answered ${responseOf(exchange).status} (${exchange.id})${quoted(exchange)}`,
  )

const callHook = async (
  target: HookTarget,
  testHook: TestHookRequest,
  values: Arguments,
): Promise<Exchange> => {
  const exchange = await sendHookRequest(target, { testHook, values })
  // A redirect is not followed: the test hook was not called.
  if (responseOf(exchange).status >= 300) throw hookFailed(testHook, exchange)
  return exchange
}

const unbound = ({ testHooks }: Profile, name: keyof Profile['testHooks'], place: Place): NotReached =>
  new NotReached(
    testHooks[name] === undefined
      ? `the profile binds no test hook testHooks.${name}`
      : `the test hook testHooks.${name} does not exist in ${place} (testHooks.${name}.environments)`,
  )

/** When a revocation takes effect is not shown: a gateway may know a token for that long, unless the profile says how long. */
const REVOCATION_MS = 30_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

/** Polls until a revoked token is refused: the wait begins only if it is accepted at first. */
const untilRefused = async (
  { wait }: Http,
  isOpen: () => Promise<boolean>,
  settleMs: number,
): Promise<RevocationDelay> => {
  let waited = 0
  for (let next = FIRST_WAIT_MS; await isOpen(); next = Math.min(2 * next, LONGEST_WAIT_MS)) {
    const ms = Math.min(next, settleMs - waited)
    if (ms === 0) return {}
    await wait?.(ms)
    waited += ms
  }
  return { refusedAfterMs: waited }
}

type IsOpen = (token: string) => Promise<boolean>

const revocations = (
  target: HookTarget,
  bound: (name: 'revokeToken' | 'revokeConsent') => TestHookRequest,
  isOpen: IsOpen | undefined,
): Pick<TestHooks, 'revokeToken' | 'revokeConsent'> => {
  const { http } = target
  const settle = async (token: string | undefined, settleMs = REVOCATION_MS): Promise<RevocationDelay> =>
    token === undefined || isOpen === undefined ? {} : untilRefused(http, () => isOpen(token), settleMs)
  return {
    async revokeToken(token, opens = 'accounts') {
      const { settleMs, ...testHook } = bound('revokeToken')
      await callHook(target, testHook, { token })
      if (opens === 'accounts') return settle(token, settleMs)
      await http.wait?.(settleMs ?? 0)
      return {}
    },
    async revokeConsent(consentId, token) {
      const { settleMs, ...testHook } = bound('revokeConsent')
      await callHook(target, testHook, { consentId })
      return settle(token, settleMs)
    },
  }
}

/** @param isOpen whether a token opens accounts: where a revocation is given time to take effect. */
export const createTestHooks = (
  http: Http,
  baseUrl: string,
  profile: Profile,
  isOpen?: IsOpen,
): TestHooks => {
  const { environment } = profile
  const testHooks = testHooksIn(profile)
  const target = { http, baseUrl, environment }
  const bound = (name: keyof Profile['testHooks']): TestHookRequest => {
    const testHook = testHooks[name]
    if (testHook === undefined) throw unbound(profile, name, environment)
    return testHook
  }
  return {
    ...revocations(target, bound, isOpen),
    bookTransaction: async (booking) =>
      callHook(target, bound('bookTransaction'), withOtherAmounts({ ...booking }) as Arguments),
    async configureWebhook({ clientId, enabled, url, securityHeader }) {
      const testHook = bound('configureWebhook')
      const values = { clientId, enabled, url, securityHeader }
      const exchange = await sendHookRequest(target, {
        testHook,
        values,
        operation: 'configureWebhook',
      })
      const { status } = responseOf(exchange)
      const isAccepted = status < 300
      // Only a 4xx is a refusal of the settings; a server error or a redirect is not.
      if (!isAccepted && (status < 400 || status >= 500)) throw hookFailed(testHook, exchange)
      return { taken: isAccepted, exchange }
    },
    async readWebhook(clientId) {
      const testHook = testHooks.readWebhook
      if (testHook === undefined) return undefined
      const exchange = await sendHookRequest(target, {
        testHook,
        values: { clientId },
        secretsOf: secretsOfSettings(clientId, testHook),
      })
      const { status } = responseOf(exchange)
      // Its answer may have a security header that is not known yet, so that it is not quoted.
      if (status >= 300 && status !== 404)
        throw new NotReached(`the test hook at ${testHook.url} answered ${status} (${exchange.id})`)
      return parseWebhookSettings(exchange, clientId, testHook)
    },
  }
}

/** The year 1973 in milliseconds, the year 5138 in seconds. */
const FEWEST_MS = 1e11

/** Seconds or milliseconds since 1970, in ms. */
const sinceEpoch = (time: number): number => (time < FEWEST_MS ? time * 1_000 : time)

const timeOf = (exchange: Exchange, result: string | undefined): number => {
  const reported = fieldOf(jsonOf(exchange), result ?? 'now')
  const time =
    typeof reported === 'number'
      ? sinceEpoch(reported)
      : typeof reported === 'string'
        ? Date.parse(reported)
        : Number.NaN
  if (Number.isNaN(time))
    throw new NotReached(`the clock test hook returned no time under "${result ?? 'now'}" (${exchange.id})`)
  return time
}

/**
 * A clock that is read and moved over HTTP. Between two readings it is assumed to run like the wall clock.
 * @param place whose clock it is; by default that of the environment that is judged.
 */
export const createTestHookClock = async (
  http: Http,
  baseUrl: string,
  profile: Profile,
  place: Place = profile.environment,
): Promise<TargetClock> => {
  const testHooks = testHooksIn(profile, place)
  const target = { http, baseUrl, environment: profile.environment }
  let offset = 0
  const sync = async (): Promise<void> => {
    if (testHooks.readClock === undefined) return
    const exchange = await callHook(target, testHooks.readClock, {})
    offset = timeOf(exchange, testHooks.readClock.result) - Date.now()
  }
  await sync()
  const pass = async (ms: number): Promise<void> => {
    if (testHooks.advanceClock === undefined) throw unbound(profile, 'advanceClock', place)
    await callHook(target, testHooks.advanceClock, clockArguments(ms, Date.now() + offset))
    offset += ms
    await sync()
  }
  return { kind: 'testHook', now: () => new Date(Date.now() + offset), pass }
}
