import { must, chapterRows, should, undisclosed } from '../../harness/check/requirement.ts'

const AUTHORIZE = 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize'
const REDIRECTED =
  'Judged where the bank redirects, and not reached where it does not: a result screen returns nothing to the client.'
/** A sentence that more than one row quotes. */
const NOT_TO_BE_GUESSED = {
  quote:
    'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.',
  place: 'Credentials-Guessing Attacks',
  source: 'RFC 6749 §10.10',
}
const NOT_GRANTED = 'Not granted: it leads to no access token, whichever of the two endpoints refuses.'
const NO_CODE = 'Refused: the user cannot obtain a code. What the browser is shown is not shown.'
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
      'The bank chooses between the result screen and the redirect; the profile says which. A page without a code leaves it open: it may be any page. A text on a result screen is taken for a code if the token endpoint exchanges it (AUT-40).',
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
    claim: 'a redirect with a code keeps the query of the registered redirect URI',
    quote: 'which MUST be retained when adding additional query parameters',
    place: 'Redirection Endpoint',
    source: 'RFC 6749 §3.1.2',
    reading: `Judged for each application that has a registered redirect URI with a query. ${REDIRECTED}`,
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
    claim: 'an authorization request with an unrecognized parameter is granted as one without it',
    quote: 'The authorization server MUST ignore unrecognized request parameters.',
    place: 'Authorization Endpoint',
    source: 'RFC 6749 §3.1',
  }),
  shownCodeIsExchanged: must('AUT-40', {
    claim: 'the token endpoint exchanges a code that was shown on a result screen',
    quote: 'On grant, the code is shown on a result screen or is sent to the registered redirect URI.',
    place: 'Authentication, 4.4',
    reading:
      'The redirect_uri of the exchange is that of the authorization. The profile says which element of the page shows the code (authorization.code). A text with blanks is a sentence and no code: then the row is not reached.',
  }),
  codesAreDistinct: must('AUT-09', {
    claim: 'no two grants give the same code',
    ...NOT_TO_BE_GUESSED,
    tags: ['security'],
  }),
  codesDoNotFollowFromEachOther: must('AUT-10', {
    claim: 'a code cannot be predicted from earlier codes',
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
  unknownScopeIsNotGranted: must('AUT-14', {
    claim: 'a scope that the bank cannot know is refused or left out of the granted scope',
    quote:
      'the authorization server MUST include the "scope" response parameter to inform the client of the actual scope granted.',
    place: 'Access Token Scope',
    source: 'RFC 6749 §3.3',
    reading:
      'The scope has a random word after the right one. A bank may ignore the word if the token answer then contains the scope that was granted.',
  }),
  otherScopeOpensNoAccount: must('AUT-41', {
    claim: 'a scope that differs from PREMIUM_AIS in case, or is shorter or longer, opens no account',
    quote:
      'The value of the scope parameter is expressed as a list of space-delimited, case-sensitive strings.',
    place: 'Access Token Scope',
    source: 'RFC 6749 §3.3',
    reading:
      'The request is refused, or its token opens no account. A bank may ignore a scope that it does not know and grant the right one, if the token answer contains the scope that was granted.',
    tags: ['security'],
  }),

  userIsAuthenticated: must('AUT-15', {
    claim: 'a browser without a login obtains no code',
    quote: 'The bank authenticates the user.',
    place: AUTHORIZE,
    tags: ['security'],
  }),
  wrongPasswordGivesNoCode: must('AUT-16', {
    claim: 'a login with a wrong password leads to no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    reading:
      'The wrong passwords are a random one, that of another customer, and one that differs in every character. Which spellings of a password are equal is left to the bank.',
    tags: ['security'],
  }),
  noCodeBeforeTheUserGrants: must('AUT-17', {
    claim: 'a user who has logged in but not yet granted has no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    reading:
      'A TPP has a new consent each time, so that its user must be asked. A bank may remember what a user has granted to a FAC and not ask again: then the row is not reached for a FAC.',
    tags: ['security'],
  }),
  denialGivesNoCode: must('AUT-18', {
    claim: 'a user who denies obtains no code',
    quote: 'The bank authenticates the user, who grants or denies.',
    place: 'Authentication, 4.3',
    reading: 'Judged where the bank asks: a bank that has granted without a question offers nothing to deny.',
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
  denialReturnsTheState: must('AUT-20', {
    claim: 'state comes back with a denial or a refusal exactly as it was sent',
    quote:
      'REQUIRED if a "state" parameter was present in the client authorization request. The exact value received from the client.',
    place: 'Error Response, state',
    source: 'RFC 6749 §4.1.2.1',
    reading: `Judged on denials and on refused requests. ${REDIRECTED}`,
    tags: ['security'],
  }),
  renewalAsksTheUser: must('AUT-45', {
    claim: 'a new grant after the 90 days of the earlier one needs the user again',
    quote: 'the 90-day legislative re-authorization applies.',
    place: 'States and transitions, Token and consent validity',
    reading:
      'The browser is a new one, without cookies. The user acts on one page of the bank at least: whether the user logs in, grants, or both, is left to the bank.',
    tags: ['security', 'time'],
  }),
  failedLoginRepeatsNoPassword: should('AUT-39', {
    claim: 'the answer to a login with a wrong password does not repeat the password',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
    reading:
      'What the page says is not shown, and no sentence forbids it to repeat the password. Browsers and caches store pages; best practice (RFC 6819, RFC 9700) keeps credentials secret, hence a SHOULD.',
    tags: ['refusal-form', 'security'],
  }),

  // Which authorization requests are refused, and how.
  missingChallengeIsNotGranted: must('AUT-21', {
    claim: 'an authorization request without a code_challenge is not granted',
    quote: 'It is extended with PKCE.',
    place: 'What the service does, 3',
    reading: `Exchanges with and without a code_verifier are tried: RFC 9700 §2.1.1 forbids both (PKCE downgrade). ${NOT_GRANTED}`,
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
  challengeIsComparedExactly: must('AUT-44', {
    claim: 'a code_challenge with one other character is not verified by the code_verifier',
    quote: 'If the values are not equal, an error response indicating "invalid_grant"',
    place: 'Server Verifies code_verifier before Returning the Tokens',
    source: 'RFC 7636 §4.6',
    reading: `The code_challenge differs in one character, in the case of one letter, or lacks its last characters. ${NOT_GRANTED}`,
    tags: ['security'],
  }),
  missingChallengeIsRefusedAtOnce: should('AUT-25', {
    claim: 'an authorization request without a code_challenge is refused by the authorization endpoint',
    quote: 'MUST return the authorization error response with the "error" value set to "invalid_request"',
    place: 'Error Response',
    source: 'RFC 7636 §4.4.1',
    reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),
  plainMethodIsRefusedAtOnce: should('AUT-26', {
    claim:
      'an authorization request with the code_challenge_method plain is refused by the authorization endpoint',
    quote: 'MUST return the authorization error response with "error" value set to "invalid_request"',
    place: 'Error Response',
    source: 'RFC 7636 §4.4.1',
    reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  missingResponseTypeIsRefused: must('AUT-27', {
    claim: 'an authorization request without a response_type is refused',
    ...RESPONSE_TYPE_IS_NEEDED,
    reading: NO_CODE,
  }),
  unknownResponseTypeIsRefused: must('AUT-28', {
    claim: 'an authorization request with an undefined response_type is refused',
    ...RESPONSE_TYPE_IS_NEEDED,
    reading: NO_CODE,
  }),
  responseTypeTokenGivesNoToken: must('AUT-29', {
    claim: 'an authorization request with the response_type token brings no access token into the browser',
    quote: 'Authorization follows the OAuth 2.0 Authorization Code Grant.',
    place: 'What the service does, 3',
    reading:
      'Tokens come from the token endpoint, in exchange for a code: the interface has no implicit grant.',
    tags: ['security'],
  }),
  unknownResponseTypeIsNamed: should('AUT-30', {
    claim: 'an undefined response_type is reported as unsupported_response_type',
    quote: 'The authorization server does not support obtaining an authorization code using this method.',
    place: 'Error Response, unsupported_response_type',
    source: 'RFC 6749 §4.1.2.1',
    reading: `The form of a refusal is not shown, hence no more than a SHOULD. ${REDIRECTED}`,
    tags: ['refusal-form'],
  }),

  unknownClientIsRefused: must('AUT-31', {
    claim: 'an authorization request of an unknown client is refused',
    quote:
      'The authorization server validates the request to ensure that all required parameters are present and valid.',
    place: 'Authorization Request',
    source: 'RFC 6749 §4.1.1',
    reading: `The client_id is one of the required parameters, and one that the bank has not issued is not valid. It is a random one, or a known one with one character more or less. ${NO_CODE}`,
    tags: ['security'],
  }),
  unknownClientIsNotRedirected: must('AUT-32', {
    claim: 'the browser is not redirected for an unknown client',
    ...NOT_REDIRECTED,
    reading: 'No redirect URI is registered for an unknown client, so that any redirect URI is invalid.',
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
    reading: 'Judged for grants, denials, and requests with a second fault.',
    tags: ['security'],
  }),
  redirectUriIsComparedToTheLetter: must('AUT-37', {
    claim: 'a redirect URI that only resembles the registered one is refused',
    quote:
      'the authorization server MUST compare the two URIs using simple string comparison as defined in [RFC3986] Section 6.2.1.',
    place: 'Dynamic Configuration',
    source: 'RFC 6749 §3.1.2.3',
    reading: `Another path (longer, shorter, in another case, with a slash at its end), or another query (one more parameter, another order). The profile states whole registered URIs. The port of a loopback address is never varied. ${NO_CODE}`,
    tags: ['security'],
  }),
  redirectUriIsNotNormalized: must('AUT-43', {
    claim: 'a redirect URI is refused if it is spelled otherwise than the registered one',
    quote:
      'the authorization server MUST compare the two URIs using simple string comparison as defined in [RFC3986] Section 6.2.1.',
    place: 'Dynamic Configuration',
    source: 'RFC 6749 §3.1.2.3',
    reading: `The scheme, or the host, is in another case, or a character of the path is percent-encoded. Such a URI leads to the same address, but it is another string (RFC 9700 §2.1: exact string matching). ${NO_CODE}`,
    tags: ['security'],
  }),
  redirectRepeatsNoRequest: should('AUT-42', {
    claim: 'a redirect to the application does not have the browser repeat the form that the user has sent',
    quote:
      "Authorization servers that redirect a request that potentially contains the user's credentials therefore MUST NOT use the HTTP 307 status code for redirection.",
    place: '307 Redirect',
    source: 'RFC 9700 §4.12',
    reading: `The status 308 has the same effect. RFC 9700 is best practice that the interface does not name, hence a SHOULD. ${REDIRECTED}`,
    tags: ['security'],
  }),
  pageCannotBeFramed: should('AUT-46', {
    claim: 'no other site can show the first page of an authorization within a frame',
    quote: 'Authorization servers MUST prevent clickjacking attacks.',
    place: 'Clickjacking',
    source: 'RFC 9700 §4.16',
    reading:
      'By X-Frame-Options or by frame-ancestors of a Content-Security-Policy. The pages after the first one are not judged; a page with a script may leave the frame by itself, and is not judged either. RFC 9700 is best practice that the interface does not name, hence a SHOULD.',
    tags: ['security'],
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
