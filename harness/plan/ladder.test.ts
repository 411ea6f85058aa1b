import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { EFFECTS } from '../evidence/exchange.ts'
import { isObject } from '../evidence/json.ts'
import { profileSchema } from '../profile/schema.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { buildPlan } from './build-plan.ts'
import { loadCatalogue } from './catalogue.ts'
import { running, type Plan } from './plan.ts'
import { ladderOf, testableIn } from './testable.ts'

/** Whoever follows the plan literally gets what it promises. */

/** An item of a list is a further one if it has a name of its own; otherwise it says more of the first. */
const withExample = (profile: unknown, example: unknown): unknown => {
  if (isObject(profile) && isObject(example))
    return Object.entries(example).reduce(
      (all, [key, value]) => ({ ...all, [key]: withExample(profile[key], value) }),
      profile,
    )
  if (!Array.isArray(profile) || !Array.isArray(example)) return example
  return (example as unknown[]).reduce((items: readonly unknown[], item) => {
    const isOfFirst =
      isObject(item) && (item['name'] ?? 'first customer') === 'first customer' && !('iban' in item)
    return isOfFirst ? [withExample(items[0], item), ...items.slice(1)] : [...items, item]
  }, profile)
}

const catalogue = await loadCatalogue()

test('each of the first changes gains what the ladder says, with the examples as they stand', () => {
  const options = {
    only: [],
    skip: [],
    allow: [] as (typeof EFFECTS)[number][],
    seed: 1,
    runs: 1,
    time: 'auto' as const,
  }
  const first = { secondVariant: {}, allow: { sandbox: ['read', 'consent', 'notify'] } }
  let profile: unknown = { ...sampleProfile(), ...first }
  const planned = (): Plan =>
    buildPlan(catalogue, { profile: profileSchema.parse(profile), virtual: false }, options)
  const countOf = (plan: Plan): number => new Set(running(plan).map(({ requirement }) => requirement)).size
  let plan = planned()
  for (let rung = 0; rung < 6; rung += 1) {
    const [{ changes, gained } = { changes: [], gained: 0 }] = ladderOf(plan)
    expect(gained).toBeGreaterThan(0)
    for (const { change } of testableIn(plan).filter(({ change: { what } }) => changes.includes(what))) {
      if (change.example !== undefined) profile = withExample(profile, parse(change.example))
      options.allow.push(...EFFECTS.filter((effect) => change.what.startsWith(`--allow ${effect}`)))
    }
    const next = planned()
    expect(countOf(next), changes.join('; ')).toBeGreaterThanOrEqual(countOf(plan) + gained)
    plan = next
  }
})
