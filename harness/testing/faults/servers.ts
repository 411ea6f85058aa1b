import { createServer } from 'node:http'
import getPort from 'get-port'
import { FIXTURE_CERTIFICATE, FIXTURE_KEY } from './self-signed-fixture.ts'
import { startRawServer } from './raw-server.ts'
import * as treat from './fault-responses.ts'
import type { AddressInfo } from 'node:net'
import type { RawServer, Treat } from './raw-server.ts'

/** Every way in which a target can be out of luck, each with what a run must make of it. */

export interface Misfortune {
  /** In words that follow "a target that". */
  readonly title: string
  readonly start: () => Promise<Pick<RawServer, 'url' | 'close'>>
  /** Where it is one, and not a matter of connections: how every call is treated. */
  readonly treatment?: Treat
  /** What the run comes to where the target is like this from the first call on. */
  readonly ends: 'unreachable' | 'incomplete'
  /** Stands in the reason of a verdict. */
  readonly cause: RegExp
  /** `hangs`: a deadline alone ends it. `heavy`: each call takes so much that a few must do. */
  readonly burden?: 'hangs' | 'heavy'
}

/** Whatever it is sent, a greeting of TLS too, it answers at once in plain text. */
const startPlainHttps = async (): Promise<Pick<RawServer, 'url' | 'close'>> => {
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, close: async () => void server.close() }
}

const NO_SERVER = async (): Promise<void> => undefined

/** A target that treats every call like that, the probe's too. */
const always = (
  title: string,
  treatment: Treat,
  outcome: Pick<Misfortune, 'ends' | 'cause' | 'burden'>,
): Misfortune => ({ title, treatment, start: () => startRawServer(treatment), ...outcome })

export const SELF_SIGNED = { key: FIXTURE_KEY, cert: FIXTURE_CERTIFICATE }

/** Nobody can be connected to, or nobody speaks TLS as it should be spoken. */
const UNCONNECTED: readonly Misfortune[] = [
  {
    title: 'refuses connections',
    start: async () => ({ url: `http://127.0.0.1:${await getPort()}`, close: NO_SERVER }),
    ends: 'unreachable',
    cause: /nothing listens there \(ECONNREFUSED\)/,
  },
  {
    title: 'has a name that nobody knows',
    start: async () => ({ url: 'http://nowhere.invalid', close: NO_SERVER }),
    ends: 'unreachable',
    cause: /the host name cannot be resolved \((ENOTFOUND|EAI_AGAIN)\)/,
  },
  {
    title: 'has a certificate that nobody vouches for',
    start: () => startRawServer(treat.unauthorized, SELF_SIGNED),
    ends: 'unreachable',
    cause: /the TLS connection was not made \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  },
  {
    title: 'speaks plain HTTP where https was asked for',
    start: startPlainHttps,
    ends: 'unreachable',
    cause: /the TLS connection was not made \(ERR_SSL_/,
  },
]

/** Somebody can be connected to, and no HTTP answer comes, or none that is whole. */
export const UNANSWERED: readonly Misfortune[] = [
  always('accepts and never answers', treat.silence, {
    ends: 'unreachable',
    cause: /no whole answer came before the deadline of one request \(DEADLINE\)/,
    burden: 'hangs',
  }),
  always('sends its headers and hangs', treat.headThenSilence, {
    ends: 'incomplete',
    cause: /before the deadline of one request \(DEADLINE, after the status 200\)/,
    burden: 'hangs',
  }),
  always('answers a byte at a time, slower than the deadline', treat.drip, {
    ends: 'incomplete',
    cause: /before the deadline of one request \(DEADLINE, after the status 200\)/,
    burden: 'hangs',
  }),
  always('resets the connection before it answers', treat.resetBefore, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('closes the connection instead of answering', treat.closeBefore, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('closes the connection in the middle of an answer', treat.resetAmid, {
    ends: 'incomplete',
    cause: /the connection was closed before the answer was whole \(.*after the status 200\)/,
  }),
  always('sends less than its content-length says', treat.tooShort, {
    ends: 'incomplete',
    cause: /the connection was closed before the answer was whole \(.*after the status 200\)/,
  }),
  always('sends bytes that are no HTTP', treat.garbage, {
    ends: 'unreachable',
    cause: /the answer is not HTTP as it should be/,
  }),
  always('switches to a protocol that nobody asked for', treat.switchesProtocols, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('sends a header of a mebibyte', treat.headerBomb, {
    ends: 'unreachable',
    cause: /the answer is larger than can be read \(UND_ERR_HEADERS_OVERFLOW\)/,
    burden: 'heavy',
  }),
  always('sends five thousand headers', treat.manyHeaders, {
    ends: 'unreachable',
    cause: /the answer is larger than can be read \(UND_ERR_HEADERS_OVERFLOW\)/,
    burden: 'heavy',
  }),
]

/** Answers come, and nothing can be made of them. */
const UNREADABLE: readonly Misfortune[] = [
  always('sends broken JSON', treat.brokenJson, { ends: 'incomplete', cause: /is not JSON/ }),
  always('sends JSON without end', treat.endlessJson, {
    ends: 'incomplete',
    cause: /the answer is larger than can be read \(TOO_LARGE, after the status 200\)/,
    burden: 'heavy',
  }),
  always('sends ten mebibytes', treat.tenMebibytes, {
    ends: 'incomplete',
    cause: /of its 10485\d+ bytes only the head was kept/,
    burden: 'heavy',
  }),
  always('sends a gzip bomb', treat.gzipBomb, {
    ends: 'incomplete',
    cause: /the answer is larger than can be read \(ERR_BUFFER_TOO_LARGE, after the status 200\)/,
    burden: 'heavy',
  }),
  always('says gzip and sends none', treat.noGzip, {
    ends: 'incomplete',
    cause: /the coding of the answer cannot be undone \(Z_DATA_ERROR, after the status 200\)/,
  }),
  always('sends half of a gzip stream', treat.halfGzip, {
    ends: 'incomplete',
    cause: /the coding of the answer cannot be undone \(Z_BUF_ERROR, after the status 200\)/,
  }),
  always('redirects every call to itself', treat.redirectToItself, {
    ends: 'incomplete',
    cause: /is not JSON/,
  }),
  always('answers every call with a page and 200', treat.html(200), {
    ends: 'incomplete',
    cause: /is not JSON/,
  }),
  always('answers every call with nothing and 200', treat.nothing(200), {
    ends: 'incomplete',
    cause: /is not JSON/,
  }),
  always('answers every call with 500 and JSON', treat.json(500, { errorCode: 'INTERNAL_ERROR' }), {
    ends: 'incomplete',
    cause: /server error \(500\)/,
  }),
  always('answers every call with 503 and a page', treat.html(503), {
    ends: 'incomplete',
    cause: /server error \(503\)/,
  }),
]

export const MISFORTUNES: readonly Misfortune[] = [...UNCONNECTED, ...UNANSWERED, ...UNREADABLE]

/** Each of them for one call: in turn one that gives no answer and one that gives something else than an answer. */
export const everyMisfortune: Treat = (socket, call) => {
  const kind = call.number % 2 === 0 ? UNANSWERED : UNREADABLE
  kind[Math.floor(call.number / 2) % kind.length]?.treatment?.(socket, call)
}
