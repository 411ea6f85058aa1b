import { formsOf, withBlanks, type Edit } from './spellings.ts'

type Given = Pick<ReadonlySet<string>, 'has'>

/** The values that are replaced wherever they stand in a text, each with its replacement. */
export interface KnownValues {
  /** @param isCertain whether it was given as a secret, so that even a plain word is one, as a whole word. */
  add(value: string, replacement: string, isCertain: boolean): void
  /** Where they stand in a text. */
  readonly find: (text: string) => readonly Edit[]
  /** The same, without values that could be words of our own sentences. */
  readonly findUnmistakable: (text: string) => readonly Edit[]
  has(value: string): boolean
  readonly size: number
  /** Others, in addition to these, which must not change from now on. */
  branch(given: Given): KnownValues
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

const PSEUDONYM_HERE = /\[[\w-]+:[\da-f]+\]/y

/** Where the pseudonym ends whose bracket is at that index; undefined if it is none. */
const endOfPseudonym = (text: string, start: number, given: Given): number | undefined => {
  PSEUDONYM_HERE.lastIndex = start
  const [found = ''] = PSEUDONYM_HERE.exec(text) ?? []
  return given.has(found) ? start + found.length : undefined
}

/** So many of the first characters of a longer value are found without the rest: a part of a secret is secret too. */
const LONGEST_NEEDED = 400

interface Known {
  readonly value: string
  readonly lowered: string
  readonly replacement: string
  readonly isUnmistakable: boolean
  readonly isFoundInWords: boolean
}

/** A known value, and how many of its characters the text has. */
interface Found extends Known {
  readonly length: number
  readonly isExact: boolean
}

/** In lower case, except characters that would become longer. */
const lower = (text: string): string => {
  const lowered = text.toLowerCase()
  return lowered.length === text.length
    ? lowered
    : text.replaceAll(/[^\u0130]+/g, (part) => part.toLowerCase())
}

/** How many characters of a value are in a text at that index. */
const commonLength = (value: string, text: string, start: number): number => {
  let length = 0
  while (length < value.length && value[length] === text[start + length]) length += 1
  return length
}

/** A number of 16 bits that depends on a character and on the three before it. */
const fingerprint = (before: number, text: string, at: number): number =>
  ((before << 4) ^ text.charCodeAt(at)) & 0xffff

/** What is searched for. Adding a value takes the same time, however many there are. */
interface Index {
  readonly known: Set<string>
  /** The values by their first characters. */
  readonly byBeginning: Map<string, readonly Known[]>
  /** 1 for each beginning of a value. Nearly all places of a text have a fingerprint of none of them. */
  readonly fingerprints: Uint8Array
}

const EMPTY: Index = { known: new Set(), byBeginning: new Map(), fingerprints: new Uint8Array(0x1_0000) }

const NOTHING: readonly Edit[] = []

/** The values of one search, in addition to others, and how to find those that are meant in a text. */
const createIndex = (given: Given, before: Index) => {
  const known = new Set(before.known)
  const byBeginning = new Map(before.byBeginning)
  const fingerprints = before.fingerprints.slice()

  const remember = (one: Known): void => {
    const beginning = one.lowered.slice(0, SHORTEST)
    const others = (byBeginning.get(beginning) ?? []).filter(({ value }) => value !== one.value)
    byBeginning.set(beginning, [...others, one])
    let print = 0
    for (let at = 0; at < SHORTEST; at += 1) print = fingerprint(print, one.lowered, at)
    fingerprints[print] = 1
    known.add(one.value)
  }

  /**
   * The known values at that index, the longest first, and of those as it is spelled there. Only what is no word is also
   * found with its letters in another case.
   */
  const foundAt = (text: string, lowered: string, start: number): readonly Found[] =>
    (byBeginning.get(lowered.slice(start, start + SHORTEST)) ?? [])
      .flatMap((one) => {
        const length = commonLength(one.lowered, lowered, start)
        if (length < Math.min(one.value.length, LONGEST_NEEDED)) return []
        const isExact = commonLength(one.value, text, start) >= length
        return isExact || one.isUnmistakable ? [{ ...one, length, isExact }] : []
      })
      .sort((one, other) => other.length - one.length || Number(other.isExact) - Number(one.isExact))

  const findIn = (text: string, isMeant: (one: Known) => boolean): readonly Edit[] => {
    if (known.size === 0 || text.length < SHORTEST) return NOTHING
    const searched = withBlanks(text)
    const lowered = lower(searched)
    const edits: Edit[] = []
    let print = 0
    /** What stands before it is replaced already. */
    let free = 0
    let bracket = searched.indexOf('[')
    for (let at = 0; at < lowered.length; at += 1) {
      print = fingerprint(print, lowered, at)
      const start = at - SHORTEST + 1
      if (fingerprints[print] !== 1 || start < free) continue
      for (; bracket !== -1 && bracket <= start; bracket = searched.indexOf('[', bracket + 1))
        if (bracket >= free) free = endOfPseudonym(searched, bracket, given) ?? free
      if (start < free) continue
      const found = foundAt(searched, lowered, start).find(
        (one) => isMeant(one) && (one.isFoundInWords || !isInsideWord(searched, start, start + one.length)),
      )
      if (found === undefined) continue
      free = start + found.length
      edits.push({ start, end: free, replacement: found.replacement })
    }
    return edits
  }

  return { known, byBeginning, fingerprints, remember, findIn }
}

/** @param given the pseudonyms of this run, in which nothing is replaced. Whatever else stands in brackets is text. */
export const createKnownValues = (given: Given, before = EMPTY): KnownValues => {
  const index = createIndex(given, before)
  const { known, remember, findIn } = index
  return {
    add(value, replacement, isCertain) {
      if (known.has(withBlanks(value)) || !isSearched(value, isCertain)) return
      for (const form of formsOf(value).filter((one) => isSearched(one, isCertain)))
        remember({
          value: withBlanks(form),
          lowered: lower(withBlanks(form)),
          replacement,
          isUnmistakable: isUnmistakable(form),
          isFoundInWords: isFoundInWords(form),
        })
    },
    find: (text) => findIn(text, () => true),
    findUnmistakable: (text) => findIn(text, (one) => one.isUnmistakable),
    has: (value) => known.has(withBlanks(value)),
    get size() {
      return known.size
    },
    branch: (more) => createKnownValues(more, index),
  }
}
