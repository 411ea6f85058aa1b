import { codeQuery } from '../authorization/code-request.ts'
import { locationIn, resolve } from '../authorization/html-page.ts'
import { addressAtOnce } from '../authorization/page-navigation.ts'
import { createVerifier } from '../pkce.ts'
import { chance } from '../random.ts'
import { urlOf, type TargetContext } from '../target.ts'
import { Cookies } from './cookies.ts'
import { encodeForm, FORM_HEADER, pageRequest, type Fields, type HttpRequest } from './request.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** Requests to the OAuth endpoints that carry no credentials: they can be sent over plain HTTP as well. */

/** `nothing`: a path next to the endpoints where nothing is served. */
type ProbedEndpoint = 'authorize' | 'token' | 'nothing'

/** @param withoutTls sends it over plain HTTP where the base URL has https */
export type ProbeEndpoint = (
  endpoint: ProbedEndpoint,
  options?: { readonly withoutTls?: boolean },
) => Promise<Exchange>

const requestTo = (endpoint: ProbedEndpoint, context: TargetContext): HttpRequest => {
  const { profile, random = chance } = context
  const client: Fields = [
    ['client_id', random.uuid()],
    ['redirect_uri', 'https://client.example/callback'],
  ]
  const common = { operation: 'probe', sender: 'scenario' } as const
  if (endpoint === 'token')
    return {
      ...common,
      method: 'POST',
      url: urlOf(context, 'operations.token'),
      headers: [FORM_HEADER],
      form: [['grant_type', 'authorization_code'], ['code', random.uuid()], ...client],
    }
  const query = encodeForm([['response_type', 'code'], ...client, ['scope', profile.scopes.accounts]])
  const address = urlOf(context, 'operations.authorize') + (endpoint === 'nothing' ? `-${random.uuid()}` : '')
  return { ...common, method: 'GET', url: `${address}?${query}`, headers: [] }
}

/** The parts of an authorization request that are not secret. */
interface AuthorizationStart {
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
}

/** Begins an authorization as a browser does, and follows its redirects to the first page. Nothing is entered there. */
export type OpenFirstPage = (start: AuthorizationStart) => Promise<readonly Exchange[]>

const MOST_REDIRECTS = 5

const followedBy = (exchange: Exchange): URL | undefined => {
  const { response, request } = exchange
  if (response === undefined || response.status >= 400) return undefined
  const location = response.status >= 300 ? locationIn(exchange) : addressAtOnce(exchange)
  const address = location === undefined ? undefined : resolve(location, request.url)
  return address === undefined ? undefined : new URL(address)
}

export const createFirstPageOpener =
  (context: TargetContext): OpenFirstPage =>
  async (start) => {
    const { http, random = chance } = context
    const query = codeQuery({ ...start, state: random.uuid(), verifier: createVerifier(random) })
    const exchanges: Exchange[] = []
    const cookies = new Cookies()
    let next: URL | undefined = new URL(`${urlOf(context, 'operations.authorize')}?${query.toString()}`)
    while (next !== undefined && exchanges.length <= MOST_REDIRECTS && http.origins.includes(next.origin)) {
      const address = http.named?.(next.href) ?? next.href
      const headers = [...cookies.fieldFor(address)]
      const exchange: Exchange = await http.send({ ...pageRequest('authorize', next.href), headers })
      cookies.keep(exchange, address)
      exchanges.push(exchange)
      next = followedBy(exchange)
    }
    return exchanges
  }

export const createEndpointProbe =
  (context: TargetContext): ProbeEndpoint =>
  (endpoint, { withoutTls = false } = {}) => {
    const request = requestTo(endpoint, context)
    return context.http.send(
      withoutTls ? { ...request, url: request.url.replace(/^https:/, 'http:'), withoutTls: true } : request,
    )
  }
