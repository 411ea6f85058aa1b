import { distance } from 'fastest-levenshtein'

/** The minimal length of abbreviated words ("prod"). */
const SHORTEST_PREFIX = 3
const TOLERANCE = 0.4

/** The candidate that the author of a mistyped word most probably meant, if one is similar enough. */
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
  const acceptable = Math.max(1, Math.floor(TOLERANCE * Math.max(typed.length, candidate.length)))
  // A word of one letter has distance 1 to any other one: this is not a similarity.
  if (cost <= acceptable && cost < typed.length) return cost
  return typed.length >= SHORTEST_PREFIX && candidate.startsWith(typed) ? candidate.length : Infinity
}

/** Swapped letters: the same letters in another order, such as "pya". */
const isScrambled = (typed: string, candidate: string): boolean =>
  typed !== candidate && Array.from(typed).sort().join() === Array.from(candidate).sort().join()
