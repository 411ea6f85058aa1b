import { finder, type Found, type OperationName } from './addresses.ts'
import { hear, put, read, say, type Turn, type Wording } from './json.ts'
import { hearParameters, isMarked, withMarks, sayParameters, sayPage, hearForm } from './forms.ts'
import type { Names, Speech, Vocabulary } from './vocabulary.ts'
import type { Exchange, Wire } from '../defect.ts'

/** A bank with a dialect: translates requests to the bank's format, and its answers to the dialect. */

/** Test hooks and settings are not part of the interface. */
const UNTOUCHED = /^\/_test-hooks\/|\/application(\/usage)?$/

/** The pages, whose addresses the interface does not give. */
const PAGES = /\/(auth\/oauth\/v2\/(visits\/|approve$)|process\/)/

/** The answer to an unknown address. */
const NOWHERE = '/nowhere'

/** RFC 6749 §5.2 defines the refusals of OAuth endpoints. */
const OAUTH: readonly (OperationName | undefined)[] = ['authorize', 'token', 'paymentToken', 'loanToken']

const FORM = 'application/x-www-form-urlencoded'

/** One request, and the data for its answer. */
interface Visit extends Turn {
  readonly request: Request
  readonly found: Found | undefined
  readonly speech: Speech
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

const hearBody = (text: string, { request: { headers }, speech }: Visit): string => {
  if (isOf(headers, FORM)) return hearParameters(text, speech.form ?? {})
  return speech.asks === undefined ? text : rewordJson(text, (json) => hear(json, speech.asks ?? {}))
}

/** A header name of the interface is accepted in addition to that of the dialect. */
const isGiven = ({ found }: Visit, name: string): boolean =>
  found?.operation === 'createConsent' && name === 'x-request-id'

const hearHeaders = (visit: Visit): Headers => {
  const headers = new Headers(visit.request.headers)
  for (const [own, other] of Object.entries(visit.names)) {
    const value = headers.get(other)
    if (value === null && isGiven(visit, own)) continue
    headers.delete(own)
    headers.delete(other)
    if (value !== null) headers.set(own, value)
  }
  headers.delete('content-length')
  return headers
}

const isUnderstood = (text: string, { there, request: { headers }, speech: { marks } }: Visit): boolean =>
  marks === undefined || isMarked(isOf(headers, FORM) ? text : there.search.slice(1), marks)

const hearRequest = async (visit: Visit): Promise<Request> => {
  const { request, here } = visit
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const text = hasBody ? await request.text() : ''
  const url = new URL(here)
  if (!isUnderstood(text, visit)) url.pathname = NOWHERE
  return new Request(url.href, {
    method: request.method,
    headers: hearHeaders(visit),
    redirect: 'manual',
    ...(text !== '' && { body: hearBody(text, visit) }),
  })
}

/** A link to another page, with the address that the caller uses. */
const sayLink = (
  link: string,
  { here, there, speech: { query = {}, marks = {} }, ...turn }: Visit,
): string => {
  const url = new URL(link, here)
  if (url.pathname !== here.pathname) return link
  url.pathname = there.pathname
  url.search = withMarks(sayParameters(url.search.slice(1), query, { ...turn, here, there }), marks)
  return /^https?:/.test(link) || url.host !== here.host ? url.href : url.pathname + url.search
}

const LINKS = /(^|\.)href$/

/** Translates every link of an answer, before its members are moved. */
const sayLinks = (json: unknown, visit: Visit, path = ''): unknown => {
  if (typeof json === 'string') return LINKS.test(path) ? sayLink(json, visit) : json
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, sayLinks(member, visit, `${path}.${name}`)]),
  )
}

interface Said {
  readonly json: unknown
  /** The address of the next page, if it is in a header. */
  readonly link?: string
}

const sayGranted = (json: unknown, visit: Visit): Said => {
  const { tells = {}, adds, linksInHeader } = visit.speech
  // Only transaction pages have links, and a list may be long.
  const linked = visit.found?.operation === 'listTransactions' ? sayLinks(json, visit) : json
  const link = linksInHeader === undefined ? undefined : read(linked, linksInHeader)
  return {
    json: added(say(linked, tells, visit), adds?.granted),
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

const sayResponse = async (
  response: Response,
  visit: Visit,
  { refusals, pages }: Vocabulary,
): Promise<Response> => {
  const headers = new Headers(response.headers)
  sayHeaders(headers, visit)
  const { found, speech, here } = visit
  const isFree = found !== undefined && !OAUTH.includes(found.operation)
  const general = isFree ? refusals.statuses[response.status] : undefined
  const status = speech.statuses?.[response.status] ?? general ?? response.status
  if (!isJson(response)) {
    const shown = await sayPage(response, pages, here)
    return new Response(await bodyOf(shown), { status: shown.status, headers })
  }
  const text = await response.text()
  if (text === '') return new Response(null, { status, headers })
  if (response.status >= 400 || (found?.api === 'loans' && hasErrorCode(text))) {
    if (status >= 400) headers.set('content-type', refusals.mediaType)
    const said = rewordJson(text, (json) =>
      added(say(json, speech.refuses ?? refusals.words, visit), speech.adds?.refused),
    )
    return new Response(said, { status, headers })
  }
  // A body without translated names is not serialized again, since a defect may be in its serialization.
  if (speech.tells === undefined && speech.adds === undefined) return new Response(text, { status, headers })
  const said = rewordJson(text, (json) => {
    const { json: translated, link } = sayGranted(json, visit)
    if (link !== undefined) headers.append('link', `<${link}>; rel="next"`)
    return translated
  })
  return new Response(said, { status, headers })
}

const bodyOf = async (response: Response): Promise<string | null> => {
  const text = await response.text()
  return text === '' ? null : text
}

const sayHeaders = (headers: Headers, { names, request }: Visit): void => {
  headers.delete('content-length')
  for (const [own, other] of Object.entries(names)) {
    const value = headers.get(own)
    if (value === null || !request.headers.has(other)) continue
    headers.delete(own)
    headers.set(other, value)
  }
}

const onPage = async (request: Request, next: Exchange, { pages }: Vocabulary): Promise<Response> => {
  if (request.method !== 'POST') return sayPage(await next(request), pages, new URL(request.url))
  const { url, method, headers } = request
  const body = hearForm(await request.text(), pages)
  const heard = new Request(url, { method, headers, redirect: 'manual', ...(body !== '' && { body }) })
  return sayPage(await next(heard), pages, new URL(url))
}

/** Translates between a client that uses this dialect and the bank. */
export const translating = (vocabulary: Vocabulary): Wire => {
  const find = finder(vocabulary.places)
  return (next) => async (request) => {
    const there = new URL(request.url)
    if (UNTOUCHED.test(there.pathname)) return next(request)
    if (PAGES.test(there.pathname)) return onPage(request, next, vocabulary)
    const found = find(there.pathname)
    const speech = found ? (vocabulary.operations[found.operation] ?? {}) : {}
    const here = new URL(there)
    here.pathname = found?.path ?? NOWHERE
    here.search = hearParameters(there.search.slice(1), speech.query ?? {})
    const names = (found && vocabulary.headers[found.api]) ?? {}
    const visit: Visit = { request, found, speech, names, here, there }
    return sayResponse(await next(await hearRequest(visit)), visit, vocabulary)
  }
}

/** Translates the calls of the bank to applications. A compressed body is not translated. */
export const calling =
  (events: Wording): Wire =>
  (next) =>
  async (request) => {
    if (request.headers.has('content-encoding')) return next(request)
    const { url, method, signal } = request
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const turn = { here: new URL(url), there: new URL(url) }
    const body = rewordJson(await request.text(), (json) => say(json, events, turn))
    return next(new Request(url, { method, headers, body, signal, redirect: 'manual' }))
  }
