import { may, must, should } from '../../harness/check/requirement.ts'

const REFRESH = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (refresh)'
const VALIDITY = 'States and transitions, Token and consent validity'

const REFUSED = 'Refused: the answer carries no token; its status and body are undisclosed.'
const TAMPERED =
  'Made up, or a valid one that was changed, cut short or made longer, never in a way that a decoder may overlook: the last bits of an encoded token may carry nothing.'
const DAYS =
  'A day is 24 hours; judged an hour and a minute before the end of the 90 days and as long after it, so that a change to summer time decides nothing.'
const FORM =
  'The form of a refusal other than that of a revoked or expired token is undisclosed, hence no more than a SHOULD.'

/** Sentences that more than one row quotes. */
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

/** How tokens are used, renewed, and how they end. */
export const RENEWING = {
  bearerTokenIsAccepted: must('TOK-59', {
    claim: 'an access token in the Bearer header opens the list of accounts',
    ...BEARER_IS_NEEDED,
  }),
  missingTokenIsRefused: must('TOK-60', {
    claim: 'a data call without a token is refused',
    ...BEARER_IS_NEEDED,
    reading:
      'Refused: no accounts are listed. Neither the word Bearer alone nor the Basic header of the client is an access token.',
    tags: ['security'],
  }),
  unknownTokenIsRefused: must('TOK-61', {
    claim: 'a data call with a token that the bank never issued is refused',
    ...BEARER_IS_NEEDED,
    reading: `${TAMPERED} Refused: no accounts are listed.`,
    tags: ['security', 'property'],
  }),
  codeIsNoAccessToken: must('TOK-62', {
    claim: 'a data call with a code in the place of the access token is refused',
    ...BEARER_IS_NEEDED,
    tags: ['security'],
  }),
  refreshTokenIsNoAccessToken: must('TOK-63', {
    claim: 'a data call with the refresh token in the place of the access token is refused',
    ...BEARER_IS_NEEDED,
    tags: ['security'],
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
    reading: 'The headers of a refusal are undisclosed, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  refreshGivesANewAccessToken: must('TOK-67', {
    claim: 'a refresh gives an access token that differs from the one before',
    ...REFRESH_GIVES_BOTH,
  }),
  refreshGivesANewRefreshToken: must('TOK-68', {
    claim: 'a refresh gives a refresh token that differs from the one before',
    ...REFRESH_GIVES_BOTH,
  }),
  refreshedAccessTokenIsAccepted: must('TOK-69', {
    claim: 'an access token that came of a refresh opens what the one before has opened',
    quote:
      '| token expired | token endpoint, refresh | refresh succeeds | token valid | a new access token and a new refresh token are issued. |',
    place: VALIDITY,
    reading: 'Judged of a refresh at once, of one after it, and of one after 90 days where that succeeds.',
  }),
  refreshedRefreshTokenIsAccepted: must('TOK-70', {
    claim: 'a refresh token that came of a refresh can be used for the next one',
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
    reading: `The request has no Authorization header; a client_id in the form proves nothing. ${REFUSED}`,
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
    claim: 'a refresh with the access token in the place of the refresh token is refused',
    quote: 'An expired access token is renewed at the token endpoint with the refresh token.',
    place: 'Authentication, 6',
    reading: REFUSED,
    tags: ['security'],
  }),
  refreshDoesNotWidenTheScope: must('TOK-78', {
    claim: 'a refresh with the scope of another consent brings no token for that consent',
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
    reading: 'The form of a refusal is undisclosed, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),

  accessTokenLivesNinetyDays: must('TOK-80', {
    claim: 'an access token is accepted until 90 days after its issue',
    ...NINETY_DAYS,
    reading: `A refresh in between is not made. ${DAYS}`,
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
    reading: `OAuth 2.0 sets no age that an access token must reach before it is renewed. A bank that renews expired ones alone shows by doing so later that the refresh token was good until then. ${DAYS}`,
    tags: ['time'],
  }),
  refreshAfterNinetyDaysGivesBothOrNone: must('TOK-84', {
    claim: 'a refresh more than 90 days after the issue gives two new tokens or none',
    quote: 'When that fails, a new authorization code grant is run using the existing consent.',
    place: 'Authentication, 6',
    reading:
      'Both tokens expire at the same time, yet an expired access token is renewed with the refresh token: so the refresh may succeed, and then both tokens are new, or fail.',
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
  refreshedTokenLivesFromItsOwnIssue: must('TOK-86', {
    claim: 'an access token that came of a refresh is accepted until 90 days after the refresh',
    ...NINETY_DAYS,
    reading: `The refresh is made well before the first token expires. ${DAYS}`,
    tags: ['time'],
  }),
  refreshedTokenEndsAfterNinetyDays: must('TOK-87', {
    claim: 'an access token that came of a refresh is refused once 90 days have passed since the refresh',
    quote: '| Access token and refresh token lifetime | 90 days | Account API tokens. |',
    place: 'Limits, row Access token and refresh token lifetime',
    reading: DAYS,
    tags: ['time', 'security'],
  }),
  revokedTokenIsRefused: must('TOK-88', {
    claim: 'an access token that the user has revoked is refused',
    ...REVOKED,
    reading:
      'Refused: no accounts are listed, and none after an attempt to refresh either. Judged where the target lets the user revoke.',
    tags: ['security'],
  }),
  revokedTokenHasStatus401: must('TOK-89', {
    claim: 'a data call with a revoked token is answered with the HTTP status 401',
    quote: 'HTTP 401 Unauthorized answers a call with a revoked or expired token.',
    place: 'Errors, 3',
  }),
  revocationEndsTheRefreshToken: should('TOK-90', {
    claim: 'the refresh token of a revoked access token gives no new tokens',
    ...REVOKED,
    reading:
      'The table has no way out of "token revoked"; that the refresh token ends too is not said, hence no more than a SHOULD.',
    tags: ['security'],
  }),
} as const
