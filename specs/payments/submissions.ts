import {
  check,
  held,
  NotReached,
  wasNotProcessed,
  wasProcessed,
  type Exchange,
  type Observed,
  type ObservedExchange,
  type Selectable,
  type Selection,
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
  failsOnlyForATime,
  isInValidation,
  isRejected,
  isSuccess,
  MOVED,
  readIn,
  recordIn,
  stateIn,
  statusesIn,
  stepsOf,
} from './records.ts'
import { PAY } from './requirements.ts'
import { aMoment } from './status-reads.ts'

/** The result of a submission, and what its answer contains. */

/** A payment with its authorization and submission, and its status afterwards. */
export interface ExecutedPayment {
  readonly initiation: Exchange
  readonly authorization: PaymentAuthorization
  readonly submission: Exchange
  readonly after: Exchange
}

type Executed = Observed<ExecutedPayment>
type Submitted = Pick<Executed, 'authorization' | 'submission' | 'after'>

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

export const isAuthorized = ({ authorization }: Pick<Executed, 'authorization'>): boolean =>
  authorization.isComplete &&
  (authorization.redirectResult.accepted || authorization.redirectResult.decision === 'granted')

export const UNAUTHORIZED = 'the customer could not authorize the payment'

/** @throws Inconclusive if the payment was not moved because the submission was answered with a server error or 429. */
export const wasSubmitted = ({ submission, after }: Pick<Executed, 'submission' | 'after'>): void => {
  if (readIn(after).status.value === 'ACTC') wasProcessed(submission)
}

/** Judges that a payment was accepted for settlement. From ACSP it may have moved on to ACSC. */
export const isInProcess = (answer: ObservedExchange): void => {
  const record = readIn(answer)
  failsOnlyForATime(record)
  record.status.satisfies(['ACSP', 'ACSC'].includes(String(record.status.value)), 'ACSP, or ACSC after it')
}

/** Judges that the submission of an order that is to be executed at once, or today, moves it to ACSP. */
export const isExecuted = ({ submission, after }: Submitted): void => {
  wasSubmitted({ submission, after })
  isInProcess(after)
  // The payment may move on by itself, but the answer has the state to which the submission leads.
  for (const { status } of statusesIn([submission]))
    status.satisfies(!['ACSC', 'PDNG'].includes(String(status.value)), 'ACSP, to which a submission leads')
}

/** Judges that the customer could authorize the payment. */
const canBeAuthorized = ({ authorization, after }: Executed): void => {
  // A bank may record the authorization itself and give no code.
  if (MOVED.includes(recordIn(after).status.value)) return held()
  if (authorization.isComplete && !authorization.redirectResult.accepted)
    throw new NotReached(
      'the end of the authorization has no value, and its submission did not move the payment',
    )
  authorization.redirectResult.isAccepted('the customer has granted it')
}

/** A payment that was not authorized may be rejected for another reason than its submission. */
const isMoved = ({ initiation, authorization, after }: Executed): boolean =>
  isInValidation(initiation) &&
  isSuccess(after) &&
  (isRejected(after) ? isAuthorized({ authorization }) : !isInValidation(after))

const moved = (submissions: Selectable<Executed>): Selection<Executed> =>
  submissions.where(isMoved, 'the submission did not move the payment')

/** What is answered to a submission that has moved its payment is the record of this payment. */
export const checkAnsweredRecord = (submissions: Selectable<Executed>): void =>
  check(PAY.submissionAnswersTheStatusRecord, moved(submissions), ({ initiation, submission }) => {
    const { orderId } = recordIn(initiation)
    const record = recordIn(submission)
    submission.status.satisfies(isSuccess(submission), 'a success, since the payment was moved')
    record.orderId.satisfies(String(record.orderId.value) === String(orderId.value), String(orderId.value))
    record.carries('status', 'statusDateTime')
  })

export const checkAnswers = (submissions: Selectable<Executed>): void => {
  checkAnsweredRecord(submissions)
  const answered = moved(submissions).where(
    ({ submission }) => recordIn(submission).has('status'),
    'the answer to the submission carries no status',
  )
  check(PAY.submissionAnswersTheNewStatus, answered, ({ submission, after }) => {
    const { status } = recordIn(submission)
    const now = recordIn(after).status.value
    const isPassing = ['ACSP', 'PDNG'].includes(String(status.value)) && status.value !== now
    const mayHaveMovedOn = isPassing && ['ACSC', 'RJCT', 'ACSP'].includes(String(now))
    status.satisfies(mayHaveMovedOn || status.value === now, `${String(now)}, as it is read afterwards`)
  })
}

/** A step from ACSP to ACSC may take less than a ms: only moves after a pause are judged. */
export const checkTimeOfTheMove = (submissions: Selectable<Executed>): void =>
  check(
    PAY.statusDateTimeChangesWithTheStatus,
    submissions
      .each(({ initiation, after }) => stepsOf([initiation, after].filter(isSuccess).map(recordIn)), UNMOVED)
      .where(([before, { status }]) => status.value !== before.status.value, UNMOVED),
    ([before, record]) => {
      const isSame = isSameTime(before.statusDateTime.value, record.statusDateTime.value)
      if (record.has('statusDateTime'))
        record.statusDateTime.satisfies(!isSame, `another time than that of ${String(before.status.value)}`)
    },
  )

const UNMOVED = 'the payment was not moved'

/** @param scenario one that submits a valid payment, which is to be executed at once. */
export const checkExecution = (scenario: Scenario<ExecutedPayment>): void => {
  const accepted = scenario.where(
    ({ initiation }) => recordIn(initiation).status.value === 'ACTC',
    'the payment was not accepted',
  )
  check(PAY.acceptedPaymentCanBeAuthorized, accepted, canBeAuthorized)
  check(PAY.authorizedPaymentIsInProcess, scenario.where(isAuthorized, UNAUTHORIZED), isExecuted)
  checkAnswers(scenario)
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
