import { TOK } from './requirements.ts'
import { withAnEmptyList, withStatus } from './defects-of-renewing-answers.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong when tokens grow old. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

const DAY = 24 * 60 * 60 * 1000

const isRefresh = ({ grantType }: IssueFacts): boolean => grantType === 'refresh_token'

/** An access token lives so long, in ms, and says 90 days as before. Nothing leaves its life as it is. */
const living =
  (lifetime: (facts: IssueFacts) => number | undefined): RuleChange =>
  (lawful) => {
    const ends = new Map<string, number>()
    return {
      newAccessToken: async (facts) => {
        const token = await lawful.newAccessToken(facts)
        const ms = lifetime(facts)
        if (ms !== undefined) ends.set(token, facts.now.getTime() + ms)
        return token
      },
      accessIsFresh: (facts) => {
        const end = ends.get(facts.token.value)
        return end === undefined ? lawful.accessIsFresh(facts) : facts.now.getTime() < end
      },
    }
  }

const ageOf = ({ refreshToken, now }: Parameters<Rules['refreshIsFresh']>[0]): number =>
  now.getTime() - refreshToken.issuedAt.getTime()

/** A lifetime of 90 days that ends at a midnight: that before, or that behind. */
const endingAtMidnight =
  (rounded: (days: number) => number) =>
  ({ now }: IssueFacts): number =>
    rounded((now.getTime() + 90 * DAY) / DAY) * DAY - now.getTime()

export const defectsOfExpiry: readonly Defect[] = [
  {
    id: 'access-token-lives-89-days',
    story: 'An access token of a code exchange lives a day less than 90.',
    breaks: [TOK.accessTokenLivesNinetyDays],
    rules: living((facts) => (isRefresh(facts) ? undefined : 89 * DAY)),
  },
  {
    id: 'access-token-of-a-tpp-lives-30-days',
    story: 'A TPP is given an access token for 30 days.',
    breaks: [TOK.accessTokenLivesNinetyDays],
    rules: living((facts) => (isRefresh(facts) || facts.client.kind === 'FAC' ? undefined : 30 * DAY)),
  },
  {
    id: 'access-token-ends-at-midnight',
    story: 'An access token ends with the midnight before its 90 days are over.',
    breaks: [TOK.accessTokenLivesNinetyDays, TOK.refreshedTokenLivesFromItsOwnIssue],
    rules: living(endingAtMidnight(Math.floor)),
  },
  {
    id: 'idle-access-token-ends',
    story: 'An access token that nobody has used for 60 days is refused.',
    breaks: [TOK.accessTokenLivesNinetyDays, TOK.refreshedTokenLivesFromItsOwnIssue],
    rules: (lawful) => {
      const uses = new Map<string, Date>()
      return {
        accessIsFresh: (facts) => {
          const { token, now } = facts
          const last = uses.get(token.value) ?? token.issuedAt
          uses.set(token.value, now)
          return now.getTime() < last.getTime() + 60 * DAY && lawful.accessIsFresh(facts)
        },
      }
    },
  },
  {
    id: 'access-token-lives-91-days',
    story: 'An access token of a code exchange lives a day longer than 90.',
    breaks: [
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
    ],
    rules: living((facts) => (isRefresh(facts) ? undefined : 91 * DAY)),
  },
  {
    id: 'access-token-of-a-tpp-lives-91-days',
    story: 'An access token lives 90 days for a FAC, and 91 for a TPP.',
    breaks: [
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
    ],
    rules: living((facts) => (isRefresh(facts) || facts.client.kind === 'FAC' ? undefined : 91 * DAY)),
  },
  {
    id: 'access-token-ends-at-the-next-midnight',
    story: 'An access token ends with the midnight after its 90 days are over.',
    breaks: [
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
      TOK.refreshedTokenEndsAfterNinetyDays,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
    ],
    rules: living(endingAtMidnight(Math.ceil)),
  },
  {
    id: 'access-token-expires-in-the-sandbox-alone',
    story: 'The age of an access token is not looked at in production.',
    environment: 'production',
    breaks: [
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
      TOK.refreshedTokenEndsAfterNinetyDays,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
    ],
    rules: { accessIsFresh: () => true },
  },
  {
    id: 'use-prolongs-the-access-token',
    story: 'The 90 days begin anew with each data call.',
    breaks: [
      TOK.accessTokenEndsAfterNinetyDays,
      TOK.expiredTokenHasStatus401,
      TOK.refreshedTokenEndsAfterNinetyDays,
    ],
    rules: () => {
      const ends = new Map<string, number>()
      return {
        accessIsFresh: ({ token, now }) => {
          const isFresh = now.getTime() < (ends.get(token.value) ?? token.expiresAt.getTime())
          if (isFresh) ends.set(token.value, now.getTime() + 90 * DAY)
          return isFresh
        },
      }
    },
  },
  {
    id: 'refresh-attempt-revives-the-expired-token',
    story: 'A refresh that comes too late fails, and the expired access token is good again.',
    breaks: [TOK.accessTokenEndsAfterNinetyDays, TOK.expiredTokenHasStatus401],
    rules: (lawful) => {
      const revived = new Set<string>()
      return {
        refreshIsFresh: (facts) => {
          const isFresh = lawful.refreshIsFresh(facts)
          if (!isFresh) revived.add(facts.refreshToken.accessToken)
          return isFresh
        },
        accessIsFresh: (facts) => revived.has(facts.token.value) || lawful.accessIsFresh(facts),
      }
    },
  },
  {
    id: 'expired-token-has-status-403',
    story: 'A data call with an expired token is forbidden.',
    breaks: [
      TOK.expiredTokenHasStatus401,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
      { id: 'PAY-68' },
      { id: 'LOA-81' },
    ],
    rules: withStatus('token_expired', 403),
  },
  {
    id: 'expired-token-has-status-400-in-production',
    story: 'A data call with an expired token is called a bad request, in production alone.',
    environment: 'production',
    breaks: [
      TOK.expiredTokenHasStatus401,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
      { id: 'PAY-68' },
    ],
    rules: withStatus('token_expired', 400),
  },
  {
    id: 'expired-token-gets-an-empty-list',
    story: 'A data call with an expired token is answered with 200 and no accounts.',
    breaks: [
      TOK.expiredTokenHasStatus401,
      { id: 'ACC-12' },
      { id: 'ACC-22' },
      { id: 'REF-11' },
      { id: 'TRX-13' },
      { id: 'TRX-26' },
      { id: 'PAY-68' },
    ],
    rules: withAnEmptyList('token_expired'),
  },
  {
    id: 'refresh-token-lives-89-days',
    story: 'A refresh token lives a day less than 90.',
    breaks: [TOK.refreshTokenLivesNinetyDays],
    rules: { refreshIsFresh: (facts) => ageOf(facts) <= 89 * DAY },
  },
  {
    id: 'refresh-token-of-a-tpp-lives-60-days',
    story: 'A TPP must refresh within 60 days.',
    breaks: [TOK.refreshTokenLivesNinetyDays],
    rules: (lawful) => ({
      refreshIsFresh: (facts) =>
        lawful.refreshIsFresh(facts) && (facts.client.kind === 'FAC' || ageOf(facts) <= 60 * DAY),
    }),
  },
  {
    id: 'refreshed-token-inherits-the-old-end',
    story: 'An access token that came of a refresh ends with the one before.',
    breaks: [TOK.refreshedTokenLivesFromItsOwnIssue],
    rules: living(({ previous, now }) => previous && previous.expiresAt.getTime() - now.getTime()),
  },
  {
    id: 'refreshed-token-lives-89-days',
    story: 'An access token that came of a refresh lives a day less than 90.',
    breaks: [TOK.refreshedTokenLivesFromItsOwnIssue],
    rules: living((facts) => (isRefresh(facts) ? 89 * DAY : undefined)),
  },
  {
    id: 'refreshed-token-never-ends',
    story: 'An access token that came of a refresh has no end.',
    breaks: [TOK.refreshedTokenEndsAfterNinetyDays, { id: 'REF-11' }],
    rules: living((facts) => (isRefresh(facts) ? 100_000 * DAY : undefined)),
  },
  {
    id: 'refresh-adds-to-the-old-end',
    story: 'A refresh prolongs by 90 days what was left.',
    breaks: [TOK.refreshedTokenEndsAfterNinetyDays, { id: 'REF-11' }],
    rules: living(({ previous, now }) => previous && previous.expiresAt.getTime() + 90 * DAY - now.getTime()),
  },
  {
    id: 'refreshed-token-of-a-tpp-lives-91-days',
    story: 'An access token that came of a refresh lives 90 days for a FAC, and 91 for a TPP.',
    breaks: [TOK.refreshedTokenEndsAfterNinetyDays, { id: 'REF-11' }],
    rules: living((facts) => (isRefresh(facts) && facts.client.kind === 'TPP' ? 91 * DAY : undefined)),
  },
]
