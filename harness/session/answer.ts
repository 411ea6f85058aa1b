import { attached } from '../evidence/attached.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { renderFault } from '../evidence/fault.ts'
import { isLanding } from './landing.ts'
import type { Exchange, ReceivedResponse, SentRequest } from '../evidence/exchange.ts'
import type { Landing } from './landing.ts'

/** Reading answers: what a scenario needs of one answer for its next request, and whether a request was accepted. */

/**
 * @throws Inconclusive when no whole response came.
 * @throws NotReached where a person has sent the request: what the bank answered, nobody else saw.
 */
export const responseOf = (exchange: Exchange): ReceivedResponse => {
  if (exchange.response !== undefined) return exchange.response
  if (exchange.handover !== undefined) throw new NotReached(unseen(exchange, 'what the bank answered'))
  throw new Inconclusive(
    exchange.fault === undefined ? 'no response was recorded' : renderFault(exchange.fault),
  )
}

/** Why something cannot be told of an authorization that a person has carried out. */
export const unseen = ({ id, handover }: Exchange, what: string): string =>
  handover?.by === 'nobody'
    ? `the person who was asked left ${id} out`
    : `${what} was not seen: a person has authorized (${id})`

type Parsed = { readonly json: unknown } | { readonly error: string }

const parsed = attached<Exchange, Parsed>('parsed')

const parse = (exchange: Exchange): Parsed => {
  const { body, status } = responseOf(exchange)
  if (body.sha256 !== undefined) return { error: `of its ${body.bytes} bytes only the head was kept` }
  try {
    return { json: JSON.parse(body.text) as unknown }
  } catch (error) {
    const isRedirect = status >= 300 && status < 400
    return {
      error: isRedirect ? `it is a redirect (${status}), which is not followed` : (error as Error).message,
    }
  }
}

const parseOnce = (exchange: Exchange): Parsed => parsed(exchange, parse)

/**
 * The JSON of an answer, or undefined where it is none: read anew and not kept, for who looks at many large answers once.
 * @throws Inconclusive where only the head of the answer was kept.
 */
export const readJson = (exchange: Exchange): unknown => {
  const { body } = responseOf(exchange)
  if (body.sha256 !== undefined)
    throw new Inconclusive(`of the ${body.bytes} bytes that ${exchange.id} answered only the head was kept`)
  const result = parse(exchange)
  return 'json' in result ? result.json : undefined
}

/** The JSON of an answer, or undefined where it is none. */
export const jsonOf = (exchange: Exchange): unknown => {
  const result = parseOnce(exchange)
  return 'json' in result ? result.json : undefined
}

/**
 * Why the answer is no JSON, or undefined where it is.
 * @throws Inconclusive where the target broke down: the fields of an apology are no answer to the request.
 */
export const jsonFault = (exchange: Exchange): string | undefined => {
  if (isToldByFruit(exchange) && brokeDown(exchange))
    throw new Inconclusive(`${exchange.id} ended in a breakdown (${responseOf(exchange).status})`)
  const result = parseOnce(exchange)
  return 'error' in result ? result.error : undefined
}

/** Begins a path into an answer that is a list itself. */
const WHOLE = '$'

const keysIn = (json: unknown, path: string): readonly string[] => {
  const keys = path.split('.')
  return Array.isArray(json) && keys[0] === WHOLE ? keys.slice(1) : keys
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The value under a dotted path: `_links.next.href`. An answer that is a list is `$`, and its first item `$.0`. */
export const fieldOf = (json: unknown, path: string): unknown => {
  let value = json
  for (const key of keysIn(json, path))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/**
 * Every value under that key, at any depth: for a documented name whose place in the answer is not shown.
 */
export const anywhere = (json: unknown, key: string): readonly unknown[] => {
  const found: unknown[] = []
  // Without recursion: an answer may be nested more deeply than a stack is high.
  const left: unknown[] = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (!isObject(value)) continue
    if (!Array.isArray(value) && Object.hasOwn(value, key)) found.push(value[key])
    for (const inner of Object.values(value).reverse()) left.push(inner)
  }
  return found
}

/** The documented field whose presence tells that an operation did what it was asked for. */
const PROOFS: Readonly<Record<string, string>> = {
  createConsent: 'consentId',
  token: 'access_token',
  // A list without an account has told nothing of any, whatever its status.
  listAccounts: 'accountId',
  refresh: 'taskId',
  initiatePayment: 'orderId',
  // Many an apology has a field status: the HTTP status, as a number or in words.
  readPayment: 'statusDateTime',
  submitPayment: 'statusDateTime',
  loanToken: 'access_token',
}

const isToldByFruit = ({ fruit, operation }: Exchange): boolean =>
  fruit !== undefined || PROOFS[operation] !== undefined

/** Whether the target did what it was asked for. A refusal may take any form, so only its lack of fruit is read. */
export const isAccepted = (attempt: Exchange | Landing): boolean => {
  if (isLanding(attempt)) return attempt.code !== undefined
  const { status } = responseOf(attempt)
  const { fruit, operation } = attempt
  const proof = PROOFS[operation]
  if (fruit !== undefined)
    return fruit.some((path) => isFruit(fieldOf(jsonOf(attempt), path), attempt.request))
  return proof === undefined ? status >= 200 && status < 300 : anywhere(jsonOf(attempt), proof).some(isGiven)
}

/** What is wrong with a member may stand under its name, as a list: that is no value of it. */
const isGiven = (value: unknown): boolean => value !== null && value !== '' && !Array.isArray(value)

/** An empty list, or object, or null has told nothing. A refusal may repeat what it was asked, which has told nothing either. */
const isFruit = (value: unknown, request: SentRequest): boolean => {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return typeof value === 'string'
    ? value !== '' && !isRepeated(value, request)
    : value !== undefined && value !== null
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const isRepeated = (text: string, { url, body }: SentRequest): boolean =>
  lettersAndDigits(`${url} ${body?.text ?? ''}`).includes(lettersAndDigits(text))

/** The status of an answer; none of an authorization that a person has brought to an end, or has left out. */
const statusOf = (attempt: Exchange | Landing): number | undefined => {
  const exchange = isLanding(attempt) ? attempt.exchange : attempt
  const isBrought = exchange.handover !== undefined && exchange.handover.by !== 'nobody'
  return isBrought ? undefined : responseOf(exchange).status
}

/** Where an authorization ended, in words. */
export const endOf = (landing: Landing): string =>
  [statusOf(landing), landing.outcome].filter((part) => part !== undefined).join(', ')

/** Whether the target broke down over the request: neither accepted nor refused. */
export const brokeDown = (attempt: Exchange | Landing): boolean => (statusOf(attempt) ?? 0) >= 500

export const TOO_MANY_REQUESTS = 429

/** Whether the target would not look at the request for now (RFC 6585 §4): how often it may be asked is not shown. */
export const isTurnedAway = (attempt: Exchange | Landing): boolean => statusOf(attempt) === TOO_MANY_REQUESTS

/**
 * Whether an answer cannot be read for acceptance: a success without JSON, a redirect. Neither the fruit of the request
 * nor a refusal is seen in it.
 * @throws Inconclusive for an authorization that ended at a page which may say anything.
 */
export const isUnreadable = (attempt: Exchange | Landing): boolean => {
  if (isLanding(attempt)) return lostItsWay(attempt)
  if (!isToldByFruit(attempt)) return false
  const { status, body } = responseOf(attempt)
  if (status >= 300 && status < 400) return true
  return status >= 200 && status < 300 && body.bytes > 0 && jsonFault(attempt) !== undefined
}

/** A page of maintenance, a changed page, a refusal to this customer: the recipe knows none of them. */
const lostItsWay = ({ outcome, exchange, acted, isAskedAgain }: Landing): boolean => {
  if (outcome !== 'page') return false
  const { status } = responseOf(exchange)
  // Whatever the status: a bank that does not know a user name or a password of the profile is no worse for it.
  if (isAskedAgain)
    throw new Inconclusive(
      `the authorization ended at ${exchange.id} (${status}) where the bank asked again for what was typed: it did not take the customer's \`username\` or \`password\`, or \`authorization.pages.${acted.at(-1) ?? 0}\` does not fill in all of the page`,
    )
  if (status >= 400) return false
  throw new Inconclusive(
    `the authorization ended at ${exchange.id} (${status}) on a page that the recipe does not know (authorization.pages)`,
  )
}

/** A text that the next step needs. @throws NotReached with what is missing. */
export const need = (exchange: Exchange, value: unknown, name: string): string => {
  if (typeof value === 'string' && value !== '') return value
  const { status } = responseOf(exchange)
  const fault = jsonFault(exchange)
  if (fault !== undefined && status < 400)
    throw new Inconclusive(`the answer to ${exchange.id} is not JSON: ${fault}`)
  throw new NotReached(`${exchange.id} (${exchange.operation}) answered ${status} without ${name}`)
}
