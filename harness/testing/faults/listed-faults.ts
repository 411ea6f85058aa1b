import { connect } from 'node:net'
import { startBank } from '../../bank/server.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import { inDays, makePair } from './authority.ts'
import * as responses from './fault-responses.ts'
import { BODIES, FRAMING, PAGES, REDIRECTS, RESETS, SLOW, THROTTLING } from './listed-answers.ts'
import { startRawServer, type RawServer, type Respond } from './raw-server.ts'
import { relayTo } from './relay.ts'
import { TARGET_FAULTS } from './servers.ts'
import type { TlsOptions } from 'node:tls'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Report } from '../../report/schema.ts'

/** All faults of `npm run faults`. */

export interface ListedFault {
  readonly group: string
  readonly title: string
  readonly start: () => Promise<Pick<RawServer, 'url' | 'close'>>
  /** What the command judges. */
  readonly only: readonly string[]
  readonly profile?: Partial<ProfileInput>
  /** The conclusions that are right. */
  readonly ends: readonly Report['conclusion'][]
  /** Part of a cause that is right; without it, the fault may have no effect. */
  readonly cause?: RegExp
}

const CONSENTS = ['CON-01', 'CON-04']
/** Requirements that read what an intermediary can replace, in each chapter. */
const READING = ['CON-01', 'CON-21', 'TOK-01', 'TRX-01', 'TRX-42', 'PAY-09', 'LOA-36', 'LOA-41', 'LOA-52']

const { testHooks = {} } = referenceProfile()

/** The reference bank, whose n-th answers are replaced; its test hooks answer. */
const bankExcept = async (isFaulty: (n: number) => boolean, respond: Respond) => {
  const bank = await startBank()
  const relay = relayTo(bank)
  let n = 0
  const server = await startRawServer((socket, call) => {
    if (call.path.startsWith('/_test-hooks')) return relay(socket, call)
    n += 1
    return (isFaulty(n) ? respond : relay)(socket, call)
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

/** Every fifth call gets the answer, and the bank gives the others. */
const toEveryFifthCall =
  (group: string) =>
  (title: string, respond: Respond): ListedFault => ({
    group,
    title,
    start: () => bankExcept((n) => n % 5 === 0, respond),
    only: READING,
    profile: { deadlines: { requestMs: 5_000, runMs: 60_000 } },
    ends: ['conforms', 'incomplete'],
  })

const tlsFault = (title: string, options: () => Promise<TlsOptions>, cause: RegExp): ListedFault => ({
  group: 'TLS',
  title,
  start: async () => startRawServer(responses.unauthorized, await options()),
  only: CONSENTS,
  ends: ['unreachable'],
  cause,
})

const signed = async (wanted: Parameters<typeof makePair>[0]): Promise<TlsOptions> => makePair(wanted)

const TLS: readonly ListedFault[] = [
  tlsFault(
    'a certificate that has expired',
    () => signed({ from: inDays(-20), until: inDays(-10) }),
    /TLS|expired|CERT/i,
  ),
  tlsFault(
    'a certificate that is not yet valid',
    () => signed({ from: inDays(5), until: inDays(10) }),
    /TLS|CERT/i,
  ),
  tlsFault('a certificate for another name', () => signed({ name: 'other.example' }), /TLS|CERT/i),
  tlsFault(
    'a certificate of an unknown authority',
    async () => signed({ issuer: await makePair({ name: 'Private Authority', isAuthority: true }) }),
    /TLS|CERT/i,
  ),
  tlsFault(
    'only TLS 1.1',
    async () => ({
      ...(await makePair()),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
    /TLS|SSL|CERT/i,
  ),
  tlsFault(
    'a client certificate is required',
    async () => ({ ...(await makePair()), requestCert: true, rejectUnauthorized: true }),
    /TLS|CERT/i,
  ),
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

const FIRST_FAULTS: readonly ListedFault[] = TARGET_FAULTS.map(({ title, start, ends, cause, cost }) => ({
  group: 'transport and bodies',
  title,
  start,
  only: CONSENTS,
  profile: { deadlines: { requestMs: cost === 'hangs' ? 500 : 30_000 } },
  ends: [ends],
  cause,
}))

/** What a stranger sends to the webhook sink, as raw bytes. */
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

/** A bank that works, and a stranger who knows the addresses of the sink. */
const hostileSink = async (attack: Attack) => {
  const bank = await startBank()
  const relay = relayTo(bank)
  const server = await startRawServer((socket, call) => {
    relay(socket, call)
    const address = /"url":"(http[^"]+)"/.exec(call.body)?.[1]
    if (call.method !== 'PUT' || address === undefined) return
    const sink = new URL(address)
    if (sink.hostname !== '127.0.0.1') return
    const stranger = connect(Number(sink.port), sink.hostname)
    stranger.on('error', () => undefined)
    attack(sink, (text) => void stranger.write(text))
  })
  return { url: server.url, close: () => Promise.all([server.close(), bank.close()]).then(() => undefined) }
}

const WEBHOOK_FAULTS: readonly ListedFault[] = Object.entries(ATTACKS).map(([title, attack]) => ({
  group: 'webhook deliveries of a stranger',
  title,
  start: () => hostileSink(attack),
  only: ['WEB-08', 'WEB-27'],
  profile: { testHooks },
  ends: ['conforms', 'incomplete'],
}))

const ANY = /\w/

export const LISTED_FAULTS: readonly ListedFault[] = [
  ...FIRST_FAULTS,
  ...TLS,
  ...named(FRAMING, toEveryCall('HTTP framing', ANY)),
  ...named(SLOW, toEveryCall('slow answers', /deadline/)),
  ...named(RESETS, toEveryCall('resets', /closed before/)),
  ...named(REDIRECTS, toEveryCall('redirects', ANY)),
  ...named(RESETS, toEveryFifthCall('resets of one answer in five')),
  ...named(PAGES, toEveryFifthCall('pages for one answer in five')),
  ...named(THROTTLING, toEveryFifthCall('throttling of one call in five')),
  ...named(BODIES, toEveryFifthCall('bodies of one answer in five')),
  ...WEBHOOK_FAULTS,
]
