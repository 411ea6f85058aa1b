import { constantFrom } from 'fast-check'
import { Inconclusive, check, isChallenged, isRefusedBetween, refusalOf } from '../../harness/check/index.ts'
import { TAMPERINGS, change, property, scenario, tampered } from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'
import { refreshStill } from './token-requests.ts'
import { hasTheStatusOfARefusal, refusedAfter } from './refusals.ts'

/** Of the characters that a token may have (RFC 6750 §2.1), and about as long as one of 256 bits. */
const MADE_UP = 'No-bank-has-ever-issued-this-token-to-anyone'

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
    const unknown = await app.listAccounts(MADE_UP)
    const after = await app.listAccounts(accessToken)
    return { before, missing, empty, basic, unknown, after }
  },
)

const others = scenario(
  'data calls with a refresh token and with a code',
  { effect: 'consent', as: 'each', authorizations: 2, needs: ['customer'] },
  async ({ app }) => {
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
  },
)

check(TOK.bearerTokenIsAccepted, calls, ({ before }) => {
  // How a list names its accounts is judged in the chapter on accounts.
  if (before.status.value === 200 && !before.accepted)
    throw new Inconclusive('the answer to a valid token names no accountId')
  before.isAccepted('the access token was issued a moment before')
})

check(TOK.missingTokenIsRefused, calls, ({ before, missing, empty, basic, after }) => {
  isRefusedBetween({ before, changed: missing, after }, 'it has no Authorization header')
  isRefusedBetween({ before, changed: empty, after }, 'there is no token after the word Bearer')
  isRefusedBetween({ before, changed: basic, after }, 'the Basic header of the client is no access token')
})

check(TOK.unknownTokenIsRefused, calls, ({ before, unknown, after }) =>
  isRefusedBetween({ before, changed: unknown, after }, 'the bank never issued the token'),
)

check(TOK.refreshTokenIsNoAccessToken, others, ({ before, refreshTokenInstead, after }) =>
  isRefusedBetween({ before, changed: refreshTokenInstead, after }, 'the refresh token is no access token'),
)

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

check(TOK.refusedDataCallIsChallenged, calls, ({ missing }) => isChallenged(missing, 'Bearer'))

check(TOK.refusedDataCallIsChallenged, calls, ({ unknown }) => isChallenged(unknown, 'Bearer'))

check(TOK.refusedDataCallIsChallenged, others, ({ refreshTokenInstead }) =>
  isChallenged(refreshTokenInstead, 'Bearer'),
)

check(TOK.refusedDataCallIsChallenged, others, ({ codeInstead }) => isChallenged(codeInstead, 'Bearer'))

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
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer'] },
  async ({ app }) => {
    const renewal = await app.renew(await app.tokens())
    const { refreshToken } = renewal.tokens
    const refreshes = []
    for (const place of PLACES)
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
