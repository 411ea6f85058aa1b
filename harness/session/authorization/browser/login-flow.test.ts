import { expect, test, vi } from 'vitest'
import { answerForPage, redirectForPage, trackActivity } from './login-flow.ts'
import { sampleExchange } from '../../../testing/samples/exchange.ts'
import type { Exchange, HeaderFields } from '../../../evidence/exchange.ts'

const answered = (headers: HeaderFields, body = ''): Exchange => {
  const exchange = sampleExchange({ body })
  if (exchange.response === undefined) throw new Error('the sample has a response')
  return { ...exchange, response: { ...exchange.response, headers } }
}

test('a page gets the whole body, and nothing that was true of the wire alone', () => {
  const exchange = answered(
    [
      ['Content-Type', 'text/html; charset=windows-1250'],
      ['Content-Encoding', 'gzip'],
      ['Content-Length', '7'],
      ['Transfer-Encoding', 'chunked'],
    ],
    'the head',
  )
  const bytes = Buffer.from([0xe8, 0x65])
  expect(answerForPage(exchange, bytes)).toEqual({
    status: 200,
    headers: { 'content-type': 'text/html; charset=windows-1250' },
    body: bytes,
  })
  expect(answerForPage(exchange, undefined).body.toString()).toBe('the head')
})

test('each cookie has a line of its own, and other fields are joined', () => {
  const exchange = answered([
    ['Set-Cookie', 'a=1; Path=/'],
    ['Vary', 'Origin'],
    ['set-cookie', 'b=2'],
    ['vary', 'Cookie'],
  ])
  expect(answerForPage(exchange, undefined).headers).toEqual({
    'set-cookie': 'a=1; Path=/\nb=2',
    vary: 'Origin, Cookie',
  })
})

test('a redirect is a page that goes there, with its cookies and without a way out of its script', () => {
  const exchange = answered([
    ['Location', '/elsewhere'],
    ['Set-Cookie', 'a=1'],
    ['Content-Security-Policy', "default-src 'none'"],
  ])
  const page = redirectForPage(exchange, 'https://bank.example/?x=</script>')
  expect(page.status).toBe(200)
  expect(page.headers).toEqual({ 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'a=1' })
  expect(page.body.toString()).toContain('location.replace("https://bank.example/?x=\\u003c/script>")')
})

const restOf = (activity: ReturnType<typeof trackActivity>, ms: number) => {
  const seen = { isOver: false }
  void activity.rests(ms).then(() => (seen.isOver = true))
  return seen
}

test('rest is told of once nothing has been under way for so long, and no earlier', async () => {
  vi.useFakeTimers()
  try {
    const activity = trackActivity()
    const first = activity.begins()
    const rest = restOf(activity, 100)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
    first()
    await vi.advanceTimersByTimeAsync(99)
    const second = activity.begins()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
    second()
    await vi.advanceTimersByTimeAsync(100)
    expect(rest.isOver).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('what is told to be over twice is over once', async () => {
  vi.useFakeTimers()
  try {
    const activity = trackActivity()
    const first = activity.begins()
    activity.begins()
    first()
    first()
    const rest = restOf(activity, 0)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rest.isOver).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
