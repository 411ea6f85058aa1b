import { expect, test } from 'vitest'
import { must, type Chapter } from '../check/requirement.ts'
import { createSelection, withinMost } from './select.ts'
import { grantName } from './shared-grants.ts'
import type { PlannedCheck } from './plan.ts'

const row = (id: string, chapter: Chapter, tags: Parameters<typeof must>[1]['tags'] = []) => ({
  ...must(id, { claim: 'a claim', quote: 'words', place: 'here', tags }),
  chapter,
})
const rows = [
  row('TOK-01', 'tokens'),
  row('TOK-02', 'tokens', ['security']),
  row('PAY-01', 'payments', ['security', 'time']),
]

const selected = (only: readonly string[], skip: readonly string[] = []): readonly string[] => {
  const unselected = createSelection(rows, { only, skip })
  return rows.filter((each) => unselected(each) === undefined).map(({ id }) => id)
}

test.each([
  ['everything', [], [], ['TOK-01', 'TOK-02', 'PAY-01']],
  ['a chapter', ['tokens'], [], ['TOK-01', 'TOK-02']],
  ['an id, in any case', ['pay-01'], [], ['PAY-01']],
  ['a tag', ['security'], [], ['TOK-02', 'PAY-01']],
  ['several of them', ['TOK-01', 'time'], [], ['TOK-01', 'PAY-01']],
  ['all but a chapter', [], ['tokens'], ['PAY-01']],
  ['all but a tag', [], ['time'], ['TOK-01', 'TOK-02']],
  ['a chapter but for an id of it', ['tokens'], ['TOK-01'], ['TOK-02']],
])('selectors choose %s', (_, only, skip, ids) => {
  expect(selected(only, skip)).toEqual(ids)
})

test('the report contains the reason why a row is left out', () => {
  const unselected = createSelection(rows, { only: ['tokens'], skip: ['security'] })
  const kind = 'not-selected'
  expect(rows.map(unselected)).toEqual([
    undefined,
    { kind, because: 'left out by --skip security' },
    { kind, because: 'not selected by --only' },
  ])
})

test('a scope selects its chapters', () => {
  const unselected = createSelection(rows, { only: [], skip: [], scope: 'payments' })
  expect(rows.map((row) => unselected(row)?.because)).toEqual([
    'not in the scope payments',
    'not in the scope payments',
    undefined,
  ])
})

test('a selector that names nothing ends the run, with the nearest name', () => {
  expect(() => selected(['tokns'])).toThrow(
    '--only tokns: no chapter, requirement id or tag has this name; did you mean tokens?',
  )
  expect(() => selected([], ['nothing-like-it'])).toThrow(/^--skip nothing-like-it: no chapter/)
})

/** Which scenarios a person is asked for. */

const check = (
  scenario: string,
  requirement: string,
  authorizations: number,
  changes: Partial<PlannedCheck> = {},
): PlannedCheck => ({
  id: `${requirement}/${scenario}`,
  key: `${scenario}#1`,
  requirement,
  chapter: 'tokens',
  title: 't',
  scenario,
  file: 'specs/tokens/a.spec.ts:1',
  effect: 'consent',
  authorizations,
  sharesGrant: false,
  property: false,
  ...changes,
})

const SHARED = { sharesGrant: true, grants: [grantName('shop', 'Anna')] }
const BOTH = { sharesGrant: true, grants: [grantName('shop', 'Anna'), grantName('shop', 'Bert')] }

const keptOf = (checks: readonly PlannedCheck[], most: number, runs = 1): readonly string[] =>
  withinMost(checks, most, runs)
    .filter(({ heldBack }) => heldBack === undefined)
    .map(({ id }) => id)

test('a scenario without an authorization is kept', () => {
  expect(keptOf([check('a', 'A', 0), check('b', 'B', 2)], 1)).toEqual(['A/a'])
})

test('one grant that many share comes before one that serves a single requirement', () => {
  const checks = [
    check('alone', 'X', 1),
    check('r1', 'A', 0, SHARED),
    check('r2', 'B', 0, SHARED),
    check('r3', 'C', 0, BOTH),
  ]
  expect(keptOf(checks, 1)).toEqual(['A/r1', 'B/r2'])
  expect(keptOf(checks, 2).length).toBe(3)
  expect(keptOf(checks, 3)).toEqual(['X/alone', 'A/r1', 'B/r2', 'C/r3'])
})

test('all checks of a scenario cost its authorizations once', () => {
  const checks = [check('a', 'A', 3), check('a', 'B', 3), check('a', 'C', 3), check('b', 'D', 2)]
  expect(keptOf(checks, 3)).toEqual(['A/a', 'B/a', 'C/a'])
  expect(keptOf(checks, 5)).toEqual(['A/a', 'B/a', 'C/a', 'D/b'])
})

test('a step that costs much and judges much may be better than many small ones', () => {
  const many = ['A', 'B', 'C', 'D', 'E', 'F'].map((id) => check('big', id, 4))
  expect(keptOf([check('small', 'X', 1), check('small', 'Y', 1), ...many], 4)).toEqual(
    many.map(({ id }) => id),
  )
})

test('requirements that are judged already come last', () => {
  const checks = [check('a', 'A', 1), check('again', 'A', 1), check('other', 'B', 1)]
  expect(keptOf(checks, 2)).toEqual(['A/a', 'B/other'])
  expect(keptOf(checks, 3)).toEqual(['A/a', 'A/again', 'B/other'])
})

test('a property authorizes in each of its runs', () => {
  const checks = [check('p', 'A', 1, { property: true })]
  expect(keptOf(checks, 5, 5)).toEqual(['A/p'])
  expect(keptOf(checks, 5, 6)).toEqual([])
})

test('what is held back says by how much, and what was held back before keeps its reason', () => {
  const because = (most: number): (string | undefined)[] =>
    withinMost(
      [check('a', 'A', 30), check('b', 'B', 0, { heldBack: { kind: 'too-long', because: 'a reason' } })],
      most,
      1,
    ).map(({ heldBack }) => heldBack?.because)
  expect(because(5)).toEqual([
    'it would need a 6th authorization by a person (authorization.most: 5)',
    'a reason',
  ])
  expect([1, 2, 10, 20].map((most) => /a (\w+) auth/.exec(because(most)[0] ?? '')?.[1])).toEqual([
    '2nd',
    '3rd',
    '11th',
    '21st',
  ])
})
