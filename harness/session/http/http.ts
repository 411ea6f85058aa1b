import type { Dispatcher } from 'undici'
import {
  Ended,
  faultOf,
  OPERATIONS,
  type Body,
  type Effect,
  type Exchange,
  type Handover,
  type Operation,
} from '../../evidence/exchange.ts'
import { HeldBack, NotReached } from '../../evidence/signals.ts'
import { keepBody, type Recorded, type ReplayLog, type WireRecord } from '../../evidence/recorder.ts'
import { retryServerError, retryWithBackOff, type Budget } from './budget.ts'
import { encodeForm } from './request.ts'
import type { Journal } from '../../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../../evidence/redaction.ts'
import { isAddressing, type Environment } from '../../profile/environments.ts'
import type { Fields, HttpRequest } from './request.ts'

/** Secrets that only the reader of a response can tell, such as the code on a result screen. */
export type SecretsOf = (exchange: Exchange) => readonly KnownSecret[]

/**
 * Stands in for the network where a person sends the request, and gives what they brought back.
 * @param id of the exchange. @param ends the end of the run, as its reason says.
 */
export type Bring = (id: string, ends: AbortSignal | undefined) => Promise<Handover>

/** What a browser, or whoever has one, needs of a request, beside its exchange. */
export interface Delivery {
  /** The whole body of the answer, without its content coding. */
  readonly onBody?: (bytes: Buffer) => void
  /** Is handed the writing of the exchange, for when it is known what in it is secret. */
  readonly withhold?: (write: () => void) => void
  /** What a page only looks better with is no exchange of the scenario: it is neither kept nor written. */
  readonly isAside?: boolean
  /** Has somebody else send it. */
  readonly bring?: Bring
}

/** Sends requests, one exchange each. What may not be sent is not sent; what was sent is in the journal. */
export interface Http {
  /**
   * @throws HeldBack when the plan does not allow the request's effect, or its origin is not the target's.
   * @throws NotReached when it is meant for the sandbox and its address could be one of production.
   */
  send(request: HttpRequest, secretsOf?: SecretsOf, delivery?: Delivery): Promise<Exchange>
  /** The origins that may be asked. */
  readonly origins: readonly string[]
  /** Knows what is secret in what was sent and answered, for whoever else writes of it. */
  readonly redactor: Redactor
}

/** What is allowed where a request goes, or why nothing is sent there. */
export type Permission =
  | { readonly kind: 'allowed'; readonly environment?: Environment; readonly effects: readonly Effect[] }
  | { readonly kind: 'misdirected'; readonly because: string }

export type Permits = (request: HttpRequest) => Permission

export interface HttpOptions {
  /** The id of the scenario, which begins the id of each exchange. */
  readonly scenario: string
  /** A dispatcher composed with the recorder. */
  readonly dispatcher: Dispatcher
  /** The origins of the target and its test hooks: nothing is sent anywhere else. */
  readonly origins: readonly string[]
  /** What is allowed where a request goes: nobody opens connections of a run without saying so. */
  readonly permits: Permits
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
  readonly replayLog?: ReplayLog
  /** Lets time pass for a target that asks to be left alone; without it, what it says is its answer. */
  readonly pause?: (ms: number) => Promise<void>
  /** The end of the run: what is under way is ended, nothing more is sent. Its reason is thrown. */
  readonly ends?: AbortSignal
}

const ACCEPTED: Fields = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

/** What a browser says of itself, it says instead of us. */
const REPLACED: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'user-agent'])

/** The fields that go with every request, but for those that this one brings itself. */
const standing = (always: Fields, { headers, withoutTls }: HttpRequest): Fields => {
  // The profile's own headers may be secrets of a gateway.
  if (withoutTls === true) return ACCEPTED
  const own = new Set(headers.map(([name]) => name.toLowerCase()).filter((name) => REPLACED.has(name)))
  return own.size === 0 ? always : always.filter(([name]) => !own.has(name.toLowerCase()))
}

const bodyOf = (request: HttpRequest): string | undefined =>
  request.form === undefined ? request.text : encodeForm(request.form)

export const createHttp = (options: HttpOptions): Http => {
  let count = 0
  /** The last request of each kind that was answered with a success, as it is sent again. */
  const succeeded = new Map<string, () => Promise<Exchange>>()
  const always: Fields = [...ACCEPTED, ...Object.entries(options.headers)]

  const guard = (request: HttpRequest): Effect => {
    const effect = OPERATIONS[request.operation]
    const { origin, username, password } = new URL(request.url)
    const isKnown = options.origins.includes(origin)
    if (!isKnown && !(request.withoutTls === true && isPlainTwin(origin, options.origins)))
      throw new HeldBack(`${origin} is not the target's origin (${options.origins.join(', ')})`)
    // What stands before the @ is dropped on the way, and may have looked like the host to whoever wrote it.
    if (username !== '' || password !== '')
      throw new NotReached(`a request to ${origin} was not sent: its address carries credentials before an @`)
    const permission = options.permits(request)
    if (permission.kind === 'misdirected') throw new NotReached(permission.because)
    const { environment = 'this target', effects } = permission
    if (!effects.includes(effect))
      throw new HeldBack(
        `${request.method} ${request.url} has the effect "${effect}", which is not allowed in ${environment} (${effects.length === 0 ? 'nothing is' : `allowed: ${effects.join(', ')}`})`,
      )
    const fields = [...Object.keys(options.headers), ...request.headers.map(([name]) => name)]
    const field = fields.find(isAddressing)
    if (field !== undefined)
      throw new NotReached(`a request to ${origin} was not sent: its header ${field} names another address`)
    return effect
  }

  const sent = async (
    id: string,
    request: HttpRequest,
    isRepeatable: boolean,
    { onBody, isAside = false }: Delivery,
  ): Promise<Exchange> => {
    await options.turn?.()
    options.ends?.throwIfAborted()
    const headers = [...standing(always, request), ...request.headers]
    refuseUnsendable(headers)
    options.budget?.spend(request.operation)
    const text = bodyOf(request)
    const sentAt = options.now().toISOString()
    if (!isRepeatable && !isAside) options.replayLog?.recordIntent(id)
    const record = await dispatch(options, request, { headers, body: text, isRepeatable })
    if (record.bytes !== undefined) onBody?.(record.bytes)
    const exchange: Exchange = {
      kind: 'exchange',
      id,
      sender: request.sender,
      operation: request.operation,
      effect: OPERATIONS[request.operation],
      ...(request.successFields && { successFields: request.successFields }),
      request: { method: request.method, url: request.url, headers, ...sentBody(text) },
      ...(record.response && { response: record.response }),
      ...(record.fault && { fault: record.fault }),
      sentAt,
      durationMs: record.durationMs,
    }
    // What the end of the run has cut off is no answer to continue with.
    if (options.ends?.aborted !== true && !isAside) options.replayLog?.recordExchange(exchange)
    return exchange
  }

  const brought = async (id: string, request: HttpRequest, bring: Bring): Promise<Exchange> => {
    const { sender, operation, method, url } = request
    const sentAt = options.now().toISOString()
    const startedAt = performance.now()
    options.replayLog?.recordIntent(id)
    const handover = await bring(id, options.ends)
    const exchange: Exchange = {
      ...{ kind: 'exchange', id, sender, operation, effect: OPERATIONS[operation] },
      request: { method, url, headers: [] },
      ...{ handover, sentAt, durationMs: performance.now() - startedAt },
    }
    options.replayLog?.recordExchange(exchange)
    return exchange
  }

  const write = (exchange: Exchange, secretsOf: SecretsOf | undefined): void => {
    for (const { name, value } of secretsOf?.(exchange) ?? []) options.redactor.learn(name, value)
    options.journal.write(exchange, options.redactor)
  }

  const attempt = async (
    request: HttpRequest,
    secretsOf: SecretsOf | undefined,
    isRepeatable: boolean,
    delivery: Delivery,
  ): Promise<Exchange> => {
    options.ends?.throwIfAborted()
    if (delivery.isAside) return sent(`${options.scenario}/aside`, request, isRepeatable, delivery)
    count += 1
    const id = `${options.scenario}/${count}`
    const { method, url } = request
    const exchange =
      options.replayLog?.exchange({ id, method, url }) ??
      (await (delivery.bring === undefined
        ? sent(id, request, isRepeatable, delivery)
        : brought(id, request, delivery.bring)))
    options.onExchange(exchange)
    if (delivery.withhold === undefined) write(exchange, secretsOf)
    else delivery.withhold(() => write(exchange, secretsOf))
    return exchange
  }

  return {
    origins: options.origins,
    redactor: options.redactor,
    async send(request, secretsOf, delivery = {}) {
      const isRepeatable = guard(request) === 'read' && SAFE.has(request.method)
      const { pause } = options
      const once = async (): Promise<Exchange> => {
        const exchange = await attempt(request, secretsOf, isRepeatable, delivery)
        return isRepeatable && wasDropped(exchange) ? attempt(request, secretsOf, false, delivery) : exchange
      }
      const ask = (): Promise<Exchange> => (pause === undefined ? once() : retryWithBackOff(once, pause))
      if (!isQuery(request) || delivery.isAside === true || delivery.bring !== undefined) return ask()
      const kind = kindOf(request)
      const control = succeeded.get(kind)
      const exchange = await (control === undefined ? ask() : retryServerError({ ask, control, pause }))
      if (isSuccess(exchange)) succeeded.set(kind, ask)
      return exchange
    },
  }
}

/** Whether an origin is that of plain HTTP to the host and port of an allowed origin. */
const isPlainTwin = (origin: string, origins: readonly string[]): boolean =>
  origins.some((allowed) => allowed.startsWith('https:') && allowed.replace(/^https:/, 'http:') === origin)

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** What is read by another method where the interface or the profile has it so. */
const QUERIES: ReadonlySet<string> = new Set<Operation>([
  'readAccount',
  'listTransactions',
  'precalculateLoan',
])

/** Whether a scenario only reads by this request, so that it may be sent again at any time. */
const isQuery = ({ operation, sender, method }: HttpRequest): boolean =>
  sender === 'scenario' && OPERATIONS[operation] === 'read' && (SAFE.has(method) || QUERIES.has(operation))

/** Requests of one kind reach the same part of the target: if one is accepted, there is no outage for the others. */
const kindOf = ({ environment, method, operation }: HttpRequest): string =>
  [environment, method, operation].join(' ')

const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

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
