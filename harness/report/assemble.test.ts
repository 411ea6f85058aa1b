import { describe, expect, test } from 'vitest'
import { assembleReport, reproduceCommand } from './assemble.ts'
import { CATALOGUE, found, PLAN, REJECTION, RESULTS, runRecord, sampleReport } from './sample.ts'
import { reportSchema } from './schema.ts'
import type { RequirementReport } from './schema.ts'

const rowOf = (report: { readonly requirements: readonly RequirementReport[] }, id: string) =>
  report.requirements.find((requirement) => requirement.id === id)

describe('the report', () => {
  const report = sampleReport()

  test('keeps its own schema', () => {
    expect(reportSchema.parse(report)).toEqual(report)
  })

  test('has every requirement of the catalogue, in its order', () => {
    expect(report.requirements.map(({ id }) => id)).toEqual(CATALOGUE.map(({ id }) => id))
  })

  test('says of each what the checks on it say', () => {
    expect(report.requirements.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['TOK-03', 'pass'],
      ['TOK-07', 'warn'],
      ['PAY-09', 'fail'],
      ['PAY-10', 'not-applicable'],
      ['LOA-01', 'not-applicable'],
    ])
  })

  test('counts requirements, not checks', () => {
    expect(report.counts).toEqual({
      pass: 1,
      fail: 1,
      warn: 1,
      waived: 0,
      inconclusive: 0,
      'not-reached': 0,
      'not-applicable': 2,
      'harness-error': 0,
    })
  })

  test('tells apart the kinds of application, as which a check ran', () => {
    expect(rowOf(report, 'TOK-03')?.checks.map(({ title }) => title)).toEqual([
      'the token type is Bearer: a code exchange, as FAC',
      'the token type is Bearer: a code exchange, as TPP',
    ])
  })

  test('carries the violation, its exchanges and the command that repeats it', () => {
    expect(rowOf(report, 'PAY-09')?.checks).toEqual([
      {
        title: 'a rejected payment carries a reason code: a payment to a malformed IBAN',
        file: 'specs/payments/rejection.spec.ts:21',
        verdict: 'fail',
        durationMs: 12,
        violation: REJECTION,
        exchanges: ['payments/a-rejection/3', 'payments/a-rejection/4'],
        reproduce: 'npm test -- --only PAY-09 --seed 42',
      },
    ])
  })

  test('says why nothing judged a requirement', () => {
    expect(rowOf(report, 'PAY-10')?.because).toBe('pay is not allowed (--allow pay)')
    expect(rowOf(report, 'LOA-01')).toMatchObject({
      because: 'pending: the scripted scenarios are not yet driven',
      checks: [],
    })
  })

  test('records what was observed of the undisclosed, each value once', () => {
    expect(report.undisclosed).toEqual([
      {
        id: 'PAY-U1',
        chapter: 'payments',
        quote: 'Other fields: not shown.',
        place: 'Payment',
        observed: ['orderId', 'status'],
      },
    ])
  })
})

test('a time line is kept with the drawing that shows it, and left out where there is none', () => {
  const span = { status: 'NEW', from: 0, to: 0 }
  const line = { path: 'client', expected: [span], observed: [{ ...span, exchange: 'loans/a/3' }] }
  const timeLines = [{ scenario: 'loans/a', ...line, looks: [{ at: 0, status: 'NEW' }, { at: 90_000 }] }]
  const report = assembleReport({ ...runRecord(), timeLines })
  expect(reportSchema.parse(report).timelines).toEqual([{ ...timeLines[0], drawing: 'loan-path-client.svg' }])
  expect(assembleReport(runRecord())).not.toHaveProperty('timelines')
})

test('a result that nobody planned is shown, and blames the harness', () => {
  const report = sampleReport({ results: [...RESULTS, found('TOK-03/9', 'pass')] })
  expect(report.conclusion).toBe('nonconforming')
  const row = rowOf(report, 'TOK-03')
  expect(row).toMatchObject({ verdict: 'harness-error' })
  expect(row?.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'harness-error'])
})

test('a result that contradicts itself blames the harness, and accuses nobody', () => {
  const report = sampleReport({ results: [found('PAY-09/1', 'pass', { violation: REJECTION })] })
  const [check] = rowOf(report, 'PAY-09')?.checks ?? []
  expect(check).toMatchObject({ verdict: 'harness-error', because: 'a pass that carries a violation' })
  expect(check).not.toHaveProperty('violation')
})

test('a planned check that did not report is not reached', () => {
  const report = sampleReport({ results: [] })
  expect(rowOf(report, 'PAY-09')).toMatchObject({
    verdict: 'not-reached',
    checks: [{ verdict: 'not-reached' }],
  })
})

test('the report of the same findings is the same', () => {
  const record = runRecord()
  const backwards = { ...record, results: record.results.toReversed() }
  expect(assembleReport(backwards)).toEqual(assembleReport(record))
})

test('the command names the target as the run did', () => {
  const base = 'npm test -- --base-url=https://bank.example'
  expect(reproduceCommand('PAY-09', 7, base)).toBe(`${base} --only PAY-09 --seed 7`)
  const report = sampleReport({ reproduceBase: base, plan: PLAN })
  expect(rowOf(report, 'PAY-09')?.checks[0]?.reproduce).toBe(`${base} --only PAY-09 --seed 42`)
})

test('what waits is told scenario by scenario, the earliest first', () => {
  const planned = PLAN.checks.filter(({ requirement }) => requirement === 'TOK-03')
  const waiting = planned.map(({ id, requirement, title }, at) => ({
    ...{ id, requirement, title, verdict: 'not-reached' as const, because: 'it waits' },
    ...{ durationMs: 1, exchanges: [], until: `2026-0${9 - at}-05T09:00:00.000Z` },
  }))
  const others = RESULTS.filter(({ requirement }) => requirement !== 'TOK-03')
  const report = assembleReport({ ...runRecord(), results: [...others, ...waiting] })
  expect(reportSchema.parse(report)).toEqual(report)
  const scenarios = planned.map(({ scenario }) => scenario).reverse()
  expect(report.waiting?.map(({ scenario }) => scenario)).toEqual([...new Set(scenarios)])
  expect(report.waiting?.[0]?.requirements).toEqual(['TOK-03'])
  expect(rowOf(report, 'TOK-03')?.checks.map(({ until }) => until)).toEqual(waiting.map(({ until }) => until))
  expect(sampleReport().waiting).toBeUndefined()
})
