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
  unanswered,
} from '../../testing/samples/reports.ts'
import type { TestResult } from 'allure-js-commons'
import type { HttpExchange } from 'allure-js-commons/http'
import type { CheckResult } from '../../check/result.ts'
import type { Exchange } from '../../evidence/exchange.ts'
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
  const attachmentsOf = (changes: Partial<CheckResult>, evidence?: readonly Exchange[]) => {
    const outDir = scratch()
    const reporter = reporterFor(outDir)
    const exchanges = evidence ?? [...(changes.exchanges ?? []), REJECTION.exchange].map((id) => exchange(id))
    const lines = exchanges.map((one) => `${JSON.stringify(one)}\n`)
    writeFileSync(join(outDir, 'evidence.jsonl'), lines.join(''))
    reporter.onInit()
    reporter.onTestCaseResult(ended(found('PAY-09/1', 'fail', changes)))
    const result = resultsIn(outDir).find(({ fullName }) => fullName === 'PAY-09/1')
    if (result === undefined) throw new Error('PAY-09/1 has a result')
    const shown = result.attachments.map(({ source }) => {
      const text = readFileSync(join(outDir, 'allure-results', source), 'utf8')
      return JSON.parse(text) as HttpExchange
    })
    return { result, shown, names: result.attachments.map(({ name }) => name) }
  }

  const shownOf = (one: Exchange) =>
    attachmentsOf({ exchanges: [one.id], violation: { ...REJECTION, exchange: one.id } }, [one]).shown[0]

  test('are attached as HTTP exchanges, the one that shows the violation marked', () => {
    const exchanges = [REJECTION.exchange, 'payments/a-rejection/10', 'payments/a-rejection/3']
    const { result, shown, names } = attachmentsOf({ exchanges, violation: REJECTION })
    const line = 'GET /payments/7F…/status?… → 200'
    expect(names).toEqual([`3  ${line}`, `✗ 4  ${line}`, `10  ${line}`])
    expect(new Set(result.attachments.map(({ type }) => type))).toEqual(
      new Set(['application/vnd.allure.http+json']),
    )
    expect(shown[0]).toMatchObject({
      schemaVersion: 1,
      request: { method: 'GET', query: [{ name: 'verbose', value: '1' }] },
      response: {
        status: 200,
        body: { contentType: 'application/json', value: '{"status":"RJCT"}', size: 17 },
      },
      start: Date.UTC(2030, 0, 1),
      stop: Date.UTC(2030, 0, 1) + 3,
    })
  })

  test('show a form field by field, and a fault in the place of the response', () => {
    const request = {
      method: 'POST',
      url: 'not a url',
      headers: [['content-type', 'application/x-www-form-urlencoded; charset=utf-8']],
      body: { text: 'grant_type=authorization_code&code=%5Bcode%231%5D', bytes: 51 },
    } as const
    const form = [
      { name: 'grant_type', value: 'authorization_code' },
      { name: 'code', value: '[code#1]' },
    ]
    expect(shownOf(exchange('s/1', { request }))?.request).toMatchObject({ query: [], body: { form } })
    const lost = shownOf(unanswered({ kind: 'reset', cause: 'ECONNRESET', message: 'read ECONNRESET' }))
    expect(lost?.error).toEqual({ name: 'reset (ECONNRESET)', message: 'read ECONNRESET' })
    expect(lost).not.toHaveProperty('response')
  })

  test.each([
    ['the recorder kept only the head of', { text: 'head', bytes: 9_000_000, sha256: 'ab' }, 4],
    ['nobody would read the whole of', { text: 'x'.repeat(100_000), bytes: 100_000 }, 65_536],
  ])('mark a body where %s it', (_, body, length) => {
    const shown = shownOf(exchange('s/1', { response: { status: 200, headers: [], body } }))?.response?.body
    expect(shown).toMatchObject({ truncated: true, contentType: 'text/plain', size: body.bytes })
    expect(shown?.value).toHaveLength(length)
  })

  test('of very many are the last ones, and the one that shows the violation', () => {
    const exchanges = Array.from({ length: 100 }, (_, index) => `s/${index}`)
    const { names, result } = attachmentsOf({ exchanges, violation: { ...REJECTION, exchange: 's/7' } })
    expect(names).toHaveLength(24)
    expect(names[0]).toMatch(/^✗ 7 /)
    expect(names.at(-1)).toMatch(/^99 /)
    expect(result.descriptionHtml).toContain('The last 24 of 100 exchanges are shown')
  })
})
