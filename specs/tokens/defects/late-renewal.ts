import { breaking } from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Refreshes and grants after the tokens have expired. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

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
  ...breaking(TOK.refreshedAccessTokenIsAccepted, {
    'late-refresh-gives-an-expired-token': {
      story: 'A refresh after 90 days gives an access token that has expired.',
      rules: renewingLate((lawful) => ({
        accessLifetime: (facts) => (isLate(facts) ? 0 : lawful.accessLifetime(facts)),
        expiresIn: (facts) => lawful.expiresIn({ ...facts, lifetime: 90 * DAY }),
      })),
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
