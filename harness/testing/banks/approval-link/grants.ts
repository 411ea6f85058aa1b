import { createHash } from 'node:crypto'
import type { Application, Customer } from './seed-data.ts'
import type { Clock } from './time.ts'
import {
  BASIC,
  type Call,
  basicApplication,
  fault,
  formOf,
  isForm,
  randomId,
  randomToken,
  repeated,
  sameText,
} from './wire.ts'

/** Consents, codes and tokens of one environment, and its token endpoint (RFC 6749, RFC 7636). */

const TOKEN_SECONDS = 90 * 86_400
const CODE_SECONDS = 600

/** What a customer has granted to an application once. */
export interface Grant {
  application: Application
  customer: Customer
  scope: string
  revoked: boolean
}

interface Code {
  grant: Grant
  redirect: string
  challenge: string
  until: number
  used: boolean
}

interface Token {
  grant: Grant
  until: number
}

const oauthError = (
  call: Call,
  status: 400 | 401 | 405,
  error: string,
  error_description: string,
  headers: Record<string, string> = {},
): Response => call.json({ error, error_description }, status, { Pragma: 'no-cache', ...headers })

const PARAMETERS =
  'grant_type code redirect_uri code_verifier scope refresh_token client_id client_secret'.split(' ')

export class Grants {
  readonly #consents = new Map<string, Application>()
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Token>()
  readonly #refresh = new Map<string, Token>()

  constructor(readonly clock: Clock) {}

  /** POST /v1/consents. */
  consent(call: Call): Response {
    const application = basicApplication(call)
    if (application === undefined)
      return fault(call, 401, 'unauthorized', 'The application is unknown or its secret is wrong.', BASIC)
    if (application.kind !== 'TPP') return fault(call, 403, 'forbidden', 'A FAC has no consents.')
    if ((call.req.header('x-request-id') ?? '') === '')
      return fault(call, 400, 'request_id', 'X-Request-ID is missing.')
    const consentId = randomId()
    this.#consents.set(consentId, application)
    return call.json({ consent: { consentId } }, 201)
  }

  mayAsk(application: Application, scope: string): boolean {
    if (application.kind === 'FAC') return scope === 'PREMIUM_AIS'
    const id = /^PREMIUM_AIS:(.+)$/.exec(scope)?.[1]
    return id !== undefined && this.#consents.get(id) === application
  }

  code(grant: Grant, redirect: string, challenge: string): string {
    const code = randomToken()
    const until = this.clock.now() + CODE_SECONDS * 1000
    this.#codes.set(code, { grant, redirect, challenge, until, used: false })
    return code
  }

  /** The grant of the Bearer token of a call, or the refusal of the call. */
  bearer(call: Call): Grant | Response {
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(call.req.header('authorization') ?? '')?.[1]
    if (token === undefined)
      return fault(call, 401, 'unauthorized', 'A Bearer token is missing.', {
        'WWW-Authenticate': 'Bearer realm="lock"',
      })
    const known = this.#access.get(token)
    if (known !== undefined && this.#isValid(known)) return known.grant
    return fault(call, 401, 'unauthorized', 'The token is unknown, expired or revoked.', {
      'WWW-Authenticate': 'Bearer realm="lock", error="invalid_token"',
    })
  }

  /** The customer takes back the grant of an access token. @returns false if there is no such token. */
  revoke(token: string): boolean {
    const known = this.#access.get(token)
    if (known !== undefined) known.grant.revoked = true
    return known !== undefined
  }

  /** POST of the token endpoint. */
  async token(call: Call): Promise<Response> {
    const form = await formOf(call)
    const application = basicApplication(call)
    if (application === undefined)
      return oauthError(call, 401, 'invalid_client', 'HTTP Basic names no known application.', BASIC)
    if (!isForm(call)) return oauthError(call, 400, 'invalid_request', 'The body is not a form.')
    const [twice] = repeated(form, PARAMETERS)
    if (twice !== undefined)
      return oauthError(call, 400, 'invalid_request', `${twice} occurs more than once.`)
    // Two ways of authentication in one request are forbidden by RFC 6749, section 2.3.
    if (form.has('client_secret') || (form.get('client_id') ?? application.id) !== application.id)
      return oauthError(call, 400, 'invalid_request', 'The application authenticates with HTTP Basic alone.')
    switch (form.get('grant_type') ?? '') {
      case 'authorization_code':
        return this.#exchange(call, application, form)
      case 'refresh_token':
        return this.#renew(call, application, form)
      case '':
        return oauthError(call, 400, 'invalid_request', 'grant_type is missing.')
      default:
        return oauthError(call, 400, 'unsupported_grant_type', 'Only codes and refresh tokens are taken.')
    }
  }

  #exchange(call: Call, application: Application, form: URLSearchParams): Response {
    const [text, redirect, verifier] = ['code', 'redirect_uri', 'code_verifier'].map(
      (name) => form.get(name) ?? '',
    )
    if (!text || !redirect || !verifier)
      return oauthError(call, 400, 'invalid_request', 'code, redirect_uri or code_verifier is missing.')
    const code = this.#codes.get(text)
    if (code?.grant.application !== application)
      return oauthError(call, 400, 'invalid_grant', 'The code is unknown.')
    if (code.used) {
      // A code that comes twice was stolen, perhaps: its tokens end as well (RFC 6749, section 4.1.2).
      code.grant.revoked = true
      return oauthError(call, 400, 'invalid_grant', 'The code was used before.')
    }
    if (this.clock.now() >= code.until) return oauthError(call, 400, 'invalid_grant', 'The code has expired.')
    if (redirect !== code.redirect)
      return oauthError(call, 400, 'invalid_grant', 'The code was sent to another redirect URI.')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (!/^[\w.~-]{43,128}$/.test(verifier) || !sameText(challenge, code.challenge))
      return oauthError(call, 400, 'invalid_grant', 'code_verifier does not fit to the code.')
    if (isOtherScope(form, code.grant))
      return oauthError(call, 400, 'invalid_scope', 'The code was granted for another scope.')
    code.used = true
    return this.#issued(call, code.grant)
  }

  #renew(call: Call, application: Application, form: URLSearchParams): Response {
    const text = form.get('refresh_token') ?? ''
    if (text === '') return oauthError(call, 400, 'invalid_request', 'refresh_token is missing.')
    const token = this.#refresh.get(text)
    if (token?.grant.application !== application || !this.#isValid(token))
      return oauthError(call, 400, 'invalid_grant', 'The token is unknown, used, expired or revoked.')
    if (isOtherScope(form, token.grant))
      return oauthError(call, 400, 'invalid_scope', 'The token was granted for another scope.')
    this.#refresh.delete(text)
    return this.#issued(call, token.grant)
  }

  #isValid({ grant, until }: Token): boolean {
    return !grant.revoked && this.clock.now() < until
  }

  #issued(call: Call, grant: Grant): Response {
    const [access, refresh] = [randomToken(), randomToken()]
    const token = { grant, until: this.clock.now() + TOKEN_SECONDS * 1000 }
    this.#access.set(access, token)
    this.#refresh.set(refresh, token)
    return call.json(
      {
        access_token: access,
        token_type: 'Bearer',
        expires_in: TOKEN_SECONDS,
        renewal: refresh,
        scope: grant.scope,
      },
      200,
      { Pragma: 'no-cache' },
    )
  }
}

const isOtherScope = (form: URLSearchParams, grant: Grant): boolean => {
  const scope = form.get('scope') ?? ''
  return scope !== '' && scope !== grant.scope
}

export const methodOfToken = (call: Call): Response =>
  oauthError(call, 405, 'invalid_request', 'Only POST is possible here.', { Allow: 'POST' })
