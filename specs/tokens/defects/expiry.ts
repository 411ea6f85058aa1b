import { breaking, isOfAFac, isOfATpp, knowingRenewed, where } from '../../shared/defects.ts'
import { refusingLaterWith403, withAnEmptyList, withStatus } from './bearer.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Tokens that expire too early, too late or not everywhere. */

type IssueFacts = Parameters<Rules['newAccessToken']>[0]

const DAY = 24 * 60 * 60 * 1000

const isRefresh = ({ grantType }: IssueFacts): boolean => grantType === 'refresh_token'

/** Gives access tokens another lifetime, in ms, while expires_in stays 90 days. Undefined is the lawful lifetime. */
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

type RenewalFacts = Parameters<Rules['refreshIsFresh']>[0]

/** The first customer of the reference bank. */
const FIRST_CUSTOMER = 'alena'

const isOfAnotherCustomer = ({ grant }: Pick<IssueFacts, 'grant'>): boolean =>
  grant.username !== FIRST_CUSTOMER

const ageOf = ({ refreshToken, now }: RenewalFacts): number => now.getTime() - refreshToken.issuedAt.getTime()

/** A lifetime of 90 days that ends at a midnight: the last before, or the first after. */
const endingAtMidnight =
  (rounded: (days: number) => number) =>
  ({ now }: IssueFacts): number =>
    rounded((now.getTime() + 90 * DAY) / DAY) * DAY - now.getTime()

const lifetimes: readonly Defect[] = [
  ...breaking(TOK.accessTokenLivesNinetyDays, {
    'access-token-lives-89-days': {
      story: 'An access token of a code exchange lives 89 days.',
      rules: living((facts) => (isRefresh(facts) ? undefined : 89 * DAY)),
    },
    'access-token-of-a-tpp-lives-30-days': {
      story: 'The access token of a TPP lives 30 days.',
      rules: living((facts) => (isRefresh(facts) || facts.client.kind === 'FAC' ? undefined : 30 * DAY)),
    },
    'access-token-ends-at-midnight': {
      story: 'An access token ends at the last midnight before the end of its 90 days.',
      alsoBreaks: [TOK.refreshedTokenLivesNinetyDays],
      rules: living(endingAtMidnight(Math.floor)),
    },
    'idle-access-token-ends': {
      story: 'An access token that was not used for 60 days is refused.',
      alsoBreaks: [TOK.refreshedTokenLivesNinetyDays],
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
  }),
  ...breaking(TOK.accessTokenEndsAfterNinetyDays, {
    'access-token-lives-91-days': {
      story: 'An access token of a code exchange lives 91 days.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, 'ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26'],
      rules: living((facts) => (isRefresh(facts) ? undefined : 91 * DAY)),
    },
    'access-token-of-a-tpp-lives-91-days': {
      story: 'The access token of a TPP lives 91 days.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, 'ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26'],
      rules: living((facts) => (isRefresh(facts) || facts.client.kind === 'FAC' ? undefined : 91 * DAY)),
    },
    'access-token-ends-at-the-next-midnight': {
      story: 'An access token ends at the first midnight after the end of its 90 days.',
      alsoBreaks: [
        TOK.expiredTokenHasStatus401,
        TOK.refreshedTokenEndsAfterNinetyDays,
        'ACC-12',
        'ACC-22',
        'REF-11',
        'TRX-13',
        'TRX-26',
      ],
      rules: living(endingAtMidnight(Math.ceil)),
    },
    'access-token-expires-in-the-sandbox-alone': {
      story: 'In production access tokens never expire.',
      alsoBreaks: [
        TOK.expiredTokenHasStatus401,
        TOK.refreshedTokenEndsAfterNinetyDays,
        'ACC-12',
        'ACC-22',
        'REF-11',
        'TRX-13',
        'TRX-26',
      ],
      environment: 'production',
      rules: { accessIsFresh: () => true },
    },
    'use-prolongs-the-access-token': {
      story: 'The 90 days begin anew with each data call.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, TOK.refreshedTokenEndsAfterNinetyDays],
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
    'refresh-attempt-revives-the-expired-token': {
      story: 'A refresh after 90 days fails, and the expired access token is accepted again.',
      alsoBreaks: [TOK.expiredTokenHasStatus401],
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
  }),
  ...breaking(TOK.expiredTokenHasStatus401, {
    'expired-token-has-status-403': {
      story: 'A data call with an expired token is answered with 403.',
      alsoBreaks: ['ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26', 'PAY-68', 'LOA-81'],
      rules: withStatus('token_expired', 403),
    },
    'expired-token-has-status-400-in-production': {
      story: 'In production a data call with an expired token is answered with 400.',
      alsoBreaks: ['ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26', 'PAY-68'],
      environment: 'production',
      rules: withStatus('token_expired', 400),
    },
    'expired-token-gets-an-empty-list': {
      story: 'A data call with an expired token is answered with 200 and no accounts.',
      alsoBreaks: ['ACC-12', 'ACC-22', 'REF-11', 'TRX-13', 'TRX-26', 'PAY-68'],
      rules: withAnEmptyList('token_expired'),
    },
  }),
  ...breaking(TOK.refreshTokenLivesNinetyDays, {
    'refresh-token-lives-89-days': {
      story: 'A refresh token lives 89 days.',
      rules: { refreshIsFresh: (facts) => ageOf(facts) <= 89 * DAY },
    },
    'refresh-token-of-a-tpp-lives-60-days': {
      story: 'The refresh token of a TPP lives 60 days.',
      rules: (lawful) => ({
        refreshIsFresh: (facts) =>
          lawful.refreshIsFresh(facts) && (facts.client.kind === 'FAC' || ageOf(facts) <= 60 * DAY),
      }),
    },
  }),
  ...breaking(TOK.refreshedTokenLivesNinetyDays, {
    'refreshed-token-lives-30-days': {
      story: 'The access token of a refresh lives 30 days.',
      rules: living((facts) => (isRefresh(facts) ? 30 * DAY : undefined)),
    },
    'refreshed-token-lives-89-days': {
      story: 'The access token of a refresh lives 89 days.',
      rules: living((facts) => (isRefresh(facts) ? 89 * DAY : undefined)),
    },
  }),
  ...breaking(TOK.refreshedTokenEndsAfterNinetyDays, {
    'refreshed-token-never-ends': {
      story: 'The access token of a refresh never expires.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, 'REF-11'],
      rules: living((facts) => (isRefresh(facts) ? 100_000 * DAY : undefined)),
    },
    'refresh-adds-to-the-old-end': {
      story: 'The access token of a refresh lives 90 days and what was left of the one before.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, 'REF-11'],
      rules: living(
        ({ previous, now }) => previous && previous.expiresAt.getTime() + 90 * DAY - now.getTime(),
      ),
    },
    'refreshed-token-of-another-customer-never-ends': {
      story: 'The access tokens of a refresh never expire, but for one customer.',
      alsoBreaks: [TOK.expiredTokenHasStatus401],
      rules: living((facts) => (isRefresh(facts) && isOfAnotherCustomer(facts) ? 100_000 * DAY : undefined)),
    },
    'expired-token-of-a-refresh-reads-details': {
      story: 'An account detail checks the age of a token of a code exchange, and not that of a refresh.',
      rules: knowingRenewed((isRenewed) =>
        where((facts) => isRenewed(facts) && facts.endpoint === 'account', { accessIsFresh: () => true }),
      ),
    },
    'expired-token-of-a-refresh-shows-transactions': {
      story: 'Transactions of the second variant check the age of a token of a code exchange alone.',
      rules: knowingRenewed((isRenewed) =>
        where(
          (facts) => isRenewed(facts) && facts.variant === 'second' && facts.endpoint === 'transactions',
          { accessIsFresh: () => true },
        ),
      ),
    },
    'refreshed-token-of-a-tpp-lives-91-days': {
      story: 'The access token of a refresh lives 91 days for a TPP.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, 'REF-11'],
      rules: living((facts) => (isRefresh(facts) && facts.client.kind === 'TPP' ? 91 * DAY : undefined)),
    },
  }),
]

type Bearer = Parameters<Rules['accessIsFresh']>[0]

const age = ({ token, now }: Bearer): number => now.getTime() - token.issuedAt.getTime()

/** From the second refresh of a grant on, access tokens have another lifetime, in ms. */
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

const reaching: readonly Defect[] = [
  ...breaking(TOK.refreshedAccessTokenIsAccepted, {
    'refreshed-token-opens-the-lists-alone': {
      story: 'The access token of a refresh opens the lists only.',
      rules: knowingRenewed((isRenewed) => where(isRenewed, { accountIsOpen: () => false })),
    },
    'refreshed-token-opens-no-transactions-of-the-second-variant': {
      story: 'The access token of a refresh is refused the transactions of the second variant.',
      rules: knowingRenewed((isRenewed) =>
        where(
          (facts) => isRenewed(facts) && facts.variant === 'second' && facts.endpoint === 'transactions',
          { accessIsFresh: () => false },
        ),
      ),
    },
    'refreshed-token-refreshes-no-accounts': {
      story: 'The access token of a refresh is refused at PUT /refresh.',
      rules: knowingRenewed((isRenewed) =>
        where((facts) => facts.endpoint === 'refresh' && isRenewed(facts), { accessIsFresh: () => false }),
      ),
    },
  }),
  ...breaking(TOK.refreshedTokenSeesNoMoreAccounts, {
    'refresh-of-a-fac-opens-all-accounts-in-the-second-variant': {
      story:
        'The access token of a refresh of a FAC lists all accounts of the customer in the second variant.',
      alsoBreaks: ['ACC-15'],
      rules: knowingRenewed((isRenewed) =>
        where((facts) => isRenewed(facts) && isOfAFac(facts) && facts.variant === 'second', {
          accountsSeen: ({ customer }) => customer.accounts,
        }),
      ),
    },
  }),
  ...breaking(TOK.refreshedTokenKeepsThePageSize, {
    'refresh-lifts-the-page-size': {
      story:
        'The pages of an access token of a refresh have up to 500 transactions, whatever the pageSize is.',
      rules: knowingRenewed((isRenewed) =>
        where(isRenewed, { pageItems: ({ all, offset }) => all.slice(offset, offset + 500) }),
      ),
    },
    'refresh-doubles-the-pages-of-the-second-variant': {
      story: 'The pages of an access token of a refresh are twice as large in the second variant.',
      rules: knowingRenewed((isRenewed) =>
        where((facts) => isRenewed(facts) && facts.variant === 'second', {
          pageItems: ({ all, offset, size }) => all.slice(offset, offset + 2 * size),
        }),
      ),
    },
  }),
  ...breaking(TOK.accessTokenLivesNinetyDays, {
    'detail-needs-a-younger-token': {
      story: 'The detail of an account is refused to an access token of more than 60 days.',
      alsoBreaks: [TOK.refreshedTokenLivesNinetyDays],
      rules: where((facts) => facts.endpoint === 'account' && age(facts) > 60 * DAY, {
        accountIsOpen: () => false,
      }),
    },
    'second-variant-needs-a-younger-token': {
      story: 'The second variant refuses an access token of more than 60 days.',
      alsoBreaks: [TOK.refreshedTokenLivesNinetyDays],
      rules: where((facts) => facts.variant === 'second' && age(facts) > 60 * DAY, {
        accessIsFresh: () => false,
      }),
    },
    'refresh-of-accounts-needs-a-younger-token': {
      story: 'PUT /refresh refuses an access token of more than 60 days.',
      rules: where((facts) => facts.endpoint === 'refresh' && age(facts) > 60 * DAY, {
        accessIsFresh: () => false,
      }),
    },
  }),
]

const laterLifetimes: readonly Defect[] = [
  ...breaking(TOK.refreshTokenLivesNinetyDays, {
    'refreshed-refresh-token-lives-60-days': {
      story: 'The refresh token of a refresh lives 60 days.',
      rules: where(isRefresh, { refreshLifetime: () => 60 * DAY }),
    },
    'refreshed-refresh-token-lives-89-days': {
      story: 'The refresh token of a refresh lives 89 days.',
      rules: where(isRefresh, { refreshLifetime: () => 89 * DAY }),
    },
    'refresh-token-of-another-customer-lives-a-month': {
      story: 'The refresh tokens of all customers but one live 30 days.',
      rules: where(isOfAnotherCustomer, { refreshLifetime: () => 30 * DAY }),
    },
  }),
  ...breaking(TOK.oldRefreshTokenIsRefused, {
    'refresh-token-never-expires': {
      story: 'A refresh token never expires.',
      rules: { refreshIsFresh: () => true },
      inProduction: 'refresh-token-never-expires-in-production',
    },
    'refresh-token-of-a-tpp-never-expires': {
      story: 'The refresh token of a TPP never expires.',
      rules: where(isOfATpp, { refreshIsFresh: () => true }),
    },
    'replaced-refresh-token-is-valid-after-half-a-year': {
      story:
        'The use of a refresh token is forgotten after 180 days, and the age of a used one is not checked.',
      rules: (lawful) => {
        const used = new Set<string>()
        const isForgotten = (facts: RenewalFacts): boolean =>
          used.has(facts.refreshToken.value) && ageOf(facts) > 180 * DAY
        return {
          refreshIsFresh: (facts) => isForgotten(facts) || lawful.refreshIsFresh(facts),
          redeemsRefreshToken: (facts) => {
            if (isForgotten(facts)) return true
            used.add(facts.refreshToken.value)
            return lawful.redeemsRefreshToken(facts)
          },
        }
      },
    },
  }),
  ...breaking(TOK.refreshedTokenLivesNinetyDays, {
    'access-token-of-a-second-refresh-lives-a-day': {
      story: "The access token of a grant's second refresh lives a day.",
      rules: fromTheSecondRefreshOn(DAY),
    },
  }),
  ...breaking(TOK.refreshedTokenEndsAfterNinetyDays, {
    'access-token-of-a-second-refresh-never-ends': {
      story: "The access token of a grant's second refresh never expires.",
      rules: fromTheSecondRefreshOn(36_500 * DAY),
    },
  }),
  ...breaking(TOK.accessTokenEndsAfterNinetyDays, {
    'new-grant-revives-the-expired-token': {
      story: 'After a new grant the expired access token of the client is accepted again.',
      alsoBreaks: [TOK.expiredTokenHasStatus401, TOK.refreshedTokenEndsAfterNinetyDays],
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
    'expiry-is-swept-away-after-a-month': {
      story: 'A month after it has expired, an access token is accepted again.',
      alsoBreaks: [TOK.refreshedTokenEndsAfterNinetyDays],
      rules: where((facts) => age(facts) > 120 * DAY, { accessIsFresh: () => true }),
    },
  }),
  ...breaking(TOK.expiredTokenHasStatus401, {
    'expired-token-has-status-403-from-the-second-call-on': {
      story: 'The first call with an expired token is answered with 401, and later ones with 403.',
      rules: refusingLaterWith403('token_expired'),
    },
  }),
]

export const expiryDefects: readonly Defect[] = [...lifetimes, ...reaching, ...laterLifetimes]
