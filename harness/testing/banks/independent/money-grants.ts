import { createHash } from 'node:crypto'
import type { Clock } from './money-data.ts'
import { type Client, clientOf, sameText, randomToken } from './money-data.ts'
import type { Call, Reply } from './money-wire.ts'

/** The codes and tokens of one base path. They are not valid below another one. */

const DAY = 86_400_000

interface Grant {
  client: Client
  scope: string
  order?: string
}

interface Code extends Grant {
  redirect: string
  challenge: string
  until: number
  pair?: Pair
}

interface Pair {
  grant: Grant
  access: string
  refresh?: string
  until: number
  ended: boolean
  renewed: boolean
}

const oauthError = (status: number, error: string, more: Record<string, string> = {}): Reply => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store, private',
    pragma: 'no-cache',
    ...more,
  },
  body: JSON.stringify({ error, error_uri: 'https://quay.example/help/oauth' }),
})

export class MoneyGrants {
  readonly #codes = new Map<string, Code>()
  readonly #byAccess = new Map<string, Pair>()
  readonly #byRefresh = new Map<string, Pair>()

  constructor(readonly clock: Clock) {}

  code(grant: Grant, redirect: string, challenge: string): string {
    const code = randomToken()
    this.#codes.set(code, { ...grant, redirect, challenge, until: this.clock.now() + 90_000 })
    return code
  }

  /** The grant of the Bearer token of a call; undefined if the token is not valid. */
  grantFor(call: Call): Grant | undefined {
    const token = /^Bearer ([^\s]+)$/i.exec(call.headers.authorization ?? '')?.[1]
    const pair = token === undefined ? undefined : this.#byAccess.get(token)
    return pair !== undefined && !pair.ended && this.clock.now() < pair.until ? pair.grant : undefined
  }

  /** @returns whether the token was issued here */
  revoke(token: string): boolean {
    const pair = this.#byAccess.get(token) ?? this.#byRefresh.get(token)
    if (pair !== undefined) pair.ended = true
    return pair !== undefined
  }

  /** The token endpoint. @param clientGrant the grant of a request without a customer. */
  token(
    call: Call,
    clientGrant: (form: URLSearchParams) => { scope: string; seconds: number } | 'invalid_scope' | undefined,
  ): Reply {
    if (call.method !== 'POST') return oauthError(405, 'invalid_request', { allow: 'POST' })
    if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers['content-type'] ?? ''))
      return oauthError(400, 'invalid_request')
    const client = clientOf(call.headers.authorization)
    if (client === undefined)
      return oauthError(401, 'invalid_client', { 'www-authenticate': 'Basic realm="harbour office"' })
    const form = new URLSearchParams(call.body)
    if (new Set(form.keys()).size !== [...form.keys()].length) return oauthError(400, 'invalid_request')
    const kind = form.get('grant_type') ?? ''
    if (kind === '') return oauthError(400, 'invalid_request')
    if (kind === 'authorization_code') return this.#exchange(client, form)
    if (kind === 'refresh_token') return this.#renew(client, form)
    const granted = clientGrant(form)
    if (granted === undefined) return oauthError(400, 'unsupported_grant_type')
    if (granted === 'invalid_scope') return oauthError(400, 'invalid_scope')
    return this.#issued({ client, scope: granted.scope }, granted.seconds, false)[1]
  }

  #exchange(client: Client, form: URLSearchParams): Reply {
    const code = this.#codes.get(form.get('code') ?? '')
    if (!form.has('code') || !form.has('code_verifier') || !form.has('redirect_uri'))
      return oauthError(400, 'invalid_request')
    if (code?.client !== client || this.clock.now() >= code.until) return oauthError(400, 'invalid_grant')
    if (code.pair !== undefined) {
      code.pair.ended = true
      return oauthError(400, 'invalid_grant')
    }
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!sameText(challenge, code.challenge) || form.get('redirect_uri') !== code.redirect)
      return oauthError(400, 'invalid_grant')
    if (form.has('scope') && form.get('scope') !== code.scope) return oauthError(400, 'invalid_scope')
    const [pair, reply] = this.#issued(code, 90 * 86_400, true)
    code.pair = pair
    return reply
  }

  #renew(client: Client, form: URLSearchParams): Reply {
    const token = form.get('refresh_token') ?? ''
    if (token === '') return oauthError(400, 'invalid_request')
    const pair = this.#byRefresh.get(token)
    if (pair?.grant.client !== client || pair.ended || pair.renewed || this.clock.now() >= pair.until)
      return oauthError(400, 'invalid_grant')
    if (form.has('scope') && form.get('scope') !== pair.grant.scope) return oauthError(400, 'invalid_scope')
    pair.renewed = true
    return this.#issued(pair.grant, 90 * 86_400, true)[1]
  }

  #issued(grant: Grant, seconds: number, renewable: boolean): [Pair, Reply] {
    const until = this.clock.now() + Math.min(seconds * 1000, 90 * DAY)
    const pair: Pair = {
      grant,
      access: randomToken(),
      until,
      ended: false,
      renewed: false,
      ...(renewable ? { refresh: randomToken() } : {}),
    }
    this.#byAccess.set(pair.access, pair)
    if (pair.refresh !== undefined) this.#byRefresh.set(pair.refresh, pair)
    const body = {
      scope: grant.scope,
      expires_in: seconds,
      issued_by: 'harbour office',
      token_type: 'bearer',
      ...(pair.refresh === undefined ? {} : { refresh_token: pair.refresh }),
      access_token: pair.access,
    }
    const headers = {
      'content-type': 'application/json;charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    }
    return [pair, { status: 200, headers, body: JSON.stringify(body) }]
  }
}
