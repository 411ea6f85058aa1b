import { DEEPEST_JSON, isJsonText, isObject, isTooDeep, parseJson } from '../json.ts'
import { headerValuesOf } from './header-values.ts'
import { factsOfOperation, headerOf, renderFault, type Exchange, type HeaderFields } from '../exchange.ts'

/**
 * Whose an answer is: the bank's, or that of an intermediary, such as a gateway, a firewall or a cache. This is decided
 * here and nowhere else; every check depends on it, since only an answer of the bank can show that the bank is wrong.
 *
 * - `bank`: an answer of the bank, right or wrong. A server error that came each time, between accepted requests, is one.
 * - `server-error`: a 5xx that may pass.
 * - `gateway`: a page or an empty body where JSON is documented, 502 to 504, a redirect without JSON, an
 *   answer from a cache, a page with a refusal where the bank refuses in JSON.
 * - `malformed`: a success that is not JSON where JSON is documented.
 * - `throttled`: 429.
 * - `transport`: no complete answer.
 */
export type AnswerKind = 'bank' | 'server-error' | 'gateway' | 'malformed' | 'throttled' | 'transport'

export const TOO_MANY_REQUESTS = 429

/** Whether an operation is called by the application: the others lead a customer over pages. */
const isOfTheApi = (operation: string): boolean => factsOfOperation(operation)?.answer !== undefined

/** RFC 9110 §15.6.3 to §15.6.5, RFC 9110 §15.5.8 and RFC 6585 §6: statuses of intermediaries. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([502, 503, 504, 407, 511])

const NO_CONTENT: ReadonlySet<number> = new Set([204, 205])

const HTML = /^\s*(<!--|<\?xml[^>]*>\s*<(!doctype\s+)?html|<!doctype\s+html|<html)\b/i

/** Whether an answer is a page: by its text, or by its media type if it is no JSON. */
const isHtml = (headers: HeaderFields, text: string): boolean =>
  HTML.test(text) ||
  (/^\s*(text\/html|application\/xhtml)/i.test(headerOf(headers, 'content-type') ?? '') &&
    text.trim() !== '' &&
    !isJsonText(text))

export const isPage = ({ response }: Exchange): boolean =>
  response !== undefined && isHtml(response.headers, response.body.text)

/** A cache, or the shield before a bank, that has asked the bank for this answer. */
const ASKED_THE_BANK = /\b(miss|dynamic|bypass|pass|fwd)\b/i

/**
 * RFC 9111 §5.1: only a cache sends Age, and one that has just asked the bank says 0. A shield may add it to every answer:
 * what no cache stores (§3), or repeats the id of this very request, is the bank's.
 */
const isFromCache = ({ request, response }: Exchange): boolean => {
  const { headers = [], body } = response ?? {}
  if (!(Number(headerOf(headers, 'age') ?? 0) > 0)) return false
  const isStored =
    ['GET', 'HEAD'].includes(request.method) &&
    !/\b(no-store|private)\b/i.test(headerOf(headers, 'cache-control') ?? '')
  const said = ['x-cache', 'cf-cache-status', 'cache-status']
    .map((name) => headerOf(headers, name) ?? '')
    .join()
  const ids = request.headers.flatMap(([name, value]) =>
    /request-id$/i.test(name) && value !== '' ? value : [],
  )
  const isOfThisRequest = ids.some(
    (id) => headers.some(([, value]) => value.includes(id)) || body?.text.includes(id) === true,
  )
  return isStored && !isOfThisRequest && !ASKED_THE_BANK.test(said)
}

/** Statuses with which firewalls refuse. A page with another one, such as 400, is rather the bank's own. */
const OF_FIREWALLS: ReadonlySet<number> = new Set([403, 404, 405, 406, 413])

const kindByStatus = (
  { operation, timesRepeated, response }: Exchange,
  status: number,
): AnswerKind | undefined => {
  if (timesRepeated !== undefined) return 'bank'
  if (status === TOO_MANY_REQUESTS) return 'throttled'
  if (OF_GATEWAYS.has(status)) return 'gateway'
  if (status >= 500) return 'server-error'
  // Intermediaries redirect with a page, or with nothing.
  const isRedirect = status >= 300 && status < 400 && !isJsonText(response?.body.text ?? '')
  return isRedirect && isOfTheApi(operation) ? 'gateway' : undefined
}

/** Whether an answer is declared as data of another format, such as a form: JSON that was cut off is still declared as JSON. */
const isOfOtherType = (headers: HeaderFields): boolean =>
  /^\s*application\/(?!octet-stream|[\w.+-]*json)/i.test(headerOf(headers, 'content-type') ?? '')

const kindBySuccess = (exchange: Exchange): AnswerKind => {
  const { operation, request, response } = exchange
  const { status = 0, headers = [], body } = response ?? {}
  const { text = '', sha256 } = body ?? {}
  if (isFromCache(exchange)) return 'gateway'
  const isDataDue = factsOfOperation(operation)?.answer === 'json' && request.method !== 'HEAD'
  if (isOfTheApi(operation) && isHtml(headers, text)) return 'gateway'
  if (!isDataDue || NO_CONTENT.has(status)) return 'bank'
  if (headerValuesOf(exchange).length > 0) return 'bank'
  if (text.trim() === '') return 'gateway'
  return sha256 !== undefined || isJsonText(text) || isOfOtherType(headers) ? 'bank' : 'malformed'
}

const classify = (exchange: Exchange): AnswerKind => {
  const { response, handover, refusals } = exchange
  if (response === undefined) return handover === undefined ? 'transport' : 'bank'
  const { status } = response
  const known = kindByStatus(exchange, status)
  if (known !== undefined) return known
  if (status < 300) return kindBySuccess(exchange)
  return refusals === 'json' && isPageOfRefusal(exchange) ? 'gateway' : 'bank'
}

/** Many checks read the same answer. */
const kinds = new WeakMap<Exchange, AnswerKind>()

export const kindOfAnswer = (exchange: Exchange): AnswerKind => {
  const kind = kinds.get(exchange) ?? classify(exchange)
  kinds.set(exchange, kind)
  return kind
}

/** A page with a 4xx status, in answer to an operation of the interface. */
const isPageOfRefusal = ({ operation, response }: Exchange): boolean =>
  response !== undefined &&
  response.status >= 400 &&
  response.status < 500 &&
  isOfTheApi(operation) &&
  isHtml(response.headers, response.body.text)

/** Whether an answer carries nothing that the bank has said. One from a cache does: the bank has said it before. */
export const isNoAnswer = (exchange: Exchange): boolean => {
  const kind = kindOfAnswer(exchange)
  if (kind === 'server-error' || kind === 'malformed') return true
  return kind === 'gateway' && !isFromCache(exchange)
}

/**
 * Whether a refusal may be that of a firewall: it is a page, and the profile does not say that the bank refuses with
 * pages. Where a refusal is expected, it is taken as the bank's; a violation it does not show.
 */
export const mayBeOfFirewall = (exchange: Exchange): boolean =>
  exchange.refusals !== 'page' && isPageOfRefusal(exchange)

/** All that the refusals of gateways have: Kong, AWS, Azure. */
const OF_GATEWAY_REFUSAL: ReadonlySet<string> = new Set(['message', 'request_id', 'requestId', 'statusCode'])

/** Whether a refusal by JSON is like those of gateways: a bank that refuses so does it again. */
const isGatewayRefusal = ({ operation, response }: Exchange): boolean => {
  const { status = 0, body } = response ?? {}
  if (status < 400 || status >= 500 || status === TOO_MANY_REQUESTS || !isOfTheApi(operation)) return false
  const json = body !== undefined && isJsonText(body.text) ? parseJson(body.text) : undefined
  return isObject(json) && 'message' in json && Object.keys(json).every((key) => OF_GATEWAY_REFUSAL.has(key))
}

/** Whether a refusal may be that of another server than the bank: of a firewall, or of a gateway. */
export const mayBeOfAnother = (exchange: Exchange): boolean =>
  mayBeOfFirewall(exchange) || isGatewayRefusal(exchange)

const formWith = (status: number, text: string): string =>
  `${status} ${text.replaceAll(/[\da-f-]{6,}|\d+/gi, '')}`

/**
 * What answers by the same server have in common, where another one than the bank may have given it: the status, and the
 * page, address or message without numbers; or that it is empty.
 */
export const foreignForm = (exchange: Exchange): string | undefined => {
  const { status = 0, headers = [], body } = exchange.response ?? {}
  const location = headerOf(headers, 'location')
  if (status >= 300 && status < 400) return location && `${status} ${location.split(/[?#]/, 1)[0] ?? ''}`
  const text = body?.text ?? ''
  const isEmpty = status === 200 && text === ''
  return isEmpty || isHtml(headers, text) || isGatewayRefusal(exchange) ? formWith(status, text) : undefined
}

/** The same for each other answer, by its beginning: of a run, those of another API may be the same. */
export const formOfAnswer = (exchange: Exchange): string => {
  const { status = 0, body } = exchange.response ?? {}
  return foreignForm(exchange) ?? formWith(status, (body?.text ?? '').slice(0, LONGEST_FORM))
}

const LONGEST_FORM = 500

/** Whether a page of an authorization is like those of firewalls, and the profile does not say that the bank refuses so. */
export const isPageOfFirewall = ({ refusals, response }: Exchange): boolean =>
  refusals !== 'page' &&
  response !== undefined &&
  OF_FIREWALLS.has(response.status) &&
  isHtml(response.headers, response.body.text)

/** Whether an answer cannot show that the bank is wrong: one that is not the bank's, or may be that of a firewall. */
export const showsNoViolation = (exchange: Exchange): boolean => {
  if (kindOfAnswer(exchange) !== 'bank') return true
  return mayBeOfFirewall(exchange) && OF_FIREWALLS.has(exchange.response?.status ?? 0)
}

/** What came instead of an answer of the bank, as words that follow "received". */
export const describeAnswer = (exchange: Exchange): string => {
  const { response, fault } = exchange
  if (response === undefined) return fault === undefined ? 'no answer' : `no answer: ${renderFault(fault)}`
  const { status, headers, body } = response
  const kind = kindOfAnswer(exchange)
  if (kind === 'throttled') return `too many requests (${status})`
  if (isFromCache(exchange))
    return `an answer from a cache (${status}, Age ${headerOf(headers, 'age') ?? ''})`
  const key = exchange.refusals === 'json' && isPageOfRefusal(exchange) ? ', and `refusals` is "json"' : ''
  if (isHtml(headers, body.text)) return `an HTML page (${status}${key})`
  if (kind === 'server-error') return `a server error (${status})`
  if (kind === 'malformed')
    return isTooDeep(body.text)
      ? `JSON nested deeper than ${DEEPEST_JSON} levels (${status})`
      : `an answer that is not JSON (${status})`
  if (status >= 300 && status < 400) return `a redirect (${status})`
  return kind === 'gateway' && body.text.trim() === '' && status < 300
    ? `an empty body (${status})`
    : `an answer with the status ${status}`
}
