import {
  check,
  isRefusedBetween,
  note,
  NotReached,
  wasProcessed,
  type ObservedRedirect,
  type RecordOf,
} from '../../harness/check/index.ts'
import { change, property, scenario, type Application, type Change } from '../../harness/session/index.ts'
import { DECLARE_IT, hasItsState, newState, redirectUriOf, returnsState } from './redirects.ts'
import {
  foreignUris,
  isLongState,
  stateEdges,
  states,
  urisResembling,
  urisSpelledLike,
} from '../shared/values.ts'
import { checkRefused } from '../shared/refused.ts'
import { AUT } from './requirements.ts'

const anyState = property(
  'a grant with any state',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer', 'redirect'] },
  states,
  async ({ app }, state) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'redirect')
    const redirectResult = await app.authorize({ redirectUri, state })
    return { isLong: isLongState(state), isReturned: returnsState(redirectResult, state), redirectResult }
  },
  { edges: stateEdges },
)

check(AUT.stateIsReturnedUnchanged, anyState, ({ isLong, isReturned, redirectResult }) => {
  // It may be too long for the bank.
  if (!redirectResult.accepted && isLong) return
  if (!redirectResult.accepted || redirectResult.outcome !== 'redirect')
    throw new NotReached('no code was sent')
  hasItsState(redirectResult, isReturned)
})

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

const responseTypes = scenario(
  'authorization requests with another response_type',
  { effect: 'consent', as: 'any', authorizations: 7, needs: ['customer'] },
  async ({ app, random }) => {
    const redirectUri = redirectUriOf(app)
    const withState = (edit: Change, state = newState(random, STATE)) =>
      app.authorize({ redirectUri, state, change: edit })
    const states = [newState(random, STATE), newState(random, STATE)] as const
    const before = await app.authorize({ redirectUri })
    const missing = await withState(change.noQuery('response_type'), states[0])
    const unknown = await withState(change.query('response_type', `type-${random.uuid()}`), states[1])
    return {
      before,
      missing,
      unknown,
      recased: await withState(change.query('response_type', 'CODE')),
      token: await withState(change.query('response_type', 'token')),
      codeAndToken: await withState(change.query('response_type', 'code token')),
      after: await app.authorize({ redirectUri }),
      isReturned: { missing: returnsState(missing, states[0]), unknown: returnsState(unknown, states[1]) },
    }
  },
)

checkRefused(AUT.missingResponseTypeIsRefused, responseTypes, { missing: 'it has no response_type' })

const NOT_CODE = 'its response_type is not "code"'

checkRefused(AUT.unknownResponseTypeIsRefused, responseTypes, {
  unknown: NOT_CODE,
  recased: NOT_CODE,
  token: NOT_CODE,
  codeAndToken: NOT_CODE,
})

check(AUT.responseTypeTokenGivesNoToken, responseTypes, ({ before, token, codeAndToken, after }) => {
  if (!before.accepted || !after.accepted) throw new NotReached('the requests for a code were not granted')
  for (const answer of [token, codeAndToken]) {
    answer.fragment('access_token').isAbsent()
    answer.parameter('access_token').isAbsent()
  }
})

/**
 * Those of the refusals that the bank sends to the client.
 * @throws NotReached if it sends none: it may show them.
 */
const sentAmong = (...refusals: readonly ObservedRedirect[]): readonly ObservedRedirect[] => {
  const sent = refusals.filter(({ accepted, outcome }) => !accepted && outcome === 'redirect')
  if (sent.length === 0) throw new NotReached(`no refusal was sent to the redirect URI; ${DECLARE_IT}`)
  return sent
}

check(AUT.unknownResponseTypeIsNamed, responseTypes, ({ unknown }) => {
  for (const refusal of sentAmong(unknown)) refusal.parameter('error').equals('unsupported_response_type')
})

check(AUT.denialReturnsTheState, responseTypes, ({ isReturned, missing, unknown }) => {
  for (const refusal of sentAmong(missing, unknown))
    hasItsState(refusal, refusal === missing ? isReturned.missing : isReturned.unknown)
})

const described = (redirectResult: ObservedRedirect): string => {
  const { exchange, outcome, names } = redirectResult
  const error = redirectResult.parameter('error').value
  const code = typeof error === 'string' ? `, error ${error}` : ''
  return `${outcome}, status ${Number(exchange.status.value)}${code}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

note(AUT.answerToARefusedAuthorization, responseTypes, ({ missing, unknown }) =>
  [`no response_type: ${described(missing)}`, `an unknown one: ${described(unknown)}`].join('; '),
)

type RegisteredUri = Application['profile']['redirectUris'][number]

/** Whether it has parameters that can be sent in another order. */
const withOrder = ({ uri }: RegisteredUri): boolean => new URL(uri).searchParams.size > 1

const similar = scenario(
  'authorization requests with redirect URIs that resemble the registered ones',
  { effect: 'consent', as: 'each', authorizations: 26, needs: ['customer', 'seen-pages'] },
  async ({ app }) => {
    const { redirectUris } = app.profile
    const known = redirectUris.map(({ uri }) => uri)
    const plain = redirectUris.find(({ uri }) => !uri.includes('?')) ?? redirectUris[0]
    const chosen = [plain, redirectUris.find(withOrder)].flatMap((one) => one?.uri ?? [])
    const ofAll = (others: (uri: string) => readonly string[]): readonly string[] =>
      [...new Set(chosen.flatMap(others))].filter((uri) => !known.includes(uri))
    const authorizeAt = async (uris: readonly string[]) => {
      const redirectResults = []
      for (const redirectUri of uris)
        redirectResults.push({ redirectUri, redirectResult: await app.authorize({ redirectUri }) })
      return redirectResults
    }
    return {
      before: await app.authorize(),
      resembling: await authorizeAt(ofAll(urisResembling)),
      respelled: await authorizeAt(ofAll(urisSpelledLike)),
      after: await app.authorize(),
    }
  },
)

type Similar = RecordOf<typeof similar>

const areRefused = ({ before, after }: Similar, changed: Similar['resembling']): void => {
  for (const { redirectUri, redirectResult } of changed)
    isRefusedBetween(
      { before, changed: redirectResult, after },
      `${redirectUri} is not a registered redirect URI`,
    )
}

check(AUT.redirectUriIsComparedToTheLetter, similar, (record) => {
  areRefused(record, record.resembling)
  // Where a redirect URI has a fragment, a bank may add the code there.
  for (const { redirectResult } of record.resembling) redirectResult.fragment('code').isAbsent()
})
check(AUT.redirectUriIsNotNormalized, similar, (record) => areRefused(record, record.respelled))

const unknownSenders = scenario(
  'authorization requests of unknown clients, and with foreign redirect URIs',
  { effect: 'consent', as: 'each', authorizations: 14, needs: ['customer', 'seen-pages'] },
  async ({ app, profile, random }) => {
    const redirectUri = redirectUriOf(app)
    const foreign = foreignUris(redirectUri, random.uuid())
    const own = app.profile.redirectUris.map(({ uri }) => uri)
    const ofOthers = profile.applications.flatMap(({ redirectUris }) => redirectUris.map(({ uri }) => uri))
    const ofAnother = ofOthers.find((uri) => !own.includes(uri))
    const [first = ''] = foreign
    const ofClient = (clientId: string) => change.query('client_id', clientId)
    const nobody = ofClient(`nobody-${random.uuid()}`)
    const { clientId } = app.profile
    const at = (uri: string, edit?: typeof nobody) =>
      app.authorize({ redirectUri: uri, ...(edit && { change: edit }) })
    const atEach = async (uris: readonly string[]) => {
      const ends = []
      for (const uri of uris) ends.push(await at(uri))
      return ends
    }
    return {
      redirectUri,
      foreignOrigins: foreign.map((uri) => new URL(uri).origin),
      before: await at(redirectUri),
      ofUnknownClient: await at(redirectUri, nobody),
      withoutClient: await at(redirectUri, change.noQuery('client_id')),
      foreign: await atEach(foreign),
      ...(ofAnother !== undefined && { ofAnother: await at(ofAnother) }),
      foreignAndDenied: await app.authorize({ redirectUri: first, decision: 'deny' }),
      foreignAndFaulty: [
        await at(first, change.noQuery('response_type')),
        await at(first, change.noQuery('code_challenge')),
        await app.authorize({ redirectUri: first, scope: `${profile.scopes.accounts}:nothing` }),
      ],
      ofALongerName: await at(redirectUri, ofClient(`${clientId}x`)),
      ofAShorterName: await at(redirectUri, ofClient(clientId.slice(0, -1))),
      after: await at(redirectUri),
    }
  },
)

type UnknownSenders = RecordOf<typeof unknownSenders>

checkRefused(AUT.unknownClientIsRefused, unknownSenders, {
  ofUnknownClient: 'no client has this client_id',
  ofALongerName: 'its client_id is longer by a character',
  ofAShorterName: 'its client_id lacks the last character',
})
checkRefused(AUT.missingClientIsRefused, unknownSenders, { withoutClient: 'it has no client_id' })
checkRefused(AUT.unregisteredRedirectUriIsRefused, unknownSenders, {
  foreign: 'its redirect URI is not registered',
  ofAnother: 'its redirect URI is registered by another application only',
})

const wereGranted = ({ before, after }: UnknownSenders): void => {
  if (!before.accepted || !after.accepted) throw new NotReached('the valid requests were not granted')
}

/** A redirect to another address, such as an error page of the bank, does not reach the client. */
const isNotRedirected = (record: UnknownSenders, { address, exchange }: ObservedRedirect): void => {
  wereGranted(record)
  wasProcessed(exchange)
  const { origin, pathname } = new URL(record.redirectUri)
  address.differsFrom(origin + pathname, 'the redirect URI of the request')
}

check(AUT.unknownClientIsNotRedirected, unknownSenders, (record) =>
  isNotRedirected(record, record.ofUnknownClient),
)
check(AUT.missingClientIsNotRedirected, unknownSenders, (record) =>
  isNotRedirected(record, record.withoutClient),
)

check(AUT.unregisteredRedirectUriIsNotRedirectedTo, unknownSenders, (record) => {
  wereGranted(record)
  const { foreign, foreignAndDenied, foreignAndFaulty, foreignOrigins } = record
  for (const { address, exchange } of [...foreign, foreignAndDenied, ...foreignAndFaulty]) {
    address.satisfies(
      !foreignOrigins.some((origin) => String(address.value).startsWith(origin)),
      'no redirect to a host that is not registered',
    )
    wasProcessed(exchange)
  }
})

const describedAnswer = ({ outcome, exchange: { status } }: ObservedRedirect): string =>
  `${outcome}, status ${Number(status.value)}`

note(
  AUT.answerToARefusedAuthorization,
  unknownSenders,
  ({ ofUnknownClient, withoutClient, foreign: [first] }) =>
    [
      `an unknown client: ${describedAnswer(ofUnknownClient)}`,
      `no client_id: ${describedAnswer(withoutClient)}`,
      ...(first === undefined ? [] : [`an unregistered redirect URI: ${describedAnswer(first)}`]),
    ].join('; '),
)
