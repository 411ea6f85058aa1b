import { expect, test } from 'vitest'
import { createRequestBreaker } from './breaker.ts'
import { sampleExchange, TIMED_OUT, type SampleParts } from '../../../testing/samples/exchange.ts'
import type { Exchange } from '../../../evidence/exchange.ts'

const at = (url: string, parts: SampleParts): Exchange => {
  const exchange = sampleExchange(parts)
  return { ...exchange, request: { ...exchange.request, url } }
}

const API = 'http://bank.example/v1/accounts'
const silent = (parts: SampleParts = {}): SampleParts => ({
  operation: 'listAccounts',
  fault: TIMED_OUT,
  ...parts,
})

const after = (...exchanges: readonly Exchange[]) => {
  const breaker = createRequestBreaker(3)
  exchanges.forEach((exchange) => breaker.record(exchange))
  return (operation: string, url = API) =>
    () =>
      breaker.admit({ operation, url })
}

test('three requests in a row without an answer are the last ones of their operation', () => {
  const admit = after(...new Array<Exchange>(3).fill(at(API, silent())))
  expect(admit('listAccounts')).toThrow(
    'not sent: 3 requests in a row of the operation listAccounts at http://bank.example were not answered; the last one had no answer: no whole answer came (DEADLINE)',
  )
})

test('other operations, other origins and test hooks are counted for themselves', () => {
  const hooks = at('http://bank.example/_test-hooks/clock', { operation: 'testHook' })
  const mixed = [1, 2, 3].flatMap(() => [at(API, silent()), hooks])
  expect(after(...mixed)('listAccounts')).toThrow('not sent')
  expect(after(...mixed)('testHook')).not.toThrow()
  expect(after(...mixed)('token')).not.toThrow()
  expect(after(...mixed)('listAccounts', 'http://other.example/v1/accounts')).not.toThrow()
})

test('an answer in between begins the count anew, whatever it says', () => {
  const answer = at(API, { operation: 'listAccounts', status: 500, body: '' })
  const two = [at(API, silent()), at(API, silent())]
  expect(after(...two, answer, ...two)('listAccounts')).not.toThrow()
})

test('a body that never ends and 429 count as no answer, a body that is too large does not', () => {
  const dripping = silent({ fault: { ...TIMED_OUT, status: 200 } })
  const large = silent({ fault: { kind: 'too-large', cause: 'TOO_LARGE', message: 'it is too large' } })
  const throttled = { operation: 'listAccounts', status: 429, body: '' }
  expect(after(...[1, 2, 3].map(() => at(API, dripping)))('listAccounts')).toThrow('after the status 200')
  expect(after(...[1, 2, 3].map(() => at(API, throttled)))('listAccounts')).toThrow(/429.*see --rate/)
  expect(after(...[1, 2, 3].map(() => at(API, large)))('listAccounts')).not.toThrow()
})

test('a probe may ask where nothing is served', () => {
  const probes = [1, 2, 3].map(() => at(API, silent({ operation: 'probe' })))
  expect(after(...probes)('probe')).not.toThrow()
})

test('three server errors in a row are the last requests of their operation, if the API has answered nothing else', () => {
  const failed = [1, 2, 3].map(() => at(API, { operation: 'listAccounts', status: 500, body: '' }))
  const hook: Exchange = { ...at(API, { operation: 'testHook' }), sender: 'testHook' }
  expect(after(...failed, hook)('listAccounts')).toThrow(
    'not sent: 3 requests in a row of the operation listAccounts at http://bank.example failed, and no other operation has been answered otherwise; the last one was answered with a server error (500)',
  )
  expect(after(...failed)('token')).not.toThrow()
  const refused = at(API, { operation: 'token', status: 401, body: '{}' })
  expect(after(...failed, refused)('listAccounts')).not.toThrow()
})

test('where every request was throttled, also when it was repeated, nothing more is sent', () => {
  const throttled = at(API, { operation: 'token', status: 429, body: '' })
  expect(after(throttled)('listAccounts')).toThrow(
    /^not sent: .* nothing but too many requests \(429\).* --rate/,
  )
  expect(after(throttled)('listAccounts', 'http://other.example/v1/accounts')).not.toThrow()
  const answered = at(API, { operation: 'listAccounts', status: 401, body: '{}' })
  expect(after(throttled, answered)('listAccounts')).not.toThrow()
})
