import { type Exchange } from '../../../evidence/exchange.ts'
import { isAccepted } from '../../../evidence/record/answer.ts'
import { isNoAnswer, kindOfAnswer } from '../../../evidence/record/answer-kind.ts'
import { isQuery, isRepeatableWrite } from '../repeatable.ts'
import { backOffMs, FIRST_PAUSE_MS, type Pause } from './back-off.ts'
import type { HttpRequest } from '../request.ts'
import type { Layer } from './layer.ts'

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

const isSuccess = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

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
