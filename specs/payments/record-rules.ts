import {
  attemptOf,
  check,
  everyAnswer,
  inWholeRun,
  type ObservedExchange,
  type Selection,
  type WholeRun,
} from '../../harness/check/index.ts'
import { REASON_CODES, type Scenario } from '../../harness/session/index.ts'
import { TOLERANCES } from '../shared/tolerances.ts'
import { PAY } from './requirements.ts'
import {
  areDistinct,
  carriesRecord,
  isInValidation,
  isSuccess,
  MOVED,
  paymentsIn,
  recordIn,
  recordsIn,
  stateIn,
  STATES,
  stepsOf,
  type Field,
  type PaymentRecord,
  type Step,
} from './records.ts'
import { areTimes, instantOf, isSameTime, HAS_MILLISECONDS } from './date-times.ts'

/** What holds of every payment status record, in every answer of every operation of a run. */

export const OPERATIONS = ['initiatePayment', 'readPayment', 'submitPayment'] as const

const isAnswered = ({ exchange }: PaymentRecord): boolean => isSuccess(exchange)

const recordsOf = (scenario: Scenario): Selection<PaymentRecord> =>
  everyAnswer(scenario, OPERATIONS).each(
    (answer) => recordsIn([answer]),
    'no answer has a payment status record',
  )

/** A message that repeats another one may be answered with the orderId of that one, and with a state of its own. */
const withoutRepetitions = (records: readonly PaymentRecord[]): readonly PaymentRecord[] =>
  records.filter(({ exchange }, at) => at === 0 || exchange.operation !== 'initiatePayment')

const paymentsOf = (scenario: Scenario, because: string): Selection<readonly PaymentRecord[]> =>
  inWholeRun(scenario, OPERATIONS).each(
    ({ exchanges }) => paymentsIn(exchanges).map(withoutRepetitions),
    because,
  )

/** A refused call may contain the state of a payment, but is not its record. */
const answeredOf = (scenario: Scenario): Selection<PaymentRecord> =>
  recordsOf(scenario).where(isAnswered, 'no call succeeded')

const having = (records: Selection<PaymentRecord>, field: Field): Selection<PaymentRecord> =>
  records.where((record) => record.has(field), `no record has a value of ${field}`)

const checkRecords = (scenario: Scenario): void => {
  const records = recordsOf(scenario)
  const dated = having(records, 'statusDateTime')
  check(PAY.statusIsOneOfFive, having(answeredOf(scenario), 'status'), ({ status }) => status.isOneOf(STATES))
  check(PAY.statusDateTimeHasAUtcOffset, dated, ({ statusDateTime: time }) =>
    time.satisfies(instantOf(time.value) !== undefined, 'an ISO 8601 date-time with a UTC offset'),
  )
  check(PAY.statusDateTimeHasMilliseconds, dated, ({ statusDateTime }) =>
    statusDateTime.matches(HAS_MILLISECONDS, 'three or more digits after the seconds'),
  )
  check(PAY.orderIdIsAString, having(records, 'orderId'), (record) => record.kind('orderId').equals('string'))
}

/** A payment in the answer shows that an initiation was successful, whatever the HTTP status says. */
const hasPayment = (answer: ObservedExchange): boolean =>
  (answer.body.kind().value !== 'text' &&
    answer.body.everywhere('status').some((value) => STATES.some((state) => state === value))) ||
  (isSuccess(answer) && carriesRecord(answer))

const checkInitiations = (scenario: Scenario): void => {
  const initiations = everyAnswer(scenario, ['initiatePayment'])
  const successful = initiations.where(hasPayment, 'no initiation was successful')
  check(PAY.initiationHasStatus201, successful, ({ status }) => status.equals(201))
  check(PAY.initiationAnswersAnOrderId, successful, (answer) => recordIn(answer).carries('orderId'))
  check(PAY.initiationAnswersAStatus, successful, (answer) => recordIn(answer).carries('status'))
  check(PAY.initiationAnswersAStatusDateTime, successful, (answer) =>
    recordIn(answer).carries('statusDateTime'),
  )
  check(
    PAY.orderIdsAreDistinct,
    inWholeRun(scenario, ['initiatePayment']).each(
      ({ exchanges }) => [exchanges.filter(isInValidation)],
      'no payment was initiated',
    ),
    areDistinct,
  )
}

const checkUnrejected = (scenario: Scenario): void => {
  const unrejected = having(recordsOf(scenario), 'status').where(
    ({ status }) => status.value !== 'RJCT',
    'every payment was rejected',
  )
  check(PAY.reasonCodeStandsOnRejectionAlone, unrejected, (record) => record.lacks('reasonCode'))
  check(PAY.additionalInformationStandsOnRejectionAlone, unrejected, (record) =>
    record.lacks('additionalInformation'),
  )
}

const isRejection = (record: PaymentRecord): boolean => isAnswered(record) && record.status.value === 'RJCT'

/** Another reason may follow it. */
const UNSPECIFIED = 'MS03'

/** Judges that the records of a rejected payment have a reason, and the same one. */
const keepTheirReason = (records: readonly PaymentRecord[]): void => {
  for (const { reasonCode } of records.filter(isRejection)) reasonCode.isText()
  for (const [{ reasonCode: before }, { reasonCode }] of stepsOf(
    withoutRepetitions(records).filter(isRejection),
  ))
    reasonCode.satisfies(
      before.value === UNSPECIFIED || reasonCode.value === before.value,
      `${String(before.value)}, as before`,
    )
}

const isNone = (kind: unknown): boolean => kind === 'nothing' || kind === 'null'

const checkRejected = (scenario: Scenario): void => {
  const answered = answeredOf(scenario)
  const rejected = answered.where(isRejection, 'no payment was rejected')
  const explained = answered.where(
    (record) => !isNone(record.kind('additionalInformation').value),
    'no record has an additionalInformation',
  )
  const payments = inWholeRun(scenario, OPERATIONS)
    .each(({ exchanges }) => paymentsIn(exchanges), 'no call succeeded')
    .where((records) => records.some(isRejection), 'no payment was rejected')
  check(PAY.rejectionCarriesItsReason, payments, keepTheirReason)
  check(PAY.rejectionCarriesAdditionalInformation, rejected, (record) =>
    record.carries('additionalInformation'),
  )
  check(PAY.rejectionCarriesItsDateTime, rejected, (record) => record.carries('statusDateTime'))
  check(PAY.reasonCodeIsOneOfThirteen, having(answered, 'reasonCode'), ({ reasonCode }) =>
    reasonCode.isOneOf(REASON_CODES),
  )
  check(PAY.additionalInformationIsText, explained, (record) =>
    record.kind('additionalInformation').equals('string'),
  )
}

const isBack = ([before, after]: Step): boolean => {
  const [then, now] = [instantOf(before.statusDateTime.value), instantOf(after.statusDateTime.value)]
  return then !== undefined && now !== undefined && now < then - TOLERANCES.serversOfOneBank
}

/** Reads of payments in a state that nothing moves: a final one, or one that waits for an authorization. */
const unmovedIn = ({ exchanges }: WholeRun): readonly Step[] => {
  const isAuthorization = ({ operation }: ObservedExchange): boolean => operation === 'authorizePayment'
  const authorized = new Set(exchanges.filter(isAuthorization).map(attemptOf))
  return paymentsIn(exchanges.filter((one) => !isAuthorization(one)))
    .flatMap((records) => stepsOf(withoutRepetitions(records)))
    .filter(([before, { exchange, status }]) => {
      const isOpen = status.value === 'ACTC' && !authorized.has(attemptOf(exchange))
      const isStill = isOpen || status.value === 'RJCT' || status.value === 'ACSC'
      return isStill && before.status.value === status.value && exchange.operation === 'readPayment'
    })
}

const checkUnmoved = (scenario: Scenario): void => {
  const unmoved = inWholeRun(scenario, [...OPERATIONS, 'authorizePayment'])
  check(
    PAY.statusDateTimeStaysWithTheStatus,
    unmoved.each(unmovedIn, 'no payment was read twice in one state'),
    ([
      {
        statusDateTime: { value },
      },
      { statusDateTime: now },
    ]) =>
      now.satisfies(
        !areTimes(value, now.value) || isSameTime(value, now.value),
        `${String(value)}, as before`,
      ),
  )
}

const checkTimes = (scenario: Scenario): void => {
  const payments = paymentsOf(scenario, 'no answer has a payment status record')
  const steps = payments.each(stepsOf, 'no payment was read twice')
  check(PAY.statusDateTimeDoesNotGoBack, steps, ([before, after]) =>
    after.statusDateTime.satisfies(
      !isBack([before, after]),
      `nothing before ${String(before.statusDateTime.value)}`,
    ),
  )
  check(PAY.statusDateTimeIsTheTimeOfTheStatus, payments, (records) => {
    const [first] = records
    for (const { exchange, statusDateTime } of records) {
      const [from, to] = [(first?.exchange ?? exchange).sentAt.getTime(), exchange.sentAt.getTime()]
      const skew = TOLERANCES.statusDateTime
      const instant = instantOf(statusDateTime.value)
      statusDateTime.satisfies(
        instant === undefined || (instant >= from - skew && instant <= to + skew),
        `a time between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`,
      )
    }
  })
}

/** The states to which a payment moves from ACTC. */
const LEFT: readonly unknown[] = STATES.filter((state) => state !== 'ACTC')

/** The steps of all payments from one of these states. */
const stepsFrom = (scenario: Scenario, states: readonly unknown[], because: string): Selection<Step> =>
  paymentsOf(scenario, because)
    .each((records) => stepsOf(records.filter((one) => isAnswered(one) && one.has('status'))), because)
    .where(([{ status }]) => states.includes(status.value), because)

const checkMoved = (scenario: Scenario): void => {
  const steps = stepsFrom(scenario, LEFT, 'no payment was read after it left ACTC')
  check(PAY.noPaymentReturnsToValidation, steps, ([before, { status }]) =>
    status.satisfies(status.value !== 'ACTC', `no ACTC after ${String(before.status.value)}`),
  )
}

const checkEnded = (scenario: Scenario): void => {
  const steps = stepsFrom(scenario, ['RJCT'], 'no rejected payment was read again')
  check(PAY.rejectedPaymentStaysRejected, steps, ([, { status }]) => status.equals('RJCT'))
}

const checkSettling = (scenario: Scenario): void => {
  const steps = stepsFrom(scenario, MOVED, 'no payment was read after its submission')
  // Moves into ACSC are not shown: a payment that does not get there is judged by every step that it makes.
  check(PAY.completedPaymentStaysCompleted, steps, ([before, { status }]) =>
    status.satisfies(before.status.value !== 'ACSC' || status.value === 'ACSC', '"ACSC", as before'),
  )
}

const checkRefused = (scenario: Scenario): void => {
  const answers = everyAnswer(scenario, OPERATIONS)
  // A success without a body is judged by what it should have answered.
  const isEmpty = (answer: ObservedExchange): boolean => isSuccess(answer) && answer.body.text.value === ''
  const without = answers.where((answer) => !hasPayment(answer) && !isEmpty(answer), 'no call was refused')
  check(PAY.refusalIsNoSuccess, without, ({ status }) =>
    status.satisfies(!isSuccess({ status }), 'no success, since the call was refused'),
  )
  const refused = answers.where((answer) => !isSuccess(answer), 'no call was refused')
  check(PAY.statusHoldsNoResultOfTheCall, refused, (answer) => {
    const state = stateIn(answer)
    const isPermitted = state === undefined || state === null || STATES.some((one) => one === state)
    const subject = carriesRecord(answer) ? recordIn(answer).status : answer.body.text
    subject.satisfies(isPermitted, 'no payment, or one whose status is one of ISO 20022')
  })
}

/** What is judged of all records of a run, by what surely occurs in a scenario. */
const LAWS = {
  /** Payments are initiated. */
  initiations: checkInitiations,
  /** There are records. */
  records: checkRecords,
  /** A payment is not rejected. */
  unrejected: checkUnrejected,
  /** A payment is rejected. */
  rejected: checkRejected,
  /** A payment is read twice. */
  times: checkTimes,
  /** A payment is read twice in one state. */
  unmoved: checkUnmoved,
  /** A payment is read after it has left ACTC. */
  moved: checkMoved,
  /** A rejected payment is read, and read again. */
  ended: checkEnded,
  /** A payment is read after a submission has moved it. */
  settling: checkSettling,
  /** A call is refused. */
  refused: checkRefused,
} as const

/** Judges what holds of every payment. @param scenario where this surely occurs. */
export const checkLaws = (scenario: Scenario, laws: readonly (keyof typeof LAWS)[]): void => {
  for (const law of laws) LAWS[law](scenario)
}
