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
import { mayBeOfFirewall } from '../../evidence/record/answer-kind.ts'
import { HeldBack, NotReached } from '../../evidence/signals.ts'
import {
  keepBody,
  type Intent,
  type Recorded,
  type ReplayLog,
  type WireRecord,
} from '../../evidence/recorder.ts'
import { repeatServerError, retryServerError, retryWithBackOff, type Budget, type Pause } from './budget.ts'
import { encodeForm } from './request.ts'
import type { RequestBreaker } from './breaker.ts'
import type { Journal } from '../../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../../evidence/redaction.ts'
import { type Environment } from '../../profile/environment.ts'
import { isAddressing } from '../../profile/address-environment.ts'
import { errorOf } from '../../evidence/errors.ts'
import type { Fields, HttpRequest } from './request.ts'

/** Secrets that only the recipe or the profile identifies, such as the code on a result screen. */
export type SecretsOf = (exchange: Exchange) => readonly KnownSecret[]

/**
 * Replaces the network if a person sends the request, and returns their answer.
 * @param id of the exchange. @param ends aborted at the end of the run, with its reason.
 */
export type BringAnswer = (id: string, ends: AbortSignal | undefined) => Promise<Handover>

/** Further options of a request by a browser or a person. */
export interface Delivery {
  /** Receives the whole body of the answer, without its content coding. */
  readonly onBody?: (bytes: Buffer) => void
  /** Receives the function that writes the exchange, to be called when its secrets are known. */
  readonly deferWrite?: (write: () => void) => void
  /** Whether the request is only for the appearance of a page: it is not an exchange of the scenario, and is not recorded. */
  readonly isUnrecorded?: boolean
  /** Lets a person send it. */
  readonly bring?: BringAnswer
}

/** Sends requests, one exchange each. Every request that is sent is in the journal. */
export interface Http {
  /**
   * @throws HeldBack if the effect of the request is not allowed, or its origin is not one of the target.
   * @throws NotReached if it is meant for the sandbox and its address could be one of production.
   */
  send(request: HttpRequest, secretsOf?: SecretsOf, delivery?: Delivery): Promise<Exchange>
  /** The origins to which requests may be sent, and the public one, which stands for that of the target. */
  readonly origins: readonly string[]
  /** The address as the target names it, to which cookies belong; left out, it is the same. */
  readonly named?: (url: string) => string
  /** Knows the secrets of all exchanges, for other output about them. */
  readonly redactor: Redactor
}

/** The effects that are allowed at an address, or why nothing is sent there. */
type Permission =
  | { readonly kind: 'allowed'; readonly environment?: Environment; readonly effects: readonly Effect[] }
  | { readonly kind: 'misdirected'; readonly because: string }

export type Permits = (request: HttpRequest) => Permission

export interface HttpOptions {
  /** The id of the scenario, which begins the id of each exchange. */
  readonly scenario: string
  /** A dispatcher that includes the recorder. */
  readonly dispatcher: Dispatcher
  /** The origins of the target and its test hooks: nothing is sent anywhere else. */
  readonly origins: readonly string[]
  /** The origin that the target writes into its addresses, and the one at which it is reached instead. */
  readonly publicOrigin?: { readonly named: string; readonly reached: string }
  /** Decides which effects are allowed at an address. Required, so that no client is created without it. */
  readonly permits: Permits
  readonly headers: Readonly<Record<string, string>>
  readonly requestMs: number
  /** How the bank refuses, as the profile says. */
  readonly refusals?: Exchange['refusals']
  /** The effects that a repeated request has once, as the profile says. */
  readonly idempotent?: readonly Effect[]
  readonly now: () => Date
  readonly redactor: Redactor
  readonly journal: Journal
  readonly onExchange: (exchange: Exchange) => void
  /** Stops sending what the target does not answer. */
  readonly breaker?: RequestBreaker
  /** The remaining number of requests; unlimited by default. */
  readonly budget?: Budget
  /** Waits as long as the rate requires, if there is one. */
  readonly turn?: () => Promise<void>
  /** Recorded answers, which replace the network when a scenario is repeated from its log. */
  readonly replayLog?: ReplayLog
  /** Waits as long as a throttling target asks for; without it, a 429 is its answer. */
  readonly pause?: Pause
  /** Aborted at the end of the run: open requests are ended, nothing more is sent. Its reason is thrown. */
  readonly ends?: AbortSignal
}

const ACCEPTED: Fields = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
]

/** Header fields of a browser replace those of the suite. */
const REPLACED: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'user-agent'])

/** The header fields of every request, except those that the request itself has. */
const standing = (always: Fields, { headers, withoutTls }: HttpRequest): Fields => {
  // The headers of the profile may be secrets of a gateway.
  if (withoutTls === true) return ACCEPTED
  const own = new Set(headers.map(([name]) => name.toLowerCase()).filter((name) => REPLACED.has(name)))
  return own.size === 0 ? always : always.filter(([name]) => !own.has(name.toLowerCase()))
}

/** The same address at another origin, if it is at the first one. */
const moved = (url: string, from: string, to: string): string =>
  new URL(url).origin === from ? to + url.slice(new URL(url).origin.length) : url

const bodyOf = (request: HttpRequest): string | undefined =>
  request.form === undefined ? request.text : encodeForm(request.form)

export const createHttp = (options: HttpOptions): Http => {
  let count = 0
  /** The last accepted request of each kind, as a control. */
  const succeeded = new Map<string, () => Promise<Exchange>>()
  const always: Fields = [...ACCEPTED, ...Object.entries(options.headers)]

  const guard = (request: HttpRequest): Effect => {
    const effect = OPERATIONS[request.operation]
    const { origin, username, password } = new URL(request.url)
    const isKnown = options.origins.includes(origin)
    if (!isKnown && !(request.withoutTls === true && isPlainTwin(origin, options.origins)))
      throw new HeldBack(`${origin} is not the target's origin (${options.origins.join(', ')})`)
    // The part before the @ is not sent, and may have been intended as the host.
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
    { onBody, isUnrecorded = false }: Delivery,
  ): Promise<Exchange> => {
    await options.turn?.()
    options.ends?.throwIfAborted()
    const headers = [...standing(always, request), ...request.headers]
    refuseUnsendable(headers)
    options.budget?.spend(request.operation)
    const text = bodyOf(request)
    const sentAt = options.now().toISOString()
    if (!isRepeatable && !isUnrecorded) options.replayLog?.recordIntent(intentOf(id, request, sentAt))
    const record = await dispatch(options, request, { headers, body: text, isRepeatable })
    if (record.bytes !== undefined) onBody?.(record.bytes)
    const exchange: Exchange = {
      kind: 'exchange',
      id,
      sender: request.sender,
      operation: request.operation,
      effect: OPERATIONS[request.operation],
      ...(request.successFields && { successFields: request.successFields }),
      ...(request.emptyList !== undefined && { emptyList: request.emptyList }),
      ...(options.refusals && { refusals: options.refusals }),
      request: { method: request.method, url: request.url, headers, ...sentBody(text) },
      ...(record.response && { response: record.response }),
      ...(record.fault && { fault: record.fault }),
      sentAt,
      durationMs: record.durationMs,
    }
    // An answer that was interrupted by the end of the run must not be used after a resume.
    if (options.ends?.aborted !== true && !isUnrecorded) options.replayLog?.recordExchange(exchange)
    return exchange
  }

  const brought = async (id: string, request: HttpRequest, bring: BringAnswer): Promise<Exchange> => {
    const { sender, operation, method, url } = request
    const sentAt = options.now().toISOString()
    const startedAt = performance.now()
    options.replayLog?.recordIntent(intentOf(id, request, sentAt))
    const handover = await bring(id, options.ends)
    const exchange: Exchange = {
      kind: 'exchange',
      id,
      sender,
      operation,
      effect: OPERATIONS[operation],
      request: { method, url, headers: [] },
      handover,
      sentAt,
      durationMs: performance.now() - startedAt,
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
    if (delivery.isUnrecorded) return sent(`${options.scenario}/aside`, request, isRepeatable, delivery)
    count += 1
    const id = `${options.scenario}/${count}`
    const { method, url } = request
    const exchange =
      options.replayLog?.exchange({ id, method, url }) ??
      (await (delivery.bring === undefined
        ? sent(id, request, isRepeatable, delivery)
        : brought(id, request, delivery.bring)))
    options.onExchange(exchange)
    if (delivery.deferWrite === undefined) write(exchange, secretsOf)
    else delivery.deferWrite(() => write(exchange, secretsOf))
    return exchange
  }

  const { publicOrigin } = options
  const reached = (request: HttpRequest): HttpRequest =>
    publicOrigin === undefined
      ? request
      : { ...request, url: moved(request.url, publicOrigin.named, publicOrigin.reached) }

  return {
    origins: publicOrigin === undefined ? options.origins : [...options.origins, publicOrigin.named],
    redactor: options.redactor,
    ...(publicOrigin !== undefined && {
      named: (url: string) => moved(url, publicOrigin.reached, publicOrigin.named),
    }),
    async send(asked, secretsOf, delivery = {}) {
      const request = reached(asked)
      const effect = guard(request)
      const isRepeatable = effect === 'read' && SAFE_METHODS.has(request.method)
      const isOnce = movesMoney(effect, request) && options.idempotent?.includes(effect) !== true
      const { pause } = options
      const once = async (): Promise<Exchange> => {
        const exchange = await attempt(request, secretsOf, isRepeatable, delivery)
        return isRepeatable && wasDropped(exchange) ? attempt(request, secretsOf, false, delivery) : exchange
      }
      const onceMore = async (): Promise<Exchange> => {
        options.breaker?.admit(request)
        const exchange = await (pause === undefined ? once() : retryWithBackOff(once, pause, isOnce))
        // What this program or a person ended shows nothing of the target.
        const isOwn = options.ends?.aborted === true || delivery.bring !== undefined
        if (!isOwn) options.breaker?.record(exchange)
        return exchange
      }
      const ask = async (): Promise<Exchange> => {
        const exchange = await onceMore()
        // A firewall that refuses at random accepts the next one; a page that comes again is judged as the refusal it is.
        return isQuery(request) && mayBeOfFirewall(exchange) ? onceMore() : exchange
      }
      if (delivery.isUnrecorded === true || delivery.bring !== undefined) return ask()
      if (isRepeatableWrite(request)) return repeatServerError(ask, pause)
      if (!isQuery(request)) return ask()
      const kind = kindOf(request)
      const control = succeeded.get(kind)
      const exchange = await (control === undefined ? ask() : retryServerError({ ask, control, pause }))
      if (isSuccess(exchange)) succeeded.set(kind, ask)
      return exchange
    },
  }
}

const intentOf = (id: string, { sender, operation, method, url }: HttpRequest, sentAt: string): Intent => ({
  id,
  sender,
  operation,
  effect: OPERATIONS[operation],
  method,
  url,
  sentAt,
})

/** Whether an origin is that of plain HTTP to the host and port of an allowed origin. */
const isPlainTwin = (origin: string, origins: readonly string[]): boolean =>
  origins.some((allowed) => allowed.startsWith('https:') && allowed.replace(/^https:/, 'http:') === origin)

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Operations that only read, although their method is POST or PUT. */
const READING_OPERATIONS: ReadonlySet<string> = new Set<Operation>([
  'readAccount',
  'listTransactions',
  'precalculateLoan',
])

/** Whether this request only reads, so that it may be repeated. */
const isQuery = ({ operation, sender, method }: HttpRequest): boolean =>
  sender === 'scenario' &&
  OPERATIONS[operation] === 'read' &&
  (SAFE_METHODS.has(method) || READING_OPERATIONS.has(operation))

/** Sent again after a server error: a second consent, grant of tokens or refresh of accounts does no harm. */
const REPEATABLE_WRITES: ReadonlySet<string> = new Set<Operation>([
  'createConsent',
  'deleteConsent',
  'token',
  'refresh',
])

const isRepeatableWrite = ({ operation, sender }: HttpRequest): boolean =>
  sender === 'scenario' && REPEATABLE_WRITES.has(operation)

/** Whether a second request could pay or apply a second time. A page is only read, and a DELETE cancels. */
const movesMoney = (effect: Effect, { method }: HttpRequest): boolean =>
  (effect === 'pay' || effect === 'apply') && !SAFE_METHODS.has(method) && method !== 'DELETE'

/** Requests of one kind reach the same part of the target: if one is accepted, there is no outage for the others. */
const kindOf = ({ environment, method, operation }: HttpRequest): string =>
  [environment, method, operation].join(' ')

const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

/** A server may close an idle connection while a request is sent on it: this is not an answer to the request. */
const wasDropped = ({ fault }: Exchange): boolean => fault?.kind === 'reset' && fault.status === undefined

/** The target issues the tokens: one that HTTP cannot carry is not a fault of the harness. */
const refuseUnsendable = (headers: Fields): void => {
  const carriesToken = ([name, value]: Fields[number]): boolean =>
    name.toLowerCase() === 'authorization' && value.startsWith('Bearer ')
  if (headers.some((field) => carriesToken(field) && /[^\t\x20-\x7e\x80-\xff]/.test(field[1])))
    throw new NotReached('the access token has characters that a header cannot carry (RFC 6750 §2.1)')
}

const sentBody = (text: string | undefined): { body?: Body } =>
  text === undefined ? {} : { body: keepBody(Buffer.from(text)) }

interface NetworkCall {
  readonly headers: Fields
  readonly body: string | undefined
  /** Whether the request may go over a connection that the server may be about to close. */
  readonly isRepeatable: boolean
}

const callOf = (
  { url, method }: HttpRequest,
  { headers, body, isRepeatable }: NetworkCall,
  onRecorded: Recorded['onRecorded'],
): Dispatcher.DispatchOptions & Recorded => {
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    method,
    onRecorded,
    headers: headers.flat(),
    body: body ?? null,
    idempotent: isRepeatable,
  }
}

/** Ends a request without a complete response at the deadline; the recorder reports the fault. */
const dispatch = (
  { dispatcher, requestMs, ends }: HttpOptions,
  request: HttpRequest,
  wire: NetworkCall,
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
      // The recorder does not know a request that still waits for its connection.
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
        // The connection was made too late: the request must not be sent, since its exchange is already recorded as a fault.
        if (ended !== undefined) started.abort(ended)
      },
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      // The recorder has handled every network result; a remaining error means that the request could not be sent.
      onResponseError: (_, error) => fail(error),
    }
    try {
      dispatcher.dispatch(callOf(request, wire, settle), sink)
    } catch (error) {
      fail(errorOf(error))
    }
  })
