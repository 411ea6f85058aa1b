import { check, draws, note, NotReached, wasProcessed, type RecordOf } from '../../harness/check/index.ts'
import {
  canWait,
  ordersRejectedAtSubmission,
  recordsOf,
  scenario,
  scenarioForEach,
  untilOpenBeforeWorkingDay,
  untilTime,
  type LateOrder,
  type Order,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import {
  checkAnswers,
  checkExecution,
  checkTimeOfTheMove,
  executePayment,
  isAuthorized,
  isExecuted,
  isInProcess,
  UNAUTHORIZED,
  wasSubmitted,
} from './submissions.ts'
import { submitting } from './options.ts'
import { asTimePasses } from './status-reads.ts'
import { PAYMENT, timelineOf } from './model.ts'
import { isFuture, movesOf } from './model-walk.ts'
import { checkLaws } from './record-rules.ts'
import { isRejected, MOVED, readIn, recordIn, statusesIn } from './records.ts'
import { checkReadability } from './readings.ts'
import { PAY } from './requirements.ts'

/** Submits a payment that is authorized, at once again, and after it may have reached its last state. */
const submitAgainAndLater = async (
  session: Session,
  payments: Payments,
  { when, ...order }: Order & { readonly when: 'soon' | 'late' },
) => {
  const { initiation, orderId } = await payments.initiateValid(order)
  const executed = await executePayment(session, payments, initiation)
  const { authorization } = executed
  const again = await payments.submit(authorization)
  const afterAgain = await payments.status(orderId)
  const later = await asTimePasses(session, payments, orderId, when)
  const late = await payments.submit(authorization)
  return { ...executed, again, afterAgain, later, late, last: await payments.status(orderId) }
}

const submitted = scenario(
  'an authorized payment that is submitted, and submitted again',
  submitting(1),
  async (session) => {
    const payments = await session.payments()
    const hasBody = payments.profile.submission.body !== undefined
    return { ...(await submitAgainAndLater(session, payments, { when: 'soon' })), hasBody }
  },
)

checkLaws(submitted, ['moved', 'settling'])
checkReadability(submitted)

checkExecution(submitted)
checkTimeOfTheMove(submitted)

draws(PAYMENT, submitted, (record) => movesOf(record, [record.afterAgain, ...record.later, record.last]))

check(
  PAY.secondSubmissionChangesNothing,
  submitted.where(
    ({ after }) => MOVED.includes(recordIn(after).status.value),
    'the first submission moved nothing',
  ),
  ({ again, afterAgain }) => {
    isInProcess(afterAgain)
    for (const { exchange } of statusesIn([again])) isInProcess(exchange)
    wasProcessed(again)
  },
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
  submitting(1),
  async (session) => {
    const payments = await session.payments()
    const { initiation, orderId } = await payments.initiateValid()
    const authorization = await payments.authorize(orderId)
    const submissions = await Promise.all([payments.submit(authorization), payments.submit(authorization)])
    return { initiation, authorization, submissions, after: await payments.status(orderId) }
  },
)

checkReadability(doubled)

check(
  PAY.concurrentSubmissionsMoveOnce,
  doubled.where(isAuthorized, UNAUTHORIZED),
  ({ submissions, after }) => {
    isInProcess(after)
    // Which of the two was first is not known.
    for (const { exchange, status } of statusesIn(submissions))
      if (status.value !== 'ACTC') isInProcess(exchange)
  },
)

const futureMethod = ({ profile }: Payments): Order => {
  const method = profile.initiations.find(({ future: isLater }) => isLater)
  return method === undefined ? {} : { method: method.name }
}

const future = scenario(
  'an authorized payment with an execution date in the future that is submitted',
  submitting(1, 'future-initiation'),
  async (session) => {
    const payments = await session.payments()
    const values = payments.freshValues()
    const order = { ...futureMethod(payments), values, when: 'late' } as const
    return { date: String(values.date), ...(await submitAgainAndLater(session, payments, order)) }
  },
)

checkReadability(future)

draws(PAYMENT, future, (record) => movesOf(record, [record.afterAgain, ...record.later, record.last]))

/** Judges that the submission of an order for a later day moves it to PDNG. */
const isPending = ({ submission, after }: Pick<RecordOf<typeof future>, 'submission' | 'after'>): void => {
  wasSubmitted({ submission, after })
  readIn(after).status.equals('PDNG')
}

const authorizedForLater = future.where(isAuthorized, UNAUTHORIZED)

check(PAY.futurePaymentIsPending, authorizedForLater, (record) => {
  isPending(record)
  readIn(record.afterAgain).status.equals('PDNG')
})
checkAnswers(future)
checkTimeOfTheMove(future)

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
  submitting(2, 'future-initiation'),
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

checkReadability(ofTheseDays)

draws(PAYMENT, ofTheseDays, ({ tomorrow, today }) => [tomorrow, today].flatMap((one) => movesOf(one)))

const isFor = ({ date, submission }: RecordOf<typeof ofTheseDays>['today'], isLater: 'yes' | 'no'): boolean =>
  isFuture(date, submission.sentAt) === isLater

check(
  PAY.futurePaymentIsPending,
  ofTheseDays
    .each(({ tomorrow }) => [tomorrow], 'no payment was submitted')
    .where(
      (payment) => isFor(payment, 'yes'),
      'the date may have begun at the bank: a run before 10:00 UTC can judge it',
    )
    .where(isAuthorized, UNAUTHORIZED),
  isPending,
)

check(
  PAY.authorizedPaymentIsInProcess,
  ofTheseDays
    .each(({ today }) => [today], 'no payment was submitted')
    .where(
      (payment) => isFor(payment, 'no'),
      'the date may be in the future at the bank: a run after 12:00 UTC on a working day can judge it',
    )
    .where(isAuthorized, UNAUTHORIZED),
  isExecuted,
)

/** The table of transitions is one for all methods of initiation. */
const submittedByAnotherMethod = scenario(
  'an authorized payment by a further initiation method that is submitted',
  submitting(1, 'further-initiation-at-once'),
  async (session) => {
    const payments = await session.payments()
    const method = payments.profile.initiations.slice(1).find(({ future }) => !future)
    const { initiation } = await payments.initiateValid(method && { method: method.name })
    return executePayment(session, payments, initiation)
  },
)

checkReadability(submittedByAnotherMethod)

checkExecution(submittedByAnotherMethod)

draws(PAYMENT, submittedByAnotherMethod, (record) => movesOf(record))

const rejectLate = async (session: Session, { code, key, isGuess, order, isSecond, reach }: LateOrder) => {
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
  return { code, isGuess, ...executed, before, again, later, late, authorizedAgain, anew, last, others }
}

const rejectedLate = scenarioForEach(
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
  {
    each: async (session) => (await session.payments()).lateRejections(),
    act: rejectLate,
    unusable: ({ code, isGuess, initiation, authorization, submission, after }, { key }) => {
      if (recordIn(initiation).status.value !== 'ACTC') return 'the payment was rejected before'
      if (!isAuthorized({ authorization })) return UNAUTHORIZED
      wasSubmitted({ submission, after })
      const { status, reasonCode } = readIn(after)
      if (!isGuess || (status.value === 'RJCT' && reasonCode.value === code)) return undefined
      return `the payment is ${String(status.value)}, and that it is rejected is a guess of the profile: look at ${key}`
    },
  },
)

checkReadability(rejectedLate.whole)

draws(PAYMENT, rejectedLate.whole, ({ done }) =>
  recordsOf(done).flatMap((record) => movesOf(record, [...record.later, record.last])),
)

check(PAY.invalidSubmissionIsRejected, rejectedLate, ({ after }) => readIn(after).status.equals('RJCT'))

check(
  PAY.rejectedSubmissionHasAReasonCode,
  rejectedLate.where(({ submission }) => isRejected(submission), 'no answer to a submission says RJCT'),
  ({ submission }) => recordIn(submission).carries('reasonCode'),
)

/** PAY-35 judges that there is a reason. @throws NotReached if there is none. */
const hasReason = ({ after, code }: RecordOf<typeof rejectedLate>): void => {
  if (!readIn(after).has('reasonCode')) throw new NotReached('the rejected payment has no reasonCode')
  readIn(after).reasonCode.equals(code)
}

/** A bank may look at the funds only when the order is submitted. */
check(
  PAY.missingFundsAreAm04,
  rejectedLate.of((key) => key.startsWith('payments.rejectedAtSubmission.AM04')),
  (record) => {
    readIn(record.after).status.equals('RJCT')
    hasReason(record)
  },
  { needs: ['submission-rejection-AM04'] },
)

check(PAY.rejectedSubmissionHasItsReasonCode, rejectedLate, (record) => {
  if (!isRejected(record.after)) throw new NotReached('the submission did not reject the payment')
  hasReason(record)
})

checkAnswers(rejectedLate)
checkTimeOfTheMove(rejectedLate)
