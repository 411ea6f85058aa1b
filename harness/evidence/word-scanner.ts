/** Replaces any of many words in a text in one pass over it. */
export interface WordScanner {
  add(word: string, replacement: string): void
  replace(text: string): string
  /** Another scanner, which begins with the words of this one. */
  branch(): WordScanner
}

/** A shorter word would be found in innocent text everywhere. */
export const SHORTEST_WORD = 4

interface Entry {
  readonly word: string
  readonly replacement: string
}

/** @param entries words by their first four characters, the longest word first. */
export const createScanner = (entries = new Map<string, readonly Entry[]>()): WordScanner => ({
  add(word, replacement) {
    if (word.length < SHORTEST_WORD) return
    const beginning = word.slice(0, SHORTEST_WORD)
    const siblings = entries.get(beginning) ?? []
    if (siblings.some((sibling) => sibling.word === word)) return
    entries.set(
      beginning,
      [...siblings, { word, replacement }].sort((a, b) => b.word.length - a.word.length),
    )
  },

  replace(text) {
    const pieces: string[] = []
    let kept = 0
    for (let at = 0; at + SHORTEST_WORD <= text.length; at += 1) {
      const entry = entries
        .get(text.slice(at, at + SHORTEST_WORD))
        ?.find(({ word }) => text.startsWith(word, at))
      if (entry === undefined) continue
      pieces.push(text.slice(kept, at), entry.replacement)
      kept = at + entry.word.length
      at = kept - 1
    }
    return pieces.length === 0 ? text : pieces.join('') + text.slice(kept)
  },

  branch: () => createScanner(new Map(entries)),
})
