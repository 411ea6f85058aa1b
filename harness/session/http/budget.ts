import { headerOf, type Exchange, type Operation } from '../../evidence/exchange.ts'
import { isAccepted } from '../../evidence/record/answer.ts'
import { isNoAnswer, kindOfAnswer, TOO_MANY_REQUESTS } from '../../evidence/record/answer-kind.ts'
import { NotReached } from '../../evidence/signals.ts'

/** How many requests a run may still send. */
export interface Budget {
  /** Counts one request. @throws NotReached if none is left: then nothing is sent. */
  spend(operation: Operation): void
}

export interface Limits {
  readonly requests?: number | undefined
  readonly perOperation: Readonly<Partial<Record<Operation, number>>>
}

export type Spent = ReadonlyMap<string, number>

const sum = (spent: Spent): number => [...spent.values()].reduce((total, count) => total + count, 0)

/** @param before the requests that were already sent, by operation. */
export const createBudget = ({ requests, perOperation }: Limits, before: Spent = new Map()): Budget => {
  const spent = new Map(before)
  let all = sum(before)
  return {
    spend(operation) {
      const own = spent.get(operation) ?? 0
      const most = perOperation[operation]
      if (requests !== undefined && all >= requests)
        throw new NotReached(
          `not sent: the budget of ${requests} requests is used up (--budget, or \`budget.requests\` of the profile)`,
        )
      if (most !== undefined && own >= most)
        throw new NotReached(
          `not sent: the budget of ${most} requests of the operation ${operation} is used up (\`budget.perOperation\` of the profile)`,
        )
      all += 1
      spent.set(operation, own + 1)
    },
  }
}

/** Retries with back-off when the target asks for fewer requests. */

const UNAVAILABLE = 503

const FIRST_PAUSE_MS = 1_000

/** How often one request is retried. */
const MOST_REPEATS = 3
/** The longest pause, in ms. */
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

/** Waits. @param status the answer that asked for it, if one did. */
export type Pause = (ms: number, status?: number) => Promise<void>

/**
 * Waits as the target asks for, and sends the request again. @param isOnce whether it is not sent again, since a gateway may
 * ask for a pause after the bank has processed it.
 */
export const retryWithBackOff = async (
  send: () => Promise<Exchange>,
  pause: Pause,
  isOnce = false,
): Promise<Exchange> => {
  for (let repeats = 0; ; repeats += 1) {
    const exchange = await send()
    const ms = backOffMs(exchange, repeats)
    if (ms === undefined || repeats === MOST_REPEATS || ms > LONGEST_PAUSE_MS) return exchange
    await pause(ms, exchange.response?.status)
    if (isOnce) return exchange
  }
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
