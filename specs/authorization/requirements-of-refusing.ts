import { must, should } from '../../harness/check/requirement.ts'

const AUTHORIZE = 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize'

const NOT_GRANTED = 'Not granted: no access token comes of it, whichever of the two endpoints refuses.'
const NO_CODE = 'Refused: the user cannot obtain a code; what the browser is shown is undisclosed.'
const REDIRECTED = 'Judged where the bank redirects: a result screen returns nothing to the client.'

/** Sentences that more than one row quotes. */
const RESPONSE_TYPE_IS_NEEDED = {
  quote:
    'If an authorization request is missing the "response_type" parameter, or if the response type is not understood, the authorization server MUST return an error response',
  place: 'Response Type',
  source: 'RFC 6749 §3.1.1',
}
const NOT_REDIRECTED = {
  quote:
    'If the request fails due to a missing, invalid, or mismatching redirection URI, or if the client identifier is missing or invalid, the authorization server SHOULD inform the resource owner of the error and MUST NOT automatically redirect the user-agent to the invalid redirection URI.',
  place: 'Error Response',
  source: 'RFC 6749 §4.1.2.1',
}

/** Which authorization requests are refused, and how. */
export const REFUSING = {
  missingChallengeIsNotGranted: must('AUT-21', {
    claim: 'an authorization request without a code_challenge is not granted',
    quote: 'It is extended with PKCE.',
    place: 'What the service does, 3',
    reading: `Exchanges with and without a code_verifier are tried. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  emptyChallengeIsNotGranted: must('AUT-22', {
    claim: 'an authorization request with an empty code_challenge is not granted',
    quote: 'Parameters sent without a value MUST be treated as if they were omitted from the request.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    reading: NOT_GRANTED,
    tags: ['security'],
  }),
  plainChallengeIsNotGranted: must('AUT-23', {
    claim: 'an authorization request with the code_challenge_method plain is not granted',
    quote: 'code_challenge with method S256 at authorize, code_verifier at the token call.',
    place: 'Authentication, 1',
    reading: `The code_challenge is the code_verifier itself. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  missingMethodIsNotTakenAsPlain: must('AUT-24', {
    claim: 'a code_challenge without a method is not verified as plain',
    quote: 'code_challenge_method (value S256)',
    place: AUTHORIZE,
    reading: `RFC 7636 §4.3 takes a missing method as plain, which the interface does not have: the bank refuses, or takes the method as S256. The code_challenge is the code_verifier itself. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  missingChallengeIsRefusedAtOnce: should('AUT-25', {
    claim: 'an authorization request without a code_challenge is refused by the authorization endpoint',
    quote: 'MUST return the authorization error response with the "error" value set to "invalid_request"',
    place: 'Error Response',
    source: 'RFC 7636 §4.4.1',
    reading: 'The form of a refusal is undisclosed, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),
  plainMethodIsRefusedAtOnce: should('AUT-26', {
    claim:
      'an authorization request with the code_challenge_method plain is refused by the authorization endpoint',
    quote: 'MUST return the authorization error response with "error" value set to "invalid_request"',
    place: 'Error Response',
    source: 'RFC 7636 §4.4.1',
    reading: 'The form of a refusal is undisclosed, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  missingResponseTypeIsRefused: must('AUT-27', {
    claim: 'an authorization request without a response_type is refused',
    ...RESPONSE_TYPE_IS_NEEDED,
    reading: NO_CODE,
  }),
  unknownResponseTypeIsRefused: must('AUT-28', {
    claim: 'an authorization request with a response_type that nobody has defined is refused',
    ...RESPONSE_TYPE_IS_NEEDED,
    reading: NO_CODE,
  }),
  responseTypeTokenGivesNoToken: must('AUT-29', {
    claim: 'an authorization request with the response_type token brings no access token into the browser',
    quote: 'Authorization follows the OAuth 2.0 Authorization Code Grant.',
    place: 'What the service does, 3',
    reading:
      'Tokens come from the token endpoint, in exchange for a code: the implicit grant is none of the interface.',
    tags: ['security'],
  }),
  unknownResponseTypeIsNamed: should('AUT-30', {
    claim: 'a response_type that nobody has defined is reported as unsupported_response_type',
    quote: 'The authorization server does not support obtaining an authorization code using this method.',
    place: 'Error Response, unsupported_response_type',
    source: 'RFC 6749 §4.1.2.1',
    reading: `The form of a refusal is undisclosed, hence no more than a SHOULD. ${REDIRECTED}`,
    tags: ['refusal-form'],
  }),

  unknownClientIsRefused: must('AUT-31', {
    claim: 'an authorization request of an unknown client is refused',
    quote: 'Two kinds of application use the account API.',
    place: 'What the service does, 2',
    reading: `A client that the bank does not know is neither a FAC nor a TPP. ${NO_CODE}`,
    tags: ['security'],
  }),
  unknownClientIsNotRedirected: must('AUT-32', {
    claim: 'the browser is not redirected for an unknown client',
    ...NOT_REDIRECTED,
    reading: 'No redirect URI is registered for an unknown client, so whichever it names is invalid.',
    tags: ['security'],
  }),
  missingClientIsRefused: must('AUT-33', {
    claim: 'an authorization request without a client_id is refused',
    quote: 'client_id REQUIRED. The client identifier as described in Section 2.2.',
    place: 'Authorization Request',
    source: 'RFC 6749 §4.1.1',
    reading: NO_CODE,
  }),
  missingClientIsNotRedirected: must('AUT-34', {
    claim: 'the browser is not redirected for a request without a client_id',
    ...NOT_REDIRECTED,
    tags: ['security'],
  }),
  unregisteredRedirectUriIsRefused: must('AUT-35', {
    claim: 'an authorization request with a redirect URI on a foreign host is refused',
    quote:
      'the authorization server MUST compare and match the value received against at least one of the registered redirection URIs',
    place: 'Dynamic Configuration',
    source: 'RFC 6749 §3.1.2.3',
    reading: NO_CODE,
    tags: ['security'],
  }),
  unregisteredRedirectUriIsNotRedirectedTo: must('AUT-36', {
    claim: 'the browser is never redirected to a redirect URI that is not registered',
    ...NOT_REDIRECTED,
    reading: 'Whatever else is wrong with the request, and whether the user grants or denies.',
    tags: ['security'],
  }),
  redirectUriIsComparedToTheLetter: should('AUT-37', {
    claim: 'a redirect URI that only resembles the registered one is refused',
    quote:
      'the authorization server MUST compare the two URIs using simple string comparison as defined in [RFC3986] Section 6.2.1.',
    place: 'Dynamic Configuration',
    source: 'RFC 6749 §3.1.2.3',
    reading: `A longer or shorter path, another case, a slash at the end or a query of its own. A bank that registers less than the full URI compares less, hence no more than a SHOULD; the port of a loopback address is never varied. ${NO_CODE}`,
    tags: ['security', 'property'],
  }),
  repeatedParameterIsRefused: should('AUT-38', {
    claim: 'an authorization request that repeats a parameter is refused',
    quote: 'Request and response parameters MUST NOT be included more than once.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    reading: `The rule binds the client; that the bank enforces it is no more than a SHOULD. ${NO_CODE}`,
  }),
} as const
