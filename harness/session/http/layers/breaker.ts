import { kindOfAnswer } from '../../../evidence/record/answer-kind.ts'
import { renderFault, type Exchange, type Operation } from '../../../evidence/exchange.ts'
import { Inconclusive } from '../../../evidence/signals.ts'
import type { Layer } from './layer.ts'

export type RequestBreaker = ReturnType<typeof createRequestBreaker>

interface Addressed {
  readonly operation: string
  readonly url: string
}

/** So many requests in a row. */
const MOST_UNANSWERED = 5

/** Probes ask where nothing may be served. */
const UNCOUNTED: ReadonlySet<string> = new Set<Operation>(['probe'])

const keyOf = ({ operation, url }: Addressed): string => `${operation} at ${new URL(url).origin}`

/** Why an exchange counts as unanswered; undefined if it does not. */
const reasonOf = (exchange: Exchange): string | undefined => {
  if (isThrottled(exchange))
    return 'was answered with too many requests (429), however often it was repeated: see --rate'
  // An answer that is too large or no HTTP came in time.
  const { fault } = exchange
  return fault === undefined || fault.kind === 'protocol' || fault.kind === 'too-large'
    ? undefined
    : `had no answer: ${renderFault(fault)}`
}

const isThrottled = (exchange: Exchange): boolean => kindOfAnswer(exchange) === 'throttled'

const isServerError = ({ response }: Exchange): boolean => response !== undefined && response.status >= 500

interface Row {
  readonly count: number
  readonly because: string
}

const countIn = (rows: Map<string, Row>, key: string, because: string): void =>
  void rows.set(key, { count: (rows.get(key)?.count ?? 0) + 1, because })

/**
 * Stops sending what the target does not answer, instead of waiting for each timeout, and what it answers with nothing but
 * server errors, instead of waiting before each repetition. Each operation of each origin is counted for itself: test hooks
 * that answer do not show that the API does.
 */
export const createRequestBreaker = (most = MOST_UNANSWERED) => {
  const unanswered = new Map<string, Row>()
  const failed = new Map<string, Row>()
  /** Origins that have throttled a request and all its repetitions, after the pauses that were asked for. */
  const throttling = new Set<string>()
  /** Origins where the API has answered otherwise than with server errors and 429: there, such an answer may be the bank's. */
  const working = new Set<string>()

  const refuse = (key: string, { count = 0, because = '' }: Partial<Row>, what: string): void => {
    if (count >= most)
      throw new Inconclusive(
        `not sent: ${count} requests in a row of the operation ${key} ${what}; the last one ${because}`,
      )
  }

  return {
    /** @throws Inconclusive after too many such requests without an answer: then nothing is sent. */
    admit(request: Addressed): void {
      const [key, { origin }] = [keyOf(request), new URL(request.url)]
      refuse(key, unanswered.get(key) ?? {}, 'were not answered')
      if (working.has(origin)) return
      if (throttling.has(origin))
        throw new Inconclusive(
          `not sent: ${origin} has answered nothing but too many requests (429), also after the pauses that it asked for: see --rate, or ask the bank whether it accepts requests from this machine`,
        )
      refuse(key, failed.get(key) ?? {}, 'failed, and no other operation has been answered otherwise')
    },
    /** Counts an exchange that has ended. */
    record(exchange: Exchange): void {
      const { operation, sender, request } = exchange
      if (UNCOUNTED.has(operation)) return
      const [key, { origin }] = [keyOf({ operation, url: request.url }), new URL(request.url)]
      if (sender !== 'testHook' && isThrottled(exchange)) throttling.add(origin)
      const because = reasonOf(exchange)
      if (because !== undefined) return countIn(unanswered, key, because)
      unanswered.delete(key)
      if (sender === 'testHook') return
      if (!isServerError(exchange)) working.add(origin)
      else countIn(failed, key, `was answered with a server error (${exchange.response?.status})`)
    },
  }
}

export interface Breaking {
  readonly breaker?: RequestBreaker
  readonly ends?: AbortSignal
}

/** Asks the breaker before each request, and reports its end. */
export const unlessUnanswered =
  ({ breaker, ends }: Breaking): Layer =>
  async (sending, next) => {
    breaker?.admit(sending.request)
    const exchange = await next(sending)
    // What this program or a person ended shows nothing of the target.
    if (ends?.aborted !== true && sending.bring === undefined) breaker?.record(exchange)
    return exchange
  }
