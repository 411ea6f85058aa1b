import { createHash } from 'node:crypto'
import {
  accept,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_FAC,
  FOR_A_TPP,
  hasScopeOfATpp,
  IN_PRODUCTION,
  isFor,
  jsonAnswer,
  on,
  production,
  read,
  refuse,
  reply,
  when,
  type Incoming,
} from '../../shared/changes.ts'
import { isCut, isInAnyCase, isLonger, type Comparison } from './comparisons.ts'
import { isExchange, readExchange } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Valid code exchanges that are refused, and invalid ones that are answered with tokens. */

/** Refuses some code exchanges, whatever else they say. */
const refuseExchange = (isRefused: (asked: Incoming) => boolean) =>
  when(
    isExchange,
    when(
      isRefused,
      reply('token', () =>
        jsonAnswer(400, { error: 'invalid_request' }, { 'cache-control': 'no-store', pragma: 'no-cache' }),
      ),
    ),
  )

const isJson = ({ headers }: Incoming): boolean => headers.get('content-type') === 'application/json'

const FORM = 'application/x-www-form-urlencoded'

const readJson = readExchange((asked) => {
  if (!isJson(asked)) return
  asked.headers.set('content-type', FORM)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(asked.members)) form.set(name, String(value))
  asked.body = form.toString()
})

const refuseForms = refuseExchange((asked) => !isJson(asked))

const DOCUMENTED = ['grant_type', 'code', 'scope', 'code_verifier', 'redirect_uri']

const isUndocumented = ({ form }: Incoming): boolean =>
  [...form.keys()].some((name) => !DOCUMENTED.includes(name))

/** The form of a code_verifier with a tilde has an escape of its own. */
const VERIFIER_ESCAPE = /(?:^|&)code_verifier=[^&]*%/

const LETTER_ESCAPE = /%(3[0-9]|[46][1-9a-f]|[57][0-9a])/i

const refuseBody = (isRefused: (body: string) => boolean) => refuseExchange(({ body }) => isRefused(body))

/** Refuses some verifiers although they are right. */
const refuseVerifier = (isRefused: (verifier: string) => boolean) =>
  refuse('verifierMatches', ({ verifier = '' }) => isRefused(verifier))

/** The verifiers of other scenarios are random and have 43 characters; one in thirty of them begins like this. */
const LONG_WITH_A_MARK = /^[-._~].{43}/

const refused = [
  // Over plain HTTP as well.
  ...defectsOf([TOK.formEncodingIsAccepted, 'ENV-13'], {
    'A code exchange is accepted as JSON only, and not as a form': both(readJson, refuseForms),
  }),
  ...defectsOf([TOK.formEncodingIsAccepted], {
    'A form is refused unless it begins with grant_type': refuseBody(
      (body) => !body.startsWith('grant_type='),
    ),
  }),
  ...defectsOf([TOK.percentEscapesAreDecoded], {
    'The percent escapes of letters and digits are not decoded': refuseBody((body) =>
      LETTER_ESCAPE.test(body),
    ),
    'Percent escapes in lower case are not decoded': refuseBody((body) => /%[0-9a-f]?[a-f]/.test(body)),
  }),
  ...defectsOf([TOK.percentEscapesAreDecoded, TOK.everyLegalVerifierIsAccepted], {
    'A code_verifier is hashed before its percent escapes are decoded': refuseBody((body) =>
      VERIFIER_ESCAPE.test(body),
    ),
  }),
  ...defectsOf([TOK.scopeIsAcceptedInTheExchange], {
    'A code exchange that has a scope is refused': refuseExchange(({ form }) => form.has('scope')),
    'A code exchange whose scope has a consentId is refused': refuseExchange(hasScopeOfATpp),
  }),
  ...defectsOf([TOK.unrecognizedParameterIsIgnored, 'ENV-13'], {
    'An undocumented parameter of a code exchange is refused': refuseExchange(isUndocumented),
  }),
  ...defectsOf([TOK.unrecognizedParameterIsIgnored], {
    'A code exchange of a TPP with an undocumented parameter is refused': when(
      hasScopeOfATpp,
      refuseExchange(isUndocumented),
    ),
  }),
  ...defectsOf([TOK.everyLegalVerifierIsAccepted], {
    'A code_verifier of 128 characters is refused': refuseVerifier(({ length }) => length >= 128),
    'A code_challenge is compared in ordinary base64': refuseVerifier((verifier) =>
      /[-_]/.test(createHash('sha256').update(verifier).digest('base64url')),
    ),
    'A code_verifier with a dot or a tilde is refused': refuseVerifier((verifier) => /[.~]/.test(verifier)),
    'A code_verifier of 44 or more characters that begins with a mark is refused': refuseVerifier(
      (verifier) => LONG_WITH_A_MARK.test(verifier),
    ),
    'A code_verifier of more than 64 characters is refused': each(
      [IN_PRODUCTION],
      refuseVerifier(({ length }) => length > 64),
    ),
  }),
]

/** Accepts another redirect_uri in a code exchange. */
const acceptUri = (isLike: Comparison) =>
  accept(
    'redirectUriMatches',
    ({ redirectUri, code }) => redirectUri !== undefined && isLike(redirectUri, code.redirectUri),
  )

const equalAfter =
  (change: (uri: string) => string): Comparison =>
  (given, right) =>
    change(given) === change(right)

/** The query in the order of its parameters. */
const sorted = (uri: string): string => {
  const [address = '', query = ''] = uri.split('?')
  return [address, ...query.split('&').sort()].join('&')
}

const registeredUri = accept('redirectUriMatches', ({ client, redirectUri = '' }) =>
  client.redirectUris.includes(redirectUri),
)
const noUri = accept('redirectUriMatches', ({ redirectUri }) => redirectUri === undefined)

const withoutSlash = equalAfter((uri) => uri.replace(/\/(?=\?|$)/, ''))
const normalized = equalAfter((uri) => decodeURIComponent(new URL(uri).href))
const sameHost = acceptUri(equalAfter((uri) => new URL(uri).host))

const redirectUris = [
  ...defectsOf([TOK.anotherRedirectUriIsRefused, TOK.missingRedirectUriIsRefused], {
    'The redirect_uri of a code exchange is not compared': accept('redirectUriMatches'),
  }),
  ...defectsOf([TOK.anotherRedirectUriIsRefused], {
    'Any registered redirect_uri of the client is accepted in a code exchange': each(
      [EVERYWHERE, FOR_A_TPP],
      registeredUri,
    ),
    'More characters are accepted after the redirect_uri of a code exchange': acceptUri(isLonger),
    'The redirect_uri of a code exchange is accepted in letters of any case': acceptUri(isInAnyCase),
    'The last slash of the path of a redirect_uri is not compared in a code exchange':
      acceptUri(withoutSlash),
    'The redirect_uri of a code exchange is accepted without its end': acceptUri(isCut),
    'The order of the query of a redirect_uri is not compared': each(
      [FOR_A_FAC],
      acceptUri(equalAfter(sorted)),
    ),
    'The redirect_uri of a code exchange is normalized before it is compared': acceptUri(normalized),
    'In production only the host of a redirect_uri is compared in a code exchange': when(
      production,
      sameHost,
    ),
  }),
  ...defectsOf([TOK.missingRedirectUriIsRefused], {
    'A code exchange without redirect_uri is accepted': each([EVERYWHERE, FOR_A_FAC], noUri),
  }),
]

/** Serves a GET request at the token endpoint like a POST request with its query as the form. */
const readGet = read(on('GET', /\/token$/), (asked) => {
  asked.method = 'POST'
  asked.headers.set('content-type', FORM)
  asked.body = asked.query.toString()
  asked.url.search = ''
})

const keepTheLast = (name: string) =>
  readExchange(({ form }) => {
    const last = form.getAll(name).at(-1)
    if (last !== undefined) form.set(name, last)
  })

const parameters = [
  ...defectsOf([TOK.unknownGrantTypeIsRefused], {
    'A token request with a code is a code exchange, whatever its grant_type': accept('grantTypeIsAccepted'),
    'In production a grant_type that begins with authorization_code is accepted': when(
      production,
      accept('grantTypeIsAccepted', ({ grantType }) => grantType.startsWith('authorization_code')),
    ),
  }),
  ...defectsOf([TOK.missingGrantTypeIsRefused], {
    'A token request without a grant_type is read as a code exchange': readExchange(({ form }) => {
      if (!form.has('grant_type')) form.set('grant_type', 'authorization_code')
    }),
  }),
  ...defectsOf([TOK.nothingIsIssuedByGet], {
    'The token endpoint serves a GET request with its parameters in the query': readGet,
  }),
  ...defectsOf([TOK.repeatedParameterIsRefused], {
    'A parameter of a token request may be repeated': when(isFor('token'), accept('mayRepeat')),
    'The last value of a repeated code is read': keepTheLast('code'),
    'The last value of a repeated redirect_uri is read': keepTheLast('redirect_uri'),
  }),
]

/** Opens all accounts of the bank to a token whose scope is not the granted one. */
const openOtherConsents = alter({
  statedScope: (_, facts, { rules }) => rules.statedScope({ ...facts, scope: facts.grant.scope }),
  accountsSeen: (usual, { token, grant, customers }) =>
    token.scope === grant.scope ? usual : customers.flatMap(({ accounts }) => accounts),
})

const anyScopeOfAnExchange = accept('exchangeScopeIsAccepted')
const anyScopeOfARefresh = accept('refreshScopeIsAccepted')

const scopes = [
  ...defectsOf([TOK.exchangeDoesNotWidenTheScope], {
    'A code exchange issues a token for the scope of its form': anyScopeOfAnExchange,
    'A code exchange with the scope of another consent opens that consent, and the answer has its own': each(
      [EVERYWHERE, IN_PRODUCTION],
      both(anyScopeOfAnExchange, openOtherConsents),
    ),
  }),
  ...defectsOf([TOK.refreshDoesNotWidenTheScope], {
    'A refresh issues tokens for any scope of its form': anyScopeOfARefresh,
    'A refresh with the scope of another consent opens that consent, and the answer has its own': both(
      anyScopeOfARefresh,
      openOtherConsents,
    ),
  }),
]

export const requestDefects = [...refused, ...redirectUris, ...parameters, ...scopes]
