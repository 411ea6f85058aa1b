/** Banks whose second variant of the accounts is granted by itself. Their profiles say so, in `secondVariant.oauth`. */
import type { Variation, Wire } from '../defect.ts'
import type { Rules } from '../rules.ts'
import type { BearerFacts } from '../rules/facts.ts'

/** The scope of the second variant. */
const SCOPE = 'AIS_2'

const isOwn = (scope: string): boolean => scope.split(':')[0] === SCOPE

/** Begins the refresh tokens of the second variant. */
const MARK = 'ais2_'

const OWN_ENDPOINT = /^(\/sandbox)?\/auth\/ais\/(authorize|token)$/
const ENDPOINT = /^\/premium\/\w+\/auth\/oauth\/v2\/(authorize|token)$/

/** The endpoint of the first variant, which does the work for both. */
const workingFor = (pathname: string): string =>
  pathname.replace(
    OWN_ENDPOINT,
    (_, sandbox: string | undefined, name: string) =>
      `/premium/${sandbox === undefined ? 'production' : 'sandbox'}/auth/oauth/v2/${name}`,
  )

/** What belongs to the other variant is not known here. @returns whether there was any. */
const forgetForeign = (fields: URLSearchParams, isOfSecond: boolean): boolean => {
  const [scope, refreshToken] = [fields.get('scope'), fields.get('refresh_token')]
  const foreign = [
    ...(scope !== null && isOwn(scope) !== isOfSecond ? ['scope'] : []),
    ...(refreshToken !== null && refreshToken.startsWith(MARK) !== isOfSecond ? ['refresh_token'] : []),
  ]
  for (const name of foreign) fields.set(name, 'unknown')
  return foreign.length > 0
}

/** The second variant has an authorization endpoint and a token endpoint of its own. */
const ownEndpoints: Wire = (next) => async (request) => {
  const url = new URL(request.url)
  const isOfSecond = OWN_ENDPOINT.test(url.pathname)
  if (!isOfSecond && !ENDPOINT.test(url.pathname)) return next(request)
  url.pathname = workingFor(url.pathname)
  forgetForeign(url.searchParams, isOfSecond)
  const { method, headers } = request
  if (method === 'GET') return next(new Request(url, { headers }))
  const text = await request.text()
  const form = new URLSearchParams(text)
  return next(
    new Request(url, { method, headers, body: forgetForeign(form, isOfSecond) ? form.toString() : text }),
  )
}

/** The scope of the second variant has what stands behind that of the first. */
const underAConsent = (lawful: Rules): Partial<Rules> => ({
  requestedScope: ({ scope, ...facts }) => {
    const [, consentId] = /^AIS_2(?::(\S+))?$/.exec(scope) ?? []
    return isOwn(scope) ? { name: SCOPE, consentId } : lawful.requestedScope({ ...facts, scope })
  },
})

const isOfOtherVariant = ({ variant, token }: BearerFacts): boolean =>
  isOwn(token.scope) !== (variant === 'second')

export const ownGrantVariations: readonly Variation[] = [
  {
    id: 'second-variant-granted-by-itself',
    story:
      'The second variant has a scope and endpoints of its own, and no consent. A token opens one variant.',
    wire: ownEndpoints,
    rules: (lawful) => ({
      requestedScope: (facts) =>
        facts.scope === SCOPE ? { name: SCOPE, consentId: undefined } : lawful.requestedScope(facts),
      scopeFitsClient: (facts) => facts.requested.name === SCOPE || lawful.scopeFitsClient(facts),
      newRefreshToken: async (facts) =>
        (isOwn(facts.grant.scope) ? MARK : '') + (await lawful.newRefreshToken(facts)),
      accessIsRevoked: (facts) => isOfOtherVariant(facts) || lawful.accessIsRevoked(facts),
    }),
  },
  {
    id: 'second-variant-granted-under-a-consent',
    story: 'The second variant has a scope of its own, with the consent of a TPP. A token opens one variant.',
    rules: (lawful) => ({
      ...underAConsent(lawful),
      accessIsRevoked: (facts) => isOfOtherVariant(facts) || lawful.accessIsRevoked(facts),
    }),
  },
  {
    id: 'second-variant-open-to-both-tokens',
    story: 'The second variant has a scope of its own, and a token of the first variant opens it as well.',
    rules: underAConsent,
  },
]
