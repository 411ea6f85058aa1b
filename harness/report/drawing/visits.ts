import { groupBy } from '../../plan/lists.ts'
import type { ModelState, ModelMove } from '../../check/model.ts'
import type { Visits } from '../../check/result.ts'

/** How often a run visited each state and move of a model. */

export interface Tally {
  readonly name: string
  readonly states: readonly (ModelState & { readonly visits: number })[]
  readonly moves: readonly (ModelMove & { readonly visits: number })[]
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** The visits of a state are the moves into it; of the first state, the moves out of it. */
const tallyOne = (all: readonly [Visits, ...Visits[]]): Tally => {
  const { name, states, moves } = all[0].model
  const counted = moves.map((move) => ({
    ...move,
    visits: sum(all.map(({ counts }) => counts[move.id] ?? 0)),
  }))
  const visitsOf = (id: string): number => {
    const into = counted.filter(({ to }) => to === id)
    const meant = into.length > 0 ? into : counted.filter(({ from }) => from === id)
    return sum(meant.map(({ visits }) => visits))
  }
  return { name, states: states.map((state) => ({ ...state, visits: visitsOf(state.id) })), moves: counted }
}

/** Each model once, with the sum of its visits. */
export const tallyVisits = (visits: readonly Visits[]): readonly Tally[] =>
  [...groupBy(visits, ({ model }) => model.name).values()].map(tallyOne)
