import {
  at,
  chapterRows,
  may,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const EXCHANGE = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (code exchange)'
const ANSWER = 'Resources and their fields, Token response'
const REFUSED = 'Refused: the answer carries no token; its status and body are not shown.'
const NO_MORE_THAN_SHOULD = 'The form of a refusal is not shown, hence no more than a SHOULD.'
const STATUS_OF_A_REFUSAL = 'A status from 400 to 499; which of them is not shown.'
const REFRESH = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)'
const VALIDITY = 'States and transitions, Token and consent validity'
const TAMPERED =
  'Made up, or a valid one that was changed, cut short or made longer, never in a way that a decoder may ignore: the last bits of an encoded token may be unused.'
const DAYS =
  'Judged two minutes before the end of the 90 days, and two minutes after it. A day is 24 hours or one of the calendar: where summer time begins or ends in the 90 days, both ends are permitted.'
const COUNTED_FROM =
  'The 90 days of a token from a refresh are counted from the refresh, or from the authorization by the customer ("the 90-day legislative re-authorization applies").'
const FORM =
  'The form of a refusal other than that of a revoked or expired token is not shown, hence no more than a SHOULD.'

export const TOK = statements({
  '| access_token | string | Bearer token. |': at(`${ANSWER}, row access_token`, {
    accessTokenIsAString: must('TOK-02', {
      claim: 'access_token is a string',
      reading: 'Judged on the raw JSON.',
    }),
  }),
  '| token_type | string | Value Bearer. |': at(`${ANSWER}, row token_type`, {
    tokenTypeIsBearer: must('TOK-05', {
      claim: 'token_type is Bearer',
      reading: 'Compared without regard to case, as RFC 6749 §5.1 has it.',
    }),
  }),
  '| expires_in | integer | Seconds.': at(`${ANSWER}, row expires_in`, {
    expiresInIsGiven: must('TOK-06', {
      claim: 'every token answer has the field expires_in',
      reading:
        'RFC 6749 §5.1 only recommends the field; the interface lists it among the fields of the answer without a condition.',
    }),
    expiresInIsAnInteger: must('TOK-07', {
      claim: 'expires_in is an integer',
      reading: 'Judged on the raw JSON where the field is given: neither a string nor a fraction.',
    }),
  }),
  '| scope | string | For example PAY_LATER in the loan sandbox. |': at(`${ANSWER}, row scope`, {
    scopeIsAString: must('TOK-09', {
      claim: 'scope is a string',
      reading: 'Judged on the raw JSON where the field is given.',
    }),
    scopeIsGiven: must('TOK-98', {
      claim: 'every token answer has the field scope',
      reading:
        'RFC 6749 §5.1 makes the field optional if the scope is the requested one; the interface lists it among the fields of the answer without a condition.',
    }),
  }),
  '| refresh token | string | Issued together with the access token on the authorization code exchange.': at(
    `${ANSWER}, row refresh token`,
    {
      refreshTokenIsAString: must('TOK-04', {
        claim: 'the refresh token is a string',
        reading: 'Judged on the raw JSON.',
      }),
    },
  ),
  'Its response field name is not among the given field names of this table.': at(
    'Resources and their fields, Token response, row refresh token',
    {
      nameOfTheRefreshToken: notShown('TOK-U1', {
        subject: 'the name of the field that carries the refresh token',
      }),
    },
  ),
  'The access token and the refresh token both expire 90 days after issue.': at(ANSWER, {
    expiresInSaysNinetyDays: should('TOK-08', {
      claim: 'expires_in of a new access token is 90 days',
      reading:
        '7776000 seconds, one hour more or less, because of the time of the answer and of summer time. A SHOULD: the interface gives no value for the tokens of the account API.',
    }),
    accessTokenLivesNinetyDays: must('TOK-80', {
      claim: 'an access token is accepted until 90 days after its issue',
      reading: `No refresh is made in between. ${DAYS}`,
      tags: ['time'],
    }),
    oldRefreshTokenIsRefused: must('TOK-92', {
      claim: 'a refresh token that is older than 180 days gives no tokens',
      reading:
        'The refresh token expires after 90 days, yet it renews an access token that has expired after 90 days. The longest reading of both sentences gives it 90 days more. Tried with a refresh token that was never used and with one that was replaced, a day later (RFC 9700 §4.14.2: refresh tokens SHOULD expire when the client does not use them).',
      tags: ['time', 'security'],
    }),
    refreshedTokenLivesNinetyDays: must('TOK-86', {
      claim: 'an access token from a refresh is accepted until the end of its 90 days',
      reading: `${COUNTED_FROM} The refresh is made 30 days after the authorization. A token that is accepted more than 90 days after the authorization has 90 days from the refresh. ${DAYS}`,
      tags: ['time'],
    }),
  }),
  'Its size is set by the request parameter pageSize (integer).': at(
    'Resources and their fields, Transaction',
    {
      refreshedTokenKeepsThePageSize: must('TOK-94', {
        claim:
          'a page of transactions that an access token from a refresh opens is no larger than its pageSize',
        reading:
          'Judged with a pageSize of 10 in both variants; in the first, which only requires reasonable limits, with one of 50 where 10 is refused.',
      }),
    },
  ),
  'code, redirect URI and client are valid': at('States and transitions, Token and consent validity', {
    anotherClientsCodeIsRefused: must('TOK-40', {
      claim: 'a code is refused to a client other than the one that it was issued to',
      reading: `The client is the one that the code was issued to, as in RFC 6749 §4.1.3. ${REFUSED}`,
      tags: ['security'],
    }),
  }),
  'access token and refresh token are issued.': at('States and transitions, Token and consent validity', {
    codeExchangeGivesARefreshToken: must('TOK-03', {
      claim: 'the token endpoint answers a code exchange with a refresh token that is not empty',
      reading: 'The name of the field is not shown: the profile says it, by default refresh_token.',
    }),
  }),
  '| token valid | time | 90 days after issue | token expired |': at(VALIDITY, {
    accessTokenEndsAfterNinetyDays: must('TOK-81', {
      claim: 'an access token is refused once 90 days have passed since its issue',
      reading: `Refused: no accounts are listed, and none after a refresh that failed either. ${DAYS}`,
      tags: ['time', 'security'],
    }),
  }),
  '| token valid | revocation by the user | | token revoked | API calls answer HTTP 401. |': at(VALIDITY, {
    effectOfARevocation: notShown('TOK-U4', { subject: 'how soon a revocation takes effect' }),
    revokedTokenIsRefused: must('TOK-88', {
      claim: 'an access token that the user has revoked is refused',
      reading:
        'Refused: no accounts are listed, before and after an attempt to refresh. Judged where a test hook revokes a token, with its grant, or the consent of a token.',
      tags: ['security'],
    }),
    revocationEndsNoOtherGrant: must('TOK-97', {
      claim: 'the revocation of a token ends no token of another customer or of another application',
      reading:
        'The user revokes an own token, given to one application. Whether other tokens of the same user and application end with it is not shown.',
    }),
    revocationEndsTheRefreshToken: must('TOK-90', {
      claim: 'the refresh token of a revoked access token gives no new tokens',
      reading:
        'The row begins at "token valid", which stands for the access token and the refresh token that the exchange issued, and no row leads out of "token revoked".',
      tags: ['security'],
    }),
  }),
  '| token expired | token endpoint, refresh | refresh succeeds | token valid | a new access token and a new refresh token are issued. |':
    at(VALIDITY, {
      refreshedAccessTokenIsAccepted: must('TOK-69', {
        claim: 'an access token from a refresh opens what the access token before it opened',
        reading:
          'Judged on the lists of accounts, a detail, a page of transactions and PUT /refresh, after a first and a second refresh.',
      }),
    }),
  '| token expired | token endpoint, refresh | refresh fails | no token | the application has the customer run a new authorization code grant, using an existing consent. |':
    at(VALIDITY, {
      newGrantFollowsAFailedRefresh: must('TOK-85', {
        claim: 'a new authorization code grant gives tokens after a refresh has failed',
        reading:
          'Judged of a FAC as well, which has no consent. Whether the existing one of a TPP is still good is judged in the chapter on consent: where it is not, a new one will do here. Where the refresh succeeds, the new grant is judged all the same.',
        tags: ['time'],
      }),
    }),
  'Content-Type application/x-www-form-urlencoded.': at(EXCHANGE, {
    formEncodingIsAccepted: must('TOK-17', {
      claim: 'the token endpoint takes a form of the type application/x-www-form-urlencoded',
      reading:
        'The parameters stand in any order. Where the documented request is refused, the form is the cause if the same parameters are accepted as JSON.',
    }),
    percentEscapesAreDecoded: must('TOK-18', {
      claim: 'a form value means the same with and without percent escapes',
      reading:
        'A letter or a reserved character of code_verifier and redirect_uri may be escaped, in either case of its hex digits.',
      tags: ['property'],
    }),
  }),
  'Header Authorization: Basic <base64(client_id:secret)>.': at(EXCHANGE, {
    basicAuthenticationIsAccepted: must('TOK-21', {
      claim: 'the token endpoint accepts the Basic header with client_id and secret',
      reading:
        'The two values are joined as they are, without the form encoding of RFC 6749 §2.3.1. Judged of a second application as well. Where the documented request is refused, the header is the cause if the same credentials are accepted in the form.',
    }),
  }),
  'Form for the code exchange: code, grant_type (authorization_code), scope, code_verifier, redirect_uri': at(
    EXCHANGE,
    {
      scopeIsAcceptedInTheExchange: must('TOK-19', {
        claim: 'a code exchange that repeats the scope of the authorization is accepted',
        reading:
          'Where the documented request is refused, the scope is the cause if the request is accepted without it.',
      }),
    },
  ),
  'grant_type (authorization_code)': at(EXCHANGE, {
    unknownGrantTypeIsRefused: must('TOK-45', {
      claim: 'a token request with an undefined grant_type is refused',
      reading: `All else is as in a valid code exchange. ${REFUSED}`,
    }),
  }),
  'redirect_uri (must match the one used at authorization)': at(EXCHANGE, {
    anotherRedirectUriIsRefused: must('TOK-43', {
      claim: 'a code exchange with a redirect_uri other than that of the authorization is refused',
      reading: `It matches if it is identical (RFC 6749 §4.1.3). Tried with another registered one, and with one difference in case, slash, length, percent escape, port or order of the query. ${REFUSED}`,
      tags: ['security'],
    }),
  }),
  'Refresh of an expired access token, following the OAuth 2.0 refresh section.': at(REFRESH, {
    refreshedRefreshTokenIsAccepted: must('TOK-70', {
      claim: 'a refresh token from a refresh can be used for the next refresh',
    }),
  }),
  'The parameter names of the refresh request: not shown.': at(
    'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)',
    {
      parametersOfTheRefreshRequest: notShown('TOK-U2', {
        subject: 'the parameter names of the refresh request',
      }),
    },
  ),
  'New access token and new refresh token.': at(REFRESH, {
    refreshGivesANewAccessToken: must('TOK-67', {
      claim: 'a refresh gives an access token that differs from the earlier ones',
    }),
    refreshGivesANewRefreshToken: must('TOK-68', {
      claim: 'a refresh gives a refresh token that differs from the earlier ones',
    }),
  }),
  'List of consented accounts, each with accountId.': at(
    'Endpoints, Accounts (first variant), GET /v1/accounts',
    {
      refreshedTokenSeesNoMoreAccounts: must('TOK-93', {
        claim: 'an access token from a refresh lists no account that the access token before it did not list',
        reading:
          'A refresh without a scope keeps the granted one (RFC 6749 §6; RFC 9700 §4.14.2). The accounts are counted, and compared by IBAN where the lists have it: an accountId may be new in each list. Judged in both variants.',
        tags: ['security'],
      }),
    },
  ),
  'code_challenge with method S256 at authorize, code_verifier at the token call.': at('Authentication, 1', {
    missingVerifierIsRefused: must('TOK-31', {
      claim: 'a code exchange without a code_verifier is refused',
      reading: REFUSED,
      tags: ['security'],
    }),
  }),
  'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic': at(
    'Authentication, 2',
    {
      refreshWithAWrongSecretIsRefused: must('TOK-73', {
        claim: 'a refresh with a wrong secret is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    },
  ),
  'Data calls carry the access token as a Bearer token.': at('Authentication, 3', {
    bearerTokenIsAccepted: must('TOK-59', {
      claim: 'an access token in the Bearer header opens the list of accounts',
    }),
    missingTokenIsRefused: must('TOK-60', {
      claim: 'a data call without a token is refused',
      reading:
        'Refused: no accounts are listed. Neither the word Bearer without a token nor the Basic header of the client is an access token.',
      tags: ['security'],
    }),
    unknownTokenIsRefused: must('TOK-61', {
      claim: 'a data call with a token that the bank never issued is refused',
      reading: `${TAMPERED} Refused: no accounts are listed.`,
      tags: ['security', 'property'],
    }),
    codeIsNoAccessToken: must('TOK-62', {
      claim: 'a data call with a code instead of the access token is refused',
      reading:
        'A code is not an access token, even if it can still be exchanged. Refused: no accounts are listed.',
      tags: ['security'],
    }),
    refreshTokenIsNoAccessToken: must('TOK-63', {
      claim: 'a data call with the refresh token instead of the access token is refused',
      reading: 'A refresh token is not an access token. Refused: no accounts are listed.',
      tags: ['security'],
    }),
  }),
  'The application exchanges the code at the token endpoint.': at('Authentication, 4.5', {
    codeIsExchangedForAnAccessToken: must('TOK-01', {
      claim: 'the token endpoint answers a code exchange with an access_token that is not empty',
      answers: 'POST token',
      reading:
        'Where one part of the documented request is refused, that part is judged, and this row by the request without it.',
    }),
  }),
  'The bank authenticates the application, validates the code and checks that redirect_uri matches.': at(
    'Authentication, 4.5',
    {
      wrongSecretIsRefused: must('TOK-27', {
        claim: 'a code exchange with a wrong secret is refused',
        reading: `The secret is compared character by character: one that is empty, lacks its first or last character, has one more, or has one letter or all letters of the other case is wrong. ${REFUSED}`,
        tags: ['security'],
      }),
      unknownClientIsRefused: must('TOK-28', {
        claim: 'a code exchange of an unknown client is refused',
        reading: `Its client_id begins like a known one, or has one letter of the other case, and the secret is that client's. ${REFUSED}`,
        tags: ['security'],
      }),
      missingClientAuthenticationIsRefused: must('TOK-29', {
        claim: 'a code exchange without client authentication is refused',
        reading: `The request has no Authorization header; a client_id in the form does not authenticate the client. ${REFUSED}`,
        tags: ['security'],
      }),
      unknownCodeIsRefused: must('TOK-38', {
        claim: 'a code that the bank never issued is refused',
        reading: `Made up, or one that is still good with a character changed, cut short or made longer. ${REFUSED}`,
        tags: ['security'],
      }),
      missingCodeIsRefused: must('TOK-39', {
        claim: 'a code exchange without a code is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    },
  ),
  'Access and refresh tokens expire after 90 days.': at('Authentication, 5', {
    refreshTokenLivesNinetyDays: must('TOK-83', {
      claim: 'a refresh token is accepted until 90 days after its issue',
      reading: `${COUNTED_FROM} OAuth 2.0 sets no age that an access token must reach before it is renewed: a bank that renews only expired ones shows by a later renewal that the refresh token was valid until then. ${DAYS}`,
      tags: ['time'],
    }),
  }),
  'A revoked or expired token makes API calls answer HTTP 401.': at('Authentication, 5', {
    expiredTokenHasStatus401: must('TOK-82', {
      claim: 'a data call with an expired token is answered with the HTTP status 401',
      tags: ['time'],
    }),
  }),
  'An expired access token is renewed at the token endpoint with the refresh token.': at(
    'Authentication, 6',
    {
      missingRefreshTokenIsRefused: must('TOK-76', {
        claim: 'a refresh without a refresh token is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
      accessTokenIsNoRefreshToken: must('TOK-77', {
        claim: 'a refresh with the access token instead of the refresh token is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    },
  ),
  'When that fails, a new authorization code grant is run using the existing consent.': at(
    'Authentication, 6',
    {
      refreshAfterNinetyDaysGivesBothOrNone: must('TOK-84', {
        claim: 'a refresh more than 90 days after the issue gives two new valid tokens, or none',
        reading:
          'Both tokens expire at the same time, yet an expired access token is renewed with the refresh token: so the refresh may succeed, and then both tokens are new and the access token is accepted, or fail.',
        tags: ['time'],
      }),
    },
  ),
  'The HTTP status code gives the result of the call.': at('Errors, 1', {
    refusedRequestHasTheStatusOfARefusal: must('TOK-96', {
      claim: 'a refused token request has the HTTP status of a refusal',
      reading: STATUS_OF_A_REFUSAL,
    }),
    refusedDataCallHasTheStatusOfARefusal: must('TOK-95', {
      claim: 'a data call that is refused for its token has the HTTP status of a refusal',
      reading: `${STATUS_OF_A_REFUSAL} An empty list is not a refusal.`,
    }),
  }),
  'HTTP 401 Unauthorized answers a call with a revoked or expired token.': at('Errors, 3', {
    revokedTokenHasStatus401: must('TOK-89', {
      claim: 'a data call with a revoked token is answered with the HTTP status 401',
    }),
  }),
  'The error body of the OAuth and account operations: not shown.': at('Errors, 7', {
    errorBodyOfTheTokenEndpoint: notShown('TOK-U3', { subject: 'the error body of the token endpoint' }),
  }),
  '| Access token and refresh token lifetime | 90 days | Account API tokens. |': at(
    'Limits, row Access token and refresh token lifetime',
    {
      refreshedTokenEndsAfterNinetyDays: must('TOK-87', {
        claim: 'an access token from a refresh is refused once 90 days have passed since the refresh',
        reading: `Judged on the lists of accounts, and after a first refresh on a detail and pages of transactions as well. ${DAYS}`,
        tags: ['time', 'security'],
      }),
    },
  ),
  'If the issued access token scope is different from the one requested by the client, the authorization server MUST include the "scope" response parameter to inform the client of the actual scope granted.':
    ofStandard('RFC 6749 §3.3', 'Access Token Scope', {
      scopeIsTheGrantedOne: must('TOK-91', {
        claim: 'the scope of a token answer is the one that the customer granted',
        reading:
          'Judged where the field is given. It contains PREMIUM_AIS, with the consentId of the grant or without one, and no other consentId. Further words are allowed: a bank may grant more than was requested if it says so.',
      }),
    }),
  'OPTIONAL, if identical to the scope requested by the client; otherwise, REQUIRED.': ofStandard(
    'RFC 6749 §5.1',
    'Successful Response, scope',
    {
      scopeIsNamedWhenItDiffers: must('TOK-10', {
        claim:
          'a scope with an undefined word is refused, or the token answer has the scope that was granted instead',
        reading:
          'The words of a scope are defined by the authorization server (RFC 6749 §3.3). A random word is not one of them and cannot be granted, so that the granted scope differs from the requested one. A refusal is judged between two grants of the right scope. Whether the answer repeats the undefined word is judged in the chapter on authorization.',
      }),
    },
  ),
  'The parameters are serialized into a JavaScript Object Notation (JSON) structure by adding each parameter at the highest structure level.':
    ofStandard('RFC 6749 §5.1', 'Successful Response', {
      tokenAnswerIsAJsonObject: must('TOK-11', { claim: 'the token answer is a JSON object' }),
    }),
  'The parameters are included in the entity-body of the HTTP response using the "application/json" media type':
    ofStandard('RFC 6749 §5.1', 'Successful Response', {
      tokenAnswerHasTheJsonMediaType: must('TOK-12', {
        claim: 'the token answer has the media type application/json',
        reading: 'Parameters of the media type and its case are free.',
      }),
    }),
  'by adding the following parameters to the entity-body of the HTTP response with a 200 (OK) status code':
    ofStandard('RFC 6749 §5.1', 'Successful Response', {
      tokenAnswerHasStatus200: must('TOK-13', { claim: 'tokens are issued with the HTTP status 200' }),
    }),
  'Request and response parameters MUST NOT be included more than once.': ofStandard(
    'RFC 6749 §3.2',
    'Token Endpoint',
    {
      tokenAnswerNamesEachFieldOnce: must('TOK-14', {
        claim: 'the token answer names no field twice',
        reading: 'Judged on the raw JSON.',
      }),
      repeatedParameterIsRefused: should('TOK-49', {
        claim: 'a token request that repeats a parameter is refused',
        reading: `The rule binds the client; that the bank enforces it is no more than a SHOULD. ${REFUSED}`,
      }),
    },
  ),
  'The authorization server MUST include the HTTP "Cache-Control" response header field [RFC2616] with a value of "no-store" in any response containing tokens, credentials, or other sensitive information':
    ofStandard('RFC 6749 §5.1', 'Successful Response', {
      tokenAnswerIsNotStored: must('TOK-15', {
        claim: 'the token answer has Cache-Control no-store',
        reading: 'Further directives are allowed.',
      }),
    }),
  'as well as the "Pragma" response header field [RFC2616] with a value of "no-cache".': ofStandard(
    'RFC 6749 §5.1',
    'Successful Response',
    {
      tokenAnswerHasPragma: should('TOK-16', {
        claim: 'the token answer has Pragma no-cache',
        reading:
          'A MUST of RFC 6749 that later OAuth drafts have dropped, since no-store says it all; hence no more than a SHOULD.',
      }),
    },
  ),
  'The authorization server MUST ignore unrecognized request parameters.': ofStandard(
    'RFC 6749 §3.2',
    'Token Endpoint',
    {
      unrecognizedParameterIsIgnored: must('TOK-20', {
        claim: 'a token request with an undefined parameter is answered as one without it',
      }),
    },
  ),
  'If the values are equal, the token endpoint MUST continue processing as normal (as defined by OAuth 2.0 [RFC6749]).':
    ofStandard('RFC 7636 §4.6', 'Server Verifies code_verifier before Returning the Tokens', {
      everyLegalVerifierIsAccepted: must('TOK-22', {
        claim: 'every code_verifier that PKCE allows is accepted with its own code_challenge',
        reading:
          'From 43 to 128 characters out of A-Z a-z 0-9 - . _ ~ (RFC 7636 §4.1); the pair of its Appendix B is one of them.',
        tags: ['property'],
      }),
    }),
  'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.':
    ofStandard('RFC 6749 §10.10', 'Credentials-Guessing Attacks', {
      accessTokensAreDistinct: should('TOK-23', {
        claim: 'no two grants give the same access token',
        reading:
          'A bank that gives the same client and customer the token again that is still valid gives nothing away; hence no more than a SHOULD.',
        tags: ['security'],
      }),
      refreshTokensAreDistinct: should('TOK-24', {
        claim: 'no two grants give the same refresh token',
        reading:
          'A bank that gives the same client and customer the token again that is still valid gives nothing away; hence no more than a SHOULD.',
        tags: ['security'],
      }),
      tokensDoNotFollowFromEachOther: must('TOK-25', {
        claim: 'a token cannot be predicted from earlier tokens',
        reading:
          'Judged on tokens of consecutive grants: a counter, a clock reading or a constant step is guessable. No more is claimed of a sample.',
        tags: ['security'],
      }),
    }),
  'The probability of an attacker guessing generated tokens (and other credentials not intended for handling by end-users) MUST be less than or equal to 2^(-128)':
    ofStandard('RFC 6749 §10.10', 'Credentials-Guessing Attacks', {
      tokensHaveRoomFor128Bits: must('TOK-26', {
        claim: 'access and refresh tokens are long enough to hold 128 random bits',
        reading:
          'Length times the bits of one character of the alphabet in use: an upper bound, which does not show how random they are.',
        tags: ['security'],
      }),
    }),
  'If the values are not equal, an error response indicating "invalid_grant" as described in Section 5.2 of [RFC6749] MUST be returned.':
    ofStandard('RFC 7636 §4.6', 'Server Verifies code_verifier before Returning the Tokens', {
      wrongVerifierIsRefused: must('TOK-30', {
        claim: 'a code exchange with a wrong code_verifier is refused',
        reading: `One character changed, added or removed, or of the other case: the first, the middle or the last. ${REFUSED}`,
        tags: ['security'],
      }),
      verifierOfAnotherGrantIsRefused: must('TOK-33', {
        claim: 'a code exchange with the code_verifier of another grant is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
      challengeAsVerifierIsRefused: must('TOK-34', {
        claim: 'a code exchange with the code_challenge itself as code_verifier is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    }),
  'Parameters sent without a value MUST be treated as if they were omitted from the request.': ofStandard(
    'RFC 6749 §3.2',
    'Token Endpoint',
    {
      emptyVerifierIsRefused: must('TOK-32', {
        claim: 'a code exchange with an empty code_verifier is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    },
  ),
  'If an authorization code is used more than once, the authorization server MUST deny the request and SHOULD revoke (when possible) all tokens previously issued based on that authorization code.':
    ofStandard('RFC 6749 §4.1.2', 'Authorization Response', {
      codeIsAcceptedOnce: must('TOK-35', {
        claim: 'a code is accepted once',
        reading: `Tried a second and a third time at once, two minutes later, and a day after its use. ${REFUSED}`,
        tags: ['security'],
      }),
      codeIsAcceptedOnceAmongConcurrentExchanges: must('TOK-36', {
        claim: 'of several exchanges of one code at the same moment at most one is accepted',
        reading: REFUSED,
        tags: ['security', 'concurrency'],
      }),
      replayedCodeRevokesItsTokens: should('TOK-37', {
        claim: 'the access token of a code is refused once the code has been used again',
        tags: ['security'],
      }),
    }),
  'The authorization code MUST expire shortly after it is issued to mitigate the risk of leaks.': ofStandard(
    'RFC 6749 §4.1.2',
    'Authorization Response',
    {
      codeExpiresShortly: must('TOK-41', {
        claim: 'a code is refused a day after its issue',
        reading: `"Shortly" has no number; it cannot mean more than a day. Judged a minute later. ${REFUSED}`,
        tags: ['time', 'security'],
      }),
    },
  ),
  'A maximum authorization code lifetime of 10 minutes is RECOMMENDED.': ofStandard(
    'RFC 6749 §4.1.2',
    'Authorization Response',
    {
      codeExpiresWithinTenMinutes: should('TOK-42', {
        claim: 'a code is refused ten minutes after its issue',
        reading: `Judged a minute later. ${REFUSED}`,
        tags: ['time', 'security'],
      }),
    },
  ),
  'ensure that the "redirect_uri" parameter is present if the "redirect_uri" parameter was included in the initial authorization request':
    ofStandard('RFC 6749 §4.1.3', 'Access Token Request', {
      missingRedirectUriIsRefused: must('TOK-44', {
        claim: 'a code exchange without the redirect_uri of the authorization is refused',
        reading: REFUSED,
        tags: ['security'],
      }),
    }),
  'REQUIRED. Value MUST be set to "authorization_code".': ofStandard(
    'RFC 6749 §4.1.3',
    'Access Token Request, grant_type',
    {
      missingGrantTypeIsRefused: must('TOK-46', {
        claim: 'a token request without a grant_type is refused',
        reading: `All else is as in a valid code exchange. ${REFUSED}`,
      }),
    },
  ),
  'Tokens represent specific scopes and durations of access, granted by the resource owner, and enforced by the resource server and authorization server.':
    ofStandard('RFC 6749 §1.4', 'Access Token', {
      exchangeDoesNotWidenTheScope: must('TOK-47', {
        claim: 'a code exchange with the scope of another consent gives no token for that consent',
        reading: 'The bank refuses, or issues a token for the scope that the user granted.',
        tags: ['security', 'tpp'],
      }),
    }),
  'The client MUST use the HTTP "POST" method when making access token requests.': ofStandard(
    'RFC 6749 §3.2',
    'Token Endpoint',
    {
      nothingIsIssuedByGet: should('TOK-48', {
        claim: 'the token endpoint issues nothing on a GET request',
        reading: 'The rule binds the client; that the bank enforces it is no more than a SHOULD.',
        tags: ['security'],
      }),
    },
  ),
  'The authorization server responds with an HTTP 400 (Bad Request) status code (unless specified otherwise)':
    ofStandard('RFC 6749 §5.2', 'Error Response', {
      refusalHasStatus400: should('TOK-50', {
        claim: 'a refused token request of an authenticated client is answered with the HTTP status 400',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
    }),
  'If the client attempted to authenticate via the "Authorization" request header field, the authorization server MUST respond with an HTTP 401 (Unauthorized) status code and include the "WWW-Authenticate" response header field matching the authentication scheme used by the client.':
    ofStandard('RFC 6749 §5.2', 'Error Response, invalid_client', {
      failedClientAuthenticationHasStatus401: should('TOK-51', {
        claim: 'a failed Basic authentication is answered with the HTTP status 401',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
      failedClientAuthenticationIsChallenged: should('TOK-52', {
        claim: 'a failed Basic authentication is answered with a WWW-Authenticate header of the scheme Basic',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
    }),
  'error REQUIRED. A single ASCII [USASCII] error code from the following:': ofStandard(
    'RFC 6749 §5.2',
    'Error Response',
    {
      refusalNamesAnError: should('TOK-53', {
        claim: 'a refused token request is answered with a JSON object that has an error',
        reading: `A string; any code is taken here. ${NO_MORE_THAN_SHOULD}`,
        tags: ['refusal-form'],
      }),
    },
  ),
  'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.':
    ofStandard('RFC 6749 §5.2', 'Error Response, invalid_grant', {
      invalidCodeIsAnInvalidGrant: should('TOK-54', {
        claim: 'the error of a code, code_verifier or redirect_uri that is not valid is invalid_grant',
        reading: `One that is missing may be an invalid_request as well, and is not judged here. ${NO_MORE_THAN_SHOULD}`,
        tags: ['refusal-form'],
      }),
    }),
  'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).':
    ofStandard('RFC 6749 §5.2', 'Error Response, invalid_client', {
      failedClientAuthenticationIsAnInvalidClient: should('TOK-55', {
        claim: 'the error of a failed client authentication is invalid_client',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
    }),
  'The authorization grant type is not supported by the authorization server.': ofStandard(
    'RFC 6749 §5.2',
    'Error Response, unsupported_grant_type',
    {
      unknownGrantTypeIsUnsupported: should('TOK-56', {
        claim: 'the error of an undefined grant_type is unsupported_grant_type',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
    },
  ),
  'The request is missing a required parameter': ofStandard(
    'RFC 6749 §5.2',
    'Error Response, invalid_request',
    {
      missingParameterIsAnInvalidRequest: should('TOK-57', {
        claim: 'the error of a token request without a code or a grant_type is invalid_request',
        reading: NO_MORE_THAN_SHOULD,
        tags: ['refusal-form'],
      }),
    },
  ),
  'Refresh tokens MUST be kept confidential in transit and storage, and shared only among the authorization server and the client to whom the refresh tokens were issued.':
    ofStandard('RFC 6749 §10.4', 'Refresh Tokens', {
      refusalRepeatsNoSecret: should('TOK-58', {
        claim: 'the answer to a refused token request repeats no secret of the request',
        reading:
          'Errors are logged and shown, so that a repeated secret is not kept confidential. Applied to the client secret, code and code_verifier as well, in any encoding; the body of a refusal is not shown, hence no more than a SHOULD.',
        tags: ['refusal-form', 'security'],
      }),
    }),
  'If the protected resource request does not include authentication credentials or does not contain an access token that enables access to the protected resource, the resource server MUST include the HTTP "WWW-Authenticate" response header field':
    ofStandard('RFC 6750 §3', 'The WWW-Authenticate Response Header Field', {
      missingTokenHasStatus401: should('TOK-64', {
        claim: 'a data call without a token is answered with the HTTP status 401',
        reading: `A WWW-Authenticate header belongs to the status 401. ${FORM}`,
        tags: ['refusal-form'],
      }),
      refusedDataCallIsChallenged: should('TOK-66', {
        claim:
          'a data call that is refused for its token is answered with a WWW-Authenticate header of the scheme Bearer',
        reading: 'The headers of a refusal are not shown, hence no more than a SHOULD.',
        tags: ['refusal-form'],
      }),
    }),
  'The access token provided is expired, revoked, malformed, or invalid for other reasons. The resource SHOULD respond with the HTTP 401 (Unauthorized) status code.':
    ofStandard('RFC 6750 §3.1', 'Error Codes, invalid_token', {
      unknownTokenHasStatus401: should('TOK-65', {
        claim: 'a data call with a token that the bank never issued is answered with the HTTP status 401',
        tags: ['refusal-form'],
      }),
    }),
  'The authorization server MAY revoke the old refresh token after issuing a new refresh token to the client.':
    ofStandard('RFC 6749 §6', 'Refreshing an Access Token', {
      rotatedRefreshTokenMayBeRevoked: may('TOK-71', {
        claim: 'a refresh token that has been used may be refused afterwards',
        unchecked: 'a freedom of the bank: both answers conform',
      }),
    }),
  'require client authentication for confidential clients or for any client that was issued client credentials':
    ofStandard('RFC 6749 §6', 'Refreshing an Access Token', {
      refreshNeedsClientAuthentication: must('TOK-72', {
        claim: 'a refresh without client authentication is refused',
        reading: `The request has no Authorization header; a client_id in the form does not authenticate the client. ${REFUSED}`,
        tags: ['security'],
      }),
    }),
  'authenticate the client if client authentication is included and ensure that the refresh token was issued to the authenticated client':
    ofStandard('RFC 6749 §6', 'Refreshing an Access Token', {
      anotherClientsRefreshTokenIsRefused: must('TOK-74', {
        claim: 'a refresh token is refused to a client other than the one that it was issued to',
        reading: REFUSED,
        tags: ['security'],
      }),
    }),
  'validate the refresh token.': ofStandard('RFC 6749 §6', 'Refreshing an Access Token', {
    unknownRefreshTokenIsRefused: must('TOK-75', {
      claim: 'a refresh token that the bank never issued is refused',
      reading: `${TAMPERED} ${REFUSED}`,
      tags: ['security', 'property'],
    }),
  }),
  'The requested scope MUST NOT include any scope not originally granted by the resource owner': ofStandard(
    'RFC 6749 §6',
    'Refreshing an Access Token',
    {
      refreshDoesNotWidenTheScope: must('TOK-78', {
        claim: 'a refresh with the scope of another consent gives no token for that consent',
        reading: 'The bank refuses, or issues a token for the scope that the user granted.',
        tags: ['security', 'tpp'],
      }),
    },
  ),
  'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked':
    ofStandard('RFC 6749 §5.2', 'Error Response, invalid_grant', {
      invalidRefreshTokenIsAnInvalidGrant: should('TOK-79', {
        claim: 'the error of a refresh token that the bank never issued is invalid_grant',
        reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
        tags: ['refusal-form'],
      }),
    }),
})

export default chapterRows('tokens', TOK)
