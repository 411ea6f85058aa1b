import { TOK } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong once the tokens have expired. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

const DAY = 24 * 60 * 60 * 1000

const isLate = ({ previous, now }: IssueFacts): boolean => previous !== undefined && now > previous.expiresAt

/** A refresh succeeds until 180 days, which is right, and does this once the token has expired. */
const renewingLate =
  (change: (lawful: Rules) => Partial<Rules>): RuleChange =>
  (lawful) => ({
    refreshIsFresh: ({ refreshToken, now }) => now.getTime() < refreshToken.issuedAt.getTime() + 180 * DAY,
    ...change(lawful),
  })

/** Whether more than 90 days have passed since the client was first given a token. */
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

export const defectsOfBeingLate: readonly Defect[] = [
  {
    id: 'renewal-waits-until-it-is-too-late',
    story:
      'A refresh is refused as long as the access token is good, and then since the refresh token is over.',
    breaks: [TOK.refreshTokenLivesNinetyDays],
    rules: (lawful) => ({
      refreshScopeIsAccepted: (facts) =>
        facts.now > facts.refreshToken.expiresAt && lawful.refreshScopeIsAccepted(facts),
    }),
  },
  {
    id: 'late-refresh-gives-no-refresh-token',
    story: 'A refresh after 90 days gives an access token alone.',
    breaks: [TOK.refreshAfterNinetyDaysGivesBothOrNone],
    rules: renewingLate(() => ({ refreshTokenIsIssued: (facts) => !isLate(facts) })),
  },
  {
    id: 'late-refresh-keeps-the-refresh-token',
    story: 'A refresh after 90 days gives the refresh token that it used.',
    breaks: [TOK.refreshAfterNinetyDaysGivesBothOrNone],
    rules: renewingLate((lawful) => ({
      newRefreshToken: (facts) =>
        facts.previous !== undefined && isLate(facts) ? facts.previous.value : lawful.newRefreshToken(facts),
    })),
  },
  {
    id: 'late-refresh-keeps-the-access-token',
    story: 'A refresh after 90 days makes the expired access token good again.',
    breaks: [
      TOK.refreshAfterNinetyDaysGivesBothOrNone,
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
    ],
    rules: renewingLate((lawful) => ({
      newAccessToken: (facts) =>
        facts.previous !== undefined && isLate(facts)
          ? facts.previous.accessToken
          : lawful.newAccessToken(facts),
    })),
  },
  {
    id: 'late-refusal-carries-a-refresh-token',
    story: 'A refresh after 90 days fails, and its answer has a new refresh token all the same.',
    breaks: [TOK.refreshAfterNinetyDaysGivesBothOrNone],
    rules: (lawful) => ({
      refusalBody: (facts) =>
        facts.description === 'The refresh token has expired.'
          ? { error: 'invalid_grant', refresh_token: 'a-refresh-token-without-its-access-token-00' }
          : lawful.refusalBody(facts),
    }),
  },
  {
    id: 'late-refresh-gives-an-expired-token',
    story: 'A refresh after 90 days gives an access token that ended with the one before.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: renewingLate((lawful) => ({
      accessLifetime: (facts) => (isLate(facts) ? 0 : lawful.accessLifetime(facts)),
      expiresIn: (facts) => lawful.expiresIn({ ...facts, lifetime: 90 * DAY }),
    })),
  },
  {
    id: 'no-authorization-for-a-fac-once-expired',
    story: 'A FAC whose tokens have expired cannot ask its user again.',
    breaks: [TOK.newGrantFollowsAFailedRefresh],
    rules: rememberingClients((isOld, lawful) => ({
      requestedScope: (facts) =>
        facts.client.kind === 'FAC' && isOld(facts) ? undefined : lawful.requestedScope(facts),
    })),
  },
  {
    id: 'no-tokens-for-a-fac-once-expired',
    story: 'A FAC whose tokens have expired gets a code, and no tokens for it.',
    breaks: [TOK.newGrantFollowsAFailedRefresh],
    rules: rememberingClients((isOld, lawful) => ({
      codeIsFresh: (facts) => !(facts.client.kind === 'FAC' && isOld(facts)) && lawful.codeIsFresh(facts),
    })),
  },
]
