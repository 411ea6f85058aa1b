/** Consents, and the authorization by the customer: its OAuth endpoints for accounts, and the forms of all token endpoints. */
import type { ConsentStatus } from '../state.ts'
import {
  emptyAnswer,
  formBody,
  inHeader,
  inPath,
  inQuery,
  jsonAnswer,
  objectOf,
  pageAnswer,
  redirectAnswer,
  schemaRef,
  SOME_TEXT,
  theWord,
  wordOf,
  type Answers,
  type Operation,
  type Parameter,
  type Schemas,
  type Topic,
} from './parts.ts'
import { clientRefused, oauthClientRefused, oauthRefused, refused } from './refusals.ts'

/** A consent that its client has deleted is unknown, and no consent expires. */
const CONSENT_STATUSES = [
  'received',
  'valid',
  'rejected',
  'revokedByPsu',
] as const satisfies readonly ConsentStatus[]

const LIFETIME_IN_SECONDS = 90 * 24 * 60 * 60

const schemas: Schemas = {
  Consent: objectOf({
    consentId: { type: 'string', format: 'uuid' },
    consentStatus: wordOf(...CONSENT_STATUSES),
  }),
  CodeExchange: objectOf(
    {
      grant_type: theWord('authorization_code'),
      code: SOME_TEXT,
      redirect_uri: { type: 'string', format: 'uri' },
      code_verifier: { type: 'string', pattern: '^[A-Za-z0-9._~-]{43,128}$' },
    },
    { scope: SOME_TEXT },
  ),
  TokenRenewal: objectOf(
    { grant_type: theWord('refresh_token'), refresh_token: SOME_TEXT },
    { scope: SOME_TEXT },
  ),
  AccountTokens: objectOf({
    access_token: SOME_TEXT,
    token_type: theWord('Bearer'),
    expires_in: { type: 'integer', const: LIFETIME_IN_SECONDS },
    refresh_token: SOME_TEXT,
    scope: SOME_TEXT,
  }),
}

const required = (name: string, description: string, schema = {}): Parameter =>
  inQuery({ name, description, schema: { ...SOME_TEXT, ...schema } }, true)

/** @param scope the description of the scope of this API */
export const authorizationRequest = (scope: string): readonly Parameter[] => [
  required('client_id', 'The application.'),
  required('response_type', 'The grant.', { const: 'code' }),
  required('redirect_uri', 'A redirect URI that the application has registered.', { format: 'uri' }),
  required('scope', scope),
  inQuery({ name: 'state', description: 'The answer repeats it.' }),
  required('code_challenge', 'The SHA-256 digest of the code_verifier, as base64url.', {
    pattern: '^[A-Za-z0-9_-]{43}$',
  }),
  required('code_challenge_method', 'The method of PKCE.', { const: 'S256' }),
]

export const authorizationAnswers: Answers = {
  200: pageAnswer('The first page for the customer. The last one leads back to the redirect URI.'),
  302: redirectAnswer('The request was refused: the redirect URI gets error, error_description and state.'),
  400: pageAnswer('The client or the redirect URI is unknown, so that there is no redirect.'),
}

export const tokenRefusals: Answers = {
  400: oauthRefused(
    'The request was refused.',
    'invalid_request',
    'invalid_grant',
    'invalid_scope',
    'unsupported_grant_type',
  ),
  ...oauthClientRefused,
}

const REQUEST_ID = inHeader('X-Request-ID', 'The id of the request; the answer repeats it.', true)

const consentRefusals: Answers = {
  400: refused('The header X-Request-ID is missing.', 'INVALID_REQUEST'),
  ...clientRefused,
}

const CONSENT_ID = inPath('consentId', 'The id from the creation of the consent.')

const unknownConsent: Answers = {
  404: refused('The application has no such consent.', 'CONSENT_UNKNOWN'),
}

const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/consents',
    operationId: 'createConsent',
    summary: 'Create a consent, as a Third Party Provider',
    parameters: [REQUEST_ID],
    authorizedBy: ['client'],
    answers: {
      201: jsonAnswer('The consent is created.', schemaRef('Consent')),
      ...consentRefusals,
      403: refused('The application is not a Third Party Provider.', 'NO_CONTRACT'),
    },
  },
  {
    method: 'get',
    path: '/v1/consents/{consentId}',
    operationId: 'readConsent',
    summary: 'Read the status of a consent',
    parameters: [CONSENT_ID, REQUEST_ID],
    authorizedBy: ['client'],
    answers: {
      200: jsonAnswer('The consent.', schemaRef('Consent')),
      ...consentRefusals,
      ...unknownConsent,
    },
  },
  {
    method: 'delete',
    path: '/v1/consents/{consentId}',
    operationId: 'deleteConsent',
    summary: 'Delete a consent, with all access under it',
    parameters: [CONSENT_ID, REQUEST_ID],
    authorizedBy: ['client'],
    answers: { 204: emptyAnswer('The consent is deleted.'), ...consentRefusals, ...unknownConsent },
  },
  {
    method: 'get',
    path: '/auth/oauth/v2/authorize',
    operationId: 'authorize',
    summary: 'Ask the customer for access to accounts, in the browser',
    parameters: authorizationRequest(
      'PREMIUM_AIS for a Final Api Consumer; PREMIUM_AIS, a colon and the consentId for a Third Party Provider.',
    ),
    authorizedBy: [],
    answers: authorizationAnswers,
  },
  {
    method: 'post',
    path: '/auth/oauth/v2/token',
    operationId: 'issueTokens',
    summary: 'Exchange a code for tokens, or renew them',
    requestBody: formBody({ oneOf: [schemaRef('CodeExchange'), schemaRef('TokenRenewal')] }),
    authorizedBy: ['client'],
    answers: { 200: jsonAnswer('The tokens.', schemaRef('AccountTokens')), ...tokenRefusals },
  },
]

export const authorizationTopic: Topic = {
  api: 'accounts',
  tag: 'Consent and authorization',
  requestId: 'X-Request-ID',
  operations,
  schemas,
}
