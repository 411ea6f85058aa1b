import { formsOf, withBlanks, type Edit } from './spellings.ts'

/** The values that are replaced wherever they stand in a text, each with its replacement. */
export interface KnownValues {
  /** @param isCertain whether it was given as a secret, so that even a plain word is one, as a whole word. */
  add(value: string, replacement: string, isCertain: boolean): void
  /** Where they stand in a text. */
  readonly find: (text: string) => readonly Edit[]
  /** The same, without values that could be words of our own sentences. */
  readonly findUnmistakable: (text: string) => readonly Edit[]
  /** Others, which begin with these. */
  branch(): KnownValues
}

/** A shorter value is replaced at its place only: it would be found in innocent text everywhere. */
const SHORTEST = 4
const SHORTEST_GUESSED = 6
const SHORTEST_UNMISTAKABLE = 8
const LONG = 16

/** Whether no text has this value by chance, not even inside a longer word. */
const isUnmistakable = (value: string): boolean =>
  value.length >= LONG ||
  (value.length >= SHORTEST_UNMISTAKABLE && /\p{L}/u.test(value) && /[^\p{L}]/u.test(value))

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

/** A pattern for a value, in which each blank may be a plus. */
const patternFor = (value: string): string =>
  value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll(' ', '[ +]')

interface Known {
  readonly replacement: string
  readonly isUnmistakable: boolean
}

export const createKnownValues = (known = new Map<string, Known>()): KnownValues => {
  /** One pattern for all of them, the longest first. A pseudonym is passed over. */
  let pattern: RegExp | undefined

  const patternOf = (): RegExp => {
    const values = [...known.keys()].sort((a, b) => b.length - a.length).map(patternFor)
    return new RegExp([PSEUDONYM, ...values].join('|'), 'g')
  }

  const findIn = (text: string, isMeant: (one: Known) => boolean): readonly Edit[] => {
    if (known.size === 0 || text.length < SHORTEST) return []
    pattern ??= patternOf()
    pattern.lastIndex = 0
    const edits: Edit[] = []
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [value] = match
      const { index: start } = match
      const one = known.get(withBlanks(value))
      if (one === undefined) continue
      const end = start + value.length
      if (isMeant(one) && (one.isUnmistakable || !isInsideWord(text, start, end)))
        edits.push({ start, end, replacement: one.replacement })
      // Another value may begin within this one.
      else pattern.lastIndex = start + 1
    }
    return edits
  }

  return {
    add(value, replacement, isCertain) {
      if (known.has(withBlanks(value)) || !isSearched(value, isCertain)) return
      for (const form of formsOf(value).filter((one) => isSearched(one, isCertain)))
        known.set(withBlanks(form), { replacement, isUnmistakable: isUnmistakable(form) })
      pattern = undefined
    },
    find: (text) => findIn(text, () => true),
    findUnmistakable: (text) => findIn(text, (one) => one.isUnmistakable),
    branch: () => createKnownValues(new Map(known)),
  }
}
