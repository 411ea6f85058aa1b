/** Creates the responses of the bank. */
import { factsOf, type Call, type Refusal } from './call.ts'
import type { Html } from './markup.ts'

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  // A login or consent page is neither stored nor shown inside another site (RFC 6749 §10.13).
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

type ResponseHeaders = Readonly<Record<string, string>>

export const json = (status: number, body: unknown, headers: ResponseHeaders = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json;charset=UTF-8', ...headers },
  })

export const empty = (status: number, headers: ResponseHeaders = {}): Response =>
  new Response(null, { status, headers })

export const page = async (status: number, body: Html, headers: ResponseHeaders = {}): Promise<Response> =>
  // Markup is an object: of a text the server makes no stream.
  new Response(String(await body), { status, headers: { ...PAGE_HEADERS, ...headers } })

export const redirect = (status: number, location: string, headers: ResponseHeaders = {}): Response =>
  new Response(null, { status, headers: { location, 'cache-control': 'no-store', ...headers } })

/** The answer to a refused request. */
export const refuse = (call: Call, { error, message, account }: Refusal): Response => {
  const { endpoint, variant } = call
  const facts = { ...factsOf(call), error, endpoint, variant, account, description: message }
  const isToken = endpoint === 'token' || endpoint === 'loan-token'
  const headers = { ...(isToken ? call.rules.tokenHeaders(facts) : {}) }
  return json(call.rules.refusalStatus(facts), call.rules.refusalBody(facts), {
    ...headers,
    ...call.rules.refusalHeaders(facts),
  })
}

const REQUEST_ID_HEADERS = { first: 'x-request-id', second: 'request-id' } as const

/** Every answer repeats the id of its request, if the request has one. */
export const echoRequestId = (call: Call, response: Response): Response => {
  const name = REQUEST_ID_HEADERS[call.variant]
  const requestId = call.request.headers.get(name)
  if (requestId === null) return response
  const echoed = call.rules.requestIdEchoed({ ...factsOf(call), requestId, endpoint: call.endpoint })
  if (echoed !== undefined) response.headers.set(name, echoed)
  return response
}
