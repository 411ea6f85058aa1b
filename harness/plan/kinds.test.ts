import { expect, test } from 'vitest'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema, type ProfileInput } from '../profile/schema.ts'
import { buildPlan } from './build-plan.ts'
import { loadCatalogue } from './catalogue.ts'
import type { PlanOptions } from './plan.ts'

/** The kinds of application as which the checks of a plan run. */

const catalogue = await loadCatalogue()

const [application] = sampleProfile().applications

const planFor = (kinds: readonly ('FAC' | 'TPP')[]) => {
  const applications = kinds.map((kind) => ({ ...application, name: `a ${kind}`, kind }))
  const profile = profileSchema.parse({ ...sampleProfile(), applications })
  const options = { only: [], skip: [], allow: [], seed: 1, runs: 1, time: 'auto' } as const
  return buildPlan(catalogue, { profile, virtual: true }, options).checks
}

const asOf = new Map(catalogue.checks.map(({ key, check }) => [key, check.scenario.options.as]))

test.each([
  ['FAC', 'TPP'],
  ['TPP', 'FAC'],
] as const)('with a %s only, each check for both kinds says that %s is missing', (kind, missing) => {
  const checks = planFor([kind])
  for (const check of checks) {
    const isForBoth = asOf.get(check.key) === 'each'
    expect({ id: check.id, missing: check.missingKind }).toEqual({
      id: check.id,
      missing: isForBoth ? missing : undefined,
    })
    if (isForBoth) expect(check.application).toBe(kind)
  }
  expect(checks.some(({ missingKind }) => missingKind !== undefined)).toBe(true)
})

test('with both, no kind is missing, and a check for any kind says which one acts', () => {
  const checks = planFor(['TPP', 'FAC'])
  expect(checks.filter(({ missingKind }) => missingKind !== undefined)).toEqual([])
  for (const { id, key, application: as, actingKind } of checks)
    expect({ id, isOfAny: as === undefined, hasKind: actingKind !== undefined }).toEqual(
      asOf.get(key) === 'any' ? { id, isOfAny: true, hasKind: true } : { id, isOfAny: false, hasKind: false },
    )
})

const planWith = (changes: Partial<ProfileInput>, more: Partial<PlanOptions> = {}) => {
  const profile = profileSchema.parse({ ...sampleProfile(), ...changes })
  const options = { only: [], skip: [], allow: [], seed: 1, runs: 1, time: 'auto', ...more } as const
  return buildPlan(catalogue, { profile, virtual: true }, options)
}

test('a kind that the profile declares not applicable is not missing, and its checks are not applicable', () => {
  const applications = [{ ...application, name: 'a TPP', kind: 'TPP' }] as ProfileInput['applications']
  const { checks } = planWith({ applications, notApplicable: { FAC: 'the bank has third parties only' } })
  expect(checks.filter(({ missingKind }) => missingKind !== undefined)).toEqual([])
  const ofFac = checks.filter(({ application: as }) => as === 'FAC')
  expect(new Set(ofFac.map(({ heldBack }) => heldBack?.because))).toEqual(
    new Set(['the profile declares: the bank has third parties only']),
  )
  expect(new Set(ofFac.map(({ heldBack }) => heldBack?.kind))).toEqual(new Set(['declared']))
})

test('a facet that the profile declares not applicable is held back for that reason', () => {
  const { checks } = planWith({ notApplicable: { 'second variant': 'the bank has one variant' } })
  const second = checks.filter(({ facets = [] }) => facets.includes('second variant'))
  expect(second.length).toBeGreaterThan(0)
  for (const { heldBack } of second) expect(heldBack?.kind).toBe('declared')
})

test('a requirement that is not selected says no more than that', () => {
  const { leftOut, scope } = planWith({}, { only: ['CON-01'] })
  expect(scope).toBe('full')
  const needs = leftOut.find(({ requirement }) => requirement === 'PAY-01')
  expect(needs).toEqual({
    requirement: 'PAY-01',
    kind: 'not-selected',
    because: 'not selected by --only',
  })
})

test('a named scope plans its chapters only', () => {
  const { checks, leftOut, scope } = planWith({}, { scope: 'authorization-server' })
  expect(scope).toBe('authorization-server')
  expect(new Set(checks.map(({ chapter }) => chapter))).toEqual(new Set(['authorization', 'tokens']))
  expect(leftOut.find(({ requirement }) => requirement === 'ACC-01')).toEqual({
    requirement: 'ACC-01',
    kind: 'not-selected',
    because: 'not in the scope authorization-server',
  })
})
