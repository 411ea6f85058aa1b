import {
  assert,
  check,
  codeOf,
  continuesAfterRefusal,
  Inconclusive,
  isCanceledOrNotAllowed,
  isNotAllowed,
  isOfTheBank,
  isUnchangedByRefusal,
  keepsPath,
  note,
  NotReached,
  ViolationError,
  refusalIn,
  statusOf,
  staysCanceled,
  wasNotProcessed,
  type Exchange,
  type LoanLine,
  type ObservedExchange,
  type ObservedLine,
  type RecordOf,
} from '../../harness/check/index.ts'
import { days, follow, scenario, untilTime, type Loans, type Session } from '../../harness/session/index.ts'
import {
  begin,
  followedFor,
  following,
  HOUR_MS,
  MINUTE_MS,
  openFollowing,
  PATHS,
  type LoanPath,
} from './paths.ts'
import { keepsLastStatus, readsAfterTheEnd } from './applications.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import { LOA } from './requirements.ts'

/** One application for each status of a path, all of them on the path at once. */
const canceledIn = (path: LoanPath) =>
  scenario(
    `a DELETE in each status of the path ${path.name}`,
    following(path.statuses.length, followedFor(path)),
    async (session) => {
      const open = await openFollowing(session)
      const lines: LoanLine[] = []
      for (const status of path.statuses) lines.push(await begin(open, path, { cancelIn: status }))
      return { lines: await follow(open, lines) }
    },
  )

const cancelled = canceledIn(PATHS.cancelled)
const expired = canceledIn(PATHS.expired)
const nonClient = canceledIn(PATHS.nonClient)
const client = canceledIn(PATHS.client)

type Lines = RecordOf<typeof cancelled>

/** The lines of a scenario that are meant, each with all of them. */
const linesOf = (
  path: typeof cancelled,
  isMeant: (line: ObservedLine) => boolean,
  because = 'no application was to be canceled there',
) => path.each(({ lines }) => lines.filter(isMeant).map((line) => ({ line, lines })), because)

type Line = RecordOf<ReturnType<typeof linesOf>>

const isMade = ({ cancellation }: ObservedLine): boolean => cancellation !== undefined
/** After the last transition of the path. */
const isAtTheEnd = ({ cancelIn, path }: ObservedLine): boolean => cancelIn === path.at(-1)

const inNew = (path: typeof cancelled) => linesOf(path, ({ cancelIn }) => cancelIn === 'NEW')
const atTheEnd = (path: typeof cancelled) => linesOf(path, isAtTheEnd)
const onTheWay = (path: typeof cancelled) => linesOf(path, (line) => !isAtTheEnd(line))
const answeredWith = (path: typeof cancelled, isRefused: boolean) =>
  linesOf(path, (line) => isMade(line) && refusalIn(line) === isRefused, 'no DELETE was answered like that')

const areCanceledOrNotAllowed = ({ line, lines }: Line): void => isCanceledOrNotAllowed(line, lines)
const areNotAllowed = ({ line, lines }: Line): void => isNotAllowed(line, lines)

check(LOA.canceledApplicationIsNotCanceledAgain, atTheEnd(cancelled), areNotAllowed)
check(LOA.expiredApplicationIsNotCanceled, atTheEnd(expired), areNotAllowed)
check(LOA.disbursedApplicationIsNotCanceled, atTheEnd(nonClient), areNotAllowed)
check(LOA.disbursedApplicationIsNotCanceled, atTheEnd(client), areNotAllowed)

for (const path of [cancelled, expired, nonClient, client]) {
  check(LOA.newApplicationIsCanceled, inNew(path), areCanceledOrNotAllowed)
  check(LOA.cancellationCancelsOrIsNotAllowed, onTheWay(path), areCanceledOrNotAllowed)
  check(LOA.canceledApplicationLeavesItsPath, answeredWith(path, false), ({ line }) => staysCanceled(line))
  check(LOA.refusedCancellationChangesNothing, answeredWith(path, true), ({ line }) =>
    isUnchangedByRefusal(line),
  )
}

/** Judges that at least one of the applications was canceled by its DELETE. @throws NotReached if no DELETE was sent. */
const isOneCanceled = ({ lines }: Lines): void => {
  const tried = lines.filter((line) => isMade(line) && !isAtTheEnd(line))
  const canceled = tried.find((line) => refusalIn(line) === false)
  if (canceled !== undefined) return isCanceledOrNotAllowed(canceled)
  const last = tried.at(-1)
  if (last?.cancellation === undefined) throw new NotReached('no DELETE was sent before the end of the path')
  for (const line of tried) isCanceledOrNotAllowed(line)
  throw new ViolationError({
    subject: `the DELETE in ${tried.map(({ cancelIn }) => cancelIn ?? '').join(', ')}`,
    expected: 'to cancel the application in one of these statuses',
    received: 'NOT_ALLOWED_OPER in each of them',
    exchange: last.cancellation.exchange.id,
  })
}

check(LOA.someStatusCanBeCanceled, nonClient, isOneCanceled)

/** What a refused DELETE does to its own application is judged by another check. */
const isUndisturbed = (line: ObservedLine): boolean =>
  !isMade(line) || refusalIn(line) === false || isAtTheEnd(line)

/** A cancellation changes no other application on the same path. */
check(LOA.applicationsMoveOnTheirOwn, linesOf(nonClient, isUndisturbed), ({ line }) => keepsPath(line))

for (const path of [nonClient, client])
  check(LOA.refusedApplicationKeepsItsPath, answeredWith(path, true), ({ line }) =>
    continuesAfterRefusal(line),
  )

const ANSWERS = new Map<boolean | undefined, string>([
  [true, 'refused'],
  [false, 'accepted'],
  [undefined, 'answered otherwise'],
])

/** `NEW accepted, LOAN_DISBURSED refused`: how a DELETE was answered in each status of the path. */
const answersOf = ({ lines }: Lines): string =>
  lines
    .filter(isMade)
    .map((line) => `${line.cancelIn ?? ''} ${ANSWERS.get(refusalIn(line)) ?? ''}`)
    .join(', ')

for (const path of [cancelled, expired, nonClient, client])
  note(LOA.statusesThatRefuseDelete, path, answersOf)

/** The transitions that a DELETE caused: none of the scenarios has them. */
const movesOf = ({ lines }: Lines): string | undefined => {
  const moves = lines
    .filter((line) => isMade(line) && refusalIn(line) === false)
    .map(({ cancelIn }) => `${cancelIn ?? ''} -> CANCELED`)
  return moves.length === 0 ? undefined : `${moves.join(', ')} by DELETE`
}

note(LOA.otherTransitions, nonClient, movesOf)
note(LOA.otherTransitions, client, movesOf)

const RETENTION_MS = days(7)

/** A status request or a DELETE at this age of an application: between `from` and `to`, in ms since its submission. */
interface AgedAnswer {
  readonly from: number
  readonly to: number
  readonly status: unknown
  readonly code: unknown
  readonly exchange: Exchange
}

interface Aging {
  readonly id: string
  /** When it was submitted. */
  readonly from: number
  readonly to: number
}

const nowOf = ({ clock }: Session): number => clock.now().getTime()

const submitted = async (session: Session, give: () => Promise<string>): Promise<Aging> => {
  const from = nowOf(session)
  return { id: await give(), from, to: nowOf(session) }
}

/** Lets time pass until the youngest of them has that age. */
const ageTo = async (session: Session, applications: readonly Aging[], ms: number): Promise<void> => {
  const youngest = Math.max(...applications.map(({ to }) => to))
  await session.clock.pass(Math.max(0, youngest + ms - nowOf(session)))
}

const askAt = async (
  session: Session,
  { profile }: Loans,
  { from, to }: Aging,
  ask: () => Promise<Exchange>,
): Promise<AgedAnswer> => {
  const asked = nowOf(session)
  const exchange = await ask()
  const answered = nowOf(session)
  const words =
    exchange.response === undefined
      ? {}
      : { status: statusOf(exchange, profile), code: codeOf(exchange, profile) }
  return { status: undefined, code: undefined, ...words, from: asked - to, to: answered - from, exchange }
}

/** One on the path Client, one that is canceled (where NEW refuses DELETE, by its path), one without a scenario, and one that expires. */
const aging = scenario(
  'applications that grow older than 7 days',
  following(4, RETENTION_MS + days(1) + 2 * MINUTE_MS),
  async (session) => {
    const { clock, profile } = session
    // The steps of the paths are over a midnight, where that takes no waiting.
    if (clock.kind !== 'wall') await clock.pass(untilTime(clock.now(), '23:56', profile.timeZone))
    const loans = await session.loans()
    const applications = [
      await submitted(session, async () => (await loans.start('client')).id),
      await submitted(session, async () => (await loans.start('cancelled')).id),
      await submitted(session, async () => loans.idOf(await loans.submit())),
      await submitted(session, async () => (await loans.start('expired')).id),
    ] as const
    await loans.cancel(applications[1].id)
    const statusesAt = async (age: number): Promise<readonly AgedAnswer[]> => {
      await ageTo(session, applications, age)
      const answers: AgedAnswer[] = []
      for (const each of applications)
        answers.push(await askAt(session, loans, each, () => loans.status(each.id)))
      return answers
    }
    const hourAfter = await statusesAt(HOUR_MS)
    const hourBefore = await statusesAt(RETENTION_MS - HOUR_MS - MINUTE_MS)
    const deletedLate: AgedAnswer[][] = []
    for (const each of applications) {
      const cancel = () => askAt(session, loans, each, () => loans.cancel(each.id))
      // The first DELETE would cancel the one that is NEW.
      if (each !== applications[2]) deletedLate.push([await cancel(), await cancel()])
    }
    const minuteBefore = await statusesAt(RETENTION_MS - TOLERANCES.statedLifetime)
    const minuteAfter = await statusesAt(RETENTION_MS + TOLERANCES.statedLifetime)
    const dayAfter = await statusesAt(RETENTION_MS + days(1) + MINUTE_MS)
    const deletions: AgedAnswer[] = []
    for (const each of applications)
      deletions.push(await askAt(session, loans, each, () => loans.cancel(each.id)))
    return { hourAfter, hourBefore, deletedLate, minuteBefore, minuteAfter, dayAfter, deletions }
  },
)

type Observed = Omit<AgedAnswer, 'exchange'> & { readonly exchange: ObservedExchange }

const UNKNOWN = 'APP_NOT_FOUND'

/** `6 d 22:59 h` */
const age = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE_MS)
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  return `${d} d ${h}:${String(m).padStart(2, '0')} h`
}

const answers = (holds: boolean, { exchange, to }: Observed, expected: string, received: unknown): void =>
  assert(holds, () => ({
    subject: `the answer ${age(to)} after the submission`,
    expected,
    received: String(received),
    exchange: exchange.id,
  }))

const UNAUTHORIZED = 401

/** @throws Inconclusive if the answer says nothing about the application. @param all answers to the same operation */
const isAbout = ({ exchange }: Observed, all: readonly Observed[]): void => {
  const http = Number(exchange.status.value)
  if (wasNotProcessed(exchange) || http === UNAUTHORIZED)
    throw new Inconclusive(`${exchange.id} was answered ${http}, which says nothing about the application`)
  isOfTheBank(
    exchange,
    all.map((other) => other.exchange),
  )
}

interface Asked {
  readonly answer: Observed
  /** Answers to the same operation. */
  readonly all: readonly Observed[]
}

const NONE = 'no application was requested'

const eachOf = (name: 'hourBefore' | 'minuteBefore' | 'minuteAfter' | 'dayAfter' | 'deletions') =>
  aging.each((record) => record[name].map((answer) => ({ answer, all: record[name] })), NONE)

/**
 * Judges that the application exists.
 * @param before the age at which it may be deleted. @throws Inconclusive if it is deleted and the request came later.
 */
const exists =
  (before: number) =>
  ({ answer, all }: Asked): void => {
    isAbout(answer, all)
    if (answer.status === undefined && answer.to >= before)
      throw new Inconclusive(`${answer.exchange.id} came ${age(answer.to)} after the submission`)
    answers(answer.status !== undefined, answer, 'its status', answer.code ?? answer.exchange.status.value)
  }

const isUnknown = ({ answer, all }: Asked): void => {
  isAbout(answer, all)
  answers(answer.status === undefined, answer, UNKNOWN, answer.status)
  answers(answer.code === UNKNOWN, answer, UNKNOWN, answer.code ?? answer.exchange.status.value)
}

check(LOA.applicationIsKeptForSevenDays, eachOf('hourBefore'), exists(RETENTION_MS - HOUR_MS))
check(LOA.applicationIsKeptToTheMinute, eachOf('minuteBefore'), exists(RETENTION_MS))
check(LOA.applicationIsDeletedToTheMinute, eachOf('minuteAfter'), isUnknown)
check(LOA.applicationIsDeletedAfterSevenDays, eachOf('dayAfter'), isUnknown)
check(LOA.deletedApplicationIsNotCanceled, eachOf('deletions'), isUnknown)

check(LOA.statusChangesEveryThreeMinutes, aging, ({ hourAfter: [client] }) => {
  client?.exchange.use()
  if (client?.status === undefined) throw new NotReached('the first answer has no status')
  answers(client.status === 'LOAN_DISBURSED', client, 'LOAN_DISBURSED after three changes', client.status)
})

check(
  LOA.lastStatusIsKeptUntilTheDeletion,
  readsAfterTheEnd(aging).where(({ ms }) => ms >= days(1), 'no application was read a day after its end'),
  keepsLastStatus,
)

const REFUSED = 'NOT_ALLOWED_OPER'

/**
 * Judges that each DELETE of an application in that status was refused.
 * @param all DELETEs of other applications as well
 * @throws NotReached if it was in another status by then.
 */
const areRefused = (
  status: string,
  before: Observed | undefined,
  deletions: readonly Observed[] = [],
  all: readonly (readonly Observed[])[] = [],
): void => {
  if (before?.status !== status) throw new NotReached(`it was no longer in ${status}`)
  for (const deletion of deletions) {
    isAbout(deletion, all.flat())
    answers(deletion.code === REFUSED, deletion, REFUSED, deletion.code ?? deletion.exchange.status.value)
  }
}

check(LOA.disbursedApplicationIsNotCanceled, aging, ({ hourBefore, deletedLate }) =>
  areRefused('LOAN_DISBURSED', hourBefore[0], deletedLate[0], deletedLate),
)
check(LOA.canceledApplicationIsNotCanceledAgain, aging, ({ hourBefore, deletedLate }) =>
  areRefused('CANCELED', hourBefore[1], deletedLate[1], deletedLate),
)
check(LOA.expiredApplicationIsNotCanceled, aging, ({ hourBefore, deletedLate }) =>
  areRefused('EXPIRED', hourBefore[3], deletedLate[2], deletedLate),
)
