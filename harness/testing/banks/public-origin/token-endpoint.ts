import type { Context } from 'hono'
import { stamp } from './clock.ts'
import { APPLICATIONS, type Application, type Place } from './seed-data.ts'
import type { GrantError, Issued, Tokens } from './tokens.ts'
import { formOf, only, sameText, type Parameters } from './wire.ts'

/** The token endpoints, and how an application shows who it is. */

interface Endpoint {
  place: Place
  tokens: Tokens
  /** The scope of the tokens for the application itself, and how long they last. */
  own: { scope: string; seconds: number }
  /** Whether client id and secret may also come in the form. */
  takesFormCredentials: boolean
  /** Whether customers give grants here, with codes and refresh tokens. */
  hasCustomers: boolean
}

function applicationOf(place: Place, id: string, secret: string): Application | undefined {
  const application = APPLICATIONS.find((one) => one.id === id)
  const expected = application?.secrets[place]
  return expected !== undefined && sameText(secret, expected) ? application : undefined
}

/** The application of a Basic Authorization header; undefined if it is unknown or its secret is wrong. */
export function basicApplication(context: Context, place: Place): Application | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
  const pair = Buffer.from(encoded, 'base64')
  const [id = '', ...secret] = pair.toString('utf8').split(':')
  return pair.toString('base64') === encoded ? applicationOf(place, id, secret.join(':')) : undefined
}

/** Writes the header that each refusal of an application's credentials carries. */
export const askForBasic = (context: Context): void =>
  context.header('www-authenticate', 'Basic realm="ferry", charset="UTF-8"')

function answered(context: Context, status: 200 | 400 | 401, body: object): Response {
  context.header('cache-control', 'no-store')
  context.header('pragma', 'no-cache')
  return context.json(body, status)
}

type OAuthError = GrantError | 'invalid_request' | 'unsupported_grant_type'

/** An answer to a request for tokens. */
function outcome(context: Context, issued: Issued | OAuthError): Response {
  if (typeof issued === 'string') return answered(context, 400, { error: issued })
  const { renewal } = issued
  return answered(context, 200, {
    access_token: issued.access,
    token_type: 'Bearer',
    expires_in: issued.seconds,
    scope: issued.scope,
    ...(renewal === undefined ? {} : { renewal: { token: renewal.token, until: stamp(renewal.until) } }),
  })
}

export const tokenEndpoint =
  (endpoint: Endpoint) =>
  async (context: Context): Promise<Response> => {
    if (context.req.method !== 'POST') return only('POST')(context)
    const form = await formOf(context)
    const byHeader = basicApplication(context, endpoint.place)
    const hasHeader = context.req.header('authorization') !== undefined
    const secret = form?.values.get('client_secret')
    const byForm =
      endpoint.takesFormCredentials && !hasHeader && secret !== undefined
        ? applicationOf(endpoint.place, form?.values.get('client_id') ?? '', secret)
        : undefined
    const application = byHeader ?? byForm
    if (application === undefined) {
      askForBasic(context)
      return answered(context, 401, { error: 'invalid_client' })
    }
    // Two ways of authentication at once are forbidden, and so is the name of another application.
    const isConfused = byHeader !== undefined && secret !== undefined
    const named = form?.values.get('client_id') ?? application.id
    if (form === undefined || form.repeated.size > 0 || isConfused || named !== application.id)
      return outcome(context, 'invalid_request')
    return outcome(context, issuedFor(endpoint, application, form))
  }

function issuedFor(
  { tokens, own, hasCustomers }: Endpoint,
  application: Application,
  { values }: Parameters,
): Issued | OAuthError {
  const kind = values.get('grant_type')
  const scope = values.get('scope')
  if (kind === undefined) return 'invalid_request'
  if (kind === 'client_credentials')
    return scope === own.scope
      ? tokens.issue({ application, scope, revoked: false }, own.seconds)
      : 'invalid_scope'
  if (hasCustomers && kind === 'authorization_code') {
    const [code, redirect, verifier] = ['code', 'redirect_uri', 'code_verifier'].map((name) =>
      values.get(name),
    )
    if (code === undefined || redirect === undefined || verifier === undefined) return 'invalid_request'
    return tokens.exchange(application, { code, redirect, verifier, scope })
  }
  if (hasCustomers && kind === 'refresh_token') {
    const token = values.get('renewal_token')
    return token === undefined ? 'invalid_request' : tokens.renew(application, token, scope)
  }
  return 'unsupported_grant_type'
}
