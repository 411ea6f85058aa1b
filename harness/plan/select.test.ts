import { expect, test } from 'vitest'
import { must } from '../check/requirement.ts'
import { createSelection } from './select.ts'
import type { Chapter, RequirementText } from '../check/requirement.ts'

const row = (id: string, chapter: Chapter, tags: RequirementText['tags'] = []) => ({
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

test('the report tells what left a row out', () => {
  const unselected = createSelection(rows, { only: ['tokens'], skip: ['security'] })
  expect(rows.map(unselected)).toEqual([undefined, 'left out by --skip security', 'not selected by --only'])
})

test('a selector that names nothing ends the run, with the nearest name', () => {
  expect(() => selected(['tokns'])).toThrow(
    '--only tokns: no chapter, requirement id or tag has this name; did you mean tokens?',
  )
  expect(() => selected([], ['nothing-like-it'])).toThrow(/^--skip nothing-like-it: no chapter/)
})
