import { createHash, randomBytes } from 'node:crypto'
import type { Context, Handler } from 'hono'
import type { Clock } from './clock.ts'
import {
  BASIC_CHALLENGE,
  Refusal,
  basicApplication,
  bearerChallenge,
  parametersOf,
  problem,
  sameText,
} from './http.ts'
import type { Application } from './seed.ts'

/** What an application may do. All tokens that come from one authorization share it. */
export interface Grant {
  application: Application
  scope: string
  customer?: string
  consentId?: string
  orderId?: string
  revoked: boolean
}

export interface AuthorizationRequest {
  application: Application
  redirectUri: string
  challenge: string
}

interface Issued {
  grant: Grant
  expiresAt: number
}

interface Code extends Issued {
  request: AuthorizationRequest
  used: boolean
}

export type TokenResponse = Record<string, string | number>

export const oauthError = (error: string, description: string, status: 400 | 401 = 400): Refusal =>
  new Refusal(
    status,
    'application/json',
    { error, error_description: description },
    status === 401 ? BASIC_CHALLENGE : {},
  )

const CODE_SECONDS = 300

const random = (): string => randomBytes(32).toString('base64url')

export class Tokens {
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Issued>()
  readonly #refresh = new Map<string, Issued>()
  readonly #clock: Clock
  readonly #lifetimeSeconds: number

  constructor(clock: Clock, lifetimeSeconds: number) {
    this.#clock = clock
    this.#lifetimeSeconds = lifetimeSeconds
  }

  #issued(grant: Grant, seconds: number): Issued {
    return { grant, expiresAt: this.#clock.now() + seconds * 1000 }
  }

  #isValid(issued: Issued | undefined): issued is Issued {
    return issued !== undefined && !issued.grant.revoked && this.#clock.now() < issued.expiresAt
  }

  issueCode(request: AuthorizationRequest, grant: Grant): string {
    const code = random()
    this.#codes.set(code, { ...this.#issued(grant, CODE_SECONDS), request, used: false })
    return code
  }

  issue(grant: Grant, { renewable }: { renewable: boolean }): TokenResponse {
    const accessToken = random()
    const refreshToken = random()
    this.#access.set(accessToken, this.#issued(grant, this.#lifetimeSeconds))
    if (renewable) this.#refresh.set(refreshToken, this.#issued(grant, this.#lifetimeSeconds))
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: this.#lifetimeSeconds,
      ...(renewable && { refresh_token: refreshToken }),
      scope: grant.scope,
    }
  }

  /** Exchanges a code. What refuses the exchange leaves the code usable. */
  exchange(application: Application, form: ReadonlyMap<string, string>): TokenResponse {
    const code = this.#codes.get(required(form, 'code'))
    const redirectUri = required(form, 'redirect_uri')
    const verifier = required(form, 'code_verifier')
    if (code?.request.application !== application) throw oauthError('invalid_grant', 'The code is unknown.')
    if (code.used) {
      // A code that comes twice may have been stolen, so that its tokens end (RFC 6749, 4.1.2).
      code.grant.revoked = true
      throw oauthError('invalid_grant', 'The code has been used.')
    }
    if (!this.#isValid(code)) throw oauthError('invalid_grant', 'The code has expired.')
    if (redirectUri !== code.request.redirectUri) {
      throw oauthError('invalid_grant', 'The redirect_uri is not the one of the authorization.')
    }
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier) || !sameText(challenge, code.request.challenge)) {
      throw oauthError('invalid_grant', 'The code_verifier does not match.')
    }
    sameScope(form, code.grant)
    code.used = true
    return this.issue(code.grant, { renewable: true })
  }

  /** Renews a grant. The refresh token is replaced. */
  refresh(application: Application, form: ReadonlyMap<string, string>): TokenResponse {
    const token = required(form, 'refresh_token')
    const issued = this.#refresh.get(token)
    if (!this.#isValid(issued) || issued.grant.application !== application) {
      throw oauthError('invalid_grant', 'The refresh token is unknown, used, revoked or expired.')
    }
    sameScope(form, issued.grant)
    this.#refresh.delete(token)
    return this.issue(issued.grant, { renewable: true })
  }

  /** The grant of the Bearer token of a call: 401 if it is not valid, 403 if it is for something else. */
  grantOf(c: Context, allows: (grant: Grant) => boolean): Grant {
    const header = c.req.header('authorization') ?? ''
    if (!/^Bearer /i.test(header)) {
      throw problem(401, 'TOKEN_MISSING', 'A Bearer token is needed.', bearerChallenge())
    }
    const issued = this.#access.get(header.slice('Bearer '.length))
    if (!this.#isValid(issued)) {
      throw problem(
        401,
        'TOKEN_INVALID',
        'The token is unknown, revoked or expired.',
        bearerChallenge('invalid_token'),
      )
    }
    if (!allows(issued.grant)) {
      throw problem(
        403,
        'SCOPE_INSUFFICIENT',
        'The token is for another operation.',
        bearerChallenge('insufficient_scope'),
      )
    }
    return issued.grant
  }

  /** The customer takes back what a token stands for; false if the token is not one of these. */
  revoke(token: string): boolean {
    const issued = this.#access.get(token) ?? this.#refresh.get(token)
    if (issued === undefined) return false
    issued.grant.revoked = true
    return true
  }
}

function required(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw oauthError('invalid_request', `${name} is missing.`)
  return value
}

function sameScope(form: ReadonlyMap<string, string>, grant: Grant): void {
  if ((form.get('scope') ?? grant.scope) !== grant.scope) {
    throw oauthError('invalid_scope', 'The scope is not the authorized one.')
  }
}

type GrantType = (application: Application, form: ReadonlyMap<string, string>) => TokenResponse

export const tokenEndpoint =
  (grantTypes: Readonly<Record<string, GrantType>>): Handler =>
  async (c) => {
    const application = basicApplication(c)
    if (application === undefined) {
      throw oauthError('invalid_client', 'HTTP Basic with the id and the secret is needed.', 401)
    }
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
      throw oauthError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
    }
    const { values, repeated } = parametersOf(new URLSearchParams(await c.req.text()))
    if (repeated.size > 0) throw oauthError('invalid_request', 'A parameter came more than once.')
    if (values.has('client_secret') || (values.get('client_id') ?? application.id) !== application.id) {
      throw oauthError('invalid_request', 'The application must authenticate with HTTP Basic alone.')
    }
    const name = required(values, 'grant_type')
    const grantType = Object.hasOwn(grantTypes, name) ? grantTypes[name] : undefined
    if (grantType === undefined) throw oauthError('unsupported_grant_type', 'The grant_type is unknown.')
    return c.json(grantType(application, values), 200, { pragma: 'no-cache' })
  }
