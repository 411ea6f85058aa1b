import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { profileSchema } from '../profile/schema.ts'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { scratch } from '../testing/samples/reports.ts'
import { readContexts } from './contexts.ts'
import type { Plan } from '../plan/plan.ts'

const profile = profileSchema.parse(referenceProfile('sandbox'))

test('answers are counted for the customer and the application that the plan gave to their scenario', () => {
  const [, second] = profile.customers
  const application = profile.applications[1]?.name ?? ''
  const checks = [
    { scenario: 'tokens/one', rotation: { application, customer: second?.name } },
    { scenario: 'tokens/other', actingKind: 'TPP' },
  ]
  const evidence = join(scratch(), 'evidence.jsonl')
  const ids = ['tokens/one/1', 'tokens/one/2', 'tokens/other.3/1', 'unknown/1']
  writeFileSync(
    evidence,
    ids.map((id) => `${JSON.stringify(sampleExchange({ id, operation: 'token' }))}\n`).join(''),
  )
  const found = readContexts(evidence, { checks } as unknown as Plan, profile)
  const answers = (value: string | undefined) => found.find((one) => one.value === value)?.answers
  expect([answers('2'), answers('1'), answers('3')]).toEqual([2, 1, 0])
  expect(answers(application)).toBeGreaterThanOrEqual(2)
  expect(new Set(found.map(({ dimension }) => dimension))).toEqual(
    new Set(['application', 'customer', 'delivery']),
  )
})
