import { TOK } from './requirements.ts'
import { withAnEmptyList, withStatus } from './defects-of-renewing-answers.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong when the user revokes. */

type AccessFacts = Parameters<Rules['accessIsRevoked']>[0]
type RenewalFacts = Parameters<Rules['refreshIsRevoked']>[0]
type IsOfTheUser = (facts: Pick<AccessFacts, 'grant' | 'revokedAt'>) => boolean

/** Changes what a revocation by the user does; what a code used twice or the end of a consent does stays as it is. */
const revokedByTheUser =
  (change: (isOfTheUser: IsOfTheUser, lawful: Rules) => Partial<Rules>): RuleChange =>
  (lawful) => {
    const elsewise = new Set<string | undefined>()
    const isOfTheUser: IsOfTheUser = ({ grant, revokedAt }) =>
      revokedAt !== undefined && !elsewise.has(grant.grantId) && !elsewise.has(grant.consentId)
    return {
      replayRevokes: (facts) => {
        const revokes = lawful.replayRevokes(facts)
        if (revokes) elsewise.add(facts.code.grantId)
        return revokes
      },
      endOfConsentRevokes: (facts) => {
        const revokes = lawful.endOfConsentRevokes(facts)
        if (revokes) elsewise.add(facts.consent.consentId)
        return revokes
      },
      ...change(isOfTheUser, lawful),
    }
  }

const forgettingAccess = (applies: (facts: AccessFacts) => boolean): RuleChange =>
  revokedByTheUser((isOfTheUser, lawful) => ({
    accessIsRevoked: (facts) => !(isOfTheUser(facts) && applies(facts)) && lawful.accessIsRevoked(facts),
  }))

const forgettingRefresh = (applies: (facts: RenewalFacts) => boolean): RuleChange =>
  revokedByTheUser((isOfTheUser, lawful) => ({
    refreshIsRevoked: (facts) => !(isOfTheUser(facts) && applies(facts)) && lawful.refreshIsRevoked(facts),
  }))

const HOUR = 60 * 60 * 1000

/** What judges the same of accounts and of transactions, in both variants. */
const ACCOUNTS_AND_TRANSACTIONS = ['ACC-24', 'ACC-31', 'TRX-41', 'TRX-42'].map((id) => ({ id }))

export const defectsOfRevocation: readonly Defect[] = [
  {
    id: 'revoked-token-is-accepted',
    story: 'The revocation of a token is recorded, and not looked at by data calls.',
    breaks: [
      TOK.revokedTokenIsRefused,
      TOK.revokedTokenHasStatus401,
      ...ACCOUNTS_AND_TRANSACTIONS,
      { id: 'REF-13' },
    ],
    rules: forgettingAccess(() => true),
  },
  {
    id: 'revoked-token-of-a-fac-is-accepted',
    story: 'The revocation of a token ends that of a TPP alone.',
    breaks: [TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS],
    rules: forgettingAccess(({ grant }) => grant.consentId === undefined),
  },
  {
    id: 'revoked-token-is-accepted-in-production',
    story: 'The revocation of a token is looked at in the sandbox alone.',
    environment: 'production',
    breaks: [
      TOK.revokedTokenIsRefused,
      TOK.revokedTokenHasStatus401,
      ...ACCOUNTS_AND_TRANSACTIONS,
      { id: 'REF-13' },
    ],
    rules: forgettingAccess(() => true),
  },
  {
    id: 'revocation-takes-an-hour',
    story: 'A revoked token is accepted from a cache for an hour.',
    breaks: [
      TOK.revokedTokenIsRefused,
      TOK.revokedTokenHasStatus401,
      ...ACCOUNTS_AND_TRANSACTIONS,
      { id: 'REF-13' },
    ],
    rules: forgettingAccess(
      ({ revokedAt, now }) => revokedAt !== undefined && now.getTime() < revokedAt.getTime() + HOUR,
    ),
  },
  {
    id: 'refresh-attempt-undoes-the-revocation',
    story: 'A revoked access token is good again once a refresh of it was tried.',
    breaks: [TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401],
    rules: revokedByTheUser((isOfTheUser, lawful) => {
      const undone = new Set<string>()
      return {
        refreshIsRevoked: (facts) => {
          if (isOfTheUser(facts)) undone.add(facts.grant.grantId)
          return lawful.refreshIsRevoked(facts)
        },
        accessIsRevoked: (facts) => !undone.has(facts.grant.grantId) && lawful.accessIsRevoked(facts),
      }
    }),
  },
  {
    id: 'revoked-token-has-status-403',
    story: 'A data call with a revoked token is forbidden.',
    breaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, { id: 'REF-13' }, { id: 'PAY-69' }],
    rules: withStatus('token_revoked', 403),
  },
  {
    id: 'revoked-token-gets-an-empty-list',
    story: 'A data call with a revoked token is answered with 200 and no accounts.',
    breaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, { id: 'REF-13' }, { id: 'PAY-69' }],
    rules: withAnEmptyList('token_revoked'),
  },
  {
    id: 'revocation-leaves-the-refresh-token',
    story: 'A revocation ends the access token, and its refresh token gives new ones.',
    breaks: [TOK.revocationEndsTheRefreshToken],
    rules: forgettingRefresh(() => true),
  },
  {
    id: 'revocation-leaves-the-refresh-token-of-a-tpp',
    story: 'A revocation ends the refresh token of a FAC, and leaves that of a TPP.',
    breaks: [TOK.revocationEndsTheRefreshToken],
    rules: forgettingRefresh(({ client }) => client.kind === 'TPP'),
  },
]
