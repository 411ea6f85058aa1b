import { NotReached } from '../evidence/signals.ts'
import { clockArguments } from '../profile/schema/test-hooks.ts'
import { fieldOf, jsonOf, responseOf } from '../evidence/record/answer.ts'
import { foundSettings, secretsOfSettings } from './found-settings.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { TestHookRequest } from '../profile/schema/test-hooks.ts'
import type { Http, SecretsOf } from '../session/http/http.ts'
import type { Operation } from '../evidence/effect.ts'
import type { HttpRequest } from '../session/http/request.ts'
import type { TargetClock } from '../session/clock.ts'
import type { TestHooks } from '../session/test-hooks.ts'

/** The target's test hooks, as the profile binds them to HTTP requests. */

type Arguments = Readonly<Record<string, string | number | boolean>>

const filled = (template: unknown, values: Arguments): unknown => {
  if (typeof template === 'string') return fill(template, values)
  if (Array.isArray(template)) return template.map((item) => filled(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]))
}

/** `{name}` alone keeps the argument's type; inside a longer text it becomes text. */
const fill = (template: string, values: Arguments): string | number | boolean => {
  const whole = /^\{(\w+)\}$/.exec(template)?.[1]
  const value = whole === undefined ? undefined : values[whole]
  return value ?? template.replaceAll(/\{(\w+)\}/g, (text, name: string) => String(values[name] ?? text))
}

/** A token may have characters that mean something in a URL. */
const escaped = (values: Arguments): Arguments =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]))

interface Pulled {
  readonly testHook: TestHookRequest
  readonly values: Arguments
  /** What the test hook does to the world; whoever pulls one of no other name changes nothing of the interface's. */
  readonly operation?: Extract<Operation, 'testHook' | 'configureWebhook'>
  /** What of the answer is secret. */
  readonly secretsOf?: SecretsOf
}

/** Whatever comes of it. */
const attempt = async (
  http: Http,
  baseUrl: string,
  { testHook, values, operation = 'testHook', secretsOf }: Pulled,
): Promise<Exchange> => {
  const headers: [string, string][] = Object.entries(testHook.headers)
  if (testHook.body !== undefined) headers.push(['Content-Type', 'application/json'])
  const request: HttpRequest = {
    operation,
    sender: 'testHook',
    method: testHook.method,
    url: new URL(String(fill(testHook.url, escaped(values))), `${baseUrl}/`).href,
    headers: headers.map(([name, value]) => [name, String(fill(value, values))]),
    ...(testHook.body !== undefined && { text: JSON.stringify(filled(testHook.body, values)) }),
  }
  return http.send(request, secretsOf)
}

const unmoved = ({ url }: TestHookRequest, exchange: Exchange): NotReached =>
  new NotReached(`the test hook at ${url} answered ${responseOf(exchange).status} (${exchange.id})`)

const pull = async (
  http: Http,
  baseUrl: string,
  testHook: TestHookRequest,
  values: Arguments,
): Promise<Exchange> => {
  const exchange = await attempt(http, baseUrl, { testHook, values })
  // A redirect is not followed, so that it has done nothing.
  if (responseOf(exchange).status >= 300) throw unmoved(testHook, exchange)
  return exchange
}

export const createTestHooks = (http: Http, baseUrl: string, { testHooks }: Profile): TestHooks => {
  const bound = (name: keyof Profile['testHooks']): TestHookRequest => {
    const testHook = testHooks[name]
    if (testHook === undefined) throw new NotReached(`the profile binds no test hook testHooks.${name}`)
    return testHook
  }
  return {
    async revokeToken(token) {
      await pull(http, baseUrl, bound('revokeToken'), { token })
    },
    async revokeConsent(consentId) {
      await pull(http, baseUrl, bound('revokeConsent'), { consentId })
    },
    bookTransaction: async ({ iban, amount }) =>
      pull(http, baseUrl, bound('bookTransaction'), { iban, amount }),
    async configureWebhook({ clientId, enabled, url, securityHeader }) {
      const testHook = bound('configureWebhook')
      const values = { clientId, enabled, url, securityHeader }
      const exchange = await attempt(http, baseUrl, { testHook, values, operation: 'configureWebhook' })
      const { status } = responseOf(exchange)
      const isTaken = status < 300
      // Settings are refused by a word of the target; a breakdown or a redirect is none.
      if (!isTaken && (status < 400 || status >= 500)) throw unmoved(testHook, exchange)
      return { taken: isTaken, exchange }
    },
    async readWebhook(clientId) {
      const testHook = testHooks.readWebhook
      if (testHook === undefined) return undefined
      const exchange = await attempt(http, baseUrl, {
        testHook,
        values: { clientId },
        secretsOf: secretsOfSettings(clientId, testHook),
      })
      const { status } = responseOf(exchange)
      if (status >= 300 && status !== 404) throw unmoved(testHook, exchange)
      return foundSettings(exchange, clientId, testHook)
    },
  }
}

const timeOf = (exchange: Exchange, result: string | undefined): number => {
  const text = fieldOf(jsonOf(exchange), result ?? 'now')
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new NotReached(`the clock test hook told no time under "${result ?? 'now'}" (${exchange.id})`)
  return time
}

/** A clock that is read and moved over HTTP. Between two readings it is taken to run like the wall clock. */
export const createTestHookClock = async (
  http: Http,
  baseUrl: string,
  { testHooks }: Profile,
): Promise<TargetClock> => {
  let offset = 0
  const sync = async (): Promise<void> => {
    if (testHooks.readClock === undefined) return
    const exchange = await pull(http, baseUrl, testHooks.readClock, {})
    offset = timeOf(exchange, testHooks.readClock.result) - Date.now()
  }
  await sync()
  const pass = async (ms: number): Promise<void> => {
    if (testHooks.advanceClock === undefined)
      throw new NotReached('the profile binds no test hook testHooks.advanceClock')
    await pull(http, baseUrl, testHooks.advanceClock, clockArguments(ms, Date.now() + offset))
    offset += ms
    await sync()
  }
  return { kind: 'testHook', now: () => new Date(Date.now() + offset), pass }
}
