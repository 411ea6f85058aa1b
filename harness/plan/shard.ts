import { createHash } from 'node:crypto'
import { costOf, EXCHANGE_MS, scenariosOf } from './render-plan.ts'
import { wallMs, type Patience } from './waits.ts'
import type { Plan, PlannedCheck } from './plan.ts'

/**
 * Splits a plan into parts that take about as long as one another, and gives one of the parts. The parts depend only on
 * the plan and on their number.
 */

/** Scenarios that stay together, and what they take. */
interface Unit {
  readonly scenarios: readonly string[]
  readonly workMs: number
  /** The longest of their waits: waits pass at the same time. */
  readonly waitMs: number
}

type Load = Pick<Unit, 'workMs' | 'waitMs'>

const NO_LOAD: Load = { workMs: 0, waitMs: 0 }

const lasting = ({ workMs, waitMs }: Load): number => workMs + waitMs

const together = (one: Load, other: Load): Load => ({
  workMs: one.workMs + other.workMs,
  waitMs: Math.max(one.waitMs, other.waitMs),
})

/** What takes longer than the run may last is prepared, and not waited for. */
const waitOf = ({ waitsMs = 0, listensMs = 0 }: PlannedCheck, { profile, canMoveTime }: Waits): number => {
  if (canMoveTime) return 0
  const ms = wallMs(waitsMs + listensMs, profile)
  return ms <= profile.deadlines.runMs ? ms : 0
}

type Waits = Pick<Patience, 'profile' | 'canMoveTime'>

const unitOf = (scenario: PlannedCheck, runs: number, waits: Waits): Unit => {
  const scenarios = [scenario.scenario]
  // What is held back takes nothing, wherever it is.
  if (scenario.heldBack !== undefined) return { scenarios, ...NO_LOAD }
  const workMs = costOf(scenario, runs).exchanges * EXCHANGE_MS
  return { scenarios, workMs, waitMs: waitOf(scenario, waits) }
}

const joined = (units: readonly Unit[]): Unit => ({
  scenarios: units.flatMap(({ scenarios }) => scenarios),
  ...units.reduce(together, NO_LOAD),
})

const workOf = (units: readonly Unit[]): number => units.reduce((sum, { workMs }) => sum + workMs, 0)

/** Neighbours, in bundles of which none takes much more than a fair share of all the work. */
const bundled = (units: readonly Unit[], shareMs: number): readonly Unit[] => {
  const bundles = Math.max(1, Math.ceil(workOf(units) / Math.max(1, shareMs)))
  const sizeMs = workOf(units) / bundles
  const parts = Array.from({ length: bundles }, (): Unit[] => [])
  let beforeMs = 0
  for (const unit of units) {
    parts[Math.min(bundles - 1, Math.floor(beforeMs / sizeMs))]?.push(unit)
    beforeMs += unit.workMs
  }
  return parts.filter((part) => part.length > 0).map(joined)
}

/** Scenarios that use one grant are done where it is made, so that a customer is not asked in every part. */
const unitsOf = (plan: Plan, count: number, waits: Waits): readonly Unit[] => {
  const all = scenariosOf(plan.checks).map((planned) => ({
    planned,
    unit: unitOf(planned, plan.runs, waits),
  }))
  const shareMs = workOf(all.map(({ unit }) => unit)) / count
  const alone = all.filter(({ planned }) => !planned.sharesGrant || planned.heldBack !== undefined)
  const sharing = all.filter((one) => !alone.includes(one))
  const applications = [...new Set(sharing.map(({ planned }) => planned.application))]
  return [
    ...alone.map(({ unit }) => unit),
    ...applications.flatMap((application) =>
      bundled(
        sharing.filter(({ planned }) => planned.application === application).map(({ unit }) => unit),
        shareMs,
      ),
    ),
  ]
}

/** The longest first, each to where it is over soonest. */
const assigned = (units: readonly Unit[], count: number): ReadonlyMap<string, number> => {
  const loads = Array.from({ length: count }, () => NO_LOAD)
  const places = new Map<string, number>()
  for (const unit of units.toSorted((one, other) => lasting(other) - lasting(one))) {
    const ends = loads.map((load) => lasting(together(load, unit)))
    const at = ends.indexOf(Math.min(...ends))
    loads[at] = together(loads[at] ?? NO_LOAD, unit)
    for (const scenario of unit.scenarios) places.set(scenario, at + 1)
  }
  return places
}

/** The same plan, of which each check says in which part it is; all checks of a scenario are in the same. */
export const splitPlan = (plan: Plan, count: number, waits: Waits): Plan => {
  const places = assigned(unitsOf(plan, count, waits), count)
  return {
    ...plan,
    checks: plan.checks.map((check) => ({ ...check, shard: places.get(check.scenario) ?? 1 })),
  }
}

/** `--shard 2/3`: which part of a plan a run judges. */
export interface ShardChoice {
  /** From 1. */
  readonly index: number
  readonly count: number
}

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
