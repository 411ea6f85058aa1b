import {
  at,
  chapterRows,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const AUTHORIZE = 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize'
const REDIRECTED =
  'Judged where the bank redirects, and not reached where it does not: a result screen returns nothing to the client.'
const NOT_GRANTED = 'Not granted: it leads to no access token, whichever of the two endpoints refuses.'
const NO_CODE = 'Refused: the user cannot obtain a code. What the browser is shown is not shown.'

export const AUT = statements({
  'Authorization follows the OAuth 2.0 Authorization Code Grant.': at('What the service does, 3', {
    responseTypeTokenGivesNoToken: must('AUT-29', {
      claim: 'an authorization request with the response_type token brings no access token into the browser',
      reading:
        'Tokens come from the token endpoint, in exchange for a code: the interface has no implicit grant.',
      tags: ['security'],
    }),
  }),
  'It is extended with PKCE.': at('What the service does, 3', {
    missingChallengeIsNotGranted: must('AUT-21', {
      claim: 'an authorization request without a code_challenge is not granted',
      reading: `Exchanges with and without a code_verifier are tried: RFC 9700 §2.1.1 forbids both (PKCE downgrade). ${NOT_GRANTED}`,
      tags: ['security'],
    }),
  }),
  'the 90-day legislative re-authorization applies.': at(
    'States and transitions, Token and consent validity',
    {
      renewalAsksTheUser: must('AUT-45', {
        claim: 'a new grant after the 90 days of the earlier one needs the user again',
        reading:
          'The browser is a new one, without cookies. The user acts on one page of the bank at least: whether the user logs in, grants, or both, is left to the bank.',
        tags: ['security', 'time'],
      }),
    },
  ),
  '| GET | /auth/oauth/v2/authorize | Browser redirect.': at(AUTHORIZE, {
    requestsByGetAreServed: must('AUT-07', {
      claim: 'the authorization endpoint serves a GET request with its parameters in the query',
    }),
  }),
  'code_challenge_method (value S256)': at(AUTHORIZE, {
    missingMethodIsNotTakenAsPlain: must('AUT-24', {
      claim: 'a code_challenge without a method is not verified as plain',
      reading: `RFC 7636 §4.3 takes a missing method as plain, which the interface does not have: the bank refuses, or takes the method as S256. The code_challenge is the code_verifier itself. ${NOT_GRANTED}`,
      tags: ['security'],
    }),
  }),
  'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.': at(AUTHORIZE, {
    consentScopeIsGrantedToATpp: must('AUT-13', {
      claim: 'a TPP is granted the scope PREMIUM_AIS:<consent_id>',
      tags: ['tpp'],
    }),
  }),
  'The bank authenticates the user.': at(AUTHORIZE, {
    userIsAuthenticated: must('AUT-15', {
      claim: 'a browser without a login obtains no code',
      tags: ['security'],
    }),
  }),
  'On grant the browser lands on a result screen showing the authorization code, or is redirected to the registered redirect URI with the code in it.':
    at(AUTHORIZE, {
      grantGivesACode: must('AUT-01', {
        claim: 'a user who grants obtains an authorization code',
        reading:
          'The bank chooses between the result screen and the redirect; the profile says which. A page without a code leaves it open: it may be any page. A text on a result screen is taken for a code if the token endpoint exchanges it (AUT-40).',
      }),
    }),
  'code_challenge with method S256 at authorize, code_verifier at the token call.': at('Authentication, 1', {
    plainChallengeIsNotGranted: must('AUT-23', {
      claim: 'an authorization request with the code_challenge_method plain is not granted',
      reading: `The code_challenge is the code_verifier itself. ${NOT_GRANTED}`,
      tags: ['security'],
    }),
  }),
  'A FAC skips this and uses scope PREMIUM_AIS.': at('Authentication, 4.1', {
    finalApiConsumerScopeIsGranted: must('AUT-12', {
      claim: 'a FAC is granted the scope PREMIUM_AIS',
      tags: ['fac'],
    }),
  }),
  'The bank authenticates the user, who grants or denies.': at('Authentication, 4.3', {
    wrongPasswordGivesNoCode: must('AUT-16', {
      claim: 'a login with a wrong password leads to no code',
      reading:
        'The wrong passwords are a longer and a shorter one, that of another customer, one that differs in every character, one in another case, and an empty one. Whether blanks at the ends count is left to the bank.',
      tags: ['security'],
    }),
    noCodeBeforeTheUserGrants: must('AUT-17', {
      claim: 'a user who has logged in but not yet granted has no code',
      reading:
        'A TPP has a new consent each time, so that its user must be asked. A bank may remember what a user has granted to a FAC and not ask again: then the row is not reached for a FAC.',
      tags: ['security'],
    }),
    denialGivesNoCode: must('AUT-18', {
      claim: 'a user who denies obtains no code',
      reading:
        'Judged where the bank asks: a bank that has granted without a question offers nothing to deny.',
      tags: ['security'],
    }),
  }),
  'On grant, the code is shown on a result screen or is sent to the registered redirect URI.': at(
    'Authentication, 4.4',
    {
      codeGoesToTheRegisteredRedirectUri: must('AUT-02', {
        claim: 'a redirect with a code leads to the registered redirect URI',
        reading: `Scheme, host, port and path are those of the registered URI. ${REDIRECTED}`,
      }),
      shownCodeIsExchanged: must('AUT-40', {
        claim: 'the token endpoint exchanges a code that was shown on a result screen',
        reading:
          'The redirect_uri of the exchange is that of the authorization. The profile says which element of the page shows the code (authorization.code). A text with blanks is a sentence and no code: then the row is not reached.',
      }),
    },
  ),
  'The error body of the OAuth and account operations: not shown.': at('Errors, 7', {
    failedLoginRepeatsNoPassword: should('AUT-39', {
      claim: 'the answer to a login with a wrong password does not repeat the password',
      reading:
        'What the page says is not shown, and no sentence forbids it to repeat the password. Browsers and caches store pages; best practice (RFC 6819, RFC 9700) keeps credentials secret, hence a SHOULD.',
      tags: ['refusal-form', 'security'],
    }),
    answerToARefusedAuthorization: notShown('AUT-U1', {
      subject: 'what the authorization endpoint answers when it refuses',
    }),
  }),
  'adding the following parameters to the query component of the redirection URI': ofStandard(
    'RFC 6749 §4.1.2',
    'Authorization Response',
    {
      codeStandsInTheQuery: must('AUT-03', {
        claim: 'a redirect carries the code as the parameter code of its query',
        reading: REDIRECTED,
      }),
    },
  ),
  'Request and response parameters MUST NOT be included more than once.': ofStandard(
    'RFC 6749 §3.1',
    'Authorization Endpoint',
    {
      redirectNamesEachParameterOnce: must('AUT-04', {
        claim: 'a redirect carries no parameter twice',
        reading: REDIRECTED,
      }),
      repeatedParameterIsRefused: should('AUT-38', {
        claim: 'an authorization request that repeats a parameter is refused',
        reading: `The rule binds the client; that the bank enforces it is no more than a SHOULD. ${NO_CODE}`,
      }),
    },
  ),
  'which MUST be retained when adding additional query parameters': ofStandard(
    'RFC 6749 §3.1.2',
    'Redirection Endpoint',
    {
      redirectUriKeepsItsOwnQuery: must('AUT-05', {
        claim: 'a redirect with a code keeps the query of the registered redirect URI',
        reading: `Judged for each application that has a registered redirect URI with a query. ${REDIRECTED}`,
      }),
    },
  ),
  'REQUIRED if the "state" parameter was present in the client authorization request. The exact value received from the client.':
    ofStandard('RFC 6749 §4.1.2', 'Authorization Response', {
      stateIsReturnedUnchanged: must('AUT-06', {
        claim: 'state comes back with the code exactly as it was sent',
        reading: `A state is any string of printable ASCII characters, blanks and reserved characters included, of no more than 200. ${REDIRECTED}`,
        tags: ['property'],
      }),
    }),
  'The authorization server MUST ignore unrecognized request parameters.': ofStandard(
    'RFC 6749 §3.1',
    'Authorization Endpoint',
    {
      unrecognizedParameterIsIgnored: must('AUT-08', {
        claim: 'an authorization request with an unrecognized parameter is granted as one without it',
      }),
    },
  ),
  'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.':
    ofStandard('RFC 6749 §10.10', 'Credentials-Guessing Attacks', {
      codesAreDistinct: must('AUT-09', { claim: 'no two grants give the same code', tags: ['security'] }),
      codesDoNotFollowFromEachOther: must('AUT-10', {
        claim: 'a code cannot be predicted from earlier codes',
        reading:
          'Judged on codes of consecutive grants: a counter, a clock reading or a constant step is guessable. No more is claimed of a sample.',
        tags: ['security'],
      }),
    }),
  'The probability of an attacker guessing generated tokens (and other credentials not intended for handling by end-users) MUST be less than or equal to 2^(-128)':
    ofStandard('RFC 6749 §10.10', 'Credentials-Guessing Attacks', {
      codeHasRoomFor128Bits: should('AUT-11', {
        claim: 'a code is long enough to hold 128 random bits',
        reading:
          'Length times the bits of one character of the alphabet in use, an upper bound. A code on a result screen is handled by an end user, to whom the MUST does not extend, hence a SHOULD.',
        tags: ['security'],
      }),
    }),
  'the authorization server MUST include the "scope" response parameter to inform the client of the actual scope granted.':
    ofStandard('RFC 6749 §3.3', 'Access Token Scope', {
      unknownScopeIsNotGranted: must('AUT-14', {
        claim: 'a scope that the bank cannot know is refused or left out of the granted scope',
        reading:
          'The scope has a random word after the right one. A bank may ignore the word if the token answer then contains the scope that was granted.',
      }),
    }),
  'The value of the scope parameter is expressed as a list of space-delimited, case-sensitive strings.':
    ofStandard('RFC 6749 §3.3', 'Access Token Scope', {
      otherScopeOpensNoAccount: must('AUT-41', {
        claim: 'a scope that differs from PREMIUM_AIS in case, or is shorter or longer, opens no account',
        reading:
          'The request is refused, or its token opens no account. A bank may ignore a scope that it does not know and grant the right one, if the token answer contains the scope that was granted.',
        tags: ['security'],
      }),
    }),
  'The resource owner or authorization server denied the request.': ofStandard(
    'RFC 6749 §4.1.2.1',
    'Error Response, access_denied',
    {
      denialIsReportedAsAccessDenied: should('AUT-19', {
        claim: 'a denial is reported to the registered redirect URI with the error access_denied',
        reading: `What follows a denial is not described, hence no more than a SHOULD. ${REDIRECTED}`,
        tags: ['refusal-form'],
      }),
    },
  ),
  'REQUIRED if a "state" parameter was present in the client authorization request. The exact value received from the client.':
    ofStandard('RFC 6749 §4.1.2.1', 'Error Response, state', {
      denialReturnsTheState: must('AUT-20', {
        claim: 'state comes back with a denial or a refusal exactly as it was sent',
        reading: `Judged on denials and on refused requests. ${REDIRECTED}`,
        tags: ['security'],
      }),
    }),
  'Parameters sent without a value MUST be treated as if they were omitted from the request.': ofStandard(
    'RFC 6749 §3.1',
    'Authorization Endpoint',
    {
      emptyChallengeIsNotGranted: must('AUT-22', {
        claim: 'an authorization request with an empty code_challenge is not granted',
        reading: NOT_GRANTED,
        tags: ['security'],
      }),
    },
  ),
  'If the values are not equal, an error response indicating "invalid_grant"': ofStandard(
    'RFC 7636 §4.6',
    'Server Verifies code_verifier before Returning the Tokens',
    {
      challengeIsComparedExactly: must('AUT-44', {
        claim: 'a code_challenge with one other character is not verified by the code_verifier',
        reading: `The code_challenge differs in one character, in the case of one letter, or lacks its last characters. ${NOT_GRANTED}`,
        tags: ['security'],
      }),
    },
  ),
  'MUST return the authorization error response with the "error" value set to "invalid_request"': ofStandard(
    'RFC 7636 §4.4.1',
    'Error Response',
    {
      missingChallengeIsRefusedAtOnce: should('AUT-25', {
        claim: 'an authorization request without a code_challenge is refused by the authorization endpoint',
        reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
        tags: ['refusal-form'],
      }),
    },
  ),
  'MUST return the authorization error response with "error" value set to "invalid_request"': ofStandard(
    'RFC 7636 §4.4.1',
    'Error Response',
    {
      plainMethodIsRefusedAtOnce: should('AUT-26', {
        claim:
          'an authorization request with the code_challenge_method plain is refused by the authorization endpoint',
        reading: 'The form of a refusal is not shown, hence no more than a SHOULD.',
        tags: ['refusal-form'],
      }),
    },
  ),
  'If an authorization request is missing the "response_type" parameter, or if the response type is not understood, the authorization server MUST return an error response':
    ofStandard('RFC 6749 §3.1.1', 'Response Type', {
      missingResponseTypeIsRefused: must('AUT-27', {
        claim: 'an authorization request without a response_type is refused',
        reading: NO_CODE,
      }),
      unknownResponseTypeIsRefused: must('AUT-28', {
        claim: 'an authorization request with another response_type than code is refused',
        reading: NO_CODE,
      }),
    }),
  'The authorization server does not support obtaining an authorization code using this method.': ofStandard(
    'RFC 6749 §4.1.2.1',
    'Error Response, unsupported_response_type',
    {
      unknownResponseTypeIsNamed: should('AUT-30', {
        claim: 'an undefined response_type is reported as unsupported_response_type',
        reading: `The form of a refusal is not shown, hence no more than a SHOULD. ${REDIRECTED}`,
        tags: ['refusal-form'],
      }),
    },
  ),
  'The authorization server validates the request to ensure that all required parameters are present and valid.':
    ofStandard('RFC 6749 §4.1.1', 'Authorization Request', {
      unknownClientIsRefused: must('AUT-31', {
        claim: 'an authorization request of an unknown client is refused',
        reading: `The client_id is one of the required parameters, and one that the bank has not issued is not valid. It is a random one, or a known one with one character more or less. ${NO_CODE}`,
        tags: ['security'],
      }),
    }),
  'If the request fails due to a missing, invalid, or mismatching redirection URI, or if the client identifier is missing or invalid, the authorization server SHOULD inform the resource owner of the error and MUST NOT automatically redirect the user-agent to the invalid redirection URI.':
    ofStandard('RFC 6749 §4.1.2.1', 'Error Response', {
      unknownClientIsNotRedirected: must('AUT-32', {
        claim: 'the browser is not redirected for an unknown client',
        reading: 'No redirect URI is registered for an unknown client, so that any redirect URI is invalid.',
        tags: ['security'],
      }),
      missingClientIsNotRedirected: must('AUT-34', {
        claim: 'the browser is not redirected for a request without a client_id',
        tags: ['security'],
      }),
      unregisteredRedirectUriIsNotRedirectedTo: must('AUT-36', {
        claim: 'the browser is never redirected to a redirect URI that is not registered',
        reading: 'Judged for grants, denials, and requests with a second fault.',
        tags: ['security'],
      }),
    }),
  'client_id REQUIRED. The client identifier as described in Section 2.2.': ofStandard(
    'RFC 6749 §4.1.1',
    'Authorization Request',
    {
      missingClientIsRefused: must('AUT-33', {
        claim: 'an authorization request without a client_id is refused',
        reading: NO_CODE,
      }),
    },
  ),
  'the authorization server MUST compare and match the value received against at least one of the registered redirection URIs':
    ofStandard('RFC 6749 §3.1.2.3', 'Dynamic Configuration', {
      unregisteredRedirectUriIsRefused: must('AUT-35', {
        claim: 'an authorization request with a redirect URI on a foreign host is refused',
        reading: NO_CODE,
        tags: ['security'],
      }),
    }),
  'the authorization server MUST compare the two URIs using simple string comparison as defined in [RFC3986] Section 6.2.1.':
    ofStandard('RFC 6749 §3.1.2.3', 'Dynamic Configuration', {
      redirectUriIsComparedToTheLetter: must('AUT-37', {
        claim: 'a redirect URI that only resembles the registered one is refused',
        reading: `Another path (longer, shorter, in another case, with a slash at its end), another query (one more parameter, another order), userinfo, another port, or a fragment. The profile states whole registered URIs. The port of a loopback address is never varied. ${NO_CODE}`,
        tags: ['security'],
      }),
      redirectUriIsNotNormalized: must('AUT-43', {
        claim: 'a redirect URI is refused if it is spelled otherwise than the registered one',
        reading: `The scheme, or the host, is in another case, or a character of the path is percent-encoded. Such a URI leads to the same address, but it is another string (RFC 9700 §2.1: exact string matching). ${NO_CODE}`,
        tags: ['security'],
      }),
    }),
  "Authorization servers that redirect a request that potentially contains the user's credentials therefore MUST NOT use the HTTP 307 status code for redirection.":
    ofStandard('RFC 9700 §4.12', '307 Redirect', {
      redirectRepeatsNoRequest: should('AUT-42', {
        claim:
          'a redirect to the application does not have the browser repeat the form that the user has sent',
        reading: `The status 308 has the same effect. RFC 9700 is best practice that the interface does not name, hence a SHOULD. ${REDIRECTED}`,
        tags: ['security'],
      }),
    }),
  'Authorization servers MUST prevent clickjacking attacks.': ofStandard('RFC 9700 §4.16', 'Clickjacking', {
    pageCannotBeFramed: should('AUT-46', {
      claim: 'no other site can show the first page of an authorization within a frame',
      reading:
        'By X-Frame-Options or by frame-ancestors of a Content-Security-Policy. The pages after the first one are not judged; a page with a script may leave the frame by itself, and is not judged either. RFC 9700 is best practice that the interface does not name, hence a SHOULD.',
      tags: ['security'],
    }),
  }),
})

export default chapterRows('authorization', AUT)
