import {
  isAccepted,
  isAcceptedToo,
  NotReached,
  type Exchange,
  type ObservedExchange,
  type ObservedRedirect,
} from '../../harness/check/index.ts'
import { boundAt, documentedOf } from '../../harness/session/index.ts'
import type {
  Accounts,
  Change,
  EnvironmentSession,
  ListedAccount,
  OperationKey,
} from '../../harness/session/index.ts'

/**
 * Whether an operation is served at the place that the interface gives. The profile may bind base paths that are "not
 * shown"; where it names another place for a documented path, both are tried.
 */

/** A path as a URL has it: escaped where that is needed. */
const asSent = (path: string): string => new URL(path, 'http://bank.example').pathname

/** Replaces the path of a request after the same base URL. */
export const moved =
  (from: string, to: string): Change =>
  (request) => {
    const url = new URL(request.url)
    const old = asSent(from)
    if (!url.pathname.endsWith(old)) throw new Error(`${url.pathname} does not end with ${old}`)
    url.pathname = url.pathname.slice(0, url.pathname.length - old.length) + asSent(to)
    return { ...request, url: url.href }
  }

/** An operation, and in which parts of its address the profile and the interface differ. */
export interface Place {
  /** The operation as the interface shows it (Endpoints), such as `POST /v1/consents`. */
  readonly title: string
  readonly isOwnBase: boolean
  readonly isOwnPath: boolean
}

const ID = /\{[\w-]+\}/g

/**
 * The place of an operation, and the change that leads a request there. Where the interface shows no base path, it is that of
 * the profile.
 * @param id what stands in the path for `{account-id}`, `{orderId}` or `{application-id}`.
 */
export const placeOf = (
  profile: EnvironmentSession['profile'],
  key: OperationKey,
  id = '',
): { readonly place: Place; readonly change: Change } => {
  const { operation, base } = boundAt(profile, key)
  const { method, path } = documentedOf(key)
  const documentedBase = base.documented ?? base.path
  const filled = (text: string): string => text.replaceAll(ID, () => encodeURIComponent(id))
  return {
    place: {
      title: `${method} ${path}`,
      isOwnBase: base.path === documentedBase,
      isOwnPath: operation.path === path,
    },
    change: moved(base.path + filled(operation.path), documentedBase + filled(path)),
  }
}

/** The part of an exchange, of a redirect result or of a loan operation that is judged here. */
interface End {
  readonly accepted: boolean
  isAccepted(because: string): void
}

/** An operation requested at its documented place; if it was refused there, at the place of the profile as well. */
export interface PlaceAttempt<One = ObservedExchange | ObservedRedirect> {
  readonly place: Place
  readonly changed: One
  readonly valid?: One
  readonly again?: One
}

/** Requests an operation at its documented place; at the place of the profile as well, if that is another one. */
export const requestAt = async (
  { alike }: Pick<EnvironmentSession, 'alike'>,
  { place, change }: ReturnType<typeof placeOf>,
  request: (change?: Change) => Promise<Exchange>,
): Promise<PlaceAttempt<Exchange>> => {
  if (place.isOwnBase && place.isOwnPath) return { place, changed: await request() }
  const answers = await alike<Exchange>(
    () => request(),
    () => request(change),
  )
  return { place, ...answers }
}

/** The answer that was accepted, at whichever place. */
export const acceptedAmong = ({ changed, valid }: PlaceAttempt<Exchange>): Exchange | undefined =>
  [changed, valid].find((answer) => answer !== undefined && isAccepted(answer))

/** The most accounts that are tried until one has transactions. */
const MOST_ACCOUNTS = 10

/** The first account with transactions, since an empty page shows no result; the first one, if none has any. */
export const accountWithTransactions = async (
  accounts: Accounts,
  accessToken: string,
  listed: readonly ListedAccount[],
): Promise<ListedAccount | undefined> => {
  for (const account of listed.slice(0, MOST_ACCOUNTS))
    if (isAccepted(await accounts.transactions(accessToken, account))) return account
  return listed[0]
}

const exchangeOf = (end: ObservedExchange | ObservedRedirect): ObservedExchange =>
  'exchange' in end ? end.exchange : end

/** The statuses of a server that has nothing at an address. Other refusals are answers of an operation. */
const NOTHING_THERE: readonly unknown[] = [404, 410]

export const isNothingThere = (end: ObservedExchange | ObservedRedirect): boolean =>
  !end.accepted && NOTHING_THERE.includes(exchangeOf(end).status.value)

const isAcceptedAnywhere = ({ changed, valid }: PlaceAttempt): boolean =>
  changed.accepted || valid?.accepted === true

/** How an answer is read: loan operations by their codes, others by what they answer. */
type Reader = (end: ObservedExchange | ObservedRedirect) => End

const asItIs: Reader = (end) => end

const comparing = (read: Reader, { changed, valid, again }: PlaceAttempt) => ({
  changed: read(changed),
  ...(valid && { valid: read(valid) }),
  ...(again && { again: read(again) }),
})

const refusedEverywhere = ({ place }: PlaceAttempt): NotReached =>
  new NotReached(`${place.title} was refused at every place where it was requested`)

/**
 * Judges that the operations are served below the documented base path.
 * @throws NotReached if an operation is refused everywhere: its own chapter judges that.
 */
export const areServedBelow = (
  base: string,
  attempts: readonly PlaceAttempt[],
  read: Reader = asItIs,
): void => {
  const [first] = attempts
  if (first === undefined) throw new NotReached('no operation could be requested')
  const because = `the interface gives the base path ${base}`
  if (attempts.every((attempt) => isNothingThere(attempt.changed) && !isAcceptedAnywhere(attempt)))
    first.changed.isAccepted(because)
  const other = attempts.filter(({ place }) => !place.isOwnBase)
  for (const attempt of other) isAcceptedToo(comparing(read, attempt), because)
  const served = attempts.find(({ changed }) => read(changed).accepted)
  if (served === undefined) throw refusedEverywhere(first)
  read(served.changed).isAccepted(because)
}

/**
 * Judges that each operation is served at its documented path.
 * @param elsewhere attempts for other operations: if nothing was accepted at all, the target may be out of reach. Left out
 * where it is known to be in reach.
 * @throws NotReached if an operation is refused everywhere: its own chapter judges that.
 */
export const areServedAtTheirPaths = (
  attempts: readonly PlaceAttempt[],
  elsewhere?: readonly PlaceAttempt[],
  read: Reader = asItIs,
): void => {
  if (attempts.length === 0) throw new NotReached('no operation could be requested')
  const isReached = elsewhere === undefined || [...attempts, ...elsewhere].some(isAcceptedAnywhere)
  const refused: PlaceAttempt[] = []
  for (const attempt of attempts) {
    const { place, changed, valid } = attempt
    const because = `the interface gives the path ${place.title}`
    if (!place.isOwnPath && isAcceptedAnywhere(attempt)) isAcceptedToo(comparing(read, attempt), because)
    else if (read(changed).accepted) read(changed).isAccepted(because)
    // Its base path is another one, and judged by itself.
    else if (valid !== undefined && read(valid).accepted) read(valid).isAccepted(because)
    else if (isReached && isNothingThere(changed)) changed.isAccepted(because)
    else refused.push(attempt)
  }
  const [first] = refused
  if (first !== undefined) throw refusedEverywhere(first)
}
