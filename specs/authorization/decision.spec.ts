import {
  check,
  endOf,
  isRefusedBetween,
  NotReached,
  type ObservedRedirect,
  type RecordOf,
} from '../../harness/check/index.ts'
import {
  challengeOf,
  change,
  createVerifier,
  days,
  scenario,
  tampered,
  type Application,
  type Change,
  type Session,
} from '../../harness/session/index.ts'
import { grantAndList, opensNoAccount } from '../shared/opened-accounts.ts'
import {
  DECLARE_IT,
  hasItsState,
  namesEachParameterOnce,
  newState,
  redirectUriOf,
  returnsState,
  sendsNoFormOn,
} from './redirects.ts'
import { checkRefused } from '../shared/refused.ts'
import { granting } from '../shared/scenario-options.ts'
import { AUT } from './requirements.ts'

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

const denial = scenario(
  'a denial, one more of the same consent, and one of a granted consent',
  granting(5, 'refusal'),
  async ({ app, random }) => {
    const redirectUri = redirectUriOf(app)
    const state = newState(random, STATE)
    const before = await app.authorize({ redirectUri })
    const consentId = await app.consent()
    const denying = { redirectUri, decision: 'deny', ...(consentId !== undefined && { consentId }) } as const
    const changed = await app.authorize({ ...denying, state })
    const again = await app.authorize(denying)
    const granted = await app.consent()
    const other = { redirectUri, ...(granted !== undefined && { consentId: granted }) }
    const after = await app.authorize(other)
    return {
      kind: app.kind,
      redirectUri,
      isReturned: returnsState(changed, state),
      attempts: { before, changed, after },
      again,
      ofGranted: await app.authorize({ ...other, decision: 'deny' }),
    }
  },
)

/**
 * A bank may remember what a user has granted to a FAC, and not ask again. A TPP has a new consent each time, which was
 * not granted before.
 * @throws NotReached if the user was not asked.
 */
const wasAsked = ({ decision, accepted }: ObservedRedirect, kind: Application['kind']): void => {
  if (decision !== 'unasked') return
  const remembers = kind === 'FAC' && accepted
  throw new NotReached(
    remembers
      ? 'the user was not asked: the bank may remember an earlier grant to this FAC'
      : 'the user was not asked',
  )
}

check(AUT.noCodeBeforeTheUserGrants, denial, ({ kind, attempts: { before } }) => {
  if (!before.accepted) throw new NotReached('no code was given, neither before the grant nor after it')
  if (kind === 'FAC') wasAsked(before, kind)
  before.code.satisfies(before.decision === 'granted', 'no code before the user has granted')
})

check(AUT.denialGivesNoCode, denial, ({ kind, attempts, again, ofGranted }) => {
  wasAsked(attempts.changed, kind)
  isRefusedBetween(attempts, 'the user has denied')
  // A bank may remember that a consent was denied, and not ask again.
  if (kind === 'TPP' || again.decision !== 'unasked')
    isRefusedBetween({ ...attempts, changed: again }, 'the user has denied it, and has denied it before')
  if (ofGranted.decision !== 'unasked')
    isRefusedBetween({ ...attempts, changed: ofGranted }, 'the user has denied it, and has granted it before')
})

/** @throws NotReached if the bank does not send the denial to the client: it may show it. */
const wasSent = (denied: ObservedRedirect, kind: Application['kind']): void => {
  wasAsked(denied, kind)
  if (denied.accepted) throw new NotReached('the denial gave a code, so no denial was reported')
  if (denied.outcome !== 'redirect')
    throw new NotReached(`the denial was shown, and the browser not redirected; ${DECLARE_IT}`)
}

check(AUT.denialIsReportedAsAccessDenied, denial, ({ kind, redirectUri, attempts: { changed } }) => {
  wasSent(changed, kind)
  const { origin, pathname } = new URL(redirectUri)
  changed.address.equals(origin + pathname)
  changed.parameter('error').equals('access_denied')
})

check(AUT.denialReturnsTheState, denial, ({ kind, isReturned, attempts: { changed } }) => {
  wasSent(changed, kind)
  hasItsState(changed, isReturned)
})

check(AUT.redirectRepeatsNoRequest, denial, ({ kind, attempts: { changed } }) => {
  wasSent(changed, kind)
  sendsNoFormOn(changed)
})

check(AUT.redirectNamesEachParameterOnce, denial, ({ kind, redirectUri, attempts: { changed } }) => {
  wasSent(changed, kind)
  namesEachParameterOnce(redirectUri, changed, 'error')
})

const PARAMETERS = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** Adds a parameter a second time, with the same value. */
const again =
  (name: string): Change =>
  (request) =>
    change.queryTwice(name, new URL(request.url).searchParams.get(name) ?? '')(request)

const repetitions = scenario(
  'authorization requests that repeat a parameter',
  { effect: 'consent', as: 'any', authorizations: 10, needs: ['customer'] },
  async ({ app }) => {
    const before = await app.authorize()
    const repeated = []
    for (const name of PARAMETERS)
      repeated.push({ name, redirectResult: await app.authorize({ change: again(name) }) })
    const anotherState = await app.authorize({ change: change.queryTwice('state', 'another') })
    return {
      before,
      repeated: [...repeated, { name: 'state', redirectResult: anotherState }],
      after: await app.authorize(),
    }
  },
)

check(AUT.repeatedParameterIsRefused, repetitions, ({ before, repeated, after }) => {
  for (const { name, redirectResult } of repeated)
    isRefusedBetween({ before, changed: redirectResult, after }, `it has the parameter ${name} twice`)
})

const renewal = scenario(
  'a new grant after 91 days',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 2,
    needs: ['clock', 'customer', 'seen-pages'],
    waitsMs: days(91),
  },
  async ({ app, clock }) => {
    const consentId = await app.consent()
    const existing = consentId === undefined ? {} : { consentId }
    const earlier = await app.authorize(existing)
    await clock.pass(days(91))
    return { earlier, renewed: await app.authorize(existing) }
  },
)

check(AUT.renewalAsksTheUser, renewal, ({ earlier, renewed }) => {
  if (!earlier.accepted || !renewed.accepted) throw new NotReached('one of the two grants gave no code')
  renewed.pages.satisfies(Number(renewed.pages.value) > 0, 'a page on which the customer acts')
})

const noChallenge = change.noQuery('code_challenge')
const emptyChallenge = change.query('code_challenge', '')
const noMethod = change.noQuery('code_challenge_method')
const noVerifier = change.noForm('code_verifier')

/** The code_challenge is the code_verifier itself, as it is with the method plain. */
const grantWithPlainChallenge = ({ app, random }: Session, ofMethod: Change) => {
  const verifier = createVerifier(random)
  const plain = change.query('code_challenge', verifier)
  return app.attemptGrant({ verifier, change: (request) => ofMethod(plain(request)) })
}

const attempts = scenario('grants for invalid authorization requests', granting(9), async (session) => {
  const { app, random } = session
  const { scopes } = session.profile
  const consentId = await app.consent()
  const scope = consentId === undefined ? scopes.accounts : `${scopes.accounts}:${consentId}`
  const word = `unknown-${random.uuid()}`
  return {
    word,
    before: await app.attemptGrant({ scope }),
    withUnknownWord: await app.attemptGrant({ scope: `${scope} ${word}` }),
    withoutChallenge: await app.attemptGrant({ change: noChallenge }),
    withoutPkce: await app.attemptGrant({ change: (request) => noMethod(noChallenge(request)) }, noVerifier),
    withEmptyChallenge: await app.attemptGrant({ change: emptyChallenge }),
    withNothingToVerify: await app.attemptGrant({ change: emptyChallenge }, noVerifier),
    plain: await grantWithPlainChallenge(session, change.query('code_challenge_method', 'plain')),
    plainWithoutMethod: await grantWithPlainChallenge(session, noMethod),
    after: await app.attemptGrant(),
  }
})

type Attempts = RecordOf<typeof attempts>
type Attempt = Attempts['before']

check(AUT.unknownScopeIsNotGranted, attempts, (record) => {
  const { exchange } = record.withUnknownWord
  if (exchange?.accepted !== true) {
    const { before, withUnknownWord, after } = record
    const refused = { before: endOf(before), changed: endOf(withUnknownWord), after: endOf(after) }
    return isRefusedBetween(refused, 'its scope has a word that no bank knows')
  }
  if (!endOf(record.before).accepted) throw new NotReached('the scope without the word was not granted')
  const scope = exchange.body.field('scope')
  const words = typeof scope.value === 'string' ? scope.value.split(' ') : undefined
  scope.satisfies(words?.includes(record.word) === false, 'the granted scope, without the unknown word')
})

/** The scope with the name of account access in another form; the consent of a TPP stays. */
const otherScopesLike = (name: string, consent: string): readonly string[] => {
  const recased = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
  return [recased, name.slice(0, -1), `${name}X`].map((other) => `${other}${consent}`)
}

const otherScopes = scenario(
  'grants with scopes that resemble the right one',
  granting(5),
  async ({ app, profile: { scopes } }) => {
    const consentId = await app.consent()
    const consent = consentId === undefined ? '' : `:${consentId}`
    const before = await grantAndList(app, { scope: `${scopes.accounts}${consent}` })
    const changed = []
    for (const scope of otherScopesLike(scopes.accounts, consent))
      changed.push({ scope, attempt: await grantAndList(app, { scope }) })
    return { before, changed, after: await app.attemptGrant() }
  },
)

/** The names of the words of a scope, without consents. A bank may state more words than were requested, or no consent. */
const namesIn = (scope: string): readonly string[] =>
  scope.split(' ').flatMap((word) => word.split(':')[0] || [])

check(AUT.otherScopeOpensNoAccount, otherScopes, ({ before, changed, after }) => {
  for (const { scope, attempt } of changed) {
    const stated = attempt.exchange?.accepted === true ? attempt.exchange.body.field('scope') : undefined
    const names = typeof stated?.value === 'string' ? namesIn(stated.value) : []
    const isOther = names.length > 0 && !namesIn(scope).some((name) => names.includes(name))
    // The bank has ignored the scope, and says which one it has granted.
    if (isOther) stated?.differsFrom(scope, 'the requested scope')
    else opensNoAccount({ before, changed: attempt, after }, 'its scope is not the one of account access')
  }
})

const changedChallenges = scenario(
  'grants with a code_challenge that differs from the right one',
  granting(5),
  async ({ app, random }) => {
    const grantWith = (how: Parameters<typeof tampered>[1], at: number) => {
      const verifier = createVerifier(random)
      const challenge = tampered(challengeOf(verifier), how, at)
      return app.attemptGrant({ verifier, change: change.query('code_challenge', challenge) })
    }
    return {
      before: await app.attemptGrant(),
      changed: await grantWith('changed', 0.5),
      recased: await grantWith('recased', 0.5),
      cut: await grantWith('cut', 1),
      after: await app.attemptGrant(),
    }
  },
)

checkRefused(AUT.challengeIsComparedExactly, changedChallenges, {
  changed: 'a character of its code_challenge is wrong',
  recased: 'a letter of its code_challenge has another case',
  cut: 'its code_challenge lacks the last character',
})

checkRefused(AUT.missingChallengeIsNotGranted, attempts, {
  withoutChallenge: 'it has no code_challenge',
  withoutPkce: 'it has no code_challenge, and the exchange no code_verifier',
})
checkRefused(AUT.emptyChallengeIsNotGranted, attempts, {
  withEmptyChallenge: 'its code_challenge is empty',
  withNothingToVerify: 'its code_challenge is empty, and there is no code_verifier',
})
checkRefused(AUT.plainChallengeIsNotGranted, attempts, { plain: 'its code_challenge_method is plain' })
checkRefused(AUT.missingMethodIsNotTakenAsPlain, attempts, {
  plainWithoutMethod: 'its code_challenge is not the S256 of the code_verifier',
})

const isRefusedAtOnce = ({ before, after }: Attempts, { redirectResult }: Attempt, because: string): void =>
  isRefusedBetween(
    { before: before.redirectResult, changed: redirectResult, after: after.redirectResult },
    because,
  )

check(AUT.missingChallengeIsRefusedAtOnce, attempts, (record) => {
  isRefusedAtOnce(record, record.withoutChallenge, 'it has no code_challenge')
  isRefusedAtOnce(record, record.withoutPkce, 'it has neither code_challenge nor code_challenge_method')
})

check(AUT.plainMethodIsRefusedAtOnce, attempts, (record) => {
  isRefusedAtOnce(record, record.plain, 'its code_challenge_method is plain')
})
