import {
  canHold128RandomBits,
  factsOf,
  check,
  endOf,
  isAcceptedToo,
  isRefusedBetween,
  isUnguessable,
  patternIn,
  NotReached,
  type ObservedRedirect,
  everyOne,
  type RecordOf,
} from '../../harness/check/index.ts'
import { change, scenario, type Application } from '../../harness/session/index.ts'
import {
  hasItsState,
  namesEachParameterOnce,
  newState,
  redirectUriOf,
  returnsState,
  sendsNoFormOn,
} from './redirects.ts'
import { ACCOUNT_SCOPE } from '../shared/account-steps.ts'
import { wrongPasswords } from '../shared/values.ts'
import { checkRefused } from '../shared/refused.ts'
import { granting } from '../shared/scenario-options.ts'
import { AUT } from './requirements.ts'

/** Blanks, one at the end, reserved characters, both cases, and texts that only look like an encoding. */
const STATE = 'aB c+d&e=%2Bf#g/h?i;j"k\'l<m>~n\\o%zz [p]{q}^`| '

const BECAUSE = 'the request is valid, and the customer grants'

const sent = scenario(
  'a grant that is sent to a redirect URI',
  granting(1, 'redirect'),
  async ({ app, random }) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'redirect')
    const state = newState(random, STATE)
    const redirectResult = await app.authorize({ redirectUri, state })
    return { redirectUri, isReturned: returnsState(redirectResult, state), redirectResult }
  },
)

const shown = scenario(
  'a grant that is shown on a result screen',
  granting(2, 'result-screen'),
  async ({ app, random }) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'result-screen')
    const sentTo = app.profile.redirectUris.find(({ delivery }) => delivery === 'redirect')
    return {
      ...(await app.attemptGrant({ redirectUri, state: newState(random, STATE) })),
      ...(sentTo && { sent: await app.attemptGrant({ redirectUri: sentTo.uri }) }),
    }
  },
)

type Registered = Application['profile']['redirectUris'][number]

const isWithQuery = ({ uri, delivery }: Registered): boolean => delivery === 'redirect' && uri.includes('?')

const hasUriWithQuery = ({ redirectUris }: Application['profile']): boolean => redirectUris.some(isWithQuery)

/** How an application is registered decides what comes back, so that each application is judged. */
const withQuery = scenario(
  'a grant that is sent to a redirect URI with a query',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 1,
    // Those of the kind that has more of them.
    times: ({ applications }) =>
      Math.max(
        ...(['FAC', 'TPP'] as const).map(
          (kind) => applications.filter((one) => one.kind === kind && hasUriWithQuery(one)).length,
        ),
      ),
    needs: ['customer', 'redirect-query'],
  },
  async (session) => {
    const { app, profile } = session
    const grants = []
    for (const { name } of profile.applications.filter(
      (one) => one.kind === app.kind && hasUriWithQuery(one),
    )) {
      const acting = session.applicationOf(app.kind, name)
      const redirectUri = acting.redirectUri(isWithQuery)
      const state = newState(session.random, STATE)
      const redirectResult = await acting.authorize({ redirectUri, state })
      grants.push({
        name,
        redirectUri,
        isReturned: returnsState(redirectResult, state),
        redirectResult,
      })
    }
    return { grants }
  },
)

/** Judges the grant of each application. @throws NotReached for those that cannot be judged, if no other is wrong. */
const ofEachApplication =
  (judge: (sent: Sent) => void) =>
  ({ grants }: RecordOf<typeof withQuery>): void =>
    everyOne(grants, (grant) => {
      try {
        judge(grant)
      } catch (error) {
        throw error instanceof NotReached ? new NotReached(`${grant.name}: ${error.message}`) : error
      }
    })

interface Sent {
  readonly redirectUri: string
  readonly isReturned: boolean
  readonly redirectResult: ObservedRedirect
}

/** @throws NotReached if no code was sent. A bank may show all codes on its result screen. */
const wasRedirected = (redirectResult: ObservedRedirect): void => {
  if (!redirectResult.accepted) throw new NotReached('no code was given, so none was sent')
  if (redirectResult.outcome !== 'redirect')
    throw new NotReached('the code was shown, and the browser not redirected')
}

const givesACode = ({ redirectResult }: { readonly redirectResult: ObservedRedirect }): void => {
  if (!redirectResult.accepted && redirectResult.pages.value === 0)
    throw new NotReached('the customer was asked nothing, so could not grant')
  // A code in the wrong place is a code; where it belongs is judged by itself.
  if (redirectResult.fragment('code').value !== undefined) return
  redirectResult.isAccepted('the customer has granted')
  redirectResult.code.isText()
}

const hasBlanks = (text: string): boolean => factsOf(text).characters.includes(' ')

/** @throws NotReached if the text that was read from a result screen may be something else than the code. */
const isCode = ({ redirectResult, exchange }: RecordOf<typeof shown>): void => {
  if (!redirectResult.accepted) throw new NotReached('no code was shown')
  if (hasBlanks(String(redirectResult.code.value)))
    throw new NotReached(
      'the text on the result screen has blanks, so that it is no code: `authorization.code` of the profile must select the code only',
    )
  if (exchange?.accepted !== true)
    throw new NotReached(
      'the token endpoint did not exchange the text on the result screen: see `authorization.code` of the profile, and AUT-40',
    )
}

check(AUT.grantGivesACode, sent, givesACode)
check(AUT.grantGivesACode, shown, (record) => {
  givesACode(record)
  isCode(record)
})

check(AUT.codeHasRoomFor128Bits, sent, ({ redirectResult }) => canHold128RandomBits(redirectResult.code))
check(AUT.codeHasRoomFor128Bits, shown, (record) => {
  isCode(record)
  canHold128RandomBits(record.redirectResult.code)
})

check(AUT.shownCodeIsExchanged, shown, (record) => {
  const { exchange, sent: control } = record
  if (exchange === undefined || hasBlanks(String(record.redirectResult.code.value))) return isCode(record)
  if (control !== undefined && !endOf(control).accepted)
    throw new NotReached('a code that was sent to a redirect URI was not exchanged either')
  exchange.isAccepted('the customer has granted, and the code is the one that the result screen shows')
})

const leadsToItsRedirectUri = ({ redirectUri, redirectResult }: Sent): void => {
  wasRedirected(redirectResult)
  const { origin, pathname } = new URL(redirectUri)
  redirectResult.address.equals(origin + pathname)
}

/** Like `wasRedirected`, but a redirect without an error is a grant even if its code is in a wrong place. */
const wasGranted = (redirectResult: ObservedRedirect): void => {
  if (redirectResult.outcome !== 'redirect' || redirectResult.parameter('error').value !== undefined)
    wasRedirected(redirectResult)
}

const carriesTheCodeInItsQuery = ({ redirectResult }: Sent): void => {
  wasGranted(redirectResult)
  redirectResult.parameter('code').isText()
}

const repeatsNoParameter = ({ redirectUri, redirectResult }: Sent): void => {
  wasRedirected(redirectResult)
  namesEachParameterOnce(redirectUri, redirectResult, 'code')
}

const keepsItsOwnQuery = ({ redirectUri, redirectResult }: Sent): void => {
  wasGranted(redirectResult)
  const own = new URL(redirectUri).searchParams
  for (const name of own.keys()) redirectResult.parameter(name).equals(own.get(name) ?? '')
}

check(AUT.redirectUriKeepsItsOwnQuery, withQuery, ofEachApplication(keepsItsOwnQuery))

const carriesTheState = ({ isReturned, redirectResult }: Omit<Sent, 'redirectUri'>): void => {
  wasRedirected(redirectResult)
  hasItsState(redirectResult, isReturned)
}

const repeatsNoRequest = ({ redirectResult }: { readonly redirectResult: ObservedRedirect }): void => {
  wasRedirected(redirectResult)
  sendsNoFormOn(redirectResult)
}

for (const [row, judge] of [
  [AUT.codeGoesToTheRegisteredRedirectUri, leadsToItsRedirectUri],
  [AUT.codeStandsInTheQuery, carriesTheCodeInItsQuery],
  [AUT.redirectNamesEachParameterOnce, repeatsNoParameter],
  [AUT.stateIsReturnedUnchanged, carriesTheState],
  [AUT.redirectRepeatsNoRequest, repeatsNoRequest],
] as const) {
  check(row, sent, judge)
  check(row, withQuery, ofEachApplication(judge))
}

const spellings = scenario(
  'authorization requests with their parameters in other ways',
  granting(2),
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

const grantTo = async ({ app }: { readonly app: Application }) => {
  const consentId = await app.consent()
  const request =
    consentId === undefined ? { scope: ACCOUNT_SCOPE } : { consentId, scope: `${ACCOUNT_SCOPE}:${consentId}` }
  return { redirectResult: await app.authorize(request) }
}

const grantToAFac = scenario(
  'a grant to a FAC',
  { effect: 'consent', as: 'FAC', authorizations: 1, needs: ['customer'] },
  async (session) => {
    const granted = await grantTo(session)
    const { redirect, exchange } = granted.redirectResult
    // A bank that then gives it a consent takes it for a TPP (RFC 6749 §4.1.2.1).
    if (/\b(invalid_scope|unauthorized_client)\b/.test(redirect ?? exchange.response?.body.text ?? ''))
      await session.app.createConsent()
    return granted
  },
)

check(AUT.finalApiConsumerScopeIsGranted, grantToAFac, ({ redirectResult }) =>
  redirectResult.isAccepted(BECAUSE),
)

const grantToATpp = scenario(
  'a grant to a TPP',
  { effect: 'consent', as: 'TPP', authorizations: 1, needs: ['customer'] },
  grantTo,
)

check(AUT.consentScopeIsGrantedToATpp, grantToATpp, ({ redirectResult }) =>
  redirectResult.isAccepted(BECAUSE),
)

const nothingTyped = scenario('a grant without a login', granting(3, 'login'), async (session) => {
  const { app } = session
  // The bank may offer the accounts of another customer.
  const withoutLogin = { ...session.customer, username: '', password: '', accounts: [] }
  return session.between(
    () => app.authorize(),
    () => app.authorize({ customer: withoutLogin }),
  )
})

checkRefused(AUT.userIsAuthenticated, nothingTyped, { changed: 'the login is empty' })

const loginsWithAWrongPassword = scenario(
  'logins with a wrong password',
  granting(13, 'login'),
  async ({ app, customer, profile, random }) => {
    const passwords = profile.customers.map(({ password }) => password)
    const others = passwords.filter((password) => password !== customer.password)
    const wrong = wrongPasswords(customer.password, { others, random: random.uuid().slice(0, 4) })
    const attempts = []
    let before = await app.authorize()
    for (const { value: typed, because } of wrong) {
      const changed = await app.authorize({ customer: { ...customer, password: typed } })
      // The right one in between: many banks close an account after a few wrong ones.
      const after = await app.authorize()
      attempts.push({ typed, because, before, changed, after })
      before = after
    }
    return { attempts }
  },
)

check(AUT.wrongPasswordGivesNoCode, loginsWithAWrongPassword, ({ attempts }) => {
  for (const attempt of attempts) isRefusedBetween(attempt, attempt.because)
})

check(AUT.failedLoginRepeatsNoPassword, loginsWithAWrongPassword, ({ attempts: [first] }) => {
  if (first?.before.accepted !== true) throw new NotReached('no login with the right password has succeeded')
  const { typed, changed } = first
  if (changed.accepted) throw new NotReached('the login with a wrong password has succeeded')
  changed.isRefused('the password is wrong')
  changed.exchange.hides(typed, 'the password that was typed')
})

const series = scenario('grants one after the other', granting(4), async ({ app }) => {
  const redirectResults = []
  for (let count = 0; count < 4; count += 1) redirectResults.push(await app.authorize())
  const issued = redirectResults.map(({ code, exchange }) => ({ secret: code, at: exchange.sentAt }))
  return { redirectResults, pattern: patternIn(issued) }
})

const areDistinct = (redirectResults: readonly ObservedRedirect[]): void => {
  const earlier = new Set<unknown>()
  for (const { accepted, code } of redirectResults) {
    if (!accepted) throw new NotReached('one of the grants gave no code')
    code.satisfies(!earlier.has(code.value), 'a code that no other grant has given')
    earlier.add(code.value)
  }
}

check(AUT.codesAreDistinct, series, ({ redirectResults }) => areDistinct(redirectResults))

const simultaneous = scenario(
  'grants of two customers at the same moment',
  { effect: 'consent', as: 'any', authorizations: 2, needs: ['customer', 'second-customer'] },
  async ({ app, customer, otherCustomer, random }) => {
    const grants = [customer, otherCustomer].map(async (one) => {
      const state = newState(random, STATE)
      const redirectResult = await app.authorize({ customer: one, state, redirectUri: redirectUriOf(app) })
      return { redirectResult, isReturned: returnsState(redirectResult, state) }
    })
    return { grants: await Promise.all(grants) }
  },
)

check(AUT.codesAreDistinct, simultaneous, ({ grants }) =>
  areDistinct(grants.map(({ redirectResult }) => redirectResult)),
)

check(AUT.stateIsReturnedUnchanged, simultaneous, ({ grants }) => everyOne(grants, carriesTheState), {
  needs: ['redirect'],
})

check(AUT.codesDoNotFollowFromEachOther, series, ({ redirectResults, pattern }) => {
  const isRepeated = new Set(redirectResults.map(({ code }) => code.value)).size < redirectResults.length
  if (isRepeated) throw new NotReached('a code was repeated or is missing, so that there is no series')
  isUnguessable(
    redirectResults.map(({ code }) => code),
    pattern,
  )
})
