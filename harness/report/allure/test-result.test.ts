import { Status } from 'allure-js-commons'
import { describe, expect, test } from 'vitest'
import { VERDICTS, type Verdict } from '../../check/verdict.ts'
import { renderMismatch } from '../../profile/mismatch/mismatch.ts'
import { reportCheck } from '../assemble.ts'
import { headlineOf } from '../headline.ts'
import { CATALOGUE, PLAN, planned, RESULTS, sampleReport } from '../../testing/samples/reports.ts'
import { categories, toConclusion, toTestResult } from './test-result.ts'
import type { CheckResult } from '../../check/result.ts'
import type { ReportedCheck } from './test-result.ts'

const caseOf = (id: string, results: readonly CheckResult[] = RESULTS): ReportedCheck => {
  const check = PLAN.checks.find((one) => one.id === id) ?? planned(id)
  const row = CATALOGUE.find((one) => one.id === check.requirement)
  if (row === undefined) throw new Error(`no row for ${id}`)
  const report = reportCheck(check, results, {
    level: row.level,
    reproduce: (selector) => `npm test -- --only ${selector}`,
  })
  return { row, check, report, target: 'reference bank', startedAt: 1_000, block: 'the block', strict: false }
}

const valuesOf = (one: ReportedCheck, name: string): readonly string[] =>
  (toTestResult(one).labels ?? []).filter((label) => label.name === name).map(({ value }) => value)

describe('the result of a failed check', () => {
  const failed = caseOf('PAY-09/1')

  test('can be filtered by requirement, level, verdict and effect', () => {
    expect(valuesOf(failed, 'tag')).toEqual(['PAY-09', 'MUST', 'fail', 'effect pay'])
    expect(valuesOf(failed, 'severity')).toEqual(['critical'])
    expect(valuesOf(failed, 'verdict')).toEqual(['fail'])
  })

  test('says what was seen, and shows the block', () => {
    expect(toTestResult(failed)).toMatchObject({
      status: 'failed',
      start: 1_000,
      statusDetails: {
        message: 'fail: reasonCode: expected one of AC01, AC04, AG01 … TM01; received nothing',
        trace: 'the block',
        expected: 'one of AC01, AC04, AG01 … TM01',
        actual: 'nothing',
      },
    })
  })

  test('quotes the interface, with its place and its reading, as text', () => {
    const { descriptionHtml } = toTestResult(failed)
    expect(descriptionHtml).toContain('<blockquote>“A rejected payment carries status RJCT, reasonCode')
    expect(descriptionHtml).toContain('<p>— interface, Errors, 4</p>')
    expect(descriptionHtml).toContain('<strong>Interpretation</strong> The code stands in the status record.')
    expect(descriptionHtml).toContain('<code>npm test -- --only PAY-09</code>')
  })
})

test('a check that judged for one kind of application only says so', () => {
  const both = caseOf('TOK-03/1@TPP')
  const only = { ...both, check: planned('TOK-03/1@TPP', { application: 'TPP', missingKind: 'FAC' }) }
  const words = 'judged for TPP only: the profile has no application of the kind FAC'
  expect(toTestResult(only).descriptionHtml).toContain(words)
  expect(toTestResult(only).descriptionHtml).toContain('<strong>Assertions</strong> 0')
  expect(toTestResult(both).descriptionHtml).not.toContain(words)
  const unjudged = { ...only, report: { ...only.report, verdict: 'not-reached' as const } }
  expect(toTestResult(unjudged).descriptionHtml).not.toContain(words)
})

test('a warning passes, and is tagged, labelled and explained', () => {
  const warned = caseOf('TOK-07/1')
  expect(toTestResult(warned)).toMatchObject({
    status: 'passed',
    statusDetails: { message: 'warn: header Cache-Control: expected no-store; received nothing' },
  })
  expect(valuesOf(warned, 'tag')).toEqual(['TOK-07', 'SHOULD', 'warn', 'headers', 'effect consent'])
  expect(valuesOf(warned, 'severity')).toEqual(['normal'])
})

test('the same check has the same history, whatever it found and however long it took', () => {
  const passed = RESULTS.map((result): CheckResult => ({ ...result, verdict: 'pass', durationMs: 99 }))
  const identity = (one: ReportedCheck) => {
    const { historyId, testCaseId, fullName, titlePath, parameters } = toTestResult(one)
    return { historyId, testCaseId, fullName, titlePath, of: parameters?.filter(({ excluded }) => !excluded) }
  }
  expect(identity(caseOf('PAY-09/1'))).toEqual(identity(caseOf('PAY-09/1', passed)))
  expect(identity(caseOf('TOK-03/1@FAC')).historyId).not.toBe(identity(caseOf('TOK-03/1@TPP')).historyId)
})

const message = (verdict: string): string => `${verdict}: expected one thing;\nreceived another`

const categoriesOf = (text: string): readonly (string | undefined)[] =>
  categories()
    .filter(({ messageRegex }) => new RegExp(`^(?:${String(messageRegex)})$`).test(text))
    .map(({ name }) => name?.split(' ')[0])

test('each verdict but a pass has one category of its own', () => {
  for (const verdict of VERDICTS)
    expect(categoriesOf(message(verdict))).toEqual(verdict === 'pass' ? [] : [`${verdict}:`])
})

test('an accepted exception to a MUST has a category and a tag of its own', () => {
  const one = caseOf('PAY-09/1')
  const waived = { ...one, report: { ...one.report, verdict: 'waived' as const } }
  const { message: text = '' } = toTestResult(waived).statusDetails ?? {}
  const [first] = categories().filter(({ messageRegex }) => new RegExp(String(messageRegex)).test(text))
  expect(first?.name).toBe('waived: a MUST is broken, as an accepted exception')
  expect(valuesOf(waived, 'tag')).toContain('waived MUST')
})

test('a check that was not judged because of a key of the profile has a separate category, before that of its verdict', () => {
  const mismatch = {
    key: 'operations.refresh.path',
    bound: '/x',
    expected: 'operation',
    shown: 'nothing',
    exchange: 'e/1',
  }
  const [first] = categories()
  expect(first?.name).toContain('a key of the profile does not fit the target')
  for (const verdict of ['not-reached', 'inconclusive'])
    expect(`${verdict}: ${renderMismatch(mismatch)}`).toMatch(
      new RegExp(`^(?:${String(first?.messageRegex)})$`),
    )
})

describe('the status', () => {
  const statusOf = (verdict: Verdict, changes: Partial<ReportedCheck> = {}) => {
    const one = { ...caseOf('PAY-09/1'), ...changes }
    return toTestResult({ ...one, report: { ...one.report, verdict } }).status
  }
  const withStatus = (status: Status, changes: Partial<ReportedCheck> = {}) =>
    VERDICTS.filter((verdict) => statusOf(verdict, changes) === status)
  const { row: should } = caseOf('TOK-07/1')

  test('is broken for what leaves the conclusion open', () => {
    expect(withStatus(Status.FAILED)).toEqual(['fail'])
    expect(withStatus(Status.BROKEN)).toEqual(['harness-error', 'inconclusive', 'not-reached'])
    expect(withStatus(Status.PASSED)).toEqual(['warn', 'pass'])
  })

  test('of a SHOULD is red only in a strict run', () => {
    expect(withStatus(Status.BROKEN, { row: should })).toEqual(['harness-error'])
    expect(withStatus(Status.FAILED, { row: should, strict: true })).toEqual(['fail', 'warn'])
  })

  test('of the conclusion is that of the run', () => {
    const report = sampleReport()
    expect(toConclusion(report)).toMatchObject({
      name: `Conclusion: ${headlineOf(report)}`,
      status: 'failed',
      statusDetails: { message: `conclusion: ${headlineOf(report)}` },
    })
    expect(categoriesOf(`conclusion: ${headlineOf(report)}`)).toEqual(['conclusion:'])
    expect(toConclusion({ ...report, gate: 'conforms' }).status).toBe('passed')
    for (const gate of ['incomplete', 'unreachable', 'harness-error', 'stale-waiver', 'interrupted'] as const)
      expect(toConclusion({ ...report, gate }).status).toBe('broken')
  })
})
