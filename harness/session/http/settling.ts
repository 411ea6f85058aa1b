import { setTimeout as sleep } from 'node:timers/promises'
import { headerOf, OPERATIONS, type Exchange } from '../../evidence/exchange.ts'
import { encodeForm, type HttpRequest } from './request.ts'
import type { Http } from './http.ts'

/** How often it is asked again whether a target has settled, in ms. */
const INTERVAL_MS = 100

/** Requests for the same thing, with whatever token. */
const subjectOf = ({ method, url, text, form }: HttpRequest): string =>
  [method, url, text ?? (form === undefined ? '' : encodeForm(form))].join('\n')

const answerOf = ({ response }: Exchange): string | undefined =>
  response && `${response.status}\n${response.body.text}`

/**
 * A target may take a moment until it shows what a test hook has changed (`testHooks.*.settleMs`). A read that is answered
 * just as before the hook, or at first, is sent again until its answer is another one, or that time is over.
 * @param now of the machine, in ms.
 */
export const settling = (http: Http, now: () => number = () => performance.now()): Http => {
  /** The last answers before the hook: by subject, those to each Authorization header. */
  const answers = new Map<string, Map<string, string>>()
  let until = -Infinity

  const remember = (request: HttpRequest, exchange: Exchange): void => {
    const answer = answerOf(exchange)
    if (answer === undefined) return
    const subject = subjectOf(request)
    const known = answers.get(subject) ?? new Map<string, string>()
    const credentials = headerOf(request.headers, 'Authorization') ?? ''
    answers.set(subject, known.set(credentials, answer))
  }

  return {
    ...http,
    async send(request, ...rest) {
      if (request.settleMs !== undefined) {
        const exchange = await http.send(request, ...rest)
        until = now() + request.settleMs
        return exchange
      }
      if (request.sender !== 'scenario' || OPERATIONS[request.operation].effect !== 'read')
        return http.send(request, ...rest)
      let exchange = await http.send(request, ...rest)
      // What was not read before the hook may have been changed by it as well.
      const known = [...(answers.get(subjectOf(request))?.values() ?? [])]
      const before = known.length > 0 ? known : [answerOf(exchange) ?? '']
      while (now() < until && before.includes(answerOf(exchange) ?? '')) {
        await sleep(Math.min(INTERVAL_MS, until - now()))
        exchange = await http.send(request, ...rest)
      }
      remember(request, exchange)
      return exchange
    },
  }
}
