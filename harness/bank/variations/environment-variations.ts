/** Other ways to separate environments and to refuse versions. */
import { randomBytes } from '../random.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { seedData } from '../seed-data.ts'
import type { RuleChange, Variation, Wire } from '../defect.ts'
import type { PlainAnswer } from '../rules/address-rules.ts'
import { escapeHtml, rewriteJson } from './wires.ts'

const pathOf = ({ url }: Request): string => new URL(url).pathname

const versionIn = (path: string): string => /\/v\d+(?=\/)/.exec(path)?.[0] ?? ''

/** Whether a path has a version that this bank does not have. */
const isUnknownVersion = (path: string): boolean =>
  versionIn(path) !== '' && versionIn(path) !== (path.includes('/auth/oauth/') ? '/v2' : '/v1')

const refusingVersions =
  (refuse: (url: URL) => PlainAnswer): RuleChange =>
  (lawful) => ({
    nothingFound: (facts) => {
      const url = new URL(facts.url)
      return isUnknownVersion(url.pathname) ? refuse(url) : lawful.nothingFound(facts)
    },
  })

const ofAGateway = (status: number, text: string): PlainAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>${status}</title><h1>${escapeHtml(text)}</h1>`,
})

/** The same address in the version that the bank has. */
const inKnownVersion = ({ origin, pathname, search }: URL): string =>
  origin + pathname.replace(versionIn(pathname), pathname.includes('/auth/oauth/') ? '/v2' : '/v1') + search

const answering = (status: number): Variation => ({
  id: `unknown-version-has-status-${status}`,
  story: `A version that does not exist is answered with ${status}, without a body.`,
  rules: refusingVersions(() => ({ status })),
})

const isPaymentAuthorization = (request: Request): boolean =>
  /^(\/sandbox)?\/auth\/oauth\/v2\/authorize$/.test(pathOf(request)) &&
  new URL(request.url).searchParams.has('orderId')

/** Replaces the error of a redirect by a code that is not valid. */
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

const tokenEnded = (): Response =>
  new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })

/** Ends a token that the payments of the other environment refuse: it is answered 401 from then on. */
const endingStolenTokens: Wire = (next) => {
  const homes = new Map<string, string>()
  const stolen = new Set<string>()
  return async (request) => {
    const token = bearerOf(request)
    const environment = environmentOf(request)
    const isElsewhere = (homes.get(token) ?? environment) !== environment
    if (stolen.has(token)) return tokenEnded()
    const response = await next(request)
    if (isElsewhere && !response.ok && pathOf(request).includes('/payments/')) {
      stolen.add(token)
      return tokenEnded()
    }
    if (response.status !== 200 || !pathOf(request).endsWith('/oauth/v2/token')) return response
    // A bank with a defect may answer in another form than JSON.
    const [, issued] = /"access_token"\s*:\s*"([^"]+)"/.exec(await response.clone().text()) ?? []
    if (issued !== undefined) homes.set(issued, environment)
    return response
  }
}

/** The remainder of a number of any length (ISO 7064, MOD 97-10). */
const remainder = (digits: string): number =>
  Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)

/** SK in digits (ISO 13616), and two zeros for the check digits. */
const SK00 = '282000'

/** Another IBAN of the same bank. Applied twice, it gives the first IBAN. */
const counterpart = (bban: string): string => {
  const other = bban.slice(0, -1) + String(9 - Number(bban.at(-1)))
  return `SK${String(98 - remainder(other + SK00)).padStart(2, '0')}${other}`
}

const withCounterparts = (text: string): string =>
  text.replaceAll(/SK\d\d(\d{20})/g, (_, bban: string) => counterpart(bban))

const isProduction = (request: Request): boolean => environmentOf(request) === 'production'

const NO_BODY: readonly number[] = [204, 205, 304]

/** The same data with the IBANs of production, where every account has another one than in the sandbox. */
export const inProduction = <Data extends object>(data: Data): Data =>
  JSON.parse(withCounterparts(JSON.stringify(data))) as Data

/** In production every account has another IBAN than in the sandbox. */
const ownAccountsInProduction: Wire = (next) => async (request) => {
  if (!isProduction(request)) return next(request)
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const sent = await request.clone().text()
  const response = await next(
    sent === ''
      ? request
      : new Request(request.url, { method: request.method, headers, body: withCounterparts(sent) }),
  )
  if (NO_BODY.includes(response.status)) return response
  const answered = new Headers(response.headers)
  answered.delete('content-length')
  return new Response(withCounterparts(await response.text()), { status: response.status, headers: answered })
}

const NOTE = { note: 'unknown members are allowed' }

/** What a secret ends with that differs by place; that of the sandbox is the one of the seed data. */
export const OWN_SECRET = { sandbox: '', production: '-in-production', loans: '-for-loans' } as const

/** Where the test hooks of one environment are; those of production need the header `X-Operator`, and name a token otherwise. */
export const OWN_HOOKS = { sandbox: '/sandbox/for-tests', production: '/operator/hooks' } as const

const hooksByEnvironment: Wire = (next) => async (request) => {
  const url = new URL(request.url)
  const environment = ENVIRONMENTS.find((name) => url.pathname.startsWith(`${OWN_HOOKS[name]}/`))
  if (environment === undefined) return next(request)
  const isOfProduction = environment === 'production'
  if (isOfProduction && request.headers.get('x-operator') === null) return new Response(null, { status: 401 })
  url.pathname = url.pathname.replace(OWN_HOOKS[environment], '/_test-hooks')
  if (url.pathname.includes('/webhooks/')) url.searchParams.set('environment', environment)
  const text = await request.text()
  return next(
    new Request(url, {
      method: request.method,
      headers: request.headers,
      ...(text !== '' && { body: isOfProduction ? text.replace('"ending":', '"token":') : text }),
    }),
  )
}

const ISSUED = { sandbox: 'sbx_', production: 'prd_' } as const

export const environmentVariations: readonly Variation[] = [
  answering(400),
  answering(405),
  answering(410),
  {
    id: 'unknown-version-has-a-page-of-the-gateway',
    story: 'A version that does not exist is answered with a page in HTML that contains the path.',
    rules: refusingVersions(({ pathname }) => ofAGateway(404, `No route for ${pathname}`)),
  },
  {
    id: 'unknown-version-leads-to-the-known-one',
    story: 'A version that does not exist is redirected to the one that does.',
    rules: refusingVersions((url) => ({ status: 308, headers: { location: inKnownVersion(url) } })),
  },
  {
    id: 'next-version-is-served-already',
    story: 'The list of accounts is served under v2 as well, with the same answers.',
    wire: (next) => async (request) => {
      const url = new URL(request.url)
      url.pathname = url.pathname.replace(/\/v2\/accounts$/, '/v1/accounts')
      return next(new Request(url, request))
    },
  },
  {
    id: 'secrets-differ-by-environment',
    story:
      'An application has one secret in the sandbox, one in production and one in the loan sandbox, where only the first application exists.',
    rules: () => ({
      secretMatches: ({ client, secret, environment }) => secret === client.secret + OWN_SECRET[environment],
      loanSecretMatches: ({ client, secret }) =>
        client === seedData.clients[0] && secret === client.secret + OWN_SECRET.loans,
    }),
  },
  {
    id: 'test-hooks-differ-by-environment',
    story:
      'Each environment has test hooks at its own address; those of production need another header, and book no transaction.',
    wire: hooksByEnvironment,
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
    story: 'A token that is sent to the payments of the other environment is ended.',
    wire: endingStolenTokens,
  },
  {
    id: 'rate-limits-are-told',
    story: 'Every answer has headers for the rate limit and for the end of its version.',
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
    id: 'plain-http-leads-to-https',
    story: 'A request over plain HTTP is redirected to the same address with https.',
    rules: {
      refusalWithoutTls: ({ url }) => ({
        status: 308,
        headers: { location: url.replace(/^http:/, 'https:') },
      }),
    },
  },
  {
    id: 'accounts-of-production-have-other-ibans',
    story: 'The accounts of production have other IBANs than those of the sandbox.',
    wire: ownAccountsInProduction,
  },
  {
    id: 'payment-answers-share-a-note',
    story: 'Every answer of the payment API has the same note, refusals as well.',
    wire: rewriteJson(
      ({ text }) => JSON.stringify({ ...(JSON.parse(text) as object), ...NOTE }),
      ({ request, text }) => pathOf(request).includes('/payments/') && text.trimStart().startsWith('{'),
    ),
  },
  {
    id: 'unknown-orders-come-back-with-a-code',
    story: 'An authorization of an unknown payment is answered with a code that is not valid.',
    wire: (next) => async (request) =>
      isPaymentAuthorization(request) ? withIdleCode(await next(request)) : next(request),
  },
]
