import {
  check,
  continuesAfterRefusal,
  isAlwaysOneOf,
  isCanceled,
  isCanceledOrNotAllowed,
  isUnchangedByRefusal,
  isNotAllowed,
  keepsPath,
  note,
  NotReached,
  refusalIn,
  staysCanceled,
} from '../../harness/check/index.ts'
import { follow, scenario } from '../../harness/session/index.ts'
import type { LoanLine, ObservedLine } from '../../harness/check/index.ts'
import { STATUSES } from './calls.ts'
import { begin, followedFor, following, openFollowing, PATHS } from './lines.ts'
import type { LoanPath } from './lines.ts'
import { LOA } from './requirements.ts'

/** One application for each status of a path, all of them on their way at once. */
const canceledIn = (path: LoanPath) =>
  scenario(
    `a DELETE in each status of the path ${path.name}`,
    following(path.statuses.length, followedFor(path)),
    async (session) => {
      const open = await openFollowing(session)
      const lines: LoanLine[] = []
      for (const status of path.statuses) lines.push(await begin(open, path, status))
      return { lines: await follow(open, lines) }
    },
  )

const cancelled = canceledIn(PATHS.cancelled)
const expired = canceledIn(PATHS.expired)
const nonClient = canceledIn(PATHS.nonClient)
const client = canceledIn(PATHS.client)

interface Lines {
  readonly lines: readonly ObservedLine[]
}

type Judge = (line: ObservedLine) => void

const lineIn = (lines: readonly ObservedLine[], status: string | undefined): ObservedLine => {
  const line = lines.find(({ cancelIn }) => cancelIn === status)
  if (line === undefined)
    throw new NotReached(`no application was to be canceled in ${status ?? 'no status'}`)
  return line
}

const inNew =
  (judge: Judge) =>
  ({ lines }: Lines): void =>
    judge(lineIn(lines, 'NEW'))

/** Behind the last move of the path. */
const atTheEnd =
  (judge: Judge) =>
  ({ lines }: Lines): void =>
    judge(lineIn(lines, lines[0]?.path.at(-1)))

const onTheWay =
  (judge: Judge) =>
  ({ lines }: Lines): void => {
    for (const line of lines.slice(0, -1)) judge(line)
  }

const isMade = ({ cancellation }: ObservedLine): boolean => cancellation !== undefined

/** @throws NotReached where there is no such line. */
const eachOf =
  (isMeant: (line: ObservedLine) => boolean, judge: Judge) =>
  ({ lines }: Lines): void => {
    const meant = lines.filter((line) => isMade(line) && isMeant(line))
    if (meant.length === 0) throw new NotReached('no DELETE was answered like that')
    for (const line of meant) judge(line)
  }

const eachRefused = (judge: Judge) => eachOf((line) => refusalIn(line) === true, judge)
const eachAccepted = (judge: Judge) => eachOf((line) => refusalIn(line) === false, judge)

check(LOA.newApplicationIsCanceled, cancelled, inNew(isCanceled))
check(LOA.newApplicationIsCanceled, expired, inNew(isCanceled))
check(LOA.newApplicationIsCanceled, nonClient, inNew(isCanceled))
check(LOA.newApplicationIsCanceled, client, inNew(isCanceled))

check(LOA.canceledApplicationIsNotCanceledAgain, cancelled, atTheEnd(isNotAllowed))
check(LOA.expiredApplicationIsNotCanceled, expired, atTheEnd(isNotAllowed))
check(LOA.disbursedApplicationIsNotCanceled, nonClient, atTheEnd(isNotAllowed))
check(LOA.disbursedApplicationIsNotCanceled, client, atTheEnd(isNotAllowed))

check(LOA.cancellationCancelsOrIsNotAllowed, cancelled, onTheWay(isCanceledOrNotAllowed))
check(LOA.cancellationCancelsOrIsNotAllowed, expired, onTheWay(isCanceledOrNotAllowed))
check(LOA.cancellationCancelsOrIsNotAllowed, nonClient, onTheWay(isCanceledOrNotAllowed))
check(LOA.cancellationCancelsOrIsNotAllowed, client, onTheWay(isCanceledOrNotAllowed))

check(LOA.canceledApplicationLeavesItsPath, cancelled, eachAccepted(staysCanceled))
check(LOA.canceledApplicationLeavesItsPath, expired, eachAccepted(staysCanceled))
check(LOA.canceledApplicationLeavesItsPath, nonClient, eachAccepted(staysCanceled))
check(LOA.canceledApplicationLeavesItsPath, client, eachAccepted(staysCanceled))

check(LOA.refusedCancellationChangesNothing, cancelled, eachRefused(isUnchangedByRefusal))
check(LOA.refusedCancellationChangesNothing, expired, eachRefused(isUnchangedByRefusal))
check(LOA.refusedCancellationChangesNothing, nonClient, eachRefused(isUnchangedByRefusal))
check(LOA.refusedCancellationChangesNothing, client, eachRefused(isUnchangedByRefusal))

/** What a DELETE that was refused does to its own application is judged by itself. */
const isUndisturbed = (line: ObservedLine): boolean =>
  !isMade(line) || refusalIn(line) === false || line.cancelIn === line.path.at(-1)

/** The one that is canceled takes none of its neighbours along, which are on the same path. */
check(LOA.applicationsMoveOnTheirOwn, nonClient, ({ lines }) =>
  lines.filter(isUndisturbed).forEach(keepsPath),
)

check(LOA.refusedApplicationKeepsItsPath, nonClient, eachRefused(continuesAfterRefusal))
check(LOA.refusedApplicationKeepsItsPath, client, eachRefused(continuesAfterRefusal))

check(
  LOA.statusIsOneOfSeven,
  nonClient,
  onTheWay((line) => isAlwaysOneOf(line, STATUSES)),
)

const ANSWERS = new Map<boolean | undefined, string>([
  [true, 'refused'],
  [false, 'accepted'],
  [undefined, 'answered otherwise'],
])

/** `NEW accepted, LOAN_DISBURSED refused`: what a DELETE came to in each status of the path. */
const answersOf = ({ lines }: Lines): string =>
  lines
    .filter(isMade)
    .map((line) => `${line.cancelIn ?? ''} ${ANSWERS.get(refusalIn(line)) ?? ''}`)
    .join(', ')

note(LOA.statusesThatRefuseDelete, cancelled, answersOf)
note(LOA.statusesThatRefuseDelete, expired, answersOf)
note(LOA.statusesThatRefuseDelete, nonClient, answersOf)
note(LOA.statusesThatRefuseDelete, client, answersOf)

/** The moves that a DELETE has made: none of the scenarios has them. */
const movesOf = ({ lines }: Lines): string | undefined => {
  const moves = lines
    .filter((line) => isMade(line) && refusalIn(line) === false)
    .map(({ cancelIn }) => `${cancelIn ?? ''} -> CANCELED`)
  return moves.length === 0 ? undefined : `${moves.join(', ')} by DELETE`
}

note(LOA.otherTransitions, nonClient, movesOf)
note(LOA.otherTransitions, client, movesOf)
