import { expect, test } from 'vitest'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { buildPlan } from './build-plan.ts'
import { loadCatalogue } from './catalogue.ts'

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
    expect({ id, as, actingKind }).toEqual(
      asOf.get(key) === 'any' ? { id, as: undefined, actingKind: 'TPP' } : { id, as, actingKind: undefined },
    )
})
