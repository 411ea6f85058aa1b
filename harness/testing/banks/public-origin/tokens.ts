import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Clock } from './clock.ts'
import type { Customer } from './ledger.ts'
import type { Application } from './seed-data.ts'
import { randomText, refused, sameText } from './wire.ts'

/** The codes and tokens of one place. No other place knows them. */

export interface Grant {
  application: Application
  scope: string
  /** The customer who gave the grant; a grant to the application itself has none. */
  customer?: Customer
  revoked: boolean
}

export interface Issued {
  access: string
  scope: string
  seconds: number
  renewal?: { token: string; until: number }
}

/** The variables of a request behind a guard. */
export interface Guarded {
  Variables: { grant: Grant }
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

interface Exchange {
  code: string
  redirect: string
  verifier: string
  scope: string | undefined
}

export type GrantError = 'invalid_grant' | 'invalid_scope'

/** The lifetime of the tokens of a customer's grant. */
const CUSTOMER_SECONDS = 90 * 86_400
const CODE_MS = 5 * 60_000

export class Tokens {
  readonly #codes = new Map<string, Code>()
  readonly #access = new Map<string, Token>()
  readonly #renewals = new Map<string, Token>()

  constructor(readonly clock: Clock) {}

  code(grant: Grant, redirect: string, challenge: string): string {
    const code = randomText()
    this.#codes.set(code, { grant, redirect, challenge, until: this.clock.now() + CODE_MS, used: false })
    return code
  }

  exchange(application: Application, asked: Exchange): Issued | GrantError {
    const code = this.#codes.get(asked.code)
    if (code?.grant.application !== application) return 'invalid_grant'
    if (code.used) {
      // Somebody else may have used the code before, so its tokens end as well.
      code.grant.revoked = true
      return 'invalid_grant'
    }
    const isVerified =
      /^[\w.~-]{43,128}$/.test(asked.verifier) &&
      sameText(createHash('sha256').update(asked.verifier).digest('base64url'), code.challenge)
    if (!isVerified || asked.redirect !== code.redirect || this.clock.now() >= code.until)
      return 'invalid_grant'
    if (asked.scope !== undefined && asked.scope !== code.grant.scope) return 'invalid_scope'
    code.used = true
    return this.#issueRenewable(code.grant)
  }

  renew(application: Application, token: string, scope: string | undefined): Issued | GrantError {
    const renewal = this.#renewals.get(token)
    if (renewal?.grant.application !== application || !this.#isValid(renewal)) return 'invalid_grant'
    if (scope !== undefined && scope !== renewal.grant.scope) return 'invalid_scope'
    this.#renewals.delete(token)
    return this.#issueRenewable(renewal.grant)
  }

  issue(grant: Grant, seconds: number): Issued {
    const access = randomText()
    this.#access.set(access, { grant, until: this.clock.now() + seconds * 1000 })
    return { access, scope: grant.scope, seconds }
  }

  /** Ends the grant of an access token with all its tokens; false for an unknown token. */
  revoke(access: string): boolean {
    const token = this.#access.get(access)
    if (token !== undefined) token.grant.revoked = true
    return token !== undefined
  }

  /** Lets only requests pass whose token is valid and opens this resource. */
  guard(opens: (grant: Grant) => boolean): MiddlewareHandler<Guarded> {
    return async (context, next) => {
      const header = context.req.header('authorization')
      if (header === undefined) return challenged(context, 401, 'a token is needed')
      const sent = /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1] ?? ''
      const token = this.#access.get(sent)
      if (token === undefined || !this.#isValid(token))
        return challenged(context, 401, 'the token is not valid', 'invalid_token')
      if (!opens(token.grant))
        return challenged(context, 403, 'the token is for something else', 'insufficient_scope')
      context.set('grant', token.grant)
      return next()
    }
  }

  #isValid({ grant, until }: Token): boolean {
    return !grant.revoked && this.clock.now() < until
  }

  #issueRenewable(grant: Grant): Issued {
    const token = randomText()
    const until = this.clock.now() + CUSTOMER_SECONDS * 1000
    this.#renewals.set(token, { grant, until })
    return { ...this.issue(grant, CUSTOMER_SECONDS), renewal: { token, until } }
  }
}

function challenged(context: Context, status: 401 | 403, why: string, error?: string): Response {
  context.header('www-authenticate', `Bearer realm="ferry"${error === undefined ? '' : `, error="${error}"`}`)
  return refused(context, status, why)
}
