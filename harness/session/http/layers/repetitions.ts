import { headerOf, isSuccess, type Effect, type Exchange } from '../../../evidence/exchange.ts'
import {
  TOO_MANY_REQUESTS,
  mayBeOfAnother,
  isNoAnswer,
  kindOfAnswer,
} from '../../../evidence/record/answer-kind.ts'
import { mayActTwice, isQuery, isRepeatableWrite } from '../repeatable.ts'
import type { KnownCredentials } from './form-encoded.ts'
import { isAccepted } from '../../../evidence/record/answer.ts'
import type { Layer } from './layer.ts'
import type { HttpRequest } from '../request.ts'

/** Layers that send a request again: after a pause that the target asks for, a server error, a dropped connection, a firewall, a refusal. */

/** Waits. @param status the answer that asked for it, if one did. */
export type Pause = (ms: number, status?: number) => Promise<void>

const UNAVAILABLE = 503

export const FIRST_PAUSE_MS = 1_000

/** How often one request is retried. */
const MOST_REPEATS = 3
const LONGEST_PAUSE_MS = 60_000

/** The Retry-After header in ms: a number of seconds, or a date by the target's clock (RFC 9110 §10.2.3). */
const retryAfter = ({ response }: Exchange): number | undefined => {
  const { headers = [] } = response ?? {}
  const text = headerOf(headers, 'Retry-After')?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const [until, now] = [Date.parse(text), Date.parse(headerOf(headers, 'Date') ?? '')]
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now)
}

/**
 * How long to wait before a retry, in ms; undefined if the answer does not ask for one. A 429 always does (RFC 6585
 * §4); a 503 without Retry-After is a server error like any other.
 * @param repeats how many retries there were: a pause without Retry-After doubles each time.
 */
export const backOffMs = (exchange: Exchange, repeats: number): number | undefined => {
  const status = exchange.response?.status
  const named = retryAfter(exchange)
  if (status === TOO_MANY_REQUESTS) return named ?? FIRST_PAUSE_MS * 2 ** repeats
  return status === UNAVAILABLE ? named : undefined
}

export interface BackOff {
  /** Without it, a 429 is the target's answer. */
  readonly pause?: Pause
  /** The effects that a repeated request has once, as the profile says. */
  readonly idempotent?: readonly Effect[]
}

/**
 * Waits as the target asks for, and sends the request again. One that could pay or apply a second time is not sent again,
 * since a gateway may ask for a pause after the bank has processed it.
 */
export const backingOff =
  ({ pause, idempotent = [] }: BackOff): Layer =>
  async (sending, next) => {
    if (pause === undefined) return next(sending)
    const isOnce = mayActTwice(sending.request) && !idempotent.includes(sending.effect)
    for (let repeats = 0; ; repeats += 1) {
      const exchange = await next(sending)
      const ms = backOffMs(exchange, repeats)
      if (ms === undefined || repeats === MOST_REPEATS || ms > LONGEST_PAUSE_MS) return exchange
      await pause(ms, exchange.response?.status)
      if (isOnce) return exchange
    }
  }

/** A server may close an idle connection while a request is sent on it: this is not an answer to the request. */
const wasDropped = ({ fault }: Exchange): boolean => fault?.kind === 'reset' && fault.status === undefined

/** Sends a request that reads once more, over a new connection, if its connection was dropped. */
export const redialed: Layer = async (sending, next) => {
  const exchange = await next(sending)
  return sending.isRepeatable && wasDropped(exchange) ? next({ ...sending, isRepeatable: false }) : exchange
}

/** A firewall or gateway that refuses at random accepts the next one; what comes again is judged as the refusal it is. */
export const repeatedAfterFirewall: Layer = async (sending, next) => {
  const exchange = await next(sending)
  return isQuery(sending.request) && mayBeOfAnother(exchange) ? next(sending) : exchange
}

/** How often a request that is answered with a server error, or not by the bank, is sent. */
const MOST_TIMES = 3

const isAnsweredWell = (exchange: Exchange): boolean =>
  exchange.response !== undefined && isAccepted(exchange)

/** Not that of a gateway (502 to 504), behind which the bank may have processed the request. */
const isServerError = (exchange: Exchange): boolean => kindOfAnswer(exchange) === 'server-error'

/**
 * Sends a request with an effect, and repeats it if it was answered with a server error. If no answer is another, the last
 * one has their number (`timesSent`). An acceptance is the answer; any other says nothing about the first one, which is
 * returned: the first request may have had its effect, such as the use of a code.
 */
export const repeatServerError = async (ask: () => Promise<Exchange>, pause?: Pause): Promise<Exchange> => {
  const first = await ask()
  if (!isServerError(first)) return first
  for (let count = 2; ; count += 1) {
    await pause?.(FIRST_PAUSE_MS * 2 ** (count - 2))
    const answer = await ask()
    if (!isServerError(answer)) return isAnsweredWell(answer) ? answer : first
    if (count === MOST_TIMES) return { ...answer, timesSent: count }
  }
}

/** How a request is repeated after a server error or a page. Each of both requests must have no effect, or only when accepted. */
interface ServerErrorRetry {
  readonly ask: () => Promise<Exchange>
  /** A request that was accepted before, preferably of the same operation: it distinguishes the answer from an outage. */
  readonly control: () => Promise<Exchange>
  readonly pause?: Pause | undefined
}

/**
 * Sends a request, and repeats it if it was answered with a server error, or not by the bank. The control follows each
 * time. If no answer is one and each control is accepted, the answer has their number (`timesRepeated`). It
 * has none if a control is not accepted, or if the target itself says that the error is temporary (Retry-After).
 */
export const retryServerError = async ({ ask, control, pause }: ServerErrorRetry): Promise<Exchange> => {
  for (let count = 1; ; count += 1) {
    const answer = await ask()
    const isDecided = answer.timesRepeated !== undefined || backOffMs(answer, 0) !== undefined
    if (isDecided || !isNoAnswer(answer) || !isAnsweredWell(await control())) return answer
    if (count === MOST_TIMES) return { ...answer, timesRepeated: count }
    await pause?.(FIRST_PAUSE_MS * 2 ** (count - 1))
  }
}

/** Requests of one kind reach the same part of the target: if one is accepted, there is no outage for the others. */
const kindOf = ({ environment, method, operation }: HttpRequest): string =>
  [environment, method, operation].join(' ')

/** Repeats requests that were answered with a server error, those that read with the last accepted one as a control. */
export const repeatedAfterServerErrors = ({ pause }: { readonly pause?: Pause }): Layer => {
  /** The last accepted request of each kind. */
  const succeeded = new Map<string, () => Promise<Exchange>>()
  return async (sending, next) => {
    const { request } = sending
    const ask = (): Promise<Exchange> => next(sending)
    if (isRepeatableWrite(request)) return repeatServerError(ask, pause)
    if (!isQuery(request)) return ask()
    const kind = kindOf(request)
    const control = succeeded.get(kind)
    const exchange = await (control === undefined ? ask() : retryServerError({ ask, control, pause }))
    if (isSuccess(exchange)) succeeded.set(kind, ask)
    return exchange
  }
}

const isRefusal = (exchange: Exchange): boolean =>
  exchange.response !== undefined &&
  exchange.response.status >= 400 &&
  exchange.timesRepeated === undefined &&
  kindOfAnswer(exchange) === 'bank' &&
  !isAccepted(exchange)

/** Refused requests that are asked again once in a scenario: those that read, once for each token. */
const questionOf = (request: HttpRequest): string => {
  const { operation, method, url, headers, form, text } = request
  const asked = [operation, method, headerOf(headers, 'Authorization')]
  return JSON.stringify(isQuery(request) ? asked : [...asked, url, form, text])
}

/**
 * Sends a request that was refused once more: a bank of which one of several servers accepts what it must refuse may have
 * asked another one. Wrong credentials of a client are not sent again, since they may lock it.
 */
export const refusalsAskedAgain = ({ isUnknownClient }: Pick<KnownCredentials, 'isUnknownClient'>): Layer => {
  const asked = new Set<string>()
  return async (sending, next) => {
    const { request } = sending
    const first = await next(sending)
    const question = questionOf(request)
    const isPossible = isQuery(request) || isRepeatableWrite(request)
    const isOfClient = headerOf(request.headers, 'Authorization')?.startsWith('Basic ')
    if (!isPossible || asked.has(question) || first.concurrent === true || !isRefusal(first)) return first
    if (isOfClient === true && isUnknownClient(first)) return first
    asked.add(question)
    const second = await next(sending)
    return isAnsweredWell(second) ? { ...first, acceptedAs: second.id } : first
  }
}
