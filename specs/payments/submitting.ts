import { check, Inconclusive, NotReached, wasProcessed } from '../../harness/check/index.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { PaymentAuthorization, Scenario } from '../../harness/session/index.ts'
import { isSameTime } from './date-times.ts'
import { eachStep, isGiven, isSuccess, MOVED, OF_THE_MOMENT, readIn, recordIn } from './records.ts'
import type { PaymentRecord } from './records.ts'
import { PAY } from './requirements.ts'

/** What a submission comes to, and what its answer says of it. */

/** @throws NotReached where the payment was not authorized. */
export const isAuthorized = ({ landing, isComplete }: Observed<PaymentAuthorization>): void => {
  if (isComplete && (landing.accepted || landing.decision === 'granted')) return
  throw new NotReached('the customer came to no authorization of the payment')
}

/** @throws Inconclusive where the target moved nothing, since it broke down over the submission, or turned it away. */
export const isSubmitted = ({ submission, after }: Pick<Submitted, 'submission' | 'after'>): void => {
  if (readIn(after).status.value === 'ACTC') wasProcessed(submission)
}

/** Judges that a payment was accepted for settlement. From ACSP it may have moved on to ACSC. */
export const isInProcess = (answer: ObservedExchange): void => {
  const { status, reasonCode } = readIn(answer)
  if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
    throw new Inconclusive(
      `${answer.id} says RJCT with ${String(reasonCode.value)}, which may hold of a valid order for now`,
    )
  status.satisfies(['ACSP', 'ACSC'].includes(String(status.value)), 'ACSP, or ACSC behind it')
}

/** Judges that the customer could authorize the payment. @throws NotReached where it was not accepted. */
const canBeAuthorized = ({
  initiation,
  authorization,
  after,
}: {
  readonly initiation: ObservedExchange
  readonly authorization: Observed<PaymentAuthorization>
  readonly after: ObservedExchange
}): void => {
  if (recordIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was not accepted')
  // The bank may know of the authorization by itself, without a code.
  if (!MOVED.includes(recordIn(after).status.value))
    authorization.landing.isAccepted('the customer has granted it')
}

interface Submitted {
  readonly initiation: ObservedExchange
  readonly authorization: Observed<PaymentAuthorization>
  readonly submission: ObservedExchange
  readonly after: ObservedExchange
}

/** @throws NotReached where the submission moved nothing: what nobody has authorized, something else may have rejected. */
const moved = ({ initiation, authorization, after }: Submitted): PaymentRecord => {
  const record = readIn(after)
  if (record.status.value === 'RJCT') isAuthorized(authorization)
  if (readIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was rejected before')
  if (record.status.value === 'ACTC') throw new NotReached('the submission did not move the payment')
  return record
}

/** Judges an answer to a submission that has moved the payment. */
export const isItsRecord = (observed: Submitted): void => {
  moved(observed)
  const { initiation, submission } = observed
  const { orderId } = recordIn(initiation)
  const record = recordIn(submission)
  submission.status.satisfies(isSuccess(submission), 'a success, since the payment was moved')
  record.orderId.satisfies(String(record.orderId.value) === String(orderId.value), String(orderId.value))
  record.status.satisfies(isGiven(record.status), 'a status')
  record.statusDateTime.satisfies(isGiven(record.statusDateTime), 'a statusDateTime')
}

export const isItsNewStatus = (record: Submitted): void => {
  const now = moved(record).status.value
  const { status } = recordIn(record.submission)
  const isPassing = ['ACSP', 'PDNG'].includes(String(status.value)) && status.value !== now
  const mayHaveMovedOn = isPassing && ['ACSC', 'RJCT', 'ACSP'].includes(String(now))
  if (!isGiven(status)) throw new NotReached('the answer to the submission carries no status')
  status.satisfies(mayHaveMovedOn || status.value === now, `${String(now)}, as it is read afterwards`)
}

export const changesItsTime = (answers: readonly ObservedExchange[]): void => {
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

interface Settled {
  readonly initiation: Exchange
  readonly authorization: PaymentAuthorization
  readonly submission: Exchange
  readonly after: Exchange
}

/** @param scenario one that submits a valid payment, which is to be executed at once. */
export const statesSettlement = (scenario: Scenario<Settled>): void => {
  check(PAY.acceptedPaymentCanBeAuthorized, scenario, canBeAuthorized)
  check(PAY.authorizedPaymentIsInProcess, scenario, ({ authorization, submission, after }) => {
    isAuthorized(authorization)
    isSubmitted({ submission, after })
    isInProcess(after)
  })
  check(PAY.submissionAnswersTheStatusRecord, scenario, isItsRecord)
  check(PAY.submissionAnswersTheNewStatus, scenario, isItsNewStatus)
}
