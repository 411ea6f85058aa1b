import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { changeObjects, escapeHtml, isDataRefusal, rewriteHeaders, rewriteJson } from './wires.ts'
import type { Variation, Wire } from '../defect.ts'
import type { Endpoint } from '../rules/facts.ts'

/** Other permitted statuses, members and bodies. */

export const refusedAccountVariations: readonly Variation[] = [
  {
    id: 'shut-accounts-refused-with-403',
    story: 'An account that is not granted is refused with 403, an unknown one with 404.',
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        facts.error === 'account_unknown' && facts.account !== undefined ? 403 : lawful.refusalStatus(facts),
    }),
  },
  {
    id: 'unknown-accounts-refused-with-400',
    story: 'Every account that is not granted is refused with 400, in a body with other members.',
    rules: (lawful) => ({
      refusalStatus: (facts) => (facts.error === 'account_unknown' ? 400 : lawful.refusalStatus(facts)),
      refusalBody: (facts) =>
        facts.error === 'account_unknown'
          ? { tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] }
          : lawful.refusalBody(facts),
    }),
  },
  {
    id: 'unknown-accounts-answered-with-null',
    story: 'The answer about an account that is not granted has null for each member.',
    neverOccurs: ['ACC-37', 'ACC-38'],
    rules: (lawful) => ({
      refusalStatus: (facts) => (facts.error === 'account_unknown' ? 200 : lawful.refusalStatus(facts)),
      refusalBody: (facts) =>
        facts.error === 'account_unknown'
          ? { account: null, balances: null, transactions: null }
          : lawful.refusalBody(facts),
    }),
  },
]

const parse = (text: string): unknown => JSON.parse(text)

const asProblem = (members: Readonly<Record<string, unknown>>): unknown => ({
  type: 'about:blank',
  title: 'The request was refused',
  ...members,
})

const withUnknownMembers = (members: Readonly<Record<string, unknown>>): unknown => ({
  'x-node': 'b7',
  ...members,
  meta: { self: '/', tags: [{ id: 1 }] },
  revision: 3,
  note: null,
})

const reversed = (members: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(Object.entries(members).reverse())

const isToken = (endpoint: Endpoint): boolean => endpoint === 'token' || endpoint === 'loan-token'

/** The origin that a bank behind a gateway writes into its addresses. */
export const PUBLIC_ORIGIN = 'https://api.bank.example'

/** No JSON here has escapes yet: this is the first variation of the wire. */
const atPublicOrigin: Wire = (next) => async (request) => {
  const response = await next(request)
  const { origin } = new URL(request.url)
  const headers = new Headers(response.headers)
  for (const [name, value] of response.headers)
    if (name === 'location' || name === 'link') headers.set(name, value.replaceAll(origin, PUBLIC_ORIGIN))
  const text = await response.text()
  return new Response(text === '' ? null : text.replaceAll(origin, PUBLIC_ORIGIN), {
    status: response.status,
    headers,
  })
}

export const bodyVariations: readonly Variation[] = [
  {
    id: 'addresses-of-a-public-origin',
    story:
      'The bank writes every address with the origin of its gateway, and not with the one it is reached at.',
    wire: atPublicOrigin,
  },
  {
    id: 'refusals-as-problems',
    story: 'Refusals are application/problem+json, with the usual members in addition.',
    wire: rewriteJson(
      ({ text, headers }) => {
        headers.set('content-type', 'application/problem+json')
        return JSON.stringify(changeObjects(parse(text), asProblem))
      },
      // RFC 6749 §5.2 fixes the media type of the token endpoint's refusals.
      isDataRefusal,
    ),
  },
  {
    id: 'refusals-empty',
    story: 'Refusals outside OAuth and loans have no body.',
    wire: rewriteJson(({ headers }) => {
      headers.delete('content-type')
      return null
    }, isDataRefusal),
  },
  {
    id: 'refusals-as-pages',
    story: 'Refusals outside OAuth and loans are HTML pages.',
    wire: rewriteJson(({ text, headers }) => {
      headers.set('content-type', 'text/html; charset=UTF-8')
      return `<!doctype html><title>Refused</title><p>${escapeHtml(text)}</p>`
    }, isDataRefusal),
  },
  {
    id: 'refusals-with-other-statuses',
    story:
      'A wrong client gets no consent with 400, a client without contract with 404, an unknown consent with 403.',
    rules: (lawful) => ({
      refusalStatus: (facts) => {
        // RFC 6749 §5.2 requires 401 for a failed Basic authentication at a token endpoint.
        if (facts.error === 'invalid_client' && !isToken(facts.endpoint)) return 400
        if (facts.error === 'not_entitled') return 404
        if (facts.error === 'consent_unknown') return 403
        return lawful.refusalStatus(facts)
      },
    }),
  },
  {
    id: 'refusals-of-few-words',
    story: 'Every refusal of a code, a redirect_uri or a token has the same error and no description.',
    rules: (lawful) => ({
      refusalBody: (facts) => {
        const { error, endpoint } = facts
        if (isToken(endpoint)) return { error }
        if (error.startsWith('token_')) return { errorCode: 'TOKEN_INVALID' }
        // The interface defines the result codes of loans.
        return endpoint.startsWith('loan-') ? lawful.refusalBody(facts) : { errorCode: 'REFUSED' }
      },
    }),
  },
  {
    id: 'extra-members',
    story: 'Every JSON object has additional members, and every response additional headers.',
    wire: (next) =>
      rewriteHeaders((headers) => headers.set('x-served-by', 'node-b7'))(
        rewriteJson(({ text }) => JSON.stringify(changeObjects(parse(text), withUnknownMembers)))(next),
      ),
  },
  {
    id: 'extra-return-parameters',
    story:
      'The redirect carries an issuer, a session state and the granted scope in addition to code and state.',
    rules: {
      returnParameters: ({ parameters }) => ({
        iss: 'https://bank.example',
        ...parameters,
        session_state: 'a1.b2',
        scope: 'PREMIUM_AIS',
      }),
    },
  },
  {
    id: 'members-in-other-order',
    story: 'The members of every JSON object have the opposite order.',
    wire: rewriteJson(({ text }) => JSON.stringify(changeObjects(parse(text), reversed))),
  },
  {
    id: 'pretty-printed',
    story: 'JSON is indented, with a line break before and after.',
    wire: rewriteJson(({ text }) => `\r\n${JSON.stringify(parse(text), null, 4)}\r\n`),
  },
  {
    id: 'escaped-json',
    story: 'JSON strings escape every slash and every letter beyond ASCII.',
    wire: rewriteJson(({ text }) =>
      text
        .replaceAll('/', '\\/')
        .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
  },
  {
    id: 'json-without-charset',
    story: 'The media type is application/json without parameters.',
    wire: rewriteJson(({ text, headers }) => {
      headers.set('content-type', 'application/json')
      return new TextEncoder().encode(text)
    }),
  },
]

/** Other permitted transfers of a response: chunks, delays, connections, header names and content codings. */

/** A prime number, so that some chunks end within a character. */
const CHUNK = 61

const inPieces = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let sent = 0
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(bytes.subarray(sent, sent + CHUNK))
      sent += CHUNK
      if (sent >= bytes.length) controller.close()
    },
  })
}

const chunked: Wire = (next) => async (request) => {
  const response = await next(request)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  if (bytes.length === 0) return new Response(null, { status, headers })
  const named = new Headers(headers)
  // Prevents the server from collecting the chunks for a content-length.
  named.set('transfer-encoding', 'chunked')
  return new Response(inPieces(bytes), { status, headers: named })
}

const gzipped: Wire = (next) => async (request) => {
  const response = await next(request)
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status } = response
  const headers = new Headers(response.headers)
  headers.append('vary', 'accept-encoding')
  if (bytes.length === 0) return new Response(null, { status, headers })
  headers.set('content-encoding', 'gzip')
  return new Response(gzipSync(bytes), { status, headers })
}

const LONGEST_DELAY_MS = 3
const JITTER_SEED = 20_260_105

/** Delays by 0 to 3 ms. The sequence is the same for every bank (a linear congruential generator, fixed seed). */
const jittered: Wire = (next) => {
  let state = JITTER_SEED
  return async (request) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    await wait(Math.floor((state / 2 ** 32) * (LONGEST_DELAY_MS + 1)))
    return next(request)
  }
}

/** These also have an effect without a socket. */
export const spellings: readonly Variation[] = [
  { id: 'title-case-headers', story: 'Header names are spelled Like-This.', server: { headerCase: 'title' } },
  { id: 'upper-case-headers', story: 'Header names are spelled LIKE-THIS.', server: { headerCase: 'upper' } },
  { id: 'gzipped', story: 'Bodies are compressed for a client that accepts it.', wire: gzipped },
]

/** These have an effect only on a socket. */
export const transportVariations: readonly Variation[] = [
  { id: 'chunked', story: 'Bodies are sent in chunks of 61 bytes, without a content-length.', wire: chunked },
  { id: 'jittered', story: 'Every answer takes 0 to 3 ms longer.', wire: jittered },
  {
    id: 'connection-closed',
    story: 'The connection is closed after each response.',
    server: { keepAlive: false },
  },
]
