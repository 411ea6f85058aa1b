import { expect, test } from 'vitest'
import { must } from '../check/requirement.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { withRefusedAtTimes } from './refused-at-times.ts'
import type { CheckResult } from '../check/result.ts'
import type { Exchange } from '../evidence/exchange.ts'

const TEXT = { claim: 'a consent is created', quote: '-', place: '-' }
const ROWS = [must('CON-01', { ...TEXT, answers: 'POST createConsent' }), must('CON-02', TEXT)]

const RESULTS: readonly CheckResult[] = ROWS.map(({ id }) => ({
  id: `${id}/1`,
  requirement: id,
  title: 'consents',
  verdict: 'pass',
  durationMs: 1,
  judged: 1,
  exchanges: ['consents/1'],
}))

const PAGE = '<!doctype html><h1>Bad Request</h1>'

let count = 0
/** A consent request, which is accepted (a), refused with a page (r) or by a firewall (f); one with a wrong secret (w). */
const sent = (kinds: string, more: Partial<Exchange> = {}): readonly Exchange[] =>
  Array.from(kinds, (kind) => ({
    ...sampleExchange({
      id: `consents/${(count += 1)}`,
      operation: 'createConsent',
      ...(kind === 'a'
        ? { status: 201, body: '{"consentId":"c1"}' }
        : { status: kind === 'f' ? 403 : kind === 'w' ? 401 : 400, body: kind === 'w' ? '{}' : PAGE }),
    }),
    request: {
      method: 'POST',
      url: 'https://bank.example/v1/consents',
      headers: [
        ['X-Request-ID', `id ${1000 + count}`],
        ['Authorization', kind === 'w' ? 'Basic wrong' : 'Basic right'],
      ],
    },
    ...more,
  }))

/** The text is the same where an account number has become a pseudonym. */
const spelled = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.map((one) => {
    const bytes = one.response?.status === 201 ? 24 : 29
    return { ...one, request: { ...one.request, body: { text: '[account:1]', bytes } } }
  })

const verdictsOf = (exchanges: readonly Exchange[]) =>
  withRefusedAtTimes(RESULTS, exchanges, ROWS).map(({ verdict }) => verdict)

test.each([
  ['now and then', sent('araarara'), ['fail', 'pass']],
  ['twice', sent('araara'), ['pass', 'pass']],
  ['from some time on', sent('aaarrrr'), ['pass', 'pass']],
  ['by a firewall', sent('afafafa'), ['pass', 'pass']],
  ['after a wrong secret, which locks the client', sent('awrrawrrawrra'), ['pass', 'pass']],
  ['in another spelling, with more bytes', spelled(sent('ararara')), ['pass', 'pass']],
  ['while others are under way', sent('ararara', { concurrent: true }), ['pass', 'pass']],
])('valid requests that are refused %s', (_, exchanges, verdicts) => {
  expect(verdictsOf(exchanges)).toEqual(verdicts)
})
