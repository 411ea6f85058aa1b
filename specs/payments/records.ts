import { isObjectOrList, jsonIn } from '../../harness/evidence/json.ts'
import { Inconclusive, NotReached, type ObservedExchange } from '../../harness/check/index.ts'

/** Payment status records, wherever they stand in an answer. Their place in it is not shown, their fields are. */

export const STATES = ['ACTC', 'ACSP', 'ACSC', 'PDNG', 'RJCT'] as const
/** The states to which only the customer's authorization leads. */
export const MOVED: readonly unknown[] = ['ACSP', 'ACSC', 'PDNG']

/** Reasons that a valid order may have for a time: the day, the hour, the funds, and a reason that is not specified. */
const OF_THE_MOMENT: readonly unknown[] = ['DT01', 'TM01', 'AM04', 'MS03']

type Subject = ReturnType<ObservedExchange['body']['field']>

export type Field = 'orderId' | 'status' | 'reasonCode' | 'additionalInformation' | 'statusDateTime'

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
  kind(name: Field): Subject {
    return this.exchange.body.kind(this.#path + name)
  }

  has(name: Field): boolean {
    return isGiven(this.#field(name))
  }

  /** Judges that these fields are given. */
  carries(...names: readonly Field[]): void {
    for (const name of names) this.#field(name).satisfies(this.has(name), `a value of ${name}`)
  }

  /** Judges that these fields are not given. */
  lacks(...names: readonly Field[]): void {
    for (const name of names) this.#field(name).satisfies(!this.has(name), 'nothing')
  }

  #field(name: Field): Subject {
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
const findPlace = (exchange: ObservedExchange): Place | undefined => {
  const all = placesIn(jsonIn(String(exchange.body.text.value)))
  const places = isSuccess(exchange) ? all : all.filter(isIdentifier)
  return places.find(({ members }) => Object.hasOwn(members, 'status')) ?? places[0]
}

/** Many checks look at one answer. */
const places = new WeakMap<ObservedExchange, { readonly place: Place | undefined }>()

const placeOf = (exchange: ObservedExchange): Place | undefined => {
  const found = places.get(exchange) ?? { place: findPlace(exchange) }
  places.set(exchange, found)
  exchange.use()
  return found.place
}

/** The record of an answer that should have one. Its fields throw Inconclusive if the answer is not JSON. */
export const recordIn = (exchange: ObservedExchange): PaymentRecord =>
  new PaymentRecord(exchange, placeOf(exchange)?.path ?? '')

export const carriesRecord = (exchange: ObservedExchange): boolean => placeOf(exchange) !== undefined

export const isSuccess = ({ status }: Pick<ObservedExchange, 'status'>): boolean => Number(status.value) < 300

/** The record of a status that was answered. @throws NotReached if it was not. */
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

/** Whether a payment is rejected according to this answer. */
export const isRejected = (exchange: ObservedExchange): boolean => recordIn(exchange).status.value === 'RJCT'

/** Whether a payment was accepted by this initiation. */
export const isInValidation = (exchange: ObservedExchange): boolean => stateIn(exchange) === 'ACTC'

/** @throws Inconclusive if the payment was rejected with a reason that a valid order may have for a time. */
export const failsOnlyForATime = ({ exchange, status, reasonCode }: PaymentRecord): void => {
  if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
    throw new Inconclusive(
      `${exchange.id} says RJCT with ${String(reasonCode.value)}, which a valid order may have for a time`,
    )
}

/** The state of the payment in an answer, if it contains one. */
export const stateIn = (exchange: ObservedExchange): unknown =>
  carriesRecord(exchange) ? recordIn(exchange).status.value : undefined

/** Null and a string without a character that can be seen are no value. */
export const isGiven = ({ value }: Subject): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')

const isExchange = (value: object): value is ObservedExchange => 'isRefused' in value && 'sentAt' in value

const exchangesIn = (value: unknown): readonly ObservedExchange[] => {
  if (!isObjectOrList(value)) return []
  if (isExchange(value)) return [value]
  return 'isRefused' in value ? [] : Object.values(value).flatMap(exchangesIn)
}

const numberOf = ({ id }: ObservedExchange): number => Number(/\d+$/.exec(id)?.[0])

/** Every answer of a scenario, or of all, in the order of the requests. */
export const answersIn = (observed: unknown): readonly ObservedExchange[] =>
  [...exchangesIn(observed)].sort(
    (one, other) => one.sentAt.getTime() - other.sentAt.getTime() || numberOf(one) - numberOf(other),
  )

/** Every record in the answers of a scenario, in the order of the requests. */
export const recordsIn = (observed: unknown): readonly PaymentRecord[] =>
  answersIn(observed).filter(carriesRecord).map(recordIn)

/** The records of each payment. */
export const paymentsIn = (observed: unknown): readonly (readonly PaymentRecord[])[] => {
  const payments = new Map<unknown, PaymentRecord[]>()
  for (const record of recordsIn(observed)) {
    const { value } = record.orderId
    payments.set(value, [...(payments.get(value) ?? []), record])
  }
  return [...payments.values()]
}

export type Step = readonly [before: PaymentRecord, after: PaymentRecord]

/** Two records of one payment, one after the other. */
export const stepsOf = (records: readonly PaymentRecord[]): readonly Step[] => {
  const inOrder = records.filter(({ exchange }) => !exchange.isConcurrent)
  return inOrder.slice(1).flatMap((after, at): readonly Step[] => {
    const before = inOrder[at]
    return before === undefined ? [] : [[before, after]]
  })
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
