import { basicHeader } from '../../profile/applications.ts'
import { isObject, type Members } from '../../evidence/json.ts'
import type { Operation, Sender } from '../../evidence/exchange.ts'
import type { Environment } from '../../profile/environment.ts'

export type Fields = readonly (readonly [name: string, value: string])[]

/** A request before it is sent. At most one of `form` and `text` is its body. */
export interface HttpRequest {
  readonly operation: Operation
  readonly sender: Sender
  readonly method: string
  readonly url: string
  readonly headers: Fields
  readonly form?: Fields
  readonly text?: string
  /** Who gave the access token, counted from 0 in the order of the names, if that is known. */
  readonly customer?: number
  /** The environment that it is meant for, if that is not the one that is judged. */
  readonly environment?: Environment
  /**
   * Sent over plain HTTP to the host of the target, without the headers of the profile: it must not contain
   * secrets.
   */
  readonly withoutTls?: true
  /** How long the target may take to show what this request changes, in ms of this machine's time. */
  readonly settleMs?: number
  /**
   * Paths of the answer, one of which must have a value if the request was accepted; needed if no documented field
   * shows it.
   */
  readonly successFields?: readonly string[]
  /** The path of a list that is empty if the request was accepted, since there is nothing to list. */
  readonly emptyList?: string
  /** Its Basic header has form-encoded credentials, since the target refused them as they are. */
  readonly formEncoded?: true
}

export const FORM_HEADER = ['Content-Type', 'application/x-www-form-urlencoded'] as const
export const JSON_HEADER = ['Content-Type', 'application/json'] as const

/** The page at an address, as the browser of the customer requests it. */
export const pageRequest = (operation: Operation, url: string): HttpRequest => ({
  operation,
  sender: 'customer',
  method: 'GET',
  url,
  headers: [],
})

/** One change to a valid request, as in every negative check. */
export type Change = (request: HttpRequest) => HttpRequest

/** Sends the request as it is. */
export const unchanged: Change = (request) => request

const without = (fields: Fields, name: string): Fields =>
  fields.filter(([field]) => field.toLowerCase() !== name.toLowerCase())

/** Replaces the value in place, so that the order stays; appends a new field. */
const withField = (fields: Fields, name: string, value: string): Fields =>
  fields.some(([field]) => field.toLowerCase() === name.toLowerCase())
    ? fields.map(([field, old]) => [field, field.toLowerCase() === name.toLowerCase() ? value : old])
    : [...fields, [name, value]]

const onQuery = (request: HttpRequest, edit: (query: URLSearchParams) => void): HttpRequest => {
  const url = new URL(request.url)
  edit(url.searchParams)
  return { ...request, url: url.href }
}

/** Replaces the form by a text. */
const withText = (
  { operation, sender, method, url, headers, environment, successFields, emptyList }: HttpRequest,
  text: string,
  mediaType: string,
): HttpRequest => ({
  operation,
  sender,
  method,
  url,
  headers: withField(headers, 'Content-Type', mediaType),
  text,
  ...(environment && { environment }),
  ...(successFields && { successFields }),
  ...(emptyList !== undefined && { emptyList }),
})

/** @throws if the body is not a JSON object. */
const membersOf = ({ text = '' }: HttpRequest): Members => {
  const json: unknown = JSON.parse(text)
  if (isObject(json)) return json
  throw new Error('the body is not a JSON object')
}

/** A form as the body of a request (application/x-www-form-urlencoded). */
export const encodeForm = (form: Fields): string =>
  new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString()

const escaped = (value: string, places: readonly number[], digits: 'lower' | 'upper'): string =>
  Array.from(value, (character, place) => {
    const plain = encodeURIComponent(character)
    const escape = places.includes(place) && plain === character ? escapeOf(character) : plain
    return digits === 'lower' && escape.startsWith('%') ? escape.toLowerCase() : escape
  }).join('')

const escapeOf = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

export const basic = (clientId: string, clientSecret: string): string =>
  basicHeader({ clientId, clientSecret })

/** The changes that a check can make to exactly one place of a request. */
export const change = {
  header:
    (name: string, value: string): Change =>
    (request) => ({ ...request, headers: withField(request.headers, name, value) }),
  noHeader:
    (name: string): Change =>
    (request) => ({ ...request, headers: without(request.headers, name) }),
  form:
    (name: string, value: string): Change =>
    (request) => ({ ...request, form: withField(request.form ?? [], name, value) }),
  noForm:
    (name: string): Change =>
    (request) => ({ ...request, form: without(request.form ?? [], name) }),
  formTwice:
    (name: string, value: string): Change =>
    (request) => ({ ...request, form: [...(request.form ?? []), [name, value]] }),
  /** The parameters of the form, last one first. */
  formReversed: ((request) => ({ ...request, form: [...(request.form ?? [])].reverse() })) satisfies Change,
  /** Writes the characters at these places of a form value as percent escapes, and all its escapes in this case. */
  formEscaped:
    (name: string, places: readonly number[], digits: 'lower' | 'upper'): Change =>
    (request) => {
      const pairs = (request.form ?? []).map(([field, value]) =>
        field === name ? `${field}=${escaped(value, places, digits)}` : encodeForm([[field, value]]),
      )
      return withText(request, pairs.join('&'), FORM_HEADER[1])
    },
  formAsJson: ((request) =>
    withText(
      request,
      JSON.stringify(Object.fromEntries(request.form ?? [])),
      'application/json',
    )) satisfies Change,
  formAsQuery: (({ form = [], ...request }) => ({
    ...onQuery(request, (query) => form.forEach(([name, value]) => query.append(name, value))),
    method: 'GET',
    headers: without(request.headers, 'Content-Type'),
  })) satisfies Change,
  query:
    (name: string, value: string): Change =>
    (request) =>
      onQuery(request, (query) => query.set(name, value)),
  noQuery:
    (name: string): Change =>
    (request) =>
      onQuery(request, (query) => query.delete(name)),
  queryTwice:
    (name: string, value: string): Change =>
    (request) =>
      onQuery(request, (query) => query.append(name, value)),
  /** The parameters of the query, last one first. */
  queryReversed: ((request) => {
    const url = new URL(request.url)
    url.search = new URLSearchParams([...url.searchParams].reverse()).toString()
    return { ...request, url: url.href }
  }) satisfies Change,
  basic: (clientId: string, secret: string): Change =>
    change.header('Authorization', basic(clientId, secret)),
  bearer: (token: string): Change => change.header('Authorization', `Bearer ${token}`),
  path:
    (edit: (pathname: string) => string): Change =>
    (request) => {
      const url = new URL(request.url)
      url.pathname = edit(url.pathname)
      return { ...request, url: url.href }
    },
  /** Marks the request for this environment: an address alone is not sufficient to leave the sandbox. */
  environment:
    (environment: Environment): Change =>
    (request) => ({ ...request, environment }),
  method:
    (method: string): Change =>
    (request) => ({ ...request, method }),
  /** Puts these members into a JSON body; members with the same name are replaced. */
  members:
    (members: Readonly<Record<string, unknown>>): Change =>
    (request) =>
      withText(request, JSON.stringify({ ...membersOf(request), ...members }), 'application/json'),
  /** Sends this text as the body, with this media type. */
  body:
    (text: string, mediaType: string): Change =>
    (request) =>
      withText(request, text, mediaType),
} as const
