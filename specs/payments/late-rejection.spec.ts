import { check, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, ObservedExchange, PaymentAuthorization } from '../../harness/check/index.ts'
import { aMoment, asTimePasses } from './asking.ts'
import { statesReadability } from './reading-laws.ts'
import { statesLawsOfRejections } from './record-laws.ts'
import { isGiven, readIn, recordIn, toldIn } from './records.ts'
import { PAY } from './requirements.ts'
import { changesItsTime, isAuthorized, isItsNewStatus, isItsRecord } from './submitting.ts'

const doomed = scenario(
  'an authorized payment that its submission rejects',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
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
    // By then the hour may be one at which the order would pass.
    const open = await session.payments()
    const late = await open.submit(authorization)
    const authorizedAgain = await open.authorize(orderId)
    const anew = await open.submit(authorizedAgain)
    const last = await open.status(orderId)
    return { initiation, authorization, submission, after, again, later, late, authorizedAgain, anew, last }
  },
)

statesLawsOfRejections(doomed)
statesReadability(doomed)

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

check(PAY.rejectedPaymentStaysRejected, doomed, ({ after, again, later, late, anew, last }) => {
  if (recordIn(after).status.value !== 'RJCT')
    throw new NotReached('the submission did not reject the payment')
  for (const { status } of toldIn([again, ...later, late, anew, last])) status.equals('RJCT')
})
