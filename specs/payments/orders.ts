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
  canWait,
  explainRejection,
  type PaymentAuthorization,
  type Payments,
  type Scenario,
  type Session,
} from '../../harness/session/index.ts'
import {
  eachStep,
  isGiven,
  isSameTime,
  isSuccess,
  MOVED,
  OF_THE_MOMENT,
  readIn,
  recordIn,
  stateIn,
  statusesIn,
  type PaymentRecord,
} from './record-rules.ts'
import { PAY } from './requirements.ts'

/** The result of a submission, and what its answer contains. */

/** @throws NotReached if the payment was not authorized. */
export const isAuthorized = ({ landing, isComplete }: Observed<PaymentAuthorization>): void => {
  if (isComplete && (landing.accepted || landing.decision === 'granted')) return
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
export const isExecuted = ({ authorization, submission, after }: Observed<CarriedOut>): void => {
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
  if (authorization.isComplete && !authorization.landing.accepted)
    throw new NotReached(
      'the end of the authorization has no value, and its submission did not move the payment',
    )
  authorization.landing.isAccepted('the customer has granted it')
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
export interface CarriedOut {
  readonly initiation: Exchange
  readonly authorization: PaymentAuthorization
  readonly submission: Exchange
  readonly after: Exchange
}

/** The customer authorizes a payment, and it is submitted. */
export const carryOut = async (
  session: Session,
  payments: Payments,
  initiation: Exchange,
): Promise<CarriedOut> => {
  const orderId = payments.orderIdOf(initiation)
  await aMoment(session)
  const authorization = await payments.authorize(orderId)
  const submission = await payments.submit(authorization)
  return { initiation, authorization, submission, after: await payments.status(orderId) }
}

/** @param scenario one that submits a valid payment, which is to be executed at once. */
export const checkExecution = (scenario: Scenario<CarriedOut>): void => {
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

/** What the scenarios of payments have in common. */

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

/** Lets a moment pass, so that two times differ. */
export const aMoment = ({ clock }: Session): Promise<void> => clock.pass(SECOND_MS)

/** The orderId of an initiation, if there is one. */
export const orderIdIn = (payments: Payments, initiation: Exchange): string | undefined => {
  try {
    return payments.orderIdOf(initiation)
  } catch {
    return undefined
  }
}

/** Reads the status of a payment that many times; not at all if there is no payment. */
export const readBack = async (
  payments: Payments,
  initiation: Exchange,
  times = 1,
): Promise<readonly Exchange[]> => {
  const orderId = orderIdIn(payments, initiation)
  const answers: Exchange[] = []
  if (orderId !== undefined)
    for (let time = 0; time < times; time += 1) answers.push(await payments.status(orderId))
  return answers
}

/** Steps of time in which a payment may reach its last state. */
const STEPS = {
  soon: [SECOND_MS, 4 * SECOND_MS, 60 * SECOND_MS, HOUR_MS, DAY_MS, 3 * DAY_MS],
  late: [SECOND_MS, 4 * SECOND_MS, HOUR_MS, DAY_MS, DAY_MS, 2 * DAY_MS, 3 * DAY_MS, 3 * DAY_MS],
} as const

/** @param when `soon`: the payment is executed at once. `late`: in some days. */
export const asTimePasses = async (
  { clock }: Session,
  payments: Payments,
  orderId: string,
  when: 'soon' | 'late',
): Promise<readonly Exchange[]> => {
  const answers: Exchange[] = []
  for (const ms of STEPS[when].filter((step) => canWait(clock, step))) {
    await clock.pass(ms)
    answers.push(await payments.status(orderId))
  }
  return answers
}

const SHORTEST_UNGUESSED = 16

/** Digits, and the letters of hexadecimal ones. */
const asHex = (character: string): string => {
  if (/\d/.test(character)) return String((Number(character) + 7) % 10)
  if (/[a-f]/i.test(character)) return character === 'f' || character === 'F' ? 'a' : next(character)
  return character
}

/** The other letters, for an orderId of such letters only. */
const asLetter = (character: string): string => {
  if (/[g-z]/i.test(character)) return /z/i.test(character) ? 'g' : next(character)
  return character
}

const turned = (orderId: string, turn: (character: string) => string): string =>
  Array.from(orderId, turn).join('')

/** An orderId that looks like that one and that the bank never issued. */
export const unknownLike = (orderId: string): string => {
  const [unlike = orderId] = [asHex, asLetter]
    .map((turn) => turned(orderId, turn))
    .filter((other) => other !== orderId)
  // A short one may have been issued.
  return unlike.length >= SHORTEST_UNGUESSED
    ? unlike
    : unlike + '0'.repeat(SHORTEST_UNGUESSED - unlike.length)
}

const next = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 1)
