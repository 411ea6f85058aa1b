import { check, canHold128RandomBits, isAcceptedToo, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { ObservedLanding } from '../../harness/check/index.ts'
import type { Application } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

/** Blanks, one at the end, reserved characters, both cases, and what looks like an encoding but is none. */
const STATE = 'aB c+d&e=%2Bf#g/h?i;j"k\'l<m>~n\\o%zz [p]{q}^`| '

const BECAUSE = 'the request is lawful, and the customer grants'

const sent = scenario(
  'a grant that is sent to a redirect URI',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'redirect'] },
  async ({ app }) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'redirect')
    return { redirectUri, landing: await app.authorize({ redirectUri, state: STATE }) }
  },
)

const shown = scenario(
  'a grant that is shown on a result screen',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'result-screen'] },
  async ({ app }) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'result-screen')
    return { landing: await app.authorize({ redirectUri, state: STATE }) }
  },
)

const withQuery = scenario(
  'a grant that is sent to a redirect URI with a query',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'redirect-query'] },
  async ({ app }) => {
    const redirectUri = app.redirectUri(({ uri, delivery }) => delivery === 'redirect' && uri.includes('?'))
    return { redirectUri, landing: await app.authorize({ redirectUri, state: STATE }) }
  },
)

interface Sent {
  readonly redirectUri: string
  readonly landing: ObservedLanding
}

/** Once it is known to carry a code. A bank that shows all codes on its result screen redirects nothing. */
const isRedirect = (landing: ObservedLanding): boolean => {
  if (!landing.accepted) throw new NotReached('no code was given, so none was sent')
  return landing.outcome === 'redirect'
}

const givesACode = ({ landing }: { readonly landing: ObservedLanding }): void => {
  if (!landing.accepted && landing.pages.value === 0)
    throw new NotReached('the customer was asked nothing, so could not grant')
  // A code in the wrong place is a code; where it belongs is judged by itself.
  if (landing.fragment('code').value !== undefined) return
  landing.isAccepted('the customer has granted')
  landing.code.isText()
}

check(AUT.grantGivesACode, sent, givesACode)
check(AUT.grantGivesACode, shown, givesACode)

check(AUT.codeHasRoomFor128Bits, sent, ({ landing }) => canHold128RandomBits(landing.code))
check(AUT.codeHasRoomFor128Bits, shown, ({ landing }) => canHold128RandomBits(landing.code))

const leadsToItsRedirectUri = ({ redirectUri, landing }: Sent): void => {
  if (!isRedirect(landing)) return
  const { origin, pathname } = new URL(redirectUri)
  landing.address.equals(origin + pathname)
}

check(AUT.codeGoesToTheRegisteredRedirectUri, sent, leadsToItsRedirectUri)
check(AUT.codeGoesToTheRegisteredRedirectUri, withQuery, leadsToItsRedirectUri)

/** The same, once it is known to be no error: a code in another place than its own makes it no less a grant. */
const isGrant = (landing: ObservedLanding): boolean =>
  (landing.outcome === 'redirect' && landing.parameter('error').value === undefined) || isRedirect(landing)

const carriesTheCodeInItsQuery = ({ landing }: Sent): void => {
  if (isGrant(landing)) landing.parameter('code').isText()
}

check(AUT.codeStandsInTheQuery, sent, carriesTheCodeInItsQuery)
check(AUT.codeStandsInTheQuery, withQuery, carriesTheCodeInItsQuery)

const count = (names: readonly string[], name: string): number => names.filter((one) => one === name).length

const namesEachParameterOnce = ({ redirectUri, landing }: Sent): void => {
  if (!isRedirect(landing)) return
  // What a redirect URI repeats in its own query is the application's doing.
  const own = [...new URL(redirectUri).searchParams.keys()]
  const repeated = landing.names.find((name) => count(landing.names, name) > Math.max(1, count(own, name)))
  landing.parameter(repeated ?? 'code').satisfies(repeated === undefined, 'one value, and not several')
}

check(AUT.redirectNamesEachParameterOnce, sent, namesEachParameterOnce)
check(AUT.redirectNamesEachParameterOnce, withQuery, namesEachParameterOnce)

check(AUT.redirectUriKeepsItsOwnQuery, withQuery, ({ redirectUri, landing }) => {
  if (!isGrant(landing)) return
  const own = new URL(redirectUri).searchParams
  for (const name of own.keys()) landing.parameter(name).equals(own.get(name) ?? '')
})

const carriesTheState = ({ landing }: Sent): void => {
  if (isRedirect(landing)) landing.parameter('state').equals(STATE)
}

check(AUT.stateIsReturnedUnchanged, sent, carriesTheState)
check(AUT.stateIsReturnedUnchanged, withQuery, carriesTheState)

const spellings = scenario(
  'authorization requests with their parameters in other ways',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer'] },
  async (session) => {
    const { app, random } = session
    const plain = () => app.authorize()
    return {
      reversed: await session.alike(plain, () => app.authorize({ change: change.queryReversed })),
      unrecognized: await session.alike(plain, () =>
        app.authorize({ change: change.query(`x_${random.uuid()}`, '1') }),
      ),
    }
  },
)

/** How a server says that it has nothing at this address, or not for this method. */
const UNSERVED = [404, 405, 501]

check(AUT.requestsByGetAreServed, spellings, ({ reversed }) => {
  const { pages, exchange } = reversed.valid ?? reversed.changed
  if (pages.value === 0)
    exchange.status.satisfies(
      !UNSERVED.includes(Number(exchange.status.value)),
      'a status that serves the request',
    )
  isAcceptedToo(reversed, 'the parameters of a query have no order')
})

check(AUT.unrecognizedParameterIsIgnored, spellings, ({ unrecognized }) => {
  isAcceptedToo(unrecognized, 'a parameter that is not recognized is ignored')
})

const grantTo = async ({ app }: { readonly app: Application }) => ({ landing: await app.authorize() })

const grantToAFac = scenario(
  'a grant to a FAC',
  { effect: 'consent', as: 'FAC', authorizations: 1, needs: ['customer'] },
  grantTo,
)

check(AUT.finalApiConsumerScopeIsGranted, grantToAFac, ({ landing }) => landing.isAccepted(BECAUSE))

const grantToATpp = scenario(
  'a grant to a TPP',
  { effect: 'consent', as: 'TPP', authorizations: 1, needs: ['customer'] },
  grantTo,
)

check(AUT.consentScopeIsGrantedToATpp, grantToATpp, ({ landing }) => landing.isAccepted(BECAUSE))
