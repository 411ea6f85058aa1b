import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import OAuth2Server from '@node-oauth/oauth2-server'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { createConsents, type Consents } from './consents.ts'
import { installMovingClock } from './moving-clock.ts'
import { frame, login, question } from './pages.ts'
import { createResources, createTestHooks, type Grants } from './resources.ts'
import { clients, customers } from './seed-data.ts'

/** @node-oauth/oauth2-server as a process: `node dist/harness/testing/banks/third-party/oauth2-server.js`. */

const SCOPE = 'PREMIUM_AIS'
const NINETY_DAYS_S = 90 * 24 * 60 * 60
const CODE_S = 60

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel

interface Issued extends OAuth2Server.Token {
  readonly grant: { ended: boolean }
}

/** The store that the library calls. A code that is used twice ends the tokens that were issued for it. */
const createStore = (consents: Consents): { readonly model: Model; readonly grants: Grants } => {
  const codes = new Map<string, OAuth2Server.AuthorizationCode & Pick<Issued, 'grant'> & { used: boolean }>()
  const access = new Map<string, Issued>()
  const refresh = new Map<string, Issued>()
  const valid = (issued: Issued | undefined): Issued | undefined =>
    issued === undefined || issued.grant.ended ? undefined : issued

  const model: Model = {
    async getClient(id, secret) {
      const client = clients.find(({ clientId }) => clientId === id)
      // The authorization endpoint passes no secret; at the token endpoint an empty one is a wrong one.
      const isKnown = client !== undefined && ((secret as string | null) === null || secret === client.secret)
      if (!isKnown) return undefined
      return {
        id,
        redirectUris: [...client.redirectUris],
        grants: ['authorization_code', 'refresh_token'],
        kind: client.kind,
      }
    },
    async validateScope(_, client, scope = []) {
      const known = client['kind'] === 'FAC' ? [SCOPE] : consents.of(client.id).map((id) => `${SCOPE}:${id}`)
      return scope.length === 1 && known.includes(scope[0] ?? '') ? scope : false
    },
    async saveAuthorizationCode(code, client, user) {
      const saved = { ...code, client, user, grant: { ended: false }, used: false }
      codes.set(code.authorizationCode, saved)
      return saved
    },
    async getAuthorizationCode(value) {
      const code = codes.get(value)
      if (code?.used === true) code.grant.ended = true
      return code?.used === false ? code : undefined
    },
    async revokeAuthorizationCode({ authorizationCode }) {
      const code = codes.get(authorizationCode)
      if (code === undefined || code.used) return false
      code.used = true
      return true
    },
    async saveToken(token, client, user) {
      const grant = (token as Partial<Issued>).grant ?? grantOf(token, user)
      const issued: Issued = { ...token, client, user, grant }
      access.set(token.accessToken, issued)
      if (token.refreshToken !== undefined) refresh.set(token.refreshToken, issued)
      return issued
    },
    async getAccessToken(value) {
      return valid(access.get(value))
    },
    async getRefreshToken(value) {
      const found = valid(refresh.get(value))
      return found && { ...found, refreshToken: value }
    },
    revokeToken: async ({ refreshToken }) => refresh.delete(refreshToken),
  }

  /** The library names the code of a first token; a renewed one has the grant of its user object. */
  const grantOf = (token: OAuth2Server.Token, user: OAuth2Server.User): Issued['grant'] => {
    const code = codes.get(String(token['authorizationCode']))
    const grant = code?.grant ?? (user['grant'] as Issued['grant'])
    user['grant'] = grant
    return grant
  }

  const found = (value: string): Issued | undefined => {
    const issued = valid(access.get(value))
    return issued !== undefined && Date.now() < (issued.accessTokenExpiresAt?.getTime() ?? 0)
      ? issued
      : undefined
  }
  return {
    model,
    grants: {
      usernameOf: async (token) => found(token)?.user['username'] as string | undefined,
      async revoke(token) {
        const issued = found(token)
        if (issued !== undefined) issued.grant.ended = true
        return issued !== undefined
      },
    },
  }
}

const clock = installMovingClock()
const consents = createConsents()
const { model, grants } = createStore(consents)
const lifetimes = {
  accessTokenLifetime: NINETY_DAYS_S,
  refreshTokenLifetime: NINETY_DAYS_S,
  authorizationCodeLifetime: CODE_S,
  allowEmptyState: true,
}
const server = new OAuth2Server({ model, ...lifetimes })
/** Judges a request before the customer logs in, and issues no code. */
const rehearsal = new OAuth2Server({
  model: {
    ...model,
    saveAuthorizationCode: async (code, client, user) => ({ ...code, client, user }),
  },
  ...lifetimes,
})

type Fields = Readonly<Record<string, string>>

const libraryRequest = (context: Context, query: Fields, body: Fields): OAuth2Server.Request =>
  new OAuth2Server.Request({
    headers: Object.fromEntries(context.req.raw.headers),
    method: context.req.method,
    query: { ...query },
    body: { ...body },
  })

const isRepeated = (fields: URLSearchParams): boolean =>
  new Set(fields.keys()).size < [...fields.keys()].length

const answer = ({ status = 200, headers = {}, body }: OAuth2Server.Response): Response =>
  new Response(body === undefined || Object.keys(body as object).length === 0 ? null : JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
  })

/** The answer of the library to an authorization request; undefined if it has none, since it cannot know where to. */
const authorized = async (
  context: Context,
  library: OAuth2Server,
  query: Fields,
  username: string,
): Promise<{ readonly response: OAuth2Server.Response; readonly isGranted: boolean }> => {
  const response = new OAuth2Server.Response()
  const authenticateHandler = { handle: () => ({ username }) }
  try {
    await library.authorize(libraryRequest(context, query, {}), response, { authenticateHandler })
    return { response, isGranted: true }
  } catch {
    return { response, isGranted: false }
  }
}

const isRedirect = ({ headers }: OAuth2Server.Response): boolean => headers?.['location'] !== undefined

interface Login {
  readonly query: Fields
  readonly browser: string
  username?: string
}

const logins = new Map<string, Login>()
const BROWSER = 'browser'

const app = new Hono()
const OAUTH = '/premium/sandbox/auth/oauth/v2'

app.get(`${OAUTH}/authorize`, async (context) => {
  const fields = new URL(context.req.url).searchParams
  const query: Fields = Object.fromEntries(fields)
  // The library does not require PKCE, and reads one of several parameters of the same name.
  const isFit =
    !isRepeated(fields) &&
    query['code_challenge_method'] === 'S256' &&
    /^[\w-]{43}$/.test(query['code_challenge'] ?? '')
  const asked = isFit ? query : { ...query, response_type: '' }
  const isAmbiguous = ['client_id', 'redirect_uri'].some((name) => fields.getAll(name).length !== 1)
  const { response, isGranted } = await authorized(context, rehearsal, asked, '')
  if (isAmbiguous || !isRedirect(response))
    return context.html(frame('This request is not valid', html`<p>The application is unknown.</p>`), 400)
  if (!isGranted) return answer(response)
  const id = randomBytes(16).toString('hex')
  const browser = getCookie(context, BROWSER) ?? randomBytes(16).toString('hex')
  setCookie(context, BROWSER, browser, { httpOnly: true, sameSite: 'Lax', path: '/' })
  logins.set(id, { query, browser })
  return context.redirect(`/person/${id}`, 303)
})

app.post(`${OAUTH}/token`, async (context) => {
  const response = new OAuth2Server.Response()
  const form = new URLSearchParams(await context.req.text())
  const body: Fields = isRepeated(form) ? {} : Object.fromEntries(form)
  try {
    await server.token(libraryRequest(context, {}, body), response)
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error
    response.status = error.code
    response.body = { error: error.name, error_description: error.message }
  }
  return answer(response)
})

app.on(['GET', 'POST'], '/person/:id', async (context) => {
  const id = context.req.param('id')
  const begun = logins.get(id)
  if (begun === undefined || begun.browser !== getCookie(context, BROWSER))
    return context.html(frame('This request is not valid', html`<p>No login has begun here.</p>`), 400)
  const form = new URLSearchParams(await context.req.text())
  if (begun.username === undefined) {
    const customer = customers.find(
      ({ username, password }) => username === form.get('user') && password === form.get('pin'),
    )
    if (customer === undefined)
      return context.html(
        login(context.req.method === 'GET' ? undefined : 'The name or the password is wrong.'),
      )
    begun.username = customer.username
  }
  if (!form.has('answer')) return context.html(question(begun.query['scope'] ?? ''))
  logins.delete(id)
  const query = form.get('answer') === 'yes' ? begun.query : { ...begun.query, allowed: 'false' }
  return answer((await authorized(context, server, query, begun.username)).response)
})

app.route('/premium/sandbox', createResources(grants, consents))
app.route('/for-tests', createTestHooks(grants, clock))

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }, ({ port }) => {
  console.log(`oauth2-server listens on http://127.0.0.1:${port} `)
})
