import { renderFault, type Exchange, type ReceivedResponse, type SentRequest } from '../exchange.ts'
import { parseJson, isObject, isObjectOrList } from '../json.ts'
import { headerValuesOf } from './header-values.ts'
import { Inconclusive, NotReached } from '../signals.ts'
import {
  isNoAnswer,
  isPage,
  isPageOfFirewall,
  kindOfAnswer,
  mayBeOfFirewall,
  TOO_MANY_REQUESTS,
} from './answer-kind.ts'
import { messageOf } from '../errors.ts'

/**
 * The end of an authorization. `redirect`: the browser was sent out of the bank, to the application. `result-
 * screen`: the bank shows a code. `page`: the bank shows something else, such as an error. `fault`: there was no
 * answer. If a person authorized, no page was seen, and a judge that needs one gets NotReached.
 */
export interface RedirectResult {
  readonly kind: 'redirect-result'
  readonly outcome: 'redirect' | 'result-screen' | 'page' | 'fault'
  /** The last exchange, whose response ended it. */
  readonly exchange: Exchange
  /** The address of the redirect. It was not requested. */
  readonly redirect?: string
  readonly code?: string
  /** The pages of the recipe on which the customer acted, by index, in order. */
  readonly acted: readonly number[]
  /** What the customer decided; `unasked` if no page offered a refusal. */
  readonly decision: 'granted' | 'denied' | 'unasked'
  /** The bank showed the same page again: what was typed was not accepted. */
  readonly isAskedAgain?: true
  /** The redirect leads to another address than the redirect URI, with neither a code nor an error: not necessarily the bank's. */
  readonly isElsewhere?: true
  /** Only a person saw how the code came: on a page of the bank, or in a redirect. */
  readonly isCodeAlone?: true
}

export const isRedirectResult = (value: unknown): value is RedirectResult =>
  isObject(value) && value['kind'] === 'redirect-result'

export const isExchange = (value: unknown): value is Exchange =>
  isObject(value) && value['kind'] === 'exchange'

/** Reads answers: what a scenario needs for its next request, and whether a request was accepted. */

/**
 * @throws Inconclusive if there is no complete response.
 * @throws NotReached if a person sent the request: the bank's answer was not seen.
 */
export const responseOf = (exchange: Exchange): ReceivedResponse => {
  if (exchange.response !== undefined) return exchange.response
  if (exchange.handover !== undefined) throw new NotReached(unseen(exchange, 'what the bank answered'))
  throw new Inconclusive(
    exchange.fault === undefined ? 'no response was recorded' : renderFault(exchange.fault),
  )
}

/** Why something is not known of an authorization by a person. */
export const unseen = ({ id, handover }: Exchange, what: string): string =>
  handover?.by === 'skipped'
    ? `the person who was asked left ${id} out`
    : `${what} was not seen: a person has authorized (${id})`

type Parsed = { readonly json: unknown } | { readonly error: string }

/** Many checks read the same answer: its JSON is parsed once. */
const parsedAnswers = new WeakMap<Exchange, Parsed>()

/** The answer with the items of its further pages, and with the values that stand in its headers, at their places. */
const parse = (exchange: Exchange): Parsed => {
  const parsed = withPages(exchange, parseBody(exchange))
  const json = 'json' in parsed ? parsed.json : {}
  if (!isObject(json)) return parsed
  const missing = headerValuesOf(exchange).filter(([place]) => !hasValue(json, place))
  return missing.length === 0
    ? parsed
    : {
        json: missing.reduce<unknown>(
          (whole, [place, value]) => withValue(whole, place.split('.'), value),
          json,
        ),
      }
}

const withPages = ({ continued }: Exchange, parsed: Parsed): Parsed => {
  if (continued === undefined || 'error' in parsed) return parsed
  const { list, pages } = continued
  const items = [parsed.json, ...pages.map(jsonOf)].map((json) => fieldOf(json, list)).filter(Array.isArray)
  return { json: withValue(parsed.json, keysIn(parsed.json, list), items.flat()) }
}

/** A documented name may be at any place of the body. */
const hasValue = (json: unknown, place: string): boolean =>
  Object.values(PROOFS).includes(place)
    ? anywhere(json, place).length > 0
    : fieldOf(json, place) !== undefined

const withValue = (json: unknown, [key, ...deeper]: readonly string[], value: unknown): unknown =>
  key === undefined
    ? value
    : { ...(isObject(json) && json), [key]: withValue(fieldOf(json, key), deeper, value) }

const parseBody = (exchange: Exchange): Parsed => {
  const { body, status } = responseOf(exchange)
  if (body.sha256 !== undefined) return { error: `of its ${body.bytes} bytes only the head was kept` }
  const isRedirect = status >= 300 && status < 400
  // A large body is converted to text each time.
  const { text } = body
  if (text.trim() === '' && !isRedirect) return { error: 'its body is empty' }
  try {
    return { json: parseJson(text) }
  } catch (error) {
    if (isRedirect) return { error: `it is a redirect (${status}), which is not followed` }
    return { error: isPage(exchange) ? 'it is an HTML page' : messageOf(error) }
  }
}

const parseOnce = (exchange: Exchange): Parsed => {
  const parsed = parsedAnswers.get(exchange) ?? parse(exchange)
  parsedAnswers.set(exchange, parsed)
  return parsed
}

/**
 * The JSON of an answer, or undefined if it is not JSON. It is not kept: for a single pass over many large answers.
 * @throws Inconclusive if only the head of the answer was kept.
 */
export const readJson = (exchange: Exchange): unknown => {
  const { body } = responseOf(exchange)
  if (body.sha256 !== undefined)
    throw new Inconclusive(`of the ${body.bytes} bytes that ${exchange.id} answered only the head was kept`)
  const result = parse(exchange)
  return 'json' in result ? result.json : undefined
}

/** The JSON of an answer, or undefined if it is not JSON. */
export const jsonOf = (exchange: Exchange): unknown => {
  const result = parseOnce(exchange)
  return 'json' in result ? result.json : undefined
}

/**
 * Why the answer is not JSON, or undefined if it is.
 * @throws Inconclusive if the target answered with a server error: the fields of an error message are not an answer
 * to the request.
 */
export const jsonFault = (exchange: Exchange): string | undefined => {
  if (isAcceptedByContent(exchange) && brokeDown(exchange))
    throw new Inconclusive(`${exchange.id} was answered with a server error (${responseOf(exchange).status})`)
  const result = parseOnce(exchange)
  return 'error' in result ? result.error : undefined
}

/** Begins a path into an answer that is a list. */
const WHOLE = '$'

const keysIn = (json: unknown, path: string): readonly string[] => {
  const keys = path.split('.')
  return Array.isArray(json) && keys[0] === WHOLE ? keys.slice(1) : keys
}

/** The value under a dotted path: `_links.next.href`. An answer that is a list is `$`, and its first item `$.0`. */
export const fieldOf = (json: unknown, path: string): unknown => {
  let value = json
  for (const key of keysIn(json, path))
    value = isObjectOrList(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** An id or a cursor as text: a string that is not empty, or a number. */
export const idOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

/** Every value under that key, at any depth: for a documented name whose place is not shown. */
export const anywhere = (json: unknown, key: string): readonly unknown[] => {
  const found: unknown[] = []
  // Not recursive: a deeply nested answer would overflow the stack.
  const left: unknown[] = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (!isObjectOrList(value)) continue
    if (!Array.isArray(value) && Object.hasOwn(value, key)) found.push(value[key])
    for (const inner of Object.values(value).reverse()) left.push(inner)
  }
  return found
}

/** The documented field whose presence shows that an operation was done. */
const PROOFS: Readonly<Record<string, string>> = {
  createConsent: 'consentId',
  token: 'access_token',
  // An empty list shows no account, whatever the status.
  listAccounts: 'accountId',
  refresh: 'taskId',
  initiatePayment: 'orderId',
  // Error messages often have a field `status`: the HTTP status.
  readPayment: 'statusDateTime',
  submitPayment: 'statusDateTime',
  loanToken: 'access_token',
}

const isAcceptedByContent = ({ successFields, operation }: Exchange): boolean =>
  successFields !== undefined || PROOFS[operation] !== undefined

/**
 * Whether the target accepted the request. A refusal may have any form, so that only the missing result is
 * decisive.
 */
export const isAccepted = (attempt: Exchange | RedirectResult): boolean => {
  if (isRedirectResult(attempt)) return attempt.code !== undefined
  const { status } = responseOf(attempt)
  const { successFields, operation } = attempt
  const proof = PROOFS[operation]
  if (isEmptyList(attempt)) return true
  if (successFields !== undefined)
    return successFields.some((path) => isResult(fieldOf(jsonOf(attempt), path), attempt.request))
  if (proof !== undefined) return anywhere(jsonOf(attempt), proof).some(isGiven)
  return status >= 200 && status < 300 && !isNoAnswer(attempt)
}

/** Whether the answer is an empty list of accounts, of a customer who is known to have none. */
export const isEmptyList = (attempt: Exchange | RedirectResult): boolean => {
  if (isRedirectResult(attempt) || attempt.emptyList === undefined) return false
  const { status } = responseOf(attempt)
  const list = fieldOf(jsonOf(attempt), attempt.emptyList)
  return status >= 200 && status < 300 && Array.isArray(list) && list.length === 0
}

/** An error message may have a list of complaints under the name of a member: this is not a value of it. */
const isGiven = (value: unknown): boolean => value !== null && value !== '' && !Array.isArray(value)

/**
 * Whether a value is a result. An empty list, an empty object, null, and a repetition of the request in an error
 * message are not.
 */
const isResult = (value: unknown, request: SentRequest): boolean => {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return typeof value === 'string'
    ? value !== '' && !isRepeated(value, request)
    : value !== undefined && value !== null
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const isRepeated = (text: string, { url, body }: SentRequest): boolean =>
  lettersAndDigits(`${url} ${body?.text ?? ''}`).includes(lettersAndDigits(text))

/** The status of an answer; undefined for an authorization that a person completed. */
const statusOf = (attempt: Exchange | RedirectResult): number | undefined => {
  const exchange = isRedirectResult(attempt) ? attempt.exchange : attempt
  const isBrought = exchange.handover !== undefined && exchange.handover.by !== 'skipped'
  return isBrought ? undefined : responseOf(exchange).status
}

/** Where an authorization ended, in words. */
export const endOf = (redirectResult: RedirectResult): string =>
  [statusOf(redirectResult), redirectResult.outcome].filter((part) => part !== undefined).join(', ')

/** Whether the answer is a server error: neither an acceptance nor a refusal. */
export const brokeDown = (attempt: Exchange | RedirectResult): boolean => (statusOf(attempt) ?? 0) >= 500

/**
 * Whether the target refused to process the request for now (RFC 6585 §4): how many requests it accepts in a time
 * is not shown.
 */
export const isTurnedAway = (attempt: Exchange | RedirectResult): boolean =>
  isRedirectResult(attempt) ? statusOf(attempt) === TOO_MANY_REQUESTS : kindOfAnswer(attempt) === 'throttled'

/**
 * Whether an answer shows neither acceptance nor refusal: it is not the bank's, or not JSON.
 * @throws Inconclusive for an authorization that ended on a page of unknown meaning.
 */
export const isUnreadable = (attempt: Exchange | RedirectResult): boolean => {
  if (isRedirectResult(attempt)) return endedAtUnknownPage(attempt)
  if (isNoAnswer(attempt)) return !brokeDown(attempt)
  if (!isAcceptedByContent(attempt)) return false
  const { status, body } = responseOf(attempt)
  return status >= 200 && status < 300 && body.bytes > 0 && jsonFault(attempt) !== undefined
}

/** Whether what looks like a refusal may be none: an intermediary may have answered. */
export const mayBeOfIntermediary = (attempt: Exchange | RedirectResult): boolean =>
  isRedirectResult(attempt) ? endedAtIntermediary(attempt) : isNoAnswer(attempt) || mayBeOfFirewall(attempt)

/** Whether an authorization ended on a page with the status of a client error. */
export const isPageOfError = ({ outcome, exchange, isAskedAgain }: RedirectResult): boolean => {
  const status = exchange.response?.status ?? 0
  return outcome === 'page' && isAskedAgain === undefined && status >= 400 && status < 500
}

/** The same end each time is the bank's. */
const endedAtIntermediary = ({ outcome, exchange, isAskedAgain, isElsewhere }: RedirectResult): boolean =>
  exchange.timesRepeated === undefined &&
  (isElsewhere === true || (outcome === 'page' && isAskedAgain === undefined && isPageOfFirewall(exchange)))

/** The recipe does not know such a page: maintenance, a changed page, a refusal to this customer. */
const endedAtUnknownPage = ({ outcome, exchange, acted, isAskedAgain }: RedirectResult): boolean => {
  if (outcome !== 'page') return false
  const { status } = responseOf(exchange)
  // Whatever the status: wrong credentials in the profile are not the bank's fault.
  if (isAskedAgain)
    throw new Inconclusive(
      `the authorization ended at ${exchange.id} (${status}) where the bank asked again for what was typed: it did not take the customer's \`username\` or \`password\`, or \`authorization.pages.${acted.at(-1) ?? 0}\` does not fill in all of the page`,
    )
  if (status >= 400) return false
  throw new Inconclusive(
    `the authorization ended at ${exchange.id} (${status}) on a page that the recipe does not know (authorization.pages)`,
  )
}

/** A string that the next step needs. @throws NotReached with the name of what is missing. */
export const need = (exchange: Exchange, value: unknown, name: string): string => {
  if (typeof value === 'string' && value !== '') return value
  const { status } = responseOf(exchange)
  const fault = jsonFault(exchange)
  if (fault !== undefined && status < 400)
    throw new Inconclusive(`the answer to ${exchange.id} is not JSON: ${fault}`)
  throw new NotReached(`${exchange.id} (${exchange.operation}) answered ${status} without ${name}`)
}

/**
 * An address in an answer, absolute or relative to the answer's own.
 * @param path where it is, a key of the profile. @param origins those of the target: nothing is sent to any other.
 * @throws NotReached if there is none, or it leads elsewhere.
 */
export const addressIn = (exchange: Exchange, path: string, origins: readonly string[]): string => {
  const address = need(exchange, fieldOf(jsonOf(exchange), path), `an address (${path})`)
  if (!URL.canParse(address, exchange.request.url))
    throw new NotReached(`${exchange.id} answered an address that is not a URL (${path})`)
  const url = new URL(address, exchange.request.url)
  if (origins.includes(url.origin)) return url.href
  throw new NotReached(
    `the address in ${exchange.id} (${path}) leads to ${url.origin}; if it is the bank's, add it to \`origins\`, or name it as \`publicOrigin\``,
  )
}
