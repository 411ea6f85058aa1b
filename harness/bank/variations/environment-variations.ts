/** Environments that are kept apart, and versions that are refused, in other ways. */
import { randomBytes } from 'node:crypto'
import type { Variation, Wire } from '../defect.ts'
import { escapeHtml } from './wires.ts'

const pathOf = ({ url }: Request): string => new URL(url).pathname

const versionIn = (path: string): string => /\/v\d+(?=\/)/.exec(path)?.[0] ?? ''

/** Versions of which this bank has none, in the place of those that it has. */
const isUnknownVersion = (path: string): boolean =>
  versionIn(path) !== '' && versionIn(path) !== (path.includes('/auth/oauth/') ? '/v2' : '/v1')

const refusingVersions =
  (refuse: (path: string) => Response): Wire =>
  (next) =>
  async (request) =>
    isUnknownVersion(pathOf(request)) ? refuse(pathOf(request)) : next(request)

const ofAGateway = (status: number, text: string): Response =>
  new Response(`<!doctype html><title>${status}</title><h1>${escapeHtml(text)}</h1>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })

const answering = (status: number): Variation => ({
  id: `unknown-version-has-status-${status}`,
  story: `A version that does not exist is answered with ${status}, without a body.`,
  wire: refusingVersions(() => new Response(null, { status })),
})

const isPaymentAuthorization = (request: Request): boolean =>
  /^(\/sandbox)?\/auth\/oauth\/v2\/authorize$/.test(pathOf(request)) &&
  new URL(request.url).searchParams.has('orderId')

/** A redirect that says no, as one with a code that opens nothing. */
const withIdleCode = (response: Response): Response => {
  const location = response.headers.get('location')
  const url = location === null ? undefined : new URL(location)
  if (url?.searchParams.get('error') !== 'invalid_request') return response
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  url.searchParams.set('code', randomBytes(16).toString('hex'))
  return new Response(null, { status: response.status, headers: { location: url.href } })
}

const bearerOf = ({ headers }: Request): string => headers.get('authorization')?.replace(/^Bearer /, '') ?? ''

const environmentOf = (request: Request): string =>
  pathOf(request).includes('/sandbox/') ? 'sandbox' : 'production'

/** Knows where each token was issued, and answers 401 to one that has been shown to the payments of elsewhere. */
const endingStolenTokens: Wire = (next) => {
  const homes = new Map<string, string>()
  const stolen = new Set<string>()
  return async (request) => {
    const token = bearerOf(request)
    const environment = environmentOf(request)
    const isElsewhere = (homes.get(token) ?? environment) !== environment
    if (isElsewhere && pathOf(request).includes('/payments/')) stolen.add(token)
    if (stolen.has(token))
      return new Response(null, {
        status: 401,
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      })
    const response = await next(request)
    if (response.status !== 200 || !pathOf(request).endsWith('/oauth/v2/token')) return response
    const { access_token: issued } = (await response.clone().json()) as { readonly access_token: string }
    homes.set(issued, environment)
    return response
  }
}

const ISSUED = { sandbox: 'sbx_', production: 'prd_' } as const

export const environmentVariations: readonly Variation[] = [
  answering(400),
  answering(405),
  answering(410),
  {
    id: 'unknown-version-has-a-page-of-the-gateway',
    story: 'A version that does not exist is answered with a page in HTML, which repeats the path.',
    wire: refusingVersions((path) => ofAGateway(404, `No route for ${path}`)),
  },
  {
    id: 'unknown-version-leads-to-the-known-one',
    story: 'A version that does not exist is redirected to the one that does.',
    wire: (next) => async (request) => {
      const url = new URL(request.url)
      if (!isUnknownVersion(url.pathname)) return next(request)
      const known = url.pathname.includes('/auth/oauth/') ? '/v2' : '/v1'
      url.pathname = url.pathname.replace(versionIn(url.pathname), known)
      return new Response(null, { status: 308, headers: { location: url.href } })
    },
  },
  {
    id: 'next-version-is-served-already',
    story: 'Beside v1 there is a v2 of the list of accounts, which answers alike.',
    wire: (next) => async (request) => {
      const url = new URL(request.url)
      url.pathname = url.pathname.replace(/\/v2\/accounts$/, '/v1/accounts')
      return next(new Request(url, request))
    },
  },
  {
    id: 'tokens-name-their-environment',
    story: 'A token begins with the name of the environment that has issued it.',
    rules: (lawful) => ({
      newAccessToken: async (facts) => ISSUED[facts.environment] + (await lawful.newAccessToken(facts)),
      newRefreshToken: async (facts) => ISSUED[facts.environment] + (await lawful.newRefreshToken(facts)),
      newPaymentToken: (facts) => ISSUED[facts.environment] + lawful.newPaymentToken(facts),
    }),
  },
  {
    id: 'payment-tokens-shown-elsewhere-end',
    story: 'A token that is shown to the payments of the other environment is taken for stolen, and ends.',
    wire: endingStolenTokens,
  },
  {
    id: 'rate-limits-are-told',
    story: 'Every answer tells how many requests are left, and when its version ends.',
    wire: (next) => async (request) => {
      const response = await next(request)
      response.headers.set('ratelimit-limit', '1000')
      response.headers.set('ratelimit-remaining', '999')
      response.headers.set('deprecation', '@1798761600')
      response.headers.set('sunset', 'Fri, 01 Jan 2038 00:00:00 GMT')
      return response
    },
  },
  {
    id: 'unknown-orders-come-back-with-a-code',
    story:
      'Whoever asks for the authorization of a payment that does not wait for it gets a code for nothing.',
    wire: (next) => async (request) =>
      isPaymentAuthorization(request) ? withIdleCode(await next(request)) : next(request),
  },
]
