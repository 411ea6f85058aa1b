import {
  basicHeader,
  basicIn,
  breaking,
  isOfAFac,
  isOfATpp,
  knowingRenewed,
  where,
  type FactsOf,
} from '../../shared/defects.ts'
import { isRecasedOnce, readingRefreshes, type IssuedTokens } from './requests.ts'
import { TOK } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Faults in the tokens that a refresh gives. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

const isRefresh = ({ grantType }: IssueFacts): boolean => grantType === 'refresh_token'

/** Gives the old access token at some refreshes. */
const keepingTheAccessToken =
  (applies: (facts: IssueFacts) => boolean): RuleChange =>
  (lawful) => ({
    newAccessToken: (facts) =>
      facts.previous !== undefined && applies(facts)
        ? facts.previous.accessToken
        : lawful.newAccessToken(facts),
  })

/** Gives the old refresh token at some refreshes, and accepts it any number of times. */
const keepingTheRefreshToken =
  (applies: (facts: IssueFacts) => boolean): RuleChange =>
  (lawful) => ({
    newRefreshToken: (facts) =>
      facts.previous !== undefined && applies(facts) ? facts.previous.value : lawful.newRefreshToken(facts),
    redeemsRefreshToken: async (facts) => {
      await lawful.redeemsRefreshToken(facts)
      return true
    },
  })

/** Counts the refreshes of each grant, the current one included. */
const counted =
  (make: (count: (facts: IssueFacts) => number) => RuleChange): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    const change = make(({ grant }) => counts.get(grant.grantId) ?? 0)
    return {
      ...(typeof change === 'function' ? change(lawful) : change),
      // The first rule that is asked when tokens are issued.
      accessLifetime: (facts) => {
        const { grantId } = facts.grant
        if (isRefresh(facts)) counts.set(grantId, (counts.get(grantId) ?? 0) + 1)
        return lawful.accessLifetime(facts)
      },
    }
  }

const isSecond =
  (count: (facts: IssueFacts) => number) =>
  (facts: IssueFacts): boolean =>
    count(facts) === 2

export const renewalDefects: readonly Defect[] = [
  ...breaking(TOK.refreshGivesANewAccessToken, {
    'refresh-keeps-the-access-token': {
      story: 'A refresh gives the old access token.',
      rules: keepingTheAccessToken(() => true),
    },
    'refresh-of-a-fac-keeps-the-access-token': {
      story: 'A refresh of a FAC gives the old access token.',
      rules: keepingTheAccessToken(isOfAFac),
    },
    'second-refresh-keeps-the-access-token': {
      story: 'The second refresh of a grant gives the access token of the first.',
      rules: counted((count) => keepingTheAccessToken(isSecond(count))),
    },
    'second-refresh-brings-the-first-access-token-back': {
      story: 'The second refresh of a grant gives the access token of the code exchange.',
      rules: counted((count) => (lawful) => {
        const first = new Map<string, string>()
        return {
          newAccessToken: async (facts) => {
            const { grantId } = facts.grant
            const token = await lawful.newAccessToken(facts)
            if (!isRefresh(facts)) first.set(grantId, token)
            return isSecond(count)(facts) ? (first.get(grantId) ?? token) : token
          },
        }
      }),
    },
  }),
  ...breaking(TOK.refreshGivesANewRefreshToken, {
    'refresh-gives-no-refresh-token': {
      story: 'A refresh gives no refresh token.',
      rules: { refreshTokenIsIssued: (facts) => !isRefresh(facts) },
    },
    'refresh-keeps-the-refresh-token': {
      story: 'A refresh gives the old refresh token, which is accepted any number of times.',
      rules: keepingTheRefreshToken(() => true),
    },
    'refresh-of-a-tpp-keeps-the-refresh-token': {
      story: 'A refresh of a TPP gives the old refresh token.',
      rules: keepingTheRefreshToken(isOfATpp),
    },
    'second-refresh-keeps-the-refresh-token': {
      story: 'The second refresh of a grant gives the refresh token that it used.',
      rules: counted((count) => keepingTheRefreshToken(isSecond(count))),
    },
    'second-refresh-gives-no-refresh-token': {
      story: 'The second refresh of a grant gives no refresh token.',
      rules: counted((count) => ({ refreshTokenIsIssued: (facts) => count(facts) < 2 })),
    },
  }),
  ...breaking(TOK.refreshedAccessTokenIsAccepted, {
    'refreshed-token-opens-nothing': {
      story: 'The access token of a refresh is refused.',
      rules: knowingRenewed((isRenewed) => where(isRenewed, { accessIsFresh: () => false })),
    },
    'refreshed-token-of-a-tpp-opens-nothing': {
      story: 'The access token of a refresh of a TPP is refused.',
      rules: knowingRenewed((isRenewed) =>
        where((facts) => isRenewed(facts) && isOfATpp(facts), { accessIsFresh: () => false }),
      ),
    },
    'refreshed-token-opens-an-empty-list': {
      story: 'The access token of a refresh is answered an empty list of accounts.',
      rules: knowingRenewed((isRenewed) => where(isRenewed, { accountsSeen: () => [] })),
    },
    'token-of-a-second-refresh-opens-nothing': {
      story: 'The access token of the second refresh of a grant is refused.',
      rules: counted((count) => (lawful) => {
        const dead = new Set<string>()
        return {
          newAccessToken: async (facts) => {
            const token = await lawful.newAccessToken(facts)
            if (isSecond(count)(facts)) dead.add(token)
            return token
          },
          accessIsFresh: (facts) => !dead.has(facts.token.value) && lawful.accessIsFresh(facts),
        }
      }),
    },
  }),
  ...breaking(TOK.refreshedRefreshTokenIsAccepted, {
    'one-refresh-a-grant': {
      story: 'The refresh token of a refresh is refused.',
      alsoBreaks: [TOK.refreshTokenLivesNinetyDays],
      rules: (lawful) => {
        const renewed = new Set<string>()
        return {
          newRefreshToken: async (facts) => {
            const token = await lawful.newRefreshToken(facts)
            if (isRefresh(facts)) renewed.add(token)
            return token
          },
          redeemsRefreshToken: (facts) =>
            !renewed.has(facts.refreshToken.value) && lawful.redeemsRefreshToken(facts),
        }
      },
    },
    'refreshed-refresh-token-belongs-to-nobody': {
      story: 'In production the refresh token of a refresh is refused as that of another client.',
      alsoBreaks: [TOK.refreshTokenLivesNinetyDays],
      environment: 'production',
      rules: (lawful) => {
        const renewed = new Set<string>()
        return {
          newRefreshToken: async (facts) => {
            const token = await lawful.newRefreshToken(facts)
            if (isRefresh(facts)) renewed.add(token)
            return token
          },
          refreshBelongsTo: (facts) =>
            !renewed.has(facts.refreshToken.value) && lawful.refreshBelongsTo(facts),
        }
      },
    },
  }),
]

/** Refreshes that are accepted although they should be refused, and the error of their refusal. */

/** Reads an unknown refresh token as one that was issued. */
const readAs = (meant: (value: string, issued: readonly IssuedTokens[]) => IssuedTokens | undefined): Wire =>
  readingRefreshes(({ form }, { issued }) => {
    const value = form.get('refresh_token') ?? ''
    if (value === '' || issued.some(({ refreshToken }) => refreshToken === value)) return
    const found = meant(value, issued)
    if (found !== undefined) form.set('refresh_token', found.refreshToken)
  })

/** Accepts another secret too. @param accepts may also look at the secrets of all clients that were served before. */
const acceptingSecrets = (accepts: (given: string, right: string, all: readonly string[]) => boolean): Wire =>
  readingRefreshes(({ headers }, { issued }) => {
    const [client, given] = basicIn(headers)
    const known = issued.map(({ authorization }) => basicIn(new Headers({ authorization })))
    const right = known.find(([clientId]) => clientId === client)?.[1]
    if (
      right !== undefined &&
      accepts(
        given,
        right,
        known.map(([, secret]) => secret),
      )
    )
      headers.set('authorization', basicHeader(client, right))
  })

/** Uses the refresh token that was issued last, where the form `lacks` one. */
const lastTokenWhere = (lacks: (form: URLSearchParams) => boolean): Wire =>
  readingRefreshes(({ form }, { issued }) => {
    const last = issued.at(-1)
    if (lacks(form) && last !== undefined) form.set('refresh_token', last.refreshToken)
  })

/** Without credentials, the client is the one that the refresh token was issued to. */
const withoutAuthentication =
  (applies: (facts: FactsOf<'newRefreshToken'>) => boolean): RuleChange =>
  (lawful) => {
    const owners = new Map<string, string>()
    return {
      newRefreshToken: async (facts) => {
        const token = await lawful.newRefreshToken(facts)
        if (applies(facts)) owners.set(token, facts.client.clientId)
        return token
      },
      clientWithoutBasic: (facts) => {
        const owner = owners.get(facts.form.get('refresh_token') ?? '')
        return facts.clients.find(({ clientId }) => clientId === owner) ?? lawful.clientWithoutBasic(facts)
      },
    }
  }

/** Answers an unknown refresh token with another error. */
const withError = (error: string): RuleChange =>
  where<'refusalBody'>(
    ({ endpoint, description }) =>
      endpoint === 'token' && description.startsWith('The refresh token was not issued'),
    { refusalBody: () => ({ error }) },
  )

export const renewalRefusalDefects: readonly Defect[] = [
  ...breaking(TOK.refreshNeedsClientAuthentication, {
    'refresh-needs-no-authentication': {
      story: 'A refresh is accepted without client credentials.',
      rules: withoutAuthentication(() => true),
    },
    'refresh-of-a-fac-needs-no-authentication': {
      story: 'A refresh of a FAC is accepted without client credentials.',
      rules: withoutAuthentication(isOfAFac),
    },
    'refresh-needs-a-client-id-alone': {
      story: 'A client_id in the form of a refresh is accepted instead of credentials.',
      rules: where(({ form }) => form.get('grant_type') === 'refresh_token', {
        clientWithoutBasic: ({ form, clients }) =>
          clients.find(({ clientId }) => clientId === form.get('client_id')),
      }),
    },
  }),
  ...breaking(TOK.refreshWithAWrongSecretIsRefused, {
    'refresh-takes-any-secret': {
      story: 'After its first authentication a client can refresh with any secret.',
      wire: acceptingSecrets(() => true),
    },
    'refresh-takes-a-longer-secret': {
      story: 'A refresh is accepted with more characters after the right secret.',
      wire: acceptingSecrets((given, right) => given.startsWith(right)),
    },
    'refresh-takes-an-empty-secret': {
      story: 'A refresh is accepted with an empty secret.',
      wire: acceptingSecrets((given) => given === ''),
    },
    'refresh-takes-a-secret-in-any-case': {
      story: 'The secret of a refresh is compared without regard to case.',
      wire: acceptingSecrets((given, right) => given.toLowerCase() === right.toLowerCase()),
    },
    'refresh-takes-a-secret-with-one-letter-of-another-case': {
      story: 'A refresh is accepted if one letter of its secret is of the other case.',
      wire: acceptingSecrets(isRecasedOnce),
    },
    'refresh-takes-the-secret-of-any-client': {
      story: 'A refresh is accepted with the secret of any client.',
      wire: acceptingSecrets((given, _, all) => all.includes(given)),
    },
  }),
  ...breaking(TOK.anotherClientsRefreshTokenIsRefused, {
    'refresh-token-is-good-for-every-client': {
      story: 'Any client can use a refresh token.',
      rules: { refreshBelongsTo: () => true },
    },
    'refresh-token-is-good-for-every-tpp': {
      story: 'A TPP can use the refresh token of another client.',
      rules: where(isOfATpp, { refreshBelongsTo: () => true }),
    },
  }),
  ...breaking(TOK.unknownRefreshTokenIsRefused, {
    'cut-refresh-token-is-accepted': {
      story: 'A refresh token that lacks characters at its end is accepted.',
      wire: readAs((value, issued) =>
        value.length < 24 ? undefined : issued.find(({ refreshToken }) => refreshToken.startsWith(value)),
      ),
    },
    'refresh-token-is-compared-without-its-end': {
      story: 'Only the first 32 characters of a refresh token are compared.',
      wire: readAs((value, issued) =>
        issued.find(({ refreshToken }) => refreshToken.slice(0, 32) === value.slice(0, 32)),
      ),
    },
    'refresh-token-in-another-case-is-accepted': {
      story: 'Refresh tokens are compared without regard to case.',
      wire: readAs((value, issued) =>
        issued.find(({ refreshToken }) => refreshToken.toLowerCase() === value.toLowerCase()),
      ),
    },
    'unknown-refresh-token-renews-the-last-grant': {
      story: 'An unknown refresh token is read as the one that was issued last.',
      alsoBreaks: [TOK.accessTokenIsNoRefreshToken],
      wire: readAs((_, issued) => issued.at(-1)),
    },
  }),
  ...breaking(TOK.missingRefreshTokenIsRefused, {
    'missing-refresh-token-renews-the-last-grant': {
      story: 'A refresh without a refresh token uses the one that was issued last.',
      wire: lastTokenWhere((form) => !form.has('refresh_token')),
    },
    'empty-refresh-token-renews-the-last-grant': {
      story: 'A refresh with an empty refresh token uses the one that was issued last.',
      wire: lastTokenWhere((form) => form.get('refresh_token') === ''),
    },
  }),
  ...breaking(TOK.accessTokenIsNoRefreshToken, {
    'access-token-renews-itself': {
      story: 'An access token is accepted as the refresh token that was issued with it.',
      wire: readAs((value, issued) => issued.find(({ accessToken }) => accessToken === value)),
    },
  }),
  ...breaking(TOK.refreshDoesNotWidenTheScope, {
    'refresh-takes-any-scope': {
      story: 'A refresh issues tokens for any scope of its form.',
      rules: { refreshScopeIsAccepted: () => true },
    },
    'refresh-scope-opens-another-consent': {
      story:
        'A refresh with the scope of another consent opens the accounts of that consent, and its answer has the granted scope.',
      rules: (lawful) => ({
        refreshScopeIsAccepted: () => true,
        statedScope: (facts) => lawful.statedScope({ ...facts, scope: facts.grant.scope }),
        accountsSeen: (facts) =>
          facts.token.scope === facts.grant.scope
            ? lawful.accountsSeen(facts)
            : facts.customers.flatMap(({ accounts }) => accounts),
      }),
    },
  }),
  ...breaking(TOK.invalidRefreshTokenIsAnInvalidGrant, {
    'unknown-refresh-token-is-an-invalid-request': {
      story: 'The error of an unknown refresh token is invalid_request.',
      rules: withError('invalid_request'),
    },
    'unknown-refresh-token-is-an-invalid-token': {
      story: 'The error of an unknown refresh token is invalid_token.',
      rules: withError('invalid_token'),
    },
  }),
]

const DAY = 24 * 60 * 60 * 1000

const isLate = ({ previous, now }: IssueFacts): boolean => previous !== undefined && now > previous.expiresAt

/** Accepts refreshes for 180 days, which is permitted, with a fault after the refresh token has expired. */
const renewingLate =
  (change: (lawful: Rules) => Partial<Rules>): RuleChange =>
  (lawful) => ({
    refreshIsFresh: ({ refreshToken, now }) => now.getTime() < refreshToken.issuedAt.getTime() + 180 * DAY,
    ...change(lawful),
  })

/** Knows whether a client got its first token more than 90 days ago. */
const rememberingClients =
  (
    change: (isOld: (facts: Pick<IssueFacts, 'client' | 'now'>) => boolean, lawful: Rules) => Partial<Rules>,
  ): RuleChange =>
  (lawful) => {
    const first = new Map<string, number>()
    const isOld = ({ client, now }: Pick<IssueFacts, 'client' | 'now'>): boolean =>
      now.getTime() > (first.get(client.clientId) ?? Infinity) + 90 * DAY
    return {
      ...change(isOld, lawful),
      newAccessToken: (facts) => {
        const { clientId } = facts.client
        first.set(clientId, first.get(clientId) ?? facts.now.getTime())
        return lawful.newAccessToken(facts)
      },
    }
  }

export const lateRenewalDefects: readonly Defect[] = [
  ...breaking(TOK.refreshTokenLivesNinetyDays, {
    'renewal-waits-until-it-is-too-late': {
      story: 'A refresh is refused before the tokens expire, and after.',
      rules: (lawful) => ({
        refreshScopeIsAccepted: (facts) =>
          facts.now > facts.refreshToken.expiresAt && lawful.refreshScopeIsAccepted(facts),
      }),
    },
  }),
  ...breaking(TOK.refreshAfterNinetyDaysGivesBothOrNone, {
    'late-refresh-gives-no-refresh-token': {
      story: 'A refresh after 90 days gives no refresh token.',
      rules: renewingLate(() => ({ refreshTokenIsIssued: (facts) => !isLate(facts) })),
    },
    'late-refresh-keeps-the-refresh-token': {
      story: 'A refresh after 90 days gives the old refresh token.',
      rules: renewingLate((lawful) => ({
        newRefreshToken: (facts) =>
          facts.previous !== undefined && isLate(facts)
            ? facts.previous.value
            : lawful.newRefreshToken(facts),
      })),
    },
    'late-refresh-keeps-the-access-token': {
      story: 'A refresh after 90 days gives the expired access token, which is accepted again.',
      alsoBreaks: [TOK.accessTokenEndsAfterNinetyDays, TOK.expiredTokenHasStatus401],
      rules: renewingLate((lawful) => ({
        newAccessToken: (facts) =>
          facts.previous !== undefined && isLate(facts)
            ? facts.previous.accessToken
            : lawful.newAccessToken(facts),
      })),
    },
    'late-refresh-gives-an-expired-token': {
      story: 'A refresh after 90 days gives an access token that has expired.',
      rules: renewingLate((lawful) => ({
        accessLifetime: (facts) => (isLate(facts) ? 0 : lawful.accessLifetime(facts)),
        expiresIn: (facts) => lawful.expiresIn({ ...facts, lifetime: 90 * DAY }),
      })),
    },
    'late-refusal-carries-a-refresh-token': {
      story: 'A refresh after 90 days fails, and its answer contains a refresh token.',
      rules: (lawful) => ({
        refusalBody: (facts) =>
          facts.description === 'The refresh token has expired.'
            ? { error: 'invalid_grant', refresh_token: 'a-refresh-token-without-its-access-token-00' }
            : lawful.refusalBody(facts),
      }),
    },
  }),
  ...breaking(TOK.newGrantFollowsAFailedRefresh, {
    'no-authorization-for-a-fac-once-expired': {
      story: 'A FAC whose tokens have expired is refused a new authorization.',
      rules: rememberingClients((isOld, lawful) => ({
        requestedScope: (facts) =>
          facts.client.kind === 'FAC' && isOld(facts) ? undefined : lawful.requestedScope(facts),
      })),
    },
    'no-tokens-for-a-fac-once-expired': {
      story: 'A FAC whose tokens have expired gets a code that is refused.',
      rules: rememberingClients((isOld, lawful) => ({
        codeIsFresh: (facts) => !(facts.client.kind === 'FAC' && isOld(facts)) && lawful.codeIsFresh(facts),
      })),
    },
  }),
]
