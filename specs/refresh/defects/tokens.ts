import { REF } from '../requirements.ts'
import { acceptingExpiredTokens, acceptingRevokedTokens, refusingWith } from '../../shared/account-defects.ts'
import {
  bearerIn,
  breaking,
  isFor,
  knowingConsents,
  knowingTokens,
  on,
  parsedMembers,
  pathOf,
  perBank,
  readingRequests,
  refusing,
  rewordingAnswers,
  together,
  where,
  wired,
  type FactsOf,
} from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Refreshes without a valid access token that are accepted, or refused with another status, or refused and done. */

/** Requests for a refresh, as rules and as wires see them. */
const REFRESH = isFor('refresh')
const IS_REFRESH = on('PUT', /\/refresh$/)

/** The same refresh with another token, and without a consent in its body. */
const withToken = ({ url, headers }: Request, token: string): Request => {
  const changed = new Headers(headers)
  changed.set('authorization', `Bearer ${token}`)
  return new Request(url, { method: 'PUT', headers: changed })
}

type IsHeader = (header: string | null) => boolean

/** Accepts a refresh with such a header as one with the token of the refresh before. */
const acceptingHeaders = (applies: IsHeader): Wire =>
  perBank(() => {
    let last: string | undefined
    return readingRequests(IS_REFRESH, ({ headers }) => {
      const isMeant = last !== undefined && applies(headers.get('authorization'))
      if (isMeant) headers.set('authorization', `Bearer ${last ?? ''}`)
      else last = bearerIn(headers) ?? last
    })
  })

/** Refuses a refresh with such a header, and starts the task with the token of the last accepted refresh. */
const startingRefused =
  (applies: IsHeader): Wire =>
  (next) => {
    let last: string | undefined
    return async (request) => {
      const response = await next(request)
      if (!IS_REFRESH(request)) return response
      if (response.ok) last = bearerIn(request.headers)
      else if (last !== undefined && applies(request.headers.get('authorization')))
        await next(withToken(request, last))
      return response
    }
  }

const isText = (value: unknown): value is string => typeof value === 'string'

/** Accepts a refresh token in the place of the access token that was issued with it. */
const acceptingRefreshTokens: Wire = perBank(() => {
  const accessTokens = new Map<unknown, string>()
  return wired(
    rewordingAnswers(on(undefined, /\/token$/), ({ members }) => {
      const { access_token: accessToken, refresh_token: refreshToken } = members
      if (refreshToken !== undefined && isText(accessToken)) accessTokens.set(refreshToken, accessToken)
      return undefined
    }),
    readingRequests(IS_REFRESH, ({ headers }) => {
      const token = accessTokens.get(bearerIn(headers))
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    }),
  )
})

/** Accepts a token for payments as the access token of the last accepted refresh. */
const acceptingPaymentTokens: Wire = perBank(() => {
  const issued = new Set<unknown>()
  let last: string | undefined
  return wired(
    rewordingAnswers(on(undefined, /^\/sandbox\/auth\/oauth\/v2\/token$/), ({ status, members }) => {
      if (status < 300) issued.add(members['access_token'])
      return undefined
    }),
    rewordingAnswers(IS_REFRESH, ({ status }, { headers }) => {
      if (status < 300) last = bearerIn(headers)
      return undefined
    }),
    readingRequests(IS_REFRESH, ({ headers }) => {
      if (issued.has(bearerIn(headers)) && last !== undefined) headers.set('authorization', `Bearer ${last}`)
    }),
  )
})

type Grant = FactsOf<'accessIsFresh'>['grant']

/** Accepts a token for loans as one of the newest such grant. */
const acceptingLoanTokens = (
  applies: (grant: Grant, facts: FactsOf<'grantOfLoanToken'>) => boolean,
): RuleChange =>
  where(REFRESH, {
    grantOfLoanToken: (facts) => [...facts.grants.values()].findLast((grant) => applies(grant, facts)),
  })

type SearchFacts = FactsOf<'otherEnvironmentsSearched'>

/** Looks for tokens or consents of the other environment as well. */
const searchingBoth = (
  environment: SearchFacts['environment'],
  ...kinds: readonly SearchFacts['kind'][]
): RuleChange =>
  where((facts) => REFRESH(facts) && facts.environment === environment && kinds.includes(facts.kind), {
    otherEnvironmentsSearched: () => ['sandbox', 'production'],
  })

const withoutToken: readonly Defect[] = [
  ...breaking(REF.refreshWithoutTokenIsRefused, {
    'refresh-needs-no-token': {
      story: 'A refresh without an Authorization header refreshes the consent of the refresh before.',
      wire: acceptingHeaders((header) => header === null),
    },
    'refresh-takes-the-word-bearer-alone': {
      story: 'A refresh is accepted with a Bearer header without a token.',
      wire: acceptingHeaders((header) => header?.trim() === 'Bearer'),
    },
    'refresh-takes-the-basic-header': {
      story: 'A refresh is accepted with the Basic header of the client.',
      wire: acceptingHeaders((header) => header?.startsWith('Basic ') ?? false),
    },
    'refresh-takes-the-refresh-token': {
      story: 'A refresh is accepted with the refresh token.',
      wire: acceptingRefreshTokens,
    },
    'refresh-takes-tokens-for-loans': {
      story: 'A refresh is accepted with an access token of the loan sandbox.',
      rules: acceptingLoanTokens(({ consentId }) => consentId !== undefined),
    },
    'refresh-takes-tokens-for-loans-of-its-application': {
      story: 'A refresh with a token for loans refreshes the last grant to its application.',
      rules: acceptingLoanTokens(({ clientId }, { token }) => clientId === token.clientId),
    },
    'refresh-takes-tokens-for-payments': {
      story: 'A refresh is accepted with an access token for payments.',
      wire: acceptingPaymentTokens,
    },
    'refresh-in-production-takes-tokens-of-the-sandbox': {
      story: 'A refresh in production accepts tokens and consents of the sandbox.',
      rules: searchingBoth('production', 'accessTokens', 'consents'),
    },
    'refresh-in-the-sandbox-takes-tokens-of-production': {
      story: 'A refresh in the sandbox accepts tokens and consents of production.',
      rules: searchingBoth('sandbox', 'accessTokens', 'consents'),
    },
    'refresh-in-the-sandbox-takes-tokens-of-production-for-its-consents': {
      story: 'A refresh in the sandbox accepts tokens of production for every consent of the sandbox.',
      rules: together(
        searchingBoth('sandbox', 'accessTokens'),
        where(({ token }) => token.environment === 'production', { mayRefreshConsent: () => true }),
      ),
    },
    'refused-refresh-without-a-token-is-carried-out': {
      story: 'A refresh without an Authorization header is refused, and its task is started all the same.',
      wire: startingRefused((header) => header === null),
    },
    'refused-refresh-with-an-unknown-token-is-carried-out': {
      story: 'A refresh with an unknown token is refused, and its task is started all the same.',
      wire: startingRefused((header) => header?.includes('No-bank-has-ever-issued') ?? false),
    },
  }),
]

/** Accepts an expired token, depending on its place among the tokens of its grant. */
const acceptingOfRenewedGrants = (
  applies: (place: number, tokens: readonly string[]) => boolean,
): RuleChange =>
  knowingTokens((issued) =>
    where(
      (facts) => {
        const tokens = [...issued.values()]
          .filter(({ grantId }) => grantId === facts.grant.grantId)
          .map(({ value }) => value)
        return REFRESH(facts) && applies(tokens.indexOf(facts.token.value), tokens)
      },
      { accessIsFresh: () => true },
    ),
  )

const DAY = 86_400_000

type DeadTokenRules = Pick<Partial<Rules>, 'accessIsFresh' | 'accessIsRevoked'>
type Remember = (facts: FactsOf<'accessIsFresh'>, isDead: boolean) => void

/** Starts the task of a refresh with a dead token, and answers 401. */
const startingWithDeadTokens =
  (accepting: (lawful: Rules, remember: Remember) => DeadTokenRules): RuleChange =>
  (lawful) => {
    const dead = new Set<string>()
    const remember: Remember = (facts, isDead) => {
      if (REFRESH(facts) && isDead) dead.add(facts.token.value)
    }
    return {
      ...accepting(lawful, remember),
      grantCounts: (facts) => facts.tokens.some(({ value }) => dead.has(value)) || lawful.grantCounts(facts),
      refreshStatus: (facts) => (dead.has(facts.token.value) ? 401 : lawful.refreshStatus(facts)),
      refreshBody: (facts) =>
        dead.has(facts.token.value) ? { error: 'invalid_token' } : lawful.refreshBody(facts),
    }
  }

const deadTokens: readonly Defect[] = [
  ...breaking(REF.refreshWithAnExpiredTokenHasStatus401, {
    'refresh-takes-expired-tokens': {
      story: 'A refresh does not check whether a token has expired.',
      rules: acceptingExpiredTokens(REFRESH),
    },
    'refresh-takes-tokens-for-a-day-more': {
      story: 'A refresh is accepted with a token that has expired less than a day ago.',
      rules: where(REFRESH, (lawful) => ({
        accessIsFresh: (facts) =>
          lawful.accessIsFresh({ ...facts, now: new Date(facts.now.getTime() - DAY) }),
      })),
    },
    'refresh-with-an-expired-token-is-forbidden': {
      story: 'A refresh is answered with 403 when the token has expired.',
      rules: refusingWith(REFRESH, 'token_expired', 403),
    },
    'refresh-with-an-expired-token-is-a-bad-request-in-production': {
      story: 'In production, a refresh is answered with 400 when the token has expired.',
      environment: 'production',
      rules: refusingWith(REFRESH, 'token_expired', 400),
    },
    'refresh-takes-an-expired-token-whose-grant-was-renewed': {
      story: 'A refresh accepts an expired token whose grant has a newer one.',
      rules: acceptingOfRenewedGrants((place, tokens) => place < tokens.length - 1),
    },
    'refresh-takes-an-expired-token-that-came-of-a-renewal': {
      story: 'A refresh does not check the age of a renewed token.',
      rules: acceptingOfRenewedGrants((place, tokens) => place > 0 && place === tokens.length - 1),
    },
    'refresh-with-an-expired-token-is-carried-out-in-silence': {
      story: 'A refresh with an expired token is answered with 401, and its task is started all the same.',
      rules: startingWithDeadTokens((lawful, remember) => ({
        accessIsFresh: (facts) => {
          remember(facts, !lawful.accessIsFresh(facts))
          return REFRESH(facts) || lawful.accessIsFresh(facts)
        },
      })),
    },
  }),
  ...breaking(REF.refreshWithARevokedTokenHasStatus401, {
    'refresh-takes-revoked-tokens': {
      story: 'A refresh does not check whether a token was revoked.',
      rules: acceptingRevokedTokens(REFRESH),
    },
    'refresh-with-a-revoked-token-is-forbidden': {
      story: 'A refresh is answered with 403 when the token was revoked.',
      rules: refusingWith(REFRESH, 'token_revoked', 403),
    },
    'refresh-with-a-revoked-token-is-carried-out-in-silence': {
      story: 'A refresh with a revoked token is answered with 401, and its task is started all the same.',
      rules: startingWithDeadTokens((lawful, remember) => ({
        accessIsRevoked: (facts) => {
          remember(facts, lawful.accessIsRevoked(facts))
          return !REFRESH(facts) && lawful.accessIsRevoked(facts)
        },
      })),
    },
  }),
]

export const tokenDefects: readonly Defect[] = [...withoutToken, ...deadTokens]

/** Refreshes of consents that the token was not granted for. */

/** Accepts every refresh of a consent that was never created, and starts no task. */
const acceptingUnknownConsents: Wire = perBank(() => {
  const created = new Set<unknown>()
  return wired(
    rewordingAnswers(on('POST', /\/v1\/consents$/), ({ members }) => {
      created.add(members['consentId'])
      return undefined
    }),
    rewordingAnswers(IS_REFRESH, ({ status }, { body }) => {
      const consentId = parsedMembers(body)?.['consentId']
      const isUnknown = consentId !== undefined && !created.has(consentId)
      return status >= 400 && isUnknown
        ? { status: 202, json: { taskId: `task-${created.size}` } }
        : undefined
    }),
  )
})

/** Refreshes the consent that a request names, with a token that was granted for it, in addition to the correct answer. */
const refreshingTheNamed =
  ({ isAnswered }: { readonly isAnswered: boolean }): Wire =>
  (next) => {
    const tokens = new Map<unknown, string>()
    return async (request) => {
      const body = await request.clone().text()
      if (IS_REFRESH(request)) {
        const token = tokens.get(parsedMembers(body)?.['consentId'])
        const own = bearerIn(request.headers) ?? ''
        const isForeign = token !== undefined && token !== own && [...tokens.values()].includes(own)
        if (isForeign) await next(withToken(request, token))
        return next(isForeign && isAnswered ? withToken(request, own) : request)
      }
      const response = await next(request)
      const [, consentId] = /^\w+:(.+)$/.exec(new URLSearchParams(body).get('scope') ?? '') ?? []
      if (!pathOf(request).endsWith('/token') || consentId === undefined || !response.ok) return response
      const token = parsedMembers(await response.clone().text())?.['access_token']
      if (typeof token === 'string') tokens.set(consentId, token)
      return response
    }
  }

/** Accepts refreshes of the consents that such a client has created. */
const acceptingConsentsOf = (
  isMeant: (creator: string | undefined, clientId: string) => boolean,
): RuleChange =>
  knowingConsents((created) =>
    where(
      ({ grant, consentId }) =>
        isMeant(created.find((one) => one.consentId === consentId)?.clientId, grant.clientId),
      { mayRefreshConsent: () => true },
    ),
  )

export const consentDefects: readonly Defect[] = [
  ...breaking(REF.anotherConsentIsNotRefreshed, {
    'refresh-takes-any-consent': {
      story: 'Every token may refresh every consent.',
      rules: { mayRefreshConsent: () => true },
    },
    'refresh-takes-consents-of-the-application': {
      story: 'A token may refresh every consent of its application.',
      rules: acceptingConsentsOf((creator, clientId) => creator === clientId),
    },
    'refresh-takes-consents-of-other-applications': {
      story: 'A token is checked only for consents of its own application: those of others are refreshed.',
      rules: acceptingConsentsOf((creator, clientId) => creator !== clientId),
    },
    'refresh-takes-the-newest-consent': {
      story: 'Every token may refresh the consent that was created last, whether or not it was granted.',
      rules: knowingConsents((created) =>
        where(({ consentId }) => created.at(-1)?.consentId === consentId, { mayRefreshConsent: () => true }),
      ),
    },
    'refused-refresh-of-another-consent-is-carried-out': {
      story: 'A refresh of another consent is refused, and its task is started all the same.',
      wire: refreshingTheNamed({ isAnswered: false }),
    },
    'refresh-of-the-own-consent-refreshes-the-named-one-too': {
      story: 'A refresh updates the consent of the token, and also the one that the request names.',
      wire: refreshingTheNamed({ isAnswered: true }),
    },
  }),
  ...breaking(REF.anotherConsentIsNotRefreshed, {
    'refused-refresh-is-a-server-error': {
      story: 'A refresh of a consent that the token is not for is always answered with the status 500.',
      alsoBreaks: [REF.unknownConsentIsNotRefreshed],
      rules: refusing(({ error }) => error === 'consent_unknown', { status: 500 }),
    },
  }),
  ...breaking(REF.unknownConsentIsNotRefreshed, {
    'refresh-takes-unknown-consents': {
      story: 'A refresh of a consent that does not exist is answered with a taskId.',
      wire: acceptingUnknownConsents,
    },
  }),
]
