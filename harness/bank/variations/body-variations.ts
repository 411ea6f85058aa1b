/** Other permitted statuses, members, bodies and transfers of a response. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { alter, type FactsOf } from '../changes/alter.ts'
import { replaceWire, rewrite } from '../changes/answer.ts'
import { both, server, when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation, Wire } from '../defect.ts'
import {
  changeObjects,
  escapedJson,
  escapeHtml,
  hasJson,
  isDataRefusal,
  refusalStatuses,
  reversed,
  rewriteJson,
  rewriteObjects,
  withFurtherMembers,
} from './words.ts'

type RefusalFacts = FactsOf<'refusalStatus'>

const isOfATokenEndpoint = ({ endpoint }: RefusalFacts): boolean =>
  endpoint === 'token' || endpoint === 'loan-token'

/** The origin that a bank behind a gateway writes into its addresses. */
export const PUBLIC_ORIGIN = 'https://api.bank.example'

/** No JSON here has escapes yet: this is the first variation of the wire. */
const atPublicOrigin = rewrite(({ headers, text }, request) => {
  const { origin } = new URL(request.url)
  const named = [...headers].filter(([name]) => name === 'location' || name === 'link')
  const moved = named.map(([name, value]) => [name, value.replaceAll(origin, PUBLIC_ORIGIN)])
  return {
    headers: Object.fromEntries(moved) as Record<string, string>,
    text: text.replaceAll(origin, PUBLIC_ORIGIN),
  }
})

export const bodyVariations: readonly Variation[] = variationsOf({
  'Addresses have the origin of a gateway': atPublicOrigin,
  'Refusals are application/problem+json': rewrite((sent, request) =>
    // RFC 6749 §5.2 fixes the media type of the token endpoint's refusals.
    isDataRefusal(sent, request)
      ? {
          headers: { 'content-type': 'application/problem+json' },
          json: changeObjects(sent.members, (members) => ({
            type: 'about:blank',
            title: 'The request was refused',
            ...members,
          })),
        }
      : undefined,
  ),
  'Refusals outside of OAuth and loans have no body': rewrite((sent, request) =>
    isDataRefusal(sent, request) ? { headers: { 'content-type': undefined }, text: '' } : undefined,
  ),
  'Refusals outside of OAuth and loans are HTML pages': rewrite((sent, request) =>
    isDataRefusal(sent, request)
      ? {
          headers: { 'content-type': 'text/html; charset=UTF-8' },
          text: `<!doctype html><title>Refused</title><p>${escapeHtml(sent.text)}</p>`,
        }
      : undefined,
  ),
  'Clients and consents are refused with other statuses': both(
    // RFC 6749 §5.2 requires 401 for a failed Basic authentication at a token endpoint.
    when((facts: RefusalFacts) => !isOfATokenEndpoint(facts), refusalStatuses({ invalid_client: 400 })),
    refusalStatuses({ not_entitled: 404, consent_unknown: 403 }),
  ),
  'All refusals have the same error and no description': alter({
    refusalBody: (usual, facts) => {
      if (isOfATokenEndpoint(facts)) return { error: facts.error }
      if (facts.error.startsWith('token_')) return { errorCode: 'TOKEN_INVALID' }
      // The interface defines the result codes of loans.
      return facts.endpoint.startsWith('loan-') ? usual : { errorCode: 'REFUSED' }
    },
  }),
  'JSON objects have further members, and responses a header': both(
    rewriteObjects(withFurtherMembers),
    rewrite(() => ({ headers: { 'x-served-by': 'node-b7' } })),
  ),
  'A redirect has parameters in addition to code and state': alter({
    returnParameters: (parameters) => ({
      iss: 'https://bank.example',
      ...parameters,
      session_state: 'a1.b2',
      scope: 'PREMIUM_AIS',
    }),
  }),
  'JSON objects have their members in the opposite order': rewriteObjects(reversed),
  'JSON is indented, with a line break before and after': rewriteJson(
    (text) => `\r\n${JSON.stringify(JSON.parse(text), null, 4)}\r\n`,
  ),
  'JSON has escaped slashes and letters beyond ASCII': rewriteJson(escapedJson),
  'The media type of JSON has no charset': rewrite((sent) =>
    hasJson(sent) ? { headers: { 'content-type': 'application/json' } } : undefined,
  ),
})

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

const inChunks: Wire = (next) => async (request) => {
  const response = await next(request)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  if (bytes.length === 0) return new Response(null, { status, headers })
  const named = new Headers(headers)
  // Prevents the server from collecting the chunks for a content-length.
  named.set('transfer-encoding', 'chunked')
  return new Response(inPieces(bytes), { status, headers: named })
}

const compressed = rewrite(({ text }, request) => {
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return undefined
  const vary = { vary: 'accept-encoding' }
  return text === ''
    ? { headers: vary }
    : { headers: { ...vary, 'content-encoding': 'gzip' }, text: new Uint8Array(gzipSync(text)) }
})

const LONGEST_DELAY_MS = 3
const JITTER_SEED = 20_260_105

/** Delays by 0 to 3 ms. The sequence is the same for every bank (a linear congruential generator, fixed seed). */
const delayed: Wire = (next) => {
  let state = JITTER_SEED
  return async (request) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    await wait(Math.floor((state / 2 ** 32) * (LONGEST_DELAY_MS + 1)))
    return next(request)
  }
}

/** These also have an effect without a socket. */
export const spellings: readonly Variation[] = variationsOf({
  'Header names are in title case': server({ headerCase: 'title' }),
  'Header names are in upper case': server({ headerCase: 'upper' }),
  'Bodies are compressed with gzip': compressed,
})

/** These have an effect only on a socket. */
export const transportVariations: readonly Variation[] = variationsOf({
  'Bodies are sent in chunks': replaceWire(inChunks),
  'Every answer takes up to 3 ms longer': replaceWire(delayed),
  'The connection is closed after each response': server({ keepAlive: false }),
})
