import {
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_FAC,
  FOR_A_TPP,
  IN_PRODUCTION,
  refuse,
  replaceRules,
  refuseWith,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { laterWith403, withAnEmptyList } from './data-calls.ts'
import { TOK } from '../requirements.ts'

/** Revocations that do not end what they should, or that end more. */

type AccessFacts = FactsOf<'accessIsRevoked'>

const OTHERS = ['replayRevokes', 'endOfConsentRevokes'] as const

/** Whether the user has revoked the grant. The other revocations are after a code was used twice or a consent ended. */
const isOfTheUser = (
  { grant, revokedAt }: Pick<AccessFacts, 'grant' | 'revokedAt'>,
  { of }: Past<(typeof OTHERS)[number]>,
): boolean =>
  revokedAt !== undefined &&
  !of('replayRevokes').some(({ facts, answer }) => answer && facts.code.grantId === grant.grantId) &&
  !of('endOfConsentRevokes').some(
    ({ facts, answer }) => answer && facts.consent.consentId === grant.consentId,
  )

/** Accepts access tokens that the user has revoked. */
const acceptAccess = (isMeant: (facts: AccessFacts) => boolean = () => true) =>
  alter(
    { accessIsRevoked: (usual, facts, past) => usual && !(isOfTheUser(facts, past) && isMeant(facts)) },
    ...OTHERS,
  )

const acceptRefresh = alter(
  { refreshIsRevoked: (usual, facts, past) => usual && !isOfTheUser(facts, past) },
  ...OTHERS,
)

/** The time since the revocation, in ms. */
const since = ({ revokedAt, now }: AccessFacts): number => now.getTime() - (revokedAt?.getTime() ?? 0)

const HOUR = 60 * 60 * 1000

/** Accepts a token whose refusal was followed by a new grant. */
const undoneByANewGrant = replaceRules((rules) => {
  const refused = new Set<string>()
  const accepted = new Set<string>()
  return {
    newCode: (facts) => {
      for (const grantId of refused) accepted.add(grantId)
      return rules.newCode(facts)
    },
    accessIsRevoked: (facts) => {
      if (!rules.accessIsRevoked(facts)) return false
      refused.add(facts.grant.grantId)
      return !accepted.has(facts.grant.grantId)
    },
  }
})

type Grant = AccessFacts['grant']

/** Ends other grants too when the user revokes one. The first refused call with the revoked token starts it. */
const endOthers = (isMeant: (other: Grant, revoked: Grant) => boolean) =>
  alter(
    {
      accessIsRevoked: (usual, { grant }, past) =>
        usual ||
        past
          .of('accessIsRevoked')
          .some(({ facts }) => isMeant(grant, facts.grant) && isOfTheUser(facts, past)),
    },
    ...OTHERS,
  )

/** What judges the same of accounts and of transactions, in both variants. */
const DATA = ['ACC-24', 'ACC-31', 'TRX-41', 'TRX-42']

export const revocationDefects = [
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401, ...DATA, 'REF-13'], {
    'A revoked access token is accepted': each([EVERYWHERE, IN_PRODUCTION], acceptAccess()),
    'A revoked access token is accepted for an hour': acceptAccess((facts) => since(facts) < HOUR),
  }),
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401, ...DATA], {
    'A revoked access token is accepted': each([FOR_A_FAC], acceptAccess()),
  }),
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401], {
    'A revoked access token is accepted again after a refresh was tried': alter(
      {
        accessIsRevoked: (usual, { grant }, past) =>
          usual &&
          !past
            .of('refreshIsRevoked')
            .some(({ facts }) => facts.grant.grantId === grant.grantId && isOfTheUser(facts, past)),
      },
      'refreshIsRevoked',
      ...OTHERS,
    ),
    'The revocation of an access token is forgotten after a day': refuse(
      'accessIsRevoked',
      (facts) => since(facts) >= 24 * HOUR,
    ),
  }),
  ...defectsOf([TOK.revokedTokenIsRefused], {
    'After a new grant the revoked access token of the client is accepted again': undoneByANewGrant,
  }),
  ...defectsOf([TOK.revokedTokenHasStatus401, ...DATA, 'REF-13', 'PAY-69'], {
    'A data call with a revoked token is answered with 403': refuseWith('token_revoked', 403),
    'A data call with a revoked token is answered with 200 and no accounts': withAnEmptyList('token_revoked'),
  }),
  ...defectsOf([TOK.revokedTokenHasStatus401], {
    'The first call with a revoked token is answered with 401, and later ones with 403':
      laterWith403('token_revoked'),
  }),
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revokedTokenHasStatus401], {
    'A revocation is forgotten after a week': acceptAccess((facts) => since(facts) >= 7 * 24 * HOUR),
  }),
  ...defectsOf([TOK.revokedTokenIsRefused, TOK.revocationEndsTheRefreshToken], {
    'The tokens of a consent that the customer revokes stay valid': alter({ endOfConsentRevokes: false }),
  }),
  ...defectsOf([TOK.revocationEndsTheRefreshToken], {
    'A revoked refresh token is accepted the second time': alter({
      refreshIsRevoked: (usual, { refreshToken: { value } }, { of }) =>
        usual && !of('refreshIsRevoked').some(({ facts }) => facts.refreshToken.value === value),
    }),
    'A revocation does not end the refresh token': each([EVERYWHERE, FOR_A_TPP], acceptRefresh),
  }),
  ...defectsOf([TOK.revocationEndsNoOtherGrant], {
    'A revocation ends the tokens that other customers gave to the application': endOthers(
      (other, revoked) => other.clientId === revoked.clientId && other.username !== revoked.username,
    ),
    'A revocation ends the tokens that the customer gave to other applications': endOthers(
      (other, revoked) => other.clientId !== revoked.clientId && other.username === revoked.username,
    ),
  }),
]
