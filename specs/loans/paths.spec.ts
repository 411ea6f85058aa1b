import {
  check,
  isAlwaysOk,
  isAlwaysOneOf,
  alwaysHasStatus,
  isCanceled,
  keepsPath,
  keepsIntervals,
  NotReached,
  staysInLastStatus,
  timeLineOf,
  traced,
  ViolationError,
} from '../../harness/check/index.ts'
import { follow, lookAt, scenario, selectLine, startUnselected } from '../../harness/session/index.ts'
import { STATUSES } from './calls.ts'
import {
  begin,
  followedFor,
  following,
  hasLeftNew,
  MINUTE_MS,
  onlyLine,
  openFollowing,
  PATHS,
} from './lines.ts'
import type { LoanPath } from './lines.ts'
import { LOA } from './requirements.ts'

const followed = (path: LoanPath) =>
  scenario(`an application on the path ${path.name}`, following(1, followedFor(path)), async (session) => {
    const open = await openFollowing(session)
    const line = onlyLine(await follow(open, [await begin(open, path)]))
    return { line, isCoded: open.loans.profile.status.code !== undefined }
  })

const cancelled = followed(PATHS.cancelled)
const expired = followed(PATHS.expired)
const nonClient = followed(PATHS.nonClient)
const client = followed(PATHS.client)

check(LOA.cancelledScenarioKeepsItsPath, cancelled, ({ line }) => keepsPath(line))
check(LOA.expiredScenarioKeepsItsPath, expired, ({ line }) => keepsPath(line))
check(LOA.nonClientScenarioKeepsItsPath, nonClient, ({ line }) => keepsPath(line))
check(LOA.clientScenarioKeepsItsPath, client, ({ line }) => keepsPath(line))

check(LOA.statusChangesEveryThreeMinutes, cancelled, ({ line }) => keepsIntervals(line))
check(LOA.statusChangesEveryThreeMinutes, expired, ({ line }) => keepsIntervals(line))
check(LOA.statusChangesEveryThreeMinutes, nonClient, ({ line }) => keepsIntervals(line))
check(LOA.statusChangesEveryThreeMinutes, client, ({ line }) => keepsIntervals(line))

check(LOA.endOfThePathIsFinal, cancelled, ({ line }) => staysInLastStatus(line))
check(LOA.endOfThePathIsFinal, expired, ({ line }) => staysInLastStatus(line))
check(LOA.endOfThePathIsFinal, nonClient, ({ line }) => staysInLastStatus(line))
check(LOA.endOfThePathIsFinal, client, ({ line }) => staysInLastStatus(line))

check(LOA.statusIsOneOfSeven, cancelled, ({ line }) => isAlwaysOneOf(line, STATUSES))
check(LOA.statusIsOneOfSeven, expired, ({ line }) => isAlwaysOneOf(line, STATUSES))
check(LOA.statusIsOneOfSeven, nonClient, ({ line }) => isAlwaysOneOf(line, STATUSES))
check(LOA.statusIsOneOfSeven, client, ({ line }) => isAlwaysOneOf(line, STATUSES))

/** Where the profile names no field for the code, the status itself is the OK. */
for (const one of [cancelled, expired, nonClient, client])
  check(LOA.statusIsAnsweredWithOk, one, ({ line, isCoded }) => {
    alwaysHasStatus(line)
    if (isCoded) isAlwaysOk(line)
  })

traced(cancelled, ({ line }) => timeLineOf(PATHS.cancelled.name, line))
traced(expired, ({ line }) => timeLineOf(PATHS.expired.name, line))
traced(nonClient, ({ line }) => timeLineOf(PATHS.nonClient.name, line))
traced(client, ({ line }) => timeLineOf(PATHS.client.name, line))

/** Twice what two steps may last: so long that a bank which is slow alone has come to the end as well. */
const UNASKED_MS = 16 * MINUTE_MS

const unasked = scenario(
  'an application that nobody asks for until its path has ended',
  following(1, UNASKED_MS),
  async (session) => {
    const open = await openFollowing(session)
    const started = await begin(open, PATHS.expired)
    await session.clock.pass(2 * (started.path.length - 1) * longestOf(started.timing))
    return { line: await lookAt(open, started) }
  },
)

const longestOf = ({ intervalMs, toleranceMs }: { intervalMs: number; toleranceMs: number }): number =>
  intervalMs + toleranceMs

check(LOA.statusChangesByItself, unasked, ({ line }) => {
  const [look] = line.polls
  look?.exchange.status.isPresent()
  if (look?.status === undefined) throw new NotReached('the first look told no status')
  // Where it has come to is judged where its path is.
  const at = line.path.indexOf(look.status)
  if (at < 0 || at === line.path.length - 1) return
  throw new ViolationError({
    subject: 'the first status that was asked for',
    expected: `${line.path.at(-1) ?? ''}, the end of its path`,
    received: look.status,
    exchange: look.exchange.id,
  })
})

/** The longest of the three lasts four steps, and begins first. */
const beside = scenario(
  'applications on different paths beside one another',
  following(3, followedFor(PATHS.nonClient)),
  async (session) => {
    const open = await openFollowing(session)
    const first = await begin(open, PATHS.nonClient)
    await session.clock.pass(first.timing.intervalMs / 2)
    // A token that somebody has asked for since may have ended this one.
    await open.loans.renewToken()
    const second = await begin(open, PATHS.expired)
    const halfway = await follow(open, [first, second], ([line]) => line !== undefined && hasLeftNew(line))
    await open.loans.renewToken()
    const third = await begin(open, PATHS.client, 'NEW')
    return { lines: await follow(open, [...halfway, third]) }
  },
)

check(LOA.applicationsMoveOnTheirOwn, beside, ({ lines: [first, second] }) => {
  for (const line of [first, second]) {
    if (line === undefined) throw new NotReached('no application was followed')
    keepsPath(line)
    keepsIntervals(line)
  }
})

check(LOA.newApplicationIsCanceled, beside, ({ lines: [, , third] }) => {
  if (third === undefined) throw new NotReached('no application was followed')
  isCanceled(third)
})

/** Nothing is selected for more than two intervals; then it is. */
const chosenLate = scenario(
  'an application whose scenario is selected after a while',
  {
    ...following(2, 8 * MINUTE_MS + followedFor(PATHS.client)),
    needs: ['loans', 'clock', 'loan-selection-after-submission'],
  },
  async (session) => {
    const open = await openFollowing(session)
    const submitted = await startUnselected(open, { name: 'none', path: ['NEW'] })
    // The scenario of another application moves this one as little as time does.
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
  const told = line.polls.filter(({ status }) => status !== undefined)
  const last = told.at(-1)
  if (last === undefined) throw new NotReached('no look told a status')
  if (hasLeftNew(line)) return last.exchange.status.isPresent()
  throw new ViolationError({
    subject: 'the last status behind the selection',
    expected: 'one that follows NEW',
    received: 'NEW',
    exchange: last.exchange.id,
  })
})
