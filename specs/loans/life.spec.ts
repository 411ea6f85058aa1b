import {
  asStatus,
  check,
  LOAN_STATUSES,
  keepsIntervals,
  keepsPath,
  type Exchange,
} from '../../harness/check/index.ts'
import { days, follow, scenario, untilTime } from '../../harness/session/index.ts'
import { isAcceptedWithToken, SMALLEST } from './applications.ts'
import { begin, MINUTE_MS, onlyLine, openFollowing, PATHS } from './paths.ts'
import { applying } from '../shared/scenario-options.ts'
import { LOA } from './requirements.ts'

/** Loans over a week: what changes with the second request, the sixth application or at midnight. */

const MOST_APPLICATIONS = 8

const week = scenario(
  'the loans of a week',
  { ...applying(MOST_APPLICATIONS + 2, 'clock'), waitsMs: days(8) },
  async (session) => {
    const { clock, profile } = session
    const open = await openFollowing(session)
    const { loans } = open
    await clock.pass(untilTime(clock.now(), '23:56', profile.timeZone))
    const atMidnight = onlyLine(await follow(open, [await begin(open, PATHS.nonClient)]))
    const smallest = onlyLine(await follow(open, [await begin(open, PATHS.client, { amount: SMALLEST })]))
    const submissions: Exchange[] = []
    for (let count = 0; count < MOST_APPLICATIONS; count += 1) submissions.push(await loans.submit())
    await clock.pass(5 * MINUTE_MS)
    const read = async () => {
      const answers = []
      for (const submission of submissions) answers.push(await loans.status(loans.idOf(submission)))
      return answers
    }
    const soon = await read()
    await clock.pass(days(6))
    await loans.renewToken()
    return {
      profile: loans.profile,
      atMidnight,
      smallest,
      submissions,
      answers: [...soon, ...(await read())],
    }
  },
)

check(LOA.nonClientScenarioKeepsItsPath, week, ({ atMidnight }) => keepsPath(atMidnight))
check(LOA.clientScenarioKeepsItsPath, week, ({ smallest }) => keepsPath(smallest))
check(LOA.statusChangesEveryThreeMinutes, week, ({ atMidnight }) => keepsIntervals(atMidnight))

check(LOA.applicationIsKeptForSevenDays, week, ({ profile, answers }) => {
  for (const answer of answers)
    isAcceptedWithToken(
      answer,
      asStatus(answer, profile, LOAN_STATUSES, answers),
      'its application was submitted less than 7 days before',
    )
})
