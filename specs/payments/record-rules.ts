import { DateTime } from 'luxon'
import { check, NotReached, type ObservedExchange } from '../../harness/check/index.ts'
import { REASON_CODES, type Scenario } from '../../harness/session/index.ts'
import { PAY } from './requirements.ts'

// -- statusDateTime

/** ISO 8601 in extended or basic form: a date, a time of at least minutes, and Z or an offset. */
const FORM =
  /^(\d{4}-(\d\d-\d\d|\d{3}|W\d\d-\d)T(?!24)\d\d:\d\d(:\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(:\d\d)?)|\d{4}(\d{4}|\d{3}|W\d{3})T(?!24)\d{4}(\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(\d\d)?))$/

/** A leap second, which the library does not know. */
const LEAP_SECOND = /(?<=T\d\d:?\d\d:?)60/

/** The instant in ms since 1970; undefined for what is not such a date-time of the calendar. */
export const instantOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !FORM.test(value)) return undefined
  const instant = DateTime.fromISO(value.replace(LEAP_SECOND, '59'))
  if (!instant.isValid) return undefined
  return instant.toMillis() + (LEAP_SECOND.test(value) ? 1_000 : 0)
}

/** Three digits or more after the seconds. */
const HAS_MILLISECONDS = /T\d\d:?\d\d:?\d\d[.,]\d{3,}/

/** Whether two values state the same time; values without a time are compared as they are. */
export const isSameTime = (one: unknown, other: unknown): boolean =>
  areTimes(one, other) ? instantOf(one) === instantOf(other) : one === other

/** Whether both values are date-times. */
export const areTimes = (one: unknown, other: unknown): boolean =>
  instantOf(one) !== undefined && instantOf(other) !== undefined

/** Payment status records, wherever they stand in an answer. Their place in it is not shown, their fields are. */

export const STATES = ['ACTC', 'ACSP', 'ACSC', 'PDNG', 'RJCT'] as const
/** What only the customer's authorization leads to. */
export const MOVED: readonly unknown[] = ['ACSP', 'ACSC', 'PDNG']

/** Reasons that may hold of a valid order, for now: the day, the hour, the funds, and what the bank keeps to itself. */
export const OF_THE_MOMENT: readonly unknown[] = ['DT01', 'TM01', 'AM04', 'MS03']

type Subject = ReturnType<ObservedExchange['body']['field']>

export class PaymentRecord {
  readonly exchange: ObservedExchange
  readonly #path: string

  /** @param path of the record in the answer, with a dot behind it; empty for the root. */
  constructor(exchange: ObservedExchange, path: string) {
    this.exchange = exchange
    this.#path = path
  }

  get orderId(): Subject {
    return this.#field('orderId')
  }

  get status(): Subject {
    return this.#field('status')
  }

  get reasonCode(): Subject {
    return this.#field('reasonCode')
  }

  get additionalInformation(): Subject {
    return this.#field('additionalInformation')
  }

  get statusDateTime(): Subject {
    return this.#field('statusDateTime')
  }

  /** The JSON type of a field. */
  kind(name: 'orderId' | 'additionalInformation'): Subject {
    return this.exchange.body.kind(this.#path + name)
  }

  #field(name: string): Subject {
    return this.exchange.body.field(this.#path + name)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

interface Place {
  /** Of the object, with a dot behind it; empty for the root. */
  readonly path: string
  readonly members: Readonly<Record<string, unknown>>
}

/** The objects that have an orderId, from the outermost on. */
const placesIn = (json: unknown): readonly Place[] => {
  const places: Place[] = []
  const queue: { readonly value: unknown; readonly path: string }[] = [{ value: json, path: '' }]
  for (const { value, path } of queue) {
    if (!isObject(value)) continue
    if (Object.hasOwn(value, 'orderId')) places.push({ path, members: value })
    for (const [key, inner] of Object.entries(value)) queue.push({ value: inner, path: `${path}${key}.` })
  }
  return places
}

const isName = ({ members: { orderId } }: Place): boolean =>
  typeof orderId === 'string' || typeof orderId === 'number'

/**
 * The record of an answer: the outermost object that has an orderId, and a status where one has both. A refusal may
 * well say of a member by that name what is wrong with it: there an orderId has to be one.
 */
const placeOf = (exchange: ObservedExchange): Place | undefined => {
  const all = placesIn(jsonIn(exchange))
  const places = isSuccess(exchange) ? all : all.filter(isName)
  return places.find(({ members }) => Object.hasOwn(members, 'status')) ?? places[0]
}

const jsonIn = ({ body }: ObservedExchange): unknown => {
  try {
    return JSON.parse(String(body.text.value)) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The record of an answer that is to have one. Its fields throw Inconclusive where the answer is no JSON. */
export const recordIn = (exchange: ObservedExchange): PaymentRecord =>
  new PaymentRecord(exchange, placeOf(exchange)?.path ?? '')

const carriesRecord = (exchange: ObservedExchange): boolean => placeOf(exchange) !== undefined

export const isSuccess = ({ status }: ObservedExchange): boolean => Number(status.value) < 300

/** The record of a status that was answered. @throws NotReached where it was not, which is judged elsewhere. */
export const readIn = (answer: ObservedExchange): PaymentRecord => {
  if (isSuccess(answer)) return recordIn(answer)
  throw new NotReached(`${answer.id} answered no status of the payment`)
}

/** The records of those of the answers that tell a status; a refusal tells none. */
export const toldIn = (answers: readonly ObservedExchange[]): readonly PaymentRecord[] =>
  answers
    .filter(isSuccess)
    .map(recordIn)
    .filter(({ status }) => isGiven(status))

/** What the state of the payment is, as far as the answer says it. */
export const stateIn = (exchange: ObservedExchange): unknown =>
  carriesRecord(exchange) ? recordIn(exchange).status.value : undefined

/** Null and an empty string say nothing. */
export const isGiven = ({ value }: Subject): boolean => value !== undefined && value !== null && value !== ''

const isExchange = (value: object): value is ObservedExchange => 'isRefused' in value && 'sentAt' in value

const exchangesIn = (value: unknown): readonly ObservedExchange[] => {
  if (!isObject(value)) return []
  if (isExchange(value)) return [value]
  return 'isRefused' in value ? [] : Object.values(value).flatMap(exchangesIn)
}

const numberOf = ({ id }: ObservedExchange): number => Number(/\d+$/.exec(id)?.[0])

/** Every answer that a scenario had, in the order in which it asked. */
const answersIn = (observed: unknown): readonly ObservedExchange[] =>
  [...exchangesIn(observed)].sort((one, other) => numberOf(one) - numberOf(other))

/** Every record that a scenario was answered, in the order in which it asked. @throws NotReached where it was none. */
const recordsIn = (observed: unknown): readonly PaymentRecord[] => {
  const records = answersIn(observed).filter(carriesRecord).map(recordIn)
  if (records.length === 0) throw new NotReached('no answer has a payment status record')
  return records
}

/** The records of each payment. */
const paymentsIn = (observed: unknown): readonly (readonly PaymentRecord[])[] => {
  const payments = new Map<unknown, PaymentRecord[]>()
  for (const record of recordsIn(observed)) {
    const { value } = record.orderId
    payments.set(value, [...(payments.get(value) ?? []), record])
  }
  return [...payments.values()]
}

/** Judges each pair of neighbours. */
export const eachStep = (
  records: readonly PaymentRecord[],
  judge: (before: PaymentRecord, after: PaymentRecord) => void,
): void => {
  records.slice(1).forEach((after, at) => {
    const before = records[at]
    if (before !== undefined) judge(before, after)
  })
}

/** Judges that no two of them have one orderId. @throws NotReached where fewer than two orderIds were given. */
export const areDistinct = (initiations: readonly ObservedExchange[]): void => {
  const given = initiations.map((exchange) => recordIn(exchange).orderId).filter(isGiven)
  if (given.length < 2) throw new NotReached('fewer than two payments were initiated')
  const seen = new Set<unknown>()
  for (const orderId of given) {
    orderId.satisfies(!seen.has(orderId.value), 'an orderId that no other payment has')
    seen.add(orderId.value)
  }
}

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

/** What holds of every status that is read of a payment, whatever has become of the payment by then. */

interface Reading {
  /** The orderId that the address names. */
  readonly orderId: string
  readonly answer: ObservedExchange
  /** When an answer had named it last. */
  readonly toldAt: Date
}

const orderIdIn = (answer: ObservedExchange): string | undefined => {
  if (!isSuccess(answer)) return undefined
  const { value } = recordIn(answer).orderId
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const isRead = ({ request }: ObservedExchange): boolean => request.method === 'GET'

/** The statuses that were asked for under an orderId that an answer had given before. */
const readingsIn = (observed: unknown): readonly Reading[] => {
  const told = new Map<string, Date>()
  return answersIn(observed).flatMap((answer) => {
    const segments = new Set(isRead(answer) ? answer.request.url.split(/[/?&=]/) : [])
    const asked = [...told].find(([orderId]) => segments.has(encodeURIComponent(orderId)))
    const named = orderIdIn(answer)
    if (named !== undefined && (asked !== undefined || !isRead(answer))) told.set(named, answer.sentAt)
    return asked === undefined ? [] : [{ orderId: asked[0], answer, toldAt: asked[1] }]
  })
}

/** Judges the readings of which it may be said. @throws NotReached where no payment came about. */
const judgeReadings = (
  observed: unknown,
  isMeant: (reading: Reading) => boolean,
  judge: (reading: Reading) => void,
): void => {
  recordsIn(observed)
  readingsIn(observed).filter(isMeant).forEach(judge)
}

const isReadingTold = ({ answer }: Reading): boolean => isSuccess(answer)

/** @param scenario one that reads the status of its payments. */
export const statesReadings = (scenario: Scenario): void => {
  check(PAY.statusRecordIsThatOfThePayment, scenario, (observed) =>
    judgeReadings(observed, isReadingTold, ({ orderId: asked, answer }) => {
      const { orderId } = recordIn(answer)
      orderId.satisfies(String(orderId.value) === asked, `${asked}, the orderId that was asked for`)
    }),
  )
  check(PAY.statusRecordHasStatusAndDateTime, scenario, (observed) =>
    judgeReadings(observed, isReadingTold, ({ answer }) => {
      const { status, statusDateTime } = recordIn(answer)
      status.satisfies(isGiven(status), 'a status')
      statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
    }),
  )
}

const HOUR_MS = 60 * 60_000
const UNAUTHORIZED = 401

/** For how long a payment is kept is not said: it is judged while it was told of within the hour. Of what a token opens, elsewhere. */
const isFresh = ({ toldAt, answer }: Reading): boolean =>
  answer.sentAt.getTime() - toldAt.getTime() < HOUR_MS && answer.status.value !== UNAUTHORIZED

/** @param scenario one that reads the status of its own payments alone, with the token of their application. */
export const statesReadability = (scenario: Scenario): void => {
  statesReadings(scenario)
  check(PAY.statusIsAnsweredUnderTheOrderId, scenario, (observed) =>
    judgeReadings(observed, isFresh, ({ answer }) => {
      if (!isSuccess(answer)) answer.isAccepted('the payment was told of within the hour')
      answer.status.satisfies(isSuccess(answer), 'a success')
    }),
  )
}
