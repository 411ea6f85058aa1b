import {
  check,
  codeOf,
  continuesAfterRefusal,
  Inconclusive,
  isAlwaysOneOf,
  isCanceled,
  isCanceledOrNotAllowed,
  isNotAllowed,
  isUnchangedByRefusal,
  keepsPath,
  note,
  NotReached,
  refusalIn,
  statusOf,
  staysCanceled,
  ViolationError,
  wasNotProcessed,
  type Exchange,
  type LoanLine,
  type ObservedExchange,
  type ObservedLine,
} from '../../harness/check/index.ts'
import { days, follow, scenario, type Loans, type Session } from '../../harness/session/index.ts'
import {
  begin,
  followedFor,
  following,
  HOUR_MS,
  MINUTE_MS,
  openFollowing,
  PATHS,
  STATUSES,
  type LoanPath,
} from './applications.ts'
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

const RETENTION_MS = days(7)

/** A look at an application so long after its submission: not before `from`, and not after `to`. */
interface AgedLook {
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

/** Lets time pass until the youngest of them is so old. */
const ageTo = async (session: Session, applications: readonly Aging[], ms: number): Promise<void> => {
  const youngest = Math.max(...applications.map(({ to }) => to))
  await session.clock.pass(Math.max(0, youngest + ms - nowOf(session)))
}

const askAt = async (
  session: Session,
  { profile }: Loans,
  { from, to }: Aging,
  ask: () => Promise<Exchange>,
): Promise<AgedLook> => {
  const asked = nowOf(session)
  const exchange = await ask()
  const answered = nowOf(session)
  const words =
    exchange.response === undefined
      ? {}
      : { status: statusOf(exchange, profile), code: codeOf(exchange, profile) }
  return { status: undefined, code: undefined, ...words, from: asked - to, to: answered - from, exchange }
}

/** One that goes through its path, one that is canceled at once, one that is left alone, and one that expires. */
const aging = scenario(
  'applications that grow older than 7 days',
  following(4, RETENTION_MS + days(1) + 2 * MINUTE_MS),
  async (session) => {
    const loans = await session.loans()
    const applications = [
      await submitted(session, async () => (await loans.start('client')).id),
      await submitted(session, async () => (await loans.start('expired')).id),
      await submitted(session, async () => loans.idOf(await loans.submit())),
      await submitted(session, async () => (await loans.start('expired')).id),
    ] as const
    await loans.cancel(applications[1].id)
    const lookAt = async (age: number): Promise<readonly AgedLook[]> => {
      await ageTo(session, applications, age)
      const looks: AgedLook[] = []
      for (const each of applications)
        looks.push(await askAt(session, loans, each, () => loans.status(each.id)))
      return looks
    }
    const hourAfter = await lookAt(HOUR_MS)
    const hourBefore = await lookAt(RETENTION_MS - HOUR_MS - MINUTE_MS)
    const deletedLate: AgedLook[][] = []
    for (const each of applications) {
      const cancel = () => askAt(session, loans, each, () => loans.cancel(each.id))
      // Of one that is NEW the first DELETE would take it away.
      if (each !== applications[2]) deletedLate.push([await cancel(), await cancel()])
    }
    const minuteBefore = await lookAt(RETENTION_MS - MINUTE_MS)
    const minuteAfter = await lookAt(RETENTION_MS + MINUTE_MS)
    const dayAfter = await lookAt(RETENTION_MS + days(1) + MINUTE_MS)
    const deletions: AgedLook[] = []
    for (const each of applications)
      deletions.push(await askAt(session, loans, each, () => loans.cancel(each.id)))
    return { hourAfter, hourBefore, deletedLate, minuteBefore, minuteAfter, dayAfter, deletions }
  },
)

type Observed = Omit<AgedLook, 'exchange'> & { readonly exchange: ObservedExchange }

const UNKNOWN = 'APP_NOT_FOUND'

/** `6 d 22:59 h` */
const age = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE_MS)
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  return `${d} d ${h}:${String(m).padStart(2, '0')} h`
}

const violation = ({ exchange, to }: Observed, expected: string, received: unknown): ViolationError =>
  new ViolationError({
    subject: `the answer ${age(to)} after the submission`,
    expected,
    received: String(received),
    exchange: exchange.id,
  })

const UNAUTHORIZED = 401

/** @throws Inconclusive where the answer tells nothing of the application. */
const isAbout = ({ exchange }: Observed): void => {
  const http = Number(exchange.status.value)
  if (wasNotProcessed(exchange) || http === UNAUTHORIZED)
    throw new Inconclusive(`${exchange.id} was answered ${http}, which says nothing about the application`)
}

const each = (looks: readonly Observed[], judge: (look: Observed) => void): void => {
  if (looks.length === 0) throw new NotReached('no application was looked at')
  for (const look of looks) judge(look)
}

/**
 * Whatever is there later was there before.
 * @param before the age at which it may be gone. @throws Inconclusive where it is gone, and the look came later.
 */
const isThere = (look: Observed, before: number): void => {
  isAbout(look)
  if (look.status !== undefined) return
  if (look.to >= before)
    throw new Inconclusive(`${look.exchange.id} came ${age(look.to)} after the submission`)
  throw violation(look, 'its status', look.code ?? look.exchange.status.value)
}

const isGone = (look: Observed): void => {
  isAbout(look)
  if (look.status !== undefined) throw violation(look, UNKNOWN, look.status)
  if (look.code !== UNKNOWN) throw violation(look, UNKNOWN, look.code ?? look.exchange.status.value)
}

check(LOA.applicationIsKeptForSevenDays, aging, ({ hourBefore }) =>
  each(hourBefore, (look) => isThere(look, RETENTION_MS - HOUR_MS)),
)
check(LOA.applicationIsKeptToTheMinute, aging, ({ minuteBefore }) =>
  each(minuteBefore, (look) => isThere(look, RETENTION_MS)),
)
check(LOA.applicationIsDeletedToTheMinute, aging, ({ minuteAfter }) => each(minuteAfter, isGone))
check(LOA.applicationIsDeletedAfterSevenDays, aging, ({ dayAfter }) => each(dayAfter, isGone))
check(LOA.deletedApplicationIsNotCanceled, aging, ({ deletions }) => each(deletions, isGone))

/**
 * Judges that an application which had come to that status is in it days later.
 * @throws NotReached where it had not. @throws Inconclusive where it is unknown by then.
 */
const keeps = (status: string, soon: Observed | undefined, late: Observed | undefined): void => {
  if (soon?.status !== status || late === undefined) throw new NotReached(`it did not come to ${status}`)
  isAbout(late)
  if (late.status === undefined) throw new Inconclusive(`${late.exchange.id} told no status`)
  if (late.status !== status) throw violation(late, `${status}, as on the first day`, late.status)
}

check(LOA.lastStatusIsKeptUntilTheDeletion, aging, ({ hourAfter, hourBefore }) => {
  keeps('LOAN_DISBURSED', hourAfter[0], hourBefore[0])
  keeps('CANCELED', hourAfter[1], hourBefore[1])
  keeps('EXPIRED', hourAfter[3], hourBefore[3])
})

const REFUSED = 'NOT_ALLOWED_OPER'

/**
 * Judges that each DELETE of an application in that status was refused.
 * @throws NotReached where it was in another status by then.
 */
const areRefused = (
  status: string,
  look: Observed | undefined,
  deletions: readonly Observed[] = [],
): void => {
  if (look?.status !== status) throw new NotReached(`it was not in ${status} any more`)
  for (const deletion of deletions) {
    isAbout(deletion)
    if (deletion.code !== REFUSED)
      throw violation(deletion, REFUSED, deletion.code ?? deletion.exchange.status.value)
  }
}

check(LOA.disbursedApplicationIsNotCanceled, aging, ({ hourBefore, deletedLate: [disbursed] }) =>
  areRefused('LOAN_DISBURSED', hourBefore[0], disbursed),
)
check(LOA.canceledApplicationIsNotCanceledAgain, aging, ({ hourBefore, deletedLate: [, canceled] }) =>
  areRefused('CANCELED', hourBefore[1], canceled),
)
check(LOA.expiredApplicationIsNotCanceled, aging, ({ hourBefore, deletedLate: [, , expired] }) =>
  areRefused('EXPIRED', hourBefore[3], expired),
)
