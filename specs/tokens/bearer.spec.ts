import { constantFrom } from 'fast-check'
import { Inconclusive, check, isChallenged, isRefusedBetween, refusalOf } from '../../harness/check/index.ts'
import { TAMPERINGS, change, property, scenario, tampered } from '../../harness/session/index.ts'
import { UNKNOWN_TOKEN } from '../shared/account-steps.ts'
import { checkRefused } from '../shared/refused.ts'
import { granting } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'
import { refreshStill } from './token-requests.ts'
import { hasTheStatusOfARefusal, refusedAfter } from './refusals.ts'

const calls = scenario(
  'data calls with and without an access token',
  { effect: 'read', as: 'each', needs: ['access'] },
  async ({ app, access }) => {
    const { accessToken } = await access()
    const { clientId, clientSecret } = app.profile
    const before = await app.listAccounts(accessToken)
    const missing = await app.listAccounts(accessToken, change.noHeader('Authorization'))
    const empty = await app.listAccounts(accessToken, change.header('Authorization', 'Bearer'))
    const basic = await app.listAccounts(accessToken, change.basic(clientId, clientSecret))
    const unknown = await app.listAccounts(UNKNOWN_TOKEN)
    const after = await app.listAccounts(accessToken)
    return { before, missing, empty, basic, unknown, after }
  },
)

const others = scenario('data calls with a refresh token and with a code', granting(2), async ({ app }) => {
  const { accessToken, refreshToken } = await app.tokens()
  const before = await app.listAccounts(accessToken)
  const refreshTokenInstead = await app.listAccounts(refreshToken)
  const after = await app.listAccounts(accessToken)
  // A code that can still be exchanged: a used one could be refused for its use.
  const grant = await app.grant()
  const codeInstead = await app.listAccounts(grant.code)
  // A new grant may end the tokens of an older one, so that the control after it uses its own token.
  const next = app.tokensIn(await app.exchangeCode(grant))
  const afterCode = await app.listAccounts(next.accessToken ?? accessToken)
  return { before, refreshTokenInstead, after, codeInstead, afterCode }
})

check(TOK.bearerTokenIsAccepted, calls, ({ before }) => {
  // How a list names its accounts is judged in the chapter on accounts.
  if (before.status.value === 200 && !before.accepted)
    throw new Inconclusive('the answer to a valid token names no accountId')
  before.isAccepted('the access token was issued a moment before')
})

checkRefused(TOK.missingTokenIsRefused, calls, {
  missing: 'it has no Authorization header',
  empty: 'there is no token after the word Bearer',
  basic: 'the Basic header of the client is no access token',
})
checkRefused(TOK.unknownTokenIsRefused, calls, { unknown: 'the bank never issued the token' })
checkRefused(TOK.refreshTokenIsNoAccessToken, others, {
  refreshTokenInstead: 'the refresh token is no access token',
})

check(TOK.codeIsNoAccessToken, others, ({ before, codeInstead, afterCode }) =>
  isRefusedBetween({ before, changed: codeInstead, after: afterCode }, 'the code is no access token'),
)

check(TOK.refusedDataCallHasTheStatusOfARefusal, calls, ({ before, missing, empty, basic, unknown }) =>
  refusedAfter(before, [missing, empty, basic, unknown]).forEach(hasTheStatusOfARefusal),
)

check(TOK.refusedDataCallHasTheStatusOfARefusal, others, ({ before, refreshTokenInstead, codeInstead }) =>
  refusedAfter(before, [refreshTokenInstead, codeInstead]).forEach(hasTheStatusOfARefusal),
)

check(TOK.missingTokenHasStatus401, calls, ({ missing }) => refusalOf(missing).status.equals(401))

check(TOK.unknownTokenHasStatus401, calls, ({ unknown }) => refusalOf(unknown).status.equals(401))

for (const pick of ['missing', 'unknown'] as const)
  check(TOK.refusedDataCallIsChallenged, calls, ({ [pick]: call }) => isChallenged(call, 'Bearer'))

for (const pick of ['refreshTokenInstead', 'codeInstead'] as const)
  check(TOK.refusedDataCallIsChallenged, others, ({ [pick]: call }) => isChallenged(call, 'Bearer'))

/** Where the changed character is: from 0, the first, to 1, the last. */
const PLACES = [0, 0.25, 0.5, 0.75, 1] as const

const tamperedCalls = property(
  'data calls with an access token that was tampered with',
  { effect: 'read', as: 'each', needs: ['access'] },
  constantFrom(...PLACES),
  async ({ app, access }, place) => {
    const { accessToken } = await access()
    const before = await app.listAccounts(accessToken)
    const calls = []
    for (const how of TAMPERINGS) calls.push(await app.listAccounts(tampered(accessToken, how, place)))
    return { before, calls, after: await app.listAccounts(accessToken) }
  },
)

const tamperedRefreshes = scenario(
  'refreshes with a refresh token that was tampered with',
  granting(1),
  async ({ app }) => {
    const renewal = await app.renew(await app.tokens())
    const { refreshToken } = renewal.tokens
    const refreshes = []
    for (const place of PLACES)
      for (const how of TAMPERINGS)
        refreshes.push(await app.refresh({ refreshToken: tampered(refreshToken, how, place) }))
    return { before: renewal.exchange, refreshes, after: await refreshStill(app, renewal.tokens) }
  },
)

check(TOK.unknownTokenIsRefused, tamperedCalls, ({ before, calls, after }) =>
  isRefusedBetween({ before, changed: calls, after }, 'the token was tampered with'),
)

check(TOK.unknownTokenHasStatus401, tamperedCalls, ({ calls }) => {
  for (const call of calls) refusalOf(call).status.equals(401)
})

checkRefused(TOK.unknownRefreshTokenIsRefused, tamperedRefreshes, {
  refreshes: 'the refresh token was tampered with',
})
