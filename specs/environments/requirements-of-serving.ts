import { must, should } from '../../harness/check/requirement.ts'

/** Sentences that more than one row quotes. */
const BASE_PATHS = {
  reading:
    'Judged where the profile has credentials there, by the base path of the interface, whichever one the profile names.',
}
const SEGMENT = {
  quote: 'Operations carry a version segment v1 in the path (/v1/..., /api/v1/...).',
  place: 'Versioning, 1',
}
const OAUTH_SEGMENT = {
  quote: 'The OAuth paths carry v2 (/auth/oauth/v2/...).',
  place: 'Versioning, 1',
}
const UNKNOWN = {
  reading:
    'Of v0 and v999, which nobody has announced. The rules for versions are not shown, hence no more than a SHOULD.',
}

/** What is served where, and under which version. */
export const SERVING = {
  sandboxServesTheAccountApi: must('ENV-01', {
    claim: 'the account API is served below /premium/sandbox',
    quote:
      'Two base paths exist for the account API: {base_url}/premium/production and {base_url}/premium/sandbox.',
    place: 'Introduction',
    ...BASE_PATHS,
  }),
  productionServesTheAccountApi: must('ENV-02', {
    claim: 'the account API is served below /premium/production',
    quote: 'Account API paths are relative to {base_url}/premium/production or {base_url}/premium/sandbox.',
    place: 'Endpoints',
    ...BASE_PATHS,
  }),
  loanSandboxServesTheLoanApi: must('ENV-03', {
    claim: 'the loan API is served below /paylater/sandbox',
    quote: 'The loan sandbox base path is {base_url}/paylater/sandbox.',
    place: 'Introduction',
    reading: 'Judged by the base path of the interface, whichever one the profile names.',
  }),
  operationsAreServedBelowV1: must('ENV-04', {
    claim: 'consents and accounts are served below the version segment v1',
    ...SEGMENT,
    reading:
      'Endpoints gives PUT /refresh and the payment paths without a segment: these stand as they are given.',
  }),
  oauthIsServedBelowV2: must('ENV-05', {
    claim: 'the authorization and token endpoints are served below /auth/oauth/v2',
    ...OAUTH_SEGMENT,
  }),
  secondVariantIsServedBelowV1: must('ENV-26', {
    claim: 'the second accounts variant is served below /api/v1',
    ...SEGMENT,
    reading: 'Its base path is not shown: it is taken from the profile.',
  }),
  paymentsAreServedUnderTheirPaths: must('ENV-27', {
    claim: 'payments are initiated and read at the paths that the interface gives',
    quote: '| POST | /payments/ecomm/sba | Payment initiation.',
    place: 'Endpoints, Payments, POST /payments/ecomm/sba',
    reading:
      'And read at /payments/{orderId}/status. What stands before is not shown: it is taken from the profile.',
  }),
  unknownVersionOfAccountsIsRefused: should('ENV-28', {
    claim: 'the list of accounts is not answered below a version that does not exist',
    ...SEGMENT,
    ...UNKNOWN,
  }),
  unknownVersionOfTheSecondVariantIsRefused: should('ENV-29', {
    claim: 'the list of the second variant is not answered below a version that does not exist',
    ...SEGMENT,
    ...UNKNOWN,
  }),
  unknownVersionOfOauthIsRefused: should('ENV-30', {
    claim: 'a code brings no token below a version of the OAuth paths that does not exist',
    ...OAUTH_SEGMENT,
    ...UNKNOWN,
  }),
  unknownVersionOfLoansIsRefused: should('ENV-31', {
    claim: 'a precalculation is not answered below a version that does not exist',
    ...SEGMENT,
    ...UNKNOWN,
  }),
} as const
