import {
  at,
  chapterRows,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const WITHOUT_TLS =
  'Judged by a request of an invented client, which carries no credentials, over plain HTTP: it may be refused, redirected to https or not answered, but not processed as it is over TLS. A base URL with http is judged as well, except on the loopback interface: nothing leaves the machine there.'
const BASE_PATHS = {
  reading:
    'Judged where the profile has credentials there, at the base path of the interface, even where the profile names another one.',
}
const UNKNOWN = {
  reading:
    'Judged for v0 and v999, which nobody has announced. The rules for versions are not shown, hence no more than a SHOULD.',
}
const BORDER = 'What is issued below one base path is not valid below another.'
const REFUSED = { reading: `${BORDER} The status and the body of the refusal are not judged.` }
const OF_A_PAYMENT = {
  reading: `${BORDER} Judged for its status, its authorization and its submission. The form of the refusal is not shown.`,
}
const OF_PAYMENT_TOKENS = {
  reading: `${BORDER} Scopes and authentication of the payment operations are not shown, hence no more than a SHOULD.`,
}
const OF_LOAN_OPERATIONS = 'How the loan operations authenticate is not shown, hence no more than a SHOULD.'

export const ENV = statements({
  'Two base paths exist for the account API: {base_url}/premium/production and {base_url}/premium/sandbox.':
    at('Introduction', {
      sandboxServesTheAccountApi: must('ENV-01', {
        claim: 'the account API is served below /premium/sandbox',
        ...BASE_PATHS,
      }),
    }),
  'The loan sandbox base path is {base_url}/paylater/sandbox.': at('Introduction', {
    loanSandboxServesTheLoanApi: must('ENV-03', {
      claim: 'the loan API is served below /paylater/sandbox',
      reading: 'Judged at the base path of the interface, even where the profile names another one.',
    }),
  }),
  'Account API paths are relative to {base_url}/premium/production or {base_url}/premium/sandbox.': at(
    'Endpoints',
    {
      productionServesTheAccountApi: must('ENV-02', {
        claim: 'the account API is served below /premium/production',
        ...BASE_PATHS,
      }),
    },
  ),
  'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.': at(
    'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize',
    {
      accountTokenOpensNoPayment: should('ENV-25', {
        claim: 'an access token for accounts opens no payment',
        reading:
          'A scope of account information opens account information. Scopes and authentication of the payment operations are not shown, hence no more than a SHOULD.',
        tags: ['security'],
      }),
    },
  ),
  '| PUT | /refresh | Starts an asynchronous task': at(
    "Endpoints, Refresh of other banks' accounts, PUT /refresh",
    {
      refreshIsServedUnderItsPath: must('ENV-35', {
        claim: 'a refresh is started at the path that the interface gives',
        reading: 'Judged even where the profile names another path.',
      }),
    },
  ),
  '| POST | /payments/ecomm/sba | Payment initiation.': at('Endpoints, Payments, POST /payments/ecomm/sba', {
    paymentsAreServedUnderTheirPaths: must('ENV-27', {
      claim: 'payments are initiated, read and submitted at the paths that the interface gives',
      reading:
        'And read at /payments/{orderId}/status, submitted at /payments/submission. The base path is not shown: it is taken from the profile.',
    }),
  }),
  '| POST | /v1/applications | Submits an application.': at(
    'Endpoints, Installment-loan sandbox, POST /v1/applications',
    {
      loanOperationsAreServedUnderTheirPaths: must('ENV-37', {
        claim: 'the loan operations are served at the paths that the interface gives',
        reading:
          'Judged for all five operations of the table, even where the profile names other paths. A cancellation that is answered NOT_ALLOWED_OPER is served.',
      }),
    },
  ),
  "Authorization of a user's data uses the OAuth 2.0 Authorization Code Grant with PKCE": at(
    'Authentication, 1',
    {
      paymentTokenOpensNoAccount: must('ENV-24', {
        claim: 'an access token that the application has for payments opens no account',
        reading:
          'No account is read with a token that no customer has granted: judged where the application gets it by client_credentials. Which scopes payments have is not judged.',
        tags: ['security'],
      }),
    },
  ),
  'Rate limits: not shown.': at('Limits', {
    rateLimits: notShown('ENV-U4', { subject: 'the rate limits' }),
  }),
  'Operations carry a version segment v1 in the path (/v1/..., /api/v1/...).': at('Versioning, 1', {
    operationsAreServedBelowV1: must('ENV-04', {
      claim: 'consents, accounts and transactions are served at their paths below the version segment v1',
      reading:
        'The profile may name other paths, but these are judged. Endpoints gives PUT /refresh and the payment paths without a segment: ENV-35 and ENV-27 judge them as they are given.',
    }),
    secondVariantIsServedBelowV1: must('ENV-26', {
      claim: 'the three operations of the second accounts variant are served at their paths below /api/v1',
      reading: 'The base path is not shown: it is taken from the profile. The paths are judged.',
    }),
    missingVersionIsRefused: should('ENV-36', {
      claim: 'consents, accounts, tokens and precalculations are not answered without a version segment',
      reading:
        'The sentence says where operations are served, not that nothing is served elsewhere, and the rules for versions are not shown: an additional path without a segment is no more than a broken SHOULD. An operation that is served there only breaks ENV-04, ENV-05, ENV-26 or ENV-37.',
    }),
    unknownVersionOfAccountsIsRefused: should('ENV-28', {
      claim: 'consents, accounts and transactions are not answered below a version that does not exist',
      ...UNKNOWN,
    }),
    unknownVersionOfTheSecondVariantIsRefused: should('ENV-29', {
      claim: 'the operations of the second variant are not answered below a version that does not exist',
      ...UNKNOWN,
    }),
    unknownVersionOfLoansIsRefused: should('ENV-31', {
      claim: 'a precalculation is not answered below a version that does not exist',
      ...UNKNOWN,
    }),
  }),
  'The OAuth paths carry v2 (/auth/oauth/v2/...).': at('Versioning, 1', {
    oauthIsServedBelowV2: must('ENV-05', {
      claim: 'the authorization and token endpoints are served below /auth/oauth/v2',
    }),
    unknownVersionOfOauthIsRefused: should('ENV-30', {
      claim: 'a code brings no token below a version of the OAuth paths that does not exist',
      ...UNKNOWN,
    }),
  }),
  'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.':
    at(
      'Versioning, 2',
      {
        tokenOfTheSandboxIsRefusedInProduction: must('ENV-06', {
          claim: 'an access token of the sandbox opens no account in production',
          reading: `${BORDER} Judged for the lists and the detail of an account, in both variants.`,
        }),
        tokenOfProductionIsRefusedInTheSandbox: must('ENV-07', {
          claim: 'an access token of production opens no account in the sandbox',
          reading: `${BORDER} Judged for the lists and the detail of an account, in both variants.`,
        }),
        consentOfTheSandboxIsUnknownInProduction: must('ENV-08', {
          claim: 'a consent of the sandbox is not granted in production',
          ...REFUSED,
        }),
        codeOfTheSandboxIsRefusedInProduction: must('ENV-09', {
          claim: 'a code of the sandbox brings no token in production',
          ...REFUSED,
        }),
        transactionsOfProductionStayShutToTheSandbox: must('ENV-14', {
          claim: 'an access token of the sandbox opens no transactions in production',
          ...REFUSED,
        }),
        transactionsOfTheSandboxStayShutToProduction: must('ENV-15', {
          claim: 'an access token of production opens no transactions in the sandbox',
          ...REFUSED,
        }),
        consentOfProductionIsUnknownInTheSandbox: must('ENV-16', {
          claim: 'a consent of production is not granted in the sandbox',
          ...REFUSED,
        }),
        codeOfProductionIsRefusedInTheSandbox: must('ENV-17', {
          claim: 'a code of production brings no token in the sandbox',
          ...REFUSED,
        }),
        refreshTokenOfTheSandboxIsRefusedInProduction: must('ENV-18', {
          claim: 'a refresh token of the sandbox brings no token in production',
          ...REFUSED,
        }),
        refreshTokenOfProductionIsRefusedInTheSandbox: must('ENV-19', {
          claim: 'a refresh token of production brings no token in the sandbox',
          ...REFUSED,
        }),
        paymentOfTheSandboxIsUnknownInProduction: must('ENV-20', {
          claim: 'a payment of the sandbox is unknown in production',
          ...OF_A_PAYMENT,
        }),
        paymentOfProductionIsUnknownInTheSandbox: must('ENV-21', {
          claim: 'a payment of production is unknown in the sandbox',
          ...OF_A_PAYMENT,
        }),
        paymentTokenOfTheSandboxIsRefusedInProduction: should('ENV-22', {
          claim: 'an access token for payments of the sandbox opens no payment in production',
          ...OF_PAYMENT_TOKENS,
        }),
        paymentTokenOfProductionIsRefusedInTheSandbox: should('ENV-23', {
          claim: 'an access token for payments of production opens no payment in the sandbox',
          ...OF_PAYMENT_TOKENS,
        }),
        accountTokenIsRefusedInTheLoanSandbox: should('ENV-10', {
          claim: 'an access token of the account API opens nothing in the loan sandbox',
          reading: `${BORDER} ${OF_LOAN_OPERATIONS} Judged for every operation; with a token of production, for the precalculation.`,
        }),
        loanTokenIsRefusedByTheAccountApi: must('ENV-11', {
          claim: 'an access token of the loan sandbox opens no account',
          ...REFUSED,
        }),
        paymentTokenIsRefusedInTheLoanSandbox: should('ENV-32', {
          claim: 'an access token for payments opens nothing in the loan sandbox',
          reading: `${BORDER} ${OF_LOAN_OPERATIONS} Judged for every operation.`,
        }),
        loanTokenOpensNoPayment: should('ENV-33', {
          claim: 'an access token of the loan sandbox opens no payment',
          ...OF_PAYMENT_TOKENS,
        }),
        loanApplicationIsUnknownElsewhere: must('ENV-34', {
          claim: 'a loan application is unknown below the base paths of the account API',
          reading: `${BORDER} Asked for with the access token that opens it in the loan sandbox.`,
        }),
      },
      { tags: ['security'] },
    ),
  'The rules for introducing new versions, deprecation and compatibility: not shown.': at('Versioning, 3', {
    rulesForNewVersions: notShown('ENV-U1', { subject: 'the rules for introducing new versions' }),
    rulesForDeprecation: notShown('ENV-U2', { subject: 'the rules for deprecation' }),
    rulesForCompatibility: notShown('ENV-U3', { subject: 'the rules for compatibility' }),
  }),
  'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the authorization endpoint.':
    ofStandard('RFC 6749 §3.1', 'Authorization Endpoint', {
      authorizationEndpointUsesTls: must('ENV-12', {
        claim: 'the authorization endpoint answers requests over TLS only',
        reading: WITHOUT_TLS,
        tags: ['security'],
      }),
    }),
  'the authorization server MUST require the use of TLS as described in Section 1.6 when sending requests to the token endpoint.':
    ofStandard('RFC 6749 §3.2', 'Token Endpoint', {
      tokenEndpointUsesTls: must('ENV-13', {
        claim: 'the token endpoint answers requests over TLS only',
        reading: WITHOUT_TLS,
        tags: ['security'],
      }),
    }),
})

export default chapterRows('environments', ENV)
