import type { Dispatcher } from 'undici'
import { HeldBack } from '../evidence/signals.ts'
import { keepBody } from '../evidence/recorder.ts'
import { OPERATIONS } from './request.ts'
import type { Body, Exchange } from '../evidence/exchange.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { Recorded, WireRecord } from '../evidence/recorder.ts'
import type { Fields, HttpRequest } from './request.ts'

/** Secrets that only the reader of a response can tell, such as the code on a result screen. */
export type SecretsOf = (exchange: Exchange) => readonly KnownSecret[]

/** Sends requests, one exchange each. What may not be sent is not sent; what was sent is in the journal. */
export interface Http {
  /** @throws HeldBack when the plan does not allow the request's effect, or its origin is not the target's. */
  send(request: HttpRequest, secretsOf?: SecretsOf): Promise<Exchange>
  /** The origins that may be asked. */
  readonly origins: readonly string[]
}

export interface HttpOptions {
  /** The id of the scenario, which begins the id of each exchange. */
  readonly scenario: string
  /** A dispatcher composed with the recorder. */
  readonly dispatcher: Dispatcher
  /** The origins of the target and its levers: nothing is sent anywhere else. */
  readonly origins: readonly string[]
  readonly allowed: readonly Effect[]
  readonly headers: Readonly<Record<string, string>>
  readonly requestMs: number
  readonly now: () => Date
  readonly redactor: Redactor
  readonly journal: Journal
  readonly onExchange: (exchange: Exchange) => void
  /** Waits for a turn where a rate was asked for. */
  readonly turn?: () => Promise<void>
}

const ACCEPTED: Fields = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

const encodeForm = (form: Fields): string =>
  new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString()

const bodyOf = (request: HttpRequest): string | undefined =>
  request.form === undefined ? request.text : encodeForm(request.form)

export const createHttp = (options: HttpOptions): Http => {
  let count = 0

  const guard = (request: HttpRequest): Effect => {
    const effect = OPERATIONS[request.operation]
    if (!options.allowed.includes(effect))
      throw new HeldBack(
        `${request.method} ${request.url} has the effect "${effect}", which is not allowed here`,
      )
    const { origin } = new URL(request.url)
    if (!options.origins.includes(origin))
      throw new HeldBack(`${origin} is not the target's origin (${options.origins.join(', ')})`)
    return effect
  }

  return {
    origins: options.origins,
    async send(request, secretsOf) {
      const effect = guard(request)
      count += 1
      const id = `${options.scenario}/${count}`
      await options.turn?.()
      const headers = [...ACCEPTED, ...Object.entries(options.headers), ...request.headers]
      const text = bodyOf(request)
      const sentAt = options.now().toISOString()
      const record = await dispatch(options, request, headers, text)
      const exchange: Exchange = {
        kind: 'exchange',
        id,
        sender: request.sender,
        operation: request.operation,
        effect,
        request: { method: request.method, url: request.url, headers, ...sentBody(text) },
        ...(record.response && { response: record.response }),
        ...(record.fault && { fault: record.fault }),
        sentAt,
        durationMs: record.durationMs,
      }
      options.onExchange(exchange)
      for (const { name, value } of secretsOf?.(exchange) ?? []) options.redactor.learn(name, value)
      options.journal.write(options.redactor.exchange(exchange))
      return exchange
    },
  }
}

const sentBody = (text: string | undefined): { body?: Body } =>
  text === undefined ? {} : { body: keepBody(Buffer.from(text)) }

/** A request that has no whole response at the deadline is ended there; the recorder tells what became of it. */
const dispatch = (
  { dispatcher, requestMs }: HttpOptions,
  request: HttpRequest,
  headers: Fields,
  body: string | undefined,
): Promise<WireRecord> =>
  new Promise((resolve) => {
    const { origin, pathname, search } = new URL(request.url)
    const startedAt = performance.now()
    let controller: Dispatcher.DispatchController | undefined
    // Where the request has begun, the recorder tells what had come of it.
    const deadline = setTimeout(() => {
      controller?.abort(new DeadlineError())
      settle({ fault: TIMEOUT, durationMs: performance.now() - startedAt })
    }, requestMs)
    const settle = (record: WireRecord): void => {
      clearTimeout(deadline)
      resolve(record)
    }
    const sink: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => void (controller = started),
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      onResponseError: () => undefined,
    }
    const recorded: Recorded = { onRecorded: settle }
    const call = {
      origin,
      path: pathname + search,
      method: request.method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      body: body ?? null,
      ...recorded,
    }
    dispatcher.dispatch(call, sink)
  })

class DeadlineError extends Error {
  readonly code = 'ABORTED_AT_DEADLINE'
}

const TIMEOUT = {
  kind: 'timeout',
  cause: 'DEADLINE',
  message: 'no whole answer came before the deadline of one request',
} as const
