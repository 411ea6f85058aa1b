import { expect, test } from 'vitest'
import { renderPlan } from './render-plan.ts'
import { renderConfirmation } from './confirmation.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { Plan, PlannedCheck } from './plan.ts'

const planOf = (...checks: readonly Partial<PlannedCheck>[]): Plan => ({
  checks: checks.map((check, at) => ({ scenario: `s-${at}`, property: false, ...check }) as PlannedCheck),
  leftOut: [],
  scope: 'full',
  effects: ['read', 'consent', 'notify', 'apply', 'pay'],
  effectsElsewhere: ['read', 'consent'],
  seed: 42,
  runs: 25,
})

const reported = (plan: Plan, environment: 'sandbox' | 'production') =>
  renderConfirmation(plan, {
    target: 'Example Bank (https://api.bank.example)',
    environment,
    payment: { amount: 0.01, currency: 'EUR' },
  })

const paying = { effect: 'pay' as Effect, payments: { initiated: 3, submitted: 2 } }

test('reading and consents need no question, and what is held back does nothing', () => {
  expect(reported(planOf({ effect: 'read' }, { effect: 'consent' }), 'production')).toEqual([])
  expect(
    reported(
      planOf({ ...paying, heldBack: { kind: 'effect-not-allowed', because: 'it is not allowed' } }),
      'production',
    ),
  ).toEqual([])
})

test('a run of the sandbox needs no confirmation, unless it also acts in production', () => {
  expect(reported(planOf(paying), 'sandbox')).toEqual([])
  expect(reported(planOf({ ...paying, elsewhere: 'pay' }), 'sandbox')).toContain('  effects          pay')
})

test('payments are shown with their number and sum', () => {
  expect(reported(planOf(paying, { effect: 'notify' }), 'production')).toEqual([
    'Example Bank (https://api.bank.example): this run does more in production than reading and consents.',
    '  effects          notify, pay',
    '  payments         3 initiated, 0.03 EUR in sum at 0.01 EUR each; 2 of them submitted, 0.02 EUR',
  ])
})

test('loan applications are shown with their number', () => {
  expect(reported(planOf({ effect: 'apply', loans: { submitted: 4 } }), 'production')).toContain(
    '  loans            4 applications submitted',
  )
})

test.each([
  ['full', 'Scope: full (all chapters).'],
  ['authorization-server', 'Scope: authorization-server (authorization, tokens).'],
] as const)('a plan names the scope that was asked for: %s', (scope, line) => {
  const heading = {
    target: 'Example Bank',
    environment: 'sandbox',
    clock: 'wall',
    concurrency: 1,
    byPerson: false,
    sink: '',
  }
  expect(renderPlan({ ...planOf(), scope }, heading).split('\n')[1]).toBe(line)
})
