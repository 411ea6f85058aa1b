import {
  isAccepted,
  isAcceptedToo,
  isRefusedBetween,
  loanStatus,
  NotReached,
  type Exchange,
  type LoanWords,
  type ObservedExchange,
  type ObservedLanding,
} from '../../harness/check/index.ts'
import {
  statusAfterCancellation,
  type Change,
  type EnvironmentSession,
  type Loans,
  type Session,
} from '../../harness/session/index.ts'

/** Steps and judges of scenarios that cross from one environment to the other. */

export type Environment = Parameters<Session['at']>[0]

/** In the words of a title. */
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

/** The access token that an answer carries. @throws NotReached where it carries none. */
export const accessTokenIn = ({ app }: Pick<Session, 'app'>, answer: Exchange): string => {
  const { accessToken } = app.tokensIn(answer)
  if (accessToken === undefined) throw new NotReached(`${answer.id} brought no access token`)
  return accessToken
}

interface Attempt {
  readonly accepted: boolean
  isRefused(because: string): void
}

/** Something of one environment tried in the other, between two valid requests of the other. */
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
    isRefused: (because: string): void => status.satisfies(!accepted, `nothing: ${because}`),
  }
}

/** A DELETE that must not cancel an application, then one that must: if that has no effect, the first proves nothing. */
export const cancelInVain = async (
  { clock }: Pick<Session, 'clock'>,
  loans: Loans,
  id: string,
  cancel: () => Promise<Exchange>,
) => {
  const before = await loans.status(id)
  const attempt = await cancel()
  const after = await statusAfterCancellation({ clock, loans }, id)
  await loans.cancel(id)
  return { before, attempt, after, last: await statusAfterCancellation({ clock, loans }, id) }
}

/** A request of one environment with any access token. */
export type Ask = (accessToken: string) => Promise<Exchange>

type Side = Pick<EnvironmentSession, 'app' | 'profile'>

const accountsOf = ({ app, profile }: Side) =>
  profile.secondVariant === undefined
    ? [app.accounts('first')]
    : [app.accounts('first'), app.accounts('second')]

/** At most so many accounts are searched for one that has what is asked for. */
const MOST_ACCOUNTS = 10

/** The first request that is accepted with this token. What is refused to every token proves nothing. */
const firstOpen = async (asks: readonly Ask[], accessToken: string): Promise<readonly Ask[]> => {
  for (const ask of asks) if (isAccepted(await ask(accessToken))) return [ask]
  return []
}

/** The lists of accounts, and the detail of one of each list. */
export const accountAsks = async (side: Side, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(side)) {
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
export const transactionAsks = async (side: Side, accessToken: string): Promise<readonly Ask[]> => {
  const asks: Ask[] = []
  for (const accounts of accountsOf(side)) {
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

/** Whether an operation stands where the interface puts it, whichever place the profile names. */

/** A path as an address has it: escaped where that is needed. */
const asSent = (path: string): string => new URL(path, 'http://bank.example').pathname

/** Puts a path in the place of the one that a request has, behind the same base URL. */
export const moved =
  (from: string, to: string): Change =>
  (request) => {
    const url = new URL(request.url)
    const old = asSent(from)
    if (!url.pathname.endsWith(old)) throw new Error(`${url.pathname} does not end with ${old}`)
    url.pathname = url.pathname.slice(0, url.pathname.length - old.length) + asSent(to)
    return { ...request, url: url.href }
  }

type End = ObservedExchange | ObservedLanding

/** An operation asked for there; where that brought nothing, at the place of the profile, and there once more. */
interface PlaceAttempt {
  readonly changed: End
  readonly valid?: End
  readonly again?: End
}

const exchangeOf = (end: End): ObservedExchange => ('exchange' in end ? end.exchange : end)

/** What a server says that has nothing at an address. Other refusals are answers of an operation. */
const NOTHING_THERE: readonly unknown[] = [404, 410]

const isMissing = ({ changed }: PlaceAttempt): boolean =>
  !changed.accepted && NOTHING_THERE.includes(exchangeOf(changed).status.value)

const isAcceptedAnywhere = ({ changed, valid }: PlaceAttempt): boolean =>
  changed.accepted || valid?.accepted === true

/** What was asked for at the places that the interface gives. */
interface Places {
  readonly attempts: readonly PlaceAttempt[]
  /** Whether the profile names the same places: then there is no other one to compare with. */
  readonly isNamed: boolean
  /** Something else that was answered, which tells that nobody has lost the whole target. */
  readonly elsewhere?: readonly PlaceAttempt[]
}

/**
 * Judges that all of it is served there.
 * @throws NotReached where an operation is refused wherever it is asked for: that is judged in its own chapter.
 */
export const areServed = ({ attempts, isNamed, elsewhere }: Places, because: string): void => {
  const [first] = attempts
  if (first === undefined) throw new NotReached('nothing could be asked for')
  const isLost = attempts.every((attempt) => isMissing(attempt) && !isAcceptedAnywhere(attempt))
  if (isLost && (elsewhere === undefined || elsewhere.some(isAcceptedAnywhere)))
    first.changed.isAccepted(because)
  for (const attempt of attempts) {
    if (!isNamed) isAcceptedToo(attempt, because)
    if (!attempt.changed.accepted) throw new NotReached('an operation was refused, wherever it is')
  }
}
