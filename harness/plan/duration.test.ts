import { expect, test } from 'vitest'
import { durationOf } from './duration.ts'
import { profileSchema } from '../profile/schema.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import type { PlannedCheck } from './plan.ts'

const MINUTE = 60_000

/** A test hook moves its clock. */
const MOVED: PlannedCheck = {
  id: 'LOA-01/1',
  key: 'specs/loans/paths.spec.ts#1',
  requirement: 'LOA-01',
  chapter: 'loans',
  title: 'a path',
  scenario: 'loans/a-path',
  file: 'specs/loans/paths.spec.ts:1',
  effect: 'apply',
  authorizations: 0,
  sharesGrant: false,
  property: false,
  waitsMs: 20 * MINUTE,
}
const WAITING: PlannedCheck = { ...MOVED, isWaitedFor: true }
const READING: PlannedCheck = {
  ...WAITING,
  id: 'TOK-01/1',
  scenario: 'tokens/many-grants',
  authorizations: 1_000,
  waitsMs: 0,
}

interface Given {
  readonly speed?: number
  readonly runMs?: number
  readonly rate?: number
  readonly requests?: number
  readonly checks?: readonly PlannedCheck[]
}

const lasting = ({ speed = 1, runMs, rate, requests, checks = [WAITING] }: Given) => {
  const plan = {
    checks,
    leftOut: [],
    scope: 'full' as const,
    effects: [],
    effectsElsewhere: [],
    seed: 1,
    runs: 1,
  }
  const profile = profileSchema.parse({
    ...sampleProfile(),
    clock: { speed },
    ...(runMs !== undefined && { deadlines: { runMs } }),
  })
  return durationOf({ plan, profile, concurrency: 1, rate, requests })
}

test('a run may last as long as its longest wait, with a margin, at the speed of the clock', () => {
  const longer = { ...WAITING, scenario: 'loans/a-longer-path', waitsMs: 25 * MINUTE }
  const { waitMs, expectedMs, limitMs } = lasting({ checks: [WAITING, longer] })
  expect([waitMs, expectedMs]).toEqual([25 * MINUTE, 26.25 * MINUTE])
  expect(limitMs).toBe(expectedMs + 30 * MINUTE)
  expect(lasting({ speed: 20 }).waitMs).toBe(MINUTE)
})

test('waits that are left to a resumed run, or that a test hook replaces, take no time', () => {
  const months = { ...WAITING, waitsMs: 90 * 24 * 60 * MINUTE }
  expect(lasting({ checks: [months] }).waitMs).toBe(0)
  expect(lasting({ checks: [MOVED] }).waitMs).toBe(0)
})

test('a run may last as long as its requests need at the rate, within the budget', () => {
  const checks = [WAITING, READING]
  expect(lasting({ checks, rate: 1 }).limitMs).toBeGreaterThan(3 * 6_000_000)
  expect(lasting({ checks, rate: 1, requests: 100 }).limitMs).toBe(lasting({}).limitMs)
})

test('a limit of the profile that the plan cannot keep is an error with the figures', () => {
  expect(() => lasting({ runMs: 10 * MINUTE })).toThrow(
    '`deadlines.runMs`: the run may last 10 min (600000), and its plan takes about 21 min: its longest wait is 20 min; raise it to 1260000 or more',
  )
  expect(() => lasting({ checks: [READING], rate: 1, runMs: 10 * MINUTE })).toThrow(
    'about 6003 requests at --rate 1 take 101 min',
  )
  expect(lasting({ runMs: 21 * MINUTE }).limitMs).toBe(21 * MINUTE)
  expect(lasting({ runMs: 1, checks: [MOVED] }).limitMs).toBe(1)
})
