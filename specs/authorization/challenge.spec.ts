import {
  change,
  check,
  createVerifier,
  endOf,
  isRefusedBetween,
  scenario,
} from '../../harness/check/index.ts'
import type { Application, Observed } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const withoutVerifier = change.noForm('code_verifier')

/** The code_challenge is the code_verifier itself, as it is with the method plain. */
const grantWithPlainChallenge = (app: Application, ofMethod: ReturnType<typeof change.query>) => {
  const verifier = createVerifier()
  const plain = change.query('code_challenge', verifier)
  return app.attemptGrant({ verifier, change: (request) => ofMethod(plain(request)) })
}

const unchallenged = scenario(
  'authorization requests without an S256 challenge',
  { effect: 'consent', as: 'each', authorizations: 8, needs: ['customer'] },
  async ({ app }) => {
    const noChallenge = change.noQuery('code_challenge')
    const noMethod = change.noQuery('code_challenge_method')
    const empty = change.query('code_challenge', '')
    return {
      before: await app.attemptGrant(),
      missing: await app.attemptGrant({ change: noChallenge }),
      withoutPkce: await app.attemptGrant(
        { change: (request) => noMethod(noChallenge(request)) },
        withoutVerifier,
      ),
      empty: await app.attemptGrant({ change: empty }),
      emptyWithoutVerifier: await app.attemptGrant({ change: empty }, withoutVerifier),
      plain: await grantWithPlainChallenge(app, change.query('code_challenge_method', 'plain')),
      plainWithoutMethod: await grantWithPlainChallenge(app, noMethod),
      after: await app.attemptGrant(),
    }
  },
)

type Attempts = Observed<Awaited<ReturnType<typeof unchallenged.act>>>

const isNotGranted = ({ before, after }: Attempts, changed: Attempts['before'], because: string): void =>
  isRefusedBetween({ before: endOf(before), changed: endOf(changed), after: endOf(after) }, because)

check(AUT.missingChallengeIsNotGranted, unchallenged, (attempts) => {
  isNotGranted(attempts, attempts.missing, 'it has no code_challenge')
  isNotGranted(attempts, attempts.withoutPkce, 'it has no code_challenge, and the exchange no code_verifier')
})

check(AUT.emptyChallengeIsNotGranted, unchallenged, (attempts) => {
  isNotGranted(attempts, attempts.empty, 'its code_challenge is empty')
  isNotGranted(
    attempts,
    attempts.emptyWithoutVerifier,
    'its code_challenge is empty, and no code_verifier is sent',
  )
})

check(AUT.plainChallengeIsNotGranted, unchallenged, (attempts) => {
  isNotGranted(attempts, attempts.plain, 'its code_challenge_method is plain')
})

check(AUT.missingMethodIsNotTakenAsPlain, unchallenged, (attempts) => {
  isNotGranted(attempts, attempts.plainWithoutMethod, 'its code_challenge is no S256 of the code_verifier')
})

const isRefusedAtOnce = ({ before, after }: Attempts, changed: Attempts['before'], because: string): void =>
  isRefusedBetween({ before: before.landing, changed: changed.landing, after: after.landing }, because)

check(AUT.missingChallengeIsRefusedAtOnce, unchallenged, (attempts) => {
  isRefusedAtOnce(attempts, attempts.missing, 'it has no code_challenge')
  isRefusedAtOnce(attempts, attempts.withoutPkce, 'it has neither code_challenge nor code_challenge_method')
})

check(AUT.plainMethodIsRefusedAtOnce, unchallenged, (attempts) => {
  isRefusedAtOnce(attempts, attempts.plain, 'its code_challenge_method is plain')
})
