import { setTimeout as sleep } from 'node:timers/promises'
import { NotReached } from '../evidence/signals.ts'
import { fieldOf, jsonOf, responseOf } from '../session/answer.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { LeverRequest, Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Levers, TargetClock } from '../session/session.ts'

/** The target's levers, as the profile binds them to HTTP requests. */

type Arguments = Readonly<Record<string, string | number>>

const filled = (template: unknown, values: Arguments): unknown => {
  if (typeof template === 'string') return fill(template, values)
  if (Array.isArray(template)) return template.map((item) => filled(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, filled(item, values)]))
}

/** `{name}` alone keeps the argument's type; inside a longer text it becomes text. */
const fill = (template: string, values: Arguments): string | number => {
  const whole = /^\{(\w+)\}$/.exec(template)?.[1]
  const value = whole === undefined ? undefined : values[whole]
  return value ?? template.replaceAll(/\{(\w+)\}/g, (text, name: string) => String(values[name] ?? text))
}

/** A token may have characters that mean something in a URL. */
const escaped = (values: Arguments): Arguments =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]))

const pull = async (
  http: Http,
  baseUrl: string,
  lever: LeverRequest,
  values: Arguments,
): Promise<Exchange> => {
  const headers: [string, string][] = Object.entries(lever.headers)
  if (lever.body !== undefined) headers.push(['Content-Type', 'application/json'])
  const exchange = await http.send({
    operation: 'lever',
    sender: 'lever',
    method: lever.method,
    url: new URL(String(fill(lever.url, escaped(values))), `${baseUrl}/`).href,
    headers: headers.map(([name, value]) => [name, String(fill(value, values))]),
    ...(lever.body !== undefined && { text: JSON.stringify(filled(lever.body, values)) }),
  })
  const { status } = responseOf(exchange)
  // A redirect is not followed, so that it has done nothing.
  if (status >= 300) throw new NotReached(`the lever at ${lever.url} answered ${status} (${exchange.id})`)
  return exchange
}

export const createLevers = (http: Http, baseUrl: string, { levers }: Profile): Levers => ({
  async revokeToken(token) {
    if (levers.revokeToken === undefined)
      throw new NotReached('the profile binds no lever levers.revokeToken')
    await pull(http, baseUrl, levers.revokeToken, { token })
  },
})

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
  const advance = async (ms: number): Promise<void> => {
    if (levers.advanceClock === undefined)
      throw new NotReached('the profile binds no lever levers.advanceClock')
    await pull(http, baseUrl, levers.advanceClock, { milliseconds: ms })
    offset += ms
    await sync()
  }
  return { kind: 'lever', now: () => new Date(Date.now() + offset), advance, pass: advance }
}

/** @param ends the end of the run: nobody waits beyond it. */
export const createWallClock = (ends?: AbortSignal): TargetClock => ({
  kind: 'wall',
  now: () => new Date(),
  advance: async () => {
    throw new NotReached("the target's clock cannot be moved (levers.advanceClock)")
  },
  async pass(ms) {
    try {
      await sleep(ms, undefined, { signal: ends })
    } catch (error) {
      // The reason of the end is what the verdict says.
      ends?.throwIfAborted()
      throw error
    }
  },
})
