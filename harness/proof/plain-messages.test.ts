import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainHeaders } from './plain-headers.ts'
import { PlainRequest, PlainResponse, withPlainMessages } from './plain-messages.ts'

/** Plain messages are looked at beside those of the platform: both have to show the same. */

const name = fc.constantFrom('accept', 'Content-Type', 'COOKIE', 'set-cookie', 'X-Request-ID', 'x y', '')
const value = fc.constantFrom(
  '',
  'a',
  ' b\t',
  'text/html; charset=UTF-8',
  'a=1; Path=/',
  'ÿ',
  'č',
  'c\r\nd',
  '\u0000',
)
const fields = fc.array(fc.tuple(name, value), { maxLength: 5 })
const text = fc.constantFrom('', 'a=b&c=%20', '{"name":"Žofia"}', '\ufeffmarked', 'half \ud800', '€ 😀')

/** What it came to, with the kind of error in the place of its words. */
const outcome = async (act: () => unknown): Promise<unknown> => {
  try {
    return await act()
  } catch (error) {
    return { error: (error as Error).name }
  }
}

const withBoth = async (act: (kit: typeof PLATFORM) => unknown): Promise<void> => {
  const [platform, plain] = await Promise.all([outcome(() => act(PLATFORM)), outcome(() => act(PLAIN))])
  expect(plain).toEqual(platform)
}

/** A server that was started in this process before has put its lighter heir in the place of a class. */
const itself = <Class extends object>(heir: Class): Class => {
  const parent = Object.getPrototypeOf(heir) as Class
  return parent === Function.prototype ? heir : parent
}

const PLATFORM = { Headers, Request: itself(Request), Response: itself(Response) }
const PLAIN = {
  Headers: PlainHeaders,
  Request: PlainRequest,
  Response: PlainResponse,
} as unknown as typeof PLATFORM

const messageOf = async (message: Request | Response) => {
  const { headers } = message
  const copy = message.clone()
  const before = message.bodyUsed
  const body = await message.text()
  return {
    body,
    before,
    after: message.bodyUsed,
    again: await outcome(() => message.text()),
    fields: [...headers],
    copy: await copy.text(),
  }
}

test('headers are kept, joined, sorted and refused alike', () =>
  fc.assert(
    fc.asyncProperty(fields, name, value, (given, other, text) =>
      withBoth(({ Headers }) => {
        const headers = new Headers(given)
        const had = headers.get(other)
        headers.set(other, text)
        const set = [...headers]
        headers.append(other, 'more')
        const all = [...headers.entries()]
        headers.delete(other)
        return {
          had,
          set,
          all,
          left: [...headers.keys()],
          cookies: headers.getSetCookie(),
          has: headers.has(other),
        }
      }),
    ),
    { numRuns: 500 },
  ))

test.each(['POST', 'post', 'PUT', 'patch', 'DELETE', 'GET', 'TRACE', 'a b'])(
  'a request by %s is alike, and so is one made of it',
  (method) =>
    fc.assert(
      fc.asyncProperty(fields, fc.option(text), (headers, body) =>
        withBoth(async ({ Request, Headers }) => {
          const request = new Request('http://bank.example/a/../b?c=d e', {
            method,
            headers,
            body,
            redirect: 'manual',
          })
          const named = new Headers(request.headers)
          named.set('x-extra', 'e')
          const readdressed = new Request(new URL('/there', request.url), request.clone())
          const other = new Request(request.clone(), { headers: named })
          return {
            ...{ method: request.method, url: request.url, hasBody: request.body !== null },
            message: await messageOf(request),
            readdressed: [readdressed.method, readdressed.url, await messageOf(readdressed)],
            other: [other.method, other.url, await messageOf(other)],
          }
        }),
      ),
    ),
)

test('an answer is alike, and so is one made of its body', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(200, 204, 302, 404), fields, fc.option(text), (status, headers, body) =>
      withBoth(async ({ Response }) => {
        const response = new Response(body, { status, headers })
        const passed = new Response(response.clone().body, { status: 400, headers: response.headers })
        return {
          ...{ status: response.status, ok: response.ok, hasBody: response.body !== null },
          message: await messageOf(response),
          passed: [passed.status, await messageOf(passed)],
        }
      }),
    ),
    { numRuns: 300 },
  ))

test.each<[string, (kit: typeof PLATFORM) => unknown]>([
  [
    'JSON as an answer',
    ({ Response }) => messageOf(Response.json({ a: ['ž'] }, { status: 401, headers: { a: 'b' } })),
  ],
  ['a status that is too low', ({ Response }) => new Response(null, { status: 199 })],
  ['a status that is too high', ({ Response }) => new Response(null, { status: 600 })],
  ['a redirect', ({ Response }) => messageOf(Response.redirect('http://bank.example/x y', 303))],
  [
    'a form',
    ({ Request }) =>
      messageOf(
        new Request('http://bank.example', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }),
      ),
  ],
  ['bytes', async ({ Response }) => new Uint8Array(await new Response(new Uint8Array([1, 2])).arrayBuffer())],
  ['the JSON of a body', ({ Response }) => new Response('{"a":1}').json()],
  ['a body that is no JSON', ({ Response }) => new Response('a').json()],
  ['an address with credentials', ({ Request }) => new Request('http://a:b@bank.example/')],
  ['no address', ({ Request }) => new Request('/nowhere')],
  [
    'a copy of what was read',
    async ({ Response }) => {
      const response = new Response('a')
      await response.text()
      return response.clone()
    },
  ],
  [
    'the pieces of a body',
    async ({ Request }) => {
      const pieces: string[] = []
      const { body } = new Request('http://bank.example', { method: 'POST', body: 'a' })
      for await (const piece of body ?? []) pieces.push(Buffer.from(piece as Uint8Array).toString())
      return pieces.join('')
    },
  ],
])('%s is alike', async (_, act) => {
  expect.hasAssertions()
  await withBoth(act)
})

test('the platform has its own again when the last of those who wanted plain messages has ended', async () => {
  const before = { Headers, Request, Response }
  const during = await withPlainMessages(() =>
    withPlainMessages(async () => [Headers, Request, Response] as unknown[]),
  )
  expect(during).toEqual([PlainHeaders, PlainRequest, PlainResponse])
  expect({ Headers, Request, Response }).toEqual(before)
})

test('headers and their copies are changed apart from one another', () =>
  fc.assert(
    fc.asyncProperty(fields, name, value, (given, other, text) =>
      withBoth(({ Headers }) => {
        const first = new Headers(given)
        const second = new Headers(first)
        const third = new Headers(second)
        const before = [...second]
        second.append(other, text)
        first.set(other, 'first')
        third.delete(other)
        return [before, [...first], [...second], [...third], [...new Headers(second)]]
      }),
    ),
  ))

test('headers tell whether somebody has changed a copy of them', () => {
  const headers = new PlainHeaders([['accept', 'text/html']])
  const [copy, other] = [new PlainHeaders(headers), new PlainHeaders(headers)]
  expect([copy.isStill(headers), headers.isStill(copy)]).toEqual([true, true])
  copy.set('accept', 'text/html')
  expect([copy.isStill(headers), other.isStill(headers), other.isStill([])]).toEqual([false, true, false])
  headers.delete('accept')
  expect([other.isStill(headers), other.get('accept')]).toEqual([false, 'text/html'])
})

test('a copy of a message names no media type that the message does not name', () =>
  withBoth(({ Request, Response }) => {
    const request = new Request('https://bank.example/', { method: 'POST', body: 'a' })
    const response = new Response('b')
    request.headers.delete('content-type')
    response.headers.delete('content-type')
    return [[...request.clone().headers], [...response.clone().headers]]
  }))
