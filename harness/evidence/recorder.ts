import { createHash } from 'node:crypto'
import {
  brotliDecompressSync,
  constants,
  deflateRawSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib'
import {
  Ended,
  faultOf,
  headerOf,
  isOurs,
  type Body,
  type Exchange,
  type Fault,
  type HeaderFields,
  type ReceivedResponse,
} from './exchange.ts'
import { shortened } from './shortened.ts'
import { errorOf } from './errors.ts'
import type { Dispatcher } from 'undici'

/** What the recorder observed of one request on the network. */
export interface WireRecord {
  readonly response?: ReceivedResponse
  /** The whole body of the response; the record may keep only its head. */
  readonly bytes?: Buffer
  readonly fault?: Fault
  readonly durationMs: number
}

/** The listener of a request that must be recorded. */
export interface Recorded {
  readonly onRecorded: (record: WireRecord) => void
  /** A larger answer is not read to its end. */
  readonly answerBytes?: number | undefined
}

/** In a larger body long texts are abbreviated; of one that is neither JSON nor a page, only the head is kept. */
export const KEPT_BYTES = 1024 * 1024
/** A larger body is not read to its end, unless the profile says so. */
const READ_BYTES = 16 * KEPT_BYTES

type Decoder = (bytes: Buffer, limit: { readonly maxOutputLength: number }) => Buffer

/** Many servers send a raw deflate stream under that name, and browsers accept it. */
const inflate: Decoder = (bytes, limit) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit)

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
])

/** A larger body is kept compressed: a walk over a long account has a thousand of them. */
const TEXT_BYTES = 16 * 1024

const textOf = (bytes: Buffer): Pick<Body, 'text'> => {
  if (bytes.length <= TEXT_BYTES) return { text: bytes.toString('utf8') }
  // A copy: zlib returns a part of a buffer that is larger.
  const compressed = Buffer.from(deflateRawSync(bytes, { level: constants.Z_BEST_SPEED }))
  return {
    get text() {
      return inflateRawSync(compressed).toString('utf8')
    },
  }
}

/** The body as it is kept: whole up to the limit, otherwise shortened, with the hash and the size of the whole. */
export const keepBody = (bytes: Buffer): Body => {
  const kept = { bytes: bytes.length }
  if (bytes.length <= KEPT_BYTES) return Object.assign(textOf(bytes), kept)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const short = shortened(bytes.toString('utf8'))
  return short === undefined
    ? Object.assign(textOf(bytes.subarray(0, KEPT_BYTES)), kept, { sha256 })
    : Object.assign(textOf(Buffer.from(short)), kept, { shortenedFrom: sha256 })
}

const pairs = (raw: readonly (Buffer | string)[]): HeaderFields => {
  const fields: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < raw.length; at += 2)
    fields.push([String(raw[at]), (raw[at + 1] ?? '').toString('latin1' as BufferEncoding)])
  return fields
}

/** The bytes without their content coding, if that is known. @throws if it cannot be decoded. */
export const decode = (bytes: Buffer, headers: HeaderFields, maxOutputLength = READ_BYTES): Buffer => {
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase()
  const decoder = coding === undefined ? undefined : decoders.get(coding)
  return decoder === undefined || bytes.length === 0 ? bytes : decoder(bytes, { maxOutputLength })
}

/**
 * An undici interceptor that records requests. Composed first, it is closest to the network, so that each attempt
 * of a retried request is recorded. A request that could not be sent at all is not recorded: its error goes to the
 * caller.
 * @param now measures how long a request takes, in ms.
 */
export const createRecorder =
  (now: () => number): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const { onRecorded, answerBytes } = options as Partial<Recorded>
    return onRecorded === undefined
      ? dispatch(options, handler)
      : dispatch(options, recording(handler, { onRecorded, answerBytes }, now))
  }

export const recorder = createRecorder(() => performance.now())

const recording = (
  handler: Dispatcher.DispatchHandler,
  { onRecorded, answerBytes = READ_BYTES }: Recorded,
  now: () => number,
): Dispatcher.DispatchHandler => {
  const startedAt = now()
  const chunks: Buffer[] = []
  let bytes = 0
  let status = 0
  let headers: HeaderFields = []
  const elapsed = (): number => now() - startedAt
  const fail = (error: Error): void =>
    onRecorded({ fault: { ...faultOf(error), ...(status > 0 && { status }) }, durationMs: elapsed() })

  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, statusCode, parsed, message) {
      status = statusCode
      headers = pairs((controller as { rawHeaders?: (Buffer | string)[] }).rawHeaders ?? [])
      handler.onResponseStart?.(controller, statusCode, parsed, message)
    },
    onResponseData(controller, chunk) {
      bytes += chunk.length
      if (bytes > answerBytes) controller.abort(new Ended('TOO_LARGE'))
      else chunks.push(chunk)
      handler.onResponseData?.(controller, chunk)
    },
    onResponseEnd(controller, trailers) {
      try {
        const [first, ...more] = chunks
        const body = first !== undefined && more.length === 0 ? first : Buffer.concat(chunks)
        const whole = decode(body, headers, answerBytes)
        onRecorded({
          response: { status, headers, body: keepBody(whole) },
          bytes: whole,
          durationMs: elapsed(),
        })
      } catch (error) {
        fail(errorOf(error))
      }
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError(controller, error) {
      if (!isOurs(error)) fail(error)
      handler.onResponseError?.(controller, error)
    },
  }
}

export type Intent = Pick<Exchange, 'id' | 'sender' | 'operation' | 'effect' | 'sentAt'> & {
  readonly method: string
  readonly url: string
}

/** Answers of an earlier run, which replace the network when a scenario is repeated from its log. */
export interface ReplayLog {
  /**
   * The recorded answer to this request; undefined if it was never sent.
   * @throws Error if another request had this id: the scenario did not repeat itself.
   */
  exchange(request: {
    readonly id: string
    readonly method: string
    readonly url: string
  }): Exchange | undefined
  /** Called before a request is sent that must not be sent twice. */
  recordIntent(intent: Intent): void
  /** Called before an answer is used. */
  recordExchange(exchange: Exchange): void
}
