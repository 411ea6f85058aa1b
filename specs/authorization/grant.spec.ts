import {
  canHold128RandomBits,
  check,
  isAcceptedToo,
  isRefusedBetween,
  isUnguessable,
  NotReached,
  type ObservedLanding,
} from '../../harness/check/index.ts'
import { change, scenario, type Application } from '../../harness/session/index.ts'
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

const nothingTyped = scenario(
  'a grant by nobody',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer', 'login'] },
  async (session) => {
    const { app } = session
    const nobody = { ...session.customer, username: '', password: '' }
    return session.between(
      () => app.authorize(),
      () => app.authorize({ customer: nobody }),
    )
  },
)

check(AUT.userIsAuthenticated, nothingTyped, (attempts) => {
  isRefusedBetween(attempts, 'nobody has logged in')
})

/** As long as the right one, and different in every character, whatever its case. */
const unlike = (password: string): string =>
  password.replaceAll(/./gsu, (character) => (character.toLowerCase() === 'x' ? 'y' : 'x'))

const wrongPasswords = scenario(
  'logins with a wrong password',
  { effect: 'consent', as: 'any', authorizations: 6, needs: ['customer', 'login'] },
  async ({ app, customer, profile, random }) => {
    const another = `not-the-password-${random.uuid()}`
    const others = profile.customers.map(({ password }) => password)
    const ofAnotherCustomer = others.find((password) => password !== customer.password) ?? `${another}-`
    const withPassword = (password: string) => app.authorize({ customer: { ...customer, password } })
    // A right password in between: many banks close an account after three wrong ones.
    return {
      typed: another,
      before: await app.authorize(),
      another: await withPassword(another),
      ofAnotherCustomer: await withPassword(ofAnotherCustomer),
      between: await app.authorize(),
      ofTheSameLength: await withPassword(unlike(customer.password)),
      after: await app.authorize(),
    }
  },
)

check(AUT.wrongPasswordGivesNoCode, wrongPasswords, ({ before, between, after, ...wrong }) => {
  const { another, ofAnotherCustomer, ofTheSameLength } = wrong
  isRefusedBetween({ before, changed: another, after: between }, 'the password is another one')
  isRefusedBetween(
    { before, changed: ofAnotherCustomer, after: between },
    'the password is that of another customer',
  )
  isRefusedBetween(
    { before: between, changed: ofTheSameLength, after },
    'no character of the password is right',
  )
})

check(AUT.failedLoginRepeatsNoPassword, wrongPasswords, ({ typed, another }) => {
  if (another.accepted) throw new NotReached('the login with a wrong password has succeeded')
  another.isRefused('the password is wrong')
  another.exchange.hides(typed, 'the password that was typed')
})

const series = scenario(
  'grants one after the other',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer'] },
  async ({ app }) => {
    const landings = []
    for (let count = 0; count < 4; count += 1) landings.push(await app.authorize())
    return { landings }
  },
)

const areDistinct = (landings: readonly ObservedLanding[]): void => {
  const earlier = new Set<unknown>()
  for (const { accepted, code } of landings) {
    if (!accepted) throw new NotReached('one of the grants gave no code')
    code.satisfies(!earlier.has(code.value), 'a code that no other grant has given')
    earlier.add(code.value)
  }
}

check(AUT.codesAreDistinct, series, ({ landings }) => areDistinct(landings))

const simultaneous = scenario(
  'grants of two customers at the same moment',
  { effect: 'consent', as: 'any', authorizations: 2, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => ({
    landings: await Promise.all([app.authorize(), app.authorize({ customer: otherCustomer })]),
  }),
)

check(AUT.codesAreDistinct, simultaneous, ({ landings }) => areDistinct(landings))

check(AUT.codesDoNotFollowFromEachOther, series, ({ landings }) => {
  const isRepeated = new Set(landings.map(({ code }) => code.value)).size < landings.length
  if (isRepeated) throw new NotReached('a code came twice, or never: codes that repeat follow no pattern')
  isUnguessable(landings.map(({ code, exchange }) => ({ secret: code, at: exchange.sentAt })))
})
