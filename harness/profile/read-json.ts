import { FileFault, placeAt } from './file-fault.ts'

/**
 * Reads JSON. What is wrong with it is looked for here, since the message of JSON.parse quotes the text around the
 * fault, and often lacks the place.
 */
export const readJson = (text: string): unknown => {
  const fault = findJsonFault(text)
  if (fault === undefined) return JSON.parse(text)
  throw new FileFault(`it is not valid JSON: ${fault.what}`, placeAt(text, fault.offset))
}

export interface JsonFault {
  readonly what: string
  readonly offset: number
}

/** The first fault of a JSON text: undefined just where JSON.parse accepts it and no key stands twice. */
export const findJsonFault = (text: string): JsonFault | undefined => {
  try {
    const end = skipBlanks(text, readValue(text, 0))
    return end < text.length ? { what: 'the file goes on behind its end', offset: end } : undefined
  } catch (error) {
    if (error instanceof Stop) return { what: error.message, offset: error.offset }
    throw error
  }
}

class Stop extends Error {
  constructor(
    what: string,
    readonly offset: number,
  ) {
    super(what)
  }
}

const skipBlanks = (text: string, from: number): number => match(text, /[ \t\n\r]*/y, from) ?? from

const match = (text: string, pattern: RegExp, from: number): number | undefined => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : undefined
}

// The control characters are those that JSON forbids inside a text.
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y

const readValue = (text: string, from: number): number => {
  const start = skipBlanks(text, from)
  if (text[start] === '{') return readMembers(text, start + 1)
  if (text[start] === '[') return readItems(text, start + 1)
  if (text[start] === '"') return readText(text, start)
  const end = match(text, SCALAR, start)
  if (end !== undefined) return end
  throw new Stop(
    start >= text.length ? 'it ends too early' : 'a value is expected; texts stand between double quotes',
    start,
  )
}

const readText = (text: string, start: number): number => {
  const end = match(text, TEXT, start)
  if (end !== undefined) return end
  throw new Stop('a text is not closed, or has a line break or an unknown escape in it', start)
}

const readItems = (text: string, from: number): number => {
  let at = skipBlanks(text, from)
  if (text[at] === ']') return at + 1
  for (;;) {
    at = skipBlanks(text, readValue(text, at))
    if (text[at] === ']') return at + 1
    at = readComma(text, at, ']')
  }
}

const readMembers = (text: string, from: number): number => {
  const keys = new Set<string>()
  let at = skipBlanks(text, from)
  if (text[at] === '}') return at + 1
  for (;;) {
    at = readKey(text, skipBlanks(text, at), keys)
    at = skipBlanks(text, readValue(text, at))
    if (text[at] === '}') return at + 1
    at = readComma(text, at, '}')
  }
}

const readKey = (text: string, start: number, keys: Set<string>): number => {
  if (text[start] !== '"') throw new Stop('a key between double quotes is expected', start)
  const end = readText(text, start)
  const key = String(JSON.parse(text.slice(start, end)))
  if (keys.has(key)) throw new Stop('a key stands twice', start)
  keys.add(key)
  const colon = skipBlanks(text, end)
  if (text[colon] !== ':') throw new Stop('a colon is expected', colon)
  return colon + 1
}

const readComma = (text: string, at: number, close: string): number => {
  if (text[at] === ',') return at + 1
  throw new Stop(at >= text.length ? 'it ends too early' : `a comma or ${close} is expected`, at)
}
