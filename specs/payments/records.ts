import { NotReached } from '../../harness/check/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'

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
export const answersIn = (observed: unknown): readonly ObservedExchange[] =>
  [...exchangesIn(observed)].sort((one, other) => numberOf(one) - numberOf(other))

/** Every record that a scenario was answered, in the order in which it asked. @throws NotReached where it was none. */
export const recordsIn = (observed: unknown): readonly PaymentRecord[] => {
  const records = answersIn(observed).filter(carriesRecord).map(recordIn)
  if (records.length === 0) throw new NotReached('no answer has a payment status record')
  return records
}

/** The records of each payment. */
export const paymentsIn = (observed: unknown): readonly (readonly PaymentRecord[])[] => {
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
