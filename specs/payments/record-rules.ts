import { DateTime } from 'luxon'
import { check, NotReached, wasNotProcessed, type ObservedExchange } from '../../harness/check/index.ts'
import { REASON_CODES, type Scenario } from '../../harness/session/index.ts'
import { PAY } from './requirements.ts'
import { isObjectOrList } from '../../harness/evidence/json.ts'

// -- statusDateTime

/** ISO 8601 in extended or basic form: a date, a time of at least minutes, and Z or an offset. */
const FORM =
  /^(\d{4}-(\d\d-\d\d|\d{3}|W\d\d-\d)T(?!24)\d\d:\d\d(:\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(:\d\d)?)|\d{4}(\d{4}|\d{3}|W\d{3})T(?!24)\d{4}(\d\d([.,]\d{1,30})?)?(Z|[+-]([01]\d|2[0-3])(\d\d)?))$/

/** A leap second, which the library does not support. */
const LEAP_SECOND = /(?<=T\d\d:?\d\d:?)60/

/** The instant in ms since 1970; undefined if the value is not such a date-time of the calendar. */
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
/** The states to which only the customer's authorization leads. */
export const MOVED: readonly unknown[] = ['ACSP', 'ACSC', 'PDNG']

/** Reasons that a valid order may have for a time: the day, the hour, the funds, and a reason that is not specified. */
export const OF_THE_MOMENT: readonly unknown[] = ['DT01', 'TM01', 'AM04', 'MS03']

type Subject = ReturnType<ObservedExchange['body']['field']>

export class PaymentRecord {
  readonly exchange: ObservedExchange
  readonly #path: string

  /** @param path of the record in the answer, followed by a dot; empty for the root. */
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

interface Place {
  /** Of the object, followed by a dot; empty for the root. */
  readonly path: string
  readonly members: Readonly<Record<string, unknown>>
}

/** The objects that have an orderId, from the outermost on. */
const placesIn = (json: unknown): readonly Place[] => {
  const places: Place[] = []
  const queue: { readonly value: unknown; readonly path: string }[] = [{ value: json, path: '' }]
  for (const { value, path } of queue) {
    if (!isObjectOrList(value)) continue
    if (Object.hasOwn(value, 'orderId')) places.push({ path, members: value })
    for (const [key, inner] of Object.entries(value)) queue.push({ value: inner, path: `${path}${key}.` })
  }
  return places
}

const isIdentifier = ({ members: { orderId } }: Place): boolean =>
  typeof orderId === 'string' || typeof orderId === 'number'

/**
 * The record of an answer: the outermost object that has an orderId, or better, an orderId and a status. In a refusal
 * `orderId` may contain what is wrong with it: there only a string or a number is an orderId.
 */
const placeOf = (exchange: ObservedExchange): Place | undefined => {
  const all = placesIn(jsonIn(exchange))
  const places = isSuccess(exchange) ? all : all.filter(isIdentifier)
  return places.find(({ members }) => Object.hasOwn(members, 'status')) ?? places[0]
}

const jsonIn = ({ body }: ObservedExchange): unknown => {
  try {
    return JSON.parse(String(body.text.value))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The record of an answer that should have one. Its fields throw Inconclusive if the answer is not JSON. */
export const recordIn = (exchange: ObservedExchange): PaymentRecord =>
  new PaymentRecord(exchange, placeOf(exchange)?.path ?? '')

const carriesRecord = (exchange: ObservedExchange): boolean => placeOf(exchange) !== undefined

export const isSuccess = ({ status }: Pick<ObservedExchange, 'status'>): boolean => Number(status.value) < 300

/** The record of a status that was answered. @throws NotReached if it was not, which is judged elsewhere. */
export const readIn = (answer: ObservedExchange): PaymentRecord => {
  if (isSuccess(answer)) return recordIn(answer)
  throw new NotReached(`${answer.id} answered no status of the payment`)
}

/** The records with a status in those of the answers that are successes. */
export const statusesIn = (answers: readonly ObservedExchange[]): readonly PaymentRecord[] =>
  answers
    .filter(isSuccess)
    .map(recordIn)
    .filter(({ status }) => isGiven(status))

/** The state of the payment in an answer, if it contains one. */
export const stateIn = (exchange: ObservedExchange): unknown =>
  carriesRecord(exchange) ? recordIn(exchange).status.value : undefined

/** Null and an empty string are no value. */
export const isGiven = ({ value }: Subject): boolean => value !== undefined && value !== null && value !== ''

const isExchange = (value: object): value is ObservedExchange => 'isRefused' in value && 'sentAt' in value

const exchangesIn = (value: unknown): readonly ObservedExchange[] => {
  if (!isObjectOrList(value)) return []
  if (isExchange(value)) return [value]
  return 'isRefused' in value ? [] : Object.values(value).flatMap(exchangesIn)
}

const numberOf = ({ id }: ObservedExchange): number => Number(/\d+$/.exec(id)?.[0])

/** Every answer of a scenario, in the order of the requests. */
const answersIn = (observed: unknown): readonly ObservedExchange[] =>
  [...exchangesIn(observed)].sort((one, other) => numberOf(one) - numberOf(other))

/** Every record in the answers of a scenario, in the order of the requests. @throws NotReached if there is none. */
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

type Step = readonly [before: PaymentRecord, after: PaymentRecord]

const stepsOf = (records: readonly PaymentRecord[]): readonly Step[] =>
  records.slice(1).flatMap((after, at): readonly Step[] => {
    const before = records[at]
    return before === undefined ? [] : [[before, after]]
  })

/** Judges each pair of consecutive records. */
export const eachStep = (
  records: readonly PaymentRecord[],
  judge: (before: PaymentRecord, after: PaymentRecord) => void,
): void => {
  for (const [before, after] of stepsOf(records)) judge(before, after)
}

/** Judges that no two of them have one orderId. @throws NotReached if fewer than two orderIds were given. */
export const areDistinct = (initiations: readonly ObservedExchange[]): void => {
  const given = initiations.map((exchange) => recordIn(exchange).orderId).filter(isGiven)
  if (given.length < 2) throw new NotReached('fewer than two payments were initiated')
  const seen = new Set<unknown>()
  for (const orderId of given) {
    orderId.satisfies(!seen.has(orderId.value), 'an orderId that no other payment has')
    seen.add(orderId.value)
  }
}

/** Judges each of them. @throws NotReached if there is none. */
const judgeEach = <Item>(items: readonly Item[], missing: string, judge: (item: Item) => void): void => {
  if (items.length === 0) throw new NotReached(missing)
  items.forEach(judge)
}

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
      // Whether it is a string is judged by PAY-40.
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
  // Moves into ACSC are undisclosed: a payment that does not get there is judged by every step that it makes.
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
      const isLawful = state === undefined || state === null || STATES.some((one) => one === state)
      const subject = carriesRecord(answer) ? recordIn(answer).status : answer.body.text
      subject.satisfies(isLawful, 'no payment, or one whose status is one of ISO 20022')
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

/** What holds of every status that is read of a payment, in whatever state the payment is by then. */

interface Reading {
  /** The orderId in the address. */
  readonly orderId: string
  readonly answer: ObservedExchange
  /** When an answer contained it last. */
  readonly seenAt: Date
}

const orderIdIn = (answer: ObservedExchange): string | undefined => {
  if (!isSuccess(answer)) return undefined
  const { value } = recordIn(answer).orderId
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const isRead = ({ request }: ObservedExchange): boolean => request.method === 'GET'

/** The status requests with an orderId that an earlier answer contained. */
const readingsIn = (observed: unknown): readonly Reading[] => {
  const seen = new Map<string, Date>()
  return answersIn(observed).flatMap((answer) => {
    const segments = new Set(isRead(answer) ? answer.request.url.split(/[/?&=]/) : [])
    const asked = [...seen].find(([orderId]) => segments.has(encodeURIComponent(orderId)))
    const contained = orderIdIn(answer)
    if (contained !== undefined && (asked !== undefined || !isRead(answer)))
      seen.set(contained, answer.sentAt)
    return asked === undefined ? [] : [{ orderId: asked[0], answer, seenAt: asked[1] }]
  })
}

const isAnsweredReading = ({ answer }: Reading): boolean => isSuccess(answer)

const UNREAD = 'no status of a payment was answered'

/** @param scenario one that reads the status of its payments. */
export const checkReadings = (scenario: Scenario): void => {
  check(PAY.statusRecordIsThatOfThePayment, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isAnsweredReading), UNREAD, ({ orderId: asked, answer }) => {
      const { orderId } = recordIn(answer)
      orderId.satisfies(String(orderId.value) === asked, `${asked}, the orderId that was asked for`)
    }),
  )
  check(PAY.statusRecordHasStatusAndDateTime, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isAnsweredReading), UNREAD, ({ answer }) => {
      const { status, statusDateTime } = recordIn(answer)
      status.satisfies(isGiven(status), 'a status')
      statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
    }),
  )
}

const HOUR_MS = 60 * 60_000
const UNAUTHORIZED = 401

/** How long a payment is kept is not shown: only readings within an hour are judged. What a token opens is judged elsewhere. */
const isRecent = ({ seenAt, answer }: Reading): boolean =>
  answer.sentAt.getTime() - seenAt.getTime() < HOUR_MS && answer.status.value !== UNAUTHORIZED

/** @param scenario one that reads the status of only its own payments, with the token of their application. */
export const checkReadability = (scenario: Scenario): void => {
  checkReadings(scenario)
  check(PAY.statusIsAnsweredUnderTheOrderId, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isRecent), 'no status of a payment was asked for', ({ answer }) => {
      if (!isSuccess(answer)) answer.isAccepted('its orderId was answered within the hour')
      answer.status.satisfies(isSuccess(answer), 'a success')
    }),
  )
}
