import { toUSVString } from 'node:util'
import { BYTES } from '../target/in-process.ts'
import { NAME, PlainHeaders } from './plain-headers.ts'
import type { AtHand } from '../target/in-process.ts'
import type { Fields } from './plain-headers.ts'

/**
 * Requests and responses of text, in the place of those of the platform. A trial sends half a million of them from one
 * function of this process to another: whole streams, signals and blobs for each would be a fifth of its time. They
 * are seen to behave like the platform's by a test; what they cannot do, they refuse to do.
 */

type Content = string | Uint8Array | null

/** What stands in the place of a stream: it can be read once, or handed to another message. */
class PlainStream {
  readonly take: () => Content
  constructor(take: () => Content) {
    this.take = take
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const bytes = bytesOf(this.take())
    if (bytes.length > 0) yield bytes
  }
}

const bytesOf = (content: Content): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : (content ?? new Uint8Array())

/** As a decoder of UTF-8 gives it: without a mark of the byte order, and without halves of characters. */
const textOf = (content: Content): string => {
  if (typeof content !== 'string') return new TextDecoder().decode(bytesOf(content))
  const text = toUSVString(content)
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

const contentOf = (body: unknown): Content => {
  if (body === null || body === undefined) return null
  if (typeof body === 'string') return body
  if (body instanceof PlainStream) return body.take()
  if (body instanceof URLSearchParams) return body.toString()
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('a plain message has a body of text or of bytes')
}

/** For a copy: what it was made from was named when the first one was made. */
const streamOf = (content: Content): PlainStream | null =>
  content === null ? null : new PlainStream(() => content)

const MEDIA_TYPE = 'content-type'

/** A message names the media type of what it was made from, unless it was told one. */
const nameMediaType = (headers: PlainHeaders, body: unknown): void => {
  if (typeof body !== 'string' && !(body instanceof URLSearchParams)) return
  if (headers.has(MEDIA_TYPE)) return
  if (typeof body === 'string') headers.set(MEDIA_TYPE, 'text/plain;charset=UTF-8')
  else headers.set(MEDIA_TYPE, 'application/x-www-form-urlencoded;charset=UTF-8')
}

class PlainMessage implements AtHand {
  readonly headers: PlainHeaders
  readonly #content: Content
  #used = false

  constructor(headers: PlainHeaders, content: Content) {
    this.headers = headers
    this.#content = content
  }

  get bodyUsed(): boolean {
    return this.#used
  }

  get body(): PlainStream | null {
    return this.#content === null ? null : new PlainStream(() => this.#take())
  }

  async text(): Promise<string> {
    return textOf(this.#take())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown
  }

  /** Handed out as a copy. */
  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(bytesOf(this.#take())).buffer
  }

  [BYTES](): Buffer {
    return Buffer.from(this.#take() ?? '')
  }

  /** @throws where the body has been read. */
  protected copied(): Content {
    if (this.#used) throw new TypeError('the body has been read already')
    return this.#content
  }

  #take(): Content {
    const content = this.copied()
    this.#used = content !== null
    return content
  }
}

const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
const METHOD = /^(delete|get|head|options|post|put)$/i
const FORBIDDEN = /^(connect|trace|track)$/i

const methodOf = (method: string): string => {
  if (METHODS.has(method)) return method
  if (!NAME.test(method) || FORBIDDEN.test(method)) throw new TypeError(`${method} is no method of a request`)
  return METHOD.test(method) ? method.toUpperCase() : method
}

const addressOf = (input: string | URL): string => {
  const { href, username, password } = new URL(input)
  if (username !== '' || password !== '') throw new TypeError(`${href} holds credentials`)
  return href
}

export class PlainRequest extends PlainMessage {
  readonly method: string
  readonly url: string
  readonly redirect: Request['redirect']
  readonly signal: AbortSignal | null | undefined
  /** Whoever takes a request for the settings of another finds that its body is sent before the answer comes. */
  readonly duplex = 'half'

  constructor(input: string | URL | PlainRequest, init: RequestInit | PlainRequest = {}) {
    const from = input instanceof PlainRequest ? input : undefined
    const method = methodOf(init.method ?? from?.method ?? 'GET')
    const given = init.body ?? undefined
    if (given !== undefined && (method === 'GET' || method === 'HEAD'))
      throw new TypeError('a request of that method has no body')
    const headers = new PlainHeaders(init.headers ?? from?.headers)
    nameMediaType(headers, given)
    super(headers, contentOf(given ?? from?.body))
    this.method = method
    this.url = input instanceof PlainRequest ? input.url : addressOf(input)
    this.redirect = init.redirect ?? from?.redirect ?? 'follow'
    this.signal = init.signal ?? from?.signal
  }

  clone(): PlainRequest {
    const body = streamOf(this.copied())
    return new PlainRequest(this, body === null ? {} : { body: body as unknown as ReadableStream })
  }
}

/** Answers of these statuses have no body. */
const BODILESS: readonly number[] = [101, 204, 205, 304]

/** What an answer is made with, or the answer that it is made like. */
type PlainInit = Omit<ResponseInit, 'headers'> & { readonly headers?: Fields | PlainHeaders }

export class PlainResponse extends PlainMessage {
  readonly status: number
  readonly statusText: string

  constructor(body: unknown = null, { status = 200, statusText = '', headers }: PlainInit = {}) {
    const named = new PlainHeaders(headers)
    if (status < 200 || status > 599) throw new RangeError(`${status} is no status of an answer`)
    const content = contentOf(body)
    if (content !== null && BODILESS.includes(status)) throw new TypeError(`${status} has no body`)
    nameMediaType(named, body)
    super(named, content)
    this.status = status
    this.statusText = statusText
  }

  static json(data: unknown, init: ResponseInit = {}): PlainResponse {
    const headers = new PlainHeaders(init.headers)
    if (!headers.has(MEDIA_TYPE)) headers.set(MEDIA_TYPE, 'application/json')
    return new PlainResponse(JSON.stringify(data), { ...init, headers })
  }

  static redirect(url: string | URL, status = 302): PlainResponse {
    return new PlainResponse(null, { status, headers: { location: new URL(url).href } })
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299
  }

  clone(): PlainResponse {
    return new PlainResponse(streamOf(this.copied()), this)
  }
}

const PLAIN = { Headers: PlainHeaders, Request: PlainRequest, Response: PlainResponse }

let users = 0
let platform: Pick<typeof globalThis, keyof typeof PLAIN> | undefined

/** Does something with plain messages in the place of the platform's, in the whole process. */
export const withPlainMessages = async <T>(run: () => Promise<T>): Promise<T> => {
  if (users === 0) {
    const { Headers, Request, Response } = globalThis
    platform = { Headers, Request, Response }
    Object.assign(globalThis, PLAIN)
  }
  users += 1
  try {
    return await run()
  } finally {
    users -= 1
    if (users === 0) Object.assign(globalThis, platform)
  }
}
