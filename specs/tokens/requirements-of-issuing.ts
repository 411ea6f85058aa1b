import { must, should } from '../../harness/check/requirement.ts'

const EXCHANGE = 'Endpoints, Consent and authorization, POST /auth/oauth/v2/token (code exchange)'
const ANSWER = 'Resources and their fields, Token response'

/** Sentences that more than one row quotes. */
const NOT_TO_BE_GUESSED = {
  quote:
    'The authorization server MUST prevent attackers from guessing access tokens, authorization codes, refresh tokens, resource owner passwords, and client credentials.',
  place: 'Credentials-Guessing Attacks',
  source: 'RFC 6749 §10.10',
}

/** What the token endpoint hands out, and in which form. */
export const ISSUING = {
  codeIsExchangedForAnAccessToken: must('TOK-01', {
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
    reading: 'The name of the field is undisclosed: the profile says it, by default refresh_token.',
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
  expiresInIsGiven: should('TOK-06', {
    claim: 'the token answer says expires_in',
    quote: 'RECOMMENDED. The lifetime in seconds of the access token.',
    place: 'Successful Response, expires_in',
    source: 'RFC 6749 §5.1',
    reading: 'OAuth 2.0 lets a bank leave it out where the lifetime is documented, and 90 days are.',
  }),
  expiresInIsAnInteger: must('TOK-07', {
    claim: 'expires_in is an integer',
    quote: '| expires_in | integer | Seconds.',
    place: `${ANSWER}, row expires_in`,
    reading: 'Judged on the raw JSON where the field is given: neither a string nor a fraction.',
  }),
  expiresInSaysNinetyDays: should('TOK-08', {
    claim: 'expires_in of a token just issued says 90 days',
    quote: 'The access token and the refresh token both expire 90 days after issue.',
    place: ANSWER,
    reading:
      '7776000 seconds, give or take an hour: what the answer took and a change to summer time decide nothing. A SHOULD: no value is given for the tokens of the account API.',
  }),
  scopeIsAString: must('TOK-09', {
    claim: 'scope is a string',
    quote: '| scope | string | For example PAY_LATER in the loan sandbox. |',
    place: `${ANSWER}, row scope`,
    reading:
      'Judged where the field is given: OAuth 2.0 makes it optional when the scope is the one asked for.',
  }),
  scopeIsNamedWhenItDiffers: should('TOK-10', {
    claim: 'the token answer names the scope when it is not the one asked for',
    quote: 'OPTIONAL, if identical to the scope requested by the client; otherwise, REQUIRED.',
    place: 'Successful Response, scope',
    source: 'RFC 6749 §5.1',
    reading:
      'Judged where a request with an unknown word in its scope is granted: the word cannot be, so the granted scope differs. A bank may say that it granted the unknown word as well, hence no more than a SHOULD.',
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
    reading: 'Other directives may stand beside it.',
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
      'The parameters stand in any order. Where the documented request is refused, the form is to blame if the same parameters are accepted as JSON.',
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
      'Where the documented request is refused, the scope is to blame if the request is accepted without it.',
  }),
  unrecognizedParameterIsIgnored: must('TOK-20', {
    claim: 'a token request with a parameter that nobody has defined is answered as if it were not there',
    quote: 'The authorization server MUST ignore unrecognized request parameters.',
    place: 'Token Endpoint',
    source: 'RFC 6749 §3.2',
  }),
  basicAuthenticationIsAccepted: must('TOK-21', {
    claim: 'the token endpoint accepts the Basic header with client_id and secret',
    quote: 'Header Authorization: Basic <base64(client_id:secret)>.',
    place: EXCHANGE,
    reading:
      'The two values are joined as they are, without the form encoding of RFC 6749 §2.3.1. Judged of a second application as well. Where the documented request is refused, the header is to blame if the same credentials are accepted in the form.',
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
    claim: 'a token cannot be told from the tokens before it',
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
      'Length times the bits of one character of the alphabet in use: an upper bound, which says nothing of how random they are.',
    tags: ['security'],
  }),
} as const
