import { createHash } from 'node:crypto'
import { scenariosOf } from './render-plan.ts'
import type { Plan } from './plan.ts'
import type { ShardChoice } from './shard-option.ts'

/** One part of a plan that was split. */

/** What a run does beside its scenarios, shards do each for themselves, under a name of their own. */
export const besideScenarios = (name: string, { shard }: Pick<Plan, 'shard'>): string =>
  shard === undefined ? name : `${name}@${shard.index}of${shard.count}`

/** SHA-256 over a split plan: who has the same may put the parts together. */
export const digestOf = (split: Plan, count: number): string =>
  createHash('sha256')
    .update(JSON.stringify({ count, ...split }))
    .digest('hex')

const runningIn = ({ checks }: Pick<Plan, 'checks'>): number =>
  scenariosOf(checks.filter(({ heldBack }) => heldBack === undefined)).length

/** `shard 2`, `shards 1 and 3`, and how many there are. */
const named = (shards: readonly number[], count: number): string =>
  shards.length === 1
    ? `shard ${shards.join('')} of ${count}`
    : `shards ${shards.slice(0, -1).join(', ')} and ${shards.at(-1) ?? ''} of ${count}`

/** By requirement, the parts that have checks of it. */
const placesIn = ({ checks }: Plan): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, Set<number>>()
  for (const { requirement, shard = 1 } of checks)
    places.set(requirement, (places.get(requirement) ?? new Set<number>()).add(shard))
  return new Map([...places].map(([id, shards]) => [id, [...shards].sort((one, other) => one - other)]))
}

/** The checks of one part. A requirement that only others judge is left out, and says where it is judged. */
export const partOf = (split: Plan, { index, count }: ShardChoice): Plan => {
  const places = [...placesIn(split)]
  const checks = split.checks.filter(({ shard }) => shard === index)
  const others = places.filter(([, shards]) => !shards.includes(index))
  const both = places.filter(([, shards]) => shards.includes(index) && shards.length > 1)
  return {
    ...split,
    checks,
    leftOut: [
      ...split.leftOut,
      ...others.map(([requirement, shards]) => ({
        requirement,
        because: `it is judged in ${named(shards, count)}`,
      })),
    ],
    shard: {
      index,
      count,
      plan: digestOf(split, count),
      scenarios: runningIn({ checks }),
      of: runningIn(split),
      elsewhere: Object.fromEntries(
        both.map(([requirement, shards]) => [requirement, shards.filter((shard) => shard !== index)]),
      ),
    },
  }
}

/** Where all parts ask the same target, and each of them takes it to be alone there. */
export const SHARED_TARGET =
  '--shard: the shards of one target disturb each other where they run at the same time (a later grant may end an earlier one, a clock is moved for all): run them one after another, or give each its own customers'
