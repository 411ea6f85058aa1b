/** A deeper text costs minutes and gigabytes where a value is walked; the documented answers have about five levels. */
export const DEEPEST_JSON = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Whether brackets outside of strings are nested deeper than the limit. The text may be anything. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) isInString = !isInString
    else if (isInString) at += unit === BACKSLASH ? 1 : 0
    else if (CLOSING.has(unit)) depth -= 1
    else if (OPENING.has(unit) && ++depth > DEEPEST_JSON) return true
  }
  return false
}

/**
 * Parses JSON that a target or a user has written.
 * @throws SyntaxError if it is not JSON, or nested deeper than the limit: the message says which.
 */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new SyntaxError(`JSON nested deeper than ${DEEPEST_JSON} levels`)
  return JSON.parse(text)
}

/** Whether a text is JSON that can be parsed. */
export const isJsonText = (text: string): boolean => {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}
