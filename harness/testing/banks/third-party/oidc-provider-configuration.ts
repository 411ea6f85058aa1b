import { errors, Provider, type Adapter, type Client, type Payload } from 'oidc-provider'
import { clients, customers } from './seed-data.ts'
import type { Consents } from './consents.ts'

/**
 * The store of the authorization server. Its default store keeps only a thousand records, which a run of the suite
 * exceeds. Each record contains its expiry.
 */
const createStore = (): ((model: string) => Adapter) => {
  const records = new Map<string, Payload>()
  return (model) => adapterOf(model, records)
}

const adapterOf = (model: string, records: Map<string, Payload>): Adapter => {
  const key = (id: string): string => `${model}:${id}`
  const own = (): [string, Payload][] => [...records].filter(([name]) => name.startsWith(`${model}:`))
  const findWhere = (matches: (payload: Payload) => boolean): Payload | undefined =>
    own().find(([, payload]) => matches(payload))?.[1]

  return {
    upsert: async (id, payload) => void records.set(key(id), payload),
    find: async (id) => records.get(key(id)),
    findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = records.get(key(id))
      // Two concurrent requests may both find it unused; the store accepts only the first.
      if (payload?.consumed !== undefined) throw new errors.InvalidGrant(`the ${model} is used already`)
      records.set(key(id), { ...payload, consumed: Math.floor(Date.now() / 1000) })
    },
    destroy: async (id) => void records.delete(key(id)),
    async revokeByGrantId(grantId) {
      for (const [name, payload] of own()) if (payload.grantId === grantId) records.delete(name)
    },
  }
}

/** A third-party authorization server, configured as the interface describes. */

export const SANDBOX = '/premium/sandbox'
/** The authorization server serves all paths below this one. */
export const OAUTH = `${SANDBOX}/auth/oauth/v2`
/** The resource server that scopes outside OpenID Connect belong to. */
export const ACCOUNTS = 'urn:oidc-provider:accounts'
const SCOPE = 'PREMIUM_AIS'

const DAY_S = 24 * 60 * 60
const NINETY_DAYS_S = 90 * DAY_S

const ROUTES = ['authorize', 'token', 'jwks', 'userinfo', 'end_session', 'pushed_authorization_request']

const routes = Object.fromEntries(
  ROUTES.map((name) => [name === 'authorize' ? 'authorization' : name, `${OAUTH}/${name}`]),
)

const registrations = clients.map(({ clientId, secret, name, redirectUris }) => ({
  client_id: clientId,
  client_secret: secret,
  client_name: name,
  redirect_uris: redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
}))

/** A FAC has one scope, a TPP one for each of its consents. */
const scopesOf = ({ clientId }: Client, consents: Consents): string =>
  clients.find((client) => client.clientId === clientId)?.kind === 'FAC'
    ? SCOPE
    : consents
        .of(clientId)
        .map((consentId) => `${SCOPE}:${consentId}`)
        .join(' ')

export const createAuthorizationServer = (issuer: string, consents: Consents): Provider =>
  new Provider(issuer, {
    adapter: createStore(),
    clients: registrations,
    routes,
    responseTypes: ['code'],
    pkce: { required: () => true },
    findAccount: (_: unknown, accountId: string) => findAccount(accountId),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/person/${uid}` },
    cookies: { keys: ['a key for test cookies'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => ACCOUNTS,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, __: string, client: Client) => ({
          scope: scopesOf(client, consents),
          accessTokenFormat: 'opaque',
        }),
      },
    },
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: NINETY_DAYS_S,
      RefreshToken: NINETY_DAYS_S,
      AuthorizationCode: 60,
      // A grant stays valid as long as its tokens are renewed.
      Grant: 3650 * DAY_S,
      Session: DAY_S,
      Interaction: 600,
    },
  })

const findAccount = (accountId: string): object | undefined =>
  customers.some(({ username }) => username === accountId)
    ? { accountId, claims: () => ({ sub: accountId }) }
    : undefined
