import { jsonIn } from '../evidence/json.ts'
import { factsOf, inClearIn } from './facts.ts'
import { held } from './verdict.ts'
import type { ObservedExchange } from './observed/exchange.ts'

/** Whose data an answer must not contain, known from answers to others. */
export interface Disclosure {
  /** Answers to the owner of the data, and other known words, such as a name. */
  readonly theirs: readonly (ObservedExchange | string)[]
  /**
   * Answers to the requester about their own data, or about nothing: words in these are not secret. Without such an answer
   * a word may be a constant of the bank, and only identifiers are judged.
   */
  readonly ours: readonly ObservedExchange[]
  /** The name of the data in messages: "the account of the second customer". */
  readonly name: string
}

/**
 * Judges that an answer contains no identifier, text or amount that the owner was answered and the requester was
 * not. Words of the request are not secret, and dates do not identify anybody.
 */
export const disclosesNothingOf = (answer: ObservedExchange, { theirs, ours, name }: Disclosure): void => {
  const known = new Set(ours.flatMap(wordsOf))
  const asked = requestText(answer)
  const answered = new Set(wordsOf(answer))
  const named = new Set(theirs.filter((source) => typeof source === 'string'))
  for (const leaf of new Set(theirs.flatMap(wordsOf))) {
    if (known.has(leaf) || asked.includes(leaf.toLowerCase()) || !isDisclosing(leaf)) continue
    const isConstant = known.size === 0 && !named.has(leaf) && !isCode(leaf)
    if (isConstant) continue
    if (isIdentifier(leaf)) answer.hides(leaf, name)
    // A plain word or number may occur in any message: only as a whole value it is known to be theirs.
    if (answered.has(leaf)) answer.discloses(name)
    held()
  }
}

const requestText = ({ request: { url, body, headers } }: ObservedExchange): string =>
  [decodeURIComponent(url), body?.text ?? '', ...headers.map(([, value]) => value)].join('\n').toLowerCase()

const wordsOf = (source: ObservedExchange | string): readonly string[] =>
  typeof source === 'string'
    ? [source]
    : [...leavesOf(jsonIn(String(source.body.text.value))), ...inClearIn(source.id)]

/** Every string and number of a JSON value, as text. */
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

const SHORTEST = 4

/** Whether a value is long enough not to be equal by chance. */
const isDisclosing = (leaf: string): boolean => {
  const { length, form } = factsOf(leaf)
  return length >= SHORTEST && form !== 'date'
}

const SHORTEST_IDENTIFIER = 8

/** Whether no message has this by chance: an IBAN, an id, a name of several words. */
const isIdentifier = (leaf: string): boolean => {
  const { length, characters } = factsOf(leaf)
  return length >= SHORTEST_IDENTIFIER && /[0 ]/.test(characters) && /[fFzZé]/.test(characters)
}

/** Whether it is an identifier that no bank has as a constant text: an IBAN, an id. */
const isCode = (leaf: string): boolean =>
  isIdentifier(leaf) && !factsOf(leaf).characters.includes(' ') && factsOf(leaf).characters.includes('0')
