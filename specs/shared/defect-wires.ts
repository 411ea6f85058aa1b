/**
 * Defects of HTTP messages: what a bank reads wrongly before a rule is asked, and what it answers wrongly after.
 *
 * A defect belongs into a rule wherever there is one for it (`defects.ts`); this is for the rest: the place of a
 * parameter in a form, a header, a member of a JSON answer, an address. Every wire here is made of two functions:
 * which requests it is about (`on`), and what is different about them.
 */
import type { Exchange, Wire } from '../../harness/bank/defect.ts'
import { meetingFor } from './defects.ts'

/** Which requests a wire is about. */
export type RequestMatcher = (request: Request) => boolean

export const pathOf = ({ url }: Request): string => new URL(url).pathname

/** Requests with this method, or any, to the paths of this form. */
export const on =
  (method: string | undefined, path: RegExp): RequestMatcher =>
  (request) =>
    (method === undefined || request.method === method) && path.test(pathOf(request))

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** The members of a value that is an object, and no members of any other. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The members of a text that is a JSON object; undefined for any other text. */
export const parsedMembers = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export const without = (members: Members, ...names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** The token of a Bearer header. */
export const bearerIn = (headers: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The two halves of a Basic header; empty strings for any other. The secret may have a colon. */
export const basicIn = (headers: Headers): readonly [clientId: string, secret: string] => {
  const [, encoded = ''] = (headers.get('authorization') ?? '').split(' ')
  const [clientId = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [clientId, secret.join(':')]
}

export const basicHeader = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

/** Whether a form or query has the scope of a TPP: only that names a consent, after a colon. */
export const hasScopeOfATpp = (parameters: URLSearchParams): boolean =>
  parameters.get('scope')?.includes(':') === true

/** A request as the bank is about to read it. What is changed in it, it reads changed. */
export interface Incoming {
  method: string
  readonly url: URL
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Another body than the one that was sent. A change of `form` replaces it. */
  body: string
  readonly form: URLSearchParams
}

const incomingOf = async (request: Request): Promise<Incoming> => {
  const url = new URL(request.url)
  const body = await request.clone().text()
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return {
    method: request.method,
    url,
    query: url.searchParams,
    headers,
    body,
    form: new URLSearchParams(body),
  }
}

const requestOf = ({ method, url, headers, body, form }: Incoming, formBefore: string): Request => {
  const sent = form.toString() === formBefore ? body : form.toString()
  return new Request(url, { method, headers, ...(method !== 'GET' && method !== 'HEAD' && { body: sent }) })
}

/** Changes what the bank reads of a request. */
export const readingRequests =
  (applies: RequestMatcher, change: (incoming: Incoming) => void): Wire =>
  (next) =>
  async (request) => {
    if (!applies(request)) return next(request)
    const incoming = await incomingOf(request)
    const formBefore = incoming.form.toString()
    change(incoming)
    return next(requestOf(incoming, formBefore))
  }

/** A JSON answer of the bank's own. */
export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(body, { status, headers })

/** Answers a request itself, where `answer` has an answer; any other request goes to the bank. */
export const answering =
  (applies: RequestMatcher, answer: (incoming: Incoming) => Response | undefined): Wire =>
  (next) =>
  async (request) =>
    (applies(request) ? answer(await incomingOf(request)) : undefined) ?? next(request)

/** What was asked, beside an answer. */
export interface Asked extends Incoming {
  /** Another request that the wire is about was under way when this one came. */
  readonly isConcurrent: boolean
}

/** An answer of the bank. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The members of a body that is a JSON object, and none for any other body. */
  readonly members: Members
}

/** What is sent in the place of parts of an answer; `json` in the place of its body. */
export interface Reworded {
  readonly status?: number
  /** Headers to set; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly text?: string
  readonly json?: unknown
}

const HAVE_NO_BODY: readonly number[] = [204, 205, 304]

const reworded = ({ status, headers, text }: Answer, change: Reworded): Response => {
  const body = 'json' in change ? JSON.stringify(change.json) : (change.text ?? text)
  const sent = change.status ?? status
  for (const [name, value] of Object.entries(change.headers ?? {}))
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  headers.delete('content-length')
  return new Response(HAVE_NO_BODY.includes(sent) ? null : body, { status: sent, headers })
}

/** Changes the answers to these requests. Where `reword` gives nothing, the answer is sent as it is. */
export const rewordingAnswers =
  (applies: RequestMatcher, reword: (answer: Answer, asked: Asked) => Reworded | undefined): Wire =>
  (next) => {
    let underWay = 0
    return async (request) => {
      if (!applies(request)) return next(request)
      const incoming = await incomingOf(request)
      const asked: Asked = { ...incoming, isConcurrent: underWay > 0 }
      underWay += 1
      const response = await next(request)
      underWay -= 1
      const text = await response.text()
      const headers = new Headers(response.headers)
      const answer: Answer = { status: response.status, headers, text, members: parsedMembers(text) ?? {} }
      return reworded(answer, reword(answer, asked) ?? {})
    }
  }

/** A wire with a state of its own for each bank: `make` is called once for each. */
export const perBank =
  (make: () => Wire): Wire =>
  (next) =>
    make()(next)

/** Several wires at once; the first is the nearest to the bank. */
export const wired =
  (...wires: readonly Wire[]): Wire =>
  (next: Exchange) =>
    wires.reduce((exchange, wire) => wire(exchange), next)

/**
 * A request that comes while the first one is served gets the answer to that one.
 * @param overlapMs how long the first one waits for another that may come.
 */
export const sharingTheFirstAnswer =
  (applies: (request: Request) => boolean | Promise<boolean>, overlapMs: number): Wire =>
  (next) => {
    let first: Promise<Response> | undefined
    let isOver = false
    const meet = meetingFor(overlapMs)
    return async (request) => {
      if (isOver || !(await applies(request))) return next(request)
      const isFirst = first === undefined
      first ??= next(request)
      await meet()
      if (isFirst) isOver = true
      return (await first).clone()
    }
  }
