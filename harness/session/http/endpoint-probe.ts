import { addressOf } from '../../profile/operations.ts'
import { challengeOf, createVerifier } from '../pkce.ts'
import { Cookies } from './cookies.ts'
import { encodeForm, type HttpRequest } from './request.ts'
import { chance, type Random } from '../random.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from './http.ts'

/** Requests to the OAuth endpoints that carry no credentials: they can be sent over plain HTTP as well. */

/** `nothing`: a path next to the endpoints where nothing is served. */
type ProbedEndpoint = 'authorize' | 'token' | 'nothing'

interface ProbeContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

/** @param withoutTls sends it over plain HTTP where the base URL has https */
export type ProbeEndpoint = (
  endpoint: ProbedEndpoint,
  options?: { readonly withoutTls?: boolean },
) => Promise<Exchange>

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** A request of an unregistered client. */
const requestTo = (
  endpoint: ProbedEndpoint,
  { profile, baseUrl, random = chance }: ProbeContext,
): HttpRequest => {
  const invented = { clientId: random.uuid(), redirectUri: 'https://client.example/callback' }
  if (endpoint === 'token')
    return {
      operation: 'probe',
      sender: 'scenario',
      method: 'POST',
      url: baseUrl + addressOf(profile, 'operations.token'),
      headers: [['Content-Type', FORM_TYPE]],
      form: [
        ['grant_type', 'authorization_code'],
        ['code', random.uuid()],
        ['client_id', invented.clientId],
        ['redirect_uri', invented.redirectUri],
      ],
    }
  const query = encodeForm([
    ['response_type', 'code'],
    ['client_id', invented.clientId],
    ['redirect_uri', invented.redirectUri],
    ['scope', profile.scopes.accounts],
  ])
  const path =
    addressOf(profile, 'operations.authorize') + (endpoint === 'nothing' ? `-${random.uuid()}` : '')
  return {
    operation: 'probe',
    sender: 'scenario',
    method: 'GET',
    url: `${baseUrl}${path}?${query}`,
    headers: [],
  }
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

const locationIn = ({ response, request }: Exchange): URL | undefined => {
  if (response === undefined || response.status < 300 || response.status >= 400) return undefined
  const [, location] = response.headers.find(([name]) => name.toLowerCase() === 'location') ?? []
  return location !== undefined && URL.canParse(location, request.url)
    ? new URL(location, request.url)
    : undefined
}

export const createFirstPageOpener =
  ({ profile, baseUrl, http, random = chance }: ProbeContext): OpenFirstPage =>
  async ({ clientId, redirectUri, scope }) => {
    const query = encodeForm([
      ['response_type', 'code'],
      ['client_id', clientId],
      ['redirect_uri', redirectUri],
      ['scope', scope],
      ['state', random.uuid()],
      ['code_challenge', challengeOf(createVerifier(random))],
      ['code_challenge_method', 'S256'],
    ])
    const exchanges: Exchange[] = []
    const cookies = new Cookies()
    const address = baseUrl + addressOf(profile, 'operations.authorize')
    let next: URL | undefined = new URL(`${address}?${query}`)
    while (next !== undefined && exchanges.length <= MOST_REDIRECTS && http.origins.includes(next.origin)) {
      const address = http.named?.(next.href) ?? next.href
      const exchange: Exchange = await http.send({
        operation: 'authorize',
        sender: 'customer',
        method: 'GET',
        url: next.href,
        headers: [...cookies.fieldFor(address)],
      })
      cookies.keep(exchange, address)
      exchanges.push(exchange)
      next = locationIn(exchange)
    }
    return exchanges
  }

export const createEndpointProbe =
  (context: ProbeContext): ProbeEndpoint =>
  (endpoint, { withoutTls = false } = {}) => {
    const request = requestTo(endpoint, context)
    return context.http.send(
      withoutTls ? { ...request, url: request.url.replace(/^https:/, 'http:'), withoutTls: true } : request,
    )
  }
