import { isSuccess, recordIn } from './records.ts'
import type { Model, ModelMove, ObservedExchange } from '../../harness/check/index.ts'

/** The model of a payment, as data: its states, its moves, and when each of them may be made. */

export type State = 'none' | 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'

/** What moves a payment. `itself`: at any moment, whatever is done. */
export type Cause = 'initiation' | 'submission' | 'customer' | 'time' | 'itself'

/** What a move may depend on. */
export interface Situation {
  /** Whether the order is a valid one, as far as the profile knows. */
  readonly isValid: boolean
  /** Whether its requested execution date lies in the future; close to midnight this is not known. */
  readonly isFuture: 'yes' | 'no' | 'unsure'
  /** Whether the customer has granted it, at some time. */
  readonly isGranted: boolean
}

export interface Move extends ModelMove {
  readonly from: State
  readonly to: State
  readonly by: Cause
  /** The words of the interface that it comes from; for a move that the interface does not name, why it is allowed. */
  readonly source: string
  /** When it may be made; always, if this is left out. */
  readonly guard?: (situation: Situation) => boolean
}

const NOT_SHOWN = 'Moves into ACSC and out of PDNG: not shown.'

/** The rows of the table, in their order. */
const STATED: readonly Omit<Move, 'id' | 'ground'>[] = [
  {
    from: 'none',
    to: 'ACTC',
    by: 'initiation',
    source: '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC |',
    guard: ({ isValid }) => isValid,
  },
  {
    // A valid order may fail as well: a profile cannot guarantee the hour and the funds.
    from: 'none',
    to: 'RJCT',
    by: 'initiation',
    source: '| (none) | initiation, HTTP 201 | business validation fails (for example AC01) | RJCT |',
  },
  {
    from: 'ACTC',
    to: 'ACSP',
    by: 'submission',
    source: '| ACTC | POST /payments/submission | customer authorizes successfully | ACSP | |',
    guard: ({ isGranted, isFuture }) => isGranted && isFuture !== 'yes',
  },
  {
    from: 'ACTC',
    to: 'PDNG',
    by: 'submission',
    source: '| ACTC | POST /payments/submission | requested execution date is in the future | PDNG | |',
    guard: ({ isGranted, isFuture }) => isGranted && isFuture !== 'no',
  },
  {
    from: 'ACTC',
    to: 'RJCT',
    by: 'submission',
    source: '| ACTC | POST /payments/submission | a business validation rule fails | RJCT |',
  },
]

/** Allowed, and recorded. */
const MOVES_NOT_SHOWN: readonly Omit<Move, 'id' | 'ground'>[] = [
  { from: 'ACSP', to: 'ACSC', by: 'itself', source: NOT_SHOWN },
  { from: 'PDNG', to: 'ACSP', by: 'time', source: NOT_SHOWN },
  { from: 'PDNG', to: 'ACSC', by: 'time', source: NOT_SHOWN },
  { from: 'PDNG', to: 'RJCT', by: 'itself', source: NOT_SHOWN },
]

/** The table does not name them. What it says of the other moves does not rule them out, so they are no fault. */
const UNNAMED: readonly Omit<Move, 'id' | 'ground'>[] = [
  {
    from: 'ACTC',
    to: 'RJCT',
    by: 'customer',
    source: 'A bank may reject what its customer denies, or what fails while the customer authorizes it.',
  },
  {
    from: 'ACTC',
    to: 'RJCT',
    by: 'time',
    source: 'A bank may reject a payment that is not authorized for a long time.',
  },
  {
    from: 'ACSP',
    to: 'RJCT',
    by: 'itself',
    source: 'A settlement in process may fail.',
  },
]

const identified = (moves: readonly Omit<Move, 'id' | 'ground'>[], ground: Move['ground']): Move[] =>
  moves.map((move) => ({ ...move, id: `${move.from} → ${move.to} by ${move.by}`, ground }))

export const MOVES: readonly Move[] = [
  ...identified(STATED, 'stated'),
  ...identified(MOVES_NOT_SHOWN, 'not-shown'),
  ...identified(UNNAMED, 'unnamed'),
]

export const PAYMENT: Model = {
  name: 'payment',
  states: [
    { id: 'none', column: 0, row: 1 },
    { id: 'ACTC', label: 'Accepted Technical Validation', column: 1, row: 1 },
    { id: 'ACSP', label: 'Accepted Settlement In Process', column: 2, row: 0 },
    { id: 'PDNG', label: 'Pending', column: 2, row: 1 },
    { id: 'ACSC', label: 'Accepted Settlement Completed', column: 3, row: 0 },
    { id: 'RJCT', label: 'Rejected', column: 3, row: 2 },
  ],
  moves: MOVES.map(({ id, from, to, by, ground }) => ({
    id,
    from,
    to,
    ground,
    by: by === 'itself' ? 'by itself' : by,
  })),
}

/** Where a payment may be, each state with the moves that have led there since it was last seen. */
export type Possible = ReadonlyMap<State, readonly string[]>

const isUnnamed = (path: readonly string[] | undefined): boolean =>
  MOVES.some(({ id, ground }) => id === path?.at(-1) && ground === 'unnamed')

/**
 * Where a payment may be once these causes have had their chance. Where two paths lead to a state, the one that the
 * interface names is taken.
 */
export const spread = (before: Possible, causes: readonly Cause[], situation: Situation): Possible => {
  const possible = new Map(before)
  // A state that is added on the way is visited as well.
  for (const [state, path] of possible) {
    for (const { id, from, to, by, guard, ground } of MOVES) {
      const isMade = from === state && [...causes, 'itself'].includes(by) && (guard?.(situation) ?? true)
      const isNews = !possible.has(to) || (ground === 'stated' && isUnnamed(possible.get(to)))
      if (isMade && isNews) possible.set(to, [...path, id])
    }
  }
  return possible
}

const UNITS = [
  [24 * 60 * 60 * 1000, 'd'],
  [60 * 60 * 1000, 'h'],
  [60 * 1000, 'min'],
  [1000, 's'],
] as const

export const distance = (ms: number): string => {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? UNITS[3]
  return `${Math.round(ms / size)} ${unit}`
}

/** `ACTC, ACSP after 1 s, ACSC after 1 min`: when each status of a payment was first seen. */
export const timelineOf = (answers: readonly ObservedExchange[]): string => {
  const [first] = answers
  const moves: string[] = []
  let known: unknown
  for (const answer of answers.filter(isSuccess)) {
    const { value } = recordIn(answer).status
    if (value === known) continue
    known = value
    const ms = answer.sentAt.getTime() - (first ?? answer).sentAt.getTime()
    moves.push(moves.length === 0 ? String(value) : `${String(value)} after ${distance(ms)}`)
  }
  return moves.join(', ')
}
