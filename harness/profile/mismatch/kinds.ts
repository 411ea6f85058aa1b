import { fieldOf } from '../../evidence/record/answer.ts'
import { balancePaths } from '../../evidence/record/balances.ts'
import { isObject, isObjectOrList } from '../../evidence/json.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** The values of an answer, and its description by keys and types, never by values. */

/** A key may be a value, such as an IBAN: a key that does not have the form of a name is not shown. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]{0,39}$/
const MOST_KEYS = 8

const keysOf = (value: object): string => {
  const keys = Object.keys(value)
  const shown = keys.slice(0, MOST_KEYS).map((key) => (NAME.test(key) ? key : '…'))
  return `the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > MOST_KEYS ? ' …' : ''}`
}

/** Behind the name of a value: `has the keys account, transactions, _links`. */
export const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'is an empty array' : `is an array of ${value.length}`
  if (!isObject(value)) return value === null ? 'is null' : `is a ${typeof value}`
  const values = Object.values(value)
  if (values.length === 0) return 'is an empty object'
  // An outermost object with a single member has no other value of interest.
  const inner = values.length === 1 && isObjectOrList(values[0]) ? `, which ${shapeOf(values[0])}` : ''
  return `has ${keysOf(value)}${inner}`
}

/** One value of a JSON, and its path: `account.balances.0.amount`. */
export interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** All items of a list have the same path. */
export const pathOf = ({ path }: Leaf): string => path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.')

/** Of an answer of many megabytes only the beginning is searched, which is sufficient. */
const MOST_LEAVES = 2_000

/**
 * Every value of a JSON, beginning with itself.
 * @param excluded the path of a value that is left out with its members.
 */
export const leavesOf = (json: unknown, excluded?: string): readonly Leaf[] => {
  const found: Leaf[] = [{ path: [], value: json }]
  // The loop also visits values that are appended during it.
  for (const { path, value } of found) {
    if (!isObjectOrList(value)) continue
    for (const [key, inner] of Object.entries(value)) {
      if (found.length >= MOST_LEAVES) return found
      const below = [...path, key]
      if (below.join('.') !== excluded) found.push({ path: below, value: inner })
    }
  }
  return found
}

/**
 * The form of a value that the interface requires under a name that is not shown. If no value of an answer has
 * this form, the target has left it out; otherwise it may be under another name.
 */
export interface Kind {
  /** The words after "no": "array". */
  readonly expected: string
  /** Whether the value under the name may be meant. Its type is judged by the checks, not here. */
  fits(value: unknown): boolean
  /** Whether a value elsewhere in the answer, with its path, may be the required one. */
  resembles(value: unknown, path: readonly string[], exchange: Exchange): boolean
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const isScalar = (value: unknown): boolean => isText(value) || typeof value === 'number'

const isWhole = Number.isSafeInteger

/** Many have the same date. */
const isId = (value: unknown): boolean => isScalar(value) && !/^\d{4}-\d\d-\d\d$/.test(String(value))

export const ID: Kind = { expected: 'id', fits: isId, resembles: isId }

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.some(isObject)

export const LIST: Kind = { expected: 'array', fits: Array.isArray, resembles: isListOfObjects }

export const OFFERS: Kind = {
  ...LIST,
  // The answer itself may be the list.
  resembles: (value, [only = '', ...others]) =>
    Array.isArray(value) || (others.length === 0 && /^\d+$/.test(only) && isObject(value)),
}

const isIban = (value: unknown): boolean =>
  isText(value) && /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(value.replaceAll(/\s/g, '').toUpperCase())

export const IBAN: Kind = { expected: 'IBAN', fits: isText, resembles: isIban }

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (isText(value) && /^[+-]?\d+[.,]\d+$/.test(value))

export const AMOUNT: Kind = {
  expected: 'amount',
  fits: (value) => isScalar(value) && /\d/.test(String(value)),
  resembles: isAmount,
}

/** A list or an object whose members have an amount, or an object with an amount. */
export const balancesWith = (amount: string): Kind => ({
  expected: 'balances',
  fits: (value) =>
    Array.isArray(value) ||
    balancePaths(value, { balances: '$', amount }).some(
      (path) => fieldOf(value, path === '$' ? amount : `${path.slice(2)}.${amount}`) !== undefined,
    ),
  // A whole number may have any meaning.
  resembles: (value) => isListOfObjects(value) || (isAmount(value) && !isWhole(value)),
})

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const isInstant = (value: unknown): boolean => typeof value === 'string' && INSTANT.test(value)

export const TIME: Kind = {
  expected: 'time',
  fits: (value) => typeof value === 'number' || isInstant(value),
  resembles: isInstant,
}

/** A string that is one of these words. */
export const wordOf = (expected: string, words: readonly unknown[]): Kind => ({
  expected,
  fits: isScalar,
  resembles: (value) => isText(value) && words.includes(value),
})

/** Without an answer that has the name, it is not required. */
export const anyOf = (expected: string): Kind => ({
  expected,
  fits: (value) => value !== undefined,
  resembles: () => true,
})

/** The documented fields of a token response, and other fields that are not a refresh token. */
const OF_TOKENS = ['access_token', 'token_type', 'expires_in', 'scope', 'id_token']

export const REFRESH_TOKEN: Kind = {
  expected: 'text',
  fits: isGiven,
  resembles: (value, path) =>
    isText(value) && /^\S{16,}$/.test(value) && !OF_TOKENS.includes(path.at(-1) ?? ''),
}

const isAddress = (value: unknown, { request }: Exchange): value is string =>
  isText(value) && /^(https?:|\.{0,2}\/|\?)/.test(value) && URL.canParse(value, request.url)

export const ADDRESS: Kind = {
  expected: 'address',
  fits: isText,
  resembles: (value, _, exchange) => isAddress(value, exchange),
}

/** An id of letters and digits that is neither an address nor a word of the interface. */
export const applicationId = (words: readonly string[]): Kind => ({
  expected: 'application-id',
  fits: (value) => isGiven(value) && !/^https?:/.test(String(value)),
  resembles: (value, _, exchange) =>
    typeof value === 'number' ||
    (isText(value) && /\d/.test(value) && !words.includes(value) && !isAddress(value, exchange)),
})

/** Links to other pages, by their relation (IANA link relations). */
const OTHER_RELATIONS = ['self', 'first', 'last', 'prev', 'previous', 'up']

const isNextLink: Kind['resembles'] = (value, path, exchange) => {
  if (!isAddress(value, exchange) || path.some((key) => OTHER_RELATIONS.includes(key.toLowerCase())))
    return false
  const [asked, linked] = [new URL(exchange.request.url), new URL(value, exchange.request.url)]
  return linked.pathname === asked.pathname && linked.search !== asked.search
}

/** The name of a member says that another page follows. */
const isNamedNext = (value: unknown, path: readonly string[]): boolean =>
  isScalar(value) && /next|after|behind|more|cursor|offset|continu|scroll/i.test(path.join('.'))

const hasNextPage = (value: unknown, path: readonly string[]): boolean =>
  isWhole(value) && Number(value) > 1 && /page.?count|total.?pages|^pages$/i.test(path.at(-1) ?? '')

/** There are three kinds of paging; the profile may have the wrong one. */
export const NEXT_LINK: Kind = {
  expected: 'link to a next page',
  fits: isText,
  resembles: (value, path, exchange) => isNextLink(value, path, exchange) || hasNextPage(value, path),
}

export const CURSOR: Kind = {
  expected: 'cursor of a next page',
  fits: isScalar,
  resembles: (value, path) => isNamedNext(value, path) || hasNextPage(value, path),
}

export const COUNT: Kind = {
  expected: 'number of pages',
  fits: (value) => /^\d+$/.test(String(value)),
  resembles: (value, path) => isWhole(value) || isNamedNext(value, path),
}
