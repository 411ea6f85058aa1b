import { check, endOf, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { change, createVerifier, scenario } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Change, Session } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

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
