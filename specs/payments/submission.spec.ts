import { check, note, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import { aMoment, asTimePasses } from './asking.ts'
import { statesReadability } from './reading-laws.ts'
import { statesLaws, statesLawsWithoutOrder } from './record-laws.ts'
import { MOVED, readIn, recordIn, toldIn } from './records.ts'
import { PAY } from './requirements.ts'
import {
  changesItsTime,
  isAuthorized,
  isInProcess,
  isItsNewStatus,
  isItsRecord,
  isSubmitted,
  statesSettlement,
} from './submitting.ts'
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
statesReadability(submitted)

statesSettlement(submitted)

check(PAY.secondSubmissionChangesNothing, submitted, ({ after, again, afterAgain }) => {
  if (!MOVED.includes(recordIn(after).status.value))
    throw new NotReached('the first submission moved nothing')
  isInProcess(afterAgain)
  for (const { exchange } of toldIn([again])) isInProcess(exchange)
})

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
statesReadability(doubled)

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
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    return { initiation, authorization, submission, after, again, afterAgain, later, late, last }
  },
)

statesLaws(future)
statesReadability(future)

check(PAY.futurePaymentIsPending, future, ({ authorization, submission, after, afterAgain }) => {
  isAuthorized(authorization)
  isSubmitted({ submission, after })
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
