import { createServer } from 'node:http'
import getPort from 'get-port'
import { FIXTURE_CERTIFICATE, FIXTURE_KEY } from './self-signed-fixture.ts'
import { startRawServer } from './raw-server.ts'
import * as responses from './fault-responses.ts'
import type { AddressInfo } from 'node:net'
import type { RawServer, Respond } from './raw-server.ts'

/** Every fault of a target, with the outcome that a run must report. */

export interface TargetFault {
  /** Completes "a target that …". */
  readonly title: string
  readonly start: () => Promise<Pick<RawServer, 'url' | 'close'>>
  /** The response to every call; undefined if the fault is in the connection. */
  readonly respond?: Respond
  /** The conclusion of the run if the fault exists from the first call on. */
  readonly ends: 'unreachable' | 'incomplete'
  /** Part of the reason of a verdict. */
  readonly cause: RegExp
  /** `hangs`: only a deadline ends a call. `heavy`: a call is so expensive that the test makes only a few. */
  readonly cost?: 'hangs' | 'heavy'
}

/** Answers everything, a TLS handshake too, at once in plain text. */
const startPlainHttps = async (): Promise<Pick<RawServer, 'url' | 'close'>> => {
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, close: async () => void server.close() }
}

const NO_SERVER = async (): Promise<void> => undefined

/** A target that gives every call this response, the probe included. */
const always = (
  title: string,
  respond: Respond,
  outcome: Pick<TargetFault, 'ends' | 'cause' | 'cost'>,
): TargetFault => ({ title, respond, start: () => startRawServer(respond), ...outcome })

export const SELF_SIGNED = { key: FIXTURE_KEY, cert: FIXTURE_CERTIFICATE }

/** No connection can be made, or the TLS handshake fails. */
const UNCONNECTED: readonly TargetFault[] = [
  {
    title: 'refuses connections',
    start: async () => ({ url: `http://127.0.0.1:${await getPort()}`, close: NO_SERVER }),
    ends: 'unreachable',
    cause: /nothing listens there \(ECONNREFUSED\)/,
  },
  {
    title: 'has a name that cannot be resolved',
    start: async () => ({ url: 'http://nowhere.invalid', close: NO_SERVER }),
    ends: 'unreachable',
    cause: /the host name cannot be resolved \((ENOTFOUND|EAI_AGAIN)\)/,
  },
  {
    title: 'has a self-signed certificate',
    start: () => startRawServer(responses.unauthorized, SELF_SIGNED),
    ends: 'unreachable',
    cause: /the TLS connection was not made \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  },
  {
    title: 'answers plain HTTP to https',
    start: startPlainHttps,
    ends: 'unreachable',
    cause: /the TLS connection was not made \(ERR_SSL_/,
  },
]

/** A connection is made, but no complete HTTP answer comes. */
export const UNANSWERED: readonly TargetFault[] = [
  always('accepts and never answers', responses.silence, {
    ends: 'unreachable',
    cause: /no whole answer came before the deadline of one request \(DEADLINE\)/,
    cost: 'hangs',
  }),
  always('sends its headers and hangs', responses.headThenSilence, {
    ends: 'incomplete',
    cause: /before the deadline of one request \(DEADLINE, after the status 200\)/,
    cost: 'hangs',
  }),
  always('answers a byte at a time, slower than the deadline', responses.byteByByte, {
    ends: 'incomplete',
    cause: /before the deadline of one request \(DEADLINE, after the status 200\)/,
    cost: 'hangs',
  }),
  always('resets the connection before it answers', responses.resetBeforeAnswer, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('closes the connection instead of answering', responses.closeBeforeAnswer, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('closes the connection in the middle of an answer', responses.closeDuringBody, {
    ends: 'incomplete',
    cause: /the connection was closed before the answer was whole \(.*after the status 200\)/,
  }),
  always('sends less than its content-length says', responses.tooShort, {
    ends: 'incomplete',
    cause: /the connection was closed before the answer was whole \(.*after the status 200\)/,
  }),
  always('sends bytes that are not HTTP', responses.notHttp, {
    ends: 'unreachable',
    cause: /the answer is not HTTP as it should be/,
  }),
  always('switches to a protocol that was not requested', responses.switchesProtocols, {
    ends: 'unreachable',
    cause: /the connection was closed before the answer was whole/,
  }),
  always('sends a header of a mebibyte', responses.hugeHeader, {
    ends: 'unreachable',
    cause: /the answer is larger than can be read \(UND_ERR_HEADERS_OVERFLOW\)/,
    cost: 'heavy',
  }),
  always('sends five thousand headers', responses.manyHeaders, {
    ends: 'unreachable',
    cause: /the answer is larger than can be read \(UND_ERR_HEADERS_OVERFLOW\)/,
    cost: 'heavy',
  }),
]

/** Answers come, but their content is unusable. */
const UNREADABLE: readonly TargetFault[] = [
  always('sends broken JSON', responses.brokenJson, { ends: 'incomplete', cause: /is not JSON/ }),
  always('sends JSON of 100,000 levels', responses.deepJson, {
    ends: 'incomplete',
    cause: /^all \d+ answers of the run, to \d+ operations, are JSON nested deeper than 100 levels \(200\)/,
  }),
  always('sends JSON without end', responses.endlessJson, {
    ends: 'incomplete',
    cause: /the answer is larger than can be read \(TOO_LARGE, after the status 200\)/,
    cost: 'heavy',
  }),
  always('sends ten mebibytes', responses.tenMebibytesOfText, {
    ends: 'incomplete',
    cause: /of its 10485\d+ bytes only the head was kept/,
    cost: 'heavy',
  }),
  always('sends a gzip bomb', responses.gzipBomb, {
    ends: 'incomplete',
    cause: /the answer is larger than can be read \(ERR_BUFFER_TOO_LARGE, after the status 200\)/,
    cost: 'heavy',
  }),
  always('declares gzip and sends plain text', responses.noGzip, {
    ends: 'incomplete',
    cause: /the coding of the answer cannot be undone \(Z_DATA_ERROR, after the status 200\)/,
  }),
  always('sends half of a gzip stream', responses.halfGzip, {
    ends: 'incomplete',
    cause: /the coding of the answer cannot be undone \(Z_BUF_ERROR, after the status 200\)/,
  }),
  always('redirects every call to itself', responses.redirectToItself, {
    ends: 'incomplete',
    cause: /was answered with a redirect \(302\)/,
  }),
  always('answers every call with a page and 200', responses.html(200), {
    ends: 'incomplete',
    cause: /^all \d+ answers of the run, to \d+ operations, are an HTML page \(200\)/,
  }),
  always('answers every call with an empty body and 200', responses.emptyBody(200), {
    ends: 'incomplete',
    cause: /^all \d+ answers of the run, to \d+ operations, are an empty body \(200\)/,
  }),
  always('answers every call with 500 and JSON', responses.json(500, { errorCode: 'INTERNAL_ERROR' }), {
    ends: 'incomplete',
    cause: /server error \(500\)/,
  }),
  always('answers every call with 503 and a page', responses.html(503), {
    ends: 'incomplete',
    cause: /^all \d+ answers of the run, to \d+ operations, are an HTML page \(503\)/,
  }),
]

export const TARGET_FAULTS: readonly TargetFault[] = [...UNCONNECTED, ...UNANSWERED, ...UNREADABLE]

/** Gives each call the next fault response, with and without an answer in turn. */
export const everyFaultInTurn: Respond = (socket, call) => {
  const kind = call.number % 2 === 0 ? UNANSWERED : UNREADABLE
  kind[Math.floor(call.number / 2) % kind.length]?.respond?.(socket, call)
}
