import { expect, test } from 'vitest'
import { Inconclusive } from '../../evidence/signals.ts'
import { observe } from './observe.ts'
import { sampleExchange, TIMED_OUT } from '../../testing/samples/exchange.ts'
import { ViolationError } from '../verdict.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import { UsedExchanges } from './exchange.ts'

const redirectResult = (parts: Partial<RedirectResult> = {}): RedirectResult => ({
  kind: 'redirect-result',
  outcome: 'redirect',
  exchange: sampleExchange({ operation: 'authorize', status: 302, body: '' }),
  redirect: 'https://app.example/callback?x=1&code=c0de&state=a%20b',
  code: 'c0de',
  acted: [0, 1],
  decision: 'granted',
  ...parts,
})

test('a verdict rests on the exchanges that were looked at, and on no others', () => {
  const used = new UsedExchanges()
  const record = observe({ seen: sampleExchange(), unseen: sampleExchange({ id: 'sample/2' }) }, used)
  expect([...used]).toEqual([])
  record.seen.status.equals(200)
  expect([...used]).toEqual(['sample/1'])
})

test.each([
  ['status', (x: ReturnType<typeof first>) => x.status],
  ['header', (x: ReturnType<typeof first>) => x.header('a')],
  ['body text', (x: ReturnType<typeof first>) => x.body.text],
  ['field', (x: ReturnType<typeof first>) => x.body.field('a')],
  ['anywhere', (x: ReturnType<typeof first>) => x.body.anywhere('a')],
  ['accepted', (x: ReturnType<typeof first>) => x.accepted],
])('%s of an exchange without an answer is inconclusive', (_, look) => {
  expect(() => look(first(sampleExchange({ fault: TIMED_OUT })))).toThrow(Inconclusive)
})

const first = (exchange: ReturnType<typeof sampleExchange>) => observe(exchange, new UsedExchanges())

test('a body that is no JSON leaves its fields open', () => {
  const html = first(sampleExchange({ body: '<html>' }))
  expect(() => html.body.field('access_token')).toThrow(Inconclusive)
  expect(() => html.body.anywhere('access_token')).toThrow(/not JSON/)
  expect(html.status.value).toBe(200)
})

test('the type of a field is reported without its value, that of a whole body whatever it is', () => {
  const { body } = first(sampleExchange({ body: '{"a":"x","b":1,"c":[],"d":{"e":true},"f":null}' }))
  const kinds = ['a', 'b', 'c', 'd', 'd.e', 'f', 'g'].map((path) => body.kind(path).value)
  expect(kinds).toEqual(['string', 'number', 'array', 'object', 'boolean', 'null', 'nothing'])
  expect(body.kind().value).toBe('object')
  expect(first(sampleExchange({ body: '[]' })).body.kind().value).toBe('array')
  expect(first(sampleExchange({ body: '<html>' })).body.kind().value).toBe('text')
  expect(() => first(sampleExchange({ fault: TIMED_OUT })).body.kind()).toThrow(Inconclusive)
})

test('names that stand twice are reported, and values under one name at any depth', () => {
  const { body } = first(sampleExchange({ body: '{"id":1,"list":[{"id":2},{"id":3}],"id":1}' }))
  expect(body.repeated.value).toBe('id')
  expect(body.everywhere('id')).toEqual([1, 2, 3])
  expect(first(sampleExchange()).body.repeated.value).toBeUndefined()
  expect(() => first(sampleExchange({ body: '<html>' })).body.repeated).toThrow(Inconclusive)
})

test('names that every object has are no fields of an answer', () => {
  const answer = first(sampleExchange({ body: '{}' }))
  expect(answer.body.field('constructor').value).toBeUndefined()
  expect(answer.body.field('toString.name').value).toBeUndefined()
  expect(answer.body.anywhere('constructor').value).toBeUndefined()
})

test('a token answer is accepted for its successFields, not for its status', () => {
  expect(first(sampleExchange({ status: 203 })).accepted).toBe(true)
  expect(first(sampleExchange({ body: '{"error":"invalid_grant"}' })).accepted).toBe(false)
  expect(first(sampleExchange({ body: '{"access_token":""}' })).accepted).toBe(false)
  expect(first(sampleExchange({ operation: 'probe', body: '' })).accepted).toBe(true)
  expect(first(sampleExchange({ operation: 'probe', status: 401, body: '' })).accepted).toBe(false)
})

test('a list of accounts is accepted where it names an account', () => {
  const list = (body: string) => first(sampleExchange({ operation: 'listAccounts', body }))
  expect(list('{"accounts":[{"accountId":"a1"}]}').accepted).toBe(true)
  expect(list('{"accounts":[]}').accepted).toBe(false)
  expect(() => list('{"accounts":[]}').isRefused('the token has expired')).not.toThrow()
})

test('isRefused: an acceptance is a violation, a breakdown leaves it open, any other answer is a refusal', () => {
  const body = '{"error":"x"}'
  expect(() => first(sampleExchange()).isRefused('it is wrong')).toThrow(ViolationError)
  expect(() => first(sampleExchange({ status: 500, body })).isRefused('it is wrong')).toThrow(Inconclusive)
  expect(() => first(sampleExchange({ status: 302, body: '' })).isRefused('it is wrong')).toThrow(
    "sample/1 was answered with a redirect (302), which is not the bank's answer",
  )
  for (const status of [200, 400, 401, 403, 404, 422])
    expect(() => first(sampleExchange({ status, body })).isRefused('it is wrong')).not.toThrow()
})

test('isAccepted: a refusal is a violation, a breakdown leaves it open', () => {
  const body = '{"error":"x"}'
  expect(() => first(sampleExchange()).isAccepted('it is right')).not.toThrow()
  expect(() => first(sampleExchange({ status: 400, body })).isAccepted('it is right')).toThrow(ViolationError)
  expect(() => first(sampleExchange({ status: 503, body })).isAccepted('it is right')).toThrow(Inconclusive)
})

test('a server error each time, between accepted requests, is neither a refusal nor an acceptance', () => {
  const answer = first(sampleExchange({ status: 500, body: '{"error":"x"}', timesRepeated: 3 }))
  const received = 'received a server error (500) each of 3 times, between accepted requests'
  expect(() => answer.isRefused('it is wrong')).toThrow(ViolationError)
  expect(() => answer.isRefused('it is wrong')).toThrow(
    `the request: expected to be refused: it is wrong; ${received}`,
  )
  expect(() => answer.isAccepted('it is right')).toThrow(
    `the request: expected to be accepted: it is right; ${received}`,
  )
  expect(() => answer.isNoServerError('a refusal')).toThrow(`the request: expected a refusal; ${received}`)
  expect(() => first(sampleExchange({ status: 500 })).isNoServerError('a refusal')).toThrow(Inconclusive)
  expect(() => first(sampleExchange({ status: 400 })).isNoServerError('a refusal')).not.toThrow()
})

test('too many requests are neither an acceptance nor a refusal', () => {
  const turnedAway = () => first(sampleExchange({ status: 429, body: '{"error":"slow down"}' }))
  expect(() => turnedAway().isAccepted('it is right')).toThrow(Inconclusive)
  expect(() => turnedAway().isRefused('it is wrong')).toThrow(Inconclusive)
})

test('isAccepted: a success that cannot be read leaves it open', () => {
  const page = first(sampleExchange({ body: '<html>' }))
  expect(() => page.isAccepted('it is right')).toThrow(Inconclusive)
  expect(() => page.isRefused('it is wrong')).toThrow(Inconclusive)
  expect(() => first(sampleExchange({ body: '' })).isAccepted('it is right')).toThrow(
    "sample/1 was answered with an empty body (200), which is not the bank's answer",
  )
})

test('a header that stands more than once is read as one list', () => {
  const headers = [
    ['WWW-Authenticate', 'Basic realm="a"'],
    ['www-authenticate', 'Bearer'],
  ] as const
  expect(first(sampleExchange({ headers })).header('WWW-Authenticate').value).toBe('Basic realm="a", Bearer')
})

test('a redirect result without an answer is inconclusive, whatever is asked of it', () => {
  const lost = observe(
    redirectResult({ outcome: 'fault', exchange: sampleExchange({ fault: TIMED_OUT }) }),
    new UsedExchanges(),
  )
  expect(() => lost.code).toThrow(Inconclusive)
  expect(() => lost.isRefused('it is wrong')).toThrow(Inconclusive)
})

test('plain data passes through, at any depth', () => {
  const at = new Date(0)
  const record = { list: [sampleExchange()], at, count: 3, none: undefined, text: 'x' }
  const seen = observe(record, new UsedExchanges())
  expect(seen.at).toBe(at)
  expect(seen.count).toBe(3)
  expect(seen.none).toBeUndefined()
  expect(seen.list[0]?.status.value).toBe(200)
})

test('a record that was stored as JSON is judged like the one that was seen', () => {
  const record = { answer: sampleExchange(), redirectResult: redirectResult() }
  const stored = observe(JSON.parse(JSON.stringify(record)) as typeof record, new UsedExchanges())
  expect(stored.answer.body.field('access_token').value).toBe('t0ken')
  expect(stored.redirectResult.parameter('code').value).toBe('c0de')
})

const AUTHORIZATION = 'Basic Y2xpZW50OnMzY3JldCZ4'

test.each([
  ['body', { body: '{"received":"s3cret&x"}' }],
  ['body', { body: '<p>s3cret&amp;x</p>' }],
  ['body', { body: 'secret=s3cret%26x' }],
  ['body', { body: Buffer.from('s3cret&x').toString('base64') }],
  ['header X-Received', { headers: [['X-Received', 's3cret&x']] as const }],
])('a secret in the %s is found in any encoding', (place, parts) => {
  const answer = first(sampleExchange(parts))
  expect(() => answer.hides('s3cret&x', 'the secret that was sent')).toThrow(
    `${place}: expected nothing of the secret that was sent; received the secret that was sent`,
  )
})

test('an answer without the secret hides it, whatever the request carried', () => {
  const { request, ...answer } = sampleExchange()
  const sent = { ...answer, request: { ...request, headers: [['Authorization', AUTHORIZATION]] as const } }
  const used = new UsedExchanges()
  observe(sent, used).hides('s3cret&x', 'the secret that was sent')
  expect([...used]).toEqual(['sample/1'])
})

test('the shape of a body has its names and types, and none of its values', () => {
  const body = '{"account":{"iban":"SK29","closed":false},"items":[{"amount":7}],"none":[],"note":null}'
  expect(first(sampleExchange({ body })).body.shape).toBe(
    '{account: {iban: string, closed: boolean}, items: [{amount: number}], none: [], note: null}',
  )
})

test('a redirect gives the names of its query as often as they stand there, and what is in its fragment', () => {
  const redirect = 'https://app.example/callback?state=1&x=2&state=3#access_token=t0ken'
  const seen = observe(redirectResult({ redirect, decision: 'denied' }), new UsedExchanges())
  expect(seen.names).toEqual(['state', 'x', 'state'])
  expect(seen.fragment('access_token').value).toBe('t0ken')
  expect(seen.fragment('x').value).toBeUndefined()
  expect(seen.decision).toBe('denied')
})
