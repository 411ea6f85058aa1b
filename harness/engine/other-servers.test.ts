import { expect, test } from 'vitest'
import { sampleExchange, type SampleParts } from '../testing/samples/exchange.ts'
import { withoutOtherServers } from './other-servers.ts'
import type { CheckResult } from '../check/result.ts'
import type { Exchange } from '../evidence/exchange.ts'

const mismatch = {
  key: 'customers.0.password',
  bound: '…',
  expected: 'password',
  shown: '401',
  exchange: 'b/1',
}

const result = (parts: Partial<CheckResult>): CheckResult => ({
  id: 'TRX-01.1',
  requirement: 'TRX-01',
  title: 'pages',
  verdict: 'not-reached',
  durationMs: 1,
  exchanges: [],
  ...parts,
})

const FAILED = result({
  verdict: 'fail',
  exchanges: ['a/9'],
  violation: { subject: 'the status', expected: '200', received: '403', exchange: 'a/9' },
})
const MISMATCHED = result({ mismatches: [mismatch] })
const PASSED = result({ verdict: 'pass', exchanges: ['b/2'] })

const REFUSAL = JSON.stringify({ message: 'Forbidden' })

const get = (id: string, operation: string, parts: SampleParts = {}): Exchange =>
  sampleExchange({
    effect: 'read',
    id,
    operation,
    url: `https://bank.example/${operation}`,
    status: 403,
    body: REFUSAL,
    ...parts,
  })
/** A request of that length: two spellings of an IBAN have the same pseudonym. */
const spelled = (bytes: number, exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: { text: '{"iban":"<iban>"}', bytes } },
})
const OK: SampleParts = { status: 200, body: '{}' }

test('what several operations are answered, and is another answer when it is repeated, is not of the bank', () => {
  const exchanges = [
    get('a/1', 'listAccounts'),
    get('a/2', 'listAccounts', OK),
    get('a/9', 'readAccount'),
    get('b/1', 'authorize', { status: 403 }),
    get('b/2', 'token', OK),
  ]
  const [failed, passed, doubtful] = withoutOtherServers(
    [FAILED, PASSED, { ...PASSED, exchanges: ['b/1'] }],
    exchanges,
  )
  expect(failed).toMatchObject({ verdict: 'inconclusive', decidedBy: 'another' })
  expect(failed?.because).toContain(
    '; but a/9 was answered with an answer with the status 403, as 3 of 5 requests',
  )
  expect(failed).not.toHaveProperty('violation')
  expect(passed).toBe(PASSED)
  // What was refused as expected may not have reached the bank.
  expect(doubtful?.verdict).toBe('inconclusive')
})

test.each([
  ['is the same again', [get('a/1', 'listAccounts'), get('a/2', 'listAccounts'), get('a/9', 'readAccount')]],
  [
    'has the words of the bank',
    [
      get('a/1', 'listAccounts', { body: '{"errorCode":"FORBIDDEN"}' }),
      get('a/2', 'listAccounts', OK),
      get('a/9', 'readAccount', { body: '{"errorCode":"FORBIDDEN"}' }),
    ],
  ],
  [
    'one of two spellings of an IBAN gets',
    [
      spelled(44, get('a/1', 'listAccounts')),
      spelled(38, get('a/2', 'listAccounts', OK)),
      get('a/9', 'readAccount'),
    ],
  ],
  [
    'comes from one operation only',
    [get('a/1', 'listAccounts'), get('a/2', 'listAccounts', OK), get('a/9', 'listAccounts')],
  ],
])('a refusal that %s is of the bank', (_, exchanges) => {
  expect(withoutOtherServers([FAILED, MISMATCHED], [...exchanges, get('c/1', 'token', OK)])).toEqual([
    FAILED,
    MISMATCHED,
  ])
})

test('one answer to all requests shows neither a key of the profile nor the bank', () => {
  const all = (operations: readonly string[]) =>
    operations.map((operation, at) => get(`b/${at + 1}`, operation, { status: 401, body: '<html>Sign in' }))
  const operations = ['createConsent', 'token', 'createConsent', 'authorize', 'authorize']
  expect(withoutOtherServers([MISMATCHED], all(operations))[0]?.because).toContain(
    'all 5 answers of the run, to 3 operations, are an HTML page (401)',
  )
  // Wrong credentials of an application are refused by these operations only.
  expect(withoutOtherServers([MISMATCHED], all(operations.slice(0, 3)))).toEqual([MISMATCHED])
  expect(
    withoutOtherServers([MISMATCHED], all(['token', 'token', 'token', 'token', 'createConsent'])),
  ).toEqual([MISMATCHED])
})

test.each([
  ['of another API', OK, ['createConsent', 'token', 'authorize', 'authorize', 'token'], 'correct `baseUrl`'],
  ['to wait', { status: 429 }, ['token'], 'to 1 operation, are too many requests (429)'],
] as const)('answers %s to all requests show nothing of the bank', (_, parts, operations, because) => {
  const exchanges = operations.map((operation, at) => get(`b/${at + 1}`, operation, parts))
  expect(withoutOtherServers([MISMATCHED], exchanges)[0]?.because).toContain(because)
})
