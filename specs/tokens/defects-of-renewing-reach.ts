import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { knowingRenewed } from '../renewed.ts'
import { TOK } from './requirements.ts'

/** Tokens that open less than they should, or live otherwise, where nobody looks first: later, behind a refresh, elsewhere. */

const DAY = 24 * 60 * 60 * 1000

type Bearer = Parameters<Rules['accessIsFresh']>[0]

const age = ({ token, now }: Bearer): number => now.getTime() - token.issuedAt.getTime()

/** Gives the access tokens of a grant's second refresh, and of later ones, another lifetime in ms. */
const fromTheSecondRefreshOn =
  (lifetime: number): RuleChange =>
  (lawful) => {
    const issues = new Map<string, number>()
    return {
      accessLifetime: (facts) => {
        const count = (issues.get(facts.grant.grantId) ?? 0) + 1
        issues.set(facts.grant.grantId, count)
        return count > 2 ? lifetime : lawful.accessLifetime(facts)
      },
    }
  }

/** Answers calls for the first list otherwise once a token was refused for this reason. */
const refusingLaterWith403 =
  (error: 'token_expired' | 'token_revoked'): RuleChange =>
  (lawful) => {
    let refusals = 0
    return {
      refusalStatus: (facts) => {
        const isMeant = facts.error === error && facts.endpoint === 'accounts' && facts.variant === 'first'
        if (isMeant) refusals += 1
        return isMeant && refusals > 1 ? 403 : lawful.refusalStatus(facts)
      },
    }
  }

const reaching: readonly Defect[] = [
  {
    id: 'refreshed-token-opens-the-lists-alone',
    story: 'An access token that came of a refresh opens the lists, and no detail and no transactions.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: knowingRenewed((lawful, isRenewed) => ({
      accountIsOpen: (facts) => !isRenewed(facts) && lawful.accountIsOpen(facts),
    })),
  },
  {
    id: 'detail-needs-a-younger-token',
    story: 'The detail of an account is refused to an access token of more than 60 days.',
    breaks: [TOK.accessTokenLivesNinetyDays],
    rules: (lawful) => ({
      accountIsOpen: (facts) =>
        !(facts.endpoint === 'account' && age(facts) > 60 * DAY) && lawful.accountIsOpen(facts),
    }),
  },
  {
    id: 'second-variant-needs-a-younger-token',
    story: 'The second variant takes an access token of more than 60 days for one that has expired.',
    breaks: [TOK.accessTokenLivesNinetyDays],
    rules: (lawful) => ({
      accessIsFresh: (facts) =>
        !(facts.variant === 'second' && age(facts) > 60 * DAY) && lawful.accessIsFresh(facts),
    }),
  },
  {
    id: 'refresh-of-accounts-needs-a-younger-token',
    story: 'PUT /refresh takes an access token of more than 60 days for one that has expired.',
    breaks: [TOK.accessTokenLivesNinetyDays],
    rules: (lawful) => ({
      accessIsFresh: (facts) =>
        !(facts.endpoint === 'refresh' && age(facts) > 60 * DAY) && lawful.accessIsFresh(facts),
    }),
  },
  {
    id: 'refreshed-token-refreshes-no-accounts',
    story: 'An access token that came of a refresh opens all data, and is refused at PUT /refresh.',
    breaks: [TOK.refreshedAccessTokenIsAccepted],
    rules: knowingRenewed((lawful, isRenewed) => ({
      accessIsFresh: (facts) =>
        !(facts.endpoint === 'refresh' && isRenewed(facts)) && lawful.accessIsFresh(facts),
    })),
  },
]

const living: readonly Defect[] = [
  {
    id: 'refreshed-refresh-token-inherits-the-old-end',
    story: 'A refresh token that came of a refresh ends with the one before.',
    breaks: [TOK.refreshTokenLivesNinetyDays],
    rules: (lawful) => {
      const ends = new Map<string, Date>()
      return {
        newRefreshToken: async (facts) => {
          const token = await lawful.newRefreshToken(facts)
          const { previous } = facts
          if (previous !== undefined) ends.set(token, ends.get(previous.value) ?? previous.expiresAt)
          return token
        },
        refreshIsFresh: (facts) =>
          facts.now <= (ends.get(facts.refreshToken.value) ?? facts.refreshToken.expiresAt),
      }
    },
  },
  {
    id: 'access-token-of-a-second-refresh-lives-a-day',
    story: "The access token of a grant's second refresh lives a day.",
    breaks: [TOK.refreshedTokenLivesFromItsOwnIssue],
    rules: fromTheSecondRefreshOn(DAY),
  },
  {
    id: 'access-token-of-a-second-refresh-never-ends',
    story: "The access token of a grant's second refresh has no end.",
    breaks: [TOK.refreshedTokenEndsAfterNinetyDays],
    rules: fromTheSecondRefreshOn(36_500 * DAY),
  },
  {
    id: 'new-grant-revives-the-expired-token',
    story: 'Once the user has granted anew, the expired access token of the client is good again.',
    breaks: [TOK.accessTokenEndsAfterNinetyDays, TOK.expiredTokenHasStatus401],
    rules: (lawful) => {
      const granted = new Map<string, Date>()
      return {
        newCode: (facts) => {
          granted.set(facts.client.clientId, facts.now)
          return lawful.newCode(facts)
        },
        accessIsFresh: (facts) =>
          lawful.accessIsFresh(facts) || (granted.get(facts.grant.clientId) ?? 0) >= facts.token.expiresAt,
      }
    },
  },
  {
    id: 'expiry-is-swept-away-after-a-month',
    story: 'A month after its end it is forgotten that an access token had one.',
    breaks: [TOK.accessTokenEndsAfterNinetyDays],
    rules: (lawful) => ({
      accessIsFresh: (facts) => lawful.accessIsFresh(facts) || age(facts) > 120 * DAY,
    }),
  },
  {
    id: 'expired-token-has-status-403-from-the-second-call-on',
    story: 'The first call with an expired token is answered with 401, and those behind it with 403.',
    breaks: [TOK.expiredTokenHasStatus401],
    rules: refusingLaterWith403('token_expired'),
  },
]

const revoking: readonly Defect[] = [
  {
    id: 'revocation-is-forgotten-after-a-day',
    story: 'The list of revoked tokens is that of today.',
    breaks: [TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401],
    rules: (lawful) => ({
      accessIsRevoked: (facts) =>
        lawful.accessIsRevoked(facts) && facts.now.getTime() - (facts.revokedAt?.getTime() ?? 0) < DAY,
    }),
  },
  {
    id: 'new-grant-undoes-the-revocation',
    story: 'Once the user has granted anew, the revoked access token of the client is good again.',
    breaks: [TOK.revokedTokenIsRefused],
    rules: (lawful) => {
      const refused = new Set<string>()
      const revived = new Set<string>()
      return {
        newCode: (facts) => {
          for (const grantId of refused) revived.add(grantId)
          return lawful.newCode(facts)
        },
        accessIsRevoked: (facts) => {
          if (!lawful.accessIsRevoked(facts)) return false
          refused.add(facts.grant.grantId)
          return !revived.has(facts.grant.grantId)
        },
      }
    },
  },
  {
    id: 'revoked-token-has-status-403-from-the-second-call-on',
    story: 'The first call with a revoked token is answered with 401, and those behind it with 403.',
    breaks: [TOK.revokedTokenHasStatus401],
    rules: refusingLaterWith403('token_revoked'),
  },
]

export const defectsOfReach: readonly Defect[] = [...reaching, ...living, ...revoking]
