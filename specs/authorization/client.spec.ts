import { check, isRefusedBetween, NotReached, note } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Observed, ObservedLanding } from '../../harness/check/index.ts'
import type { Random } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

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

const described = ({ outcome, exchange: { status } }: ObservedLanding): string =>
  `${outcome}, status ${Number(status.value)}`

note(AUT.answerToARefusedAuthorization, strangers, ({ ofNobody, withoutClient, foreign: [first] }) =>
  [
    `an unknown client: ${described(ofNobody)}`,
    `no client_id: ${described(withoutClient)}`,
    ...(first === undefined ? [] : [`an unregistered redirect URI: ${described(first)}`]),
  ].join('; '),
)
