import {
  alwaysHasStatus,
  asCalculation,
  asSubmission,
  check,
  held,
  couldBeCanceled,
  isCanceledOrNotAllowed,
  isNotCanceled,
  isRefusedBetween,
  keepsIntervals,
  keepsPath,
  NotReached,
  staysInLastStatus,
  timeLineOf,
  traced,
  ViolationError,
  wasProcessed,
} from '../../harness/check/index.ts'
import {
  cancelInVain,
  days,
  follow,
  pollOnce,
  scenario,
  selectLine,
  startUnselected,
  statedLifetime,
  statusAfterCancellation,
  waitForAge,
  type LoanOperations,
  type Session,
} from '../../harness/session/index.ts'
import {
  goesForward,
  hasStatus,
  histories,
  isNoApplicationBetween,
  isUnreportedBetween,
  keepsLastStatus,
  ORDINARY,
  readsAfterTheEnd,
} from './applications.ts'
import {
  begin,
  followedFor,
  following,
  hasLeftNew,
  MINUTE_MS,
  onlyLine,
  openFollowing,
  PATHS,
  type LoanPath,
} from './paths.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import { applying } from '../shared/scenario-options.ts'
import { LOA } from './requirements.ts'

const followed = (path: LoanPath) =>
  scenario(`an application on the path ${path.name}`, following(1, followedFor(path)), async (session) => {
    const open = await openFollowing(session)
    return { line: onlyLine(await follow(open, [await begin(open, path)])) }
  })

const ROWS = [
  [PATHS.cancelled, LOA.cancelledScenarioKeepsItsPath],
  [PATHS.expired, LOA.expiredScenarioKeepsItsPath],
  [PATHS.nonClient, LOA.nonClientScenarioKeepsItsPath],
  [PATHS.client, LOA.clientScenarioKeepsItsPath],
] as const

for (const [path, keepsItsPath] of ROWS) {
  const one = followed(path)
  traced(one, ({ line }) => timeLineOf(path.name, line))

  check(keepsItsPath, one, ({ line }) => keepsPath(line))
  check(LOA.statusChangesEveryThreeMinutes, one, ({ line }) => keepsIntervals(line))
  check(LOA.statusIsAnsweredWithOk, one, ({ line }) => alwaysHasStatus(line))
}

/** Twice the longest duration of two steps: even a slow bank has reached the end of the path by then. */
const UNASKED_MS = 16 * MINUTE_MS

const unasked = scenario(
  'an application without a request until its path has ended',
  following(1, UNASKED_MS),
  async (session) => {
    const open = await openFollowing(session)
    const started = await begin(open, PATHS.expired)
    await session.clock.pass(2 * (started.path.length - 1) * longestOf(started.timing))
    return { line: await pollOnce(open, started) }
  },
)

const longestOf = ({ intervalMs, toleranceMs }: { intervalMs: number; toleranceMs: number }): number =>
  intervalMs + toleranceMs

check(LOA.statusChangesByItself, unasked, ({ line }) => {
  const [poll] = line.polls
  poll?.exchange.use()
  if (poll?.status === undefined) throw new NotReached('the first answer has no status')
  // Other checks judge the order of the path.
  const at = line.path.indexOf(poll.status)
  if (at < 0 || at === line.path.length - 1) return held()
  throw new ViolationError({
    subject: 'the first status that was requested',
    expected: `${line.path.at(-1) ?? ''}, the end of its path`,
    received: poll.status,
    exchange: poll.exchange.id,
  })
})

/** One that has four steps and begins first, and later two on another path and one on the same. */
const concurrent = scenario(
  'applications on the same path and on another one at the same time',
  following(5, 2 * MINUTE_MS + followedFor(PATHS.nonClient)),
  async (session) => {
    const open = await openFollowing(session)
    const first = await begin(open, PATHS.nonClient)
    // When the first application moves, the second one is too young to move, at every permitted interval.
    await session.clock.pass((first.timing.intervalMs * 2) / 3)
    // A token that was requested later may have ended this one.
    await open.loans.renewToken()
    const later = []
    for (const path of [PATHS.expired, PATHS.nonClient, PATHS.expired]) later.push(await begin(open, path))
    const halfway = await follow(open, [first, ...later], ([line]) => line !== undefined && hasLeftNew(line))
    await open.loans.renewToken()
    const last = await begin(open, PATHS.client, { cancelIn: 'NEW' })
    return { lines: await follow(open, [...halfway, last]) }
  },
)

const UNPOLLED = 'no application was polled'

check(
  LOA.applicationsMoveOnTheirOwn,
  concurrent.each(({ lines }) => lines.slice(0, 4), UNPOLLED),
  (line) => {
    keepsPath(line)
    keepsIntervals(line)
  },
)

check(
  LOA.applicationsMoveOnTheirOwn,
  histories(concurrent).where(({ length }) => length > 1, 'no application was read twice'),
  goesForward,
)

check(
  LOA.endOfThePathIsFinal,
  readsAfterTheEnd(concurrent).where(({ ms }) => ms < days(1), UNPOLLED),
  keepsLastStatus,
)

check(
  LOA.newApplicationIsCanceled,
  concurrent.each(({ lines }) => lines.slice(4), UNPOLLED),
  (last) => isCanceledOrNotAllowed(last),
)

/** A scenario is selected after more than two intervals. */
const chosenLate = scenario(
  'an application whose scenario is selected after a while',
  {
    ...following(3, 8 * MINUTE_MS + followedFor(PATHS.client)),
    needs: ['loans', 'clock', 'loan-selection-after-submission'],
  },
  async (session) => {
    const open = await openFollowing(session)
    await begin(open, PATHS.expired)
    const submitted = await startUnselected(open, { name: 'none', path: ['NEW'] })
    // Neither time nor the scenario of another application may change its status.
    await begin(open, PATHS.expired)
    const [waiting] = await follow(open, [submitted.line])
    await open.loans.renewToken()
    const { name, scenario: chosen, statuses } = PATHS.client
    const selected = await selectLine(open, submitted, chosen, { name, path: statuses })
    return { waiting: onlyLine(waiting ? [waiting] : []), line: onlyLine(await follow(open, [selected])) }
  },
)

check(LOA.applicationWaitsForItsScenario, chosenLate, ({ waiting }) => staysInLastStatus(waiting))
check(LOA.clientScenarioKeepsItsPath, chosenLate, ({ line }) => keepsPath(line))
check(LOA.statusChangesEveryThreeMinutes, chosenLate, ({ line }) => keepsIntervals(line))

check(LOA.scenarioIsSelectedAfterSubmission, chosenLate, ({ line }) => {
  const last = line.polls.findLast(({ status }) => status !== undefined)
  if (last === undefined) throw new NotReached('no poll has a status')
  last.exchange.use()
  if (hasLeftNew(line)) return held()
  throw new ViolationError({
    subject: 'the last status after the selection',
    expected: 'one that follows NEW',
    received: 'NEW',
    exchange: last.exchange.id,
  })
})

const OLD = 'its token was issued a day and a minute before'

/** The loan operations, and a token at the beginning of its day: a bank may first give an earlier one for its rest. */
const openYoung = async (session: Session) => {
  const loans = await session.loans()
  const lifetime = statedLifetime(loans.token) ?? days(1)
  if (lifetime >= days(1) || session.clock.kind === 'wall') return { loans, token: loans.token }
  await waitForAge(session, loans.token, lifetime + TOLERANCES.statedLifetime)
  return { loans, token: await loans.renewToken() }
}

const ending = scenario(
  'a loan sandbox token at the end of its day',
  { effect: 'consent', as: 'any', needs: ['loans', 'clock'], waitsMs: days(1) + MINUTE_MS },
  async (session) => {
    const { loans, token } = await openYoung(session)
    const { profile } = loans
    const held: LoanOperations = loans.bearing(loans.tokenIn(token))
    const young = await held.precalculate({ amount: ORDINARY })
    // The second token may have ended the first: the last one is judged at the end of its lifetime.
    const renewed = await loans.renewToken()
    const last: LoanOperations = loans.bearing(loans.tokenIn(renewed))
    const youngLast = await last.precalculate({ amount: ORDINARY })
    // A later request would not show the token before its end.
    await waitForAge(session, renewed, days(1) - TOLERANCES.statedLifetime, TOLERANCES.statedLifetime / 2)
    const old = await last.precalculate({ amount: ORDINARY })
    await waitForAge(session, renewed, days(1) + TOLERANCES.statedLifetime)
    const expired = [
      await held.precalculate({ amount: ORDINARY }),
      await last.precalculate({ amount: ORDINARY }),
    ]
    await loans.renewToken()
    return { profile, young, youngLast, old, expired, fresh: await loans.precalculate({ amount: ORDINARY }) }
  },
)

const lockedOut = scenario(
  'the operations of an application with a token at the end of its day',
  { ...applying(2, 'clock'), waitsMs: days(1) + MINUTE_MS },
  async (session) => {
    const { loans, token } = await openYoung(session)
    const { profile } = loans
    const held: LoanOperations = loans.bearing(loans.tokenIn(token))
    // Late enough that it is still NEW at the end, even if its submission selects a scenario.
    await waitForAge(session, token, days(1) - TOLERANCES.lastSubmission, TOLERANCES.lastSubmission / 2)
    const submission = await held.submit()
    const id = loans.idOf(submission)
    const before = await held.status(id)
    await waitForAge(session, token, days(1) + TOLERANCES.statedLifetime)
    const [read, submitted] = [await held.status(id), await held.submit()]
    // The next token may end this one.
    const attempt = await held.cancel(id)
    await loans.renewToken()
    const open = { clock: session.clock, loans }
    const after = await statusAfterCancellation(open, id)
    const later = await cancelInVain(open, submission, () => held.cancel(id))
    const cancellations = [{ ...later, before, attempt, after }, later]
    return { profile, submission, before, read, submitted, cancellations, fresh: await loans.submit() }
  },
)

check(LOA.sandboxTokenEndsAfterADay, lockedOut, ({ profile, submission, submitted, fresh, ...record }) => {
  const { before, read, cancellations } = record
  for (const { after } of cancellations) isUnreportedBetween({ before, changed: read, after }, profile, OLD)
  isNoApplicationBetween({ before: submission, changed: submitted, after: fresh }, profile, OLD)
  for (const cancellation of cancellations)
    if (couldBeCanceled(cancellation, profile)) isNotCanceled(cancellation, profile, OLD)
})

check(LOA.expiredTokenHasStatus401, lockedOut, ({ profile, before, read, submitted, cancellations }) => {
  if (![before, ...cancellations.map(({ after }) => after)].every((answer) => hasStatus(answer, profile)))
    throw new NotReached('a token that is new was not accepted')
  if (hasStatus(read, profile) || asSubmission(submitted, profile).accepted)
    throw new NotReached('the expired token was accepted')
  // Another check judges whether it has canceled anything.
  const attempts = cancellations.map(({ attempt }) => attempt)
  const areRefused = attempts.every(({ accepted }) => !accepted)
  for (const answer of [read, submitted, ...(areRefused ? attempts : [])]) {
    wasProcessed(answer)
    answer.status.equals(401)
  }
})

check(LOA.sandboxTokenLivesForADay, ending, ({ profile, youngLast, old }) => {
  if (!asCalculation(youngLast, profile).accepted)
    throw new NotReached('the token was not accepted when it was new')
  asCalculation(old, profile).isAccepted('its token was issued a day less a minute before')
})

check(LOA.expiredTokenHasStatus401, ending, ({ profile, young, expired, fresh }) => {
  if (![young, fresh].every((answer) => asCalculation(answer, profile).accepted))
    throw new NotReached('a token that is new was not accepted')
  for (const answer of expired) {
    if (asCalculation(answer, profile).accepted) throw new NotReached('the expired token was accepted')
    wasProcessed(answer)
    answer.status.equals(401)
  }
})

check(LOA.sandboxTokenEndsAfterADay, ending, ({ profile, young, expired, fresh }) =>
  isRefusedBetween(
    {
      before: asCalculation(young, profile),
      changed: expired.map((answer) => asCalculation(answer, profile)),
      after: asCalculation(fresh, profile),
    },
    OLD,
  ),
)
