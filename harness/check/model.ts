import type { Observed } from './observed/observe.ts'
import type { Acted } from './acted.ts'

/** A thing with states and the moves between them, as data: the report draws it, with how often a run was where. */
export interface Model {
  /** What its files are named after: `payment`. */
  readonly name: string
  readonly states: readonly ModelState[]
  readonly moves: readonly ModelMove[]
}

export interface ModelState {
  readonly id: string
  /** What stands below its id; nothing for a state that says all with its id. */
  readonly label?: string
  /** Where it is drawn: columns from the left and rows from the top, from 0. */
  readonly column: number
  readonly row: number
}

/** Where a move is known from. */
export const GROUNDS = {
  stated: 'the interface names it',
  'not-shown': 'the interface says that it is not shown',
  unnamed: 'the interface does not name it, and does not rule it out',
} as const

export type Ground = keyof typeof GROUNDS

export interface ModelMove {
  /** Unlike those of the other moves. */
  readonly id: string
  readonly from: string
  readonly to: string
  /** What moves it, in a word or two. */
  readonly by: string
  readonly ground: Ground
}

/** The moves that a record shows, by their ids, as often as it shows them. */
export type CountMoves<Record, Value> = (record: Observed<Record>, value: Value) => readonly string[]

export interface Counting {
  readonly model: Model
  readonly count: CountMoves<unknown, unknown>
}

const countings = new Map<Acted, Counting>()

/** Has the report draw the model, with how often this scenario or property made each of its moves. */
export const draws = <Record, Value>(
  model: Model,
  acted: Acted<Record, Value>,
  count: CountMoves<Record, Value>,
): void => {
  countings.set(acted, { model, count: count as CountMoves<unknown, unknown> })
}

export const countingOn = (scenario: Acted): Counting | undefined => countings.get(scenario)
