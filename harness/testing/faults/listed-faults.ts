import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBank } from '../../bank/server.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { inDays, makePair, type Pair } from './authority.ts'
import * as responses from './fault-responses.ts'
import { BODIES, FRAMING, PAGES, REDIRECTS, RESETS, SLOW, THROTTLING } from './listed-answers.ts'
import { startRawServer, type RawServer, type Respond } from './raw-server.ts'
import { relayTo } from './relay.ts'
import { TARGET_FAULTS } from './servers.ts'
import type { TlsOptions } from 'node:tls'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'

/** All faults of `npm run faults`. */

/** A target, and what its profile needs in addition. */
interface StartedFault extends Pick<RawServer, 'url' | 'close'> {
  readonly profile?: Partial<ProfileInput>
}

export interface ListedFault {
  readonly group: string
  readonly title: string
  readonly start: () => Promise<StartedFault>
  /** What the command judges. */
  readonly only: readonly string[]
  readonly profile?: Partial<ProfileInput>
  /** The conclusions that are right. */
  readonly ends: readonly Report['conclusion'][]
  /** Part of the cause, if the run does not end with `conforms`. */
  readonly cause?: RegExp
  /** The bank itself answers so: a violation is right. */
  readonly isOfBank?: true
  /** The run must end by itself in this time, long before its deadline. */
  readonly mostSeconds?: number
}

const CONSENTS = ['CON-01', 'CON-04']
/** Requirements that read what an intermediary can replace, in each chapter. */
const READING = ['CON-01', 'CON-21', 'TOK-01', 'TRX-01', 'TRX-42', 'PAY-09', 'LOA-36', 'LOA-41', 'LOA-52']

const { testHooks = {} } = referenceProfile()

/** The reference bank, whose n-th answers are replaced; its test hooks answer. */
const bankExcept = async (failsAt: (n: number) => boolean, respond: Respond) => {
  const bank = await startBank()
  const relay = relayTo(bank)
  let n = 0
  const server = await startRawServer((socket, call) => {
    if (call.path.startsWith('/_test-hooks')) return relay(socket, call)
    n += 1
    return (failsAt(n) ? respond : relay)(socket, call)
  })
  return { url: server.url, close: () => Promise.all([server.close(), bank.close()]).then(() => undefined) }
}

const named = (
  answers: Readonly<Record<string, Respond>>,
  make: (title: string, respond: Respond) => ListedFault,
) => Object.entries(answers).map(([title, respond]) => make(title, respond))

/** Every call gets the answer. */
const toEveryCall =
  (group: string, cause: RegExp) =>
  (title: string, respond: Respond): ListedFault => ({
    group,
    title,
    start: () => startRawServer(respond),
    only: CONSENTS,
    profile: { deadlines: { requestMs: 1_000 } },
    ends: ['incomplete', 'unreachable'],
    cause,
  })

/** Soon after the first contact every call gets the answer; the test hooks of the bank answer on. */
const toWholeChapter =
  (group: string, cause: RegExp) =>
  (title: string, respond: Respond): ListedFault => ({
    group,
    title,
    start: () => bankExcept((n) => n > 3, respond),
    only: ['accounts'],
    profile: { testHooks, deadlines: { requestMs: 2_000 } },
    ends: ['incomplete'],
    cause,
    mostSeconds: 90,
  })

/** Every fifth call gets the answer, and the bank gives the others. */
const toEveryFifthCall =
  (group: string, causeOf: (title: string) => RegExp) =>
  (title: string, respond: Respond): ListedFault => ({
    group,
    title,
    start: () => bankExcept((n) => n % 5 === 0, respond),
    only: READING,
    profile: { testHooks, deadlines: { requestMs: 5_000, runMs: 60_000 } },
    ends: ['conforms', 'incomplete'],
    cause: causeOf(title),
  })

/** A success that is no answer to the request: the bank is wrong, except where the limit is that of this program. */
const bodyFault = (title: string, respond: Respond): ListedFault =>
  respond === responses.deepJson
    ? toEveryFifthCall('bodies of one answer in five', () => /nested deeper than 100 levels/)(title, respond)
    : {
        ...toEveryFifthCall('bodies of one answer in five', () => /\w/)(title, respond),
        ends: ['conforms', 'incomplete', 'nonconforming'],
        isOfBank: true,
      }

/** The status that the title has. */
const statusIn = (title: string): RegExp =>
  new RegExp(String.raw`(\(|answered )${/\d{3}/.exec(title)?.[0] ?? '403'}\b`)

const pageFault = toEveryFifthCall('pages for one answer in five', statusIn)

const OF_ALL_CALLS =
  /^(a page with (401|403|500)|nothing with 200|JSON .* 403|a (login|redirect)|429 without)/

/** Every call after the first contact gets the answer: neither a key of the profile nor the bank is the cause. */
const toWholeRun = (title: string, respond: Respond): ListedFault => ({
  group: 'one answer to all calls',
  title,
  start: () => bankExcept(() => true, respond),
  only: ['AUT-01', 'CON-04', 'CON-10', 'TOK-01'],
  profile: { testHooks, deadlines: { requestMs: 5_000 } },
  ends: ['incomplete'],
  cause: /so that none shows a key of the profile or the bank|not sent: 5 requests|cannot be reached/,
  mostSeconds: 45,
})

/** What the command says of each. */
const FRAMING_CAUSES: Readonly<Record<keyof typeof FRAMING, RegExp>> = {
  'a chunk size that is no number': /Invalid character in chunk size/,
  'a chunk size beyond all bounds': /DEADLINE, after the status 200|Chunk size overflow/,
  'chunks without the last one': /closed before the answer was whole \(.*after the status 200\)/,
  'content-length and chunks': /does not match content-length|Content-Length/,
  'two different content-lengths': /does not match content-length|Content-Length/,
  'a negative content-length': /Invalid character in Content-Length/,
  'a content-length that is no number': /Invalid character in Content-Length/,
  'more bytes than the content-length': /is not JSON: Unterminated string/,
  'a header without a colon': /Invalid header token/,
  'a NUL in a header': /Invalid header value char/,
  'a status with two digits': /Invalid status code/,
  'a status with four digits': /Invalid response status/,
  'a status of 600': /server error \(600\)/,
  'an HTTP/0.9 answer': /Expected HTTP\//,
  'a version that does not exist': /Invalid HTTP version/,
  'the preface of HTTP/2': /Expected HTTP\//,
  'the greeting of SSH': /Expected HTTP\//,
  'an alert of TLS': /Expected HTTP\//,
  'interim answers without end': /DEADLINE, after the status 102/,
  'a 100 (Continue) that nobody asked for': /\w/,
  'a cookie in a trailer': /\w/,
  'a content-length in a trailer': /Content-Length can't be present/,
  'an unknown content-encoding': /is not JSON/,
  'a corrupt brotli stream': /coding of the answer cannot be undone/,
  'gzip within gzip, declared once': /is not JSON/,
  'status 304 to every call': /a redirect \(304\)/,
  'status 204 to every call': /is not JSON: its body is empty/,
}

/** What a client must read (RFC 9110), and a coding that is not known: most clients ignore it, and a text that is JSON is JSON. */
const READABLE = [
  'a 100 (Continue) that nobody asked for',
  'a cookie in a trailer',
  'an unknown content-encoding',
]

const framingFault = ([title, cause]: readonly [string, RegExp], respond: Respond): ListedFault =>
  READABLE.includes(title)
    ? { ...toEveryCall('HTTP framing', cause)(title, respond), ends: ['conforms'] }
    : toEveryCall('HTTP framing', cause)(title, respond)

const framingFaults = (): readonly ListedFault[] => {
  const answers: Readonly<Record<string, Respond>> = FRAMING
  return Object.entries(FRAMING_CAUSES).flatMap(([title, cause]) => {
    const respond = answers[title]
    return respond === undefined ? [] : [framingFault([title, cause], respond)]
  })
}

interface TlsFault {
  readonly options: (authority: Pair) => TlsOptions | Promise<TlsOptions>
  readonly cause: RegExp
  /** Whether the profile trusts the authority: otherwise no certificate of it is valid. */
  readonly isTrusted?: boolean
}

/** A server with a certificate of a private authority, which the profile trusts: only one thing is wrong. */
const tlsFault = (title: string, { options, cause, isTrusted = true }: TlsFault): ListedFault => ({
  group: 'TLS',
  title,
  async start() {
    const authority = await makePair({ name: 'Private Authority', isAuthority: true })
    const folder = mkdtempSync(join(tmpdir(), 'authority-'))
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, authority.cert)
    const server = await startRawServer(responses.unauthorized, await options(authority))
    return {
      url: server.url,
      async close() {
        await server.close()
        rmSync(folder, { recursive: true })
      },
      ...(isTrusted && { profile: { connection: { ca } } }),
    }
  },
  only: CONSENTS,
  ends: ['unreachable'],
  cause,
})

const TLS: readonly ListedFault[] = [
  tlsFault('a certificate that has expired', {
    options: (issuer) => makePair({ issuer, from: inDays(-900), until: inDays(-500) }),
    cause: /CERT_HAS_EXPIRED/,
  }),
  tlsFault('a certificate that is not yet valid', {
    options: (issuer) => makePair({ issuer, from: inDays(500), until: inDays(900) }),
    cause: /CERT_NOT_YET_VALID/,
  }),
  tlsFault('a certificate for another name', {
    options: (issuer) => makePair({ issuer, name: 'other.example' }),
    cause: /ERR_TLS_CERT_ALTNAME_INVALID/,
  }),
  tlsFault('a certificate of an unknown authority', {
    options: (issuer) => makePair({ issuer }),
    cause: /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    isTrusted: false,
  }),
  tlsFault('only TLS 1.1', {
    options: async (issuer) => ({
      ...(await makePair({ issuer })),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
    cause: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
  }),
  tlsFault('a client certificate is required', {
    options: async (issuer) => ({
      ...(await makePair({ issuer })),
      requestCert: true,
      rejectUnauthorized: true,
    }),
    cause: /client certificate|CERTIFICATE_REQUIRED/,
  }),
  {
    group: 'TLS',
    title: 'a handshake without an answer',
    start: async () => {
      const server = await startRawServer(responses.silence)
      return { url: server.url.replace('http:', 'https:'), close: () => server.close() }
    },
    only: CONSENTS,
    profile: { deadlines: { requestMs: 1_000 } },
    ends: ['unreachable'],
    cause: /deadline|TLS/,
  },
]

/** Consents alone ask one operation, so that no other answers show that all are alike. */
const OF_ONE_OPERATION: Readonly<Record<string, RegExp>> = {
  'sends JSON of 100,000 levels': /is not JSON: JSON nested deeper than 100 levels/,
  'answers every call with a page and 200': /is not JSON: it is an HTML page/,
  'answers every call with an empty body and 200': /is not JSON: its body is empty/,
  'answers every call with 503 and a page': /was answered with a server error \(503\)/,
}

const FIRST_FAULTS: readonly ListedFault[] = TARGET_FAULTS.map(({ title, start, ends, cause, cost }) => ({
  group: 'transport and bodies',
  title,
  start,
  only: CONSENTS,
  profile: { deadlines: { requestMs: cost === 'hangs' ? 500 : 30_000 } },
  ends: [ends],
  cause: OF_ONE_OPERATION[title] ?? cause,
}))

/** The reference bank, whose page of an authorization is replaced: the first one of all, or each. */
const replacedPage = (count: number, respond: Respond) => async () => {
  const bank = await startBank()
  const relay = relayTo(bank)
  let n = 0
  const server = await startRawServer((socket, call) => {
    const isPage = call.method === 'GET' && call.path.includes('response_type=')
    if (isPage) n += 1
    return (isPage && n <= count ? respond : relay)(socket, call)
  })
  return { url: server.url, close: () => Promise.all([server.close(), bank.close()]).then(() => undefined) }
}

const AUTHORIZATION_PAGES: Readonly<Record<string, Respond>> = {
  'a page with 403, as of a firewall': responses.html(403),
  'a page with 503': responses.html(503),
  'a page with 200': responses.html(200),
  'a redirect to a page of another origin': responses.redirectTo('https://maintenance.example/'),
}

const authorizationFault =
  (count: number, ends: ListedFault['ends']) =>
  (title: string, respond: Respond): ListedFault => ({
    group: count === 1 ? 'the first page of an authorization' : 'each page of an authorization',
    title,
    start: replacedPage(count, respond),
    only: ['PAY-09', 'AUT-01', 'CON-10'],
    profile: { testHooks },
    ends,
    cause: /\(403|answered 403|server error \(503, page\)|\(200\) on a page that the recipe does not know/,
    ...(count > 1 && { isOfBank: true }),
  })

/** What another sender than the bank sends to the webhook sink, as raw bytes. */
type Attack = (sink: URL, send: (text: string) => void) => void

const delivery =
  (body: string, head = ''): Attack =>
  (sink, send) =>
    send(
      `POST ${sink.pathname} HTTP/1.1\r\nhost: ${sink.host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${head}\r\n${body}`,
    )

const FORGED = JSON.stringify({ event: 'TRANSACTION', consentId: 'forged', taskStatus: 'FINISHED' })

const ATTACKS: Readonly<Record<string, Attack>> = {
  'a forged event': delivery(FORGED),
  'a body that is not JSON': delivery('{'),
  '100,000 levels of nesting': delivery('['.repeat(100_000) + ']'.repeat(100_000)),
  'a body of 20 MiB': delivery(JSON.stringify({ filling: 'x'.repeat(20 * responses.MIB) })),
  'a thousand deliveries': (sink, send) => {
    for (let at = 0; at < 1_000; at += 1) delivery(FORGED)(sink, send)
  },
  'a member named __proto__': delivery('{"__proto__":{"consentId":"x"}}'),
  'other methods': (sink, send) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'TRACE'])
      send(`${method} ${sink.pathname} HTTP/1.1\r\nhost: ${sink.host}\r\ncontent-length: 0\r\n\r\n`)
  },
  'a path with dots': (sink, send) =>
    send(
      `POST ${sink.pathname}/../../etc/passwd HTTP/1.1\r\nhost: ${sink.host}\r\ncontent-length: 2\r\n\r\n{}`,
    ),
  'headers without end': (sink, send) =>
    send(`POST ${sink.pathname} HTTP/1.1\r\nhost: ${sink.host}\r\n${'x-more: x\r\n'.repeat(50_000)}`),
  'half a body, and silence': (sink, send) =>
    send(`POST ${sink.pathname} HTTP/1.1\r\nhost: ${sink.host}\r\ncontent-length: 1000\r\n\r\n{"a":`),
  'bytes that are not HTTP': (_, send) => send('\x00\x01\x02\x03\r\n\r\n'),
  'text that controls a terminal': delivery(JSON.stringify({ event: '\u001b]0;owned\u0007\u202e' })),
}

/** A bank that works, and another sender that knows the addresses of the sink. */
const hostileSink = async (attack: Attack) => {
  const bank = await startBank()
  const relay = relayTo(bank)
  const server = await startRawServer((socket, call) => {
    relay(socket, call)
    const address = /"url":"(http[^"]+)"/.exec(call.body)?.[1]
    if (call.method !== 'PUT' || address === undefined) return
    const sink = new URL(address)
    if (sink.hostname !== '127.0.0.1') return
    const sender = connect(Number(sink.port), sink.hostname)
    sender.on('error', () => undefined)
    attack(sink, (text) => void sender.write(text))
  })
  return { url: server.url, close: () => Promise.all([server.close(), bank.close()]).then(() => undefined) }
}

const WEBHOOK_FAULTS: readonly ListedFault[] = Object.entries(ATTACKS).map(([title, attack]) => ({
  group: 'webhook calls that are not from the bank',
  title,
  start: () => hostileSink(attack),
  only: ['WEB-08', 'WEB-27'],
  profile: { testHooks },
  ends: ['conforms', 'incomplete'],
}))

export const LISTED_FAULTS: readonly ListedFault[] = [
  ...FIRST_FAULTS,
  ...TLS,
  ...framingFaults(),
  ...named(SLOW, toEveryCall('slow answers', /deadline/)),
  ...named(
    {
      'no answer at all': responses.silence,
      ...SLOW,
      '429 without Retry-After': responses.json(429, { errorCode: 'TOO_MANY_REQUESTS' }),
    },
    toWholeChapter('a chapter of a bank that stops to answer', /not sent|not started|deadline|429/),
  ),
  ...named(RESETS, toEveryCall('resets', /closed before/)),
  ...named(
    REDIRECTS,
    toEveryCall('redirects', /was answered with a redirect \(30[278]\)|UND_ERR_HEADERS_OVERFLOW/),
  ),
  ...named(
    RESETS,
    toEveryFifthCall('resets of one answer in five', () => /closed before/),
  ),
  ...named(PAGES, pageFault),
  ...named({ ...PAGES, ...THROTTLING }, toWholeRun).filter(({ title }) => OF_ALL_CALLS.test(title)),
  toWholeRun('JSON of another API with 200', responses.json(200, { service: 'stock', items: [] })),
  ...named(THROTTLING, toEveryFifthCall('throttling of one call in five', statusIn)),
  ...named(BODIES, bodyFault),
  ...named(AUTHORIZATION_PAGES, authorizationFault(1, ['conforms', 'incomplete'])),
  ...named(AUTHORIZATION_PAGES, authorizationFault(Infinity, ['incomplete', 'nonconforming'])),
  ...WEBHOOK_FAULTS,
]
