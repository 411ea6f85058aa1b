import { check, NotReached } from '../../harness/check/index.ts'
import { REASON_CODES } from '../../harness/session/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { HAS_MILLISECONDS, instantOf } from './date-times.ts'
import { eachStep, isGiven, isSuccess, paymentsIn, recordsIn, STATES } from './records.ts'
import type { PaymentRecord } from './records.ts'
import { PAY } from './requirements.ts'

/** What holds of every payment status record, in every answer of every operation. */

const SKEW_MS = 30 * 60_000

/** Judges the records of which it may be said. @throws NotReached where it may be said of none. */
const judgeEach = (
  records: readonly PaymentRecord[],
  isMeant: (record: PaymentRecord) => boolean,
  judge: (record: PaymentRecord) => void,
): void => {
  const meant = records.filter(isMeant)
  if (meant.length === 0) throw new NotReached('no answer has such a record')
  meant.forEach(judge)
}

const isRejected = ({ status }: PaymentRecord): boolean => status.value === 'RJCT'
const isUnrejected = ({ status }: PaymentRecord): boolean => isGiven(status) && status.value !== 'RJCT'
const isTold = ({ exchange }: PaymentRecord): boolean => isSuccess(exchange)
const isDated = ({ statusDateTime }: PaymentRecord): boolean => isGiven(statusDateTime)

/** Of what form its fields are. */
const statesForms = (scenario: Scenario): void => {
  check(PAY.statusIsOneOfFive, scenario, (observed) =>
    judgeEach(
      recordsIn(observed).filter(isTold),
      ({ status }) => isGiven(status),
      ({ status }) => status.isOneOf(STATES),
    ),
  )
  check(PAY.statusDateTimeHasAUtcOffset, scenario, (observed) =>
    judgeEach(recordsIn(observed), isDated, ({ statusDateTime }) =>
      statusDateTime.satisfies(
        instantOf(statusDateTime.value) !== undefined,
        'an ISO 8601 date-time with a UTC offset',
      ),
    ),
  )
  check(PAY.statusDateTimeHasMilliseconds, scenario, (observed) =>
    judgeEach(recordsIn(observed), isDated, ({ statusDateTime }) =>
      statusDateTime.matches(HAS_MILLISECONDS, 'three digits behind the seconds'),
    ),
  )
  check(PAY.additionalInformationIsText, scenario, (observed) => {
    for (const record of recordsIn(observed).filter(isTold)) {
      const kind = record.kind('additionalInformation')
      if (kind.value !== 'nothing' && kind.value !== 'null') kind.equals('string')
    }
  })
}

const statesFields = (scenario: Scenario): void => {
  statesForms(scenario)
  check(PAY.orderIdIsAString, scenario, (observed) => {
    for (const record of recordsIn(observed)) record.kind('orderId').equals('string')
  })
  check(PAY.statusHoldsNoResultOfTheCall, scenario, (observed) => {
    for (const record of recordsIn(observed))
      if (!isTold(record) && isGiven(record.status)) record.status.isOneOf(STATES)
  })
  check(PAY.reasonCodeStandsOnRejectionAlone, scenario, (observed) => {
    for (const record of recordsIn(observed))
      if (isUnrejected(record)) record.reasonCode.satisfies(!isGiven(record.reasonCode), 'nothing')
  })
  check(PAY.additionalInformationStandsOnRejectionAlone, scenario, (observed) => {
    for (const record of recordsIn(observed))
      if (isUnrejected(record))
        record.additionalInformation.satisfies(!isGiven(record.additionalInformation), 'nothing')
  })
}

type JudgeOfRecords = typeof judgeEach

/** As many of them as there are. */
const judgeAny: JudgeOfRecords = (records, isMeant, judge) => records.filter(isMeant).forEach(judge)

/** What a rejected payment carries, wherever it is told. */
const statesReasons = (scenario: Scenario, judgeRecords: JudgeOfRecords): void => {
  // A call that is refused may name the state of a payment, and is no record of it.
  const toldIn = (observed: unknown): readonly PaymentRecord[] => recordsIn(observed).filter(isTold)
  check(PAY.rejectionCarriesItsReason, scenario, (observed) =>
    judgeRecords(toldIn(observed), isRejected, ({ reasonCode }) => reasonCode.isText()),
  )
  check(PAY.rejectionCarriesAdditionalInformation, scenario, (observed) =>
    judgeRecords(toldIn(observed), isRejected, ({ additionalInformation: said }) =>
      // Whether it is a string is judged elsewhere.
      said.satisfies(isGiven(said), 'a text'),
    ),
  )
  check(PAY.rejectionCarriesItsDateTime, scenario, (observed) =>
    judgeRecords(toldIn(observed), isRejected, ({ statusDateTime }) =>
      statusDateTime.satisfies(isGiven(statusDateTime), 'a date-time'),
    ),
  )
  check(PAY.reasonCodeIsOneOfThirteen, scenario, (observed) =>
    judgeRecords(
      toldIn(observed),
      ({ reasonCode }) => isGiven(reasonCode),
      ({ reasonCode }) => reasonCode.isOneOf(REASON_CODES),
    ),
  )
}

const isBack = (before: PaymentRecord, after: PaymentRecord): boolean => {
  const [then, now] = [instantOf(before.statusDateTime.value), instantOf(after.statusDateTime.value)]
  return then !== undefined && now !== undefined && now < then
}

const statesTimes = (scenario: Scenario): void => {
  check(PAY.statusDateTimeDoesNotGoBack, scenario, (observed) => {
    for (const records of paymentsIn(observed))
      eachStep(records, (before, after) =>
        after.statusDateTime.satisfies(
          !isBack(before, after),
          `nothing before ${String(before.statusDateTime.value)}`,
        ),
      )
  })
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

/** ACTC is left for these alone. */
const LEFT: readonly unknown[] = STATES.filter((state) => state !== 'ACTC')

const statesMoves = (scenario: Scenario): void => {
  check(PAY.completedPaymentStaysCompleted, scenario, (observed) => {
    for (const records of paymentsIn(observed))
      eachStep(
        records.filter((record) => isTold(record) && isGiven(record.status)),
        (before, { status }) => {
          if (before.status.value === 'ACSC') status.equals('ACSC')
        },
      )
  })
  check(PAY.noPaymentReturnsToValidation, scenario, (observed) => {
    for (const records of paymentsIn(observed))
      eachStep(records.filter(isTold), (before, { status }) =>
        status.satisfies(
          status.value !== 'ACTC' || !LEFT.includes(before.status.value),
          `no ACTC behind ${String(before.status.value)}`,
        ),
      )
  })
}

const statesLawsInOrder = (scenario: Scenario): void => {
  statesFields(scenario)
  statesTimes(scenario)
  statesMoves(scenario)
}

/** @param scenario one that asks one thing after the other. */
export const statesLaws = (scenario: Scenario): void => {
  statesLawsInOrder(scenario)
  statesReasons(scenario, judgeAny)
}

/** @param scenario one that asks several things at the same moment, so that its answers have no order. */
export const statesLawsWithoutOrder = (scenario: Scenario): void => {
  statesFields(scenario)
  statesReasons(scenario, judgeAny)
}

/** @param scenario one that comes to a rejection on its way. */
export const statesLawsOfRejections = (scenario: Scenario): void => {
  statesLawsInOrder(scenario)
  statesReasons(scenario, judgeEach)
}

/** @param scenario one of many alike that come to a rejection, and to nothing else. */
export const statesRejections = (scenario: Scenario): void => {
  statesForms(scenario)
  statesReasons(scenario, judgeEach)
}
