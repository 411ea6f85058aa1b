import { check, isRefusedBetween, NotReached, scenario } from '../../harness/check/index.ts'
import type { Application, ObservedLanding } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

/** One that returns something to the client, where there is one. */
const redirectUriOf = ({ profile: { redirectUris } }: Application): string =>
  (redirectUris.find(({ delivery }) => delivery === 'redirect') ?? redirectUris[0])?.uri ?? ''

const denial = scenario(
  'a denial',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer', 'refusal'] },
  async (session) => {
    const { app } = session
    const redirectUri = redirectUriOf(app)
    return {
      kind: app.kind,
      redirectUri,
      attempts: await session.between(
        () => app.authorize({ redirectUri }),
        () => app.authorize({ redirectUri, state: STATE, decision: 'deny' }),
      ),
    }
  },
)

check(AUT.noCodeBeforeTheUserGrants, denial, ({ kind, attempts: { before } }) => {
  if (!before.accepted) throw new NotReached('no code was given, neither before the grant nor after it')
  const isAsked = before.decision === 'granted'
  if (!isAsked && kind === 'FAC')
    throw new NotReached(
      'nobody was asked: the bank may remember what the user has granted to this FAC before',
    )
  before.code.satisfies(isAsked, 'no code before the user has granted this consent')
})

const wasDenied = ({ decision }: ObservedLanding): void => {
  if (decision !== 'denied') throw new NotReached('the user was not asked, so could not deny')
}

check(AUT.denialGivesNoCode, denial, ({ attempts }) => {
  wasDenied(attempts.changed)
  isRefusedBetween(attempts, 'the user has denied')
})

/** A denial that the bank sends to the client, rather than to show it. */
const isSent = (denied: ObservedLanding): boolean => {
  wasDenied(denied)
  if (denied.accepted) throw new NotReached('the denial gave a code, so no denial was reported')
  denied.isRefused('the user has denied')
  return denied.outcome === 'redirect'
}

check(AUT.denialIsReportedAsAccessDenied, denial, ({ redirectUri, attempts: { changed } }) => {
  if (!isSent(changed)) return
  const { origin, pathname } = new URL(redirectUri)
  changed.address.equals(origin + pathname)
  changed.parameter('error').equals('access_denied')
})

check(AUT.denialReturnsTheState, denial, ({ attempts: { changed } }) => {
  if (isSent(changed)) changed.parameter('state').equals(STATE)
})
