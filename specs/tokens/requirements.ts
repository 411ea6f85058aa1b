import { may, must, chapterRows, should, undisclosed } from '../../harness/check/requirement.ts'

const EXCHANGE = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (code exchange)'
const ANSWER = 'Resources and their fields, Token response'
/** Sentences that more than one row quotes. */
const NOT_TO_BE_GUESSED = {
  quote:
    'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.',
  place: 'Credentials-Guessing Attacks',
  source: 'RFC 6749 §10.10',
}
const REFUSED = 'Refused: the answer carries no token; its status and body are not shown.'
const NO_MORE_THAN_SHOULD = 'The form of a refusal is not shown, hence no more than a SHOULD.'
const CLIENT_IS_AUTHENTICATED = {
  quote: 'The bank authenticates the application, validates the code and checks that redirect_uri matches.',
  place: 'Authentication, 4.5',
}
const CODE_IS_SINGLE_USE = {
  quote:
    'If an authorization code is used more than once, the authorization server MUST deny the request and SHOULD revoke (when possible) all tokens previously issued based on that authorization code.',
  place: 'Authorization Response',
  source: 'RFC 6749 §4.1.2',
}
const VERIFIER_IS_COMPARED = {
  quote:
    'If the values are not equal, an error response indicating "invalid_grant" as described in Section 5.2 of [RFC6749] MUST be returned.',
  place: 'Server Verifies code_verifier before Returning the Tokens',
  source: 'RFC 7636 §4.6',
}
const FAILED_HEADER_AUTHENTICATION = {
  quote:
    'If the client attempted to authenticate via the "Authorization" request header field, the authorization server MUST respond with an HTTP 401 (Unauthorized) status code and include the "WWW-Authenticate" response header field matching the authentication scheme used by the client.',
  place: 'Error Response, invalid_client',
  source: 'RFC 6749 §5.2',
}
const INVALID_GRANT = {
  quote:
    'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  place: 'Error Response, invalid_grant',
  source: 'RFC 6749 §5.2',
}
const STATUS_IS_THE_RESULT = {
  quote: 'The HTTP status code gives the result of the call.',
  place: 'Errors, 1',
}
const STATUS_OF_A_REFUSAL = 'A status from 400 to 499; which of them is not shown.'
const REFRESH = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)'
const VALIDITY = 'States and transitions, Token and consent validity'
const TAMPERED =
  'Made up, or a valid one that was changed, cut short or made longer, never in a way that a decoder may ignore: the last bits of an encoded token may be unused.'
const DAYS =
  'A day is 24 hours; judged an hour and a minute before the end of the 90 days and as long after it, so that a change to summer time has no effect.'
const COUNTED_FROM =
  'The 90 days of a token from a refresh are counted from the refresh, or from the authorization by the customer ("the 90-day legislative re-authorization applies").'
const FORM =
  'The form of a refusal other than that of a revoked or expired token is not shown, hence no more than a SHOULD.'
const REFRESH_GIVES_BOTH = { quote: 'New access token and new refresh token.', place: REFRESH }
const NINETY_DAYS = {
  quote: 'The access token and the refresh token both expire 90 days after issue.',
  place: 'Resources and their fields, Token response',
}
const ANSWERED_401 = {
  quote: 'A revoked or expired token makes API calls answer HTTP 401.',
  place: 'Authentication, 5',
}
const REVOKED = {
  quote: '| token valid | revocation by the user | | token revoked | API calls answer HTTP 401. |',
  place: VALIDITY,
}
const BEARER_IS_NEEDED = {
  quote: 'Data calls carry the access token as a Bearer token.',
  place: 'Authentication, 3',
}
const REFRESH_IS_BOUND_TO_ITS_CLIENT = {
  quote:
    'authenticate the client if client authentication is included and ensure that the refresh token was issued to the authenticated client',
  place: 'Refreshing an Access Token',
  source: 'RFC 6749 §6',
}
const INVALID_TOKEN = {
  quote:
    'The access token provided is expired, revoked, malformed, or invalid for other reasons. The resource SHOULD respond with the HTTP 401 (Unauthorized) status code.',
  place: 'Error Codes, invalid_token',
  source: 'RFC 6750 §3.1',
}
const CHALLENGE = {
  quote:
    'If the protected resource request does not include authentication credentials or does not contain an access token that enables access to the protected resource, the resource server MUST include the HTTP "WWW-Authenticate" response header field',
  place: 'The WWW-Authenticate Response Header Field',
  source: 'RFC 6750 §3',
}

export const TOK = {
  // What the token endpoint hands out, and in which form.
  codeIsExchangedForAnAccessToken: must('TOK-01', {
    answers: 'POST token',
    claim: 'the token endpoint answers a code exchange with an access_token that is not empty',
    quote: 'The application exchanges the code at the token endpoint.',
    place: 'Authentication, 4.5',
    reading:
      'Where one part of the documented request is refused, that part is judged, and this row by the request without it.',
  }),
  accessTokenIsAString: must('TOK-02', {
    claim: 'access_token is a string',
    quote: '| access_token | string | Bearer token. |',
    place: `${ANSWER}, row access_token`,
    reading: 'Judged on the raw JSON.',
  }),
  codeExchangeGivesARefreshToken: must('TOK-03', {
    claim: 'the token endpoint answers a code exchange with a refresh token that is not empty',
    quote: 'access token and refresh token are issued.',
    place: 'States and transitions, Token and consent validity',
    reading: 'The name of the field is not shown: the profile says it, by default refresh_token.',
  }),
  refreshTokenIsAString: must('TOK-04', {
    claim: 'the refresh token is a string',
    quote:
      '| refresh token | string | Issued together with the access token on the authorization code exchange.',
    place: `${ANSWER}, row refresh token`,
    reading: 'Judged on the raw JSON.',
  }),
  tokenTypeIsBearer: must('TOK-05', {
    claim: 'token_type is Bearer',
    quote: '| token_type | string | Value Bearer. |',
    place: `${ANSWER}, row token_type`,
    reading: 'Compared without regard to case, as RFC 6749 §5.1 has it.',
  }),
  expiresInIsGiven: must('TOK-06', {
    claim: 'every token answer has the field expires_in',
    quote: '| expires_in | integer | Seconds.',
    place: `${ANSWER}, row expires_in`,
    reading:
      'RFC 6749 §5.1 only recommends the field; the interface lists it among the fields of the answer without a condition.',
  }),
  expiresInIsAnInteger: must('TOK-07', {
    claim: 'expires_in is an integer',
    quote: '| expires_in | integer | Seconds.',
    place: `${ANSWER}, row expires_in`,
    reading: 'Judged on the raw JSON where the field is given: neither a string nor a fraction.',
  }),
  expiresInSaysNinetyDays: should('TOK-08', {
    claim: 'expires_in of a new access token is 90 days',
    quote: 'The access token and the refresh token both expire 90 days after issue.',
    place: ANSWER,
    reading:
      '7776000 seconds, one hour more or less, because of the time of the answer and of summer time. A SHOULD: the interface gives no value for the tokens of the account API.',
  }),
  scopeIsAString: must('TOK-09', {
    claim: 'scope is a string',
    quote: '| scope | string | For example PAY_LATER in the loan sandbox. |',
    place: `${ANSWER}, row scope`,
    reading: 'Judged on the raw JSON where the field is given.',
  }),
  scopeIsGiven: must('TOK-98', {
    claim: 'every token answer has the field scope',
    quote: '| scope | string | For example PAY_LATER in the loan sandbox. |',
    place: `${ANSWER}, row scope`,
    reading:
      'RFC 6749 §5.1 makes the field optional if the scope is the requested one; the interface lists it among the fields of the answer without a condition.',
  }),
  scopeIsTheGrantedOne: must('TOK-91', {
    claim: 'the scope of a token answer is the one that the customer granted',
    quote:
      'If the issued access token scope is different from the one requested by the client, the authorization server MUST include the "scope" response parameter to inform the client of the actual scope granted.',
    place: 'Access Token Scope',
    source: 'RFC 6749 §3.3',
    reading:
      'Judged where the field is given. It contains PREMIUM_AIS, with the consentId of the grant or without one, and no other consentId. Further words are allowed: a bank may grant more than was requested if it says so.',
  }),
  scopeIsNamedWhenItDiffers: must('TOK-10', {
    claim:
      'a scope with an undefined word is refused, or the token answer has the scope that was granted instead',
    quote: 'OPTIONAL, if identical to the scope requested by the client; otherwise, REQUIRED.',
    place: 'Successful Response, scope',
    source: 'RFC 6749 §5.1',
    reading:
      'The words of a scope are defined by the authorization server (RFC 6749 §3.3). A random word is not one of them and cannot be granted, so that the granted scope differs from the requested one. A refusal is judged between two grants of the right scope. Whether the answer repeats the undefined word is judged in the chapter on authorization.',
  }),
  tokenAnswerIsAJsonObject: must('TOK-11', {
    claim: 'the token answer is a JSON object',
    quote:
      'The parameters are serialized into a JavaScript Object Notation (JSON) structure by adding each parameter at the highest structure level.',
    place: 'Successful Response',
    source: 'RFC 6749 §5.1',
  }),
  tokenAnswerHasTheJsonMediaType: must('TOK-12', {
    claim: 'the token answer has the media type application/json',
    quote:
      'The parameters are included in the entity-body of the HTTP response using the "application/json" media type',
    place: 'Successful Response',
    source: 'RFC 6749 §5.1',
    reading: 'Parameters of the media type and its case are free.',
  }),
  tokenAnswerHasStatus200: must('TOK-13', {
    claim: 'tokens are issued with the HTTP status 200',
    quote:
      'by adding the following parameters to the entity-body of the HTTP response with a 200 (OK) status code',
    place: 'Successful Response',
    source: 'RFC 6749 §5.1',
  }),
  tokenAnswerNamesEachFieldOnce: must('TOK-14', {
    claim: 'the token answer names no field twice',
    quote: 'Request and response parameters MUST NOT be included more than once.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    reading: 'Judged on the raw JSON.',
  }),
  tokenAnswerIsNotStored: must('TOK-15', {
    claim: 'the token answer has Cache-Control no-store',
    quote:
      'The authorization server MUST include the HTTP "Cache-Control" response header field [RFC2616] with a value of "no-store" in any response containing tokens, credentials, or other sensitive information',
    place: 'Successful Response',
    source: 'RFC 6749 §5.1',
    reading: 'Further directives are allowed.',
  }),
  tokenAnswerHasPragma: should('TOK-16', {
    claim: 'the token answer has Pragma no-cache',
    quote: 'as well as the "Pragma" response header field [RFC2616] with a value of "no-cache".',
    place: 'Successful Response',
    source: 'RFC 6749 §5.1',
    reading:
      'A MUST of RFC 6749 that later OAuth drafts have dropped, since no-store says it all; hence no more than a SHOULD.',
  }),
  formEncodingIsAccepted: must('TOK-17', {
    claim: 'the token endpoint takes a form of the type application/x-www-form-urlencoded',
    quote: 'Content-Type application/x-www-form-urlencoded.',
    place: EXCHANGE,
    reading:
      'The parameters stand in any order. Where the documented request is refused, the form is the cause if the same parameters are accepted as JSON.',
  }),
  percentEscapesAreDecoded: must('TOK-18', {
    claim: 'a form value means the same with and without percent escapes',
    quote: 'Content-Type application/x-www-form-urlencoded.',
    place: EXCHANGE,
    reading:
      'A letter or a reserved character of code_verifier and redirect_uri may be escaped, in either case of its hex digits.',
    tags: ['property'],
  }),
  scopeIsAcceptedInTheExchange: must('TOK-19', {
    claim: 'a code exchange that repeats the scope of the authorization is accepted',
    quote:
      'Form for the code exchange: code, grant_type (authorization_code), scope, code_verifier, redirect_uri',
    place: EXCHANGE,
    reading:
      'Where the documented request is refused, the scope is the cause if the request is accepted without it.',
  }),
  unrecognizedParameterIsIgnored: must('TOK-20', {
    claim: 'a token request with an undefined parameter is answered as one without it',
    quote: 'The authorization server MUST ignore unrecognized request parameters.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
  }),
  basicAuthenticationIsAccepted: must('TOK-21', {
    claim: 'the token endpoint accepts the Basic header with client_id and secret',
    quote: 'Header Authorization: Basic <base64(client_id:secret)>.',
    place: EXCHANGE,
    reading:
      'The two values are joined as they are, without the form encoding of RFC 6749 §2.3.1. Judged of a second application as well. Where the documented request is refused, the header is the cause if the same credentials are accepted in the form.',
  }),
  everyLegalVerifierIsAccepted: must('TOK-22', {
    claim: 'every code_verifier that PKCE allows is accepted with its own code_challenge',
    quote:
      'If the values are equal, the token endpoint MUST continue processing as normal (as defined by OAuth 2.0 [RFC6749]).',
    place: 'Server Verifies code_verifier before Returning the Tokens',
    source: 'RFC 7636 §4.6',
    reading:
      'From 43 to 128 characters out of A-Z a-z 0-9 - . _ ~ (RFC 7636 §4.1); the pair of its Appendix B is one of them.',
    tags: ['property'],
  }),
  accessTokensAreDistinct: should('TOK-23', {
    claim: 'no two grants give the same access token',
    ...NOT_TO_BE_GUESSED,
    reading:
      'A bank that gives the same client and customer the token again that is still valid gives nothing away; hence no more than a SHOULD.',
    tags: ['security'],
  }),
  refreshTokensAreDistinct: should('TOK-24', {
    claim: 'no two grants give the same refresh token',
    ...NOT_TO_BE_GUESSED,
    reading:
      'A bank that gives the same client and customer the token again that is still valid gives nothing away; hence no more than a SHOULD.',
    tags: ['security'],
  }),
  tokensDoNotFollowFromEachOther: must('TOK-25', {
    claim: 'a token cannot be predicted from earlier tokens',
    ...NOT_TO_BE_GUESSED,
    reading:
      'Judged on tokens of consecutive grants: a counter, a clock reading or a constant step is guessable. No more is claimed of a sample.',
    tags: ['security'],
  }),
  tokensHaveRoomFor128Bits: must('TOK-26', {
    claim: 'access and refresh tokens are long enough to hold 128 random bits',
    quote:
      'The probability of an attacker guessing generated tokens (and other credentials not intended for handling by end-users) MUST be less than or equal to 2^(-128)',
    place: 'Credentials-Guessing Attacks',
    source: 'RFC 6749 §10.10',
    reading:
      'Length times the bits of one character of the alphabet in use: an upper bound, which does not show how random they are.',
    tags: ['security'],
  }),
  // Which code exchanges are refused, and how.
  wrongSecretIsRefused: must('TOK-27', {
    claim: 'a code exchange with a wrong secret is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `The secret is compared character by character: one that is empty, lacks its first or last character, has one more, or has one letter or all letters of the other case is wrong. ${REFUSED}`,
    tags: ['security'],
  }),
  unknownClientIsRefused: must('TOK-28', {
    claim: 'a code exchange of an unknown client is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `Its client_id begins like a known one, or has one letter of the other case, and the secret is that client's. ${REFUSED}`,
    tags: ['security'],
  }),
  missingClientAuthenticationIsRefused: must('TOK-29', {
    claim: 'a code exchange without client authentication is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `The request has no Authorization header; a client_id in the form does not authenticate the client. ${REFUSED}`,
    tags: ['security'],
  }),
  wrongVerifierIsRefused: must('TOK-30', {
    claim: 'a code exchange with a wrong code_verifier is refused',
    ...VERIFIER_IS_COMPARED,
    reading: `One character changed, added or removed, or of the other case: the first, the middle or the last. ${REFUSED}`,
    tags: ['security'],
  }),
  missingVerifierIsRefused: must('TOK-31', {
    claim: 'a code exchange without a code_verifier is refused',
    quote: 'code_challenge with method S256 at authorize, code_verifier at the token call.',
    place: 'Authentication, 1',
    reading: REFUSED,
    tags: ['security'],
  }),
  emptyVerifierIsRefused: must('TOK-32', {
    claim: 'a code exchange with an empty code_verifier is refused',
    quote: 'Parameters sent without a value MUST be treated as if they were omitted from the request.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    reading: REFUSED,
    tags: ['security'],
  }),
  verifierOfAnotherGrantIsRefused: must('TOK-33', {
    claim: 'a code exchange with the code_verifier of another grant is refused',
    ...VERIFIER_IS_COMPARED,
    reading: REFUSED,
    tags: ['security'],
  }),
  challengeAsVerifierIsRefused: must('TOK-34', {
    claim: 'a code exchange with the code_challenge itself as code_verifier is refused',
    ...VERIFIER_IS_COMPARED,
    reading: REFUSED,
    tags: ['security'],
  }),
  codeIsAcceptedOnce: must('TOK-35', {
    claim: 'a code is accepted once',
    ...CODE_IS_SINGLE_USE,
    reading: `Tried a second and a third time at once, and a day after its use. ${REFUSED}`,
    tags: ['security'],
  }),
  codeIsAcceptedOnceAmongConcurrentExchanges: must('TOK-36', {
    claim: 'of several exchanges of one code at the same moment at most one is accepted',
    ...CODE_IS_SINGLE_USE,
    reading: REFUSED,
    tags: ['security', 'concurrency'],
  }),
  replayedCodeRevokesItsTokens: should('TOK-37', {
    claim: 'the access token of a code is refused once the code has been used again',
    ...CODE_IS_SINGLE_USE,
    tags: ['security'],
  }),
  unknownCodeIsRefused: must('TOK-38', {
    claim: 'a code that the bank never issued is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `Made up, or one that is still good with a character changed, cut short or made longer. ${REFUSED}`,
    tags: ['security'],
  }),
  missingCodeIsRefused: must('TOK-39', {
    claim: 'a code exchange without a code is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: REFUSED,
    tags: ['security'],
  }),
  anotherClientsCodeIsRefused: must('TOK-40', {
    claim: 'a code is refused to a client other than the one that it was issued to',
    quote: 'code, redirect URI and client are valid',
    place: 'States and transitions, Token and consent validity',
    reading: `The client is the one that the code was issued to, as in RFC 6749 §4.1.3. ${REFUSED}`,
    tags: ['security'],
  }),
  codeExpiresShortly: must('TOK-41', {
    claim: 'a code is refused a day after its issue',
    quote: 'The authorization code MUST expire shortly after it is issued to mitigate the risk of leaks.',
    place: 'Authorization Response',
    source: 'RFC 6749 §4.1.2',
    reading: `"Shortly" has no number; it cannot mean more than a day. Judged a minute later. ${REFUSED}`,
    tags: ['time', 'security'],
  }),
  codeExpiresWithinTenMinutes: should('TOK-42', {
    claim: 'a code is refused ten minutes after its issue',
    quote: 'A maximum authorization code lifetime of 10 minutes is RECOMMENDED.',
    place: 'Authorization Response',
    source: 'RFC 6749 §4.1.2',
    reading: `Judged a minute later. ${REFUSED}`,
    tags: ['time', 'security'],
  }),
  anotherRedirectUriIsRefused: must('TOK-43', {
    claim: 'a code exchange with a redirect_uri other than that of the authorization is refused',
    quote: 'redirect_uri (must match the one used at authorization)',
    place: EXCHANGE,
    reading: `It matches if it is identical (RFC 6749 §4.1.3). Tried with another registered one, and with one difference in case, slash, length, percent escape, port or order of the query. ${REFUSED}`,
    tags: ['security'],
  }),
  missingRedirectUriIsRefused: must('TOK-44', {
    claim: 'a code exchange without the redirect_uri of the authorization is refused',
    quote:
      'ensure that the "redirect_uri" parameter is present if the "redirect_uri" parameter was included in the initial authorization request',
    place: 'Access Token Request',
    source: 'RFC 6749 §4.1.3',
    reading: REFUSED,
    tags: ['security'],
  }),
  unknownGrantTypeIsRefused: must('TOK-45', {
    claim: 'a token request with an undefined grant_type is refused',
    quote: 'grant_type (authorization_code)',
    place: EXCHANGE,
    reading: `All else is as in a valid code exchange. ${REFUSED}`,
  }),
  missingGrantTypeIsRefused: must('TOK-46', {
    claim: 'a token request without a grant_type is refused',
    quote: 'REQUIRED. Value MUST be set to "authorization_code".',
    place: 'Access Token Request, grant_type',
    source: 'RFC 6749 §4.1.3',
    reading: `All else is as in a valid code exchange. ${REFUSED}`,
  }),
  exchangeDoesNotWidenTheScope: must('TOK-47', {
    claim: 'a code exchange with the scope of another consent gives no token for that consent',
    quote:
      'Tokens represent specific scopes and durations of access, granted by the resource owner, and enforced by the resource server and authorization server.',
    place: 'Access Token',
    source: 'RFC 6749 §1.4',
    reading: 'The bank refuses, or issues a token for the scope that the user granted.',
    tags: ['security', 'tpp'],
  }),
  nothingIsIssuedByGet: should('TOK-48', {
    claim: 'the token endpoint issues nothing on a GET request',
    quote: 'The client MUST use the HTTP "POST" method when making access token requests.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    reading: 'The rule binds the client; that the bank enforces it is no more than a SHOULD.',
    tags: ['security'],
  }),
  repeatedParameterIsRefused: should('TOK-49', {
    claim: 'a token request that repeats a parameter is refused',
    quote: 'Request and response parameters MUST NOT be included more than once.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
    reading: `The rule binds the client; that the bank enforces it is no more than a SHOULD. ${REFUSED}`,
  }),

  refusedRequestHasTheStatusOfARefusal: must('TOK-96', {
    claim: 'a refused token request has the HTTP status of a refusal',
    ...STATUS_IS_THE_RESULT,
    reading: STATUS_OF_A_REFUSAL,
  }),
  refusalHasStatus400: should('TOK-50', {
    claim: 'a refused token request of an authenticated client is answered with the HTTP status 400',
    quote:
      'The authorization server responds with an HTTP 400 (Bad Request) status code (unless specified otherwise)',
    place: 'Error Response',
    source: 'RFC 6749 §5.2',
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  failedClientAuthenticationHasStatus401: should('TOK-51', {
    claim: 'a failed Basic authentication is answered with the HTTP status 401',
    ...FAILED_HEADER_AUTHENTICATION,
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  failedClientAuthenticationIsChallenged: should('TOK-52', {
    claim: 'a failed Basic authentication is answered with a WWW-Authenticate header of the scheme Basic',
    ...FAILED_HEADER_AUTHENTICATION,
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  refusalNamesAnError: should('TOK-53', {
    claim: 'a refused token request is answered with a JSON object that has an error',
    quote: 'error REQUIRED. A single ASCII [USASCII] error code from the following:',
    place: 'Error Response',
    source: 'RFC 6749 §5.2',
    reading: `A string; any code is taken here. ${NO_MORE_THAN_SHOULD}`,
    tags: ['refusal-form'],
  }),
  invalidCodeIsAnInvalidGrant: should('TOK-54', {
    claim: 'the error of a code, code_verifier or redirect_uri that is not valid is invalid_grant',
    ...INVALID_GRANT,
    reading: `One that is missing may be an invalid_request as well, and is not judged here. ${NO_MORE_THAN_SHOULD}`,
    tags: ['refusal-form'],
  }),
  failedClientAuthenticationIsAnInvalidClient: should('TOK-55', {
    claim: 'the error of a failed client authentication is invalid_client',
    quote:
      'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).',
    place: 'Error Response, invalid_client',
    source: 'RFC 6749 §5.2',
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  unknownGrantTypeIsUnsupported: should('TOK-56', {
    claim: 'the error of an undefined grant_type is unsupported_grant_type',
    quote: 'The authorization grant type is not supported by the authorization server.',
    place: 'Error Response, unsupported_grant_type',
    source: 'RFC 6749 §5.2',
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  missingParameterIsAnInvalidRequest: should('TOK-57', {
    claim: 'the error of a token request without a code or a grant_type is invalid_request',
    quote: 'The request is missing a required parameter',
    place: 'Error Response, invalid_request',
    source: 'RFC 6749 §5.2',
    reading: NO_MORE_THAN_SHOULD,
    tags: ['refusal-form'],
  }),
  refusalRepeatsNoSecret: should('TOK-58', {
    claim: 'the answer to a refused token request repeats no secret of the request',
    quote:
      'Refresh tokens MUST be kept confidential in transit and storage, and shared only among the authorization server and the client to whom the refresh tokens were issued.',
    place: 'Refresh Tokens',
    source: 'RFC 6749 §10.4',
    reading:
      'Errors are logged and shown, so that a repeated secret is not kept confidential. Applied to the client secret, code and code_verifier as well, in any encoding; the body of a refusal is not shown, hence no more than a SHOULD.',
    tags: ['refusal-form', 'security'],
  }),
  // How tokens are used, renewed, and how they end.
  bearerTokenIsAccepted: must('TOK-59', {
    claim: 'an access token in the Bearer header opens the list of accounts',
    ...BEARER_IS_NEEDED,
  }),
  missingTokenIsRefused: must('TOK-60', {
    claim: 'a data call without a token is refused',
    ...BEARER_IS_NEEDED,
    reading:
      'Refused: no accounts are listed. Neither the word Bearer without a token nor the Basic header of the client is an access token.',
    tags: ['security'],
  }),
  unknownTokenIsRefused: must('TOK-61', {
    claim: 'a data call with a token that the bank never issued is refused',
    ...BEARER_IS_NEEDED,
    reading: `${TAMPERED} Refused: no accounts are listed.`,
    tags: ['security', 'property'],
  }),
  codeIsNoAccessToken: must('TOK-62', {
    claim: 'a data call with a code instead of the access token is refused',
    ...BEARER_IS_NEEDED,
    reading:
      'A code is not an access token, even if it can still be exchanged. Refused: no accounts are listed.',
    tags: ['security'],
  }),
  refreshTokenIsNoAccessToken: must('TOK-63', {
    claim: 'a data call with the refresh token instead of the access token is refused',
    ...BEARER_IS_NEEDED,
    reading: 'A refresh token is not an access token. Refused: no accounts are listed.',
    tags: ['security'],
  }),
  refusedDataCallHasTheStatusOfARefusal: must('TOK-95', {
    claim: 'a data call that is refused for its token has the HTTP status of a refusal',
    ...STATUS_IS_THE_RESULT,
    reading: `${STATUS_OF_A_REFUSAL} An empty list is not a refusal.`,
  }),
  missingTokenHasStatus401: should('TOK-64', {
    claim: 'a data call without a token is answered with the HTTP status 401',
    ...CHALLENGE,
    reading: `A WWW-Authenticate header belongs to the status 401. ${FORM}`,
    tags: ['refusal-form'],
  }),
  unknownTokenHasStatus401: should('TOK-65', {
    claim: 'a data call with a token that the bank never issued is answered with the HTTP status 401',
    ...INVALID_TOKEN,
    tags: ['refusal-form'],
  }),
  refusedDataCallIsChallenged: should('TOK-66', {
    claim:
      'a data call that is refused for its token is answered with a WWW-Authenticate header of the scheme Bearer',
    ...CHALLENGE,
    reading: 'The headers of a refusal are not shown, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  refreshGivesANewAccessToken: must('TOK-67', {
    claim: 'a refresh gives an access token that differs from the earlier ones',
    ...REFRESH_GIVES_BOTH,
  }),
  refreshGivesANewRefreshToken: must('TOK-68', {
    claim: 'a refresh gives a refresh token that differs from the earlier ones',
    ...REFRESH_GIVES_BOTH,
  }),
  refreshedAccessTokenIsAccepted: must('TOK-69', {
    claim: 'an access token from a refresh opens what the access token before it opened',
    quote:
      '| token expired | token endpoint, refresh | refresh succeeds | token valid | a new access token and a new refresh token are issued. |',
    place: VALIDITY,
    reading:
      'Judged on the lists of accounts, a detail, a page of transactions and PUT /refresh, after a first and a second refresh.',
  }),
  refreshedTokenSeesNoMoreAccounts: must('TOK-93', {
    claim: 'an access token from a refresh lists no account that the access token before it did not list',
    quote: 'List of consented accounts, each with accountId.',
    place: 'Endpoints, Accounts (first variant), GET /v1/accounts',
    reading:
      'A refresh without a scope keeps the granted one (RFC 6749 §6; RFC 9700 §4.14.2). The accounts are counted, and compared by IBAN where the lists have it: an accountId may be new in each list. Judged in both variants.',
    tags: ['security'],
  }),
  refreshedTokenKeepsThePageSize: must('TOK-94', {
    claim: 'a page of transactions that an access token from a refresh opens is no larger than its pageSize',
    quote: 'Its size is set by the request parameter pageSize (integer).',
    place: 'Resources and their fields, Transaction',
    reading:
      'Judged with a pageSize of 10 in both variants; in the first, which only requires reasonable limits, with one of 50 where 10 is refused.',
  }),
  refreshedRefreshTokenIsAccepted: must('TOK-70', {
    claim: 'a refresh token from a refresh can be used for the next refresh',
    quote: 'Refresh of an expired access token, following the OAuth 2.0 refresh section.',
    place: REFRESH,
  }),
  rotatedRefreshTokenMayBeRevoked: may('TOK-71', {
    claim: 'a refresh token that has been used may be refused afterwards',
    quote:
      'The authorization server MAY revoke the old refresh token after issuing a new refresh token to the client.',
    place: 'Refreshing an Access Token',
    source: 'RFC 6749 §6',
    unchecked: 'a freedom of the bank: both answers conform',
  }),
  refreshNeedsClientAuthentication: must('TOK-72', {
    claim: 'a refresh without client authentication is refused',
    quote:
      'require client authentication for confidential clients or for any client that was issued client credentials',
    place: 'Refreshing an Access Token',
    source: 'RFC 6749 §6',
    reading: `The request has no Authorization header; a client_id in the form does not authenticate the client. ${REFUSED}`,
    tags: ['security'],
  }),
  refreshWithAWrongSecretIsRefused: must('TOK-73', {
    claim: 'a refresh with a wrong secret is refused',
    quote: 'The application authenticates at POST /v1/consents and at the token endpoint with HTTP Basic',
    place: 'Authentication, 2',
    reading: REFUSED,
    tags: ['security'],
  }),
  anotherClientsRefreshTokenIsRefused: must('TOK-74', {
    claim: 'a refresh token is refused to a client other than the one that it was issued to',
    ...REFRESH_IS_BOUND_TO_ITS_CLIENT,
    reading: REFUSED,
    tags: ['security'],
  }),
  unknownRefreshTokenIsRefused: must('TOK-75', {
    claim: 'a refresh token that the bank never issued is refused',
    quote: 'validate the refresh token.',
    place: 'Refreshing an Access Token',
    source: 'RFC 6749 §6',
    reading: `${TAMPERED} ${REFUSED}`,
    tags: ['security', 'property'],
  }),
  missingRefreshTokenIsRefused: must('TOK-76', {
    claim: 'a refresh without a refresh token is refused',
    quote: 'An expired access token is renewed at the token endpoint with the refresh token.',
    place: 'Authentication, 6',
    reading: REFUSED,
    tags: ['security'],
  }),
  accessTokenIsNoRefreshToken: must('TOK-77', {
    claim: 'a refresh with the access token instead of the refresh token is refused',
    quote: 'An expired access token is renewed at the token endpoint with the refresh token.',
    place: 'Authentication, 6',
    reading: REFUSED,
    tags: ['security'],
  }),
  refreshDoesNotWidenTheScope: must('TOK-78', {
    claim: 'a refresh with the scope of another consent gives no token for that consent',
    quote: 'The requested scope MUST NOT include any scope not originally granted by the resource owner',
    place: 'Refreshing an Access Token',
    source: 'RFC 6749 §6',
    reading: 'The bank refuses, or issues a token for the scope that the user granted.',
    tags: ['security', 'tpp'],
  }),
  invalidRefreshTokenIsAnInvalidGrant: should('TOK-79', {
    claim: 'the error of a refresh token that the bank never issued is invalid_grant',
    quote:
      'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked',
    place: 'Error Response, invalid_grant',
    source: 'RFC 6749 §5.2',
    reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  accessTokenLivesNinetyDays: must('TOK-80', {
    claim: 'an access token is accepted until 90 days after its issue',
    ...NINETY_DAYS,
    reading: `No refresh is made in between. ${DAYS}`,
    tags: ['time'],
  }),
  accessTokenEndsAfterNinetyDays: must('TOK-81', {
    claim: 'an access token is refused once 90 days have passed since its issue',
    quote: '| token valid | time | 90 days after issue | token expired |',
    place: VALIDITY,
    reading: `Refused: no accounts are listed, and none after a refresh that failed either. ${DAYS}`,
    tags: ['time', 'security'],
  }),
  expiredTokenHasStatus401: must('TOK-82', {
    claim: 'a data call with an expired token is answered with the HTTP status 401',
    ...ANSWERED_401,
    tags: ['time'],
  }),
  refreshTokenLivesNinetyDays: must('TOK-83', {
    claim: 'a refresh token is accepted until 90 days after its issue',
    quote: 'Access and refresh tokens expire after 90 days.',
    place: 'Authentication, 5',
    reading: `${COUNTED_FROM} OAuth 2.0 sets no age that an access token must reach before it is renewed: a bank that renews only expired ones shows by a later renewal that the refresh token was valid until then. ${DAYS}`,
    tags: ['time'],
  }),
  oldRefreshTokenIsRefused: must('TOK-92', {
    claim: 'a refresh token that is older than 180 days gives no tokens',
    ...NINETY_DAYS,
    reading:
      'The refresh token expires after 90 days, yet it renews an access token that has expired after 90 days. The longest reading of both sentences gives it 90 days more. Tried with a refresh token that was never used and with one that was replaced, a day later (RFC 9700 §4.14.2: refresh tokens SHOULD expire when the client does not use them).',
    tags: ['time', 'security'],
  }),
  refreshAfterNinetyDaysGivesBothOrNone: must('TOK-84', {
    claim: 'a refresh more than 90 days after the issue gives two new valid tokens, or none',
    quote: 'When that fails, a new authorization code grant is run using the existing consent.',
    place: 'Authentication, 6',
    reading:
      'Both tokens expire at the same time, yet an expired access token is renewed with the refresh token: so the refresh may succeed, and then both tokens are new and the access token is accepted, or fail.',
    tags: ['time'],
  }),
  newGrantFollowsAFailedRefresh: must('TOK-85', {
    claim: 'a new authorization code grant gives tokens after a refresh has failed',
    quote:
      '| token expired | token endpoint, refresh | refresh fails | no token | the application has the customer run a new authorization code grant, using an existing consent. |',
    place: VALIDITY,
    reading:
      'Judged of a FAC as well, which has no consent. Whether the existing one of a TPP is still good is judged in the chapter on consent: where it is not, a new one will do here. Where the refresh succeeds, the new grant is judged all the same.',
    tags: ['time'],
  }),
  refreshedTokenLivesNinetyDays: must('TOK-86', {
    claim: 'an access token from a refresh is accepted until the end of its 90 days',
    ...NINETY_DAYS,
    reading: `${COUNTED_FROM} The refresh is made 30 days after the authorization. A token that is accepted more than 90 days after the authorization has 90 days from the refresh. ${DAYS}`,
    tags: ['time'],
  }),
  refreshedTokenEndsAfterNinetyDays: must('TOK-87', {
    claim: 'an access token from a refresh is refused once 90 days have passed since the refresh',
    quote: '| Access token and refresh token lifetime | 90 days | Account API tokens. |',
    place: 'Limits, row Access token and refresh token lifetime',
    reading: `Judged on the lists of accounts, and after a first refresh on a detail and pages of transactions as well. ${DAYS}`,
    tags: ['time', 'security'],
  }),
  revokedTokenIsRefused: must('TOK-88', {
    claim: 'an access token that the user has revoked is refused',
    ...REVOKED,
    reading:
      'Refused: no accounts are listed, before and after an attempt to refresh. Judged where a test hook revokes a token.',
    tags: ['security'],
  }),
  revocationEndsNoOtherGrant: must('TOK-97', {
    claim: 'the revocation of a token ends no token of another customer or of another application',
    ...REVOKED,
    reading:
      'The user revokes an own token, given to one application. Whether other tokens of the same user and application end with it is not shown.',
  }),
  revokedTokenHasStatus401: must('TOK-89', {
    claim: 'a data call with a revoked token is answered with the HTTP status 401',
    quote: 'HTTP 401 Unauthorized answers a call with a revoked or expired token.',
    place: 'Errors, 3',
  }),
  revocationEndsTheRefreshToken: must('TOK-90', {
    claim: 'the refresh token of a revoked access token gives no new tokens',
    ...REVOKED,
    reading:
      'The row begins at "token valid", which stands for the access token and the refresh token that the exchange issued, and no row leads out of "token revoked".',
    tags: ['security'],
  }),

  nameOfTheRefreshToken: undisclosed('TOK-U1', {
    subject: 'the name of the field that carries the refresh token',
    quote: 'Its response field name is not among the given field names of this table.',
    place: 'Resources and their fields, Token response, row refresh token',
  }),
  parametersOfTheRefreshRequest: undisclosed('TOK-U2', {
    subject: 'the parameter names of the refresh request',
    quote: 'The parameter names of the refresh request: not shown.',
    place: 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)',
  }),
  errorBodyOfTheTokenEndpoint: undisclosed('TOK-U3', {
    subject: 'the error body of the token endpoint',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default chapterRows('tokens', TOK)
