import { check, wasNotProcessed, type ObservedExchange } from '../../harness/check/index.ts'
import { REASON_CODES, type Scenario } from '../../harness/session/index.ts'
import { PAY } from './requirements.ts'
import {
  isGiven,
  isSuccess,
  recordsIn,
  judgeEach,
  STATES,
  paymentsIn,
  stepsOf,
  MOVED,
  carriesRecord,
  recordIn,
  answersIn,
  stateIn,
  type PaymentRecord,
  type Step,
} from './records.ts'
import { instantOf, HAS_MILLISECONDS } from './date-times.ts'

/** What holds of every payment status record, in every answer of every operation. */

const SKEW_MS = 30 * 60_000

const isRejected = ({ status }: PaymentRecord): boolean => status.value === 'RJCT'
const isUnrejected = ({ status }: PaymentRecord): boolean => isGiven(status) && status.value !== 'RJCT'
const isAnswered = ({ exchange }: PaymentRecord): boolean => isSuccess(exchange)
const hasStatus = ({ status }: PaymentRecord): boolean => isGiven(status)
const isDated = ({ statusDateTime }: PaymentRecord): boolean => isGiven(statusDateTime)

/** A refused call may contain the state of a payment, but is not its record. */
const answeredIn = (observed: unknown): readonly PaymentRecord[] => recordsIn(observed).filter(isAnswered)

const checkRecords = (scenario: Scenario): void => {
  check(PAY.statusIsOneOfFive, scenario, (observed) =>
    judgeEach(answeredIn(observed).filter(hasStatus), 'no record has a status', ({ status }) =>
      status.isOneOf(STATES),
    ),
  )
  check(PAY.statusDateTimeHasAUtcOffset, scenario, (observed) =>
    judgeEach(recordsIn(observed).filter(isDated), 'no record has a statusDateTime', ({ statusDateTime }) =>
      statusDateTime.satisfies(
        instantOf(statusDateTime.value) !== undefined,
        'an ISO 8601 date-time with a UTC offset',
      ),
    ),
  )
  check(PAY.statusDateTimeHasMilliseconds, scenario, (observed) =>
    judgeEach(recordsIn(observed).filter(isDated), 'no record has a statusDateTime', ({ statusDateTime }) =>
      statusDateTime.matches(HAS_MILLISECONDS, 'three digits after the seconds'),
    ),
  )
  check(PAY.orderIdIsAString, scenario, (observed) => {
    const given = recordsIn(observed).filter(({ orderId }) => isGiven(orderId))
    judgeEach(given, 'no record has an orderId', (record) => record.kind('orderId').equals('string'))
  })
}

const checkUnrejected = (scenario: Scenario): void => {
  const unrejectedIn = (observed: unknown): readonly PaymentRecord[] =>
    recordsIn(observed).filter(isUnrejected)
  check(PAY.reasonCodeStandsOnRejectionAlone, scenario, (observed) =>
    judgeEach(unrejectedIn(observed), 'every payment was rejected', ({ reasonCode }) =>
      reasonCode.satisfies(!isGiven(reasonCode), 'nothing'),
    ),
  )
  check(PAY.additionalInformationStandsOnRejectionAlone, scenario, (observed) =>
    judgeEach(unrejectedIn(observed), 'every payment was rejected', ({ additionalInformation }) =>
      additionalInformation.satisfies(!isGiven(additionalInformation), 'nothing'),
    ),
  )
}

const checkRejected = (scenario: Scenario): void => {
  const rejectedIn = (observed: unknown): readonly PaymentRecord[] => answeredIn(observed).filter(isRejected)
  const missing = 'no payment was rejected'
  check(PAY.rejectionCarriesItsReason, scenario, (observed) =>
    judgeEach(rejectedIn(observed), missing, ({ reasonCode }) => reasonCode.isText()),
  )
  check(PAY.rejectionCarriesAdditionalInformation, scenario, (observed) =>
    judgeEach(rejectedIn(observed), missing, ({ additionalInformation }) =>
      additionalInformation.satisfies(isGiven(additionalInformation), 'a text'),
    ),
  )
  check(PAY.rejectionCarriesItsDateTime, scenario, (observed) =>
    judgeEach(rejectedIn(observed), missing, ({ statusDateTime }) =>
      statusDateTime.satisfies(isGiven(statusDateTime), 'a date-time'),
    ),
  )
  check(PAY.reasonCodeIsOneOfThirteen, scenario, (observed) => {
    const given = answeredIn(observed).filter(({ reasonCode }) => isGiven(reasonCode))
    judgeEach(given, 'no record has a reasonCode', ({ reasonCode }) => reasonCode.isOneOf(REASON_CODES))
  })
  check(PAY.additionalInformationIsText, scenario, (observed) => {
    const kinds = answeredIn(observed).map((record) => record.kind('additionalInformation'))
    const given = kinds.filter(({ value }) => value !== 'nothing' && value !== 'null')
    judgeEach(given, 'no record has an additionalInformation', (kind) => kind.equals('string'))
  })
}

const isBack = (before: PaymentRecord, after: PaymentRecord): boolean => {
  const [then, now] = [instantOf(before.statusDateTime.value), instantOf(after.statusDateTime.value)]
  return then !== undefined && now !== undefined && now < then
}

const checkTimes = (scenario: Scenario): void => {
  check(PAY.statusDateTimeDoesNotGoBack, scenario, (observed) =>
    judgeEach(paymentsIn(observed).flatMap(stepsOf), 'no payment was read twice', ([before, after]) =>
      after.statusDateTime.satisfies(
        !isBack(before, after),
        `nothing before ${String(before.statusDateTime.value)}`,
      ),
    ),
  )
  check(PAY.statusDateTimeIsTheTimeOfTheStatus, scenario, (observed) => {
    for (const records of paymentsIn(observed)) {
      const [first] = records
      for (const { exchange, statusDateTime } of records) {
        const [from, to] = [(first?.exchange ?? exchange).sentAt.getTime(), exchange.sentAt.getTime()]
        const instant = instantOf(statusDateTime.value)
        statusDateTime.satisfies(
          instant === undefined || (instant >= from - SKEW_MS && instant <= to + SKEW_MS),
          `a time between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`,
        )
      }
    }
  })
}

/** The states to which a payment moves from ACTC. */
const LEFT: readonly unknown[] = STATES.filter((state) => state !== 'ACTC')

/** The steps of all payments from one of these states. */
const stepsFrom = (observed: unknown, states: readonly unknown[]): readonly Step[] =>
  paymentsIn(observed).flatMap((records) =>
    stepsOf(records.filter(isAnswered).filter(hasStatus)).filter(([{ status }]) =>
      states.includes(status.value),
    ),
  )

const checkMoved = (scenario: Scenario): void => {
  check(PAY.noPaymentReturnsToValidation, scenario, (observed) =>
    judgeEach(stepsFrom(observed, LEFT), 'no payment was read after it left ACTC', ([before, { status }]) =>
      status.satisfies(status.value !== 'ACTC', `no ACTC after ${String(before.status.value)}`),
    ),
  )
}

const checkSettling = (scenario: Scenario): void => {
  // Moves into ACSC are not shown: a payment that does not get there is judged by every step that it makes.
  check(PAY.completedPaymentStaysCompleted, scenario, (observed) =>
    judgeEach(
      stepsFrom(observed, MOVED),
      'no payment was read after its submission',
      ([before, { status }]) =>
        status.satisfies(before.status.value !== 'ACSC' || status.value === 'ACSC', '"ACSC", as before'),
    ),
  )
}

const containsPayment = (answer: ObservedExchange): boolean =>
  carriesRecord(answer) && hasStatus(recordIn(answer))

/** Judges that those of these calls that gave no payment do not have the HTTP status of a success. */
export const areNoSuccess = (answers: readonly ObservedExchange[]): void =>
  judgeEach(
    answers.filter((answer) => !containsPayment(answer) && !wasNotProcessed(answer)),
    'no call was refused',
    ({ status }) => status.satisfies(!isSuccess({ status }), 'no success, since the call was refused'),
  )

const checkRefused = (scenario: Scenario): void => {
  check(PAY.statusHoldsNoResultOfTheCall, scenario, (observed) => {
    const refused = answersIn(observed).filter((answer) => !isSuccess(answer))
    judgeEach(refused, 'no call was refused', (answer) => {
      const state = stateIn(answer)
      const isPermitted = state === undefined || state === null || STATES.some((one) => one === state)
      const subject = carriesRecord(answer) ? recordIn(answer).status : answer.body.text
      subject.satisfies(isPermitted, 'no payment, or one whose status is one of ISO 20022')
    })
  })
}

/** What is checked of the records of a scenario, by what surely occurs in it. */
const LAWS = {
  /** There are records. */
  records: checkRecords,
  /** A payment is not rejected. */
  unrejected: checkUnrejected,
  /** A payment is rejected. */
  rejected: checkRejected,
  /** One request is sent after the other, and a payment is read twice. */
  times: checkTimes,
  /** A payment is read after it has left ACTC, one request after the other. */
  moved: checkMoved,
  /** A payment is read after a submission has moved it, one request after the other. */
  settling: checkSettling,
  /** A call is refused. */
  refused: checkRefused,
} as const

/** Checks what holds of every payment. @param laws by what surely occurs in the scenario: nothing else is checked. */
export const checkLaws = (scenario: Scenario, laws: readonly (keyof typeof LAWS)[]): void => {
  for (const law of laws) LAWS[law](scenario)
}
