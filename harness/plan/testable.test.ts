import { expect, test } from 'vitest'
import { idRanges } from './lists.ts'
import { testableIn, testableSentence } from './testable.ts'
import type { Plan, PlannedCheck } from './plan.ts'
import type { Change, Reason } from './reason.ts'

const SECOND: Change = { change: 'profile', what: 'a second customer (customers)' }
const PAY: Change = { change: 'option', what: '--allow pay' }

const held = (...changes: readonly Change[]): Reason => ({
  kind: 'missing-in-profile',
  because: 'a reason',
  changes,
})

const check = (requirement: string, changes: Partial<PlannedCheck>): PlannedCheck =>
  ({ requirement, ...changes }) as PlannedCheck

const left = (requirement: string, ...reasons: readonly Reason[]) =>
  reasons.map((heldBack) => check(requirement, { heldBack }))

const found = (...checks: readonly (readonly PlannedCheck[])[]) =>
  testableIn({ checks: checks.flat(), scope: 'full' } as unknown as Plan)

test('each thing that is missing is listed once, what most requirements need first', () => {
  expect(found(left('A', held(PAY)), left('B', held(SECOND)), left('C', held(SECOND), held(SECOND)))).toEqual(
    [
      { change: SECOND, requirements: ['B', 'C'], partly: [], withOthers: 0 },
      { change: PAY, requirements: ['A'], partly: [], withOthers: 0 },
    ],
  )
})

test('what needs several things is below each of them', () => {
  expect(found(left('A', held(PAY, SECOND)), left('B', held(SECOND, PAY)), left('C', held(PAY)))).toEqual([
    { change: PAY, requirements: ['A', 'B', 'C'], partly: [], withOthers: 2 },
    { change: SECOND, requirements: ['A', 'B'], partly: [], withOthers: 2 },
  ])
})

test('the smallest change counts, and each of several that are as small', () => {
  const OTHER: Change = { change: 'option', what: '--time wall' }
  expect(found(left('A', held(PAY, SECOND), held(OTHER))).map(({ change }) => change)).toEqual([OTHER])
  expect(found(left('A', held(PAY), held(SECOND))).map(({ change }) => change)).toEqual([PAY, SECOND])
})

test('what was not selected, what the bank does not have and what nothing makes testable is not listed', () => {
  const reasons: readonly Reason[] = [
    { kind: 'not-selected', because: 'left out by --skip time', changes: [PAY] },
    { kind: 'declared', because: 'the profile declares: it has none' },
    { kind: 'pending', because: 'no check exists' },
  ]
  for (const reason of reasons) expect(found(left('A', reason))).toEqual([])
})

test('requirements of which a further facet becomes testable are counted apart', () => {
  const variant = { facets: ['second variant'] }
  const partly = [
    check('B', {}),
    check('B', { ...variant, heldBack: held(SECOND) }),
    check('B', { ...variant, heldBack: held(SECOND) }),
  ]
  expect(found(left('A', held(SECOND)), partly)).toEqual([
    { change: SECOND, requirements: ['A'], partly: ['B'], withOthers: 0 },
  ])
  // Another check of the same facet runs.
  expect(found([check('C', {}), ...left('C', held(SECOND))])).toEqual([])
})

test.each([
  [['A', 'B'], [], 0, 'a second customer (customers): 2 requirements'],
  [['A'], [], 1, 'a second customer (customers): 1 requirement, only with more of this list'],
  [[], ['A'], 0, 'a second customer (customers): a further facet of 1 requirement'],
  [
    ['A'],
    ['B', 'C'],
    2,
    'a second customer (customers): 1 requirement and a further facet of 2 requirements, 2 of them only with more of this list',
  ],
])('the sentence of %j, %j and %i', (requirements, partly, withOthers, sentence) => {
  expect(testableSentence({ change: SECOND, requirements, partly, withOthers })).toBe(sentence)
})

test('three and more consecutive ids are a range', () => {
  expect(idRanges(['TOK-03', 'ACC-09', 'TOK-01', 'ACC-10', 'ACC-11', 'TOK-01'])).toEqual([
    'TOK-01',
    'TOK-03',
    'ACC-09 … ACC-11',
  ])
})
