import { basicHeader, basicIn } from '../../shared/defect-wires.ts'
import { breaking, isOfAFac, isOfATpp, where } from '../../shared/defects.ts'
import { readingRefreshes } from './token-requests.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { FactsOf } from '../../shared/defects.ts'
import type { IssuedTokens } from './token-requests.ts'
import { TOK } from '../requirements.ts'

/** Refreshes that are accepted although they should be refused, and the error of their refusal. */

/** Reads an unknown refresh token as one that was issued. */
const readAs = (meant: (value: string, issued: readonly IssuedTokens[]) => IssuedTokens | undefined): Wire =>
  readingRefreshes(({ form }, { issued }) => {
    const value = form.get('refresh_token') ?? ''
    if (value === '' || issued.some(({ refreshToken }) => refreshToken === value)) return
    const found = meant(value, issued)
    if (found !== undefined) form.set('refresh_token', found.refreshToken)
  })

/** Accepts another secret too. @param accepts may also look at the secrets of all clients that were served before. */
const acceptingSecrets = (accepts: (given: string, right: string, all: readonly string[]) => boolean): Wire =>
  readingRefreshes(({ headers }, { issued }) => {
    const [client, given] = basicIn(headers)
    const known = issued.map(({ authorization }) => basicIn(new Headers({ authorization })))
    const right = known.find(([clientId]) => clientId === client)?.[1]
    if (
      right !== undefined &&
      accepts(
        given,
        right,
        known.map(([, secret]) => secret),
      )
    )
      headers.set('authorization', basicHeader(client, right))
  })

/** Uses the refresh token that was issued last, where the form `lacks` one. */
const lastTokenWhere = (lacks: (form: URLSearchParams) => boolean): Wire =>
  readingRefreshes(({ form }, { issued }) => {
    const last = issued.at(-1)
    if (lacks(form) && last !== undefined) form.set('refresh_token', last.refreshToken)
  })

/** Without credentials, the client is the one that the refresh token was issued to. */
const withoutAuthentication =
  (applies: (facts: FactsOf<'newRefreshToken'>) => boolean): RuleChange =>
  (lawful) => {
    const owners = new Map<string, string>()
    return {
      newRefreshToken: async (facts) => {
        const token = await lawful.newRefreshToken(facts)
        if (applies(facts)) owners.set(token, facts.client.clientId)
        return token
      },
      clientWithoutBasic: (facts) => {
        const owner = owners.get(facts.form.get('refresh_token') ?? '')
        return facts.clients.find(({ clientId }) => clientId === owner) ?? lawful.clientWithoutBasic(facts)
      },
    }
  }

/** Answers an unknown refresh token with another error. */
const withError = (error: string): RuleChange =>
  where<'refusalBody'>(
    ({ endpoint, description }) =>
      endpoint === 'token' && description.startsWith('The refresh token was not issued'),
    { refusalBody: () => ({ error }) },
  )

export const renewalRefusalDefects: readonly Defect[] = [
  ...breaking(TOK.refreshNeedsClientAuthentication, {
    'refresh-needs-no-authentication': {
      story: 'A refresh is accepted without client credentials.',
      rules: withoutAuthentication(() => true),
    },
    'refresh-of-a-fac-needs-no-authentication': {
      story: 'A refresh of a FAC is accepted without client credentials.',
      rules: withoutAuthentication(isOfAFac),
    },
    'refresh-needs-a-client-id-alone': {
      story: 'A client_id in the form of a refresh is accepted instead of credentials.',
      rules: where(({ form }) => form.get('grant_type') === 'refresh_token', {
        clientWithoutBasic: ({ form, clients }) =>
          clients.find(({ clientId }) => clientId === form.get('client_id')),
      }),
    },
  }),
  ...breaking(TOK.refreshWithAWrongSecretIsRefused, {
    'refresh-takes-any-secret': {
      story: 'After its first authentication a client can refresh with any secret.',
      wire: acceptingSecrets(() => true),
    },
    'refresh-takes-a-longer-secret': {
      story: 'A refresh is accepted with more characters after the right secret.',
      wire: acceptingSecrets((given, right) => given.startsWith(right)),
    },
    'refresh-takes-an-empty-secret': {
      story: 'A refresh is accepted with an empty secret.',
      wire: acceptingSecrets((given) => given === ''),
    },
    'refresh-takes-a-secret-in-any-case': {
      story: 'The secret of a refresh is compared without regard to case.',
      wire: acceptingSecrets((given, right) => given.toLowerCase() === right.toLowerCase()),
    },
    'refresh-takes-the-secret-of-any-client': {
      story: 'A refresh is accepted with the secret of any client.',
      wire: acceptingSecrets((given, _, all) => all.includes(given)),
    },
  }),
  ...breaking(TOK.anotherClientsRefreshTokenIsRefused, {
    'refresh-token-is-good-for-every-client': {
      story: 'Any client can use a refresh token.',
      rules: { refreshBelongsTo: () => true },
    },
    'refresh-token-is-good-for-every-tpp': {
      story: 'A TPP can use the refresh token of another client.',
      rules: where(isOfATpp, { refreshBelongsTo: () => true }),
    },
  }),
  ...breaking(TOK.unknownRefreshTokenIsRefused, {
    'cut-refresh-token-is-accepted': {
      story: 'A refresh token that lacks characters at its end is accepted.',
      wire: readAs((value, issued) =>
        value.length < 24 ? undefined : issued.find(({ refreshToken }) => refreshToken.startsWith(value)),
      ),
    },
    'refresh-token-is-compared-without-its-end': {
      story: 'Only the first 32 characters of a refresh token are compared.',
      wire: readAs((value, issued) =>
        issued.find(({ refreshToken }) => refreshToken.slice(0, 32) === value.slice(0, 32)),
      ),
    },
    'refresh-token-in-another-case-is-accepted': {
      story: 'Refresh tokens are compared without regard to case.',
      wire: readAs((value, issued) =>
        issued.find(({ refreshToken }) => refreshToken.toLowerCase() === value.toLowerCase()),
      ),
    },
    'unknown-refresh-token-renews-the-last-grant': {
      story: 'An unknown refresh token is read as the one that was issued last.',
      alsoBreaks: [TOK.accessTokenIsNoRefreshToken],
      wire: readAs((_, issued) => issued.at(-1)),
    },
  }),
  ...breaking(TOK.missingRefreshTokenIsRefused, {
    'missing-refresh-token-renews-the-last-grant': {
      story: 'A refresh without a refresh token uses the one that was issued last.',
      wire: lastTokenWhere((form) => !form.has('refresh_token')),
    },
    'empty-refresh-token-renews-the-last-grant': {
      story: 'A refresh with an empty refresh token uses the one that was issued last.',
      wire: lastTokenWhere((form) => form.get('refresh_token') === ''),
    },
  }),
  ...breaking(TOK.accessTokenIsNoRefreshToken, {
    'access-token-renews-itself': {
      story: 'An access token is accepted as the refresh token that was issued with it.',
      wire: readAs((value, issued) => issued.find(({ accessToken }) => accessToken === value)),
    },
  }),
  ...breaking(TOK.refreshDoesNotWidenTheScope, {
    'refresh-takes-any-scope': {
      story: 'A refresh issues tokens for any scope of its form.',
      rules: { refreshScopeIsAccepted: () => true },
    },
    'refresh-scope-opens-another-consent': {
      story:
        'A refresh with the scope of another consent opens the accounts of that consent, and its answer has no scope.',
      rules: (lawful) => ({
        refreshScopeIsAccepted: () => true,
        statedScope: (facts) => (facts.previous === undefined ? lawful.statedScope(facts) : undefined),
        accountsSeen: (facts) =>
          facts.token.scope === facts.grant.scope
            ? lawful.accountsSeen(facts)
            : facts.customers.flatMap(({ accounts }) => accounts),
      }),
    },
  }),
  ...breaking(TOK.invalidRefreshTokenIsAnInvalidGrant, {
    'unknown-refresh-token-is-an-invalid-request': {
      story: 'The error of an unknown refresh token is invalid_request.',
      rules: withError('invalid_request'),
    },
    'unknown-refresh-token-is-an-invalid-token': {
      story: 'The error of an unknown refresh token is invalid_token.',
      rules: withError('invalid_token'),
    },
  }),
]
