import { string } from 'fast-check'
import { check, NotReached } from '../../harness/check/index.ts'
import { property } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

/** Percent-encoded, and with all the rest, it fits into a URL that every browser and proxy takes. */
const LONGEST_STATE = 200

const anyState = property(
  'a grant with any state',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer', 'redirect'] },
  string({ unit: 'grapheme-ascii', minLength: 1, maxLength: LONGEST_STATE, size: 'max' }),
  async ({ app }, state) => {
    const redirectUri = app.redirectUri(({ delivery }) => delivery === 'redirect')
    return { landing: await app.authorize({ redirectUri, state }) }
  },
)

check(AUT.stateIsReturnedUnchanged, anyState, ({ landing }, state) => {
  if (!landing.accepted) throw new NotReached('no code was given')
  if (landing.outcome === 'redirect') landing.parameter('state').equals(state)
})
