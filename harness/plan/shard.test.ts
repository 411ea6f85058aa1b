import { assert, constantFrom, integer, property, record, subarray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveProfile } from '../profile/load.ts'
import { referenceProfile } from '../target/reference-bank/reference-profile.ts'
import { CHAPTERS } from '../check/requirement.ts'
import { buildPlan } from './build-plan.ts'
import { loadCatalogue } from './catalogue.ts'
import { estimate } from './render-plan.ts'
import { digestOf, partOf, splitPlan, withoutCustomers } from './shard.ts'
import type { Chapter } from '../check/requirement.ts'
import type { Plan, PlannedCheck } from './plan.ts'

const catalogue = await loadCatalogue()
const { profile } = resolveProfile(referenceProfile(), process.env, 'the reference bank')

const MOVED = { profile, canMoveTime: true }

const WHOLE = buildPlan(
  catalogue,
  { profile, virtual: true },
  { only: [], skip: [], allow: [], seed: 42, runs: 25, time: 'auto' },
)

/** As `--only` and `--runs` would have it. */
const planOf = (only: readonly Chapter[] = CHAPTERS, runs = 25): Plan => ({
  ...WHOLE,
  runs,
  checks: WHOLE.checks.filter(({ chapter }) => only.includes(chapter)),
})

const partsOf = (plan: Plan, count: number): readonly Plan[] => {
  const split = splitPlan(plan, count, MOVED)
  return Array.from({ length: count }, (_, at) => partOf(split, { index: at + 1, count }))
}

const anySplit = record({
  only: subarray<Chapter>([...CHAPTERS], { minLength: 1 }),
  count: integer({ min: 1, max: 40 }),
  runs: constantFrom(1, 25),
})

describe('the parts of a plan', () => {
  test('hold every check once, those of a scenario in one part', () => {
    assert(
      property(anySplit, ({ only, count, runs }) => {
        const plan = planOf(only, runs)
        const parts = partsOf(plan, count)
        const ids = parts.flatMap(({ checks }) => checks.map(({ id }) => id))
        expect(ids.toSorted()).toEqual(plan.checks.map(({ id }) => id).toSorted())
        const scenarios = parts.flatMap((part) => [...new Set(part.checks.map(({ scenario }) => scenario))])
        expect(new Set(scenarios).size).toBe(scenarios.length)
      }),
      { numRuns: 40 },
    )
  })

  test('are the same for everyone, and belong together by their digest', () => {
    assert(
      property(anySplit, ({ only, count, runs }) => {
        const [one, other] = [partsOf(planOf(only, runs), count), partsOf(planOf(only, runs), count)]
        expect(JSON.stringify(one)).toBe(JSON.stringify(other))
        expect(new Set(one.map(({ shard }) => shard?.plan)).size).toBe(1)
      }),
      { numRuns: 15 },
    )
  })

  test('are the checks of the plan as they were', () => {
    expect(splitPlan(WHOLE, 3, MOVED).checks).toMatchObject(WHOLE.checks)
  })

  test('do not depend on the seed', () => {
    const places = (plan: Plan) => splitPlan(plan, 3, MOVED).checks.map(({ id, shard }) => [id, shard])
    expect(places({ ...planOf(), seed: 7 })).toEqual(places(planOf()))
  })

  test('account for every requirement: judged, or left out with the shards that judge it', () => {
    const plan = planOf()
    for (const part of partsOf(plan, 3)) {
      const known = [...part.checks, ...part.leftOut].map(({ requirement }) => requirement)
      expect(new Set(known).size).toBe(catalogue.requirements.length)
      const there = part.leftOut.filter(({ because }) => because.startsWith('it is judged in shard'))
      expect(there.length).toBeGreaterThan(0)
    }
  })

  test.each([2, 3, 5])('take about as long as one another: %i', (count) => {
    const sizes = partsOf(planOf(), count).map((part) => estimate(part).exchanges)
    expect(Math.max(...sizes)).toBeLessThan(1.15 * Math.min(...sizes))
  })

  test('ask the customer no oftener than they must: a grant is made where it is used', () => {
    const [plan, count] = [planOf(), 3]
    const asked = partsOf(plan, count).reduce((sum, part) => sum + estimate(part).authorizations, 0)
    const kinds = new Set(
      plan.checks.filter(({ sharesGrant }) => sharesGrant).map(({ application }) => application),
    ).size
    expect(asked - estimate(plan).authorizations).toBeLessThanOrEqual(count - 1)
    expect(kinds).toBeGreaterThan(1)
  })
})

describe('the digest', () => {
  const plan = planOf(['consent'])
  const digest = (some: Plan, count: number): string => digestOf(splitPlan(some, count, MOVED), count)

  test('differs between plans and between numbers of shards', () => {
    const all = [
      digest(plan, 3),
      digest(plan, 4),
      digest(planOf(['loans']), 3),
      digest({ ...plan, seed: 1 }, 3),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('is that of the plan as it is stored, without the names of customers', () => {
    const named = plan.checks.filter(({ customers = [] }) => customers.length > 0)
    expect(named).not.toEqual([])
    const stored = withoutCustomers(plan)
    expect(stored.checks.flatMap(({ customers = [] }) => customers)).toEqual([])
    expect(digest(stored, 3)).toBe(digest(plan, 3))
  })
})

describe('where time is waited for', () => {
  const MINUTE_MS = 60_000
  const [sample] = planOf(['consent']).checks
  if (sample === undefined) throw new Error('the chapter that this test needs has no checks')
  const timed = (name: string, waitsMs: number): PlannedCheck => ({
    ...sample,
    id: `${name}/1`,
    scenario: `loans/${name}`,
    waitsMs,
  })
  const plan = (checks: readonly PlannedCheck[]): Plan => ({ ...planOf(['consent']), checks })
  const waiting = { profile: { ...profile, clock: { speed: 1 } }, canMoveTime: false }
  const placesOf = (checks: readonly PlannedCheck[], count: number) =>
    splitPlan(plan(checks), count, waiting).checks.map(({ shard }) => shard)

  test('waiting scenarios are in the same shard, and the others in other shards', () => {
    const short = Array.from({ length: 6 }, (_, at) => timed(`short-${at}`, 0))
    const [slow, ...rest] = placesOf([timed('slow', 20 * MINUTE_MS), ...short], 2)
    expect(new Set(rest).size).toBe(1)
    expect(rest).not.toContain(slow)
  })

  test('what is only prepared is no wait', () => {
    const days = timed('days', 90 * 24 * 60 * MINUTE_MS)
    const places = placesOf([days, timed('a', 0), timed('b', 0), timed('c', 0)], 2)
    expect(places.filter((shard) => shard === 1)).toHaveLength(2)
  })
})

test('a part into which nothing fell has nothing to do, and knows how much there is elsewhere', () => {
  const plan = planOf(['consent'])
  const all = partsOf(plan, 40)
  const empty = all.filter(({ shard }) => shard?.scenarios === 0)
  expect(empty.length).toBeGreaterThan(0)
  for (const { checks, shard } of empty) {
    expect(checks.filter(({ heldBack }) => heldBack === undefined)).toEqual([])
    expect(shard?.of).toBe(estimate(plan).scenarios)
  }
})
