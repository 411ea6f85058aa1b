import { DAY, HOUR, MINUTE, isDelete, isPrecalculation, isStatusCall, isSubmission } from './applications.ts'
import {
  accept,
  alter,
  defectsOf,
  refuse,
  when,
  refuseWith,
  type FactsOf,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** The tokens of the loan sandbox: their answers and lifetimes, and calls without a valid one. */

/** Other members of token answers; undefined leaves one out. */
const answerHas = (members: Members) => alter({ loanTokenBody: (usual) => ({ ...usual, ...members }) })

const validFor = (ms: number) =>
  alter({ loanTokenIsFresh: (_, { token, now }) => now.getTime() - token.issuedAt.getTime() < ms })

/** The answers say a day; all tokens but the first have another lifetime. */
const laterAreValidFor = (ms: number) =>
  alter({
    loanTokenLifetime: (usual, _, { calls }) => (calls > 1 ? ms : usual),
    loanTokenBody: (_, facts, { rules }) => rules.loanTokenBody({ ...facts, lifetime: DAY }),
  })

type Refused = FactsOf<'refusalStatus'>

const acceptExpired = accept('loanTokenIsFresh')
const forbidExpired = refuseWith('token_expired', 403)

type Caller = FactsOf<'loanCallerOtherwise'>
const hasAToken = ({ value }: Caller): boolean => value !== undefined

const isForeign = ({ value }: Caller, { of }: Past<'foreignTokenOpensLoans'>): boolean =>
  of('foreignTokenOpensLoans').some(({ facts }) => facts.token.value === value)

/** Calls without a valid token are accepted as ones of the client that asked for a token last. */
const acceptCalls = (where: (facts: Caller, past: Past<'foreignTokenOpensLoans'>) => boolean) =>
  alter(
    {
      loanCallerOtherwise: (usual, facts, past) =>
        where(facts, past) ? past.of('loanSecretMatches').at(-1)?.facts.client : usual,
    },
    'loanSecretMatches',
    'foreignTokenOpensLoans',
  )

const needsNoToken = acceptCalls((facts) => !hasAToken(facts))

export const tokenDefects: readonly Defect[] = [
  ...defectsOf([LOA.sandboxIssuesAToken, LOA.sandboxHasItsOwnTokenEndpoint], {
    'A loan token is an empty text': answerHas({ access_token: '' }),
    'The loan token endpoint refuses the scope PAY_LATER': refuse('loanScopeIsAccepted'),
  }),
  ...defectsOf([LOA.sandboxIssuesAToken], {
    'A loan token is an object': alter({
      loanTokenBody: (usual) => ({ ...usual, access_token: { value: usual.access_token } }),
    }),
  }),
  ...defectsOf([LOA.sandboxHasItsOwnTokenEndpoint], {
    'The loan operations refuse all loan tokens': refuse('loanTokenIsFresh'),
  }),
  ...defectsOf([LOA.sandboxTokenHasTheScopePayLater], {
    'The loan token answer has no scope': answerHas({ scope: undefined }),
    'The scope of a loan token is that of the account interface': answerHas({ scope: 'PREMIUM_AIS' }),
    'The scope of a loan token is in lower case': answerHas({ scope: 'pay_later' }),
    'A loan token has a second scope next to PAY_LATER': answerHas({ scope: 'PAY_LATER PISP' }),
  }),
  ...defectsOf([LOA.sandboxTokenIsABearerToken], {
    'The token_type of a loan token is mac': answerHas({ token_type: 'mac' }),
    'The loan token answer has no token_type': answerHas({ token_type: undefined }),
  }),
  ...defectsOf([LOA.sandboxTokenExpiresInADay], {
    'The expires_in of a loan token is 3600': answerHas({ expires_in: 3600 }),
    'The expires_in of a loan token counts milliseconds': answerHas({ expires_in: DAY }),
    'The expires_in of a later loan token is what is left of the first': alter({
      loanTokenBody: (usual, { now }, { of }) => {
        const [first] = of('loanTokenBody')
        const since = first === undefined ? 0 : now.getTime() - first.facts.now.getTime()
        return { ...usual, expires_in: (DAY - since) / 1000 }
      },
    }),
  }),
  ...defectsOf([LOA.sandboxTokenExpiresInAnInteger], {
    'The expires_in of a loan token is a text': answerHas({ expires_in: '86400' }),
  }),
  ...defectsOf([LOA.sandboxTokenExpiresInADay, LOA.sandboxTokenExpiresInAnInteger], {
    'The loan token answer has no expires_in': answerHas({ expires_in: undefined }),
  }),
  ...defectsOf([LOA.sandboxTokenEndsAfterADay], {
    'A loan token never expires': acceptExpired,
    'A loan token is valid for 25 hours': validFor(DAY + HOUR),
    'The second loan token is valid for 1000 days': laterAreValidFor(1_000 * DAY),
    'An expired loan token reads the status of an application': when(isStatusCall, acceptExpired),
    'An expired loan token submits an application': when(isSubmission, acceptExpired),
    'An expired loan token cancels an application': when(isDelete, acceptExpired),
  }),
  ...defectsOf([LOA.sandboxTokenLivesForADay], {
    'A loan token expires 10 minutes before its day is over': validFor(DAY - 10 * MINUTE),
    'The second loan token is valid for an hour': laterAreValidFor(HOUR),
  }),
  ...defectsOf([LOA.expiredTokenHasStatus401], {
    'An expired loan token is refused with 403': when(
      ({ endpoint }: Refused) => endpoint.startsWith('loan-'),
      forbidExpired,
    ),
    'A DELETE with an expired loan token is refused with 403': when(isDelete, forbidExpired),
  }),
  ...defectsOf([LOA.loanCallWithoutTokenIsRefused], {
    'A loan operation needs no token': needsNoToken,
    'A precalculation needs no token': when(isPrecalculation, needsNoToken),
    'An application needs no token': when(isSubmission, needsNoToken),
    'The status of an application is reported without a token': when(isStatusCall, needsNoToken),
    'An application can be canceled without a token': when(isDelete, needsNoToken),
  }),
  ...defectsOf([LOA.loanCallWithUnknownTokenIsRefused], {
    'The loan operations accept any token that is not one of another interface': acceptCalls(
      (facts, past) => hasAToken(facts) && !isForeign(facts, past),
    ),
  }),
  ...defectsOf([LOA.loanCallWithUnknownTokenIsRefused, 'ENV-10', 'ENV-32'], {
    'A DELETE accepts a token that was never issued': when(isDelete, acceptCalls(hasAToken)),
  }),
  ...defectsOf([LOA.wrongSecretGetsNoLoanToken], {
    'The loan token endpoint compares no secret': accept('loanSecretMatches'),
    'The loan token endpoint compares secrets without regard to case': accept(
      'loanSecretMatches',
      ({ client, secret }) => client.secret.toLowerCase() === secret.toLowerCase(),
    ),
    'The loan token endpoint ignores what follows a correct secret': accept(
      'loanSecretMatches',
      ({ client, secret }) => secret.startsWith(client.secret),
    ),
  }),
  ...defectsOf([LOA.tokenOfAnotherScopeIsRefused], {
    'The loan token endpoint grants any scope': accept('loanScopeIsAccepted'),
  }),
]
