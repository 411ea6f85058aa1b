import { finder, type Found, type OperationName } from './addresses.ts'
import { fromDialect, put, read, toDialect, type Addresses, type FieldMap } from './json.ts'
import {
  parametersFromDialect,
  isMarked,
  withMarks,
  parametersToDialect,
  pageToDialect,
  hearForm,
} from './forms.ts'
import type { Names, OperationFormat, Vocabulary } from './vocabulary.ts'
import type { Exchange, Wire } from '../defect.ts'

/** A bank with a dialect: translates requests to the bank's format, and its answers to the dialect. */

/** Test hooks and settings are not part of the interface. */
const UNTOUCHED = /^\/_test-hooks\/|\/application(\/usage)?$/

/** The pages, whose addresses the interface does not give. */
const PAGES = /\/(auth\/oauth\/v2\/(login-sessions\/|approve$)|process\/)/

/** The answer to an unknown address. */
const NOWHERE = '/nowhere'

/** RFC 6749 §5.2 defines the refusals of OAuth endpoints. */
const OAUTH: readonly (OperationName | undefined)[] = ['authorize', 'token', 'paymentToken', 'loanToken']

const FORM = 'application/x-www-form-urlencoded'

/** One request, and the data for its answer. */
interface Translation extends Addresses {
  readonly request: Request
  readonly found: Found | undefined
  readonly format: OperationFormat
  readonly names: Names
}

const isOf = (headers: Headers, mediaType: string): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith(mediaType)

/** The parsed JSON; undefined if the text is not JSON. */
const rewordJson = (text: string, reword: (json: unknown) => unknown): string => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return text
  }
  return JSON.stringify(reword(json))
}

const bodyFromDialect = (text: string, { request: { headers }, format }: Translation): string => {
  if (isOf(headers, FORM)) return parametersFromDialect(text, format.form ?? {})
  return format.request === undefined
    ? text
    : rewordJson(text, (json) => fromDialect(json, format.request ?? {}))
}

/** A header name of the interface is accepted in addition to that of the dialect. */
const isGiven = ({ found }: Translation, name: string): boolean =>
  found?.operation === 'createConsent' && name === 'x-request-id'

const headersFromDialect = (translation: Translation): Headers => {
  const headers = new Headers(translation.request.headers)
  for (const [own, other] of Object.entries(translation.names)) {
    const value = headers.get(other)
    if (value === null && isGiven(translation, own)) continue
    headers.delete(own)
    headers.delete(other)
    if (value !== null) headers.set(own, value)
  }
  headers.delete('content-length')
  return headers
}

const isUnderstood = (
  text: string,
  { there, request: { headers }, format: { marks } }: Translation,
): boolean => marks === undefined || isMarked(isOf(headers, FORM) ? text : there.search.slice(1), marks)

const requestFromDialect = async (translation: Translation): Promise<Request> => {
  const { request, here } = translation
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const text = hasBody ? await request.text() : ''
  const url = new URL(here)
  if (!isUnderstood(text, translation)) url.pathname = NOWHERE
  return new Request(url.href, {
    method: request.method,
    headers: headersFromDialect(translation),
    redirect: 'manual',
    ...(text !== '' && { body: bodyFromDialect(text, translation) }),
  })
}

/** A link to another page, with the address that the caller uses. */
const linkToDialect = (
  link: string,
  { here, there, format: { query = {}, marks = {} }, ...addresses }: Translation,
): string => {
  const url = new URL(link, here)
  if (url.pathname !== here.pathname) return link
  url.pathname = there.pathname
  url.search = withMarks(
    parametersToDialect(url.search.slice(1), query, { ...addresses, here, there }),
    marks,
  )
  return /^https?:/.test(link) || url.host !== here.host ? url.href : url.pathname + url.search
}

const LINKS = /(^|\.)href$/

/** Translates every link of an answer, before its members are moved. */
const linksToDialect = (json: unknown, translation: Translation, path = ''): unknown => {
  if (typeof json === 'string') return LINKS.test(path) ? linkToDialect(json, translation) : json
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [
      name,
      linksToDialect(member, translation, `${path}.${name}`),
    ]),
  )
}

interface Translated {
  readonly json: unknown
  /** The address of the next page, if it is in a header. */
  readonly link?: string
}

const grantedToDialect = (json: unknown, translation: Translation): Translated => {
  const { response = {}, adds, linksInHeader } = translation.format
  // Only transaction pages have links, and a list may be long.
  const linked =
    translation.found?.operation === 'listTransactions' ? linksToDialect(json, translation) : json
  const link = linksInHeader === undefined ? undefined : read(linked, linksInHeader)
  return {
    json: added(toDialect(linked, response, translation), adds?.granted),
    ...(typeof link === 'string' && { link }),
  }
}

const added = (json: unknown, members: Readonly<Record<string, unknown>> = {}): unknown =>
  Object.entries(members).reduce((value, [path, member]) => put(value, path, member), json)

/** A bank may answer the result code of a refused loan operation with a 2xx status. */
const hasErrorCode = (text: string): boolean => {
  try {
    return read(JSON.parse(text), 'errorCode') !== undefined
  } catch {
    return false
  }
}

const isJson = (response: Response): boolean => isOf(response.headers, 'application/json')

/** A defect may answer data with the status of a refusal. */
const HAS_ERROR = /"error(Code)?"\s*:/

const responseToDialect = async (
  response: Response,
  translation: Translation,
  { refusals, pages }: Vocabulary,
): Promise<Response> => {
  const headers = new Headers(response.headers)
  headersToDialect(headers, translation)
  const { found, format, here } = translation
  const isFree = found !== undefined && !OAUTH.includes(found.operation)
  const general = isFree ? refusals.statuses[response.status] : undefined
  const status = format.statuses?.[response.status] ?? general ?? response.status
  if (!isJson(response)) {
    const shown = await pageToDialect(response, pages, here)
    return new Response(await bodyOf(shown), { status: shown.status, headers })
  }
  const text = await response.text()
  if (text === '') return new Response(null, { status, headers })
  if ((response.status >= 400 && HAS_ERROR.test(text)) || (found?.api === 'loans' && hasErrorCode(text))) {
    if (status >= 400) headers.set('content-type', refusals.mediaType)
    const sent = rewordJson(text, (json) =>
      added(
        toDialect(json, { ...format.response, ...(format.refusal ?? refusals.words) }, translation),
        format.adds?.refused,
      ),
    )
    return new Response(sent, { status, headers })
  }
  // A body without translated names is not serialized again, since a defect may be in its serialization.
  if (format.response === undefined && format.adds === undefined)
    return new Response(text, { status, headers })
  const sent = rewordJson(text, (json) => {
    const { json: translated, link } = grantedToDialect(json, translation)
    if (link !== undefined) headers.append('link', `<${link}>; rel="next"`)
    return translated
  })
  return new Response(sent, { status, headers })
}

const bodyOf = async (response: Response): Promise<string | null> => {
  const text = await response.text()
  return text === '' ? null : text
}

const headersToDialect = (headers: Headers, { names, request }: Translation): void => {
  headers.delete('content-length')
  for (const [own, other] of Object.entries(names)) {
    const value = headers.get(own)
    if (value === null || !request.headers.has(other)) continue
    headers.delete(own)
    headers.set(other, value)
  }
}

const onPage = async (request: Request, next: Exchange, { pages }: Vocabulary): Promise<Response> => {
  if (request.method !== 'POST') return pageToDialect(await next(request), pages, new URL(request.url))
  const { url, method, headers } = request
  const body = hearForm(await request.text(), pages)
  const received = new Request(url, { method, headers, redirect: 'manual', ...(body !== '' && { body }) })
  return pageToDialect(await next(received), pages, new URL(url))
}

/** Translates between a client that uses this dialect and the bank. */
export const translating = (vocabulary: Vocabulary): Wire => {
  const find = finder(vocabulary.places)
  return (next) => async (request) => {
    const there = new URL(request.url)
    if (UNTOUCHED.test(there.pathname)) return next(request)
    if (PAGES.test(there.pathname)) return onPage(request, next, vocabulary)
    const found = find(there.pathname)
    const format = found ? (vocabulary.operations[found.operation] ?? {}) : {}
    const here = new URL(there)
    here.pathname = found?.path ?? NOWHERE
    here.search = parametersFromDialect(there.search.slice(1), format.query ?? {})
    const names = (found && vocabulary.headers[found.api]) ?? {}
    const translation: Translation = { request, found, format, names, here, there }
    return responseToDialect(await next(await requestFromDialect(translation)), translation, vocabulary)
  }
}

/** Translates the calls of the bank to applications, except a body that is compressed or in UTF-16. */
export const calling =
  (events: FieldMap): Wire =>
  (next) =>
  async (request) => {
    const isUtf16 = request.headers.get('content-type')?.includes('utf-16')
    if (isUtf16 || request.headers.has('content-encoding')) return next(request)
    const { url, method, signal } = request
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const addresses = { here: new URL(url), there: new URL(url) }
    const body = rewordJson(await request.text(), (json) => toDialect(json, events, addresses))
    return next(new Request(url, { method, headers, body, signal, redirect: 'manual' }))
  }
