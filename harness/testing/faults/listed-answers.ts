import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as responses from './fault-responses.ts'
import { MIB, headOf } from './fault-responses.ts'
import type { Respond } from './raw-server.ts'

/** Faulty answers by their titles, for the list of all faults. */

type Answers = Readonly<Record<string, Respond>>

const JSON_TYPE = { 'content-type': 'application/json' }

/** Exactly these bytes. */
const raw =
  (text: string): Respond =>
  (socket) =>
    void socket.write(Buffer.from(text, 'latin1'))

/** These bytes, and the end of the connection. */
const rawThenEnd =
  (text: string): Respond =>
  (socket) =>
    void socket.end(Buffer.from(text, 'latin1'))

/** These bytes, and then a reset once they are sent. */
const rawThenReset =
  (text: string): Respond =>
  (socket) =>
    void socket.write(Buffer.from(text, 'latin1'), () => socket.resetAndDestroy())

const OK_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const BODY = '{"consentId":"c-1"}'

export const FRAMING = {
  'a chunk size that is no number': raw(
    `${OK_HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n${BODY}\r\n0\r\n\r\n`,
  ),
  'a chunk size beyond all bounds': raw(
    `${OK_HEAD}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n${BODY}`,
  ),
  'chunks without the last one': rawThenEnd(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n13\r\n${BODY}\r\n`),
  'content-length and chunks': raw(
    `${OK_HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n13\r\n${BODY}\r\n0\r\n\r\n`,
  ),
  'two different content-lengths': raw(`${OK_HEAD}content-length: 19\r\ncontent-length: 5\r\n\r\n${BODY}`),
  'a negative content-length': raw(`${OK_HEAD}content-length: -1\r\n\r\n${BODY}`),
  'a content-length that is no number': raw(`${OK_HEAD}content-length: nineteen\r\n\r\n${BODY}`),
  'more bytes than the content-length': raw(`${OK_HEAD}content-length: 5\r\n\r\n${BODY}`),
  'a header without a colon': raw(`${OK_HEAD}no colon here\r\ncontent-length: 19\r\n\r\n${BODY}`),
  'a NUL in a header': raw(`${OK_HEAD}x-nul: a\0b\r\ncontent-length: 19\r\n\r\n${BODY}`),
  'a status with two digits': raw(`HTTP/1.1 99 Odd\r\ncontent-length: 0\r\n\r\n`),
  'a status with four digits': raw(`HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n`),
  'a status of 600': raw(`HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n`),
  'an HTTP/0.9 answer': rawThenEnd(BODY),
  'a version that does not exist': raw(`HTTP/9.9 200 OK\r\ncontent-length: 19\r\n\r\n${BODY}`),
  'the preface of HTTP/2': rawThenEnd('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'the greeting of SSH': rawThenEnd('SSH-2.0-OpenSSH_9.6\r\n'),
  'an alert of TLS': rawThenEnd('\x15\x03\x01\x00\x02\x02\x28'),
  'interim answers without end': (socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => setImmediate(more))
    }
    more()
  },
  'a 100 (Continue) that nobody asked for': raw(
    `HTTP/1.1 100 Continue\r\n\r\n${OK_HEAD}content-length: 19\r\n\r\n${BODY}`,
  ),
  'a cookie in a trailer': raw(
    `${OK_HEAD}transfer-encoding: chunked\r\n\r\n13\r\n${BODY}\r\n0\r\nSet-Cookie: a=b\r\n\r\n`,
  ),
  'a content-length in a trailer': raw(
    `${OK_HEAD}transfer-encoding: chunked\r\n\r\n13\r\n${BODY}\r\n0\r\nContent-Length: 19\r\n\r\n`,
  ),
  'an unknown content-encoding': responses.answer(200, BODY, { ...JSON_TYPE, 'content-encoding': 'zork' }),
  'a corrupt brotli stream': responses.answer(200, brotliCompressSync(BODY).subarray(0, 6), {
    ...JSON_TYPE,
    'content-encoding': 'br',
  }),
  'gzip within gzip, declared once': responses.answer(200, gzipSync(gzipSync(BODY)), {
    ...JSON_TYPE,
    'content-encoding': 'gzip',
  }),
  'status 304 to every call': responses.emptyBody(304),
  'status 204 to every call': responses.emptyBody(204),
} as const satisfies Answers

export const SLOW: Answers = {
  'headers a byte at a time': (socket) => {
    const bytes = headOf(200, { ...JSON_TYPE, 'x-slow': 'x'.repeat(10_000) })
    let at = 0
    const timer = setInterval(() => socket.write(bytes[at++] ?? ''), 20)
    socket.on('close', () => clearInterval(timer))
  },
  'a status line and no more': raw('HTTP/1.1 200 OK\r\n'),
  'chunks of one byte without end': (socket) => {
    socket.write(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n`)
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
}

export const RESETS: Answers = {
  'after half a status line': rawThenReset('HTTP/1.1 2'),
  'after the status line': rawThenReset('HTTP/1.1 200 OK\r\n'),
  'in the middle of the headers': rawThenReset(`${OK_HEAD}x-cut: `),
  'after the headers': rawThenReset(`${OK_HEAD}content-length: 19\r\n\r\n`),
  'in the middle of the body': rawThenReset(`${OK_HEAD}content-length: 19\r\n\r\n{"conse`),
  'in the middle of a chunk': rawThenReset(`${OK_HEAD}transfer-encoding: chunked\r\n\r\n13\r\n{"conse`),
}

const withType = (type: string, body: string | Buffer, status = 200): Respond =>
  responses.answer(status, body, { 'content-type': type })

const redirect = (location: string, status = 302): Respond => responses.answer(status, '', { location })

export const PAGES: Answers = {
  'a page with 400': responses.html(400),
  'a page with 401': responses.html(401),
  'a page with 403, as of a firewall': responses.html(403),
  'a page with 404, as of a router': responses.html(404),
  'a page with 405': responses.html(405),
  'a page with 413': responses.html(413),
  'a page with 500': responses.html(500),
  'a page with 502': responses.html(502),
  'a page with 503': responses.html(503),
  'a page with 504': responses.html(504),
  'a page with 200': responses.html(200),
  'a page with 200, declared as JSON': withType('application/json', '<html><body>Please wait</body></html>'),
  'nothing with 502': responses.emptyBody(502),
  'nothing with 504': responses.emptyBody(504),
  'nothing with 200': responses.emptyBody(200),
  'JSON of a gateway with 403': responses.json(403, { message: 'Forbidden' }),
  'JSON of a gateway with 404': responses.json(404, { message: 'no Route matched with those values' }),
  'a login portal with 200': responses.loginForm('https://portal.example/login'),
  'a redirect to a login portal (302)': redirect('https://portal.example/login'),
  'a challenge of a bot protection': withType(
    'text/html',
    '<html><head><meta http-equiv="refresh" content="5"></head><body><script>challenge()</script></body></html>',
    403,
  ),
}

export const THROTTLING: Answers = {
  '429 without Retry-After': responses.json(429, { errorCode: 'TOO_MANY_REQUESTS' }),
  '429 with Retry-After 0': responses.json(429, {}, { 'retry-after': 0 }),
  '429 with Retry-After 1': responses.json(429, {}, { 'retry-after': 1 }),
  '429 with a Retry-After of a year': responses.json(429, {}, { 'retry-after': 31_536_000 }),
  '429 with a negative Retry-After': responses.json(429, {}, { 'retry-after': -5 }),
  '429 with a Retry-After that is no time': responses.json(429, {}, { 'retry-after': 'soon' }),
  '429 with a Retry-After in the past': responses.json(
    429,
    {},
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ),
  '503 with Retry-After 1': responses.json(503, {}, { 'retry-after': 1 }),
}

export const BODIES: Answers = {
  'JSON cut off': responses.brokenJson,
  'JSON with a BOM before it': withType('application/json', `\ufeff${BODY}`),
  'JSON in UTF-16': withType('application/json', Buffer.from(BODY, 'utf16le')),
  'bytes that are not UTF-8': withType('application/json', Buffer.from('{"consentId":"\xff\xfe"}', 'latin1')),
  'a NUL within JSON': withType('application/json', '{"consentId":"c\0"}'),
  'two JSON texts': withType('application/json', `${BODY}${BODY}`),
  'JSON after a guard': withType('application/json', `)]}',\n${BODY}`),
  'JavaScript instead of JSON': withType('application/json', "{consentId:'c-1'}"),
  'XML instead of JSON': withType('application/xml', '<consent><consentId>c-1</consentId></consent>'),
  'plain text instead of JSON': withType('text/plain', 'OK'),
  'a list instead of an object': withType('application/json', `[${BODY}]`),
  'null instead of an object': withType('application/json', 'null'),
  'a number instead of an object': withType('application/json', '1e999'),
  '100,000 levels of nesting': responses.deepJson,
  'a member named __proto__': withType('application/json', '{"__proto__":{"consentId":"c-1"}}'),
  'a million members': withType(
    'application/json',
    `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
  ),
  'ten mebibytes of JSON': responses.tenMebibytes,
  'a number of a mebibyte': withType('application/json', `{"consentId":${'9'.repeat(MIB)}}`),
}

export const REDIRECTS: Answers = {
  'to itself': responses.redirectToItself,
  'to another path without end': (socket, call) => redirect(`/a/${call.number}`)(socket, call),
  'to another origin': redirect('https://elsewhere.example/'),
  'to another origin, 308': redirect('https://elsewhere.example/', 308),
  'to production': redirect('/premium/production/v1/accounts', 307),
  'to an address with credentials': redirect('http://user:secret@127.0.0.1/'),
  'to a file': redirect('file:///etc/passwd'),
  'to a script': redirect('javascript:alert(1)'),
  'to data': redirect('data:text/html,hello'),
  'to nowhere, without Location': responses.answer(302),
  'with an empty Location': redirect(''),
  'with a Location that is no address': redirect('http://[::bad'),
  'with a Location of 60 kB': redirect(`/${'x'.repeat(60_000)}`),
  'to a port of this machine': redirect('http://127.0.0.1:1/'),
}
