import { DateTime } from 'luxon'
import {
  isAccepted,
  isRefusedBetween,
  loanStatus,
  NotReached,
  wasProcessed,
  type Exchange,
  type LoanWords,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import { grantedVariants } from '../../harness/session/index.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import type { Application, EnvironmentSession, Session } from '../../harness/session/index.ts'

/** Steps and judges of scenarios that use something of one environment in the other. */

export type Environment = Parameters<Session['at']>[0]

export const ENVIRONMENTS = ['sandbox', 'production'] as const

/** The names in titles and messages. */
export const NAMES: Readonly<Record<Environment, string>> = {
  sandbox: 'the sandbox',
  production: 'production',
}

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** Both environments of a crossing: where something was issued (home), and where it is tried (abroad). */
export interface Sides {
  readonly home: EnvironmentSession
  readonly abroad: EnvironmentSession
}

export const sidesOf = (session: Session, from: Environment): Sides => ({
  home: session.at(from),
  abroad: session.at(otherThan(from)),
})

/** The access token in an answer. @throws NotReached if there is none. */
export const accessTokenIn = ({ app }: Pick<Session, 'app'>, answer: Exchange): string => {
  const { accessToken } = app.tokensIn(answer)
  if (accessToken === undefined) throw new NotReached(`${answer.id} has no access token`)
  return accessToken
}

interface Attempt {
  readonly accepted: boolean
  isRefused(because: string): void
}

/** Something of one environment that is tried in the other, between two valid requests there. */
export interface Crossing<One> {
  readonly before: One
  readonly changed: One
  readonly after: One
  /** The request where it was issued. If it is refused there too, its refusal abroad proves nothing. */
  readonly atHome: One
}

/** Judges that it is refused abroad. @throws NotReached if it was refused at home too. */
export const staysAtHome = (crossing: Crossing<Attempt>, because: string): void => {
  isRefusedBetween(crossing, because)
  if (!crossing.atHome.accepted) throw new NotReached('it was not accepted where it was issued either')
}

/** Accepted if the answer has a status; the page of a gateway has none. */
export const asStatus = (answer: ObservedExchange, words: LoanWords): Attempt => {
  const status = loanStatus(answer, words)
  const accepted = status.value !== undefined && status.value !== null
  return {
    accepted,
    isRefused: (because: string): void => {
      if (!accepted) wasProcessed(answer)
      status.satisfies(!accepted, `nothing: ${because}`)
    },
  }
}

type Attempts<One> = Readonly<Record<'before' | 'changed' | 'after', One>>

/** Judges loan requests that are read by their result, application-id or status, and not by their HTTP status. */
export const areRefusedAs = (
  read: (answer: ObservedExchange, words: LoanWords) => Parameters<typeof isRefusedBetween>[0]['before'],
  { before, changed, after }: Attempts<ObservedExchange>,
  words: LoanWords,
  because: string,
): void =>
  isRefusedBetween(
    { before: read(before, words), changed: read(changed, words), after: read(after, words) },
    because,
  )

/** A request of one environment with any access token. */
export type Ask = (accessToken: string) => Promise<Exchange>

const accountsOf = (app: Application) => app.opens.map((variant) => app.accounts(variant))

/** The most accounts that are tried until one is accepted. */
const MOST_ACCOUNTS = 10

/** The first request that is accepted with this token. A request that is refused with every token shows nothing. */
const firstOpen = async (asks: readonly Ask[], accessToken: string): Promise<readonly Ask[]> => {
  for (const ask of asks) if (isAccepted(await ask(accessToken))) return [ask]
  return []
}

/** The lists of accounts that a grant to the application opens, and the detail of one of each list. */
export const accountAsks = async (app: Application, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(app)) {
    const list: Ask = (token) => accounts.list(token)
    const [open] = await firstOpen([list], accessToken)
    if (open === undefined) continue
    const listed = accounts.accountsIn(await open(accessToken)).slice(0, MOST_ACCOUNTS)
    const details = listed.map(
      (account): Ask =>
        (token) =>
          accounts.read(token, account),
    )
    asks.push(open, ...(await firstOpen(details, accessToken)))
  }
  return asks
}

/** The transactions of the first account of each list that has any. */
export const transactionAsks = async (app: Application, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(app)) {
    const list = await accounts.list(accessToken)
    if (!isAccepted(list)) continue
    const listed = accounts.accountsIn(list).slice(0, MOST_ACCOUNTS)
    const pages = listed.map(
      (account): Ask =>
        (token) =>
          accounts.transactions(token, account),
    )
    asks.push(...(await firstOpen(pages, accessToken)))
  }
  return asks
}

/** Judges that a foreign token opens nothing. An empty list is no refusal. */
export const opensNoData = (
  attempts: Parameters<typeof isRefusedBetween>[0] & { readonly changed: ObservedExchange },
  because: string,
): void => {
  isRefusedBetween(attempts, because)
  const { status } = attempts.changed
  status.satisfies(Number(status.value) >= 300, `no 2xx, since ${because}`)
}

/** Accounts and transactions with a token that opens them, with one of another interface, and with the first again. */
export const dataWithBoth = async (
  session: Session,
  foreign: string,
): Promise<readonly Awaited<ReturnType<typeof session.between<Exchange>>>[]> => {
  const attempts = []
  for (const variant of grantedVariants(session.profile)) {
    const app = session.app.for(variant)
    const { accessToken } = await session.access({ variant })
    for (const ask of [
      ...(await accountAsks(app, accessToken)),
      ...(await transactionAsks(app, accessToken)),
    ])
      attempts.push(
        await session.between(
          () => ask(accessToken),
          () => ask(foreign),
        ),
      )
  }
  return attempts
}

/** The time of the status of a payment, as it is written. */
export const stateOf = (answer: ObservedExchange): unknown => answer.body.anywhere('statusDateTime').value

/** Whether an answer is of a payment that had its status before this one had its first. */
export const isOfAnOlderOne = (answer: ObservedExchange, before: ObservedExchange): boolean => {
  const [then, now] = [answer, before].map((one) => DateTime.fromISO(String(stateOf(one))))
  return Number(then) < Number(now) - TOLERANCES.serversOfOneBank
}
