import { must, chapterRows, should, undisclosed } from '../../harness/check/requirement.ts'

/** Why nobody tries the same address without TLS. */
const WITHOUT_TLS =
  'to see it refused, a run would have to send the request without TLS: to another origin than that of the target, where nothing is sent, and with credentials that anybody on the way can read'
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
/** What is the same for every row of one environment against another. */
const SEPARATED = {
  quote:
    'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
  place: 'Versioning, 2',
  tags: ['security'],
}
const REFUSED = { reading: 'That it is refused is judged; with which status and body is not shown.' }
const OF_A_PAYMENT = {
  reading: 'Judged of its status, its authorization and its submission. How it is refused is not shown.',
}

export const ENV = {
  // What is served where, and under which version.
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
  // What keeps one environment apart from another.
  tokenOfTheSandboxIsRefusedInProduction: must('ENV-06', {
    claim: 'an access token of the sandbox opens no account in production',
    ...SEPARATED,
    reading: 'Judged of the lists and of the detail of an account, in both variants.',
  }),
  tokenOfProductionIsRefusedInTheSandbox: must('ENV-07', {
    claim: 'an access token of production opens no account in the sandbox',
    ...SEPARATED,
    reading: 'Judged of the lists and of the detail of an account, in both variants.',
  }),
  consentOfTheSandboxIsUnknownInProduction: must('ENV-08', {
    claim: 'a consent of the sandbox is not granted in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  codeOfTheSandboxIsRefusedInProduction: must('ENV-09', {
    claim: 'a code of the sandbox brings no token in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  transactionsOfProductionStayShutToTheSandbox: must('ENV-14', {
    claim: 'an access token of the sandbox opens no transactions in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  transactionsOfTheSandboxStayShutToProduction: must('ENV-15', {
    claim: 'an access token of production opens no transactions in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  consentOfProductionIsUnknownInTheSandbox: must('ENV-16', {
    claim: 'a consent of production is not granted in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  codeOfProductionIsRefusedInTheSandbox: must('ENV-17', {
    claim: 'a code of production brings no token in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  refreshTokenOfTheSandboxIsRefusedInProduction: must('ENV-18', {
    claim: 'a refresh token of the sandbox brings no token in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  refreshTokenOfProductionIsRefusedInTheSandbox: must('ENV-19', {
    claim: 'a refresh token of production brings no token in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentOfTheSandboxIsUnknownInProduction: must('ENV-20', {
    claim: 'a payment of the sandbox is unknown in production',
    ...SEPARATED,
    ...OF_A_PAYMENT,
  }),
  paymentOfProductionIsUnknownInTheSandbox: must('ENV-21', {
    claim: 'a payment of production is unknown in the sandbox',
    ...SEPARATED,
    ...OF_A_PAYMENT,
  }),
  paymentTokenOfTheSandboxIsRefusedInProduction: must('ENV-22', {
    claim: 'an access token for payments of the sandbox opens no payment in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenOfProductionIsRefusedInTheSandbox: must('ENV-23', {
    claim: 'an access token for payments of production opens no payment in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenOpensNoAccount: must('ENV-24', {
    claim: 'an access token that the application has for payments opens no account',
    quote:
      "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
    place: 'What the service does, 1',
    reading: 'Judged where the application comes to it without a customer.',
    tags: ['security'],
  }),
  accountTokenOpensNoPayment: should('ENV-25', {
    claim: 'an access token for accounts opens no payment',
    quote: 'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.',
    place: 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize',
    reading:
      'A scope of account information opens account information. The scopes of payments are not shown, hence no more than a SHOULD.',
    tags: ['security'],
  }),
  // What keeps the loan sandbox apart from the rest.
  accountTokenIsRefusedInTheLoanSandbox: must('ENV-10', {
    claim: 'an access token of the account API opens nothing in the loan sandbox',
    ...SEPARATED,
    reading: 'Judged of every operation; in production, of the precalculation.',
  }),
  loanTokenIsRefusedByTheAccountApi: must('ENV-11', {
    claim: 'an access token of the loan sandbox opens no account',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenIsRefusedInTheLoanSandbox: must('ENV-32', {
    claim: 'an access token for payments opens nothing in the loan sandbox',
    ...SEPARATED,
    reading: 'Judged of every operation.',
  }),
  loanTokenOpensNoPayment: must('ENV-33', {
    claim: 'an access token of the loan sandbox opens no payment',
    ...SEPARATED,
    ...REFUSED,
  }),
  loanApplicationIsUnknownElsewhere: must('ENV-34', {
    claim: 'a loan application is unknown below the base paths of the account API',
    ...SEPARATED,
    reading: 'Asked for with the access token that opens it in the loan sandbox.',
  }),
  authorizationEndpointUsesTls: must('ENV-12', {
    claim: 'the authorization endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the authorization endpoint.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    unchecked: WITHOUT_TLS,
    tags: ['security'],
  }),
  tokenEndpointUsesTls: must('ENV-13', {
    claim: 'the token endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the token endpoint.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    unchecked: WITHOUT_TLS,
    tags: ['security'],
  }),

  rulesForNewVersions: undisclosed('ENV-U1', {
    subject: 'the rules for introducing new versions',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rulesForDeprecation: undisclosed('ENV-U2', {
    subject: 'the rules for deprecation',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rulesForCompatibility: undisclosed('ENV-U3', {
    subject: 'the rules for compatibility',
    quote: 'The rules for introducing new versions, deprecation and compatibility: not shown.',
    place: 'Versioning, 3',
  }),
  rateLimits: undisclosed('ENV-U4', {
    subject: 'the rate limits',
    quote: 'Rate limits: not shown.',
    place: 'Limits',
  }),
} as const

export default chapterRows('environments', ENV)
