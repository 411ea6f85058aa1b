import { describe, expect, test } from 'vitest'
import { assembleReport, reportCheck, reproduceCommand, type RunRecord } from './assemble.ts'
import { conclude } from './conclude.ts'
import { renderJobSummary } from './job-summary.ts'
import { reportSchema, type RequirementReport } from './schema.ts'
import { renderConclusion, renderOverview } from './terminal/summary.ts'
import { renderBindings } from './terminal/terminal.ts'
import {
  CATALOGUE,
  found,
  LEVELS,
  PLAN,
  planned,
  REJECTION,
  RESULTS,
  runRecord,
  sampleReport,
  PAY_NOT_ALLOWED,
} from '../testing/samples/reports.ts'
import type { CheckResult } from '../check/result.ts'
import type { ProfileMismatch } from '../profile/mismatch/mismatch.ts'

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
      ['PAY-10', 'not-tested'],
      ['LOA-01', 'not-tested'],
    ])
  })

  test('counts requirements and checks apart', () => {
    expect(report.counts.checks).toMatchObject({ pass: 2, fail: 1, warn: 1, 'not-tested': 1 })
    expect(report.counts.requirements).toMatchObject({
      pass: 1,
      fail: 1,
      warn: 1,
      waived: 0,
      'not-tested': 2,
    })
  })

  test('lists a check separately for each kind of application', () => {
    expect(rowOf(report, 'TOK-03')?.checks.map(({ title }) => title)).toEqual([
      'the token type is Bearer: a code exchange, as FAC',
      'the token type is Bearer: a code exchange, as TPP',
    ])
  })

  test('lists the facets of each requirement, and how much was judged of each', () => {
    expect(rowOf(report, 'TOK-03')?.facets).toEqual([
      { facet: 'FAC', verdict: 'pass', judged: 0 },
      { facet: 'TPP', verdict: 'pass', judged: 0 },
    ])
    expect(rowOf(report, 'PAY-09')?.facets).toEqual([{ facet: 'TPP', verdict: 'fail', judged: 1 }])
    expect(rowOf(report, 'LOA-01')?.facets).toEqual([])
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
        judged: 1,
        reproduce: 'npm test -- --only PAY-09 --seed 42',
      },
    ])
  })

  test('says why nothing judged a requirement', () => {
    expect(rowOf(report, 'PAY-10')?.because).toBe('pay is not allowed (--allow pay)')
    expect(rowOf(report, 'LOA-01')).toMatchObject({
      because: 'no check exists yet: the scripted scenarios are not yet driven',
      checks: [],
    })
  })

  test('records what was observed of what is not shown, each value once', () => {
    expect(report.notShown).toEqual([
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

test('a time line is listed with its drawing, and left out if there is none', () => {
  const span = { status: 'NEW', from: 0, to: 0 }
  const line = { path: 'client', expected: [span], observed: [{ ...span, exchange: 'loans/a/3' }] }
  const polls = [{ at: 0, status: 'NEW' }, { at: 90_000 }]
  const timeLines = [{ scenario: 'loans/a', ...line, polls: polls }]
  const report = assembleReport({ ...runRecord(), timeLines })
  expect(reportSchema.parse(report).timelines).toEqual([
    { scenario: 'loans/a', ...line, polls, drawing: 'loan-path-client.svg' },
  ])
  expect(assembleReport(runRecord())).not.toHaveProperty('timelines')
})

test('a result without a planned check is shown as a harness-error', () => {
  const report = sampleReport({ results: [...RESULTS, found('TOK-03/9', 'pass')] })
  expect(report.conclusion).toBe('nonconforming')
  const row = rowOf(report, 'TOK-03')
  expect(row).toMatchObject({ verdict: 'harness-error' })
  expect(row?.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'harness-error'])
})

test('an inconsistent result is a harness-error without a violation', () => {
  const report = sampleReport({ results: [found('PAY-09/1', 'pass', { violation: REJECTION })] })
  const [check] = rowOf(report, 'PAY-09')?.checks ?? []
  expect(check).toMatchObject({ verdict: 'harness-error', because: 'a pass with a violation' })
  expect(check?.violation).toBeUndefined()
})

test('a planned check that did not report is not reached', () => {
  const report = sampleReport({ results: [] })
  expect(rowOf(report, 'PAY-09')).toMatchObject({
    verdict: 'not-reached',
    checks: [{ verdict: 'not-reached' }],
  })
})

test('the command names the target as the run did', () => {
  const base = 'npm test -- --base-url=https://bank.example'
  expect(reproduceCommand('PAY-09', 7, base)).toBe(`${base} --only PAY-09 --seed 7`)
  const report = sampleReport({ reproduceBase: base, plan: PLAN })
  expect(rowOf(report, 'PAY-09')?.checks[0]?.reproduce).toBe(`${base} --only PAY-09 --seed 42`)
})

test('waiting scenarios are listed, the earliest first', () => {
  const planned = PLAN.checks.filter(({ requirement }) => requirement === 'TOK-03')
  const waiting = planned.map(({ id, requirement, title }, at) => ({
    id,
    requirement,
    title,
    verdict: 'not-reached' as const,
    because: 'it waits',
    durationMs: 1,
    exchanges: [],
    until: `2026-0${9 - at}-05T09:00:00.000Z`,
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

const TRANSACTIONS: ProfileMismatch = {
  key: 'operations.listTransactions.transactions',
  bound: 'items',
  expected: 'array',
  shown: 'the answer has the keys account, bookings, _links',
  exchange: 'transactions/pages/4',
}

const REFRESH: ProfileMismatch = { ...TRANSACTIONS, key: 'operations.refresh.path', bound: '/v3/refresh' }

const open = (id: string, mismatches: readonly ProfileMismatch[]): CheckResult =>
  found(id, 'not-reached', { because: 'the profile does not fit', mismatches })

const MISMATCHES = [
  found('TOK-03/1@FAC', 'pass'),
  open('TOK-03/1@TPP', [TRANSACTIONS]),
  open('TOK-07/1', [{ ...TRANSACTIONS, exchange: 'transactions/pages/9' }, REFRESH]),
]

const REPORT = sampleReport({ results: MISMATCHES })

describe.each([
  ['FAC', 'TPP'],
  ['TPP', 'FAC'],
] as const)('a run with a profile of one %s application and no %s', (kind, missingKind) => {
  const id = `TOK-03/1@${kind}`
  const plan = {
    ...PLAN,
    checks: [
      planned(id, { application: kind, missingKind }),
      planned('TOK-07/1', { actingKind: kind }),
      planned(`PAY-10/1@${kind}`, { application: kind, missingKind, heldBack: PAY_NOT_ALLOWED }),
    ],
  }
  const results = [found(id, 'pass', { judged: 3 }), found('TOK-07/1', 'pass', { judged: 2 })]
  const report = sampleReport({ plan, results })
  const sentence = `1 requirement was judged for ${kind} only: the profile has no application of the kind ${missingKind}`

  test('says so of each requirement that would be judged for both', () => {
    expect(rowOf(report, 'TOK-03')).toMatchObject({ verdict: 'pass', judgedOnlyFor: kind })
    expect(rowOf(report, 'TOK-03')?.facets).toEqual([
      { facet: kind, verdict: 'pass', judged: 3 },
      { facet: missingKind, verdict: 'not-tested', judged: 0 },
    ])
    expect(reportSchema.parse(report)).toEqual(report)
  })

  test('says nothing of a requirement that any kind may judge, or that was not judged', () => {
    expect(rowOf(report, 'TOK-07')?.judgedOnlyFor).toBeUndefined()
    expect(rowOf(report, 'TOK-07')?.facets).toEqual([{ facet: kind, verdict: 'pass', judged: 2 }])
    expect(rowOf(report, 'PAY-10')?.judgedOnlyFor).toBeUndefined()
  })

  test('counts them on the terminal and in the summary of the job', () => {
    expect(renderOverview(report).replaceAll(/\s+/g, ' ')).toContain(sentence)
    expect(renderJobSummary(report)).toContain(`**${sentence}.**\n\nTOK-03\n`)
  })
})

describe('a run in which the profile does not fit', () => {
  test('is reported once for each key, with the first exchange and all requirements that were not judged because of it', () => {
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
    expect(ending(open('TOK-07/1', [REFRESH]))).toMatchObject({ conclusion: 'incomplete', exitCode: 2 })
    expect(ending(found('TOK-07/1', 'not-reached', { because: 'no answer' })).conclusion).toBe('conforms')
  })

  test('is shown on the terminal with the key, the received value and the next step', () => {
    const lines = renderBindings(REPORT, 'reports/latest', { width: 80 })?.split('\n') ?? []
    expect(lines).toEqual([
      'the profile does not fit the target in 2 places',
      '  operations.listTransactions.transactions',
      '      received     "items": no array there; the answer has the keys account,',
      '                   bookings, _links',
      '      exchange     npm run show -- transactions/pages/4',
      '      not judged   TOK-03, TOK-07',
      '  operations.refresh.path',
      '      received     "/v3/refresh": no array there; the answer has the keys',
      '                   account, bookings, _links',
      '      exchange     npm run show -- transactions/pages/4',
      '      not judged   TOK-07',
      '  next: correct the value in the profile or the variable, and run again',
    ])
    expect(renderConclusion(REPORT)).toContain(
      '\nthe profile does not fit the target in 2 places:\noperations.listTransactions.transactions, operations.refresh.path\n',
    )
  })

  test('is shown in the summary of the job, below the counts', () => {
    const text = renderJobSummary(REPORT)
    expect(text).toContain('### Keys of the profile that do not fit the target')
    const row = text.split('\n').find((line) => line.includes(TRANSACTIONS.key)) ?? ''
    const reported = row.replaceAll('\\', '')
    expect(reported).toContain(
      '| items | no array there; the answer has the keys account, bookings, _links |',
    )
    expect(reported).toMatch(/\| TOK-03, TOK-07 \|$/)
    expect(text.indexOf('### Keys of the profile')).toBeLessThan(
      text.indexOf('### Checks that were not judged'),
    )
  })
})

describe('a report does not depend on what came first', () => {
  const mismatch = (exchange: string): ProfileMismatch => ({
    key: 'operations.listTransactions.id',
    bound: 'id',
    expected: 'id',
    shown: 'the answer',
    exchange,
  })
  const payment = (initiation: string) => ({ orderId: initiation, initiation, seen: initiation })
  const application = (submission: string) => ({
    applicationId: submission,
    canceled: false,
    submission,
    seen: submission,
  })
  const created = (kind: 'payment' | 'consent', exchange: string) => ({
    kind,
    id: exchange,
    scenario: exchange,
    exchange,
    cleaned: true,
  })
  const lists: Partial<RunRecord> = {
    results: RESULTS.map((result, at) => ({ ...result, mismatches: [mismatch(`tokens/a/${at}`)] })),
    payments: [payment('payments/a/1'), payment('payments/b/1')],
    applications: [application('loans/a/2'), application('loans/a/12')],
    created: [created('payment', 'payments/a/1'), created('consent', 'consent/a/1')],
    timeLines: ['loans/a', 'loans/b'].map((scenario) => ({
      scenario,
      path: scenario,
      expected: [],
      observed: [],
      polls: [],
    })),
  }
  const reversed = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, Array.isArray(list) ? list.toReversed() : list]),
  )

  test('in any of its lists', () => {
    const report = assembleReport({ ...runRecord(), ...lists })
    expect(assembleReport({ ...runRecord(), ...reversed })).toEqual(report)
    expect(report.payments?.map(({ orderId }) => orderId)).toEqual(['payments/a/1', 'payments/b/1'])
    expect(report.created?.map(({ kind }) => kind)).toEqual(['payment', 'consent'])
  })
})

test('a model has the broken requirements of its chapter', () => {
  const model = {
    name: 'payment',
    states: [{ id: 'none', column: 0, row: 0 }],
    moves: [],
  }
  const modelsOf = (scenario: string) => sampleReport({ visits: [{ scenario, model, counts: {} }] }).models
  expect(modelsOf('payments/a-rejection')).toMatchObject([{ name: 'payment', broken: ['PAY-09'] }])
  expect(modelsOf('loans/a-path')?.[0]).not.toHaveProperty('broken')
})

test('a finding of the whole run is reproduced with the chapter of the scenario that showed it', () => {
  const [planned] = PLAN.checks
  if (planned === undefined) throw new Error('the sample has no check')
  const check = { ...planned, judgesRun: true as const }
  const violation = { subject: 'status', expected: '200', received: '500', exchange: 'environments/a-call/3' }
  const result = {
    ...check,
    verdict: 'fail' as const,
    durationMs: 1,
    exchanges: [violation.exchange],
    violation,
  }
  const { reproduce } = reportCheck(check, [result], {
    level: 'MUST',
    reproduce: (selector) => `npm test -- --only ${selector}`,
  })
  expect(reproduce).toBe(`npm test -- --only ${check.requirement} environments`)
})
