import { expect, test } from 'vitest'
import { reportWaivers, reportWaiversOfPart, staleSentences } from './waivers.ts'
import type { Verdict } from '../check/verdict.ts'
import type { Waiver } from '../plan/waivers.ts'

const waiver = (requirement: string): Waiver => ({
  requirement,
  reason: 'The new core is rolled out in spring.',
  owner: 'payments@bank.example',
  expires: '2026-12-31',
})

const judged = new Map(
  (
    [
      ['PAY-01', 'waived'],
      ['PAY-02', 'pass'],
      ['PAY-03', 'not-reached'],
      ['PAY-04', 'not-applicable'],
    ] as const satisfies readonly (readonly [string, Verdict])[]
  ).map(([id, verdict]) => [id, { verdict }]),
)

test('a waiver is needed, stale, or neither', () => {
  const reported = reportWaivers(['PAY-01', 'PAY-02', 'PAY-03', 'PAY-04', 'PAY-05'].map(waiver), judged)
  expect(reported.map(({ state }) => state)).toEqual(['needed', 'stale', 'idle', 'idle', 'idle'])
  expect(staleSentences(reported)).toEqual([
    'PAY-02 passes again: take its waiver (payments@bank.example) out of the file',
  ])
})

test('what passes in one part of a plan makes no waiver stale', () => {
  const reported = reportWaiversOfPart(['PAY-01', 'PAY-02', 'PAY-05'].map(waiver), judged)
  expect(reported.map(({ state }) => state)).toEqual(['needed', 'idle', 'idle'])
})
