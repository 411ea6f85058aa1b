/**
 * Finds any of many words in a text in one pass over it, however many words there are: a window of four characters
 * slides along, and only where it is the beginning of a word is anything compared.
 */
export interface WordScanner {
  add(word: string, replacement: string): void
  replace(text: string): string
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

export const createScanner = (): WordScanner => {
  const entries = new Map<number, Entry[]>()
  const known = new Set<string>()

  const longestAt = (text: string, at: number, window: number): Entry | undefined =>
    entries.get(window)?.find(({ word }) => text.startsWith(word, at))

  return {
    add(word, replacement) {
      if (word.length < SHORTEST_WORD || known.has(word)) return
      known.add(word)
      const siblings = [...(entries.get(opening(word)) ?? []), { word, replacement }]
      entries.set(
        opening(word),
        siblings.sort((a, b) => b.word.length - a.word.length),
      )
    },

    replace(text) {
      if (entries.size === 0) return text
      const pieces: string[] = []
      let kept = 0
      let window = 0
      for (let end = 0; end < text.length; end += 1) {
        window = slide(window, text.charCodeAt(end) & 0xff)
        const start = end - SHORTEST_WORD + 1
        if (start < kept || !entries.has(window)) continue
        const entry = longestAt(text, start, window)
        if (entry === undefined) continue
        pieces.push(text.slice(kept, start), entry.replacement)
        kept = start + entry.word.length
        end = kept - 1
      }
      return kept === 0 ? text : pieces.join('') + text.slice(kept)
    },
  }
}
