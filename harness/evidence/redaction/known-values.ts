import { formsOf, withBlanks, type Edit } from './spellings.ts'

/** The values that are replaced wherever they stand in a text, each with its replacement. */
export interface KnownValues {
  /** @param isCertain whether it was given as a secret, so that even a plain word is one, as a whole word. */
  add(value: string, replacement: string, isCertain: boolean): void
  /** Where they stand in a text. */
  readonly find: (text: string) => readonly Edit[]
  /** The same, without values that could be words of our own sentences. */
  readonly findUnmistakable: (text: string) => readonly Edit[]
  has(value: string): boolean
  /** Others, in addition to these, which must not change from now on. */
  branch(): KnownValues
}

/** A shorter value is replaced at its place only: it would be found in innocent text everywhere. */
const SHORTEST = 4
const SHORTEST_GUESSED = 6
const SHORTEST_UNMISTAKABLE = 8
const LONG = 16

/** Whether it is no word of our own sentences. */
const isUnmistakable = (value: string): boolean =>
  value.length >= LONG ||
  (value.length >= SHORTEST_UNMISTAKABLE && /\p{L}/u.test(value) && /[^\p{L}]/u.test(value))

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u]

/** Whether no text has it by chance, not even inside a longer word, as `customer10` has `customer1`. */
const isFoundInWords = (value: string): boolean =>
  value.length >= LONG ||
  (isUnmistakable(value) && CLASSES.filter((characters) => characters.test(value)).length >= 3)

const isSearched = (value: string, isCertain: boolean): boolean =>
  isUnmistakable(value) ||
  (value.length >= (isCertain ? SHORTEST : SHORTEST_GUESSED) && (isCertain || /\d/.test(value)))

const WORD = /[\p{L}\p{N}_]/u

/** Whether a value that begins or ends with a letter is a part of a longer word. */
const isInsideWord = (text: string, start: number, end: number): boolean =>
  (WORD.test(text[start] ?? '') && WORD.test(text[start - 1] ?? '')) ||
  (WORD.test(text[end - 1] ?? '') && WORD.test(text[end] ?? ''))

const PSEUDONYM = String.raw`\[[\w-]+:[\da-f]+\]`
const IS_PSEUDONYM = new RegExp(`^${PSEUDONYM}$`)

/** Whether a value was replaced before. */
export const isPseudonym = (value: string): boolean => IS_PSEUDONYM.test(value)

/**
 * The pattern has only the first characters of a longer value, since Node refuses a regular expression of a megabyte. From
 * there, all characters that are equal to those of the value are replaced: a part of a secret is secret too.
 */
const LONGEST_PATTERN = 400

/** A pattern for the beginning of a value, in which each blank may be a plus. */
const patternFor = (beginning: string): string =>
  beginning.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll(' ', '[ +]')

interface Known {
  readonly replacement: string
  readonly isUnmistakable: boolean
  readonly isFoundInWords: boolean
}

/** A known value, and how many of its characters the text has. */
interface Found {
  readonly value: string
  readonly length: number
}

/** How many characters of a value are in a text at that index. */
const commonLength = (value: string, text: string, start: number): number => {
  let length = 0
  while (length < value.length && isSameUnit(value[length], text[start + length])) length += 1
  return length
}

const isSameUnit = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one === ' ' && other === '+')

/** @param before values that are known already: they are searched for by a pattern of their own, which is made once. */
export const createKnownValues = (before?: KnownValues): KnownValues => {
  const known = new Map<string, Known>()
  /** One pattern for the beginnings of all of them, the longest first. A pseudonym is passed over. */
  let pattern: RegExp | undefined
  /** The values of which the pattern has only the beginning. */
  let long: readonly string[] = []

  const patternOf = (): RegExp => {
    const values = [...known.keys()].sort((a, b) => b.length - a.length)
    long = values.filter(({ length }) => length >= LONGEST_PATTERN)
    const beginnings = new Set(values.map((value) => value.slice(0, LONGEST_PATTERN)))
    return new RegExp([PSEUDONYM, ...[...beginnings].map(patternFor)].join('|'), 'g')
  }

  /** The known value at that index. @param matched what the pattern found there. */
  const foundAt = (text: string, start: number, matched: string): Found => {
    const beginning = withBlanks(matched)
    if (beginning.length < LONGEST_PATTERN) return { value: beginning, length: beginning.length }
    return long
      .filter((value) => value.startsWith(beginning))
      .map((value) => ({ value, length: commonLength(value, text, start) }))
      .reduce((most, one) => (one.length > most.length ? one : most), { value: beginning, length: 0 })
  }

  const findIn = (text: string, isMeant: (one: Known) => boolean): readonly Edit[] => {
    if (known.size === 0 || text.length < SHORTEST) return []
    pattern ??= patternOf()
    pattern.lastIndex = 0
    const edits: Edit[] = []
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { index: start } = match
      const { value, length } = foundAt(text, start, match[0])
      const one = known.get(value)
      if (one === undefined) continue
      const end = start + length
      const isFound = isMeant(one) && (one.isFoundInWords || !isInsideWord(text, start, end))
      if (isFound) edits.push({ start, end, replacement: one.replacement })
      // Another value may begin within one that is not meant.
      pattern.lastIndex = isFound ? end : start + 1
    }
    return edits
  }

  const values: KnownValues = {
    add(value, replacement, isCertain) {
      if (values.has(value) || !isSearched(value, isCertain)) return
      for (const form of formsOf(value).filter((one) => isSearched(one, isCertain)))
        known.set(withBlanks(form), {
          replacement,
          isUnmistakable: isUnmistakable(form),
          isFoundInWords: isFoundInWords(form),
        })
      pattern = undefined
    },
    find: (text) => [...(before?.find(text) ?? []), ...findIn(text, () => true)],
    findUnmistakable: (text) => [
      ...(before?.findUnmistakable(text) ?? []),
      ...findIn(text, (one) => one.isUnmistakable),
    ],
    has: (value) => known.has(withBlanks(value)) || (before?.has(value) ?? false),
    branch: () => createKnownValues(values),
  }
  return values
}
