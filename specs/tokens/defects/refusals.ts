import {
  alter,
  basicIn,
  defectsOf,
  hasScopeOfATpp,
  production,
  when,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { exchangeRefusal } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Faults in the answers to refused token requests. */

type Reason = FactsOf<'refusalStatus'>['error']
type Refusal = Pick<FactsOf<'refusalBody'>, 'endpoint' | 'error'> & { readonly description?: string }

/** Whether a token request is refused for this reason, or with a description that begins so. */
const isRefusedFor =
  (reason: string) =>
  ({ endpoint, error, description }: Refusal): boolean =>
    endpoint === 'token' && (error === reason || description?.startsWith(reason) === true)

const withStatus = (reason: Reason, refusalStatus: number) =>
  when(isRefusedFor(reason), alter({ refusalStatus }))

const withBody = (reason: string, body: (description: string) => unknown) =>
  when(isRefusedFor(reason), alter({ refusalBody: (_, { description }) => body(description) }))

const withError = (reason: string, error: unknown) =>
  withBody(reason, (description) => ({ error, error_description: description }))

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  when(isRefusedFor('invalid_client'), alter({ refusalHeaders: headers }))

/** What judges the refusal of clients, and that of codes, verifiers and refresh tokens. */
const CLIENTS = [28, 29, 72, 73].map((number) => `TOK-${number}`)
const GRANTS = [31, 32, 33, 34, 35, 36, 38, 40, 41, 42, 43, 44, 74, 75, 77, 90, 92].map(
  (number) => `TOK-${number}`,
)

const statuses = [
  ...defectsOf([TOK.wrongSecretIsRefused, ...CLIENTS], {
    'The refusal of a client always has the status 500': withStatus('invalid_client', 500),
  }),
  ...defectsOf([TOK.wrongVerifierIsRefused, 'AUT-44', 'ENV-09', 'ENV-17', 'ENV-18', 'ENV-19', ...GRANTS], {
    'An invalid code, code_verifier or refresh token is answered with 500': withStatus('invalid_grant', 500),
  }),
  ...defectsOf([TOK.failedClientAuthenticationHasStatus401], {
    'The refusal of a client has the status 403': withStatus('invalid_client', 403),
    'The refusal of a client has the status 400': withStatus('invalid_client', 400),
  }),
  ...defectsOf([TOK.failedClientAuthenticationHasStatus401, TOK.refusedRequestHasTheStatusOfARefusal], {
    'The refusal of a client has the status 200': withStatus('invalid_client', 200),
  }),
  ...defectsOf([TOK.failedClientAuthenticationIsChallenged], {
    'The refusal of a client has no WWW-Authenticate header': withHeaders({}),
    'The refusal of a client has a challenge of the scheme Bearer': withHeaders({
      'www-authenticate': 'Bearer realm="Basic"',
    }),
  }),
  ...defectsOf([TOK.refusalHasStatus400], {
    'An invalid code exchange is answered with 422': withStatus('invalid_grant', 422),
    'An invalid code exchange is answered with 401': withStatus('invalid_grant', 401),
    'An undefined grant_type is answered with 404': withStatus('unsupported_grant_type', 404),
  }),
  ...defectsOf([TOK.refusalHasStatus400, TOK.refusedRequestHasTheStatusOfARefusal], {
    'The refusal for a missing parameter has the status 200': withStatus('invalid_request', 200),
    'An invalid code exchange of a TPP is answered with 200 and an error': when(
      hasScopeOfATpp,
      exchangeRefusal(({ members }) => (members.error === 'invalid_grant' ? { status: 200 } : undefined)),
    ),
  }),
]

const NO_CREDENTIALS = 'The request carries no client credentials.'
const UNKNOWN_TOKEN = 'The refresh token was not issued'

const errors = [
  ...defectsOf([TOK.refusalNamesAnError], {
    'The refusal of a client has the members code and message': withBody('invalid_client', (message) => ({
      code: 'CLIENT_UNKNOWN',
      message,
    })),
    'The refusal for a missing parameter is a JSON string': withBody('invalid_request', (message) => message),
    'The refused code exchange of a TPP is answered with a page': when(
      hasScopeOfATpp,
      exchangeRefusal({
        headers: { 'content-type': 'text/html;charset=UTF-8' },
        text: '<!doctype html><title>Refused</title><p>The request was refused.</p>',
      }),
    ),
    'The error of an undefined grant_type is a number': withError('unsupported_grant_type', 17),
  }),
  ...defectsOf([TOK.invalidCodeIsAnInvalidGrant], {
    'The error of a wrong code_verifier is invalid_request': withError(
      'The code_verifier',
      'invalid_request',
    ),
    'The error of another redirect_uri is its own': withError('The redirect_uri', 'invalid_redirect_uri'),
    'The error of a used code is access_denied': withError('The code has been used', 'access_denied'),
    'The error of an expired code is expired_code': withError('The code has expired', 'expired_code'),
  }),
  ...defectsOf([TOK.failedClientAuthenticationIsAnInvalidClient], {
    'The error of a refused client is unauthorized_client': withError(
      'invalid_client',
      'unauthorized_client',
    ),
    'The error of missing credentials is invalid_request': withError(NO_CREDENTIALS, 'invalid_request'),
  }),
  ...defectsOf([TOK.unknownGrantTypeIsUnsupported], {
    'The error of an undefined grant_type is wrong': withError('unsupported_grant_type', 'invalid_request'),
  }),
  ...defectsOf([TOK.missingParameterIsAnInvalidRequest], {
    'The error of a missing code is invalid_grant': withError(
      'The parameter code is missing',
      'invalid_grant',
    ),
    'The error of a missing grant_type is unsupported_grant_type': withError(
      'The parameter grant_type is missing',
      'unsupported_grant_type',
    ),
  }),
  ...defectsOf([TOK.invalidRefreshTokenIsAnInvalidGrant], {
    'The error of an unknown refresh token is invalid_request': withError(UNKNOWN_TOKEN, 'invalid_request'),
    'The error of an unknown refresh token is invalid_token': withError(UNKNOWN_TOKEN, 'invalid_token'),
  }),
]

/** Adds a part of the request to the description of each refusal. */
const repeat = (partOf: (asked: Incoming) => string | null) =>
  exchangeRefusal(({ members }, asked) => ({
    json: { ...members, error_description: [members.error_description, partOf(asked)].join(' ') },
  }))

const repeatVerifier = repeat(({ form }) => form.get('code_verifier'))
const repeatSecret = repeat(({ headers }) => basicIn(headers).join(' / '))

const repetitions = defectsOf([TOK.refusalRepeatsNoSecret], {
  'A refusal contains the code': repeat(({ form }) => form.get('code')),
  'The refusal of a TPP contains its code_verifier': when(hasScopeOfATpp, repeatVerifier),
  'A refusal contains the Basic header': repeat(({ headers }) => headers.get('authorization')),
  'In production a refusal contains the client secret': when(production, repeatSecret),
  'A header of a refusal contains the form': exchangeRefusal((_, { form }) => ({
    headers: { 'x-request': form.toString() },
  })),
})

export const refusalDefects = [...statuses, ...errors, ...repetitions]
