import { expect, test } from 'vitest'
import { REJECTION, sampleReport } from '../testing/samples/reports.ts'
import { scopeLines, sentenceOf, conclusionOf } from './sentences.ts'
import type { CheckReport, Report } from './schema.ts'

const check = (changes: Partial<CheckReport>): CheckReport => ({
  title: 'a check',
  file: 'specs/payments/rejection.spec.ts:21',
  verdict: 'pass',
  durationMs: 0,
  exchanges: [],
  reproduce: 'npm test',
  ...changes,
})

test('a violation is told in the words of every other report', () => {
  const counterexample = { value: '"DE00"', seed: 42, path: '3:0' }
  expect(sentenceOf(check({ verdict: 'fail', violation: { ...REJECTION, counterexample } }))).toBe(
    'reasonCode: expected one of AC01, AC04, AG01 … TM01; received nothing (with "DE00")',
  )
})

test('where there is no violation, the reason is told', () => {
  expect(sentenceOf(check({ verdict: 'inconclusive', because: 'ECONNRESET' }))).toBe('ECONNRESET')
  expect(sentenceOf(check({ verdict: 'not-reached' }))).toBe('no reason was recorded')
})

test('a pass needs no reason', () => {
  const passed = sampleReport().requirements[0]?.checks[0]
  expect(passed && sentenceOf(passed)).toBe('conforms')
})

const shard = { index: 2, count: 3, plan: 'sha256:33', scenarios: 5, of: 20 }

test('the word of a part is never that of the whole', () => {
  expect(conclusionOf({ conclusion: 'conforms' })).toBe('conforms')
  expect(conclusionOf({ conclusion: 'conforms', shard })).toBe('shard 2 of 3: conforms')
  expect(conclusionOf({ conclusion: 'incomplete', shard })).toBe('shard 2 of 3: incomplete')
  expect(conclusionOf({ conclusion: 'conforms', shard: { ...shard, scenarios: 0 } })).toBe(
    'shard 2 of 3: nothing to do',
  )
})

test('a part says how much it is, and what was put together says of what', () => {
  const run = { run: 'run-1', startedAt: '', finishedAt: '', durationMs: 1, command: '' }
  const merged: Report['merged'] = {
    ...{ count: 3, plan: 'sha256:33', missing: [] },
    shards: [1, 2, 3].map((index) => ({ index, conclusion: 'conforms', ...run })),
  }
  expect(scopeLines({})).toEqual([])
  expect(scopeLines({ shard })).toEqual(['5 of 20 scenarios; npm run merge judges all of them'])
  expect(scopeLines({ merged })).toEqual(['merged from 3 of 3 shards'])
  expect(scopeLines({ merged: { ...merged, shards: merged.shards.slice(1), missing: [1] } })).toEqual([
    'merged from 2 of 3 shards; missing: 1',
  ])
})
