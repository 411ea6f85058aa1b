import { must, should } from '../../harness/check/requirement.ts'

const EXCHANGE = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (code exchange)'

const REFUSED = 'Refused: the answer carries no token; its status and body are undisclosed.'
const NO_MORE_THAN_SHOULD = 'The form of a refusal is undisclosed, hence no more than a SHOULD.'

/** Sentences that more than one row quotes. */
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

/** Which code exchanges are refused, and how. */
export const REFUSING = {
  wrongSecretIsRefused: must('TOK-27', {
    claim: 'a code exchange with a wrong secret is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `A secret that is empty, cut short, longer by a character or of another case is a wrong secret too. ${REFUSED}`,
    tags: ['security', 'property'],
  }),
  unknownClientIsRefused: must('TOK-28', {
    claim: 'a code exchange of an unknown client is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `Its client_id begins like a known one, and the secret is that client's. ${REFUSED}`,
    tags: ['security'],
  }),
  missingClientAuthenticationIsRefused: must('TOK-29', {
    claim: 'a code exchange without client authentication is refused',
    ...CLIENT_IS_AUTHENTICATED,
    reading: `The request has no Authorization header; a client_id in the form proves nothing. ${REFUSED}`,
    tags: ['security'],
  }),
  wrongVerifierIsRefused: must('TOK-30', {
    claim: 'a code exchange with a wrong code_verifier is refused',
    ...VERIFIER_IS_COMPARED,
    reading: `One character changed, added or removed, or of another case. ${REFUSED}`,
    tags: ['security', 'property'],
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
    reading: `"Shortly" has no number; nobody can read it as more than a day. Judged a minute later. ${REFUSED}`,
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
    reading: `Another registered one is another one too. ${REFUSED}`,
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
    claim: 'a token request with a grant_type that nobody has defined is refused',
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
    claim: 'a code exchange with the scope of another consent brings no token for that consent',
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
    claim: 'the error of a grant_type that nobody has defined is unsupported_grant_type',
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
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
    reading:
      'Whatever the body is, errors are logged and shown: neither the client secret nor code, code_verifier or refresh token belongs there, in any encoding.',
    tags: ['refusal-form', 'security'],
  }),
} as const
