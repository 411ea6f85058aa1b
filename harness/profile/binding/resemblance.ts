import { fieldOf } from '../../evidence/record/answer.ts'
import { balancePaths } from '../../evidence/record/balances.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Leaf } from './shape.ts'

/**
 * What a value looks like that the interface asks for under a name which it does not show. Where nothing in an answer
 * looks like it, the target has left it out; where something does, it may stand under another name.
 */
export interface Kind {
  /** Behind "no": "array". */
  readonly expected: string
  fits(value: unknown): boolean
  /** Whether a value elsewhere in the answer may be what was meant. */
  resembles(leaf: Leaf, exchange: Exchange): boolean
}

/** Of which type it is, is the target's matter. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isScalar = (value: unknown): boolean => isText(value) || typeof value === 'number'

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameOf = ({ path }: Leaf): string => path.at(-1) ?? ''

export const LIST: Kind = {
  expected: 'array',
  fits: Array.isArray,
  resembles: ({ value }) => Array.isArray(value) && value.some(isObject),
}

const IBAN = /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/

const isIban = (value: unknown): boolean =>
  isText(value) && IBAN.test(value.replaceAll(/\s/g, '').toUpperCase())

export const AN_IBAN: Kind = {
  expected: 'IBAN',
  fits: isText,
  resembles: ({ value }) => isIban(value),
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (isText(value) && /^[+-]?\d+[.,]\d+$/.test(value))

/** A whole number may be anything. */
const isAmountWithParts = (value: unknown): boolean => isAmount(value) && !Number.isSafeInteger(value)

export const AMOUNT: Kind = { expected: 'amount', fits: isScalar, resembles: ({ value }) => isAmount(value) }

/** A list, or an object, of what has an amount; or what has one itself. */
export const balancesWith = (amount: string): Kind => ({
  expected: 'balances',
  fits: (value) =>
    Array.isArray(value) ||
    balancePaths(value, { balances: '$', amount }).some(
      (path) => fieldOf(value, path === '$' ? amount : `${path.slice(2)}.${amount}`) !== undefined,
    ),
  resembles: (leaf, exchange) => LIST.resembles(leaf, exchange) || isAmountWithParts(leaf.value),
})

export const ID: Kind = { expected: 'id', fits: isScalar, resembles: ({ value }) => isScalar(value) }

/** The documented fields of a token response, and others that are no refresh token. */
const OF_TOKENS: ReadonlySet<string> = new Set([
  'access_token',
  'token_type',
  'expires_in',
  'scope',
  'id_token',
])

const SHORTEST_TOKEN = 16

export const REFRESH_TOKEN: Kind = {
  expected: 'text',
  fits: isGiven,
  resembles: (leaf) =>
    isText(leaf.value) &&
    leaf.value.length >= SHORTEST_TOKEN &&
    !/\s/.test(leaf.value) &&
    !OF_TOKENS.has(nameOf(leaf)),
}

/** A text that is one of these. */
export const wordOf = (expected: string, words: readonly string[]): Kind => ({
  expected,
  fits: isScalar,
  resembles: ({ value }) => isText(value) && words.includes(value),
})

const isAddress = (value: unknown, { request }: Exchange): value is string =>
  isText(value) && /^(https?:|\.{0,2}\/|\?)/.test(value) && URL.canParse(value, request.url)

export const ADDRESS: Kind = {
  expected: 'address',
  fits: isText,
  resembles: ({ value }, exchange) => isAddress(value, exchange),
}

const isLinkOnward = (value: unknown, exchange: Exchange): boolean => {
  if (!isAddress(value, exchange)) return false
  const [asked, linked] = [new URL(exchange.request.url), new URL(value, exchange.request.url)]
  return linked.pathname === asked.pathname && linked.search !== asked.search
}

const ONWARD = /next|after|behind|more|cursor|offset|continu|scroll/i

/** What says under its own name that another page follows. */
const isCalledOnward = ({ path, value }: Leaf): boolean => isScalar(value) && ONWARD.test(path.join('.'))

const PAGES = /page.?count|total.?pages|^pages$/i

const tellsOfPages = (leaf: Leaf): boolean =>
  Number.isSafeInteger(leaf.value) && Number(leaf.value) > 1 && PAGES.test(nameOf(leaf))

/** A page may say in three ways that another one follows; the profile may name the wrong one of them. */
export const NEXT_LINK: Kind = {
  expected: 'link to a next page',
  fits: isText,
  resembles: (leaf, exchange) => isLinkOnward(leaf.value, exchange) || tellsOfPages(leaf),
}

export const CURSOR: Kind = {
  expected: 'cursor of a next page',
  fits: isScalar,
  resembles: (leaf) => isCalledOnward(leaf) || tellsOfPages(leaf),
}

export const COUNT: Kind = {
  expected: 'number of pages',
  fits: Number.isSafeInteger,
  resembles: (leaf) => Number.isSafeInteger(leaf.value) || isCalledOnward(leaf),
}

/** An id of letters and digits that is neither an address nor a word of the interface. */
export const applicationId = (words: readonly string[]): Kind => ({
  expected: 'application-id',
  fits: isGiven,
  resembles: ({ value }, exchange) =>
    typeof value === 'number' ||
    (isText(value) && /\d/.test(value) && !words.includes(value) && !isAddress(value, exchange)),
})

/** What no answer says under its name is not what the interface asks for. */
export const anyOf = (expected: string): Kind => ({
  expected,
  fits: (value) => value !== undefined,
  resembles: () => true,
})

export const OFFERS: Kind = {
  expected: 'array',
  fits: Array.isArray,
  // The answer itself may be the list: then what stands in it is all that is seen.
  resembles: ({ path, value }) =>
    Array.isArray(value) || (path.length === 1 && /^\d+$/.test(path[0] ?? '') && isObject(value)),
}
