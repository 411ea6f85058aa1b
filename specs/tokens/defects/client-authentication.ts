import {
  accept,
  alter,
  basicHeader,
  basicIn,
  defectsOf,
  hasScopeOfATpp,
  isFor,
  isOfAFac,
  isOfATpp,
  production,
  read,
  when,
  type FactsOf,
  type MessagePast,
} from '../../shared/changes.ts'
import { isCut, isInAnyCase, isLonger, isRecasedOnce, type Comparison } from './comparisons.ts'
import { isExchange, isRefresh, readExchange, sentTokens } from './messages.ts'
import { TOK } from '../requirements.ts'

/** Token requests that are accepted from a client whose credentials are wrong or missing. */

type Credentials = Pick<ReturnType<typeof sentTokens>[number], 'clientId' | 'secret'>

type IsMeant = typeof isExchange

/** Reads a Basic header as one that was accepted before, where both together are accepted. */
const readClientAs = (
  isMeant: IsMeant,
  accepts: (given: Credentials, known: Credentials, past: MessagePast) => boolean,
) =>
  when(
    isMeant,
    read('token', ({ headers }, past) => {
      const [clientId, secret] = basicIn(headers)
      const meant = sentTokens(past).find((known) => accepts({ clientId, secret }, known, past))
      if (meant) headers.set('authorization', basicHeader(meant.clientId, meant.secret))
    }),
  )

/** Compares the secret of a client in another way, once it was authenticated. */
const acceptSecret = (isLike: Comparison, isMeant: IsMeant = isExchange) =>
  readClientAs(
    isMeant,
    (given, known) => given.clientId === known.clientId && isLike(given.secret, known.secret),
  )

const acceptClientId = (isLike: Comparison) =>
  readClientAs(
    isExchange,
    (given, known) => given.secret === known.secret && isLike(given.clientId, known.clientId),
  )

const isAny: Comparison = () => true

const WRONG_SECRETS: Readonly<Record<string, Comparison>> = {
  'any secret of a client that was authenticated before': isAny,
  'more characters after the right secret': isLonger,
  'an empty secret': (given) => given === '',
  'the secret in letters of any case': isInAnyCase,
  'a secret with one letter of the other case': isRecasedOnce,
  'a blank after the secret': (given, right) => given.trimEnd() === right,
}

const wrongSecretsIn = (request: string, isMeant: IsMeant) =>
  Object.fromEntries(
    Object.entries(WRONG_SECRETS).map(([secret, isLike]) => [
      `A ${request} is accepted with ${secret}`,
      acceptSecret(isLike, isMeant),
    ]),
  )

const wrongSecrets = [
  ...defectsOf([TOK.wrongSecretIsRefused], {
    ...wrongSecretsIn('code exchange', isExchange),
    'A code exchange is accepted with a secret that lacks characters at its end': acceptSecret(isCut),
    'A code exchange of a TPP is accepted with more characters after the right secret': when(
      hasScopeOfATpp,
      acceptSecret(isLonger),
    ),
    'A code exchange is accepted with a secret that lacks its first character': acceptSecret(
      (given, right) => given !== '' && right.slice(1) === given,
    ),
  }),
  ...defectsOf([TOK.wrongSecretIsRefused, TOK.refreshWithAWrongSecretIsRefused], {
    'A token request is accepted with the secret of any client': when(
      isFor('token'),
      alter(
        {
          secretMatches: (_, { secret }, { of }) =>
            of('clientOf').some(({ facts }) => facts.clients.some((client) => client.secret === secret)),
        },
        'clientOf',
      ),
    ),
  }),
  ...defectsOf([TOK.refreshWithAWrongSecretIsRefused], {
    ...wrongSecretsIn('refresh', isRefresh),
    'A refresh is accepted with the secret of any client that was authenticated before': readClientAs(
      isRefresh,
      (given, known, past) =>
        given.clientId === known.clientId && sentTokens(past).some(({ secret }) => secret === given.secret),
    ),
  }),
  ...defectsOf([TOK.basicAuthenticationIsAccepted], {
    'client_id and client_secret are read from the form, and the Basic header is refused': when(
      isFor('token'),
      alter({
        basicCredentials: undefined,
        clientWithoutBasic: (_, { form, clients }) =>
          clients.find(
            ({ clientId, secret }) =>
              form.get('client_id') === clientId && form.get('client_secret') === secret,
          ),
      }),
    ),
  }),
  ...defectsOf([TOK.basicAuthenticationIsAccepted, 'CON-04'], {
    'Client credentials must be form-encoded in the Basic header': alter({
      basicCredentials: (usual) =>
        usual?.secret.includes(':')
          ? undefined
          : usual && { ...usual, secret: decodeURIComponent(usual.secret) },
    }),
  }),
  ...defectsOf([TOK.basicAuthenticationIsAccepted, TOK.codeIsExchangedForAnAccessToken], {
    'In a code exchange a secret is cut at its last colon': readExchange(({ headers, form }) => {
      const cut = (secret: string): string => secret.replace(/:[^:]*$/, '')
      const [clientId, secret] = basicIn(headers)
      if (secret.includes(':')) headers.set('authorization', basicHeader(clientId, cut(secret)))
      if (form.has('client_secret')) form.set('client_secret', cut(form.get('client_secret') ?? ''))
    }),
  }),
]

type Owner = Pick<FactsOf<'newCode'>, 'client'>

/** Accepts a client_id in the form instead of credentials. */
const acceptName = (isMeant: IsMeant, isTheirs: (owner: Owner) => boolean = () => true) =>
  when(
    isMeant,
    alter({
      clientWithoutBasic: (_, { form, clients }) =>
        clients.find((client) => client.clientId === form.get('client_id') && isTheirs({ client })),
    }),
  )

/** Takes the client that a refresh token was issued to, where a refresh has no credentials. */
const acceptRefreshTokenOf = (isMeant: (owner: Owner) => boolean) =>
  alter(
    {
      clientWithoutBasic: (usual, { form }, { of }) =>
        of('newRefreshToken').find((call) => call.answer === form.get('refresh_token') && isMeant(call.facts))
          ?.facts.client ?? usual,
    },
    'newRefreshToken',
  )

const otherClients = [
  ...defectsOf([TOK.unknownClientIsRefused], {
    'A code exchange is accepted with more characters after the client_id': acceptClientId(isLonger),
    'A code exchange is accepted with the client_id in letters of any case': acceptClientId(isInAnyCase),
    'In production the client of a code exchange is found by its secret': when(
      production,
      acceptClientId(isAny),
    ),
  }),
  ...defectsOf([TOK.missingClientAuthenticationIsRefused], {
    'Without an Authorization header, the client is the one that the code was issued to': alter(
      {
        clientWithoutBasic: (usual, { form }, { of }) =>
          form.has('client_id')
            ? usual
            : of('newCode').find((call) => call.answer === form.get('code'))?.facts.client,
      },
      'newCode',
    ),
    'A code exchange is accepted with a client_id in its form instead of credentials': acceptName(isExchange),
    'A code exchange of a TPP is accepted with a client_id in its form instead of credentials': acceptName(
      isExchange,
      isOfATpp,
    ),
  }),
  ...defectsOf([TOK.refreshNeedsClientAuthentication], {
    'A refresh is accepted without client credentials': acceptRefreshTokenOf(() => true),
    'A refresh of a FAC is accepted without client credentials': acceptRefreshTokenOf(isOfAFac),
    'A refresh is accepted with a client_id in its form instead of credentials': acceptName(isRefresh),
  }),
  ...defectsOf([TOK.anotherClientsCodeIsRefused], {
    'Any client can exchange a code': accept('codeBelongsTo'),
    'A TPP can exchange the code of another client': when(isOfATpp, accept('codeBelongsTo')),
  }),
  ...defectsOf([TOK.anotherClientsRefreshTokenIsRefused], {
    'Any client can use a refresh token': accept('refreshBelongsTo'),
    'A TPP can use the refresh token of another client': when(isOfATpp, accept('refreshBelongsTo')),
  }),
]

export const clientAuthenticationDefects = [...wrongSecrets, ...otherClients]
