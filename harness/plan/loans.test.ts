import { expect, test } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { conditionsFor } from './conditions.ts'
import { renderPlan } from './render-plan.ts'
import type { ProfileInput } from '../profile/schema.ts'
import type { Plan, PlannedCheck } from './plan.ts'

const conditions = (loans: ProfileInput['loans'], environment: 'sandbox' | 'production' = 'sandbox') => {
  const profile = profileSchema.parse({ ...sampleProfile(), environment, loans })
  return conditionsFor(undefined, { target: { profile, virtual: true }, time: 'auto', effects: [] })
}

test('what the profile leaves out is held back by itself', () => {
  expect(conditions({})).toMatchObject({
    loans: true,
    'loan-api': true,
    'loan-selection-after-submission': true,
    'loan-cause': false,
    'other-loan-application': false,
  })
  expect(
    conditions({
      scenario: { kind: 'parameter' },
      precalculation: { cause: { tooLow: 'LOW', tooHigh: 'HIGH', insufficient: 'POOR' } },
    }),
  ).toMatchObject({
    'loan-selection-after-submission': false,
    'loan-cause': true,
  })
})

test('loans are a sandbox, and nothing in production', () => {
  expect(conditions({}, 'production').loans).toBe(false)
  expect(conditions(undefined)).toMatchObject({
    loans: false,
    'loan-api': false,
    'loan-selection-after-submission': false,
    'loan-cause': false,
    'other-loan-application': false,
  })
})

const check = (scenario: string, changes: Partial<PlannedCheck>): PlannedCheck => ({
  id: `LOA-01/${scenario}`,
  key: 'specs/loans/a.spec.ts#1',
  requirement: 'LOA-01',
  chapter: 'loans',
  title: 'a claim',
  scenario,
  file: 'specs/loans/a.spec.ts:1',
  effect: 'apply',
  authorizations: 0,
  sharesGrant: false,
  property: false,
  ...changes,
})

const HEADING = {
  target: 'a bank',
  environment: 'sandbox',
  clock: 'wall',
  concurrency: 1,
  byPerson: false,
  sink: '',
}

const planOf = (checks: readonly PlannedCheck[]): Plan => ({
  checks,
  leftOut: [],
  scope: 'full',
  effects: ['apply'],
  effectsElsewhere: [],
  seed: 42,
  runs: 10,
})

test('the plan says how many applications there will be', () => {
  const plan = planOf([
    check('a', { loans: { submitted: 3 } }),
    check('a', { loans: { submitted: 3 } }),
    check('b', { loans: { submitted: 2 }, property: true }),
    check('c', { loans: { submitted: 9 }, heldBack: { kind: 'too-long', because: 'for a reason' } }),
    check('d', {}),
  ])
  expect(renderPlan(plan, HEADING)).toContain('  loans            23 applications submitted\n')
  expect(renderPlan(planOf([check('d', {})]), HEADING)).not.toContain('applications submitted')
})
