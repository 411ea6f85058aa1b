import {
  accept,
  alter,
  both,
  defectsIn,
  defectsOf,
  isFor,
  membersOf,
  production,
  refuse,
  when,
  refuseWith,
  type Call,
  type Change,
  type Defect,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { REF } from '../requirements.ts'

/** Refreshes without a valid access token that are accepted, or refused with another status, or refused and started. */

const REFRESH = isFor('refresh')
const ofRefreshes = defectsIn(REFRESH)

type Bearer = FactsOf<'bearerToken'>
type Issued = Past<'newPaymentToken'>

/** Takes such tokens, undefined for none, for the access token of the last accepted refresh. */
const acceptAsLast = (isMeant: (token: string | undefined, facts: Bearer, past: Issued) => boolean) =>
  alter(
    {
      bearerToken: (usual, facts, past) =>
        isMeant(usual, facts, past) ? past.of('refreshBody').at(-1)?.facts.token.value : usual,
    },
    'refreshBody',
    'newPaymentToken',
  )

const hasNoHeader = (_: unknown, { header }: Bearer): boolean => header === undefined

type Grant = FactsOf<'accessIsFresh'>['grant']

/** Takes a token for loans for one of the newest such grant. */
const acceptLoanTokens = (isMeant: (grant: Grant, facts: FactsOf<'grantOfLoanToken'>) => boolean) =>
  alter({
    grantOfLoanToken: (_, facts) => [...facts.grants.values()].findLast((grant) => isMeant(grant, facts)),
  })

type Search = FactsOf<'otherEnvironmentsSearched'>

/** Looks for tokens or consents of the other environment as well. */
const searchBoth = (environment: Search['environment'], ...kinds: readonly Search['kind'][]) =>
  when(
    (facts: Search) => facts.environment === environment && kinds.includes(facts.kind),
    alter({ otherEnvironmentsSearched: ['sandbox', 'production'] }),
  )
type Known = Past<'bearerToken' | 'accessIsFresh' | 'accessIsRevoked'>

/** Starts the task of a refresh that is refused for this reason, and answers with the refusal. */
export const startRefused = (
  error: FactsOf<'refusalStatus'>['error'],
  isRefused: (facts: FactsOf<'refreshStatus'>, past: Known) => boolean,
  accepted: Change<unknown>,
) =>
  both(
    alter(
      {
        refreshStatus: (usual, facts, past) =>
          isRefused(facts, past) ? past.rules.refusalStatus({ ...facts, error, account: undefined }) : usual,
        refreshBody: (usual, facts, past) =>
          isRefused(facts, past)
            ? membersOf(
                past.rules.refusalBody({ ...facts, error, account: undefined, description: 'Refused.' }),
              )
            : usual,
      },
      'bearerToken',
      'accessIsFresh',
      'accessIsRevoked',
    ),
    accepted,
  )

/** Refuses a refresh with such a header, and starts the task with the token of the last accepted refresh. */
const startWithout = (
  error: 'token_missing' | 'token_unknown',
  isMeant: (usual: string | undefined, facts: Bearer) => boolean,
) =>
  startRefused(
    error,
    (_, { of, rules }) => {
      const asked = of('bearerToken').at(-1)?.facts
      return asked !== undefined && isMeant(rules.bearerToken(asked), asked)
    },
    acceptAsLast(isMeant),
  )

const withoutToken = ofRefreshes([REF.refreshWithoutTokenIsRefused], {
  'A refresh without an Authorization header refreshes the consent of the refresh before':
    acceptAsLast(hasNoHeader),
  'A refresh is accepted with a Bearer header without a token': acceptAsLast(
    (_, { header }) => header?.trim() === 'Bearer',
  ),
  'A refresh is accepted with the Basic header of the client': acceptAsLast(
    (_, { header }) => header?.startsWith('Basic ') ?? false,
  ),
  'A refresh is accepted with the refresh token': alter(
    {
      bearerToken: (usual, _, { of }) =>
        of('newRefreshToken').find(({ answer }) => answer === usual)?.facts.accessToken ?? usual,
    },
    'newRefreshToken',
  ),
  'A refresh is accepted with an access token of the loan sandbox': acceptLoanTokens(
    ({ consentId }) => consentId !== undefined,
  ),
  'A refresh with a token for loans refreshes the last grant to its application': acceptLoanTokens(
    ({ clientId }, { token }) => clientId === token.clientId,
  ),
  'A refresh is accepted with an access token for payments': acceptAsLast((token, _, { of }) =>
    of('newPaymentToken').some(({ answer }) => answer === token),
  ),
  'A refresh in production accepts tokens and consents of the sandbox': searchBoth(
    'production',
    'accessTokens',
    'consents',
  ),
  'A refresh in the sandbox accepts tokens and consents of production': searchBoth(
    'sandbox',
    'accessTokens',
    'consents',
  ),
  'A refresh in the sandbox accepts tokens of production for every consent of the sandbox': both(
    searchBoth('sandbox', 'accessTokens'),
    accept('mayRefreshConsent', ({ token }) => token.environment === 'production'),
  ),
  'A refresh without an Authorization header is refused, and its task is started': startWithout(
    'token_missing',
    hasNoHeader,
  ),
  'A refresh with an unknown token is refused, and its task is started': startWithout(
    'token_unknown',
    (token) => token?.includes('No-bank-has-ever-issued') ?? false,
  ),
})

/** Accepts an expired token, by its place among the tokens of its grant. */
const acceptExpired = (isMeant: (place: number, last: number) => boolean) =>
  alter(
    {
      accessIsFresh: (usual, { token, grant }, { of }) => {
        const calls = of('newAccessToken').filter(({ facts }) => facts.grant.grantId === grant.grantId)
        const place = calls.findIndex(({ answer }) => answer === token.value)
        return usual || isMeant(place, calls.length - 1)
      },
    },
    'newAccessToken',
  )

type Asked = Pick<Call<'accessIsFresh'>, 'facts'>
type Dead = Past<'accessIsFresh' | 'accessIsRevoked'>

/** Starts the task of a refresh with a dead token, and answers with the refusal. */
const startDead = (
  error: 'token_expired' | 'token_revoked',
  callsOfDead: (past: Dead) => readonly Asked[],
  accepted: Change<FactsOf<'accessIsFresh'>>,
) => {
  const isDead = ({ token }: Pick<Asked['facts'], 'token'>, past: Dead) =>
    callsOfDead(past).some(({ facts }) => REFRESH(facts) && facts.token.value === token.value)
  return both(
    alter(
      { grantCounts: (usual, { tokens }, past) => usual || tokens.some((token) => isDead({ token }, past)) },
      'accessIsFresh',
      'accessIsRevoked',
    ),
    startRefused(error, isDead, when(REFRESH, accepted)),
  )
}

const DAY = 86_400_000

const deadTokens: readonly Defect[] = [
  ...ofRefreshes([REF.refreshWithAnExpiredTokenHasStatus401], {
    'A refresh does not check whether a token has expired': accept('accessIsFresh'),
    'A refresh is accepted with a token that has expired less than a day ago': alter({
      accessIsFresh: (_, facts, { rules }) =>
        rules.accessIsFresh({ ...facts, now: new Date(facts.now.getTime() - DAY) }),
    }),
    'A refresh is answered with 403 when the token has expired': refuseWith('token_expired', 403),
    'In production, a refresh is answered with 400 when the token has expired': when(
      production,
      refuseWith('token_expired', 400),
    ),
    'A refresh accepts an expired token whose grant has a newer one': acceptExpired(
      (place, last) => place < last,
    ),
    'A refresh does not check the age of a renewed token': acceptExpired(
      (place, last) => place > 0 && place === last,
    ),
  }),
  ...defectsOf([REF.refreshWithAnExpiredTokenHasStatus401], {
    'A refresh with an expired token is refused, and its task is started': startDead(
      'token_expired',
      ({ of }) => of('accessIsFresh').filter(({ answer }) => !answer),
      accept('accessIsFresh'),
    ),
  }),
  ...ofRefreshes([REF.refreshWithARevokedTokenHasStatus401], {
    'A refresh does not check whether a token was revoked': refuse('accessIsRevoked'),
    'A refresh is answered with 403 when the token was revoked': refuseWith('token_revoked', 403),
  }),
  ...defectsOf([REF.refreshWithARevokedTokenHasStatus401], {
    'A refresh with a revoked token is refused, and its task is started': startDead(
      'token_revoked',
      ({ of }) => of('accessIsRevoked').filter(({ answer }) => answer),
      refuse('accessIsRevoked'),
    ),
  }),
]

export const tokenDefects: readonly Defect[] = [...withoutToken, ...deadTokens]
