import { check, isAccepted, NotReached } from '../../harness/check/index.ts'
import { days, LIFETIME, MARGIN, waitForAge, scenario, SLACK } from '../../harness/session/index.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { Accounts, Session } from '../../harness/session/index.ts'
import { TOK } from './requirements.ts'

/** What a token opens, it opens as long as it is valid: not the list of accounts alone. */

interface DataCall {
  readonly name: string
  readonly call: Exchange
  /** Where the answer has a list that may have become empty by then: of transactions that are too old to be shown. */
  readonly list?: string
}

/** So many accounts are looked at for one that has transactions. */
const MOST_ACCOUNTS = 5

/** The list of a variant, and what it leads to as far as it has an account. */
const callsTo = async (
  accounts: Accounts,
  accessToken: string,
  transactions: string,
): Promise<readonly DataCall[]> => {
  const list = await accounts.list(accessToken)
  const named = (name: string, call: Exchange): DataCall => ({
    name: `${name} (${accounts.variant} variant)`,
    call,
  })
  const calls = [named('the list of accounts', list)]
  if (!isAccepted(list)) return calls
  const listed = accounts.accountsIn(list)
  for (const account of listed.slice(0, 1))
    calls.push(named('an account detail', await accounts.read(accessToken, account)))
  let page: Exchange | undefined
  for (const account of listed.slice(0, MOST_ACCOUNTS)) {
    page = await accounts.transactions(accessToken, account)
    if (isAccepted(page)) break
  }
  if (page === undefined) return calls
  return [...calls, { ...named('a page of transactions', page), list: transactions }]
}

const dataCalls = async (
  { app, profile: { operations, secondVariant } }: Session,
  accessToken: string,
): Promise<readonly DataCall[]> => {
  const { transactions } = operations.listTransactions
  const calls = await callsTo(app.accounts('first'), accessToken, transactions)
  if (secondVariant === undefined) return calls
  const second = secondVariant.listTransactions.transactions
  return [...calls, ...(await callsTo(app.accounts('second'), accessToken, second))]
}

type Calls = Observed<readonly DataCall[]>

const isAnEmptyPage = ({ call: { status, body }, list }: Calls[number]): boolean => {
  if (list === undefined || Number(status.value) >= 300) return false
  const { value } = body.field(list)
  return Array.isArray(value) && value.length === 0
}

/** Judges that all which was answered once is answered still. @throws NotReached where nothing was. */
const areAnsweredStill = (once: Calls, now: Calls, because: string): void => {
  const answered = once.filter(({ call }) => call.accepted)
  if (answered.length === 0) throw new NotReached('no data call was answered with the token before')
  for (const { name } of answered) {
    const again = now.find((one) => one.name === name)
    if (again !== undefined && !isAnEmptyPage(again))
      again.call.isAccepted(`${name} was answered before, and ${because}`)
  }
}

const renewed = scenario(
  'data calls with tokens that came of refreshes',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer'] },
  async (session) => {
    const { app } = session
    const issued = await app.tokens()
    const calls = await dataCalls(session, issued.accessToken)
    const first = await app.renew(issued)
    const callsOfTheFirst = await dataCalls(session, first.tokens.accessToken)
    const second = await app.renew(first.tokens)
    const callsOfTheSecond = await dataCalls(session, second.tokens.accessToken)
    return {
      calls,
      rounds: [
        { refresh: first.exchange, calls: callsOfTheFirst },
        { refresh: second.exchange, calls: callsOfTheSecond },
      ],
    }
  },
)

check(TOK.refreshedAccessTokenIsAccepted, renewed, ({ calls, rounds }) => {
  for (const round of rounds) {
    // That a refresh succeeds is judged elsewhere.
    if (!round.refresh.accepted) throw new NotReached('the refresh was not accepted')
    areAnsweredStill(calls, round.calls, 'this access token came of a refresh a moment before')
  }
})

const old = scenario(
  'data calls in the last hour of the 90 days',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'clock'], waitsMs: LIFETIME },
  async (session) => {
    const issued = await session.app.tokens()
    const young = await dataCalls(session, issued.accessToken)
    await waitForAge(session, issued.exchange, LIFETIME - MARGIN, SLACK)
    return { young, old: await dataCalls(session, issued.accessToken) }
  },
)

check(TOK.accessTokenLivesNinetyDays, old, ({ young, old }) =>
  areAnsweredStill(young, old, 'its access token was issued 90 days less an hour before'),
)

/** Between two refreshes of one consent, in ms: how often a target takes one is not shown. */
const PAUSE = days(1) / 48

const UNAUTHORIZED = 401

const refreshing = scenario(
  'refreshes of the accounts of a consent in the last hour of the 90 days',
  { effect: 'notify', as: 'TPP', authorizations: 1, needs: ['customer', 'clock'], waitsMs: LIFETIME },
  async (session) => {
    const { app, clock } = session
    const issued = await app.tokens()
    const young = await app.refreshAccounts(issued)
    await waitForAge(session, issued.exchange, LIFETIME - MARGIN, SLACK)
    const old = await app.refreshAccounts(issued)
    const renewal = await app.renew(issued)
    await clock.pass(PAUSE)
    const renewed = await app.refreshAccounts({ ...issued, ...renewal.tokens })
    return { young, old, renewal: renewal.exchange, renewed }
  },
)

/** Judges that the token is taken still. An answer without a taskId is judged in the chapter on the refresh. */
const isTaken = (refresh: ObservedExchange, because: string): void => {
  if (!refresh.accepted && Number(refresh.status.value) < 300)
    throw new NotReached('the refresh was answered, without a taskId')
  refresh.isAccepted(because)
}

check(TOK.accessTokenLivesNinetyDays, refreshing, ({ young, old }) => {
  if (!young.accepted) throw new NotReached('the accounts were not refreshed when the token was new')
  isTaken(old, 'its access token was issued 90 days less an hour before')
})

check(TOK.refreshedAccessTokenIsAccepted, refreshing, ({ young, renewal, renewed }) => {
  if (!young.accepted || !renewal.accepted)
    throw new NotReached('the accounts were not refreshed before, or the token was not renewed')
  // How often a consent may be refreshed is not shown: a refusal for that reason says nothing of the token.
  if (!renewed.accepted && renewed.status.value !== UNAUTHORIZED)
    throw new NotReached('the second refresh was refused, and not for its token')
  isTaken(renewed, 'its access token came of a refresh half an hour before')
})
