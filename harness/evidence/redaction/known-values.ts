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

/** So much of a value is in the pattern: the size of a pattern is limited, and a bank may issue a token of a mebibyte. */
const HEAD = 64

interface Known {
  readonly replacement: string
  readonly isUnmistakable: boolean
}

interface Search {
  /** The heads of all values, the longest first. A pseudonym is passed over. */
  readonly pattern: RegExp
  /** The values of more than a head, by their heads, the longest first. */
  readonly long: ReadonlyMap<string, readonly string[]>
}

const createSearch = (values: readonly string[]): Search => {
  const long = new Map<string, string[]>()
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  for (const value of longestFirst.filter(({ length }) => length > HEAD)) {
    const head = value.slice(0, HEAD)
    long.set(head, [...(long.get(head) ?? []), value])
  }
  const heads = new Set(longestFirst.map((value) => value.slice(0, HEAD)))
  return { pattern: new RegExp([PSEUDONYM, ...[...heads].map(patternFor)].join('|'), 'g'), long }
}

export const createKnownValues = (known = new Map<string, Known>()): KnownValues => {
  let search: Search | undefined

  /** The longest value that stands there: one with this head, or one that the head begins with. */
  const valueAt = (text: string, start: number, head: string, { long }: Search): string => {
    const isThere = (value: string): boolean => withBlanks(text.slice(start, start + value.length)) === value
    const found = long.get(head)?.find(isThere)
    if (found !== undefined) return found
    let { length } = head
    while (length > SHORTEST && !known.has(head.slice(0, length))) length -= 1
    return head.slice(0, length)
  }

  const findIn = (text: string, isMeant: (one: Known) => boolean): readonly Edit[] => {
    if (known.size === 0 || text.length < SHORTEST) return []
    search ??= createSearch([...known.keys()])
    const { pattern } = search
    pattern.lastIndex = 0
    const edits: Edit[] = []
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { index: start } = match
      if (IS_PSEUDONYM.test(match[0])) continue
      const value = valueAt(text, start, withBlanks(match[0]), search)
      const one = known.get(value)
      const end = start + value.length
      if (one !== undefined && isMeant(one) && (one.isUnmistakable || !isInsideWord(text, start, end))) {
        edits.push({ start, end, replacement: one.replacement })
        pattern.lastIndex = end
      }
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
      search = undefined
    },
    find: (text) => findIn(text, () => true),
    findUnmistakable: (text) => findIn(text, (one) => one.isUnmistakable),
    branch: () => createKnownValues(new Map(known)),
  }
}
