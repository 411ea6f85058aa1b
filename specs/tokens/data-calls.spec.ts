import { check, NotReached } from '../../harness/check/index.ts'
import { grantedVariants, scenario, waitForAge } from '../../harness/session/index.ts'
import type { ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import {
  areStillAnswered,
  dataCalls,
  grantAll,
  keepThePageSize,
  listNoMoreAccounts,
  renewAll,
  type Calls,
} from './data-access.ts'
import { HOUR, LIFETIME, waitForLastMinutes } from '../shared/tolerances.ts'
import { granting, notifying } from '../shared/scenario-options.ts'
import { TOK } from './requirements.ts'

/** A valid token opens all data calls, not only the list of accounts. */

const renewed = scenario(
  'data calls with tokens from refreshes',
  { ...granting(1), times: (profile) => grantedVariants(profile).length },
  async (session) => {
    const issued = await grantAll(session)
    const calls = await dataCalls(session, issued)
    const first = await renewAll(issued)
    const callsOfTheFirst = await dataCalls(session, first)
    const second = await renewAll(first)
    const callsOfTheSecond = await dataCalls(session, second)
    return {
      calls,
      rounds: [
        { refresh: first[0].exchange, calls: callsOfTheFirst },
        { refresh: second[0].exchange, calls: callsOfTheSecond },
      ],
    }
  },
)

/** The calls with the token of each refresh. @throws NotReached where a refresh was refused. */
const renewedCalls = ({ rounds }: RecordOf<typeof renewed>): readonly Calls[] =>
  rounds.map(({ refresh, calls }) => {
    if (!refresh.accepted) throw new NotReached('the refresh was not accepted')
    return calls
  })

check(TOK.refreshedAccessTokenIsAccepted, renewed, (record) => {
  for (const calls of renewedCalls(record))
    areStillAnswered(record.calls, calls, 'a refresh gave this access token a moment before')
})

check(TOK.refreshedTokenSeesNoMoreAccounts, renewed, (record) => {
  for (const calls of renewedCalls(record)) listNoMoreAccounts(record.calls, calls)
})

check(TOK.refreshedTokenKeepsThePageSize, renewed, (record) => {
  for (const calls of renewedCalls(record)) keepThePageSize(record.calls, calls)
})

const old = scenario(
  'data calls in the last minutes of the 90 days',
  { ...granting(1, 'clock'), times: (profile) => grantedVariants(profile).length, waitsMs: LIFETIME },
  async (session) => {
    const issued = await grantAll(session)
    const young = await dataCalls(session, issued)
    await waitForLastMinutes(session, issued[0].tokens.exchange)
    return { young, old: await dataCalls(session, issued) }
  },
)

check(TOK.accessTokenLivesNinetyDays, old, ({ young, old }) =>
  areStillAnswered(young, old, 'its access token was issued less than 90 days before'),
)

/** Between two refreshes of one consent: how often a target takes one is not shown. */
const PAUSE = HOUR / 2

const UNAUTHORIZED = 401

const refreshing = scenario(
  'refreshes of the accounts of a consent in the last hours of the 90 days',
  { ...notifying(1, 'clock'), waitsMs: LIFETIME },
  async (session) => {
    const { app, clock } = session
    const issued = await app.tokens()
    const young = await app.refreshAccounts(issued)
    // Early enough that a token from a refresh, too, may be used after the pause, if it ends with the first one.
    await waitForAge(session, issued.exchange, LIFETIME - 2 * HOUR, PAUSE)
    const old = await app.refreshAccounts(issued)
    const renewal = await app.renew(issued)
    await clock.pass(PAUSE)
    const renewed = await app.refreshAccounts({ ...issued, ...renewal.tokens })
    return { young, old, renewal: renewal.exchange, renewed }
  },
)

/** Judges that the token is still accepted. An answer without a taskId is judged in the chapter on the refresh. */
const isStillAccepted = (refresh: ObservedExchange, because: string): void => {
  if (!refresh.accepted && Number(refresh.status.value) < 300)
    throw new NotReached('the refresh was answered, without a taskId')
  refresh.isAccepted(because)
}

check(TOK.accessTokenLivesNinetyDays, refreshing, ({ young, old }) => {
  if (!young.accepted) throw new NotReached('the accounts were not refreshed when the token was new')
  isStillAccepted(old, 'its access token was issued less than 90 days before')
})

check(TOK.refreshedAccessTokenIsAccepted, refreshing, ({ young, renewal, renewed }) => {
  if (!young.accepted || !renewal.accepted)
    throw new NotReached('the accounts were not refreshed before, or the token was not renewed')
  // How often a consent may be refreshed is not shown: a refusal for that reason says nothing of the token.
  if (!renewed.accepted && renewed.status.value !== UNAUTHORIZED)
    throw new NotReached('the second refresh was refused, and not for its token')
  isStillAccepted(renewed, 'a refresh gave its access token half an hour before')
})
