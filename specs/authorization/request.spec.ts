import { constantFrom, string } from 'fast-check'
import {
  check,
  isRefusedBetween,
  note,
  NotReached,
  type Observed,
  type ObservedLanding,
} from '../../harness/check/index.ts'
import { change, property, scenario, type Random } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

/** Percent-encoded, and with all the rest, it fits into a URL that every browser and proxy takes. */
const LONGEST_STATE = 200

const anyState = property(
  'a grant with any state',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer', 'redirect'] },
  string({ unit: 'grapheme-ascii', minLength: 1, maxLength: LONGEST_STATE, size: 'max' }),
  async ({ app }, state) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'redirect')
    return { landing: await app.authorize({ redirectUri, state }) }
  },
)

check(AUT.stateIsReturnedUnchanged, anyState, ({ landing }, state) => {
  if (!landing.accepted) throw new NotReached('no code was given')
  if (landing.outcome === 'redirect') landing.parameter('state').equals(state)
})

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

const responseTypes = scenario(
  'authorization requests for something else than a code',
  { effect: 'consent', as: 'any', authorizations: 5, needs: ['customer'] },
  async ({ app, random }) => ({
    before: await app.authorize(),
    missing: await app.authorize({ state: STATE, change: change.noQuery('response_type') }),
    unknown: await app.authorize({
      state: STATE,
      change: change.query('response_type', `type-${random.uuid()}`),
    }),
    token: await app.authorize({ change: change.query('response_type', 'token') }),
    after: await app.authorize(),
  }),
)

check(AUT.missingResponseTypeIsRefused, responseTypes, ({ before, missing, after }) => {
  isRefusedBetween({ before, changed: missing, after }, 'it has no response_type')
})

check(AUT.unknownResponseTypeIsRefused, responseTypes, ({ before, unknown, after }) => {
  isRefusedBetween({ before, changed: unknown, after }, 'nobody has defined its response_type')
})

check(AUT.responseTypeTokenGivesNoToken, responseTypes, ({ before, token, after }) => {
  if (!before.accepted || !after.accepted) throw new NotReached('the requests for a code were not granted')
  token.fragment('access_token').isAbsent()
  token.parameter('access_token').isAbsent()
})

/** A refusal that the bank sends to the client, rather than to show it. */
const isSent = (refused: ObservedLanding): boolean => {
  if (refused.accepted) throw new NotReached('the request was granted, so there is no refusal to judge')
  refused.isRefused('its response_type is not code')
  return refused.outcome === 'redirect'
}

check(AUT.unknownResponseTypeIsNamed, responseTypes, ({ unknown }) => {
  if (isSent(unknown)) unknown.parameter('error').equals('unsupported_response_type')
})

check(AUT.denialReturnsTheState, responseTypes, ({ missing, unknown }) => {
  if (isSent(missing)) missing.parameter('state').equals(STATE)
  if (isSent(unknown)) unknown.parameter('state').equals(STATE)
})

const described = (landing: ObservedLanding): string => {
  const { exchange, outcome, names } = landing
  const error = landing.parameter('error').value
  const code = typeof error === 'string' ? `, error ${error}` : ''
  return `${outcome}, status ${Number(exchange.status.value)}${code}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

note(AUT.answerToARefusedAuthorization, responseTypes, ({ missing, unknown }) =>
  [`no response_type: ${described(missing)}`, `an unknown one: ${described(unknown)}`].join('; '),
)

const RESEMBLANCES = ['longer', 'cut', 'recased', 'slash', 'query'] as const

type Resemblance = (typeof RESEMBLANCES)[number]

const recased = (path: string): string =>
  path === path.toUpperCase() ? path.toLowerCase() : path.toUpperCase()

/** A URI that differs from the registered one in its path or query alone. */
const resembling = (registered: string, how: Resemblance): string => {
  const [, base = '', path = '', query = ''] = /^([^:]*:\/*[^/?]*)([^?]*)(.*)$/.exec(registered) ?? []
  const other: Readonly<Record<Resemblance, string>> = {
    longer: `${path}${path.endsWith('/') ? '' : '/'}next${query}`,
    cut: `${path.slice(0, -1)}${query}`,
    recased: `${recased(path)}${query}`,
    slash: `${path}/${query}`,
    query: `${path}${query}${query === '' ? '?' : '&'}next=1`,
  }
  const changed = base + other[how]
  // A path without letters has no other case, an empty one cannot be cut.
  return new URL(changed).href === new URL(registered).href ? base + other.longer : changed
}

const similar = property(
  'an authorization request with a redirect URI that resembles the registered one',
  { effect: 'consent', as: 'any', authorizations: 3, needs: ['customer', 'seen-pages'] },
  constantFrom(...RESEMBLANCES),
  async (session, how) => {
    const { app } = session
    const registered = app.redirectUri(() => true)
    return session.between(
      () => app.authorize({ redirectUri: registered }),
      () => app.authorize({ redirectUri: resembling(registered, how) }),
    )
  },
)

check(AUT.redirectUriIsComparedToTheLetter, similar, (attempts) => {
  isRefusedBetween(attempts, 'it is registered otherwise')
})

/** Addresses on hosts that nobody has registered; two of them begin like the registered one. */
const foreignUrisLike = (registered: string, random: Random) => {
  const { protocol, host, pathname } = new URL(registered)
  const foreign = `${random.uuid()}.example`
  return {
    foreign: `https://${foreign}/callback`,
    subdomain: `${protocol}//${host}.${foreign}${pathname}`,
    userinfo: `${protocol}//${host}@${foreign}${pathname}`,
  }
}

const strangers = scenario(
  'authorization requests of strangers',
  { effect: 'consent', as: 'each', authorizations: 11, needs: ['customer', 'seen-pages'] },
  async ({ app, profile, random }) => {
    const redirectUri = app.redirectUri(() => true)
    const { foreign, subdomain, userinfo } = foreignUrisLike(redirectUri, random)
    const nobody = change.query('client_id', `nobody-${random.uuid()}`)
    const at = (uri: string, edit?: typeof nobody) =>
      app.authorize({ redirectUri: uri, ...(edit && { change: edit }) })
    return {
      redirectUri,
      foreignOrigins: [foreign, subdomain, userinfo].map((uri) => new URL(uri).origin),
      before: await at(redirectUri),
      ofNobody: await at(redirectUri, nobody),
      withoutClient: await at(redirectUri, change.noQuery('client_id')),
      foreign: [await at(foreign), await at(subdomain), await at(userinfo)],
      foreignAndDenied: await app.authorize({ redirectUri: foreign, decision: 'deny' }),
      foreignAndFaulty: [
        await at(foreign, change.noQuery('response_type')),
        await at(foreign, change.noQuery('code_challenge')),
        await app.authorize({ redirectUri: foreign, scope: `${profile.scopes.accounts}:nothing` }),
      ],
      after: await at(redirectUri),
    }
  },
)

type Strangers = Observed<Awaited<ReturnType<typeof strangers.act>>>

check(AUT.unknownClientIsRefused, strangers, ({ before, ofNobody, after }) => {
  isRefusedBetween({ before, changed: ofNobody, after }, 'nobody has this client_id')
})

check(AUT.missingClientIsRefused, strangers, ({ before, withoutClient, after }) => {
  isRefusedBetween({ before, changed: withoutClient, after }, 'it has no client_id')
})

check(AUT.unregisteredRedirectUriIsRefused, strangers, ({ before, foreign, after }) => {
  for (const changed of foreign)
    isRefusedBetween({ before, changed, after }, 'its redirect URI is not registered')
})

const wereGranted = ({ before, after }: Strangers): void => {
  if (!before.accepted || !after.accepted) throw new NotReached('the lawful requests were not granted')
}

/** A redirect to an address of the bank's own, such as an error page, is none to the client. */
const isNotRedirected = (record: Strangers, { address }: ObservedLanding): void => {
  wereGranted(record)
  const { origin, pathname } = new URL(record.redirectUri)
  address.differsFrom(origin + pathname, 'the redirect URI of the request')
}

check(AUT.unknownClientIsNotRedirected, strangers, (record) => isNotRedirected(record, record.ofNobody))
check(AUT.missingClientIsNotRedirected, strangers, (record) => isNotRedirected(record, record.withoutClient))

check(AUT.unregisteredRedirectUriIsNotRedirectedTo, strangers, (record) => {
  wereGranted(record)
  const { foreign, foreignAndDenied, foreignAndFaulty, foreignOrigins } = record
  for (const { address } of [...foreign, foreignAndDenied, ...foreignAndFaulty])
    address.satisfies(
      !foreignOrigins.some((origin) => String(address.value).startsWith(origin)),
      'no redirect to a host that is not registered',
    )
})

const describedAnswer = ({ outcome, exchange: { status } }: ObservedLanding): string =>
  `${outcome}, status ${Number(status.value)}`

note(AUT.answerToARefusedAuthorization, strangers, ({ ofNobody, withoutClient, foreign: [first] }) =>
  [
    `an unknown client: ${describedAnswer(ofNobody)}`,
    `no client_id: ${describedAnswer(withoutClient)}`,
    ...(first === undefined ? [] : [`an unregistered redirect URI: ${describedAnswer(first)}`]),
  ].join('; '),
)
