import { fieldOf, jsonOf, responseOf } from '../evidence/record/answer.ts'
import { NotReached } from '../evidence/signals.ts'
import { leavesOf } from '../profile/binding/names.ts'
import { clockArguments, type TestHookRequest, type WebhookReading } from '../profile/schema/test-hooks.ts'
import type { Exchange, Operation } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock, TestHooks, WebhookSettings } from '../session/clock.ts'
import type { Http, SecretsOf } from '../session/http/http.ts'
import type { HttpRequest } from '../session/http/request.ts'

/** The webhook settings that a target's test hook tells, so that they can be put back. */

/** Of an application that was never set up. */
const NOT_FOUND = 404

interface Told {
  readonly settings: unknown
  readonly enabled: boolean | undefined
  readonly url: unknown
  readonly header: unknown
}

const toldIn = (exchange: Exchange, { result, fields }: WebhookReading): Told => {
  const json = jsonOf(exchange)
  const settings = result === undefined ? json : fieldOf(json, result)
  return {
    settings,
    enabled: isOn(fieldOf(settings, fields.enabled)),
    url: fieldOf(settings, fields.url),
    header: fieldOf(settings, fields.securityHeader),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** All that a security header may consist of (Events, Configuration, Webhook Security Header). */
const SECURITY_HEADER = /^[ a-zA-Z0-9=+/]*$/

/** A target may well hide what is secret, or a part of it: what stands in its place would be put back as the header. */
const isHidden = (header: string): boolean => !SECURITY_HEADER.test(header)

/** Whether the application is notified, in the interface's words as well (Events, Configuration, Webhook Enabled). */
const isOn = (enabled: unknown): boolean | undefined => {
  const word = typeof enabled === 'boolean' ? String(enabled) : typeof enabled === 'string' ? enabled : ''
  if (/^(true|yes)$/i.test(word)) return true
  return /^(false|no)$/i.test(word) ? false : undefined
}

const textsIn = (exchange: Exchange): readonly string[] =>
  leavesOf(jsonOf(exchange))
    .map(({ value }) => value)
    .filter(isText)

/** Nobody has set anything: there is no such application, nothing is said of it, or no address. */
const isUnset = (exchange: Exchange, clientId: string, reading: WebhookReading): boolean => {
  const { status, body } = responseOf(exchange)
  if (status === NOT_FOUND || body.text.trim() === '') return true
  const { settings, enabled, url } = toldIn(exchange, reading)
  const isEmpty = typeof settings === 'object' && settings !== null && Object.keys(settings).length === 0
  if (settings === null || isEmpty || url === null || url === '') return true
  // Where there is any other text, the address may stand there under another name.
  const isNoAddress = (text: string): boolean => text === clientId || isOn(text) !== undefined
  return enabled === false && url === undefined && textsIn(exchange).every(isNoAddress)
}

const unreadable = (
  { id }: Exchange,
  { fields: { enabled, url, securityHeader } }: WebhookReading,
): NotReached =>
  new NotReached(
    `the webhook settings could not be put back, so that they are not changed: \`testHooks.readWebhook\` answered (${id}) something else than \`${enabled}\`, true or false, Yes or No, \`${url}\`, a text, and \`${securityHeader}\`, a text that is not hidden or nothing; name these members in \`testHooks.readWebhook.fields\`, or leave the test hook out`,
  )

/**
 * The settings of an application; undefined where it has none.
 * @throws NotReached where what is told could not be put back: then nothing may be written over it.
 */
export const foundSettings = (
  exchange: Exchange,
  clientId: string,
  reading: WebhookReading,
): WebhookSettings | undefined => {
  if (isUnset(exchange, clientId, reading)) return undefined
  const { enabled, url, header } = toldIn(exchange, reading)
  const securityHeader = header ?? ''
  if (enabled === undefined || typeof url !== 'string' || typeof securityHeader !== 'string')
    throw unreadable(exchange, reading)
  if (isHidden(securityHeader)) throw unreadable(exchange, reading)
  return { clientId, enabled, url, securityHeader }
}

const isUnreadable = (exchange: Exchange, clientId: string, reading: WebhookReading): boolean => {
  try {
    foundSettings(exchange, clientId, reading)
    return false
  } catch (error) {
    if (error instanceof NotReached) return true
    throw error
  }
}

/** The security header; where the settings cannot be read, any text of them may be it. */
export const secretsOfSettings =
  (clientId: string, reading: WebhookReading): SecretsOf =>
  (exchange) => {
    if (exchange.response === undefined || exchange.response.status >= 300) return []
    const texts = isUnreadable(exchange, clientId, reading)
      ? textsIn(exchange).filter((text) => text !== clientId)
      : [toldIn(exchange, reading).header].filter(isText)
    return texts.map((value) => ({ name: 'security_header', value }))
  }

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
    throw new NotReached(`the clock test hook returned no time under "${result ?? 'now'}" (${exchange.id})`)
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
