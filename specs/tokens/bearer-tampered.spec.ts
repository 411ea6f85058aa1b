import { constantFrom } from 'fast-check'
import {
  check,
  isRefusedBetween,
  property,
  refusalOf,
  TAMPERINGS,
  tampered,
} from '../../harness/check/index.ts'
import { refreshStill } from './controls.ts'
import { TOK } from './requirements.ts'

/** Where the one character is: from 0, the first, to 1, the last. Few places, since each takes a grant. */
const PLACES = [0, 0.25, 0.5, 0.75, 1] as const

const tamperedCalls = property(
  'data calls with an access token that was tampered with',
  { effect: 'read', as: 'any', needs: ['access'] },
  constantFrom(...PLACES),
  async ({ app, access }, place) => {
    const { accessToken } = await access()
    const before = await app.listAccounts(accessToken)
    const calls = []
    for (const how of TAMPERINGS) calls.push(await app.listAccounts(tampered(accessToken, how, place)))
    return { before, calls, after: await app.listAccounts(accessToken) }
  },
)

const tamperedRefreshes = property(
  'refreshes with a refresh token that was tampered with',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer'] },
  constantFrom(...PLACES),
  async ({ app }, place) => {
    const issued = await app.tokens()
    const renewal = await app.renew(issued)
    const { refreshToken } = renewal.tokens
    const refreshes = []
    for (const how of TAMPERINGS)
      refreshes.push(await app.refresh({ refreshToken: tampered(refreshToken, how, place) }))
    const afterRefreshes = await refreshStill(app, renewal.tokens)
    return { beforeRefreshes: renewal.exchange, refreshes, afterRefreshes }
  },
)

check(TOK.unknownTokenIsRefused, tamperedCalls, ({ before, calls, after }) =>
  isRefusedBetween({ before, changed: calls, after }, 'the token was tampered with'),
)

check(TOK.unknownTokenHasStatus401, tamperedCalls, ({ calls }) => {
  for (const call of calls) refusalOf(call).status.equals(401)
})

check(TOK.unknownRefreshTokenIsRefused, tamperedRefreshes, ({ beforeRefreshes, refreshes, afterRefreshes }) =>
  isRefusedBetween(
    { before: beforeRefreshes, changed: refreshes, after: afterRefreshes },
    'the refresh token was tampered with',
  ),
)
