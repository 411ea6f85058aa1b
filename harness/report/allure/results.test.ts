import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startVitest, type Reporter } from 'vitest/node'
import { createAllureReporter, openAllureResults, type AllureResults } from './results.ts'
import { resultsIn, verdictIn } from '../../testing/allure-results.ts'
import {
  CATALOGUE,
  EVIDENCE,
  exchange,
  found,
  PAY_NOT_ALLOWED,
  PLAN,
  planned,
  REJECTION,
  RESULTS,
  sampleReport,
  scratch,
  unanswered,
} from '../../testing/samples/reports.ts'
import type { HttpExchange } from 'allure-js-commons/http'
import type { CheckResult } from '../../check/result.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Reason } from '../../plan/reason.ts'

const open = (outDir: string, plan = PLAN, evidence = EVIDENCE): AllureResults => {
  writeFileSync(join(outDir, 'evidence.jsonl'), evidence.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return openAllureResults({ outDir, target: 'reference bank', strict: false, plan, catalogue: CATALOGUE })
}

const verdictsIn = (outDir: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(resultsIn(outDir).map((result) => [result.fullName ?? '', verdictIn(result)]))

test('what no test stands for is written when the run has ended', () => {
  const outDir = scratch()
  open(outDir).complete(sampleReport({ results: [] }))
  expect(verdictsIn(outDir)).toEqual({
    conclusion: undefined,
    'PAY-09/1': 'not-reached',
    'PAY-10/1': 'not-tested',
    'TOK-03/1@FAC': 'not-reached',
    'TOK-03/1@TPP': 'not-reached',
    'TOK-07/1': 'not-reached',
  })
  const names = resultsIn(outDir).map(({ name }) => name ?? '')
  expect(names.toSorted()[0]).toBe('Conclusion: incomplete (partial): 0 of 5 judged')
  const environment = readFileSync(join(outDir, 'allure-results/environment.properties'), 'utf8')
  expect(environment).toContain('Base\\ URL=http://127.0.0.1:8080')
  expect(environment).toContain('Seed=42')
  expect(readdirSync(join(outDir, 'allure-results'))).toContain('categories.json')
})

test('a requirement that is left out is shown in a chapter that is not, unless it was not selected', () => {
  const outDir = scratch()
  const left = (requirement: string, kind: Reason['kind']) => ({ requirement, kind, because: 'a reason' })
  const leftOut = [left('TOK-07', 'declared'), left('LOA-01', 'declared'), left('PAY-09', 'not-selected')]
  const heldBack = { kind: 'not-selected', because: 'left out by --skip time' } as const
  const plan = {
    ...PLAN,
    checks: [planned('TOK-03/1', { heldBack: PAY_NOT_ALLOWED }), planned('PAY-10/1', { heldBack })],
    leftOut,
  }
  open(outDir, plan).complete(sampleReport({ plan }))
  expect(verdictsIn(outDir)).toEqual({
    conclusion: undefined,
    'TOK-03/1': 'not-tested',
    'TOK-07': 'not-applicable',
  })
})

const SPEC = `
  const results = ${JSON.stringify(RESULTS)}
  test('TOK-03/1@FAC passes', ({ task }) => { task.meta.result = results[0] })
  test('PAY-09/1 fails', ({ task }) => { task.meta.result = results[3]; throw new Error('failed') })
  test('something else', () => { throw new Error('no check at all') })
  afterAll(() => { throw new Error('a secret that is not redacted') })
`

test('the results of vitest are those of the checks, each once', async () => {
  const outDir = scratch()
  const allure = open(outDir)
  writeFileSync(join(outDir, 'runInput.spec.js'), SPEC)
  const collecting: Reporter = {
    onTestCaseResult(test) {
      const { result } = test.meta()
      if (result !== undefined) allure.add(result)
    },
  }
  const reporters = [collecting, createAllureReporter(outDir, allure.fill)]
  const options = { root: outDir, config: false as const, watch: false, globals: true, reporters }
  const { exitCode } = process
  const vitest = await startVitest('test', [], options)
  await vitest.close()
  // The failures of that run are not failures of this one.
  process.exitCode = exitCode
  allure.complete(sampleReport())
  expect(verdictsIn(outDir)).toEqual({
    conclusion: undefined,
    'runInput.spec.js#something else': undefined,
    'PAY-09/1': 'fail',
    'PAY-10/1': 'not-tested',
    'TOK-03/1@FAC': 'pass',
    'TOK-03/1@TPP': 'not-reached',
    'TOK-07/1': 'not-reached',
  })
  expect(resultsIn(outDir)).toHaveLength(7)
  expect(readdirSync(join(outDir, 'allure-results')).filter((name) => name.includes('globals'))).toEqual([])
  expect(resultsIn(outDir).find(({ fullName }) => fullName === 'PAY-09/1')).toMatchObject({
    status: 'failed',
    attachments: [{}, { name: '✗ 4  GET /payments/7F…/status?… → 200' }],
    statusDetails: { trace: expect.stringMatching(/^✗ PAY-09 {2}a rejected payment/) as string },
  })
})

test('what is decided otherwise when the run has ended is shown so, once', () => {
  const outDir = scratch()
  const allure = open(outDir)
  const before = found('PAY-09/1', 'pass')
  allure.add(before)
  allure.complete(sampleReport())
  allure.add({ ...before, verdict: 'fail', violation: REJECTION, decidedBy: 'refused-at-times' })
  allure.complete(sampleReport())
  const shown = resultsIn(outDir).filter(({ fullName }) => fullName === before.id)
  expect(shown.map(({ status }) => status)).toEqual(['failed'])
})

test('a check in which nothing occurred is red only if no other one has judged its requirement', () => {
  const outDir = scratch()
  const plan = { ...PLAN, checks: [planned('TOK-03/1'), planned('TOK-03/2')] }
  const allure = open(outDir, plan)
  const results = [found('TOK-03/1', 'not-reached', { judged: 0 }), found('TOK-03/2', 'pass')]
  allure.add(found('TOK-03/1', 'not-reached', { judged: 0 }))
  const statuses = () =>
    Object.fromEntries(resultsIn(outDir).map(({ fullName = '', status }) => [fullName, status]))
  allure.complete(sampleReport({ plan, results: results.slice(0, 1) }))
  expect(statuses()).toMatchObject({ 'TOK-03/1': 'broken', 'TOK-03/2': 'broken' })
  for (const result of results) allure.add(result)
  allure.complete(sampleReport({ plan, results }))
  expect(statuses()).toMatchObject({ 'TOK-03/1': 'skipped', 'TOK-03/2': 'passed' })
})

describe('the exchanges of a result', () => {
  const attachmentsOf = (changes: Partial<CheckResult>, evidence?: readonly Exchange[]) => {
    const outDir = scratch()
    const ids = [...(changes.exchanges ?? []), REJECTION.exchange]
    const allure = open(outDir, PLAN, evidence ?? ids.map((id) => exchange(id)))
    allure.add(found('PAY-09/1', 'fail', changes))
    allure.complete(sampleReport())
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

  test('are written once for all results that show them', () => {
    const outDir = scratch()
    const allure = open(outDir, PLAN, [exchange(REJECTION.exchange)])
    const exchanges = [REJECTION.exchange]
    for (const id of ['PAY-09/1', 'TOK-07/1']) allure.add(found(id, 'fail', { exchanges }))
    allure.complete(sampleReport())
    const sources = resultsIn(outDir).flatMap(({ attachments }) => attachments.map(({ source }) => source))
    expect(sources).toHaveLength(2)
    expect(new Set(sources).size).toBe(1)
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
