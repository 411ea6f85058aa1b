/**
 * Finds any of many words in a text in one pass over it, however many words there are: a window of four characters
 * slides along, and only where it is the beginning of a word is anything compared.
 */
export interface WordScanner {
  add(word: string, replacement: string): void
  replace(text: string): string
  /** Another scanner, that begins with the words of this one. */
  branch(): WordScanner
}

/** A word shorter than the window would be found in innocent text everywhere. */
export const SHORTEST_WORD = 4

interface Entry {
  readonly word: string
  readonly replacement: string
}

const slide = (window: number, code: number): number => ((window << 8) ^ code) | 0

const opening = (word: string): number => {
  let window = 0
  for (let at = 0; at < SHORTEST_WORD; at += 1) window = slide(window, word.charCodeAt(at) & 0xff)
  return window
}

/** Windows share a mark: where there is none no word begins, which is as good as everywhere. */
const MARKS = 8192

const markOf = (window: number): number => (window ^ (window >>> 13)) & (MARKS - 1)

export const createScanner = (
  /** By the window that they begin with, the longest first. */
  entries = new Map<number, readonly Entry[]>(),
  marks = new Uint8Array(MARKS),
): WordScanner => {
  const entryAt = (text: string, at: number, window: number): Entry | undefined =>
    entries.get(window)?.find(({ word }) => text.startsWith(word, at))

  return {
    add(word, replacement) {
      if (word.length < SHORTEST_WORD) return
      const window = opening(word)
      const siblings = entries.get(window) ?? []
      if (siblings.some((sibling) => sibling.word === word)) return
      entries.set(
        window,
        [...siblings, { word, replacement }].sort((a, b) => b.word.length - a.word.length),
      )
      marks[markOf(window)] = 1
    },

    replace(text) {
      const pieces: string[] = []
      let kept = 0
      let window = 0
      for (let end = 0; end < text.length; end += 1) {
        window = slide(window, text.charCodeAt(end) & 0xff)
        if (marks[markOf(window)] === 0) continue
        const start = end - SHORTEST_WORD + 1
        const entry = start < kept ? undefined : entryAt(text, start, window)
        if (entry === undefined) continue
        pieces.push(text.slice(kept, start), entry.replacement)
        kept = start + entry.word.length
        end = kept - 1
      }
      return kept === 0 ? text : pieces.join('') + text.slice(kept)
    },

    branch: () => createScanner(new Map(entries), marks.slice()),
  }
}
