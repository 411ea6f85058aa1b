import {
  check,
  endOf,
  isRefusedBetween,
  NotReached,
  type Observed,
  type ObservedLanding,
} from '../../harness/check/index.ts'
import {
  change,
  createVerifier,
  scenario,
  type Application,
  type Change,
  type Session,
} from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

/** One that returns something to the client, where there is one. */
const redirectUriOf = ({ profile: { redirectUris } }: Application): string =>
  (redirectUris.find(({ delivery }) => delivery === 'redirect') ?? redirectUris[0])?.uri ?? ''

const denial = scenario(
  'a denial, and one more of the same consent',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer', 'refusal'] },
  async ({ app }) => {
    const redirectUri = redirectUriOf(app)
    const before = await app.authorize({ redirectUri })
    const consentId = await app.consent()
    const denying = { redirectUri, decision: 'deny', ...(consentId !== undefined && { consentId }) } as const
    const changed = await app.authorize({ ...denying, state: STATE })
    const again = await app.authorize(denying)
    const after = await app.authorize({ redirectUri })
    return { kind: app.kind, redirectUri, attempts: { before, changed, after }, again }
  },
)

/**
 * Whether the user was asked. A bank may remember what a user has granted to a FAC, and not ask again; a TPP has a
 * new consent each time, which nobody has granted before.
 */
const isAsked = ({ decision, accepted }: ObservedLanding, kind: 'FAC' | 'TPP'): boolean => {
  if (decision !== 'unasked') return true
  if (kind === 'FAC' && accepted) return false
  throw new NotReached('the user was not asked')
}

check(AUT.noCodeBeforeTheUserGrants, denial, ({ kind, attempts: { before } }) => {
  if (!before.accepted) throw new NotReached('no code was given, neither before the grant nor after it')
  if (kind === 'TPP')
    before.code.satisfies(before.decision === 'granted', 'no code before the user has granted')
})

check(AUT.denialGivesNoCode, denial, ({ kind, attempts, again }) => {
  if (!isAsked(attempts.changed, kind)) return
  isRefusedBetween(attempts, 'the user has denied')
  // A bank may remember that a consent was denied, and not ask again.
  if (kind === 'TPP' || again.decision !== 'unasked')
    isRefusedBetween({ ...attempts, changed: again }, 'the user has denied it, and has denied it before')
})

/** Whether the bank sends the denial to the client, rather than to show it. */
const isSent = (denied: ObservedLanding, kind: 'FAC' | 'TPP'): boolean => {
  if (!isAsked(denied, kind)) return false
  if (denied.accepted) throw new NotReached('the denial gave a code, so no denial was reported')
  denied.isRefused('the user has denied')
  return denied.outcome === 'redirect'
}

check(AUT.denialIsReportedAsAccessDenied, denial, ({ kind, redirectUri, attempts: { changed } }) => {
  if (!isSent(changed, kind)) return
  const { origin, pathname } = new URL(redirectUri)
  changed.address.equals(origin + pathname)
  changed.parameter('error').equals('access_denied')
})

check(AUT.denialReturnsTheState, denial, ({ kind, attempts: { changed } }) => {
  if (isSent(changed, kind)) changed.parameter('state').equals(STATE)
})

check(AUT.redirectNamesEachParameterOnce, denial, ({ kind, redirectUri, attempts: { changed } }) => {
  if (!isSent(changed, kind) || redirectUri.includes('?')) return
  const repeated = changed.names.find((name, at, names) => names.indexOf(name) !== at)
  changed.parameter(repeated ?? 'error').satisfies(repeated === undefined, 'one value, and not several')
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

/** The same value again: what is wrong is that it stands there twice. */
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
      repeated.push({ name, landing: await app.authorize({ change: again(name) }) })
    const anotherState = await app.authorize({ change: change.queryTwice('state', 'another') })
    return {
      before,
      repeated: [...repeated, { name: 'state', landing: anotherState }],
      after: await app.authorize(),
    }
  },
)

check(AUT.repeatedParameterIsRefused, repetitions, ({ before, repeated, after }) => {
  for (const { name, landing } of repeated)
    isRefusedBetween({ before, changed: landing, after }, `it has the parameter ${name} twice`)
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

const attempts = scenario(
  'grants that are asked for in a wrong way',
  { effect: 'consent', as: 'each', authorizations: 9, needs: ['customer'] },
  async (session) => {
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
      withoutPkce: await app.attemptGrant(
        { change: (request) => noMethod(noChallenge(request)) },
        noVerifier,
      ),
      withEmptyChallenge: await app.attemptGrant({ change: emptyChallenge }),
      withNothingToVerify: await app.attemptGrant({ change: emptyChallenge }, noVerifier),
      plain: await grantWithPlainChallenge(session, change.query('code_challenge_method', 'plain')),
      plainWithoutMethod: await grantWithPlainChallenge(session, noMethod),
      after: await app.attemptGrant(),
    }
  },
)

type Attempts = Observed<Awaited<ReturnType<typeof attempts.act>>>
type Attempt = Attempts['before']

const isNotGranted = ({ before, after }: Attempts, changed: Attempt, because: string): void =>
  isRefusedBetween({ before: endOf(before), changed: endOf(changed), after: endOf(after) }, because)

check(AUT.unknownScopeIsNotGranted, attempts, (record) => {
  const { exchange } = record.withUnknownWord
  if (exchange?.accepted !== true)
    return isNotGranted(record, record.withUnknownWord, 'its scope has a word that no bank knows')
  if (!endOf(record.before).accepted) throw new NotReached('the scope without the word was not granted')
  const scope = exchange.body.field('scope')
  const words = typeof scope.value === 'string' ? scope.value.split(' ') : undefined
  scope.satisfies(words?.includes(record.word) === false, 'the granted scope, without the unknown word')
})

check(AUT.missingChallengeIsNotGranted, attempts, (record) => {
  isNotGranted(record, record.withoutChallenge, 'it has no code_challenge')
  isNotGranted(record, record.withoutPkce, 'it has no code_challenge, and the exchange no code_verifier')
})

check(AUT.emptyChallengeIsNotGranted, attempts, (record) => {
  isNotGranted(record, record.withEmptyChallenge, 'its code_challenge is empty')
  isNotGranted(
    record,
    record.withNothingToVerify,
    'its code_challenge is empty, and there is no code_verifier',
  )
})

check(AUT.plainChallengeIsNotGranted, attempts, (record) => {
  isNotGranted(record, record.plain, 'its code_challenge_method is plain')
})

check(AUT.missingMethodIsNotTakenAsPlain, attempts, (record) => {
  isNotGranted(record, record.plainWithoutMethod, 'its code_challenge is not the S256 of the code_verifier')
})

const isRefusedAtOnce = ({ before, after }: Attempts, { landing }: Attempt, because: string): void =>
  isRefusedBetween({ before: before.landing, changed: landing, after: after.landing }, because)

check(AUT.missingChallengeIsRefusedAtOnce, attempts, (record) => {
  isRefusedAtOnce(record, record.withoutChallenge, 'it has no code_challenge')
  isRefusedAtOnce(record, record.withoutPkce, 'it has neither code_challenge nor code_challenge_method')
})

check(AUT.plainMethodIsRefusedAtOnce, attempts, (record) => {
  isRefusedAtOnce(record, record.plain, 'its code_challenge_method is plain')
})
