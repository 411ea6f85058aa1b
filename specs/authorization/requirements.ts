import { must, chapterRows, should, undisclosed } from '../../harness/check/requirement.ts'

const AUTHORIZE = 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize'
const REDIRECTED = 'Judged where the bank redirects: a result screen returns nothing to the client.'
/** A sentence that more than one row quotes. */
const NOT_TO_BE_GUESSED = {
  quote:
    'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.',
  place: 'Credentials-Guessing Attacks',
  source: 'RFC 6749 §10.10',
}
const NOT_GRANTED = 'Not granted: no access token comes of it, whichever of the two endpoints refuses.'
const NO_CODE = 'Refused: the user cannot obtain a code; what the browser is shown is undisclosed.'
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

export const AUT = {
  grantGivesACode: must('AUT-01', {
    claim: 'a user who grants obtains an authorization code',
    quote:
      'On grant the browser lands on a result screen showing the authorization code, or is redirected to the registered redirect URI with the code in it.',
    place: AUTHORIZE,
    reading:
      'The bank chooses between the result screen and the redirect; the profile says which. A page without a code leaves it open: it may be any page.',
  }),
  codeGoesToTheRegisteredRedirectUri: must('AUT-02', {
    claim: 'a redirect with a code leads to the registered redirect URI',
    quote: 'On grant, the code is shown on a result screen or is sent to the registered redirect URI.',
    place: 'Authentication, 4.4',
    reading: `Scheme, host, port and path are those of the registered URI. ${REDIRECTED}`,
  }),
  codeStandsInTheQuery: must('AUT-03', {
    claim: 'a redirect carries the code as the parameter code of its query',
    quote: 'adding the following parameters to the query component of the redirection URI',
    place: 'Authorization Response',
    source: 'RFC 6749 §4.1.2',
    reading: REDIRECTED,
  }),
  redirectNamesEachParameterOnce: must('AUT-04', {
    claim: 'a redirect carries no parameter twice',
    quote: 'Request and response parameters MUST NOT be included more than once.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
    reading: REDIRECTED,
  }),
  redirectUriKeepsItsOwnQuery: must('AUT-05', {
    claim: 'a query of the registered redirect URI is still there when the code is added',
    quote: 'which MUST be retained when adding additional query parameters',
    place: 'Redirection Endpoint',
    source: 'RFC 6749 §3.1.2',
    reading: `Judged where a registered redirect URI has a query. ${REDIRECTED}`,
  }),
  stateIsReturnedUnchanged: must('AUT-06', {
    claim: 'state comes back with the code exactly as it was sent',
    quote:
      'REQUIRED if the "state" parameter was present in the client authorization request. The exact value received from the client.',
    place: 'Authorization Response',
    source: 'RFC 6749 §4.1.2',
    reading: `A state is any string of printable ASCII characters, blanks and reserved characters included, of no more than 200. ${REDIRECTED}`,
    tags: ['property'],
  }),
  requestsByGetAreServed: must('AUT-07', {
    claim: 'the authorization endpoint serves a GET request with its parameters in the query',
    quote: '| GET | /auth/oauth/v2/authorize | Browser redirect.',
    place: AUTHORIZE,
  }),
  unrecognizedParameterIsIgnored: must('AUT-08', {
    claim:
      'an authorization request with a parameter that nobody has defined is granted as if it were not there',
    quote: 'The authorization server MUST ignore unrecognized request parameters.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
  }),
  codesAreDistinct: must('AUT-09', {
    claim: 'no two grants give the same code',
    ...NOT_TO_BE_GUESSED,
    tags: ['security'],
  }),
  codesDoNotFollowFromEachOther: must('AUT-10', {
    claim: 'a code cannot be told from the codes before it',
    ...NOT_TO_BE_GUESSED,
    reading:
      'Judged on codes of consecutive grants: a counter, a clock reading or a constant step is guessable. No more is claimed of a sample.',
    tags: ['security'],
  }),
  codeHasRoomFor128Bits: should('AUT-11', {
    claim: 'a code is long enough to hold 128 random bits',
    quote:
      'The probability of an attacker guessing generated tokens (and other credentials not intended for handling by end-users) MUST be less than or equal to 2^(-128)',
    place: 'Credentials-Guessing Attacks',
    source: 'RFC 6749 §10.10',
    reading:
      'Length times the bits of one character of the alphabet in use, an upper bound. A code on a result screen is handled by an end user, to whom the MUST does not extend, hence a SHOULD.',
    tags: ['security'],
  }),

  finalApiConsumerScopeIsGranted: must('AUT-12', {
    claim: 'a FAC is granted the scope PREMIUM_AIS',
    quote: 'A FAC skips this and uses scope PREMIUM_AIS.',
    place: 'Authentication, 4.1',
    tags: ['fac'],
  }),
  consentScopeIsGrantedToATpp: must('AUT-13', {
    claim: 'a TPP is granted the scope PREMIUM_AIS:<consent_id>',
    quote: 'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.',
    place: AUTHORIZE,
    tags: ['tpp'],
  }),
  unknownScopeIsNotGranted: should('AUT-14', {
    claim: 'a scope that the bank cannot know is refused or left out of the granted scope',
    quote: 'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.',
    place: AUTHORIZE,
    reading:
      'The scope is a random word beside the right one. RFC 6749 §3.3 lets a bank ignore it, if the token answer then names the scope that was granted; hence no more than a SHOULD.',
  }),

  userIsAuthenticated: must('AUT-15', {
    claim: 'a browser in which nobody has logged in obtains no code',
    quote: 'The bank authenticates the user.',
    place: AUTHORIZE,
    tags: ['security'],
  }),
  wrongPasswordGivesNoCode: must('AUT-16', {
    claim: 'a login with a wrong password leads to no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    reading:
      'The wrong passwords are another one altogether, that of another customer, and one that differs in every character. What else passes for the same password is left to the bank.',
    tags: ['security'],
  }),
  noCodeBeforeTheUserGrants: must('AUT-17', {
    claim: 'a user who has logged in but not yet granted has no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    reading:
      'Judged on consents that nobody has granted before: a bank may remember what a user has granted to a FAC, and not ask again.',
    tags: ['security'],
  }),
  denialGivesNoCode: must('AUT-18', {
    claim: 'a user who denies obtains no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    tags: ['security'],
  }),
  denialIsReportedAsAccessDenied: should('AUT-19', {
    claim: 'a denial is reported to the registered redirect URI with the error access_denied',
    quote: 'The resource owner or authorization server denied the request.',
    place: 'Error Response, access_denied',
    source: 'RFC 6749 §4.1.2.1',
    reading: `What follows a denial is not described, hence no more than a SHOULD. ${REDIRECTED}`,
    tags: ['refusal-form'],
  }),
  denialReturnsTheState: should('AUT-20', {
    claim: 'state comes back with an error exactly as it was sent',
    quote:
      'REQUIRED if a "state" parameter was present in the client authorization request. The exact value received from the client.',
    place: 'Error Response, state',
    source: 'RFC 6749 §4.1.2.1',
    reading: `The form of a refusal is undisclosed, hence no more than a SHOULD. ${REDIRECTED}`,
    tags: ['refusal-form'],
  }),
  failedLoginRepeatsNoPassword: should('AUT-39', {
    claim: 'the answer to a login with a wrong password does not repeat the password',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
    reading: 'Whatever the page is, a page is kept by browsers and caches: no password belongs there.',
    tags: ['refusal-form', 'security'],
  }),

  // Which authorization requests are refused, and how.
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

  answerToARefusedAuthorization: undisclosed('AUT-U1', {
    subject: 'what the authorization endpoint answers when it refuses',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default chapterRows('authorization', AUT)
