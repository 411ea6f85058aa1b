import type { Dispatcher } from 'undici'
import { Ended, faultOf } from '../evidence/fault.ts'
import { HeldBack, NotReached } from '../evidence/signals.ts'
import { keepBody } from '../evidence/recorder.ts'
import { LONGEST_PAUSE_MS, MOST_REPEATS, pauseAfter } from './patience.ts'
import { encodeForm, OPERATIONS } from './request.ts'
import type { Body, Exchange } from '../evidence/exchange.ts'
import type { Effect } from '../evidence/effect.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { Recorded, WireRecord } from '../evidence/recorder.ts'
import type { Tape } from '../evidence/tape.ts'
import type { Budget } from './budget.ts'
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
  /** What is allowed where a request goes; undefined where that is not out of the environment that is judged. */
  readonly allowedElsewhere?: (request: HttpRequest) => readonly Effect[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly requestMs: number
  readonly now: () => Date
  readonly redactor: Redactor
  readonly journal: Journal
  readonly onExchange: (exchange: Exchange) => void
  /** How many requests may still be sent; any number, if it is left out. */
  readonly budget?: Budget
  /** Waits for a turn where a rate was asked for. */
  readonly turn?: () => Promise<void>
  /** Stands in for the network as far as it goes, where the act is done again from its log. */
  readonly tape?: Tape
  /** Lets time pass for a target that asks to be left alone; without it, what it says is its answer. */
  readonly pause?: (ms: number) => Promise<void>
  /** The end of the run: what is under way is ended, nothing more is sent. Its reason is thrown. */
  readonly ends?: AbortSignal
}

const ACCEPTED: Fields = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

const bodyOf = (request: HttpRequest): string | undefined =>
  request.form === undefined ? request.text : encodeForm(request.form)

export const createHttp = (options: HttpOptions): Http => {
  let count = 0

  const guard = (request: HttpRequest): Effect => {
    const effect = OPERATIONS[request.operation]
    const allowed = options.allowedElsewhere?.(request) ?? options.allowed
    if (!allowed.includes(effect))
      throw new HeldBack(
        `${request.method} ${request.url} has the effect "${effect}", which is not allowed here`,
      )
    const { origin } = new URL(request.url)
    if (!options.origins.includes(origin))
      throw new HeldBack(`${origin} is not the target's origin (${options.origins.join(', ')})`)
    return effect
  }

  const sent = async (id: string, request: HttpRequest, isRepeatable: boolean): Promise<Exchange> => {
    await options.turn?.()
    options.ends?.throwIfAborted()
    const headers = [...ACCEPTED, ...Object.entries(options.headers), ...request.headers]
    refuseUnsendable(headers)
    options.budget?.spend(request.operation)
    const text = bodyOf(request)
    const sentAt = options.now().toISOString()
    if (!isRepeatable) options.tape?.intends(id)
    const record = await dispatch(options, request, { headers, body: text, isRepeatable })
    const exchange: Exchange = {
      kind: 'exchange',
      id,
      sender: request.sender,
      operation: request.operation,
      effect: OPERATIONS[request.operation],
      ...(request.fruit && { fruit: request.fruit }),
      request: { method: request.method, url: request.url, headers, ...sentBody(text) },
      ...(record.response && { response: record.response }),
      ...(record.fault && { fault: record.fault }),
      sentAt,
      durationMs: record.durationMs,
    }
    // What the end of the run has cut off is no answer to go on with.
    if (options.ends?.aborted !== true) options.tape?.keeps(exchange)
    return exchange
  }

  const attempt = async (request: HttpRequest, secretsOf: SecretsOf | undefined, isRepeatable: boolean) => {
    options.ends?.throwIfAborted()
    count += 1
    const id = `${options.scenario}/${count}`
    const { method, url } = request
    const exchange = options.tape?.exchange({ id, method, url }) ?? (await sent(id, request, isRepeatable))
    options.onExchange(exchange)
    for (const { name, value } of secretsOf?.(exchange) ?? []) options.redactor.learn(name, value)
    options.journal.write(exchange, options.redactor)
    return exchange
  }

  return {
    origins: options.origins,
    async send(request, secretsOf) {
      const isRepeatable = guard(request) === 'read' && SAFE.has(request.method)
      const once = async (): Promise<Exchange> => {
        const exchange = await attempt(request, secretsOf, isRepeatable)
        return isRepeatable && wasDropped(exchange) ? attempt(request, secretsOf, false) : exchange
      }
      return options.pause === undefined ? once() : patiently(once, options.pause)
    },
  }
}

/** A request that was turned away has done nothing, so that it may be sent again, whatever it does. */
const patiently = async (
  send: () => Promise<Exchange>,
  pause: (ms: number) => Promise<void>,
): Promise<Exchange> => {
  for (let repeats = 0; ; repeats += 1) {
    const exchange = await send()
    const ms = pauseAfter(exchange, repeats)
    if (ms === undefined || repeats === MOST_REPEATS || ms > LONGEST_PAUSE_MS) return exchange
    await pause(ms)
  }
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** A server may close an idle connection just as a request is sent on it: that says nothing about its answers. */
const wasDropped = ({ fault }: Exchange): boolean => fault?.kind === 'reset' && fault.status === undefined

/** The target issues the tokens: one that HTTP cannot carry is no fault of the harness. */
const refuseUnsendable = (headers: Fields): void => {
  const carriesToken = ([name, value]: Fields[number]): boolean =>
    name.toLowerCase() === 'authorization' && value.startsWith('Bearer ')
  if (headers.some((field) => carriesToken(field) && /[^\t\x20-\x7e\x80-\xff]/.test(field[1])))
    throw new NotReached('the access token has characters that a header cannot carry (RFC 6750 §2.1)')
}

const sentBody = (text: string | undefined): { body?: Body } =>
  text === undefined ? {} : { body: keepBody(Buffer.from(text)) }

interface Wire {
  readonly headers: Fields
  readonly body: string | undefined
  /** Whether the request may go over a connection that the server may be about to close. */
  readonly isRepeatable: boolean
}

const callOf = (
  { url, method }: HttpRequest,
  { headers, body, isRepeatable }: Wire,
  onRecorded: Recorded['onRecorded'],
): Dispatcher.DispatchOptions & Recorded => {
  const { origin, pathname, search } = new URL(url)
  return {
    ...{ origin, path: pathname + search, method, onRecorded },
    headers: headers.flat(),
    body: body ?? null,
    idempotent: isRepeatable,
  }
}

/** A request that has no whole response at the deadline is ended there; the recorder tells what became of it. */
const dispatch = (
  { dispatcher, requestMs, ends }: HttpOptions,
  request: HttpRequest,
  wire: Wire,
): Promise<WireRecord> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let controller: Dispatcher.DispatchController | undefined
    let ended: Ended | undefined

    const finish = (): void => {
      clearTimeout(deadline)
      ends?.removeEventListener('abort', endWithRun)
    }
    const settle = (record: WireRecord): void => {
      finish()
      resolve(record)
    }
    const fail = (error: Error): void => {
      finish()
      reject(error)
    }
    const end = (error: Ended): void => {
      ended = error
      controller?.abort(error)
      // A request that waits for its connection is not known to the recorder yet.
      settle({ fault: faultOf(error), durationMs: performance.now() - startedAt })
    }
    const endWithRun = (): void => end(new Ended('RUN_ENDED'))
    const deadline = setTimeout(
      () => end(new Ended(controller === undefined ? 'UNCONNECTED' : 'DEADLINE')),
      requestMs,
    )
    ends?.addEventListener('abort', endWithRun, { once: true })

    const sink: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // Its connection came about too late: it is not sent behind the back of its own record.
        if (ended !== undefined) started.abort(ended)
      },
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      // The recorder has settled whatever came from the wire; what is left could not be sent.
      onResponseError: (_, error) => fail(error),
    }
    try {
      dispatcher.dispatch(callOf(request, wire, settle), sink)
    } catch (error) {
      fail(error as Error)
    }
  })
