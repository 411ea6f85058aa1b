import {
  answering,
  basicHeader,
  basicIn,
  breaking,
  hasScopeOfATpp,
  isFor,
  isOfAFac,
  on,
  parsedMembers,
  perBank,
  readingRequests,
  rewordingAnswers,
  where,
  wired,
  type Answer,
  type Asked,
  type Incoming,
  type Reworded,
} from '../../shared/defects.ts'
import { TOK } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Defects in how token requests are read, and in how they are answered, for which there is no rule. */

/** The loan sandbox has a token endpoint of its own. */
const isTokenRequest = on('POST', /^(?!\/paylater\/).*\/auth\/oauth\/v2\/token$/)

/** A request without a grant_type is read as a code exchange. */
const isRefresh = (form: URLSearchParams): boolean => form.get('grant_type') === 'refresh_token'

export interface IssuedTokens {
  readonly accessToken: unknown
  readonly refreshToken: string
  /** The Basic header of the request. */
  readonly authorization: string
}

/** What the bank has sent before. */
export interface Known {
  /** The codes that browsers were sent back with, in order. */
  readonly codes: readonly string[]
  readonly issued: readonly IssuedTokens[]
}

const codesIn = (response: Response): readonly string[] => {
  const location = response.headers.get('location') ?? ''
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null
  return code === null ? [] : [code]
}

const tokensIn = async (request: Request, response: Response): Promise<readonly IssuedTokens[]> => {
  const { access_token: accessToken, refresh_token: refreshToken } =
    parsedMembers(await response.clone().text()) ?? {}
  const authorization = request.headers.get('authorization')
  return accessToken === undefined || authorization === null
    ? []
    : [{ accessToken, refreshToken: String(refreshToken), authorization }]
}

const readingTokenRequests =
  (applies: (form: URLSearchParams) => boolean) =>
  (change: (request: Incoming, known: Known) => void): Wire =>
  (next) => {
    const codes: string[] = []
    const issued: IssuedTokens[] = []
    const read = readingRequests(isTokenRequest, (request) => {
      if (applies(request.form)) change(request, { codes, issued })
    })
    return read(async (request) => {
      const response = await next(request)
      if (isTokenRequest(request)) issued.push(...(await tokensIn(request, response)))
      else codes.push(...codesIn(response))
      return response
    })
  }

/** Changes what the bank reads of code exchanges. */
export const readingExchanges = readingTokenRequests((form) => !isRefresh(form))

/** Changes what the bank reads of refreshes. */
export const readingRefreshes = readingTokenRequests(isRefresh)

/** Whether a text differs from the right one by the case of one letter. */
export const isRecasedOnce = (given: string, right: string): boolean => {
  const differing = Array.from(right).filter((letter, at) => letter !== given.charAt(at))
  return differing.length === 1 && given.toLowerCase() === right.toLowerCase()
}

const refusedRequest = (): Response =>
  Response.json(
    { error: 'invalid_request', error_description: 'The request cannot be read.' },
    { status: 400, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } },
  )

/** Refuses some code exchanges, whatever else they say. */
const refusingExchanges = (isRefused: (request: Incoming) => boolean): Wire =>
  answering(isTokenRequest, (request) =>
    !isRefresh(request.form) && isRefused(request) ? refusedRequest() : undefined,
  )

/** @param count how many such answers this bank has given, this one included. */
type Reword = (answer: Answer, asked: Asked, count: number) => Reworded | undefined

const rewording =
  (applies: (answer: Answer, form: URLSearchParams) => boolean) =>
  (reword: Reword): Wire =>
    perBank(() => {
      let count = 0
      return rewordingAnswers(isTokenRequest, (answer, asked) =>
        applies(answer, asked.form) ? reword(answer, asked, (count += 1)) : undefined,
      )
    })

/** Changes the answers to code exchanges that carry tokens. */
export const rewordingTokens = rewording(({ status }, form) => status === 200 && !isRefresh(form))

/** Changes the answers to refreshes that carry tokens. */
export const rewordingRenewals = rewording(({ status }, form) => status === 200 && isRefresh(form))

/** Changes the refusals of code exchanges. */
export const rewordingRefusals = rewording(({ status }, form) => status !== 200 && !isRefresh(form))

/** Valid code exchanges that are refused, and invalid ones that are answered with tokens. */

/** Reads code exchanges that are JSON, and refuses forms. */
const jsonAlone: Wire = wired(
  readingRequests(isTokenRequest, (request) => {
    if (request.headers.get('content-type') !== 'application/json') return
    request.headers.set('content-type', 'application/x-www-form-urlencoded')
    const members = Object.entries(parsedMembers(request.body) ?? {})
    request.body = new URLSearchParams(
      members.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
  }),
  refusingExchanges(({ headers }) => headers.get('content-type') !== 'application/json'),
)

const DOCUMENTED = ['grant_type', 'code', 'scope', 'code_verifier', 'redirect_uri']

const isUndocumented = (form: URLSearchParams): boolean =>
  [...form.keys()].some((name) => !DOCUMENTED.includes(name))

/** Refuses some verifiers although they are right. */
const refusingVerifiers =
  (isRefused: (verifier: string) => boolean): RuleChange =>
  (lawful) => ({
    verifierMatches: (facts) => !isRefused(facts.verifier ?? '') && lawful.verifierMatches(facts),
  })

/** The value of a code_verifier in the body, with its percent escapes. */
const rawVerifier = (body: string): string => /(?:^|&)code_verifier=([^&]*)/.exec(body)?.[1] ?? ''

const refused: readonly Defect[] = [
  ...breaking(TOK.formEncodingIsAccepted, {
    'code-exchange-takes-json-alone': {
      story: 'A code exchange is accepted as JSON only; a form is refused.',
      // Over plain HTTP as well.
      alsoBreaks: ['ENV-13'],
      wire: jsonAlone,
    },
    'code-exchange-begins-with-its-grant-type': {
      story: 'A form is refused unless its first parameter is grant_type.',
      wire: refusingExchanges(({ body }) => !body.startsWith('grant_type=')),
    },
  }),
  ...breaking(TOK.percentEscapesAreDecoded, {
    'escapes-of-letters-stay-escapes': {
      story: 'The escapes of reserved characters are decoded, and those of letters and digits are not.',
      wire: refusingExchanges(({ body }) => /%(3[0-9]|[46][1-9a-f]|[57][0-9a])/i.test(body)),
    },
    'escapes-in-lower-case-stay-escapes': {
      story: 'Percent escapes are decoded only if their digits are in upper case.',
      wire: refusingExchanges(({ body }) => /%[0-9a-f]?[a-f]/.test(body)),
    },
    'escapes-in-a-verifier-stay-escapes': {
      story: 'A code_verifier is hashed before its percent escapes are decoded.',
      alsoBreaks: [TOK.everyLegalVerifierIsAccepted],
      // The form of a code_verifier with a tilde has an escape of its own.
      wire: refusingExchanges(({ body }) => rawVerifier(body).includes('%')),
    },
  }),
  ...breaking(TOK.scopeIsAcceptedInTheExchange, {
    'scope-of-a-code-exchange-is-refused': {
      story: 'A code exchange that has a scope is refused.',
      wire: refusingExchanges(({ form }) => form.has('scope')),
    },
    'scope-with-a-consent-is-refused': {
      story: 'A code exchange whose scope has a consentId is refused.',
      wire: refusingExchanges(({ form }) => hasScopeOfATpp(form)),
    },
  }),
  ...breaking(TOK.unrecognizedParameterIsIgnored, {
    'undocumented-parameter-is-refused': {
      story: 'A code exchange that has more than the documented parameters is refused.',
      // Over plain HTTP as well.
      alsoBreaks: ['ENV-13'],
      wire: refusingExchanges(({ form }) => isUndocumented(form)),
    },
    'undocumented-parameter-of-a-tpp-is-refused': {
      story: 'A code exchange of a TPP that has more than the documented parameters is refused.',
      wire: refusingExchanges(({ form }) => hasScopeOfATpp(form) && isUndocumented(form)),
    },
  }),
  ...breaking(TOK.basicAuthenticationIsAccepted, {
    'client-credentials-stand-in-the-form': {
      story: 'client_id and client_secret are read from the form; the Basic header is refused.',
      rules: (lawful) => ({
        basicCredentials: (facts) =>
          facts.endpoint === 'token' ? undefined : lawful.basicCredentials(facts),
        clientWithoutBasic: ({ form, clients, endpoint }) =>
          clients.find(
            ({ clientId, secret }) =>
              endpoint === 'token' &&
              form.get('client_id') === clientId &&
              form.get('client_secret') === secret,
          ),
      }),
    },
    'basic-pair-is-cut-at-its-last-colon': {
      story: 'At the token endpoint a secret is cut at its last colon.',
      wire: readingExchanges(({ headers }) => {
        const [clientId, secret] = basicIn(headers)

        if (secret.includes(':'))
          headers.set('authorization', basicHeader(clientId, secret.slice(0, secret.lastIndexOf(':'))))
      }),
    },
  }),
  ...breaking(TOK.everyLegalVerifierIsAccepted, {
    'verifier-of-128-characters-is-too-long': {
      story: 'A code_verifier of 128 characters is refused.',
      rules: refusingVerifiers((verifier) => verifier.length >= 128),
    },
    'verifier-has-no-tilde': {
      story: 'A code_verifier with a tilde is refused.',
      rules: refusingVerifiers((verifier) => verifier.includes('~')),
    },
    'verifier-is-base64url': {
      story: 'A code_verifier with a dot or a tilde is refused, as no base64url.',
      rules: refusingVerifiers((verifier) => /[.~]/.test(verifier)),
    },
    'verifier-begins-with-a-letter-or-digit': {
      // The verifiers of other scenarios are random and have 43 characters; one in thirty of them begins like this.
      story: 'A code_verifier of more than 43 characters that begins with a punctuation mark is refused.',
      rules: refusingVerifiers((verifier) => verifier.length > 43 && /^[-._~]/.test(verifier)),
    },
    'verifier-fits-into-64-characters-in-production': {
      story: 'In production a code_verifier of more than 64 characters is refused.',
      environment: 'production',
      rules: refusingVerifiers((verifier) => verifier.length > 64),
    },
  }),
]

type Facts = Parameters<Rules['redirectUriMatches']>[0]

/** Accepts other redirect URIs too. */
const accepting = (passes: (facts: Facts, given: string) => boolean): RuleChange =>
  where((facts) => facts.redirectUri !== undefined && passes(facts, facts.redirectUri), {
    redirectUriMatches: () => true,
  })

const withoutLastSlash = (uri: string): string => uri.replace(/\/(?=\?|$)/, '')

const inOrder = (uri: string): string => {
  const [address = '', query = ''] = uri.split('?')
  return [address, ...query.split('&').sort()].join('&')
}

const normalized = (uri: string): string => decodeURIComponent(new URL(uri).href)

/** Serves a GET request at the token endpoint like a POST request with its query as the form. */
const takingGet: Wire = readingRequests(on('GET', /\/token$/), (request) => {
  request.method = 'POST'
  request.headers.set('content-type', 'application/x-www-form-urlencoded')
  request.body = request.query.toString()
  request.url.search = ''
})

const keepingTheLast = (name: string): Wire =>
  readingExchanges(({ form }) => {
    const last = form.getAll(name).at(-1)
    if (last !== undefined) form.set(name, last)
  })

const redirectUris: readonly Defect[] = [
  ...breaking(TOK.anotherRedirectUriIsRefused, {
    'redirect-uri-of-an-exchange-is-not-looked-at': {
      story: 'The redirect_uri of a code exchange is not compared.',
      alsoBreaks: [TOK.missingRedirectUriIsRefused],
      rules: { redirectUriMatches: () => true },
    },
    'any-registered-redirect-uri-matches': {
      story: 'Any registered redirect_uri of the client is accepted in a code exchange.',
      rules: accepting(({ client }, given) => client.redirectUris.includes(given)),
    },
    'any-registered-redirect-uri-of-a-tpp-matches': {
      story: 'Any registered redirect_uri of a TPP is accepted in a code exchange.',
      rules: accepting(({ client }, given) => client.kind === 'TPP' && client.redirectUris.includes(given)),
    },
    'redirect-uri-matches-by-its-beginning': {
      story: 'A redirect_uri with more characters after the right one is accepted.',
      rules: accepting(({ code }, given) => given.startsWith(code.redirectUri)),
    },
    'redirect-uri-matches-in-any-case': {
      story: 'A redirect_uri is compared without regard to case.',
      rules: accepting(({ code }, given) => given.toLowerCase() === code.redirectUri.toLowerCase()),
    },
    'redirect-uri-matches-without-its-last-slash': {
      story: 'The slash at the end of the path of a redirect_uri is not compared.',
      rules: accepting(({ code }, given) => withoutLastSlash(given) === withoutLastSlash(code.redirectUri)),
    },
    'beginning-of-the-redirect-uri-matches': {
      story: 'A redirect_uri is accepted if the right one begins with it.',
      rules: accepting(({ code }, given) => code.redirectUri.startsWith(given)),
    },
    'redirect-uri-of-a-fac-matches-in-any-order-of-its-query': {
      story: 'The order of the query of a redirect_uri of a FAC is not compared.',
      rules: accepting(
        ({ client, code }, given) => client.kind === 'FAC' && inOrder(given) === inOrder(code.redirectUri),
      ),
    },
    'redirect-uri-of-an-exchange-is-normalized': {
      story: 'A redirect_uri is compared after its percent escapes and its port are normalized.',
      rules: accepting(({ code }, given) => normalized(given) === normalized(code.redirectUri)),
    },
    'redirect-uri-matches-by-its-host-in-production': {
      story: 'In production any redirect_uri with the host of the right one is accepted.',
      environment: 'production',
      rules: accepting(({ code }, given) => new URL(given).host === new URL(code.redirectUri).host),
    },
  }),
  ...breaking(TOK.missingRedirectUriIsRefused, {
    'redirect-uri-of-an-exchange-is-optional': {
      story: 'A code exchange without redirect_uri is accepted.',
      rules: where(({ redirectUri }) => redirectUri === undefined, { redirectUriMatches: () => true }),
    },
    'redirect-uri-of-a-fac-is-optional': {
      story: 'The code exchange of a FAC without redirect_uri is accepted.',
      rules: where((facts) => facts.redirectUri === undefined && isOfAFac(facts), {
        redirectUriMatches: () => true,
      }),
    },
  }),
]

const requests: readonly Defect[] = [
  ...breaking(TOK.unknownGrantTypeIsRefused, {
    'every-grant-type-with-a-code-is-a-code-exchange': {
      story: 'A token request with a code is a code exchange, whatever its grant_type.',
      rules: { grantTypeIsAccepted: () => true },
    },
    'grant-type-is-compared-by-its-beginning': {
      story: 'A grant_type that begins with authorization_code is taken for it, in production.',
      environment: 'production',
      rules: where(({ grantType }) => grantType.startsWith('authorization_code'), {
        grantTypeIsAccepted: () => true,
      }),
    },
  }),
  ...breaking(TOK.missingGrantTypeIsRefused, {
    'code-exchange-is-the-default': {
      story: 'A token request without a grant_type is taken for a code exchange.',
      wire: readingExchanges(({ form }) => {
        if (!form.has('grant_type')) form.set('grant_type', 'authorization_code')
      }),
    },
  }),
  ...breaking(TOK.nothingIsIssuedByGet, {
    'token-endpoint-takes-get': {
      story: 'The token endpoint serves a GET request with its parameters in the query.',
      wire: takingGet,
    },
  }),
  ...breaking(TOK.repeatedParameterIsRefused, {
    'parameter-may-be-repeated': {
      story: 'The first value of a repeated parameter is read.',
      rules: where(isFor('token'), { mayRepeat: () => true }),
    },
    'code-may-be-repeated': {
      story: 'The last value of a repeated code is read.',
      wire: keepingTheLast('code'),
    },
    'redirect-uri-may-be-repeated': {
      story: 'The last value of a repeated redirect_uri is read.',
      wire: keepingTheLast('redirect_uri'),
    },
  }),
]

/** Opens all accounts of the bank to a token whose scope is not the granted one. */
const openingOthers: RuleChange = (lawful) => ({
  exchangeScopeIsAccepted: () => true,
  statedScope: (facts) => lawful.statedScope({ ...facts, scope: facts.grant.scope }),
  accountsSeen: (facts) =>
    facts.token.scope === facts.grant.scope
      ? lawful.accountsSeen(facts)
      : facts.customers.flatMap(({ accounts }) => accounts),
})

const scopes: readonly Defect[] = [
  ...breaking(TOK.exchangeDoesNotWidenTheScope, {
    'code-exchange-takes-any-scope': {
      story: 'A code exchange issues a token for the scope of its form.',
      rules: { exchangeScopeIsAccepted: () => true },
    },
    'scope-of-a-code-exchange-opens-another-consent': {
      story:
        'A code exchange with the scope of another consent opens that consent, and the answer names its own.',
      rules: openingOthers,
      inProduction: 'scope-of-a-code-exchange-opens-another-consent-in-production',
    },
  }),
]

export const requestDefects: readonly Defect[] = [...refused, ...redirectUris, ...requests, ...scopes]
