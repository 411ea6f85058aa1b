import { must, shelf, should, undisclosed } from '../../harness/check/requirement.ts'
import { REFUSING } from './requirements-of-refusing.ts'

const AUTHORIZE = 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize'

const REDIRECTED = 'Judged where the bank redirects: a result screen returns nothing to the client.'

/** A sentence that more than one row quotes. */
const NOT_TO_BE_GUESSED = {
  quote:
    'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.',
  place: 'Credentials-Guessing Attacks',
  source: 'RFC 6749 §10.10',
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

  ...REFUSING,

  answerToARefusedAuthorization: undisclosed('AUT-U1', {
    subject: 'what the authorization endpoint answers when it refuses',
    quote: 'The error body of the OAuth and account operations: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default shelf('authorization', AUT)
