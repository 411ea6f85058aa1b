import { expect, test } from 'vitest'
import { REJECTION, sampleReport } from './sample.ts'
import { sentenceOf } from './sentence.ts'
import type { CheckReport } from './schema.ts'

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
