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
import type { Defect } from '../../../harness/bank/defect.ts'

/** Faults in the answers to refused token requests. */

type Reason = FactsOf<'refusalStatus'>['error']

/** Whether a token request is refused for this reason, and with this beginning of its description. */
const isRefusedFor =
  (reason: Reason, beginning = '') =>
  (facts: Pick<FactsOf<'refusalBody'>, 'endpoint' | 'error'> & { readonly description?: string }): boolean =>
    facts.endpoint === 'token' && facts.error === reason && facts.description?.startsWith(beginning) !== false

const withStatus = (reason: Reason, refusalStatus: number) =>
  when(isRefusedFor(reason), alter({ refusalStatus }))

const withBody = (reason: Reason, body: (description: string) => unknown) =>
  when(isRefusedFor(reason), alter({ refusalBody: (_, { description }) => body(description) }))

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  when(isRefusedFor('invalid_client'), alter({ refusalHeaders: () => headers }))

const withError = (error: string, reason: Reason, beginning?: string) =>
  when(
    isRefusedFor(reason, beginning),
    alter({ refusalBody: (_, { description }) => ({ error, error_description: description }) }),
  )

const unknownRefreshToken = (error: string) =>
  withError(error, 'invalid_grant', 'The refresh token was not issued')

const FAILED_CLIENTS = [28, 29, 72, 73].map((number) => `TOK-${String(number)}`)

/** What judges refusals for a code, a code_verifier or a refresh token. */
const INVALID_GRANTS = [31, 32, 33, 34, 35, 36, 38, 40, 41, 42, 43, 44, 74, 75, 77, 90, 92].map(
  (number) => `TOK-${String(number)}`,
)

const statuses: readonly Defect[] = [
  ...defectsOf([TOK.wrongSecretIsRefused, ...FAILED_CLIENTS], {
    'A failed Basic authentication is always answered with 500': withStatus('invalid_client', 500),
  }),
  ...defectsOf(
    [TOK.wrongVerifierIsRefused, 'AUT-44', 'ENV-09', 'ENV-17', 'ENV-18', 'ENV-19', ...INVALID_GRANTS],
    {
      'An invalid code, code_verifier or refresh token is answered with 500': withStatus(
        'invalid_grant',
        500,
      ),
    },
  ),
  ...defectsOf([TOK.failedClientAuthenticationHasStatus401], {
    'A failed Basic authentication is answered with 403': withStatus('invalid_client', 403),
    'A failed Basic authentication is answered with 400': withStatus('invalid_client', 400),
  }),
  ...defectsOf([TOK.failedClientAuthenticationHasStatus401, TOK.refusedRequestHasTheStatusOfARefusal], {
    'A failed Basic authentication is answered with 200 and an error': withStatus('invalid_client', 200),
  }),
  ...defectsOf([TOK.failedClientAuthenticationIsChallenged], {
    'A failed Basic authentication is answered without a WWW-Authenticate header': withHeaders({}),
    'A failed Basic authentication is answered with a challenge of the scheme Bearer': withHeaders({
      'www-authenticate': 'Bearer realm="Basic"',
    }),
  }),
  ...defectsOf([TOK.refusalHasStatus400], {
    'An invalid code exchange is answered with 422': withStatus('invalid_grant', 422),
    'An invalid code exchange is answered with 401': withStatus('invalid_grant', 401),
    'An undefined grant_type is answered with 404': withStatus('unsupported_grant_type', 404),
  }),
  ...defectsOf([TOK.refusalHasStatus400, TOK.refusedRequestHasTheStatusOfARefusal], {
    'A token request without a required parameter is answered with 200 and an error': withStatus(
      'invalid_request',
      200,
    ),
    'An invalid code exchange of a TPP is answered with 200 and an error': when(
      hasScopeOfATpp,
      exchangeRefusal(({ members }) => (members.error === 'invalid_grant' ? { status: 200 } : undefined)),
    ),
  }),
]

const errors: readonly Defect[] = [
  ...defectsOf([TOK.refusalNamesAnError], {
    'A failed client authentication is answered with the members code and message': withBody(
      'invalid_client',
      (message) => ({ code: 'CLIENT_UNKNOWN', message }),
    ),
    'A token request without a required parameter is answered with a JSON string': withBody(
      'invalid_request',
      (message) => message,
    ),
    'The refused code exchange of a TPP is answered with a page': when(
      hasScopeOfATpp,
      exchangeRefusal({
        headers: { 'content-type': 'text/html;charset=UTF-8' },
        text: '<!doctype html><title>Refused</title><p>The request was refused.</p>',
      }),
    ),
    'The error of an undefined grant_type is a number': withBody('unsupported_grant_type', (message) => ({
      error: 17,
      error_description: message,
    })),
  }),
  ...defectsOf([TOK.invalidCodeIsAnInvalidGrant], {
    'The error of a wrong code_verifier is invalid_request': withError(
      'invalid_request',
      'invalid_grant',
      'The code_verifier',
    ),
    'The error of another redirect_uri is invalid_redirect_uri': withError(
      'invalid_redirect_uri',
      'invalid_grant',
      'The redirect_uri',
    ),
    'The error of a code that was used is access_denied': withError(
      'access_denied',
      'invalid_grant',
      'The code has been used before.',
    ),
    'The error of a code that has expired is expired_code': withError(
      'expired_code',
      'invalid_grant',
      'The code has expired.',
    ),
  }),
  ...defectsOf([TOK.failedClientAuthenticationIsAnInvalidClient], {
    'The error of a failed client authentication is unauthorized_client': withError(
      'unauthorized_client',
      'invalid_client',
    ),
    'The error of a code exchange without client authentication is invalid_request': withError(
      'invalid_request',
      'invalid_client',
      'The request carries no client credentials.',
    ),
  }),
  ...defectsOf([TOK.unknownGrantTypeIsUnsupported], {
    'The error of an undefined grant_type is invalid_request': withError(
      'invalid_request',
      'unsupported_grant_type',
    ),
  }),
  ...defectsOf([TOK.missingParameterIsAnInvalidRequest], {
    'The error of a code exchange without a code is invalid_grant': withError(
      'invalid_grant',
      'invalid_request',
      'The parameter code is missing.',
    ),
    'The error of a token request without a grant_type is unsupported_grant_type': withError(
      'unsupported_grant_type',
      'invalid_request',
      'The parameter grant_type is missing.',
    ),
  }),
  ...defectsOf([TOK.invalidRefreshTokenIsAnInvalidGrant], {
    'The error of an unknown refresh token is invalid_request': unknownRefreshToken('invalid_request'),
    'The error of an unknown refresh token is invalid_token': unknownRefreshToken('invalid_token'),
  }),
]

/** Adds a part of the request to the description of each refusal. */
const repeat = (partOf: (asked: Incoming) => string) =>
  exchangeRefusal(({ members }, asked) => ({
    json: { ...members, error_description: `${String(members.error_description)} ${partOf(asked)}` },
  }))

const repetitions = defectsOf([TOK.refusalRepeatsNoSecret], {
  'The description of an error contains the code': repeat(({ form }) => form.get('code') ?? 'none'),
  'The description of an error contains the code_verifier of a TPP': when(
    hasScopeOfATpp,
    repeat(({ form }) => form.get('code_verifier') ?? 'none'),
  ),
  'The description of an error contains the Basic header': repeat(
    ({ headers }) => headers.get('authorization') ?? 'none',
  ),
  'In production the description of an error contains the client secret': when(
    production,
    repeat(({ headers }) => basicIn(headers).join(' / ')),
  ),
  'A header of a refusal contains the form': exchangeRefusal((_, { form }) => ({
    headers: { 'x-request': form.toString() },
  })),
})

export const refusalDefects: readonly Defect[] = [...statuses, ...errors, ...repetitions]
