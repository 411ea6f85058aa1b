import { change, check, isRefusedBetween, NotReached, note, scenario } from '../../harness/check/index.ts'
import type { Application, ObservedLanding } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const strangers = scenario(
  'authorization requests of nobody',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer'] },
  async ({ app }) => {
    const redirectUri = app.redirectUri(() => true)
    return {
      redirectUri,
      before: await app.authorize({ redirectUri }),
      unknown: await app.authorize({
        redirectUri,
        change: change.query('client_id', `nobody-${crypto.randomUUID()}`),
      }),
      missing: await app.authorize({ redirectUri, change: change.noQuery('client_id') }),
      after: await app.authorize({ redirectUri }),
    }
  },
)

check(AUT.unknownClientIsRefused, strangers, ({ before, unknown, after }) => {
  isRefusedBetween({ before, changed: unknown, after }, 'nobody has this client_id')
})

check(AUT.missingClientIsRefused, strangers, ({ before, missing, after }) => {
  isRefusedBetween({ before, changed: missing, after }, 'it has no client_id')
})

interface Strangers {
  readonly redirectUri: string
  readonly before: ObservedLanding
  readonly after: ObservedLanding
}

/** A redirect to an address of the bank's own, such as an error page, is none to the client. */
const isNotRedirected = ({ redirectUri, before, after }: Strangers, landing: ObservedLanding): void => {
  if (!before.accepted || !after.accepted)
    throw new NotReached('the requests of the application were not granted')
  const { origin, pathname } = new URL(redirectUri)
  landing.address.differsFrom(origin + pathname, 'the redirect URI of the request')
}

check(AUT.unknownClientIsNotRedirected, strangers, (record) => isNotRedirected(record, record.unknown))
check(AUT.missingClientIsNotRedirected, strangers, (record) => isNotRedirected(record, record.missing))

/** Addresses on hosts that nobody has registered; two of them begin like the registered one. */
const foreignUrisOf = (app: Application): readonly string[] => {
  const { protocol, host, pathname } = new URL(app.redirectUri(() => true))
  const foreign = `${crypto.randomUUID()}.example`
  return [
    `https://${foreign}/callback`,
    `${protocol}//${host}.${foreign}${pathname}`,
    `${protocol}//${host}@${foreign}${pathname}`,
  ]
}

const unregistered = scenario(
  'authorization requests with a redirect URI on a foreign host',
  { effect: 'consent', as: 'each', authorizations: 9, needs: ['customer'] },
  async ({ app, profile }) => {
    const [uri = '', ...lookalikes] = foreignUrisOf(app)
    const before = await app.authorize()
    const foreign = []
    for (const redirectUri of [uri, ...lookalikes]) foreign.push(await app.authorize({ redirectUri }))
    return {
      before,
      foreign,
      denied: await app.authorize({ redirectUri: uri, decision: 'deny' }),
      faulty: [
        await app.authorize({ redirectUri: uri, change: change.noQuery('response_type') }),
        await app.authorize({ redirectUri: uri, change: change.noQuery('code_challenge') }),
        await app.authorize({ redirectUri: uri, scope: `${profile.scopes.accounts}:nothing` }),
      ],
      hosts: [uri, ...lookalikes].map((address) => new URL(address).origin),
      after: await app.authorize(),
    }
  },
)

check(AUT.unregisteredRedirectUriIsRefused, unregistered, ({ before, foreign, after }) => {
  for (const changed of foreign)
    isRefusedBetween({ before, changed, after }, 'its redirect URI is not registered')
})

check(AUT.unregisteredRedirectUriIsNotRedirectedTo, unregistered, (record) => {
  const { before, foreign, denied, faulty, hosts, after } = record
  if (!before.accepted || !after.accepted)
    throw new NotReached('the registered redirect URI was not accepted')
  for (const { address } of [...foreign, denied, ...faulty])
    address.satisfies(
      !hosts.some((host) => String(address.value).startsWith(host)),
      'no redirect to a host that is not registered',
    )
})

const described = ({ outcome, exchange }: ObservedLanding): string =>
  `${outcome}, status ${Number(exchange.status.value)}`

note(
  AUT.answerToARefusedAuthorization,
  strangers,
  ({ unknown }) => `an unknown client: ${described(unknown)}`,
)

note(AUT.answerToARefusedAuthorization, unregistered, ({ foreign: [first] }) =>
  first === undefined ? undefined : `an unregistered redirect URI: ${described(first)}`,
)
