import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { must } from '../../check/requirement.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { found, PLAN, planned, REJECTION, scratch } from '../../testing/samples/reports.ts'
import { judge } from './judge.ts'
import type { CheckResult } from '../../check/result.ts'
import type { PlannedCheck } from '../../plan/plan.ts'

const ROW = must('TRX-01', {
  claim: 'a page is answered',
  quote: '-',
  place: '-',
  answers: 'POST listTransactions',
})
const UNTIL = '2027-01-31'
const WAIVER = { requirement: ROW.id, reason: 'no transactions yet', owner: 'the API team', expires: UNTIL }

/** Pages of an intermediary only, while the bank answers the token endpoint. */
const EXCHANGES = [
  sampleExchange({ id: 'pages/1' }),
  ...[2, 3, 4].map((number) =>
    sampleExchange({ id: `pages/${number}`, operation: 'listTransactions', body: '<!doctype html>' }),
  ),
]

test.each([
  ['accepted', WAIVER.reason, 'waived', 'needed'],
  ['not accepted', undefined, 'fail', 'idle'],
])('an operation that never answers is a violation, which is %s', (_, waiver, verdict, state) => {
  const evidence = join(scratch(), 'evidence.jsonl')
  writeFileSync(evidence, EXCHANGES.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const check = planned(`${ROW.id}/1`, waiver === undefined ? {} : { waiver })
  const judged = judge(
    {
      plan: { ...PLAN, checks: [check], leftOut: [] },
      catalogue: { requirements: [{ ...ROW, chapter: 'transactions' }] },
      waivers: [WAIVER],
      evidence,
    },
    [found(check.id, 'inconclusive', { because: 'the answer to pages/2 is not JSON' })],
    { strict: false, interrupted: false, unreachable: false },
  )
  expect(judged.results[0]?.verdict).toBe(verdict)
  expect(judged.waivers[0]?.state).toBe(state)
  expect(judged.exitCode === 1).toBe(waiver === undefined)
})

/** What the run makes of results without a violation of the whole run. */
const judgedWith = (checks: readonly PlannedCheck[], results: readonly CheckResult[], evidence: string) =>
  judge(
    {
      plan: { ...PLAN, checks, leftOut: [] },
      catalogue: { requirements: [{ ...ROW, chapter: 'transactions' }] },
      waivers: [],
      evidence,
    },
    results,
    { strict: false, interrupted: false, unreachable: false },
  )

test('a result that was accepted before the run was resumed is a violation without its waiver', () => {
  const evidence = join(scratch(), 'evidence.jsonl')
  writeFileSync(evidence, '')
  const check = planned(`${ROW.id}/1`)
  const changes = { violation: REJECTION, because: 'accepted', decidedBy: 'waiver' } as const
  const { results, exitCode } = judgedWith([check], [found(check.id, 'waived', changes)], evidence)
  expect(results).toEqual([found(check.id, 'fail', { violation: REJECTION })])
  expect(exitCode).toBe(1)
})

test('the order in which checks end decides nothing', () => {
  const evidence = join(scratch(), 'evidence.jsonl')
  const answered = (number: number, status: number) =>
    sampleExchange({ id: `pages/${number}`, operation: 'listTransactions', status, body: '{}' })
  const exchanges = [200, 400, 200, 400, 200, 400, 200].map((status, at) => answered(at + 1, status))
  writeFileSync(evidence, exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const checks = [1, 2].map((number) => planned(`${ROW.id}/${number}`))
  const results = checks.map(({ id }) => found(id, 'pass'))
  const judged = judgedWith(checks, results, evidence).results
  expect(judged.map(({ verdict }) => verdict)).toEqual(['fail', 'pass'])
  expect(judgedWith(checks, results.toReversed(), evidence).results).toEqual(judged)
})
