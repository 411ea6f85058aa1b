import { ViolationError } from './violation.ts'
import type { ObservedExchange } from './observe.ts'

/** Whose data an answer must not hold, known from what the interface has answered to others. */
export interface Disclosure {
  /** What the holder of the data was answered, and what else is known of them: a name. */
  readonly theirs: readonly (ObservedExchange | string)[]
  /** What the one who asks was answered of their own: words that stand there as well are no secret. */
  readonly ours: readonly ObservedExchange[]
  /** What a reader calls it: "the account of the second customer". */
  readonly name: string
}

/**
 * Judges that an answer holds nothing that its reader may not know: no identifier, text or amount that the holder was
 * answered and the reader, of their own, was not. What the request itself says is no secret either, and dates tell
 * nobody from another.
 */
export const tellsNothingOf = (answer: ObservedExchange, { theirs, ours, name }: Disclosure): void => {
  const text = String(answer.body.text.value)
  const known = new Set(ours.flatMap(wordsOf))
  const asked = requestText(answer)
  const told = new Set(leavesOf(parsed(text)))
  for (const leaf of new Set(theirs.flatMap(wordsOf))) {
    if (known.has(leaf) || asked.includes(leaf.toLowerCase()) || !isTelling(leaf)) continue
    if (isIdentifier(leaf)) answer.hides(leaf, name)
    // A plain word or number may stand in any message: only one that stands alone is known to be meant.
    if (told.has(leaf)) throw disclosed(answer, name)
  }
}

const disclosed = ({ id }: ObservedExchange, name: string): ViolationError =>
  new ViolationError({ subject: 'body', expected: `nothing of ${name}`, received: name, exchange: id })

const requestText = ({ request: { url, body, headers } }: ObservedExchange): string =>
  [decodeURIComponent(url), body?.text ?? '', ...headers.map(([, value]) => value)].join('\n').toLowerCase()

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wordsOf = (source: ObservedExchange | string): readonly string[] =>
  typeof source === 'string' ? [source] : leavesOf(parsed(String(source.body.text.value)))

/** Every text and number of a JSON value, as text. */
const leavesOf = (json: unknown): readonly string[] => {
  const leaves: string[] = []
  const left: unknown[] = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' || typeof value === 'number') leaves.push(String(value))
    else if (typeof value === 'object' && value !== null) left.push(...(Object.values(value) as unknown[]))
  }
  return leaves
}

/** Of the extended form of ISO 8601, or a date-time of any other. */
const DATE = /^\d{4}-\d\d-\d\d|^\d{4}-?(\d{3,4}|W\d\d-?\d)T\d\d/

const SHORTEST = 4

/** Long enough not to be the same by chance. */
const isTelling = (leaf: string): boolean => leaf.length >= SHORTEST && !DATE.test(leaf)

const SHORTEST_IDENTIFIER = 8

/** What no message has by chance, wherever it stands: an IBAN, an id, a name of several words. */
const isIdentifier = (leaf: string): boolean =>
  leaf.length >= SHORTEST_IDENTIFIER && /[\d\s]/.test(leaf) && /\p{L}/u.test(leaf)
