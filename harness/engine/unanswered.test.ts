import { expect, test } from 'vitest'
import { must } from '../check/requirement.ts'
import { sampleExchange, type SampleParts } from '../testing/samples/exchange.ts'
import { withUnanswered } from './unanswered.ts'
import type { CheckResult } from '../check/result.ts'

const TEXT = { claim: 'a page is answered', quote: '-', place: '-' }
const ROWS = [must('TRX-01', { ...TEXT, answers: 'POST listTransactions' }), must('TRX-02', TEXT)]

const result = (requirement: string, verdict: CheckResult['verdict']): CheckResult => ({
  id: `${requirement}.1`,
  requirement,
  title: 'pages',
  verdict,
  durationMs: 1,
  because: 'the answer to pages/1 is not JSON',
  exchanges: ['pages/1'],
})

const RESULTS = [result('TRX-01', 'inconclusive'), result('TRX-02', 'inconclusive')]

const page = (id: string, parts: SampleParts = {}) =>
  sampleExchange({ id, operation: 'listTransactions', body: '<!doctype html><h1>Soon</h1>', ...parts })
const TOKEN = sampleExchange({ id: 'pages/1' })
const PAGES = [page('pages/2'), page('pages/3', { status: 503 }), page('pages/4')]

test('an operation that never answered does not answer, and only its requirement says so', () => {
  const [answers, other] = withUnanswered(RESULTS, [TOKEN, ...PAGES], ROWS)
  expect(answers).toMatchObject({
    verdict: 'fail',
    violation: {
      subject: 'the answers to POST /token',
      received: 'an HTML page (200) as the last of 3, while the bank answered other operations',
      exchange: 'pages/4',
    },
    exchanges: ['pages/1', 'pages/4'],
  })
  expect(answers).not.toHaveProperty('because')
  expect(other).toBe(RESULTS[1])
})

test('refusals of the bank in between are no answer to a documented request', () => {
  const refusal = page('pages/5', { status: 401, body: '{"error":"invalid_token"}' })
  expect(withUnanswered(RESULTS, [TOKEN, ...PAGES, refusal], ROWS)[0]?.verdict).toBe('fail')
})

test.each([
  ['the bank answered once', [TOKEN, ...PAGES, page('pages/5', { body: '{"transactions":[]}' })]],
  ['it was asked twice only', [TOKEN, ...PAGES.slice(1)]],
  ['the bank answered nothing else either', PAGES],
  ['its answers differ in kind', [TOKEN, ...PAGES.slice(1), page('pages/5', { body: '{"transactions":' })]],
  ['it was throttled', [TOKEN, ...PAGES.map(({ id }) => page(id, { status: 429 }))]],
  [
    'the pages are those of a customer',
    [TOKEN, ...PAGES.map((one) => ({ ...one, sender: 'customer' as const }))],
  ],
])('nothing is said where %s', (_, exchanges) => {
  expect(withUnanswered(RESULTS, exchanges, ROWS)).toEqual(RESULTS)
})

test('a check that passed or failed keeps its verdict', () => {
  const decided = [result('TRX-01', 'pass'), result('TRX-01', 'not-applicable')]
  expect(withUnanswered(decided, [TOKEN, ...PAGES], ROWS)).toEqual(decided)
})
