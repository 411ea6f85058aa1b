import { challengeOf } from '../pkce.ts'
import { basic, FORM_HEADER, type Fields, type HttpRequest } from '../http/request.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'
import type { Random } from '../random.ts'

/** The two requests of the code flow: of the authorization, and at the token endpoint (RFC 6749 §4.1, RFC 7636). */

interface CodeRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly state: string
  readonly verifier: string
}

export const freshState = (random: Random): string => random.bytes(12).toString('base64url')

export const codeQuery = ({ clientId, redirectUri, scope, state, verifier }: CodeRequest): URLSearchParams =>
  new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })

export const codeForm = (
  code: string,
  { scope, verifier, redirectUri }: Pick<CodeRequest, 'scope' | 'verifier' | 'redirectUri'>,
): Fields => [
  ['grant_type', 'authorization_code'],
  ['code', code],
  ['scope', scope],
  ['code_verifier', verifier],
  ['redirect_uri', redirectUri],
]

interface TokenRequest {
  readonly operation: 'token' | 'loanToken'
  readonly url: string
  readonly form: Fields
  readonly application: Pick<ApplicationProfile, 'clientId' | 'clientSecret'>
  /** Where the credentials of the application are sent: in the Authorization header, or in the form. */
  readonly credentials?: 'basic' | 'form'
}

export const tokenRequest = (request: TokenRequest): HttpRequest => {
  const { operation, url, form, credentials = 'basic' } = request
  const { clientId, clientSecret } = request.application
  const common = { operation, sender: 'scenario', method: 'POST', url } as const
  if (credentials === 'basic')
    return { ...common, headers: [FORM_HEADER, ['Authorization', basic(clientId, clientSecret)]], form }
  const own: Fields = [
    ['client_id', clientId],
    ['client_secret', clientSecret],
  ]
  return { ...common, headers: [FORM_HEADER], form: [...form, ...own] }
}
