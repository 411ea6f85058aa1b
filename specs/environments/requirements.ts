import { must, shelf, undisclosed } from '../../harness/check/requirement.ts'

const pending = 'no check yet'

/** Sentences that more than one row quotes. */
const SEPARATED = {
  quote:
    'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
  place: 'Versioning, 2',
}

export const ENV = {
  sandboxServesTheAccountApi: must('ENV-01', {
    claim: 'the account API is served below /premium/sandbox',
    quote:
      'Two base paths exist for the account API: {base_url}/premium/production and {base_url}/premium/sandbox.',
    place: 'Introduction',
    reading: 'Judged where the profile has credentials of the sandbox.',
    pending,
  }),
  productionServesTheAccountApi: must('ENV-02', {
    claim: 'the account API is served below /premium/production',
    quote: 'Account API paths are relative to {base_url}/premium/production or {base_url}/premium/sandbox.',
    place: 'Endpoints',
    reading: 'Judged where the profile has credentials of production.',
    pending,
  }),
  loanSandboxServesTheLoanApi: must('ENV-03', {
    claim: 'the loan API is served below /paylater/sandbox',
    quote: 'The loan sandbox base path is {base_url}/paylater/sandbox.',
    place: 'Introduction',
    pending,
  }),
  operationsAreServedBelowV1: must('ENV-04', {
    claim: 'consents and accounts are served below the version segment v1',
    quote: 'Operations carry a version segment v1 in the path (/v1/..., /api/v1/...).',
    place: 'Versioning, 1',
    reading:
      'Endpoints gives PUT /refresh and the payment paths without a segment: these stand as they are given.',
    pending,
  }),
  oauthIsServedBelowV2: must('ENV-05', {
    claim: 'the authorization and token endpoints are served below /auth/oauth/v2',
    quote: 'The OAuth paths carry v2 (/auth/oauth/v2/...).',
    place: 'Versioning, 1',
    pending,
  }),
  tokenOfTheSandboxIsRefusedInProduction: must('ENV-06', {
    claim: 'an access token of the sandbox opens no account in production',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  tokenOfProductionIsRefusedInTheSandbox: must('ENV-07', {
    claim: 'an access token of production opens no account in the sandbox',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  consentOfTheSandboxIsUnknownInProduction: must('ENV-08', {
    claim: 'a consent of the sandbox is not granted in production',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  codeOfTheSandboxIsRefusedInProduction: must('ENV-09', {
    claim: 'a code of the sandbox brings no token in production',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  accountTokenIsRefusedInTheLoanSandbox: must('ENV-10', {
    claim: 'an access token of the account API opens nothing in the loan sandbox',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  loanTokenIsRefusedByTheAccountApi: must('ENV-11', {
    claim: 'an access token of the loan sandbox opens no account',
    ...SEPARATED,
    tags: ['security'],
    pending,
  }),
  authorizationEndpointUsesTls: must('ENV-12', {
    claim: 'the authorization endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the authorization endpoint.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    unchecked:
      'a run talks to the one address it is given, and a bank under test on a loopback address has no certificate',
    tags: ['security'],
  }),
  tokenEndpointUsesTls: must('ENV-13', {
    claim: 'the token endpoint is reached by TLS alone',
    quote:
      'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the token endpoint.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    unchecked:
      'a run talks to the one address it is given, and a bank under test on a loopback address has no certificate',
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

export default shelf('environments', ENV)
