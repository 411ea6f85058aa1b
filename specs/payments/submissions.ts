import {
  check,
  held,
  Inconclusive,
  NotReached,
  wasNotProcessed,
  wasProcessed,
  type Exchange,
  type Observed,
  type Statement,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  explainRejection,
  type PaymentAuthorization,
  type Payments,
  type Scenario,
  type Session,
} from '../../harness/session/index.ts'
import { isSameTime } from './date-times.ts'
import {
  eachStep,
  isGiven,
  isSuccess,
  MOVED,
  OF_THE_MOMENT,
  readIn,
  recordIn,
  stateIn,
  statusesIn,
  type PaymentRecord,
} from './records.ts'
import { PAY } from './requirements.ts'
import { aMoment } from './status-reads.ts'

/** The result of a submission, and what its answer contains. */

/** @throws NotReached if the payment was not authorized. */
export const isAuthorized = ({ redirectResult, isComplete }: Observed<PaymentAuthorization>): void => {
  if (isComplete && (redirectResult.accepted || redirectResult.decision === 'granted')) return
  throw new NotReached('the customer could not authorize the payment')
}

/** @throws Inconclusive if the payment was not moved because the submission was answered with a server error or 429. */
export const isSubmitted = ({ submission, after }: Pick<Submitted, 'submission' | 'after'>): void => {
  if (readIn(after).status.value === 'ACTC') wasProcessed(submission)
}

/** Judges that a payment was accepted for settlement. From ACSP it may have moved on to ACSC. */
export const isInProcess = (answer: ObservedExchange): void => {
  const { status, reasonCode } = readIn(answer)
  if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
    throw new Inconclusive(
      `${answer.id} says RJCT with ${String(reasonCode.value)}, which a valid order may have for a time`,
    )
  status.satisfies(['ACSP', 'ACSC'].includes(String(status.value)), 'ACSP, or ACSC after it')
}

/** The answer to a submission has the state to which the submission leads, although the payment may move on by itself. */
const leadsIntoProcess = (submission: ObservedExchange): void => {
  for (const { status } of statusesIn([submission]))
    status.satisfies(!['ACSC', 'PDNG'].includes(String(status.value)), 'ACSP, to which a submission leads')
}

/** Judges that the submission of an order that is to be executed at once, or today, moves it to ACSP. */
export const isExecuted = ({ authorization, submission, after }: Observed<ExecutedPayment>): void => {
  isAuthorized(authorization)
  isSubmitted({ submission, after })
  isInProcess(after)
  leadsIntoProcess(submission)
}

/** Judges that the customer could authorize the payment. @throws NotReached if it was not accepted. */
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
  // A bank may record the authorization itself and give no code.
  if (MOVED.includes(recordIn(after).status.value)) {
    held()
    return
  }
  if (authorization.isComplete && !authorization.redirectResult.accepted)
    throw new NotReached(
      'the end of the authorization has no value, and its submission did not move the payment',
    )
  authorization.redirectResult.isAccepted('the customer has granted it')
}

interface Submitted {
  readonly initiation: ObservedExchange
  readonly authorization: Observed<PaymentAuthorization>
  readonly submission: ObservedExchange
  readonly after: ObservedExchange
}

/** @throws NotReached if the submission did not move it: a payment that was not authorized may be rejected for another reason. */
const moved = ({ initiation, authorization, after }: Submitted): PaymentRecord => {
  const record = readIn(after)
  if (record.status.value === 'RJCT') isAuthorized(authorization)
  if (readIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was rejected before')
  if (record.status.value === 'ACTC') throw new NotReached('the submission did not move the payment')
  return record
}

/** Judges the answer to a submission that has moved the payment. */
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

/** A payment with its authorization and submission, and its status afterwards. */
export interface ExecutedPayment {
  readonly initiation: Exchange
  readonly authorization: PaymentAuthorization
  readonly submission: Exchange
  readonly after: Exchange
}

/** The customer authorizes a payment, and it is submitted. */
export const executePayment = async (
  session: Session,
  payments: Payments,
  initiation: Exchange,
): Promise<ExecutedPayment> => {
  const orderId = payments.orderIdOf(initiation)
  await aMoment(session)
  const authorization = await payments.authorize(orderId)
  const submission = await payments.submit(authorization)
  return { initiation, authorization, submission, after: await payments.status(orderId) }
}

/** @param scenario one that submits a valid payment, which is to be executed at once. */
export const checkExecution = (scenario: Scenario<ExecutedPayment>): void => {
  check(PAY.acceptedPaymentCanBeAuthorized, scenario, canBeAuthorized)
  check(PAY.authorizedPaymentIsInProcess, scenario, isExecuted)
  check(PAY.submissionAnswersTheStatusRecord, scenario, isItsRecord)
  check(PAY.submissionAnswersTheNewStatus, scenario, isItsNewStatus)
}

/** Why the profile may be wrong about an order, if the bank did not accept it. */
export const whyNotAccepted = (initiation: ObservedExchange): string | undefined => {
  const { id } = initiation
  const status = initiation.status.value
  if (stateIn(initiation) === 'RJCT') {
    const { reasonCode, additionalInformation } = recordIn(initiation)
    return explainRejection({
      id,
      status,
      reasonCode: reasonCode.value ?? 'no reason code',
      additionalInformation: additionalInformation.value,
    })
  }
  const isRefused = !initiation.accepted && Number(status) >= 400 && !wasNotProcessed(initiation)
  return isRefused ? explainRejection({ id, status }) : undefined
}

/** An order of the profile that was not sent to its end. */
export interface Unsent {
  readonly statement: Statement
  readonly because: string
}

/** Whether a scenario may continue with its next order. A run that waits has an error of its own, which ends it for now. */
export const isNotReached = (error: unknown): error is NotReached =>
  error instanceof NotReached && error.name === 'NotReached'
