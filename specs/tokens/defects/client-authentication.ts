import {
  accept,
  alter,
  basicHeader,
  basicIn,
  defectsOf,
  each,
  EVERYWHERE,
  FOR_A_FAC,
  FOR_A_TPP,
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
import type { Defect } from '../../../harness/bank/defect.ts'

/** Token requests that are accepted from a client whose credentials are wrong or missing. */

type Credentials = Pick<ReturnType<typeof sentTokens>[number], 'clientId' | 'secret'>

/** Reads a Basic header as one that was accepted before, where both together are accepted. */
const readClientAs = (accepts: (given: Credentials, known: Credentials, past: MessagePast) => boolean) =>
  read('token', ({ headers }, past) => {
    const [clientId, secret] = basicIn(headers)
    const meant = sentTokens(past).find((known) => accepts({ clientId, secret }, known, past))
    if (meant) headers.set('authorization', basicHeader(meant.clientId, meant.secret))
  })

/** Compares the secret of a client in another way, once it was authenticated. */
const acceptSecret = (isLike: Comparison) =>
  readClientAs((given, known) => given.clientId === known.clientId && isLike(given.secret, known.secret))

const acceptClientId = (isLike: Comparison) =>
  readClientAs((given, known) => given.secret === known.secret && isLike(given.clientId, known.clientId))

const WRONG_SECRETS: Readonly<Record<string, Comparison>> = {
  'any secret of a client that was authenticated before': () => true,
  'more characters after the right secret': isLonger,
  'an empty secret': (given) => given === '',
  'the secret in letters of any case': isInAnyCase,
  'a secret with one letter of the other case': isRecasedOnce,
}

const wrongSecretsIn = (request: string, isMeant: typeof isExchange) =>
  Object.fromEntries(
    Object.entries(WRONG_SECRETS).map(([secret, isLike]) => [
      `A ${request} is accepted with ${secret}`,
      when(isMeant, acceptSecret(isLike)),
    ]),
  )

const wrongSecrets: readonly Defect[] = [
  ...defectsOf([TOK.wrongSecretIsRefused], {
    ...wrongSecretsIn('code exchange', isExchange),
    'A code exchange is accepted with a secret that lacks characters at its end': when(
      isExchange,
      acceptSecret(isCut),
    ),
    'A code exchange of a TPP is accepted with more characters after the right secret': when(
      isExchange,
      when(hasScopeOfATpp, acceptSecret(isLonger)),
    ),
    'A code exchange is accepted with a secret that lacks its first character': when(
      isExchange,
      acceptSecret((given, right) => given !== '' && right.slice(1) === given),
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
    'A refresh is accepted with the secret of any client that was authenticated before': when(
      isRefresh,
      readClientAs(
        (given, known, past) =>
          given.clientId === known.clientId && sentTokens(past).some(({ secret }) => secret === given.secret),
      ),
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
    'In a code exchange a secret is cut at its last colon': readExchange(({ headers }) => {
      const [clientId, secret] = basicIn(headers)
      const short = secret.replace(/:[^:]*$/, '')
      if (short !== secret) headers.set('authorization', basicHeader(clientId, short))
    }),
  }),
]

type Owner = Pick<FactsOf<'newCode'>, 'client'>

/** Accepts a client_id in the form instead of credentials. */
const acceptName = (isMeant: (owner: Owner) => boolean = () => true) =>
  alter({
    clientWithoutBasic: (_, { form, clients }) =>
      clients.find((client) => client.clientId === form.get('client_id') && isMeant({ client })),
  })

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

const otherClients: readonly Defect[] = [
  ...defectsOf([TOK.unknownClientIsRefused], {
    'A client_id with more characters after a known one is accepted in a code exchange': when(
      isExchange,
      acceptClientId(isLonger),
    ),
    'A client_id is compared without regard to case in a code exchange': when(
      isExchange,
      acceptClientId(isInAnyCase),
    ),
    'In production the client of a code exchange is found by its secret only': when(
      production,
      when(
        isExchange,
        acceptClientId(() => true),
      ),
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
    'A client_id in the form of a code exchange is accepted instead of credentials': when(
      isExchange,
      acceptName(),
    ),
    'A client_id in the form of a code exchange is accepted instead of the credentials of a TPP': when(
      isExchange,
      acceptName(isOfATpp),
    ),
  }),
  ...defectsOf([TOK.refreshNeedsClientAuthentication], {
    'A refresh is accepted without client credentials': acceptRefreshTokenOf(() => true),
    'A refresh of a FAC is accepted without client credentials': acceptRefreshTokenOf(isOfAFac),
    'A client_id in the form of a refresh is accepted instead of credentials': when(isRefresh, acceptName()),
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

export const clientAuthenticationDefects: readonly Defect[] = [...wrongSecrets, ...otherClients]
