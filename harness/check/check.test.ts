import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check, collecting, loadingFrom, specFileIn } from './check.ts'
import { note, notesOn } from './note.ts'
import { must, undisclosed } from './requirement.ts'
import { property, scenario } from './scenario.ts'
import type { Check } from './check.ts'

const row = must('TST-01', { claim: 'a claim', quote: 'words', place: 'here' })
const options = { effect: 'read', as: 'any' } as const
const act = scenario('something done', options, async () => ({ done: true }))

const collected = async (state: () => void): Promise<readonly Check[]> => {
  const checks: Check[] = []
  await collecting(
    (one) => checks.push(one),
    async () => state(),
  )
  return checks
}

test('checks are collected in the order in which they are stated', async () => {
  const many = property('something done often', options, fc.integer(), async (_, value) => ({ value }))
  const checks = await collected(() => {
    check(row, act, () => undefined)
    check(row, many, () => undefined)
  })
  expect(checks.map(({ scenario: { title } }) => title)).toEqual(['something done', 'something done often'])
})

test('of many files in one module, a check is stated by the one that is loaded', async () => {
  try {
    const checks = await collected(() => {
      for (const file of ['specs/tokens/refresh.spec.ts', 'specs/tokens/exchange.spec.ts']) {
        loadingFrom(file)
        check(row, act, () => undefined)
      }
    })
    expect(checks.map(({ specFile }) => specFile)).toEqual([
      'specs/tokens/refresh.spec.ts',
      'specs/tokens/exchange.spec.ts',
    ])
  } finally {
    loadingFrom(undefined)
  }
})

test('a check that no spec file states says so', async () => {
  const [stated] = await collected(() => check(row, act, () => undefined))
  expect(stated).toMatchObject({ specFile: 'unknown', file: 'unknown' })
})

test('a check that nobody collects does no harm', () => {
  expect(() => check(row, act, () => undefined)).not.toThrow()
})

test('a collection ends even where loading fails', async () => {
  const failing = collecting(
    () => expect.unreachable('the collection is over'),
    async () => {
      throw new Error('no such file')
    },
  )
  await expect(failing).rejects.toThrow('no such file')
  check(row, act, () => undefined)
})

test('notes stand by their scenario', () => {
  const open = undisclosed('TST-U1', { subject: 's', quote: 'not shown', place: 'here' })
  note(open, act, () => 'seen')
  expect(notesOn(act).map(({ undisclosed: { id } }) => id)).toEqual(['TST-U1'])
  expect(notesOn(scenario('another', options, async () => 1))).toEqual([])
})

test.each([
  ['file:///home/me/bank/specs/tokens/exchange.spec.ts', 'specs/tokens/exchange.spec.ts'],
  ['file:///home/me/specs/bank/specs/tokens/exchange.spec.ts?import', 'specs/tokens/exchange.spec.ts'],
  ['file:///home/me/specs/bank/.cache/0f/specs/tokens/exchange.spec.mjs', 'specs/tokens/exchange.spec.ts'],
  ['C:\\specs\\bank\\specs\\tokens\\exchange.spec.ts', 'specs/tokens/exchange.spec.ts'],
  ['file:///home/me/specs/bank/harness/check/check.ts', undefined],
])('%s is known as %s', (module, file) => {
  expect(specFileIn(module)).toBe(file)
})
