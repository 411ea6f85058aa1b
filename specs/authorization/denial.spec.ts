import { check, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { ObservedLanding } from '../../harness/check/index.ts'
import type { Application } from '../../harness/session/index.ts'
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
