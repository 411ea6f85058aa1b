import {
  held,
  NotReached,
  ViolationError,
  wasNotProcessed,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import { distance, spread, type Cause, type Possible, type Situation, type State } from './model.ts'
import { isGiven, isSuccess, recordIn, stateIn } from './records.ts'
import type { ExecutedPayment } from './submissions.ts'
import type { CustomerDecision, Action, Initiation, Request } from './sequence.ts'

/** Compares a sequence of steps with the model: after each step, the model gives the states that each payment may have. */

type Done = Observed<Action>

/** What the model knows of one payment. */
interface Standing {
  readonly payment: number
  readonly orderId: string | undefined
  readonly isValid: boolean
  readonly date: string | undefined
  isGranted: boolean
  isDenied: boolean
  /** Whether its customer was asked: what comes of that may take a moment. */
  isAsked: boolean
  /** When its state was last read. */
  seenAt: Date
  possible: Possible
}

/** A state that the model does not allow. */
interface Fault {
  readonly payment: number
  readonly exchange: ObservedExchange
  readonly allowed: readonly State[]
  readonly seen: unknown
}

/** A sequence as the model saw it, up to the first state that it does not allow. */
export interface Account {
  readonly lines: readonly string[]
  /** The moves that were made, by their ids. */
  readonly moves: readonly string[]
  /** How often a state was seen. */
  readonly sightings: number
  readonly fault?: Fault
}

interface Walk {
  readonly standings: Standing[]
  readonly lines: string[]
  readonly moves: string[]
  sightings: number
  /** The payment that a submission has to move: the customer has granted it a moment before. */
  due: number | undefined
}

const HOUR_MS = 60 * 60 * 1_000
/** How many hours before and after UTC a day begins in the first and in the last time zone. */
const [EARLIEST, LATEST] = [14, 12]

/** Whether a date is after the current day in every time zone. */
export const isFuture = (date: string | undefined, at: Date): Situation['isFuture'] => {
  if (date === undefined) return 'no'
  const ahead = Date.parse(date) - at.getTime()
  if (ahead > EARLIEST * HOUR_MS) return 'yes'
  return ahead < -LATEST * HOUR_MS ? 'no' : 'unsure'
}

/** A person takes time as well, and so does a bank that limits its requests. */
const SOME_TIME_MS = 60 * 1_000

/** What else may move a payment: time that has passed, and earlier decisions of its customer. */
const others = ({ seenAt, isAsked }: Standing, at: Date): readonly Cause[] => [
  ...(at.getTime() - seenAt.getTime() >= SOME_TIME_MS ? (['time'] as const) : []),
  ...(isAsked ? (['customer'] as const) : []),
]

const letMove = (standing: Standing, causes: readonly Cause[], at: Date): void => {
  const situation = { ...standing, isFuture: isFuture(standing.date, at) }
  standing.possible = spread(standing.possible, [...causes, ...others(standing, at)], situation)
}

/** The payment whose state an answer contains, by its orderId; undefined if it is none of these payments. */
const sightOf = ({ standings }: Walk, exchange: ObservedExchange, payment: number) => {
  if (!isSuccess(exchange) || stateIn(exchange) === undefined) return undefined
  const { orderId, status } = recordIn(exchange)
  if (!isGiven(status)) return undefined
  const isNamed = (standing: Standing): boolean => standing.orderId === String(orderId.value)
  const asked = standings.find((standing) => standing.payment === payment)
  const named = asked !== undefined && isNamed(asked) ? asked : standings.find(isNamed)
  return named && { standing: named, seen: status.value }
}

const see = (walk: Walk, exchange: ObservedExchange, payment: number): Fault | undefined => {
  const sight = sightOf(walk, exchange, payment)
  if (sight === undefined) return undefined
  const { standing, seen } = sight
  letMove(standing, [], exchange.sentAt)
  const path = standing.possible.get(seen as State)
  const allowed = [...standing.possible.keys()]
  if (path === undefined) return { payment: standing.payment, exchange, allowed, seen }
  walk.sightings += 1
  standing.seenAt = exchange.sentAt
  walk.moves.push(...path)
  standing.possible = new Map([[seen as State, []]])
  letMove(standing, [], exchange.sentAt)
  return undefined
}

const without = (possible: Possible, state: State): Possible =>
  new Map([...possible].filter(([each]) => each !== state))

const initiated = (walk: Walk, action: Observed<Initiation>): Fault | undefined => {
  const { payment, orderId, kind, date, exchange } = action
  const standing: Standing = {
    payment,
    orderId,
    date,
    isGranted: false,
    isDenied: false,
    isAsked: false,
    seenAt: exchange.sentAt,
    isValid: kind !== 'invalid',
    possible: new Map([['none', []]]),
  }
  letMove(standing, ['initiation'], exchange.sentAt)
  standing.possible = without(standing.possible, 'none')
  walk.standings.push(standing)
  return see(walk, exchange, payment)
}

/** A bank may record a grant itself and give no code. A submission has to succeed only if it has all that it needs. */
const authorized = (walk: Walk, standing: Standing, action: Observed<CustomerDecision>): undefined => {
  const { redirectResult, isComplete } = action.authorization
  standing.isAsked = true
  if (redirectResult.decision === 'denied') standing.isDenied = true
  else if (redirectResult.accepted || redirectResult.decision === 'granted') standing.isGranted = true
  walk.due = isComplete && !standing.isDenied ? standing.payment : undefined
  letMove(standing, ['customer'], redirectResult.exchange.sentAt)
}

const submitted = (walk: Walk, standing: Standing, { exchange }: Observed<Request>): Fault | undefined => {
  letMove(standing, ['submission'], exchange.sentAt)
  const isDue = walk.due === standing.payment && standing.isGranted && !wasNotProcessed(exchange)
  if (isDue && standing.possible.size > 1) standing.possible = without(standing.possible, 'ACTC')
  return see(walk, exchange, standing.payment)
}

const passed = (walk: Walk): undefined => {
  walk.due = undefined
  for (const standing of walk.standings)
    standing.possible = spread(standing.possible, ['time'], { ...standing, isFuture: 'unsure' })
}

const follow = (walk: Walk, action: Done): Fault | undefined => {
  if (action.does === 'initiate') return initiated(walk, action)
  if (action.does === 'pass') return passed(walk)
  const standing = walk.standings.find(({ payment }) => payment === action.payment)
  if (standing === undefined) return undefined
  if ('authorization' in action) return authorized(walk, standing, action)
  if (action.does === 'submit') return submitted(walk, standing, action)
  return see(walk, action.exchange, action.payment)
}

const WHEN = {
  'at once': 'is initiated, to be executed at once',
  'on a later date': 'is initiated, to be executed on a later date',
  'on a date far ahead': 'is initiated, to be executed on a date far ahead',
  invalid: 'is initiated, with an order that fails business validation',
} as const

const answered = (exchange: ObservedExchange): string =>
  `: ${String(stateIn(exchange) ?? exchange.status.value)}`

const lineOf = (action: Done): string => {
  if (action.does === 'pass') return `time passes: ${distance(action.ms)}`
  const payment = `payment ${action.payment}`
  if (action.does === 'initiate') return `${payment} ${WHEN[action.kind]}${answered(action.exchange)}`
  if ('exchange' in action)
    return action.does === 'submit'
      ? `${payment} is submitted${answered(action.exchange)}`
      : `the status of ${payment} is read${answered(action.exchange)}`
  const { redirectResult, isComplete } = action.authorization
  const isDone = action.does === 'deny' ? redirectResult.decision === 'denied' : isComplete
  return `the customer ${action.does === 'deny' ? 'denies' : 'authorizes'} ${payment}${isDone ? '' : ', without success'}`
}

/** Follows the model through the steps. */
export const accountOf = (actions: readonly Done[]): Account => {
  const walk: Walk = { standings: [], lines: [], moves: [], sightings: 0, due: undefined }
  for (const action of actions) {
    walk.lines.push(`${walk.lines.length + 1}. ${lineOf(action)}`)
    const fault = follow(walk, action)
    if (fault !== undefined) return { ...walk, fault }
  }
  return walk
}

/**
 * The moves of one payment from its initiation to its last answer, by their ids: what the drawing shows of a scenario that
 * is not a sequence.
 * @param later further answers of its status.
 */
export const movesOf = (
  {
    date,
    initiation,
    authorization,
    submission,
    after,
  }: Observed<ExecutedPayment> & { readonly date?: string },
  later: readonly ObservedExchange[] = [],
): readonly string[] =>
  accountOf([
    initiationOf(initiation, date),
    { does: 'authorize', payment: 1, authorization },
    { does: 'submit', payment: 1, exchange: submission },
    ...[after, ...later].map((exchange) => ({ does: 'read' as const, payment: 1, exchange })),
  ]).moves

/** The move that an initiation makes. */
export const firstMoveOf = (initiation: ObservedExchange): readonly string[] =>
  accountOf([initiationOf(initiation)]).moves

const initiationOf = (exchange: ObservedExchange, date?: string): Observed<Initiation> => {
  const { orderId } = recordIn(exchange)
  const kind = date === undefined ? 'at once' : 'on a later date'
  return {
    does: 'initiate',
    payment: 1,
    kind,
    date,
    exchange,
    orderId: isGiven(orderId) ? String(orderId.value) : undefined,
  }
}

const named = (states: readonly State[]): string =>
  states.length < 2 ? states.join('') : `${states.slice(0, -1).join(', ')} or ${states.at(-1) ?? ''}`

/** The sequence as a numbered list, up to the state that the model does not allow. */
export const describeSequence = ({ actions }: { readonly actions: readonly Done[] }): string => {
  const { lines, fault } = accountOf(actions)
  return fault === undefined
    ? lines.join('\n')
    : `${lines.join('\n')}, where the model allows ${named(fault.allowed)}`
}

/** Judges that every state that was seen is one that the model allows. @throws NotReached if none was seen. */
export const keepsToTheModel = ({ actions }: { readonly actions: readonly Done[] }): void => {
  const { fault, lines, sightings } = accountOf(actions)
  if (fault !== undefined)
    throw new ViolationError({
      subject: `status of payment ${fault.payment}`,
      expected: `${named(fault.allowed)} in step ${lines.length} of the sequence`,
      received: JSON.stringify(fault.seen),
      exchange: fault.exchange.id,
    })
  if (sightings === 0 && lines.length > 0) throw new NotReached('the state of no payment was seen')
  if (sightings > 0) held()
}
