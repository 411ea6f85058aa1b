import { expect, test } from 'vitest'
import {
  groupTestable,
  REASON_KINDS,
  testableSentence,
  verdictFor,
  type Change,
  type Reason,
} from './reason.ts'

const SECOND: Change = { change: 'profile', what: 'a second customer (customers)' }
const PAY: Change = { change: 'option', what: '--allow pay' }
const ONLY: Change = { change: 'without', what: '--only' }

const held = (...changes: readonly Change[]): Reason => ({
  kind: 'missing-in-profile',
  because: 'a reason',
  changes,
})

const left = (requirement: string, ...reasons: readonly Reason[]) => ({
  requirement,
  reasons,
  isPartly: false,
})

test('only what the bank does not have, or no check can judge, is not applicable', () => {
  const notApplicable = REASON_KINDS.filter((kind) => verdictFor({ kind }) === 'not-applicable')
  expect(notApplicable).toEqual(['declared', 'unchecked'])
  expect(verdictFor({ kind: 'not-selected' })).toBe('not-tested')
})

test('requirements are grouped by what makes them testable, the largest group first', () => {
  const groups = groupTestable([
    left('A', held(PAY)),
    left('B', held(SECOND)),
    left('C', held(SECOND), held(SECOND)),
  ])
  expect(groups).toEqual([
    { changes: [SECOND], requirements: ['B', 'C'], partly: [] },
    { changes: [PAY], requirements: ['A'], partly: [] },
  ])
})

test('the smallest change counts, and each of several that are as small', () => {
  expect(groupTestable([left('A', held(PAY, SECOND), held(ONLY))])).toEqual([
    { changes: [ONLY], requirements: ['A'], partly: [] },
  ])
  expect(groupTestable([left('A', held(PAY), held(SECOND))]).map(({ changes }) => changes)).toEqual([
    [PAY],
    [SECOND],
  ])
})

test('the same changes in another order are the same', () => {
  expect(groupTestable([left('A', held(PAY, SECOND)), left('B', held(SECOND, PAY))])).toHaveLength(1)
})

test('a change that two obstacles need is one change', () => {
  expect(groupTestable([left('A', held(ONLY, ONLY)), left('B', held(ONLY))])).toEqual([
    { changes: [ONLY], requirements: ['A', 'B'], partly: [] },
  ])
})

test('what nothing makes testable is in no group', () => {
  expect(groupTestable([left('A', { kind: 'pending', because: 'no check exists' })])).toEqual([])
})

test('requirements of which a further facet becomes testable are counted apart', () => {
  const groups = groupTestable([
    left('A', held(SECOND)),
    { ...left('B', held(SECOND)), isPartly: true },
    { ...left('B', held(SECOND)), isPartly: true },
  ])
  expect(groups).toEqual([{ changes: [SECOND], requirements: ['A'], partly: ['B'] }])
})

test.each([
  [[SECOND], ['A', 'B'], [], 'adding a second customer (customers) makes 2 requirements testable'],
  [[PAY], ['A'], [], 'adding --allow pay makes 1 requirement testable'],
  [[PAY], [], ['A'], 'adding --allow pay makes 1 requirement testable in a further facet'],
  [
    [ONLY, PAY, SECOND],
    ['A'],
    ['B', 'C'],
    'leaving out --only and adding --allow pay and a second customer (customers) makes 1 more requirement testable, and 2 more requirements testable in a further facet',
  ],
])('the sentence of %j', (changes, requirements, partly, sentence) => {
  expect(testableSentence({ changes, requirements, partly })).toBe(sentence)
})
