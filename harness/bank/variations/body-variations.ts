/** Other permitted statuses, members, bodies and transfers of a response. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { alter, type FactsOf } from '../changes/alter.ts'
import { pathOf, replaceWire, rewrite, type Difference } from '../changes/answer.ts'
import { both, server, when } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation, Wire } from '../defect.ts'
import { randomInt } from '../random.ts'
import {
  changeObjects,
  escapedJson,
  escapeHtml,
  hasJson,
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

/** Other bodies of refusals outside of OAuth and loans: neither the interface nor a standard defines them. */
const dataRefusals = (change: (text: string) => Difference) =>
  rewrite((sent, request) => {
    const path = pathOf(request)
    const isMeant = sent.status >= 400 && !path.includes('/auth/') && !path.startsWith('/paylater/')
    return isMeant && hasJson(sent) ? change(sent.text) : undefined
  })

export const bodyVariations: readonly Variation[] = variationsOf({
  'Addresses have the origin of a gateway': atPublicOrigin,
  // RFC 6749 §5.2 fixes the media type of the token endpoint's refusals.
  'Refusals are application/problem+json': dataRefusals((text) => ({
    headers: { 'content-type': 'application/problem+json' },
    json: changeObjects(JSON.parse(text), (members) => ({
      type: 'about:blank',
      title: 'The request was refused',
      ...members,
    })),
  })),
  'Refusals outside of OAuth and loans have no body': dataRefusals(() => ({
    headers: { 'content-type': undefined },
    text: '',
  })),
  'Refusals outside of OAuth and loans are HTML pages': dataRefusals((text) => ({
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    text: `<!doctype html><title>Refused</title><p>${escapeHtml(text)}</p>`,
  })),
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
  'A shield before the bank says an Age of 2 seconds': rewrite((sent) => ({
    headers: { age: '2', 'x-cache': 'MISS', 'cache-control': sent.headers.get('cache-control') ?? undefined },
  })),
  'The media type of JSON has no charset': rewrite((sent) =>
    hasJson(sent) ? { headers: { 'content-type': 'application/json' } } : undefined,
  ),
})

/** A prime number, so that some chunks end within a character. */
const CHUNK = 61

const inChunks: Wire = (next) => async (request) => {
  const response = await next(request)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  if (bytes.length === 0) return new Response(null, { status, headers })
  const named = new Headers(headers)
  // Prevents the server from collecting the chunks for a content-length.
  named.set('transfer-encoding', 'chunked')
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, piece) => piece * CHUNK)
  const pieces = starts.map((start) => bytes.subarray(start, start + CHUNK))
  return new Response(ReadableStream.from(pieces), { status, headers: named })
}

const compressed = rewrite(({ text }, request) => {
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return undefined
  const vary = { vary: 'accept-encoding' }
  return text === ''
    ? { headers: vary }
    : { headers: { ...vary, 'content-encoding': 'gzip' }, text: new Uint8Array(gzipSync(text)) }
})

/** Delays by 0 to 3 ms. */
const delayed: Wire = (next) => async (request) => {
  await wait(randomInt(4))
  return next(request)
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
