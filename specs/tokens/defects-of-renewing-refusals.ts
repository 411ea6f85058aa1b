import { TOK } from './requirements.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'

/** What a bank can get wrong in refusing a refresh. */

/** What the token endpoint has issued, and to whose Basic header. */
interface Issued {
  readonly accessToken: string
  readonly refreshToken: string
  readonly authorization: string
}

interface Refresh {
  readonly form: URLSearchParams
  readonly headers: Headers
}

const isTokenRequest = ({ url, method }: Request): boolean =>
  method === 'POST' && new URL(url).pathname.endsWith('/auth/oauth/v2/token')

/** Alters a refresh before the bank sees it, in the light of all that was issued before. */
const readingRefreshes =
  (alter: (refresh: Refresh, issued: readonly Issued[]) => void): Wire =>
  (next) => {
    const issued: Issued[] = []
    const altered = (request: Request, form: URLSearchParams): Request => {
      const headers = new Headers(request.headers)
      alter({ form, headers }, issued)
      headers.delete('content-length')
      return new Request(request.url, { method: request.method, headers, body: form.toString() })
    }
    return async (request) => {
      if (!isTokenRequest(request)) return next(request)
      const form = new URLSearchParams(await request.clone().text())
      const isRefresh = form.get('grant_type') === 'refresh_token'
      const response = await next(isRefresh ? altered(request, form) : request)
      const { access_token, refresh_token } = (await response.clone().json()) as Readonly<
        Record<string, string | undefined>
      >
      const authorization = request.headers.get('authorization') ?? ''
      if (access_token !== undefined && refresh_token !== undefined)
        issued.push({ accessToken: access_token, refreshToken: refresh_token, authorization })
      return response
    }
  }

/** Takes a refresh token that was not issued for the one that `meant` finds; other clients and tokens are known. */
const readAs = (meant: (value: string, issued: readonly Issued[]) => Issued | undefined): Wire =>
  readingRefreshes(({ form }, issued) => {
    const value = form.get('refresh_token') ?? ''
    if (value === '' || issued.some(({ refreshToken }) => refreshToken === value)) return
    const found = meant(value, issued)
    if (found !== undefined) form.set('refresh_token', found.refreshToken)
  })

const userOf = (authorization: string): readonly string[] => {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const colon = pair.indexOf(':')
  return [pair.slice(0, colon), pair.slice(colon + 1)]
}

/** Puts the right secret in the place of a wrong one that `passes`. */
const forgivingSecrets = (passes: (given: string, right: string) => boolean): Wire =>
  readingRefreshes(({ headers }, issued) => {
    const [client, given = ''] = userOf(headers.get('authorization') ?? '')
    const right = issued.find(({ authorization }) => userOf(authorization)[0] === client)?.authorization
    if (right !== undefined && passes(given, userOf(right)[1] ?? '')) headers.set('authorization', right)
  })

/** Puts the right secret in the place of one that is right for another client. */
const confusingSecrets: Wire = readingRefreshes(({ headers }, issued) => {
  const [client, given] = userOf(headers.get('authorization') ?? '')
  const known = issued.map(({ authorization }) => ({ authorization, pair: userOf(authorization) }))
  const right = known.find(({ pair: [clientId] }) => clientId === client)?.authorization
  if (right !== undefined && known.some(({ pair: [, secret] }) => secret === given))
    headers.set('authorization', right)
})

/** Knows the client by the refresh token that it sends, where it sends no credentials. */
const withoutAuthentication =
  (kinds: readonly string[]): RuleChange =>
  (lawful) => {
    const owners = new Map<string, string>()
    return {
      newRefreshToken: async (facts) => {
        const token = await lawful.newRefreshToken(facts)
        if (kinds.includes(facts.client.kind)) owners.set(token, facts.client.clientId)
        return token
      },
      clientWithoutBasic: (facts) => {
        const owner = owners.get(facts.form.get('refresh_token') ?? '')
        return facts.clients.find(({ clientId }) => clientId === owner) ?? lawful.clientWithoutBasic(facts)
      },
    }
  }

/** Calls a refresh token that was never issued by another error. */
const withError =
  (error: string): RuleChange =>
  (lawful) => ({
    refusalBody: (facts) =>
      facts.endpoint === 'token' && facts.description.startsWith('The refresh token was not issued')
        ? { error }
        : lawful.refusalBody(facts),
  })

export const defectsOfRefusingRefreshes: readonly Defect[] = [
  {
    id: 'refresh-needs-no-authentication',
    story: 'Whoever has the refresh token is taken for its client.',
    breaks: [TOK.refreshNeedsClientAuthentication],
    rules: withoutAuthentication(['FAC', 'TPP']),
  },
  {
    id: 'refresh-of-a-fac-needs-no-authentication',
    story: 'Whoever has the refresh token of a FAC is taken for its client.',
    breaks: [TOK.refreshNeedsClientAuthentication],
    rules: withoutAuthentication(['FAC']),
  },
  {
    id: 'refresh-needs-a-client-id-alone',
    story: 'In a refresh the client_id of the form is enough to be taken for that client.',
    breaks: [TOK.refreshNeedsClientAuthentication],
    rules: (lawful) => ({
      clientWithoutBasic: (facts) =>
        facts.form.get('grant_type') === 'refresh_token'
          ? facts.clients.find(({ clientId }) => clientId === facts.form.get('client_id'))
          : lawful.clientWithoutBasic(facts),
    }),
  },
  {
    id: 'refresh-takes-any-secret',
    story: 'A client that was authenticated once can refresh with whatever secret.',
    breaks: [TOK.refreshWithAWrongSecretIsRefused],
    wire: forgivingSecrets(() => true),
  },
  {
    id: 'refresh-takes-a-longer-secret',
    story: 'Of the secret in a refresh, what stands behind the right one is ignored.',
    breaks: [TOK.refreshWithAWrongSecretIsRefused],
    wire: forgivingSecrets((given, right) => given.startsWith(right)),
  },
  {
    id: 'refresh-takes-an-empty-secret',
    story: 'A client that sends an empty secret with its refresh is taken for a public one.',
    breaks: [TOK.refreshWithAWrongSecretIsRefused],
    wire: forgivingSecrets((given) => given === ''),
  },
  {
    id: 'refresh-takes-a-secret-in-any-case',
    story: 'The letters of a secret may have any case in a refresh.',
    breaks: [TOK.refreshWithAWrongSecretIsRefused],
    wire: forgivingSecrets((given, right) => given.toLowerCase() === right.toLowerCase()),
  },
  {
    id: 'refresh-takes-the-secret-of-any-client',
    story: 'The secret of a refresh is looked up among those of all clients.',
    breaks: [TOK.refreshWithAWrongSecretIsRefused],
    wire: confusingSecrets,
  },
  {
    id: 'refresh-token-is-good-for-every-client',
    story: 'The client of a refresh token is not looked at.',
    breaks: [TOK.anotherClientsRefreshTokenIsRefused],
    rules: { refreshBelongsTo: () => true },
  },
  {
    id: 'refresh-token-is-good-for-every-tpp',
    story: 'A TPP can use the refresh token of another client.',
    breaks: [TOK.anotherClientsRefreshTokenIsRefused],
    rules: (lawful) => ({
      refreshBelongsTo: (facts) => facts.client.kind === 'TPP' || lawful.refreshBelongsTo(facts),
    }),
  },
  {
    id: 'cut-refresh-token-is-accepted',
    story: 'A refresh token is looked up by how it begins, so that a shorter one is found as well.',
    breaks: [TOK.unknownRefreshTokenIsRefused],
    wire: readAs((value, issued) =>
      value.length < 24 ? undefined : issued.find(({ refreshToken }) => refreshToken.startsWith(value)),
    ),
  },
  {
    id: 'refresh-token-is-compared-without-its-end',
    story: 'Refresh tokens are compared as far as their first 32 characters.',
    breaks: [TOK.unknownRefreshTokenIsRefused],
    wire: readAs((value, issued) =>
      issued.find(({ refreshToken }) => refreshToken.slice(0, 32) === value.slice(0, 32)),
    ),
  },
  {
    id: 'refresh-token-in-another-case-is-accepted',
    story: 'Refresh tokens are compared by a collation that ignores the case.',
    breaks: [TOK.unknownRefreshTokenIsRefused],
    wire: readAs((value, issued) =>
      issued.find(({ refreshToken }) => refreshToken.toLowerCase() === value.toLowerCase()),
    ),
  },
  {
    id: 'unknown-refresh-token-renews-the-last-grant',
    story: 'A refresh token that is not found is taken for the one that was issued last.',
    breaks: [TOK.unknownRefreshTokenIsRefused, TOK.accessTokenIsNoRefreshToken],
    wire: readAs((_, issued) => issued.at(-1)),
  },
  {
    id: 'missing-refresh-token-renews-the-last-grant',
    story: 'A refresh that names no refresh token renews what was issued last.',
    breaks: [TOK.missingRefreshTokenIsRefused],
    wire: readingRefreshes(({ form }, issued) => {
      const last = issued.at(-1)
      if (!form.has('refresh_token') && last !== undefined) form.set('refresh_token', last.refreshToken)
    }),
  },
  {
    id: 'empty-refresh-token-renews-the-last-grant',
    story: 'A refresh whose refresh token is empty renews what was issued last.',
    breaks: [TOK.missingRefreshTokenIsRefused],
    wire: readingRefreshes(({ form }, issued) => {
      const last = issued.at(-1)
      if (form.get('refresh_token') === '' && last !== undefined) form.set('refresh_token', last.refreshToken)
    }),
  },
  {
    id: 'access-token-renews-itself',
    story: 'The access token is taken for the refresh token beside it.',
    breaks: [TOK.accessTokenIsNoRefreshToken],
    wire: readAs((value, issued) => issued.find(({ accessToken }) => accessToken === value)),
  },
  {
    id: 'refresh-takes-any-scope',
    story: 'A refresh issues tokens for the scope that it names, whoever granted that.',
    breaks: [TOK.refreshDoesNotWidenTheScope],
    rules: { refreshScopeIsAccepted: () => true },
  },
  {
    id: 'refresh-scope-opens-another-consent',
    story:
      'A refresh with the scope of another consent says no scope, and opens the accounts of that consent.',
    breaks: [TOK.refreshDoesNotWidenTheScope],
    rules: (lawful) => ({
      refreshScopeIsAccepted: () => true,
      statedScope: (facts) => (facts.previous === undefined ? lawful.statedScope(facts) : undefined),
      accountsSeen: (facts) =>
        facts.token.scope === facts.grant.scope
          ? lawful.accountsSeen(facts)
          : facts.customers.flatMap(({ accounts }) => accounts),
    }),
  },
  {
    id: 'unknown-refresh-token-is-an-invalid-request',
    story: 'The error of a refresh token that the bank never issued is invalid_request.',
    breaks: [TOK.invalidRefreshTokenIsAnInvalidGrant],
    rules: withError('invalid_request'),
  },
  {
    id: 'unknown-refresh-token-is-an-invalid-token',
    story: 'The error of a refresh token that the bank never issued is that of an access token.',
    breaks: [TOK.invalidRefreshTokenIsAnInvalidGrant],
    rules: withError('invalid_token'),
  },
]
