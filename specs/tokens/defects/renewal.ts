import { breaking, isOfAFac, isOfATpp, knowingRenewed, where } from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

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
