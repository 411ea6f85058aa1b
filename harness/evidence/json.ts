/** A deeper text costs minutes and gigabytes where a value is walked; the documented answers have about five levels. */
export const DEEPEST_JSON = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d]
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d]

/** Where the string ends whose opening quote is at that index; the end of the text, if it does not end. */
export const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes stands before an index. */
const isEscaped = (text: string, at: number): boolean => {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

/** Whether brackets outside of strings are nested deeper than the limit. The text may be anything. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    else if (unit === CLOSING_BRACKET || unit === CLOSING_BRACE) depth -= 1
    else if (unit === OPENING_BRACKET || unit === OPENING_BRACE) depth += 1
    if (depth > DEEPEST_JSON) return true
  }
  return false
}

/**
 * Parses JSON that a target or a user has written.
 * @throws SyntaxError if it is not JSON, or nested deeper than the limit: the message says which.
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new SyntaxError(`JSON nested deeper than ${DEEPEST_JSON} levels`)
  return JSON.parse(text.replace(BYTE_ORDER_MARK, ''))
}

/** A parser may ignore it (RFC 8259 §8.1). */
const BYTE_ORDER_MARK = /^\uFEFF/

/** The value of a text that is JSON; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether a text is JSON that can be parsed. */
export const isJsonText = (text: string): boolean => jsonIn(text) !== undefined

/** An object of JSON, by the names of its members. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value is an object of JSON, and no list. */
export const isObject = (value: unknown): value is Members => isObjectOrList(value) && !Array.isArray(value)

/** Whether a value has members or items: those of a list have their indices as names. */
export const isObjectOrList = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null
