import {
  asCalculation,
  asStatus,
  check,
  keepsIntervals,
  keepsPath,
  NotReached,
  type Exchange,
} from '../../harness/check/index.ts'
import { days, follow, scenario, untilTime, type Session } from '../../harness/session/index.ts'
import { isAcceptedWithToken, isNegativeBetween, STATUSES } from './applications.ts'
import { begin, MINUTE_MS, onlyLine, openFollowing, PATHS } from './paths.ts'
import { LOA } from './requirements.ts'

/** Loans over a week: what changes with the second request, the sixth application or at midnight. */

const LARGE = 1850
const HOUSEHOLD = { income: 1050, expenses: 410, children: 2 }

/** Precalculations of scenario 4, each between two of scenario 3. */
const calculations = async (session: Session) => {
  const { precalculate } = await session.loans()
  const ask = (amount: number, capacity: object = HOUSEHOLD) =>
    precalculate({ amount, capacity: { ...HOUSEHOLD, ...capacity } })
  const attempts = await session.between(
    () => ask(250),
    () => ask(LARGE),
  )
  return { ...attempts, nonsense: await ask(LARGE, { income: 'a', expenses: 'b', children: 'c' }) }
}

const MOST_APPLICATIONS = 8

const week = scenario(
  'the loans of a week',
  {
    effect: 'apply',
    as: 'any',
    needs: ['loans', 'clock'],
    loans: { submitted: MOST_APPLICATIONS + 1 },
    waitsMs: days(8),
  },
  async (session) => {
    const { clock, profile } = session
    const open = await openFollowing(session)
    const { loans } = open
    const calculated = [await calculations(session), await calculations(session)]
    await clock.pass(untilTime(clock.now(), '23:56', profile.timeZone))
    const atMidnight = onlyLine(await follow(open, [await begin(open, PATHS.nonClient)]))
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
    calculated.push(await calculations(session))
    return {
      profile: loans.profile,
      calculated,
      atMidnight,
      submissions,
      answers: [...soon, ...(await read())],
    }
  },
)

check(LOA.insufficientCapacityIsNegative, week, ({ profile, calculated }) => {
  for (const { nonsense, ...attempts } of calculated) {
    // Their names are not shown: a target that accepts a letter as an income may know it by another name.
    if (asCalculation(nonsense, profile).accepted && asCalculation(attempts.changed, profile).accepted)
      throw new NotReached(`${nonsense.id} was accepted with letters as amounts`)
    isNegativeBetween(attempts, profile, 'it is scenario 4, whatever was asked before')
  }
})

check(LOA.nonClientScenarioKeepsItsPath, week, ({ atMidnight }) => keepsPath(atMidnight))
check(LOA.statusChangesEveryThreeMinutes, week, ({ atMidnight }) => keepsIntervals(atMidnight))

check(LOA.applicationIsKeptForSevenDays, week, ({ profile, answers }) => {
  for (const answer of answers)
    isAcceptedWithToken(
      answer,
      asStatus(answer, profile, STATUSES, answers),
      'its application was submitted less than 7 days before',
    )
})
