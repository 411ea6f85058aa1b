import { describe, expect, test } from 'vitest'
import { conclude } from './conclude.ts'
import { renderJobSummary } from './gate/job-summary.ts'
import { found, LEVELS, PLAN, planned, sampleReport } from './sample.ts'
import { bindingsLine, renderBindings } from './terminal/bindings.ts'
import { renderSummary } from './terminal/summary.ts'
import type { Misfit } from '../check/misfit.ts'
import type { CheckResult } from '../check/result.ts'

const TRANSACTIONS: Misfit = {
  key: 'operations.listTransactions.transactions',
  bound: 'items',
  expected: 'array',
  shown: 'the answer has the keys account, bookings, _links',
  exchange: 'transactions/pages/4',
}

const REFRESH: Misfit = { ...TRANSACTIONS, key: 'operations.refresh.path', bound: '/v3/refresh' }

const open = (id: string, misfits: readonly Misfit[]): CheckResult =>
  found(id, 'not-reached', { because: 'the profile does not fit', misfits })

const RESULTS = [
  found('TOK-03/1@FAC', 'pass'),
  open('TOK-03/1@TPP', [TRANSACTIONS]),
  open('TOK-07/1', [{ ...TRANSACTIONS, exchange: 'transactions/pages/9' }, REFRESH]),
]

const REPORT = sampleReport({ results: RESULTS })

describe('a run in which the profile does not fit', () => {
  test('is told once for each key, with the first exchange and all that was not judged for it', () => {
    expect(REPORT.bindings).toEqual([
      { ...TRANSACTIONS, requirements: ['TOK-03', 'TOK-07'] },
      { ...REFRESH, requirements: ['TOK-07'] },
    ])
    const checks = REPORT.requirements.flatMap((requirement) => requirement.checks)
    expect(checks.flatMap(({ bindings }) => (bindings === undefined ? [] : [bindings]))).toEqual([
      [TRANSACTIONS.key],
      [TRANSACTIONS.key, REFRESH.key],
    ])
  })

  test('does not conform, even where nothing mandatory is open', () => {
    const flags = { strict: false, interrupted: false, unreachable: false }
    const plan = { ...PLAN, checks: [planned('TOK-03/1@FAC'), planned('TOK-07/1')] }
    const ending = (should: CheckResult) =>
      conclude(
        plan,
        new Map([...LEVELS].filter(([id]) => id.startsWith('TOK'))),
        [found('TOK-03/1@FAC', 'pass'), should],
        flags,
      )
    expect(ending(open('TOK-07/1', [REFRESH]))).toEqual({ conclusion: 'incomplete', exitCode: 2 })
    expect(ending(found('TOK-07/1', 'not-reached', { because: 'no answer' })).conclusion).toBe('conforms')
  })

  test('is told on the terminal with the key, what came and the next step', () => {
    const lines = renderBindings(REPORT, 'reports/latest', { width: 80 })?.split('\n') ?? []
    expect(lines).toEqual([
      'the profile does not fit the target in 2 places',
      '  operations.listTransactions.transactions',
      '      "items": no array there; the answer has the keys account, bookings, _links',
      '      exchange transactions/pages/4; not judged for it: TOK-03, TOK-07',
      '  operations.refresh.path',
      '      "/v3/refresh": no array there; the answer has the keys account, bookings,',
      '      _links',
      '      exchange transactions/pages/4; not judged for it: TOK-07',
      '  next: look at what came, in reports/latest/evidence.jsonl; put the name or',
      '  path that the target has into the profile; run again',
    ])
    expect(renderSummary(REPORT)).toContain(
      '\nthe profile does not fit the target in 2 places: operations.listTransactions.tr…\n',
    )
  })

  test('is told in the summary of the job, below the counts', () => {
    const text = renderJobSummary(REPORT)
    expect(text).toContain('### Where the profile does not fit the target')
    const row = text.split('\n').find((line) => line.includes(TRANSACTIONS.key)) ?? ''
    const told = row.replaceAll('\\', '')
    expect(told).toContain('| items | no array there; the answer has the keys account, bookings, _links |')
    expect(told).toMatch(/\| TOK-03, TOK-07 \|$/)
    expect(text.indexOf('### Where the profile')).toBeLessThan(text.indexOf('### What did not pass'))
  })
})

test('a run in which it fits says nothing of it', () => {
  const report = sampleReport()
  expect(report.bindings).toBeUndefined()
  expect(renderBindings(report, 'reports/latest')).toBeUndefined()
  expect(bindingsLine(report, 80)).toEqual([])
  expect(renderJobSummary(report)).not.toContain('does not fit')
})
