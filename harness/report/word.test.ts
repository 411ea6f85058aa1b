import { expect, test } from 'vitest'
import { partLines, wordOf } from './word.ts'
import type { Report } from './schema.ts'

const shard = { index: 2, count: 3, plan: 'sha256:33', scenarios: 5, of: 20 }

test('the word of a part is never that of the whole', () => {
  expect(wordOf({ conclusion: 'conforms' })).toBe('conforms')
  expect(wordOf({ conclusion: 'conforms', shard })).toBe('shard 2 of 3: conforms')
  expect(wordOf({ conclusion: 'incomplete', shard })).toBe('shard 2 of 3: incomplete')
  expect(wordOf({ conclusion: 'conforms', shard: { ...shard, scenarios: 0 } })).toBe(
    'shard 2 of 3: nothing to do',
  )
})

test('a part says how much it is, and what was put together says of what', () => {
  const run = { run: 'run-1', startedAt: '', finishedAt: '', durationMs: 1, command: '' }
  const merged: Report['merged'] = {
    ...{ count: 3, plan: 'sha256:33', missing: [] },
    shards: [1, 2, 3].map((index) => ({ index, conclusion: 'conforms', ...run })),
  }
  expect(partLines({})).toEqual([])
  expect(partLines({ shard })).toEqual(['5 of 20 scenarios; npm run merge tells what all of them come to'])
  expect(partLines({ merged })).toEqual(['merged from 3 of 3 shards'])
  expect(partLines({ merged: { ...merged, shards: merged.shards.slice(1), missing: [1] } })).toEqual([
    'merged from 2 of 3 shards; missing: 1',
  ])
})
