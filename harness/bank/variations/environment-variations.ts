/** Other ways to separate environments and to refuse versions. */
import { ENVIRONMENTS, type EnvironmentName } from '../base-paths.ts'
import { alter } from '../changes/alter.ts'
import { on, pathOf, reply, reread, rewrite } from '../changes/answer.ts'
import { both } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import { randomBytes } from '../random.ts'
import type { PlainAnswer } from '../rules/address-rules.ts'
import { seedData } from '../seed-data.ts'
import { escapeHtml, hasJson } from './words.ts'

const versionIn = (path: string): string => /\/v\d+(?=\/)/.exec(path)?.[0] ?? ''

const knownVersion = (path: string): string => (path.includes('/auth/oauth/') ? '/v2' : '/v1')

/** Other answers to a version that does not exist. */
const unknownVersions = (answered: (url: URL) => PlainAnswer) =>
  alter({
    nothingFound: (usual, facts) => {
      const url = new URL(facts.url)
      const version = versionIn(url.pathname)
      return version !== '' && version !== knownVersion(url.pathname) ? answered(url) : usual
    },
  })

/** The same address in the version that the bank has. */
const inKnownVersion = ({ origin, pathname, search }: URL): string =>
  origin + pathname.replace(versionIn(pathname), knownVersion(pathname)) + search

const isPaymentAuthorization = (request: Request): boolean =>
  on(undefined, /^(\/sandbox)?\/auth\/oauth\/v2\/authorize$/)(request) &&
  new URL(request.url).searchParams.has('orderId')

/** The address with a code that is not valid instead of the error; undefined if it has another error, or none. */
const withInvalidCode = (location: string | null): string | undefined => {
  const url = location === null ? undefined : new URL(location)
  if (url?.searchParams.get('error') !== 'invalid_request') return undefined
  url.searchParams.delete('error')
  url.searchParams.delete('error_description')
  url.searchParams.set('code', randomBytes(16).toString('hex'))
  return url.href
}

const environmentOf = (request: Request): EnvironmentName =>
  pathOf(request).includes('/sandbox/') ? 'sandbox' : 'production'

const isOfProduction = (request: Request): boolean => environmentOf(request) === 'production'

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

/** The same data with the IBANs of production, where every account has another one than in the sandbox. */
export const inProduction = <Data extends object>(data: Data): Data =>
  JSON.parse(withCounterparts(JSON.stringify(data))) as Data

/** What a secret ends with that differs by place; that of the sandbox is the one of the seed data. */
export const OWN_SECRET = { sandbox: '', production: '-in-production', loans: '-for-loans' } as const

/** Where the test hooks of one environment are; those of production need the header `X-Operator`, and name a token otherwise. */
export const OWN_HOOKS = { sandbox: '/sandbox/for-tests', production: '/operator/hooks' } as const

const hookEnvironment = (request: Request): EnvironmentName | undefined =>
  ENVIRONMENTS.find((name) => pathOf(request).startsWith(`${OWN_HOOKS[name]}/`))

const hooksByEnvironment = both(
  reread((asked, request) => {
    const environment = hookEnvironment(request)
    if (environment === undefined) return
    asked.url.pathname = asked.url.pathname.replace(OWN_HOOKS[environment], '/_test-hooks')
    if (asked.url.pathname.includes('/webhooks/')) asked.query.set('environment', environment)
    if (environment === 'production') asked.body = asked.body.replace('"ending":', '"token":')
  }),
  reply(
    (request) => hookEnvironment(request) === 'production' && !request.headers.has('x-operator'),
    () => new Response(null, { status: 401 }),
  ),
)

const PREFIXES = { sandbox: 'sbx_', production: 'prd_' } as const

const prefixed = (token: string, { environment }: { readonly environment: EnvironmentName }): string =>
  PREFIXES[environment] + token

export const environmentVariations: readonly Variation[] = variationsOf({
  'An unknown version is answered with 400 and no body': unknownVersions(() => ({ status: 400 })),
  'An unknown version is answered with 405 and no body': unknownVersions(() => ({ status: 405 })),
  'An unknown version is answered with 410 and no body': unknownVersions(() => ({ status: 410 })),
  'An unknown version is answered with an HTML page': unknownVersions(({ pathname }) => ({
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><title>404</title><h1>No route for ${escapeHtml(pathname)}</h1>`,
  })),
  'An unknown version is redirected to the known one': unknownVersions((url) => ({
    status: 308,
    headers: { location: inKnownVersion(url) },
  })),
  'The list of accounts is served under v2 as well': reread(({ url }) => {
    url.pathname = url.pathname.replace(/\/v2\/accounts$/, '/v1/accounts')
  }),
  // In the loan sandbox only the first application exists.
  'The secret of an application differs by environment': alter({
    secretMatches: (_, { client, secret, environment }) => secret === client.secret + OWN_SECRET[environment],
    loanSecretMatches: (_, { client, secret }) =>
      client === seedData.clients[0] && secret === client.secret + OWN_SECRET.loans,
  }),
  'The test hooks differ by environment': hooksByEnvironment,
  'Tokens begin with the name of their environment': alter({
    newAccessToken: prefixed,
    newRefreshToken: prefixed,
    newPaymentToken: prefixed,
  }),
  'Payment tokens end when they are sent to another environment': alter(
    {
      paymentTokenIsRevoked: (is, { token: { value, environment } }, { of }) =>
        is ||
        of('paymentTokenCarried').some(
          ({ facts, answer }) => answer === value && facts.environment !== environment,
        ),
    },
    'paymentTokenCarried',
  ),
  'Every answer has headers for rate limits and the end of life': rewrite(() => ({
    headers: {
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '999',
      deprecation: '@1798761600',
      sunset: 'Fri, 01 Jan 2038 00:00:00 GMT',
    },
  })),
  'A request over plain HTTP is redirected to https': alter({
    refusalWithoutTls: (_, { url }) => ({
      status: 308,
      headers: { location: url.replace(/^http:/, 'https:') },
    }),
  }),
  'The accounts of production have other IBANs': both(
    reread((asked, request) => {
      if (isOfProduction(request)) asked.body = withCounterparts(asked.body)
    }),
    rewrite(({ text }, request) => (isOfProduction(request) ? { text: withCounterparts(text) } : undefined)),
  ),
  'Every answer to a payment request has the same note': rewrite((sent, request) =>
    hasJson(sent) && pathOf(request).includes('/payments/') && sent.text.trimStart().startsWith('{')
      ? { json: { ...sent.members, note: 'unknown members are allowed' } }
      : undefined,
  ),
  'The authorization of an unknown payment returns a code': rewrite(({ headers }, request) => {
    const location = isPaymentAuthorization(request) ? withInvalidCode(headers.get('location')) : undefined
    return location === undefined ? undefined : { headers: { location } }
  }),
})
