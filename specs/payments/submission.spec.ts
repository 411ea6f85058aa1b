import {
  check,
  draws,
  note,
  NotReached,
  wasProcessed,
  restsOn,
  eachReached,
  everyOne,
  type Observed,
} from '../../harness/check/index.ts'
import {
  canWait,
  ordersRejectedAtSubmission,
  scenario,
  untilOpenBeforeWorkingDay,
  untilTime,
  type LateOrder,
  type Order,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import {
  executePayment,
  changesItsTime,
  checkExecution,
  isAuthorized,
  isExecuted,
  isInProcess,
  isItsNewStatus,
  isItsRecord,
  isNotReached,
  isSubmitted,
  type ExecutedPayment,
  type Unsent,
} from './submissions.ts'
import { asTimePasses } from './status-reads.ts'
import { PAYMENT, timelineOf } from './model.ts'
import { isFuture, movesOf } from './model-walk.ts'
import { checkLaws } from './record-rules.ts'
import { isGiven, MOVED, readIn, recordIn, statusesIn } from './records.ts'
import { checkReadability } from './readings.ts'
import { PAY } from './requirements.ts'

const submitted = scenario(
  'an authorized payment that is submitted, and submitted again',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const { initiation, orderId } = await payments.initiateValid()
    const executed = await executePayment(session, payments, initiation)
    const { authorization } = executed
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    const { body } = payments.profile.submission
    return {
      ...executed,
      again,
      afterAgain,
      later,
      late,
      last,
      hasBody: body !== undefined,
    }
  },
)

checkLaws(submitted, ['records', 'unrejected', 'times', 'moved', 'settling'])
checkReadability(submitted)

checkExecution(submitted)

draws(PAYMENT, submitted, (record) => movesOf(record, [record.afterAgain, ...record.later, record.last]))

check(PAY.secondSubmissionChangesNothing, submitted, ({ after, again, afterAgain }) => {
  if (!MOVED.includes(recordIn(after).status.value))
    throw new NotReached('the first submission moved nothing')
  isInProcess(afterAgain)
  for (const { exchange } of statusesIn([again])) isInProcess(exchange)
  wasProcessed(again)
})

/** A step from ACSP to ACSC may take less than a ms: only moves after a pause are judged. */
check(PAY.statusDateTimeChangesWithTheStatus, submitted, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

note(PAY.movesIntoCompletion, submitted, ({ initiation, after, afterAgain, later, last }) =>
  timelineOf([initiation, after, afterAgain, ...later, last]),
)
note(PAY.bodyOfTheSubmission, submitted, ({ submission, hasBody }) =>
  submission.accepted ? `accepted with ${hasBody ? 'the body of the profile' : 'no body'}` : undefined,
)
note(
  PAY.scopesOfThePaymentOperations,
  submitted,
  ({ authorization }) =>
    authorization.exchange && `token of a submission: ${authorization.exchange.body.shape}`,
)
note(PAY.statusCodesOfThePaymentApi, submitted, ({ submission, again }) =>
  [
    `a submission: ${String(submission.status.value)}`,
    `a second submission: ${String(again.status.value)}`,
  ].join(', '),
)

const doubled = scenario(
  'an authorized payment that is submitted twice at the same moment',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const { initiation, orderId } = await payments.initiateValid()
    const authorization = await payments.authorize(orderId)
    const submissions = await Promise.all([payments.submit(authorization), payments.submit(authorization)])
    return { initiation, authorization, submissions, after: await payments.status(orderId) }
  },
)

checkLaws(doubled, ['records', 'unrejected'])
checkReadability(doubled)

check(PAY.concurrentSubmissionsMoveOnce, doubled, ({ authorization, submissions, after }) => {
  isAuthorized(authorization)
  isInProcess(after)
  // Which of the two was first is not known.
  for (const { exchange, status } of statusesIn(submissions))
    if (status.value !== 'ACTC') isInProcess(exchange)
})

const futureMethod = ({ profile }: Payments): Order => {
  const method = profile.initiations.find(({ future: isLater }) => isLater)
  return method === undefined ? {} : { method: method.name }
}

const future = scenario(
  'an authorized payment with an execution date in the future that is submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'future-initiation'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const values = payments.freshValues()
    const { initiation, orderId } = await payments.initiateValid({ ...futureMethod(payments), values })
    const executed = await executePayment(session, payments, initiation)
    const { authorization } = executed
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'late')
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    return { date: String(values.date), ...executed, again, afterAgain, later, late, last }
  },
)

checkLaws(future, ['records', 'unrejected', 'times', 'moved', 'settling'])
checkReadability(future)

draws(PAYMENT, future, (record) => movesOf(record, [record.afterAgain, ...record.later, record.last]))

/** Judges that the submission of an order for a later day moves it to PDNG. */
const isPending = ({ authorization, submission, after }: Observed<ExecutedPayment>): void => {
  isAuthorized(authorization)
  isSubmitted({ submission, after })
  readIn(after).status.equals('PDNG')
}

check(PAY.futurePaymentIsPending, future, (record) => {
  isPending(record)
  readIn(record.afterAgain).status.equals('PDNG')
})
check(PAY.submissionAnswersTheStatusRecord, future, isItsRecord)
check(PAY.submissionAnswersTheNewStatus, future, isItsNewStatus)
check(PAY.statusDateTimeChangesWithTheStatus, future, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

note(PAY.movesOutOfPending, future, ({ initiation, after, later }) =>
  timelineOf([initiation, after, ...later]),
)

/** By UTC. At these hours every time zone agrees on whether an order is for a later day. */
const MORNING = '09:00'
const AFTERNOON = '12:30'

/** Initiates an order for the first working day at least that many days ahead, and submits it. */
const executeOn = async (session: Session, daysAhead: number) => {
  const payments = await session.payments()
  const values = payments.freshValues(daysAhead)
  const { initiation } = await payments.initiateValid({ ...futureMethod(payments), values })
  return { date: String(values.date), ...(await executePayment(session, payments, initiation)) }
}

const ofTheseDays = scenario(
  'authorized payments for tomorrow and for today that are submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
    needs: ['payments', 'customer', 'future-initiation'],
    payments: { initiated: 2, submitted: 2 },
  },
  async (session) => {
    const { clock, profile } = session
    const { from } = profile.payments?.hours ?? { from: MORNING }
    const morning = untilOpenBeforeWorkingDay(clock.now(), { from }, profile.timeZone)
    if (canWait(clock, morning)) await clock.pass(morning)
    const tomorrow = await executeOn(session, 1)
    const afternoon = untilTime(clock.now(), AFTERNOON)
    if (canWait(clock, afternoon)) await clock.pass(afternoon)
    return { tomorrow, today: await executeOn(session, 0) }
  },
)

checkLaws(ofTheseDays, ['records', 'unrejected', 'times'])
checkReadability(ofTheseDays)

draws(PAYMENT, ofTheseDays, ({ tomorrow, today }) => [tomorrow, today].flatMap((one) => movesOf(one)))

check(PAY.futurePaymentIsPending, ofTheseDays, ({ tomorrow }) => {
  if (isFuture(tomorrow.date, tomorrow.submission.sentAt) !== 'yes')
    throw new NotReached('the date may have begun at the bank: a run before 10:00 UTC can judge it')
  isPending(tomorrow)
})

check(PAY.authorizedPaymentIsInProcess, ofTheseDays, ({ today }) => {
  if (isFuture(today.date, today.submission.sentAt) !== 'no')
    throw new NotReached(
      'the date may be in the future at the bank: a run after 12:00 UTC on a working day can judge it',
    )
  isExecuted(today)
})

/** The table of transitions is one for all methods of initiation. */
const submittedByAnotherMethod = scenario(
  'an authorized payment by a further initiation method that is submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'further-initiation-at-once'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const method = payments.profile.initiations.slice(1).find(({ future }) => !future)
    const { initiation } = await payments.initiateValid(method && { method: method.name })
    return executePayment(session, payments, initiation)
  },
)

checkLaws(submittedByAnotherMethod, ['records', 'unrejected', 'times', 'moved', 'settling'])
checkReadability(submittedByAnotherMethod)

checkExecution(submittedByAnotherMethod)

draws(PAYMENT, submittedByAnotherMethod, (record) => movesOf(record))

const rejectLate = async (
  session: Session,
  { code, key, states, isGuess, order, isSecond, reach }: LateOrder,
) => {
  // Requested for each order: the one before may have left the clock at night.
  const payments = await session.payments()
  const first = isSecond ? await payments.initiateValid(order, key) : undefined
  const { initiation, orderId } = await payments.initiateValid(order, key)
  const before = first && (await executePayment(session, payments, first.initiation))
  await reach()
  const executed = await executePayment(session, payments, initiation)
  const { authorization } = executed
  const again = await payments.submit(authorization)
  const later = await asTimePasses(session, payments, orderId, 'soon')
  // By then the order may be valid again.
  const open = await session.payments()
  const late = await open.submit(authorization)
  const authorizedAgain = await open.authorize(orderId)
  const anew = await open.submit(authorizedAgain)
  const last = await open.status(orderId)
  const others = first === undefined ? [] : [await open.status(first.orderId)]
  const statement = { key, states }
  const answers = { ...executed, before, again, later, late, authorizedAgain, anew, last, others }
  return { code, statement, isGuess, ...answers }
}

/** An order that could not be sent, or was not accepted. */
type UnsentLate = Unsent & Pick<LateOrder, 'code'>

type LateRejection = Observed<Awaited<ReturnType<typeof rejectLate>>>

const rejectedLate = scenario(
  'authorized payments that their submission rejects',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'submission-rejection'],
    payments: { initiated: 1, submitted: 1 },
    // Each order is authorized twice; one that is sent twice, three times.
    times: ({ payments }, canMoveTime) =>
      payments === undefined
        ? 0
        : ordersRejectedAtSubmission(payments, canMoveTime)
            .map(({ order }) => (order.twice ? 3 : 2))
            .reduce((sum, count) => sum + count, 0),
  },
  async (session) => {
    const rejections = []
    const unsent: UnsentLate[] = []
    for (const order of (await session.payments()).lateRejections()) {
      try {
        rejections.push(await rejectLate(session, order))
      } catch (error) {
        if (!isNotReached(error)) throw error
        const { code, key, states } = order
        unsent.push({ code, statement: { key, states }, because: error.message })
      }
    }
    if (rejections.length === 0) throw new NotReached(unsent.map(({ because }) => because).join('; '))
    return { rejections, unsent }
  },
)

checkLaws(rejectedLate, ['records', 'unrejected', 'times', 'rejected', 'moved'])
checkReadability(rejectedLate)

draws(PAYMENT, rejectedLate, ({ rejections }) =>
  rejections.flatMap((rejection) => movesOf(rejection, [...rejection.later, rejection.last])),
)

interface AllRejectedLate {
  readonly rejections: readonly LateRejection[]
  readonly unsent: readonly UnsentLate[]
}

/** Judges each order that was accepted and authorized, and that the profile does not mark as a guess. */
const everyLateRejection = (
  { rejections, unsent }: AllRejectedLate,
  judge: (rejection: LateRejection) => void,
): void =>
  everyOne([...rejections, ...unsent], (one) =>
    restsOn(one.statement, () => {
      if ('because' in one) throw new NotReached(one.because)
      const { code, statement, isGuess, initiation, authorization, submission, after } = one
      if (recordIn(initiation).status.value !== 'ACTC')
        throw new NotReached('the payment was rejected before')
      isAuthorized(authorization)
      isSubmitted({ submission, after })
      const { status, reasonCode } = readIn(after)
      if (isGuess && (status.value !== 'RJCT' || reasonCode.value !== code))
        throw new NotReached(
          `the payment is ${String(status.value)}, and that it is rejected is a guess of the profile: look at ${statement.key}`,
        )
      judge(one)
    }),
  )

check(PAY.invalidSubmissionIsRejected, rejectedLate, (all) =>
  everyLateRejection(all, ({ after }) => readIn(after).status.equals('RJCT')),
)

check(PAY.rejectedSubmissionHasAReasonCode, rejectedLate, ({ rejections }) =>
  eachReached(rejections, ({ submission }) => {
    const { status, reasonCode } = recordIn(submission)
    if (status.value !== 'RJCT') throw new NotReached('the answer to the submission does not say RJCT')
    reasonCode.satisfies(isGiven(reasonCode), 'a reasonCode')
  }),
)

/** A bank may look at the funds only when the order is submitted. */
check(
  PAY.missingFundsAreAm04,
  rejectedLate,
  ({ rejections, unsent }) => {
    const isOfFunds = ({ code }: Pick<LateOrder, 'code'>): boolean => code === 'AM04'
    const ofFunds = { rejections: rejections.filter(isOfFunds), unsent: unsent.filter(isOfFunds) }
    everyLateRejection(ofFunds, ({ after }) => {
      const { status, reasonCode } = readIn(after)
      status.equals('RJCT')
      // PAY-35 judges that there is a reason.
      if (!isGiven(reasonCode)) throw new NotReached('the rejected payment has no reasonCode')
      reasonCode.equals('AM04')
    })
  },
  { needs: ['submission-rejection-AM04'] },
)

check(PAY.rejectedSubmissionHasItsReasonCode, rejectedLate, (all) =>
  everyLateRejection(all, ({ code, after }) => {
    const { status, reasonCode } = readIn(after)
    if (status.value !== 'RJCT') throw new NotReached('the submission did not reject the payment')
    if (!isGiven(reasonCode)) throw new NotReached('the rejected payment has no reasonCode')
    reasonCode.equals(code)
  }),
)

check(PAY.submissionAnswersTheStatusRecord, rejectedLate, ({ rejections }) =>
  eachReached(rejections, isItsRecord),
)
check(PAY.submissionAnswersTheNewStatus, rejectedLate, ({ rejections }) =>
  eachReached(rejections, isItsNewStatus),
)
check(PAY.statusDateTimeChangesWithTheStatus, rejectedLate, ({ rejections }) =>
  eachReached(rejections, ({ initiation, after }) => changesItsTime([initiation, after])),
)

check(PAY.rejectedPaymentStaysRejected, rejectedLate, ({ rejections }) =>
  eachReached(rejections, ({ after, again, later, late, anew, last }) => {
    if (recordIn(after).status.value !== 'RJCT')
      throw new NotReached('the submission did not reject the payment')
    for (const { status } of statusesIn([again, ...later, late, anew, last])) status.equals('RJCT')
  }),
)
