import { TOK } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong in what a refresh gives. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

const isRefresh = ({ grantType }: IssueFacts): boolean => grantType === 'refresh_token'

/** Gives an old access token at the refreshes that `applies` names. */
const keepingTheAccessToken =
  (applies: (facts: IssueFacts) => boolean): RuleChange =>
  (lawful) => ({
    newAccessToken: (facts) =>
      facts.previous !== undefined && applies(facts)
        ? facts.previous.accessToken
        : lawful.newAccessToken(facts),
  })

/** Gives the old refresh token, and takes it any number of times, at the refreshes that `applies` names. */
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

/** The same for every bank, with a count of the refreshes of each grant; the one under way is counted. */
const counted =
  (make: (count: (facts: IssueFacts) => number) => RuleChange): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    const change = make(({ grant }) => counts.get(grant.grantId) ?? 0)
    return {
      ...(typeof change === 'function' ? change(lawful) : change),
      // The first that is asked of every issue.
      accessLifetime: (facts) => {
        const { grantId } = facts.grant
        if (isRefresh(facts)) counts.set(grantId, (counts.get(grantId) ?? 0) + 1)
        return lawful.accessLifetime(facts)
      },
    }
  }

/** The access tokens that came of a refresh are treated so. */
const renewedTokens =
  (
    treat: (isRenewed: (token: string) => boolean, lawful: Rules) => Partial<Rules>,
    kinds: readonly string[] = ['FAC', 'TPP'],
  ): RuleChange =>
  (lawful) => {
    const renewed = new Set<string>()
    return {
      ...treat((token) => renewed.has(token), lawful),
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        if (isRefresh(facts) && kinds.includes(facts.client.kind)) renewed.add(token)
        return token
      },
    }
  }

const openingNothing = (isRenewed: (token: string) => boolean, lawful: Rules): Partial<Rules> => ({
  accessIsFresh: (facts) => !isRenewed(facts.token.value) && lawful.accessIsFresh(facts),
})

const isSecond =
  (count: (facts: IssueFacts) => number) =>
  (facts: IssueFacts): boolean =>
    count(facts) === 2

export const defectsOfRefreshing: readonly Defect[] = [
  {
    id: 'refresh-keeps-the-access-token',
    story: 'A refresh prolongs the access token instead of issuing another.',
    breaks: [TOK.refreshGivesANewAccessToken],
    rules: keepingTheAccessToken(() => true),
  },
  {
    id: 'refresh-of-a-fac-keeps-the-access-token',
    story: 'A FAC is given the access token that it has.',
    breaks: [TOK.refreshGivesANewAccessToken],
    rules: keepingTheAccessToken(({ client }) => client.kind === 'FAC'),
  },
  {
    id: 'second-refresh-keeps-the-access-token',
    story: 'The second refresh of a grant gives the access token of the first.',
    breaks: [TOK.refreshGivesANewAccessToken],
    rules: counted((count) => keepingTheAccessToken(isSecond(count))),
  },
  {
    id: 'second-refresh-brings-the-first-access-token-back',
    story: 'The second refresh of a grant gives the access token of the code exchange.',
    breaks: [TOK.refreshGivesANewAccessToken],
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
  {
    id: 'refresh-gives-no-refresh-token',
    story: 'A refresh gives an access token alone.',
    breaks: [TOK.refreshGivesANewRefreshToken],
    rules: { refreshTokenIsIssued: (facts) => !isRefresh(facts) },
  },
  {
    id: 'refresh-keeps-the-refresh-token',
    story: 'A refresh token is good for ever, and given again at each refresh.',
    breaks: [TOK.refreshGivesANewRefreshToken],
    rules: keepingTheRefreshToken(() => true),
  },
  {
    id: 'refresh-of-a-tpp-keeps-the-refresh-token',
    story: 'A TPP is given the refresh token that it has.',
    breaks: [TOK.refreshGivesANewRefreshToken],
    rules: keepingTheRefreshToken(({ client }) => client.kind === 'TPP'),
  },
  {
    id: 'second-refresh-keeps-the-refresh-token',
    story: 'The second refresh of a grant gives the refresh token that it used.',
    breaks: [TOK.refreshGivesANewRefreshToken],
    rules: counted((count) => keepingTheRefreshToken(isSecond(count))),
  },
  {
    id: 'second-refresh-gives-no-refresh-token',
    story: 'A grant can be refreshed twice, and the second refresh gives an access token alone.',
    breaks: [TOK.refreshGivesANewRefreshToken],
    rules: counted((count) => ({ refreshTokenIsIssued: (facts) => count(facts) < 2 })),
  },
  {
    id: 'refreshed-token-opens-nothing',
    story: 'An access token that came of a refresh is refused.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: renewedTokens(openingNothing),
  },
  {
    id: 'refreshed-token-of-a-tpp-opens-nothing',
    story: 'An access token that came of the refresh of a TPP is refused.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: renewedTokens(openingNothing, ['TPP']),
  },
  {
    id: 'refreshed-token-opens-an-empty-list',
    story: 'An access token that came of a refresh has lost the accounts that the customer granted.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: renewedTokens((isRenewed, lawful) => ({
      accountsSeen: (facts) => (isRenewed(facts.token.value) ? [] : lawful.accountsSeen(facts)),
    })),
  },
  {
    id: 'token-of-a-second-refresh-opens-nothing',
    story: 'The access token of a grant’s second refresh is refused.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
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
  {
    id: 'one-refresh-a-grant',
    story: 'A refresh token that came of a refresh is refused.',
    breaks: [TOK.refreshedRefreshTokenIsAccepted, TOK.refreshTokenLivesNinetyDays],
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
  {
    id: 'refreshed-refresh-token-belongs-to-nobody',
    story: 'In production the client of a refresh token that came of a refresh is not recorded.',
    environment: 'production',
    breaks: [TOK.refreshedRefreshTokenIsAccepted, TOK.refreshTokenLivesNinetyDays],
    rules: (lawful) => {
      const renewed = new Set<string>()
      return {
        newRefreshToken: async (facts) => {
          const token = await lawful.newRefreshToken(facts)
          if (isRefresh(facts)) renewed.add(token)
          return token
        },
        refreshBelongsTo: (facts) => !renewed.has(facts.refreshToken.value) && lawful.refreshBelongsTo(facts),
      }
    },
  },
]
