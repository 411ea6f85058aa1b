import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check, collectChecks } from './check.ts'
import { note, notesOn } from './note.ts'
import { must, notShown } from './requirement.ts'
import { property, scenario } from '../session/scenario.ts'
import type { Check } from './check.ts'

const row = must('TST-01', { claim: 'a claim', quote: 'words', place: 'here' })
const options = { effect: 'read', as: 'any' } as const
const act = scenario('something done', options, async () => ({ done: true }))

const collected = (state: () => void): readonly Check[] => {
  const checks: Check[] = []
  collectChecks((one) => checks.push(one))
  try {
    state()
  } finally {
    collectChecks()
  }
  return checks
}

test('checks are collected in the order in which they are stated', () => {
  const many = property('something done often', options, fc.integer(), async (_, value) => ({ value }))
  const checks = collected(() => {
    check(row, act, () => undefined)
    check(row, many, () => undefined)
  })
  expect(checks.map(({ scenario: { title } }) => title)).toEqual(['something done', 'something done often'])
})

test('check.only marks a check', () => {
  const checks = collected(() => {
    check(row, act, () => undefined)
    check.only(row, act, () => undefined)
  })
  expect(checks.map(({ isOnly }) => isOnly)).toEqual([false, true])
})

test('a check knows the line on which it is stated', () => {
  const [stated] = collected(() => check(row, act, () => undefined))
  expect(stated?.statedAt.stack).toContain('check.test.ts:')
})

test('a check that nobody collects does no harm', () => {
  expect(() => check(row, act, () => undefined)).not.toThrow()
})

test('notes stand by their scenario', () => {
  const open = notShown('TST-U1', { subject: 's', quote: 'not shown', place: 'here' })
  note(open, act, () => 'seen')
  expect(notesOn(act).map(({ notShown: { id } }) => id)).toEqual(['TST-U1'])
  expect(notesOn(scenario('another', options, async () => 1))).toEqual([])
})
