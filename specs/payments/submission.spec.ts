import { check, Inconclusive, note, NotReached, scenario } from '../../harness/check/index.ts'
import type { ObservedExchange, PaymentAuthorization, Observed } from '../../harness/check/index.ts'
import { aMoment, asTimePasses } from './asking.ts'
import { isSameTime } from './date-times.ts'
import { statesLaws, statesLawsOfRejections, statesLawsWithoutOrder } from './record-laws.ts'
import { eachStep, isGiven, isSuccess, MOVED, OF_THE_MOMENT, readIn, recordIn, toldIn } from './records.ts'
import type { PaymentRecord } from './records.ts'
import { PAY } from './requirements.ts'
import { timelineOf } from './timeline.ts'

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
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    const { body } = payments.profile.submission
    return {
      ...{ initiation, authorization, submission, after, again, afterAgain, later, late, last },
      hasBody: body !== undefined,
    }
  },
)

statesLaws(submitted)

/** @throws NotReached where the payment was not authorized. */
const isAuthorized = ({ landing, isComplete }: Observed<PaymentAuthorization>): void => {
  if (isComplete && (landing.accepted || landing.decision === 'granted')) return
  throw new NotReached('the customer came to no authorization of the payment')
}

/** Judges that a payment was accepted for settlement. From ACSP it may have moved on to ACSC. */
const isInProcess = (answer: ObservedExchange): void => {
  const { status, reasonCode } = readIn(answer)
  if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
    throw new Inconclusive(
      `${answer.id} says RJCT with ${String(reasonCode.value)}, which may hold of a valid order for now`,
    )
  status.satisfies(['ACSP', 'ACSC'].includes(String(status.value)), 'ACSP, or ACSC behind it')
}

check(PAY.acceptedPaymentCanBeAuthorized, submitted, ({ initiation, authorization, after }) => {
  if (recordIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was not accepted')
  // The bank may know of the authorization by itself, without a code.
  if (!MOVED.includes(recordIn(after).status.value))
    authorization.landing.isAccepted('the customer has granted it')
})

check(PAY.authorizedPaymentIsInProcess, submitted, ({ authorization, after }) => {
  isAuthorized(authorization)
  isInProcess(after)
})

interface Submitted {
  readonly initiation: ObservedExchange
  readonly submission: ObservedExchange
  readonly after: ObservedExchange
}

/** @throws NotReached where the submission moved nothing. */
const moved = ({ initiation, after }: Submitted): PaymentRecord => {
  const record = readIn(after)
  if (readIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was rejected before')
  if (record.status.value === 'ACTC') throw new NotReached('the submission did not move the payment')
  return record
}

/** Judges an answer to a submission that has moved the payment. */
const isItsRecord = (observed: Submitted): void => {
  const { orderId } = moved(observed)
  const { submission } = observed
  const record = recordIn(submission)
  submission.status.satisfies(isSuccess(submission), 'a success, since the payment was moved')
  record.orderId.satisfies(String(record.orderId.value) === String(orderId.value), String(orderId.value))
  record.status.satisfies(isGiven(record.status), 'a status')
  record.statusDateTime.satisfies(isGiven(record.statusDateTime), 'a statusDateTime')
}

const isItsNewStatus = (record: Submitted): void => {
  const now = moved(record).status.value
  const { status } = recordIn(record.submission)
  const isPassing = ['ACSP', 'PDNG'].includes(String(status.value)) && status.value !== now
  const mayHaveMovedOn = isPassing && ['ACSC', 'RJCT', 'ACSP'].includes(String(now))
  if (!isGiven(status)) throw new NotReached('the answer to the submission carries no status')
  status.satisfies(mayHaveMovedOn || status.value === now, `${String(now)}, as it is read afterwards`)
}

check(PAY.submissionAnswersTheStatusRecord, submitted, isItsRecord)
check(PAY.submissionAnswersTheNewStatus, submitted, isItsNewStatus)

check(PAY.secondSubmissionChangesNothing, submitted, ({ after, again, afterAgain }) => {
  if (!MOVED.includes(recordIn(after).status.value))
    throw new NotReached('the first submission moved nothing')
  isInProcess(afterAgain)
  for (const { exchange } of toldIn([again])) isInProcess(exchange)
})

const changesItsTime = (answers: readonly ObservedExchange[]): void => {
  const records = answers.filter(isSuccess).map(recordIn)
  const steps = new Set(records.map(({ status }) => status.value))
  if (steps.size < 2) throw new NotReached('the payment was not moved')
  eachStep(records, (before, { status, statusDateTime }) => {
    if (!isGiven(statusDateTime)) return
    const isSame = isSameTime(before.statusDateTime.value, statusDateTime.value)
    statusDateTime.satisfies(
      !isSame || status.value === before.status.value,
      `another time than that of ${String(before.status.value)}`,
    )
  })
}

/** A step from ACSP to ACSC may take less than a ms: the moves that a moment has passed before are judged. */
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
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    const authorization = await payments.authorize(orderId)
    const submissions = await Promise.all([payments.submit(authorization), payments.submit(authorization)])
    return { initiation, authorization, submissions, after: await payments.status(orderId) }
  },
)

statesLawsWithoutOrder(doubled)

check(PAY.concurrentSubmissionsMoveOnce, doubled, ({ authorization, submissions, after }) => {
  isAuthorized(authorization)
  isInProcess(after)
  // Whether the other one was first is not to be told.
  for (const { exchange, status } of toldIn(submissions)) if (status.value !== 'ACTC') isInProcess(exchange)
})

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
    const method = payments.profile.initiations.find(({ future: isLater }) => isLater)
    const initiation = await payments.initiate(method && { method: method.name })
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'late')
    return { initiation, authorization, submission, after, again, afterAgain, later }
  },
)

statesLaws(future)

check(PAY.futurePaymentIsPending, future, ({ authorization, after, afterAgain }) => {
  isAuthorized(authorization)
  for (const answer of [after, afterAgain]) readIn(answer).status.equals('PDNG')
})
check(PAY.submissionAnswersTheStatusRecord, future, isItsRecord)
check(PAY.submissionAnswersTheNewStatus, future, isItsNewStatus)
check(PAY.statusDateTimeChangesWithTheStatus, future, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

note(PAY.movesOutOfPending, future, ({ initiation, after, later }) =>
  timelineOf([initiation, after, ...later]),
)

const doomed = scenario(
  'an authorized payment that its submission rejects',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'submission-rejection'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const initiation = await payments.initiateDoomed()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const again = await payments.submit(authorization)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    return { initiation, authorization, submission, after, again, later }
  },
)

statesLawsOfRejections(doomed)

/** @throws NotReached where it was rejected before, or never authorized. */
const wasAccepted = (initiation: ObservedExchange, authorization: Observed<PaymentAuthorization>): void => {
  if (recordIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was rejected before')
  isAuthorized(authorization)
}

check(PAY.invalidSubmissionIsRejected, doomed, ({ initiation, authorization, after }) => {
  wasAccepted(initiation, authorization)
  readIn(after).status.equals('RJCT')
})

check(PAY.rejectedSubmissionHasAReasonCode, doomed, ({ submission }) => {
  const { status, reasonCode } = recordIn(submission)
  if (status.value !== 'RJCT') throw new NotReached('the answer to the submission does not say RJCT')
  reasonCode.satisfies(isGiven(reasonCode), 'a reasonCode')
})

check(PAY.submissionAnswersTheStatusRecord, doomed, isItsRecord)
check(PAY.submissionAnswersTheNewStatus, doomed, isItsNewStatus)
check(PAY.statusDateTimeChangesWithTheStatus, doomed, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

check(PAY.rejectedPaymentStaysRejected, doomed, ({ after, again, later }) => {
  if (recordIn(after).status.value !== 'RJCT')
    throw new NotReached('the submission did not reject the payment')
  for (const { status } of toldIn([again, ...later])) status.equals('RJCT')
})
