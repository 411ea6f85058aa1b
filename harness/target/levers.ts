import { NotReached } from '../evidence/signals.ts'
import { clockArguments } from '../profile/clock-arguments.ts'
import { fieldOf, jsonOf, responseOf } from '../session/answer.ts'
import { foundSettings, secretsOfSettings } from './found-settings.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { LeverRequest, Profile } from '../profile/schema.ts'
import type { Http, SecretsOf } from '../session/http.ts'
import type { HttpRequest, Operation } from '../session/request.ts'
import type { Levers, TargetClock } from '../session/session.ts'

/** The target's levers, as the profile binds them to HTTP requests. */

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
  readonly lever: LeverRequest
  readonly values: Arguments
  /** What the lever does to the world; whoever pulls one of no other name changes nothing of the interface's. */
  readonly operation?: Extract<Operation, 'lever' | 'configureWebhook'>
  /** What of the answer is secret. */
  readonly secretsOf?: SecretsOf
}

/** Whatever comes of it. */
const attempt = async (
  http: Http,
  baseUrl: string,
  { lever, values, operation = 'lever', secretsOf }: Pulled,
): Promise<Exchange> => {
  const headers: [string, string][] = Object.entries(lever.headers)
  if (lever.body !== undefined) headers.push(['Content-Type', 'application/json'])
  const request: HttpRequest = {
    operation,
    sender: 'lever',
    method: lever.method,
    url: new URL(String(fill(lever.url, escaped(values))), `${baseUrl}/`).href,
    headers: headers.map(([name, value]) => [name, String(fill(value, values))]),
    ...(lever.body !== undefined && { text: JSON.stringify(filled(lever.body, values)) }),
  }
  return http.send(request, secretsOf)
}

const unmoved = ({ url }: LeverRequest, exchange: Exchange): NotReached =>
  new NotReached(`the lever at ${url} answered ${responseOf(exchange).status} (${exchange.id})`)

const pull = async (
  http: Http,
  baseUrl: string,
  lever: LeverRequest,
  values: Arguments,
): Promise<Exchange> => {
  const exchange = await attempt(http, baseUrl, { lever, values })
  // A redirect is not followed, so that it has done nothing.
  if (responseOf(exchange).status >= 300) throw unmoved(lever, exchange)
  return exchange
}

export const createLevers = (http: Http, baseUrl: string, { levers }: Profile): Levers => {
  const bound = (name: keyof Profile['levers']): LeverRequest => {
    const lever = levers[name]
    if (lever === undefined) throw new NotReached(`the profile binds no lever levers.${name}`)
    return lever
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
      const lever = bound('configureWebhook')
      const values = { clientId, enabled, url, securityHeader }
      const exchange = await attempt(http, baseUrl, { lever, values, operation: 'configureWebhook' })
      const { status } = responseOf(exchange)
      const isTaken = status < 300
      // Settings are refused by a word of the target; a breakdown or a redirect is none.
      if (!isTaken && (status < 400 || status >= 500)) throw unmoved(lever, exchange)
      return { taken: isTaken, exchange }
    },
    async readWebhook(clientId) {
      const lever = levers.readWebhook
      if (lever === undefined) return undefined
      const exchange = await attempt(http, baseUrl, {
        lever,
        values: { clientId },
        secretsOf: secretsOfSettings(clientId, lever),
      })
      const { status } = responseOf(exchange)
      if (status >= 300 && status !== 404) throw unmoved(lever, exchange)
      return foundSettings(exchange, clientId, lever)
    },
  }
}

const timeOf = (exchange: Exchange, result: string | undefined): number => {
  const text = fieldOf(jsonOf(exchange), result ?? 'now')
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new NotReached(`the clock lever told no time under "${result ?? 'now'}" (${exchange.id})`)
  return time
}

/** A clock that is read and moved over HTTP. Between two readings it is taken to run like the wall clock. */
export const createLeverClock = async (
  http: Http,
  baseUrl: string,
  { levers }: Profile,
): Promise<TargetClock> => {
  let offset = 0
  const sync = async (): Promise<void> => {
    if (levers.readClock === undefined) return
    const exchange = await pull(http, baseUrl, levers.readClock, {})
    offset = timeOf(exchange, levers.readClock.result) - Date.now()
  }
  await sync()
  const pass = async (ms: number): Promise<void> => {
    if (levers.advanceClock === undefined)
      throw new NotReached('the profile binds no lever levers.advanceClock')
    await pull(http, baseUrl, levers.advanceClock, clockArguments(ms, Date.now() + offset))
    offset += ms
    await sync()
  }
  return { kind: 'lever', now: () => new Date(Date.now() + offset), pass }
}
