import { isAcceptedToo, NotReached } from '../../harness/check/index.ts'
import type { ObservedExchange, ObservedLanding } from '../../harness/check/index.ts'
import type { Change } from '../../harness/session/index.ts'

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
interface Attempt {
  readonly changed: End
  readonly valid?: End
  readonly again?: End
}

const exchangeOf = (end: End): ObservedExchange => ('exchange' in end ? end.exchange : end)

/** What a server says that has nothing at an address. Other refusals are answers of an operation. */
const NOTHING_THERE: readonly unknown[] = [404, 410]

const isMissing = ({ changed }: Attempt): boolean =>
  !changed.accepted && NOTHING_THERE.includes(exchangeOf(changed).status.value)

const isAcceptedAnywhere = ({ changed, valid }: Attempt): boolean =>
  changed.accepted || valid?.accepted === true

/** What was asked for at the places that the interface gives. */
export interface Places {
  readonly attempts: readonly Attempt[]
  /** Whether the profile names the same places: then there is no other one to compare with. */
  readonly isNamed: boolean
  /** Something else that was answered, which tells that nobody has lost the whole target. */
  readonly elsewhere?: readonly Attempt[]
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
