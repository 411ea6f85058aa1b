import type { Complain } from './option-values.ts'

/** `--shard 2/3`: which part of the plan a run carries out. */

export interface ShardChoice {
  /** From 1. */
  readonly index: number
  readonly count: number
}

const MOST = 1000

const FORM = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/

/** @param complain takes the sentence about a part that there cannot be. */
export const settleShard = (value: string | undefined, complain: Complain): ShardChoice | undefined => {
  if (value === undefined) return undefined
  const [, index, count] = (FORM.exec(value) ?? []).map(Number)
  if (index !== undefined && count !== undefined && index <= count && count <= MOST) return { index, count }
  return complain(
    `--shard: expected i/n, the part and the number of parts, as 1/3, 2/3 and 3/3 (n at most ${MOST}); received '${value}'`,
  )
}
