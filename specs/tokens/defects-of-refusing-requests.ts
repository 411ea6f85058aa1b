import { readingExchanges } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Which requests that are no valid code exchange a bank can answer with tokens. */

type Facts = Parameters<Rules['redirectUriMatches']>[0]

const forgivingUris =
  (passes: (facts: Facts, given: string) => boolean): RuleChange =>
  (lawful) => ({
    redirectUriMatches: (facts) =>
      (facts.redirectUri !== undefined && passes(facts, facts.redirectUri)) ||
      lawful.redirectUriMatches(facts),
  })

const optionalUri =
  (kinds: readonly string[]): RuleChange =>
  (lawful) => ({
    redirectUriMatches: (facts) =>
      (facts.redirectUri === undefined && kinds.includes(facts.client.kind)) ||
      lawful.redirectUriMatches(facts),
  })

/** Serves a GET request at the token endpoint like a POST with its query as the form. */
const takingGet: Wire = (next) => async (request) => {
  const url = new URL(request.url)
  if (request.method !== 'GET' || !url.pathname.endsWith('/token')) return next(request)
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/x-www-form-urlencoded')
  return next(
    new Request(url.origin + url.pathname, { method: 'POST', headers, body: url.searchParams.toString() }),
  )
}

const keepingTheLast = (name: string): Wire =>
  readingExchanges(({ form }) => {
    const last = form.getAll(name).at(-1)
    if (last !== undefined) form.set(name, last)
  })

const redirectUris: readonly Defect[] = [
  {
    id: 'redirect-uri-of-an-exchange-is-not-looked-at',
    story: 'A code is bound to its client and not to the redirect_uri.',
    breaks: [TOK.anotherRedirectUriIsRefused, TOK.missingRedirectUriIsRefused],
    rules: { redirectUriMatches: () => true },
  },
  {
    id: 'any-registered-redirect-uri-matches',
    story: 'The redirect_uri of a code exchange is to be one that the client has registered, whichever.',
    breaks: [TOK.anotherRedirectUriIsRefused],
    rules: forgivingUris(({ client }, given) => client.redirectUris.includes(given)),
  },
  {
    id: 'any-registered-redirect-uri-of-a-tpp-matches',
    story: 'The redirect_uri of the code exchange of a TPP is to be a registered one, whichever.',
    breaks: [TOK.anotherRedirectUriIsRefused],
    rules: forgivingUris(({ client }, given) => client.kind === 'TPP' && client.redirectUris.includes(given)),
  },
  {
    id: 'redirect-uri-matches-by-its-beginning',
    story: 'The redirect_uri of a code exchange is to begin with the one of the authorization.',
    breaks: [TOK.anotherRedirectUriIsRefused],
    rules: forgivingUris(({ code }, given) => given.startsWith(code.redirectUri)),
  },
  {
    id: 'redirect-uri-matches-by-its-host-in-production',
    story: 'In production, the redirect_uri of a code exchange is to have the host of the one before.',
    breaks: [TOK.anotherRedirectUriIsRefused],
    environment: 'production',
    rules: forgivingUris(({ code }, given) => new URL(given).host === new URL(code.redirectUri).host),
  },
  {
    id: 'redirect-uri-of-an-exchange-is-optional',
    story: 'A code exchange without redirect_uri is accepted.',
    breaks: [TOK.missingRedirectUriIsRefused],
    rules: optionalUri(['FAC', 'TPP']),
  },
  {
    id: 'redirect-uri-of-a-fac-is-optional',
    story: 'The code exchange of a FAC without redirect_uri is accepted.',
    breaks: [TOK.missingRedirectUriIsRefused],
    rules: optionalUri(['FAC']),
  },
]

const requests: readonly Defect[] = [
  {
    id: 'every-grant-type-with-a-code-is-a-code-exchange',
    story: 'A token request with a code is a code exchange, whatever its grant_type.',
    breaks: [TOK.unknownGrantTypeIsRefused],
    rules: { grantTypeIsAccepted: () => true },
  },
  {
    id: 'grant-type-is-compared-by-its-beginning',
    story: 'A grant_type that begins with authorization_code is taken for it, in production.',
    breaks: [TOK.unknownGrantTypeIsRefused],
    environment: 'production',
    rules: (lawful) => ({
      grantTypeIsAccepted: (facts) =>
        facts.grantType.startsWith('authorization_code') || lawful.grantTypeIsAccepted(facts),
    }),
  },
  {
    id: 'code-exchange-is-the-default',
    story: 'A token request without a grant_type is taken for a code exchange.',
    breaks: [TOK.missingGrantTypeIsRefused],
    wire: readingExchanges(({ form }) => {
      if (!form.has('grant_type')) form.set('grant_type', 'authorization_code')
    }),
  },
  {
    id: 'token-endpoint-takes-get',
    story: 'The token endpoint serves a GET request with its parameters in the query.',
    breaks: [TOK.nothingIsIssuedByGet],
    wire: takingGet,
  },
  {
    id: 'parameter-may-be-repeated',
    story: 'Of a parameter that is repeated, the first value counts.',
    breaks: [TOK.repeatedParameterIsRefused],
    rules: (lawful) => ({
      mayRepeat: (facts) => facts.endpoint === 'token' || lawful.mayRepeat(facts),
    }),
  },
  {
    id: 'code-may-be-repeated',
    story: 'Of a code that is repeated, the last value counts.',
    breaks: [TOK.repeatedParameterIsRefused],
    wire: keepingTheLast('code'),
  },
  {
    id: 'redirect-uri-may-be-repeated',
    story: 'Of a redirect_uri that is repeated, the last value counts.',
    breaks: [TOK.repeatedParameterIsRefused],
    wire: keepingTheLast('redirect_uri'),
  },
]

/** Opens every account that the bank has to a token whose scope is not the one granted. */
const openingOthers: RuleChange = (lawful) => ({
  exchangeScopeIsAccepted: () => true,
  statedScope: (facts) => lawful.statedScope({ ...facts, scope: facts.grant.scope }),
  accountsSeen: (facts) =>
    facts.token.scope === facts.grant.scope
      ? lawful.accountsSeen(facts)
      : facts.customers.flatMap(({ accounts }) => accounts),
})

const scopes: readonly Defect[] = [
  {
    id: 'code-exchange-takes-any-scope',
    story: 'A code exchange issues a token for the scope that it names, and says so.',
    breaks: [TOK.exchangeDoesNotWidenTheScope],
    rules: { exchangeScopeIsAccepted: () => true },
  },
  {
    id: 'scope-of-a-code-exchange-opens-another-consent',
    story: 'A code exchange with the scope of another consent says the own one, and opens the other.',
    breaks: [TOK.exchangeDoesNotWidenTheScope],
    rules: openingOthers,
  },
  {
    id: 'scope-of-a-code-exchange-opens-another-consent-in-production',
    story: 'In production, a code exchange with the scope of another consent opens that consent.',
    breaks: [TOK.exchangeDoesNotWidenTheScope],
    environment: 'production',
    rules: openingOthers,
  },
]

export const defectsOfRefusingRequests: readonly Defect[] = [...redirectUris, ...requests, ...scopes]
