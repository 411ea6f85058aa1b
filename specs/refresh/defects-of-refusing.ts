import { REF } from './requirements.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Refreshes that a bank should refuse, and does not, or not in the right way. */

const isRefresh = ({ method, url }: Request): boolean =>
  method === 'PUT' && new URL(url).pathname.endsWith('/refresh')

const withToken = (request: Request, token: string): Request => {
  const changed = new Request(request.url, request)
  changed.headers.set('authorization', `Bearer ${token}`)
  return changed
}

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** Lets a refresh pass with the token of the last one, where its header is like that. */
const lettingPass =
  (isLike: (header: string | null) => boolean): Wire =>
  (next) => {
    let last: string | undefined
    return (request) => {
      if (!isRefresh(request)) return next(request)
      if (last !== undefined && isLike(request.headers.get('authorization')))
        return next(withToken(request, last))
      last = bearerOf(request) ?? last
      return next(request)
    }
  }

/** Takes a refresh token for the access token that was issued with it. */
const takingRefreshTokens: Wire = (next) => {
  const access = new Map<string, string>()
  return async (request) => {
    if (isRefresh(request)) {
      const token = access.get(bearerOf(request) ?? '')
      return next(token === undefined ? request : withToken(request, token))
    }
    const response = await next(request)
    if (!new URL(request.url).pathname.endsWith('/token')) return response
    const body = (await response.clone().json()) as { access_token?: string; refresh_token?: string }
    if (body.refresh_token !== undefined) access.set(body.refresh_token, body.access_token ?? '')
    return response
  }
}

/** Takes a token from this token endpoint for the access token of the last refresh that was carried out. */
const takingTokensOf =
  (issuedAt: string): Wire =>
  (next) => {
    const foreign = new Set<string>()
    let last: string | undefined
    return async (request) => {
      const bearer = bearerOf(request) ?? ''
      if (isRefresh(request) && foreign.has(bearer) && last !== undefined)
        return next(withToken(request, last))
      const response = await next(request)
      if (isRefresh(request) && response.ok) last = bearer
      if (new URL(request.url).pathname !== issuedAt || !response.ok) return response
      foreign.add(((await response.clone().json()) as { access_token: string }).access_token)
      return response
    }
  }

/** Takes every refresh of a consent that was never created, and does nothing of it. */
const takingUnknownConsents: Wire = (next) => {
  const created = new Set<string>()
  return async (request) => {
    const body = request.clone()
    const response = await next(request)
    if (new URL(request.url).pathname.endsWith('/v1/consents'))
      created.add(((await response.clone().json()) as { consentId: string }).consentId)
    if (!isRefresh(request) || response.status !== 404) return response
    const { consentId = '' } = (await body.json()) as { consentId?: string }
    return created.has(consentId)
      ? response
      : Response.json({ taskId: `task-${created.size}` }, { status: 202 })
  }
}

const withoutToken: readonly Defect[] = [
  {
    id: 'refresh-needs-no-token',
    story: 'A refresh without an Authorization header is that of the consent that was refreshed last.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: lettingPass((header) => header === null),
  },
  {
    id: 'refresh-takes-the-word-bearer-alone',
    story: 'A refresh with the word Bearer and no token behind it is carried out.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: lettingPass((header) => header?.trim() === 'Bearer'),
  },
  {
    id: 'refresh-takes-the-basic-header',
    story: 'The Basic header of the client is enough for a refresh.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: lettingPass((header) => header?.startsWith('Basic ') ?? false),
  },
  {
    id: 'refresh-takes-the-refresh-token',
    story: 'A refresh is carried out with the refresh token as well.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: takingRefreshTokens,
  },
  {
    id: 'refresh-takes-tokens-for-loans',
    story: 'A refresh is carried out with an access token of the loan sandbox.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    rules: (lawful) => ({
      grantOfLoanToken: (facts) =>
        facts.endpoint === 'refresh'
          ? [...facts.grants.values()].findLast(({ consentId }) => consentId !== undefined)
          : lawful.grantOfLoanToken(facts),
    }),
  },
  {
    id: 'refresh-takes-tokens-for-loans-of-its-application',
    story: 'A refresh takes a token for loans for what its application was granted last.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    rules: (lawful) => ({
      grantOfLoanToken: (facts) =>
        facts.endpoint === 'refresh'
          ? [...facts.grants.values()].findLast(({ clientId }) => clientId === facts.token.clientId)
          : lawful.grantOfLoanToken(facts),
    }),
  },
  {
    id: 'refresh-takes-tokens-for-payments',
    story: 'A refresh is carried out with the access token that the application has for payments.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: takingTokensOf('/sandbox/auth/oauth/v2/token'),
  },
]

/** Refreshes further consents, in the light of those that were created before, the oldest first. */
const refreshingToo =
  (
    isToo: (facts: Parameters<Rules['mayRefreshConsent']>[0], created: readonly Creation[]) => boolean,
  ): RuleChange =>
  (lawful) => {
    const created: Creation[] = []
    return {
      newConsentId: (facts) => {
        const consentId = lawful.newConsentId(facts)
        created.push({ consentId, clientId: facts.client.clientId })
        return consentId
      },
      mayRefreshConsent: (facts) => lawful.mayRefreshConsent(facts) || isToo(facts, created),
    }
  }

interface Creation {
  readonly consentId: string
  readonly clientId: string
}

const clientOf = (created: readonly Creation[], consentId: string): string | undefined =>
  created.find((one) => one.consentId === consentId)?.clientId

const ofAnotherConsent: readonly Defect[] = [
  {
    id: 'refresh-takes-any-consent',
    story: 'Whoever has a token may have every consent refreshed.',
    breaks: [REF.anotherConsentIsNotRefreshed],
    rules: { mayRefreshConsent: () => true },
  },
  {
    id: 'refresh-takes-consents-of-the-application',
    story: 'An application may have every consent of its own refreshed, with the token of any of them.',
    breaks: [REF.anotherConsentIsNotRefreshed],
    rules: refreshingToo(({ grant, consentId }, created) => clientOf(created, consentId) === grant.clientId),
  },
  {
    id: 'refresh-takes-consents-of-other-applications',
    story: 'A token is compared with the consents of its own application alone: those of others pass.',
    breaks: [REF.anotherConsentIsNotRefreshed],
    rules: refreshingToo(({ grant, consentId }, created) => clientOf(created, consentId) !== grant.clientId),
  },
  {
    id: 'refresh-takes-the-newest-consent',
    story: 'The consent that was created last may be refreshed, whether or not a customer has granted it.',
    breaks: [REF.anotherConsentIsNotRefreshed],
    rules: refreshingToo(({ consentId }, created) => created.at(-1)?.consentId === consentId),
  },
  {
    id: 'refresh-takes-unknown-consents',
    story: 'A refresh of a consent that nobody has created is answered with a taskId.',
    breaks: [REF.unknownConsentIsNotRefreshed],
    wire: takingUnknownConsents,
  },
]

type Searched = Parameters<Rules['otherEnvironmentsSearched']>[0]

/** In this environment a refresh looks in both for what it is asked for. */
const refreshing =
  (
    environment: Searched['environment'],
    ...kinds: readonly Searched['kind'][]
  ): ((lawful: Rules) => Partial<Rules>) =>
  (lawful) => ({
    otherEnvironmentsSearched: (facts) => {
      const isMeant = facts.endpoint === 'refresh' && facts.environment === environment
      return isMeant && kinds.includes(facts.kind)
        ? ['sandbox', 'production']
        : lawful.otherEnvironmentsSearched(facts)
    },
  })

const ofAnotherEnvironment: readonly Defect[] = [
  {
    id: 'refresh-in-production-takes-tokens-of-the-sandbox',
    story: 'A refresh in production looks for its token and its consent in the sandbox as well.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    rules: refreshing('production', 'accessTokens', 'consents'),
  },
  {
    id: 'refresh-in-the-sandbox-takes-tokens-of-production',
    story: 'A refresh in the sandbox looks for its token and its consent in production as well.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    rules: refreshing('sandbox', 'accessTokens', 'consents'),
  },
  {
    id: 'refresh-in-the-sandbox-takes-tokens-of-production-for-its-consents',
    story: 'A refresh in the sandbox takes a token of production for every consent of the sandbox.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    rules: (lawful) => ({
      ...refreshing('sandbox', 'accessTokens')(lawful),
      mayRefreshConsent: (facts) =>
        facts.token.environment === 'production' || lawful.mayRefreshConsent(facts),
    }),
  },
]

export const defectsOfRefusing: readonly Defect[] = [
  ...withoutToken,
  ...ofAnotherEnvironment,
  ...ofAnotherConsent,
]
