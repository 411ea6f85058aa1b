import { distance } from 'fastest-levenshtein'

/** Half-typed words ("prod") are understood from this many letters on. */
const SHORTEST_PREFIX = 3
/** How much of a word may be mistyped. */
const TOLERANCE = 0.4

/** The candidate that the author of a mistyped word most probably meant, if any comes near enough. */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  const typed = word.toLowerCase()
  const ranked = candidates
    .map((candidate) => ({ candidate, cost: costOf(typed, candidate.toLowerCase()) }))
    .sort((a, b) => a.cost - b.cost)
  const best = ranked[0]
  return best !== undefined && best.cost < Infinity ? best.candidate : undefined
}

const costOf = (typed: string, candidate: string): number => {
  const cost = isScrambled(typed, candidate) ? 1 : distance(typed, candidate)
  const bearable = Math.max(1, Math.floor(TOLERANCE * Math.max(typed.length, candidate.length)))
  // A word of one letter is one step from any other word of one letter: that is no likeness.
  if (cost <= bearable && cost < typed.length) return cost
  return typed.length >= SHORTEST_PREFIX && candidate.startsWith(typed) ? candidate.length : Infinity
}

/** Fingers that overtake one another leave the letters as they are: "pya". */
const isScrambled = (typed: string, candidate: string): boolean =>
  typed !== candidate && Array.from(typed).sort().join() === Array.from(candidate).sort().join()
