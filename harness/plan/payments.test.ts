import { expect, test } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { conditionsFor } from './conditions.ts'
import { renderPlan } from './render-plan.ts'
import type { ProfileInput } from '../profile/schema.ts'
import type { Plan, PlannedCheck } from './plan.ts'

const PAYMENTS: NonNullable<ProfileInput['payments']> = {
  debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
  creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
  provocations: { AC01: {}, TM01: { at: '21:00' } },
}

const conditions = (payments: ProfileInput['payments'], virtual = true, more: Partial<ProfileInput> = {}) => {
  const profile = profileSchema.parse({ ...sampleProfile(), payments, ...more })
  return conditionsFor(undefined, { target: { profile, virtual }, time: 'auto', effects: [] })
}

test('each code is held back by itself', () => {
  expect(conditions(PAYMENTS)).toMatchObject({
    payments: true,
    'any-rejection': true,
    'further-initiation': true,
    'further-initiation-at-once': false,
    'future-initiation': true,
    'payment-token': true,
    'submission-rejection': false,
    'provoke-AC01': true,
    'provoke-AC04': false,
    'provoke-TM01': true,
  })
})

test('a code that needs its time of day needs a clock that can be moved', () => {
  expect(conditions(PAYMENTS, false)).toMatchObject({ 'provoke-AC01': true, 'provoke-TM01': false })
})

test('one of several ways is enough to provoke a code', () => {
  const provocations = { TM01: [{ at: '21:00' }, { change: { sum: 1 } }] }
  expect(conditions({ ...PAYMENTS, provocations }, false)).toMatchObject({
    'provoke-TM01': true,
    'any-rejection': true,
  })
})

test('a profile without payments meets nothing of theirs', () => {
  expect(conditions(undefined)).toMatchObject({
    payments: false,
    'any-rejection': false,
    'provoke-AC01': false,
  })
})

test('a submission is rejected as far as its time of day can be come by', () => {
  const atNight = { ...PAYMENTS, rejectedAtSubmission: { TM01: { at: '21:00' } } }
  expect(conditions(atNight)).toMatchObject({ 'submission-rejection': true })
  expect(conditions(atNight, false)).toMatchObject({ 'submission-rejection': false })
  const atAnyTime = { ...PAYMENTS, rejectedAtSubmission: { AM04: {}, TM01: { at: '21:00' } } }
  expect(conditions(atAnyTime, false)).toMatchObject({ 'submission-rejection': true })
})

test('funds are judged at the submission where the profile says so', () => {
  const orders = (code: 'AM04' | 'TM01') =>
    conditions({ ...PAYMENTS, rejectedAtSubmission: { [code]: {} } })['submission-rejection-AM04']
  expect([orders('AM04'), orders('TM01')]).toEqual([true, false])
})

test('a submission with the token of the application has no token of its own', () => {
  expect(conditions({ ...PAYMENTS, submission: { token: 'client' } })).toMatchObject({
    payments: true,
    'payment-token': false,
  })
})

test('amounts other than the smallest stay in the sandbox', () => {
  expect(conditions(PAYMENTS, true, { environment: 'production' })['any-amount']).toBe(false)
})

const check = (scenario: string, changes: Partial<PlannedCheck>): PlannedCheck => ({
  id: `PAY-01/${scenario}`,
  key: 'specs/payments/a.spec.ts#1',
  requirement: 'PAY-01',
  chapter: 'payments',
  title: 'a claim',
  scenario,
  file: 'specs/payments/a.spec.ts:1',
  effect: 'pay',
  authorizations: 0,
  sharesGrant: false,
  property: false,
  ...changes,
})

test('the plan says how many payments there will be, and how much money', () => {
  const plan: Plan = {
    checks: [
      check('a', { payments: { initiated: 3, submitted: 1 } }),
      check('a', { payments: { initiated: 3, submitted: 1 } }),
      check('b', { payments: { initiated: 2, submitted: 0 }, property: true }),
      check('c', {
        payments: { initiated: 9, submitted: 9 },
        heldBack: { kind: 'too-long', because: 'for a reason' },
      }),
      check('d', {}),
    ],
    leftOut: [],
    scope: 'full',
    effects: ['pay'],
    effectsElsewhere: [],
    seed: 42,
    runs: 10,
  }
  const heading = {
    target: 'a bank',
    environment: 'production',
    clock: 'wall',
    concurrency: 1,
    byPerson: false,
  }
  const payment = { amount: 0.05, currency: 'EUR' }
  const sink = ''
  expect(renderPlan(plan, { ...heading, sink, payment })).toContain(
    '  payments         23 initiated, 1.15 EUR in sum at 0.05 EUR each; 1 of them submitted, 0.05 EUR\n',
  )
  expect(renderPlan(plan, { ...heading, sink })).not.toContain('initiated')
  const own = { ...payment, rejectedAtSubmission: { AM04: { twice: true } } }
  expect(renderPlan(plan, { ...heading, sink, payment: own })).toContain(
    'the orders of payments.rejectedAtSubmission (AM04) have the amounts of the profile, and may be executed',
  )
})
