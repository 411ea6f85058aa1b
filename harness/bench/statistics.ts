/** Figures of repeated measurements: the middle and the spread, since a mean follows whoever else uses the machine. */

export interface Figure {
  readonly median: number
  readonly lowest: number
  readonly highest: number
  /** How many measurements it rests on. */
  readonly count: number
}

/** NaN of no values at all, so that a figure that rests on nothing meets no aim. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

export const figureOf = (values: readonly number[]): Figure => ({
  median: median(values),
  lowest: Math.min(...values),
  highest: Math.max(...values),
  count: values.length,
})

/**
 * How many times as long ours took as theirs, round by round. The two of one round ran one right after the other, so
 * that what else the machine did at that time stands on both sides of the fraction.
 */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): Figure =>
  figureOf(
    ours.flatMap((value, round) => {
      const other = theirs[round]
      return other === undefined ? [] : [value / other]
    }),
  )

/** By how much ours took longer than theirs, round by round. */
export const differenceOf = (ours: readonly number[], theirs: readonly number[]): Figure =>
  figureOf(
    ours.flatMap((value, round) => {
      const other = theirs[round]
      return other === undefined ? [] : [value - other]
    }),
  )

/** The list, begun at another place: what always comes first would always find the same caches. */
export const rotated = <Item>(items: readonly Item[], by: number): readonly Item[] => {
  const at = items.length === 0 ? 0 : by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}
