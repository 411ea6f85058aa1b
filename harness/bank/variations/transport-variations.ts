/** The same response over another wire: pieces, delays and connections; names of headers, and codings. */
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Variation, Wire } from '../defect.ts'

/** A prime number: sooner or later a piece ends within a character. */
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
  // Tells the server not to gather the pieces for a content-length.
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

/** These are seen without a socket as well. */
export const spellings: readonly Variation[] = [
  { id: 'title-case-headers', story: 'Header names are spelled Like-This.', server: { headerCase: 'title' } },
  { id: 'upper-case-headers', story: 'Header names are spelled LIKE-THIS.', server: { headerCase: 'upper' } },
  { id: 'gzipped', story: 'Bodies are compressed for a client that accepts it.', wire: gzipped },
]

/** What is different about these is on the socket alone. */
export const transportVariations: readonly Variation[] = [
  { id: 'chunked', story: 'Bodies come in pieces of 61 bytes, without a content-length.', wire: chunked },
  { id: 'jittered', story: 'Every answer takes 0 to 3 ms longer.', wire: jittered },
  {
    id: 'connection-closed',
    story: 'The connection is closed after each response.',
    server: { keepAlive: false },
  },
]
