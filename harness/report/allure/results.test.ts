import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startVitest, type TestCase } from 'vitest/node'
import { AllureReporter } from './results.ts'
import {
  CATALOGUE,
  EVIDENCE,
  exchange,
  found,
  PLAN,
  REJECTION,
  RESULTS,
  runRecord,
  scratch,
} from '../../testing/samples/reports.ts'
import type { TestResult } from 'allure-js-commons'
import type { CheckResult } from '../../check/result.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { Plan } from '../../plan/plan.ts'

const reporterFor = (outDir: string, plan: Plan = PLAN): AllureReporter => {
  writeFileSync(join(outDir, 'evidence.jsonl'), EVIDENCE.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { suite, target, run } = runRecord()
  return new AllureReporter({ outDir, suite, target, plan, catalogue: CATALOGUE, run })
}

const resultsIn = (outDir: string): readonly TestResult[] => {
  const directory = join(outDir, 'allure-results')
  return readdirSync(directory)
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as TestResult)
}

const verdictsIn = (outDir: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    resultsIn(outDir).map(({ fullName = '', labels }) => [
      fullName,
      labels.find(({ name }) => name === 'verdict')?.value,
    ]),
  )

const ended = (result: CheckResult): TestCase =>
  ({ meta: () => ({ result }), diagnostic: () => ({ startTime: 5 }) }) as unknown as TestCase

test('what is known before the run is written before it', () => {
  const outDir = scratch()
  const reporter = reporterFor(outDir, {
    ...PLAN,
    leftOut: [{ requirement: 'TOK-07', kind: 'not-selected', because: 'skipped' }],
  })
  reporter.onInit()
  expect(verdictsIn(outDir)).toEqual({ 'PAY-10/1': 'not-tested' })
  const environment = readFileSync(join(outDir, 'allure-results/environment.properties'), 'utf8')
  expect(environment).toContain('Base\\ URL=http://127.0.0.1:8080')
  expect(environment).toContain('Seed=42')
  expect(readdirSync(join(outDir, 'allure-results'))).toContain('categories.json')
})

test('a requirement that is left out is shown in a chapter that is not', () => {
  const outDir = scratch()
  const [tokens] = PLAN.checks
  const leftOut = ['TOK-07', 'LOA-01'].map((requirement) => ({
    requirement,
    kind: 'declared' as const,
    because: 'the profile declares: it has none',
  }))
  reporterFor(outDir, { ...PLAN, checks: tokens === undefined ? [] : [tokens], leftOut }).onInit()
  expect(verdictsIn(outDir)).toEqual({ 'TOK-07': 'not-applicable' })
})

test('each result is written when its test ends, so that a killed run keeps it', () => {
  const outDir = scratch()
  const reporter = reporterFor(outDir)
  reporter.onInit()
  for (const [index, result] of RESULTS.entries()) {
    reporter.onTestCaseResult(ended(result))
    expect(Object.keys(verdictsIn(outDir))).toHaveLength(index + 2)
  }
  expect(resultsIn(outDir).find(({ fullName }) => fullName === 'PAY-09/1')).toMatchObject({
    status: 'failed',
    start: 5,
    attachments: [{}, { name: '✗ 4  GET /payments/7F…/status?… → 200' }],
    statusDetails: { trace: expect.stringMatching(/^✗ PAY-09 {2}a rejected payment/) as string },
  })
})

test('what was planned and did not run is written at the end, once', () => {
  const outDir = scratch()
  const reporter = reporterFor(outDir)
  reporter.onInit()
  for (const result of RESULTS.slice(0, 2)) reporter.onTestCaseResult(ended(result))
  reporter.onTestRunEnd()
  expect(resultsIn(outDir)).toHaveLength(5)
  expect(verdictsIn(outDir)).toMatchObject({ 'PAY-09/1': 'not-reached', 'TOK-03/1@FAC': 'pass' })
})

const SPEC = `
  const results = ${JSON.stringify(RESULTS)}
  test('TOK-03/1@FAC passes', ({ task }) => { task.meta.result = results[0] })
  test('PAY-09/1 fails', ({ task }) => { task.meta.result = results[3]; throw new Error('failed') })
  test('TOK-07/1 breaks before it has a result', () => { throw new Error('a fault of the suite') })
  test('something else', () => { throw new Error('no check at all') })
`

test('a run of vitest leaves verdicts and crashes, and nothing of tests that are not checks', async () => {
  const outDir = scratch()
  writeFileSync(join(outDir, 'runInput.spec.js'), SPEC)
  const reporters = [reporterFor(outDir)]
  const options = { root: outDir, config: false as const, watch: false, globals: true, reporters }
  const { exitCode } = process
  const vitest = await startVitest('test', [], options)
  await vitest.close()
  // The failures of that run are not failures of this one.
  process.exitCode = exitCode
  const verdicts = verdictsIn(outDir)
  expect(verdicts).toMatchObject({
    'PAY-09/1': 'fail',
    'PAY-10/1': 'not-tested',
    'TOK-03/1@FAC': 'pass',
    'TOK-03/1@TPP': 'not-reached',
    'TOK-07/1': 'harness-error',
  })
  expect(Object.keys(verdicts)).toHaveLength(5)
  expect(resultsIn(outDir).find(({ fullName }) => fullName === 'TOK-07/1')?.statusDetails.message).toBe(
    'harness-error: a fault of the suite',
  )
})

describe('the exchanges of a result', () => {
  const attachmentsOf = (changes: Partial<CheckResult>, verdict: Verdict = 'fail') => {
    const outDir = scratch()
    const reporter = reporterFor(outDir)
    const exchanges = [...(changes.exchanges ?? []), REJECTION.exchange]
    const lines = exchanges.map((id) => `${JSON.stringify(exchange(id))}\n`)
    writeFileSync(join(outDir, 'evidence.jsonl'), lines.join(''))
    reporter.onInit()
    reporter.onTestCaseResult(ended(found('PAY-09/1', verdict, changes)))
    const result = resultsIn(outDir).find(({ fullName }) => fullName === 'PAY-09/1')
    if (result === undefined) throw new Error('PAY-09/1 has a result')
    return { outDir, result, names: result.attachments.map(({ name }) => name) }
  }

  test('are attached as HTTP exchanges, the one that shows the violation marked', () => {
    const exchanges = ['payments/a-rejection/3', REJECTION.exchange]
    const { outDir, result, names } = attachmentsOf({ exchanges, violation: REJECTION })
    expect(names).toEqual(['3  GET /payments/7F…/status?… → 200', '✗ 4  GET /payments/7F…/status?… → 200'])
    for (const { source, type } of result.attachments) {
      expect(type).toBe('application/vnd.allure.http+json')
      const text = readFileSync(join(outDir, 'allure-results', source), 'utf8')
      expect(JSON.parse(text)).toMatchObject({ schemaVersion: 1 })
    }
  })

  test('are in the order in which they were sent', () => {
    const { names } = attachmentsOf({ exchanges: ['s/1', 's/10', 's/2'] }, 'pass')
    expect(names.map((name) => name.split(' ')[0])).toEqual(['1', '2', '10'])
  })

  test('of very many are the last ones, and the one that shows the violation', () => {
    const exchanges = Array.from({ length: 100 }, (_, index) => `s/${index}`)
    const { names, result } = attachmentsOf({ exchanges, violation: { ...REJECTION, exchange: 's/7' } })
    expect(names).toHaveLength(24)
    expect(names[0]).toMatch(/^✗ 7 /)
    expect(names.at(-1)).toMatch(/^99 /)
    expect(result.descriptionHtml).toContain('The last 24 of 100 exchanges are shown')
  })

  test('are left out if they are not in the evidence', () => {
    const outDir = scratch()
    const reporter = reporterFor(outDir)
    reporter.onInit()
    reporter.onTestCaseResult(ended(found('PAY-09/1', 'pass', { exchanges: ['nowhere/1'] })))
    expect(resultsIn(outDir).find(({ fullName }) => fullName === 'PAY-09/1')?.attachments).toEqual([])
  })
})
