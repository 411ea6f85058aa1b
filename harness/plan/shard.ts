import { createHash } from 'node:crypto'
import { costOf, EXCHANGE_MS, scenariosOf } from './render-plan.ts'
import { isWithinRun, wallMs, type Patience } from './waits.ts'
import type { Plan, PlannedCheck } from './plan.ts'

/**
 * Splits a plan into shards of about the same duration. The split depends only on the plan and on the number of shards.
 */

/** Scenarios that stay together, and their duration. */
interface Unit {
  readonly scenarios: readonly string[]
  readonly workMs: number
  /** The longest of their waits, since waits are concurrent. */
  readonly waitMs: number
}

type Load = Pick<Unit, 'workMs' | 'waitMs'>

const NO_LOAD: Load = { workMs: 0, waitMs: 0 }

const lasting = ({ workMs, waitMs }: Load): number => workMs + waitMs

const together = (one: Load, other: Load): Load => ({
  workMs: one.workMs + other.workMs,
  waitMs: Math.max(one.waitMs, other.waitMs),
})

/** A run does not wait for a scenario that takes longer than the run may last. */
const waitOf = ({ waitsMs = 0, listensMs = 0 }: PlannedCheck, { profile, canMoveTime }: Waits): number => {
  if (canMoveTime) return 0
  const ms = wallMs(waitsMs + listensMs, profile)
  return isWithinRun(ms, profile) ? ms : 0
}

type Waits = Pick<Patience, 'profile' | 'canMoveTime'>

const unitOf = (scenario: PlannedCheck, runs: number, waits: Waits): Unit => {
  const scenarios = [scenario.scenario]
  // A check that is held back takes no time.
  if (scenario.heldBack !== undefined) return { scenarios, ...NO_LOAD }
  const workMs = costOf(scenario, runs).exchanges * EXCHANGE_MS
  return { scenarios, workMs, waitMs: waitOf(scenario, waits) }
}

const joined = (units: readonly Unit[]): Unit => ({
  scenarios: units.flatMap(({ scenarios }) => scenarios),
  ...units.reduce(together, NO_LOAD),
})

const workOf = (units: readonly Unit[]): number => units.reduce((sum, { workMs }) => sum + workMs, 0)

/** Groups adjacent units into bundles of about the same duration. */
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

/** Scenarios that share a grant stay in one shard, so that a customer does not authorize in every shard. */
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

/** Assigns the longest units first, each to the shard with the shortest duration. */
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

/** The same plan with the shard of each check; all checks of a scenario are in the same shard. */
export const splitPlan = (plan: Plan, count: number, waits: Waits): Plan => {
  const places = assigned(unitsOf(plan, count, waits), count)
  return {
    ...plan,
    checks: plan.checks.map((check) => ({ ...check, shard: places.get(check.scenario) ?? 1 })),
  }
}

/** `--shard 2/3`: the shard that a run judges. */
export interface ShardChoice {
  /** From 1. */
  readonly index: number
  readonly count: number
}

/** The name under which a shard records exchanges that do not belong to a scenario. */
export const nameOutsideScenarios = (name: string, { shard }: Pick<Plan, 'shard'>): string =>
  shard === undefined ? name : `${name}@${shard.index}of${shard.count}`

/** A plan that can be stored: the names of customers are personal, and only a shown plan needs them. */
export const withoutCustomers = (plan: Plan): Plan => ({
  ...plan,
  checks: plan.checks.map((check) => {
    const stored: { -readonly [Name in keyof PlannedCheck]: PlannedCheck[Name] } = { ...check }
    delete stored.customers
    return stored
  }),
})

/** SHA-256 over a split plan: shards with the same digest can be merged. */
export const digestOf = (split: Plan, count: number): string =>
  createHash('sha256')
    .update(JSON.stringify({ count, ...withoutCustomers(split) }))
    .digest('hex')

const runningIn = ({ checks }: Pick<Plan, 'checks'>): number =>
  scenariosOf(checks.filter(({ heldBack }) => heldBack === undefined)).length

/** `shard 2 of 3`, `shards 1 and 3 of 3`. */
const named = (shards: readonly number[], count: number): string =>
  shards.length === 1
    ? `shard ${shards.join('')} of ${count}`
    : `shards ${shards.slice(0, -1).join(', ')} and ${shards.at(-1) ?? ''} of ${count}`

/** The shards that have checks of a requirement, by its id. */
const placesIn = ({ checks }: Plan): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, Set<number>>()
  for (const { requirement, shard = 1 } of checks)
    places.set(requirement, (places.get(requirement) ?? new Set<number>()).add(shard))
  return new Map([...places].map(([id, shards]) => [id, [...shards].sort((one, other) => one - other)]))
}

/** The checks of one shard. A requirement of other shards is left out, with their numbers as the reason. */
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
        kind: 'other-shard' as const,
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

/** The warning for shards of the same target, since each shard assumes that no other run uses it. */
export const SHARED_TARGET =
  '--shard: concurrent shards of one target affect each other (a later grant may end an earlier one, a clock is moved for all): run them one after another, or give each shard its own customers'
