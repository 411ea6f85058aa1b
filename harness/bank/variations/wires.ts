/** Changes of a response after the routes have created it. */
import type { Wire } from '../defect.ts'

/** The object without these members. */
export const without = (
  body: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

type BodyText = string | Uint8Array<ArrayBuffer> | null

export interface Body {
  readonly text: string
  readonly headers: Headers
  readonly status: number
  readonly request: Request
}

const HAS_NO_BODY: readonly number[] = [204, 304]

const isJson = (response: Response): boolean =>
  !HAS_NO_BODY.includes(response.status) &&
  (response.headers.get('content-type') ?? '').startsWith('application/json')

/** Rewrites the body of every JSON response that `applies`, and any header on the way. */
export const rewriteJson =
  (rewrite: (body: Body) => BodyText, applies: (body: Body) => boolean = () => true): Wire =>
  (next) =>
  async (request) => {
    const response = await next(request)
    if (!isJson(response)) return response
    const { status } = response
    const headers = new Headers(response.headers)
    const body: Body = { text: await response.text(), headers, status, request }
    return new Response(applies(body) ? rewrite(body) : body.text, { status, headers })
  }

/** Changes the headers of every response. */
export const rewriteHeaders =
  (rewrite: (headers: Headers) => void): Wire =>
  (next) =>
  async (request) => {
    const response = await next(request)
    rewrite(response.headers)
    return response
  }

/** Whether it is a refusal outside OAuth and loans: neither the interface nor a standard defines its body. */
export const isDataRefusal = ({ status, request }: Body): boolean => {
  const { pathname } = new URL(request.url)
  return status >= 400 && !pathname.includes('/auth/') && !pathname.startsWith('/paylater/')
}

type Change = (members: Readonly<Record<string, unknown>>) => unknown

/** Applies a change to every object of a JSON value, from the inside out. */
export const changeObjects = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((item) => changeObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, changeObjects(member, change)] as const,
  )
  return change(Object.fromEntries(members))
}

/** Text for an element of a page or for an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
