import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import {
  assembleProof,
  isProven,
  judgeVariation,
  renderProof,
  type BankResult,
  type ConditionResult,
  type DefectInBanksResult,
} from './result.ts'
import type { CheckResult } from '../check/result.ts'

const quiet: BankResult = { id: 'bank-1', seed: 1, parts: ['gzipped', 'one-offer'], alarms: [], reasons: [] }

const alarmed: BankResult = {
  id: 'bank-2',
  seed: 2,
  parts: ['gzipped', 'one-offer', 'hex-secrets'],
  alarms: ['LOA-14'],
  reasons: ['LOA-14.1 fail: offers: expected two; received one'],
  smallest: {
    parts: ['one-offer'],
    path: '0:1:0',
    reasons: ['LOA-14.1 fail: offers: expected two; received one'],
  },
}

const survivor: DefectInBanksResult = {
  id: 'code-accepted-twice',
  chapter: 'tokens',
  breaks: ['TOK-35'],
  banks: [
    { seed: 5, hidden: [], notReached: [], reported: [], missed: [] },
    {
      seed: 6,
      hidden: [],
      notReached: [],
      reported: [],
      missed: ['TOK-35'],
      smallest: { parts: ['hex-secrets'], path: '0' },
    },
  ],
}

const under = (outcome: ConditionResult['outcome']): ConditionResult => ({
  id: 'a-defect',
  chapter: 'tokens',
  breaks: ['TOK-35'],
  condition: 'last-day-of-a-month',
  outcome,
})

test('each kind of result is counted by itself', () => {
  const { score } = assembleProof([
    quiet,
    alarmed,
    survivor,
    { id: 'a', alarms: [], reasons: [] },
    under('caught'),
    under('not-exercised'),
    under('not-applicable'),
  ])
  expect(score).toEqual({
    defects: 0,
    caught: 0,
    variations: 1,
    alarms: 0,
    banks: 2,
    bankAlarms: 1,
    defectsInBanks: 1,
    caughtInBanks: 0,
    hiddenInBanks: 0,
    notReachedInBanks: 0,
    reportedInBanks: 0,
    exercisedConditions: 1,
    caughtUnderConditions: 1,
    notExercised: 1,
  })
})

test('most defects under a condition must be caught, and each that is missed or did not occur is printed', () => {
  const caught = Array.from({ length: 56 }, () => under('caught'))
  const missed = Array.from({ length: 4 }, () => under('missed'))
  expect(isProven(assembleProof([...caught, ...missed]))).toBe(true)
  expect(isProven(assembleProof([...caught, ...missed, under('missed')]))).toBe(false)
  const text = stripVTControlCharacters(
    renderProof(assembleProof([...caught, ...missed, { ...under('not-exercised'), id: 'a-rare-defect' }])),
  )
  expect(text).toMatch(/on the last day of a month +56 of 60 caught \(93 %\) +1 not exercised/)
  expect(text).toContain('    missed      on the last day of a month')
  expect(text).toMatch(
    /not exercised: .*\n- a-rare-defect +TOK-35\n +not-exercised on the last day of a month\n/,
  )
  expect(text).toContain('56 of 60 defects under a condition caught (not exercised: 1)')
})

test('an alarm of a composed bank, and a defect that survives in one, fail the proof', () => {
  expect(isProven(assembleProof([quiet]))).toBe(true)
  expect(isProven(assembleProof([quiet, alarmed]))).toBe(false)
  expect(isProven(assembleProof([quiet, survivor]))).toBe(false)
})

test('an alarm is printed with its smallest variations and the command that reproduces it', () => {
  const text = stripVTControlCharacters(renderProof(assembleProof([quiet, alarmed, survivor])))
  expect(text).toContain('smallest    one-offer\n')
  expect(text).toContain('npm run prove -- --banks 1 --seed 2 --path 0:1:0')
  expect(text).toContain('survived    in bank-6: no check of TOK-35 saw a violation')
  expect(text).toContain(
    '1 of 2 composed banks raised an alarm, 0 of 1 defects caught in each of their composed banks',
  )
})

test('a defect that is hidden, or reported as a key of the profile, is printed and fails nothing', () => {
  const proof = assembleProof([
    {
      ...survivor,
      banks: [
        { seed: 5, hidden: ['TOK-35'], notReached: [], reported: [], missed: [] },
        { seed: 6, hidden: [], notReached: [], reported: ['TOK-35'], missed: [] },
      ],
    },
  ])
  expect(isProven(proof)).toBe(true)
  const text = stripVTControlCharacters(renderProof(proof))
  expect(text).toContain('hidden      in bank-5: TOK-35: no answer differs')
  expect(text).toContain('reported    in bank-6: TOK-35: the finding is about a key of the profile')
  expect(text).toContain(
    '1 of 1 defects caught in each of their composed banks (hidden: 1, not reached: 0, reported as a key of the profile: 1)',
  )
})

test('what went wrong is repeated at the end, and nothing else', () => {
  const text = stripVTControlCharacters(renderProof(assembleProof([quiet, alarmed, survivor])))
  const [, end = ''] = text.split('went wrong')
  expect(end).toContain(alarmed.id)
  expect(end).toContain(survivor.id)
  expect(end).not.toContain(`${quiet.id} `)
  expect(renderProof(assembleProof([quiet]))).not.toContain('went wrong')
})

test('of many reasons for an alarm the first ones are printed, and the number of the others', () => {
  const reasons = Array.from({ length: 8 }, (_, at) => `CON-01/${at} fail: status`)
  const variation = { id: 'one-offer', alarms: ['CON-01'], reasons }
  const text = renderProof(assembleProof([variation]))
  expect(text).toContain(reasons[4])
  expect(text).not.toContain(reasons[5])
  expect(text).toContain('3 more are in the file of the proof')
})

test('a check with nothing to judge is an alarm, unless another check of its requirement passes', () => {
  const nothing = { id: 'TOK-87/4', requirement: 'TOK-87', verdict: 'not-reached', judged: 0 } as CheckResult
  const other = { id: 'TOK-87/1', requirement: 'TOK-87', verdict: 'pass', judged: 2 } as CheckResult
  const { judged, ...lacking } = nothing
  expect(judged).toBe(0)
  expect(judgeVariation('v', [nothing]).alarms).toEqual(['TOK-87'])
  expect(judgeVariation('v', [nothing, other]).alarms).toEqual([])
  expect(judgeVariation('v', [nothing], { known: new Set(['TOK-87']) }).alarms).toEqual([])
  // A prerequisite was missing: that is no lack of occasion.
  expect(judgeVariation('v', [lacking, other]).alarms).toEqual(['TOK-87'])
})
