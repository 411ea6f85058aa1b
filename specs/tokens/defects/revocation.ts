import { breaking, isOfAFac, isOfATpp } from '../../shared/defects.ts'
import { refusingLaterWith403, withAnEmptyList, withStatus } from './bearer.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Revocations that do not end what they should. */

type AccessFacts = Parameters<Rules['accessIsRevoked']>[0]
type RenewalFacts = Parameters<Rules['refreshIsRevoked']>[0]
type IsOfTheUser = (facts: Pick<AccessFacts, 'grant' | 'revokedAt'>) => boolean

/** Changes what a revocation by the user does. The revocations after a code was used twice, or a consent ended, stay. */
const revokedByTheUser =
  (change: (isOfTheUser: IsOfTheUser, lawful: Rules) => Partial<Rules>): RuleChange =>
  (lawful) => {
    const otherwise = new Set<string | undefined>()
    const isOfTheUser: IsOfTheUser = ({ grant, revokedAt }) =>
      revokedAt !== undefined && !otherwise.has(grant.grantId) && !otherwise.has(grant.consentId)
    return {
      replayRevokes: (facts) => {
        const revokes = lawful.replayRevokes(facts)
        if (revokes) otherwise.add(facts.code.grantId)
        return revokes
      },
      endOfConsentRevokes: (facts) => {
        const revokes = lawful.endOfConsentRevokes(facts)
        if (revokes) otherwise.add(facts.consent.consentId)
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

const DAY = 24 * 60 * 60 * 1000
const HOUR = 60 * 60 * 1000

/** What judges the same of accounts and of transactions, in both variants. */
const ACCOUNTS_AND_TRANSACTIONS = ['ACC-24', 'ACC-31', 'TRX-41', 'TRX-42'].map((id) => ({ id }))

const revocations: readonly Defect[] = [
  ...breaking(TOK.revokedTokenIsRefused, {
    'revoked-token-is-accepted': {
      story: 'A revoked access token is accepted.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, 'REF-13'],
      rules: forgettingAccess(() => true),
      inProduction: 'revoked-token-is-accepted-in-production',
    },
    'revoked-token-of-a-fac-is-accepted': {
      story: 'The revoked access token of a FAC is accepted.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS],
      rules: forgettingAccess(isOfAFac),
    },
    'revocation-takes-an-hour': {
      story: 'A revoked token is accepted for an hour.',
      alsoBreaks: [TOK.revokedTokenHasStatus401, ...ACCOUNTS_AND_TRANSACTIONS, 'REF-13'],
      rules: forgettingAccess(
        ({ revokedAt, now }) => revokedAt !== undefined && now.getTime() < revokedAt.getTime() + HOUR,
      ),
    },
    'refresh-attempt-undoes-the-revocation': {
      story: 'A revoked access token is accepted again after a refresh was tried.',
      alsoBreaks: [TOK.revokedTokenHasStatus401],
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
  }),
  ...breaking(TOK.revokedTokenHasStatus401, {
    'revoked-token-has-status-403': {
      story: 'A data call with a revoked token is answered with 403.',
      alsoBreaks: [...ACCOUNTS_AND_TRANSACTIONS, 'REF-13', 'PAY-69'],
      rules: withStatus('token_revoked', 403),
    },
    'revoked-token-gets-an-empty-list': {
      story: 'A data call with a revoked token is answered with 200 and no accounts.',
      alsoBreaks: [...ACCOUNTS_AND_TRANSACTIONS, 'REF-13', 'PAY-69'],
      rules: withAnEmptyList('token_revoked'),
    },
  }),
  ...breaking(TOK.revocationEndsTheRefreshToken, {
    'revocation-leaves-the-refresh-token': {
      story: 'A revocation does not end the refresh token.',
      rules: forgettingRefresh(() => true),
    },
    'revocation-leaves-the-refresh-token-of-a-tpp': {
      story: 'A revocation does not end the refresh token of a TPP.',
      rules: forgettingRefresh(isOfATpp),
    },
  }),
]

const laterRevocations: readonly Defect[] = [
  ...breaking(TOK.revokedTokenIsRefused, {
    'revocation-is-forgotten-after-a-day': {
      story: 'A revocation is forgotten after a day.',
      alsoBreaks: [TOK.revokedTokenHasStatus401],
      rules: (lawful) => ({
        accessIsRevoked: (facts) =>
          lawful.accessIsRevoked(facts) && facts.now.getTime() - (facts.revokedAt?.getTime() ?? 0) < DAY,
      }),
    },
    'new-grant-undoes-the-revocation': {
      story: 'After a new grant the revoked access token of the client is accepted again.',
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
  }),
  ...breaking(TOK.revokedTokenHasStatus401, {
    'revoked-token-has-status-403-from-the-second-call-on': {
      story: 'The first call with a revoked token is answered with 401, and later ones with 403.',
      rules: refusingLaterWith403('token_revoked'),
    },
  }),
]

export const revocationDefects: readonly Defect[] = [...revocations, ...laterRevocations]
