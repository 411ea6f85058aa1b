import type { Undisclosed } from './requirement.ts'
import type { Observed } from './observed/observe.ts'
import type { Acted } from './acted.ts'

/** Says in a few words what a record shows of something that the interface does not; nothing where it shows none. */
export type Describe<Record> = (record: Observed<Record>) => string | undefined

/** Something undisclosed, described from the record of a scenario, or from each record of a property. Never a verdict. */
export interface Note {
  readonly undisclosed: Undisclosed
  readonly scenario: Acted
  readonly describe: Describe<unknown>
}

const notes = new Map<Acted, Note[]>()

/** Records for the report what this target does where the interface says "not shown". */
export const note = <Record, Value = never>(
  undisclosed: Undisclosed,
  scenario: Acted<Record, Value>,
  describe: Describe<Record>,
): void => {
  const entry: Note = { undisclosed, scenario, describe: describe as Describe<unknown> }
  notes.set(scenario, [...(notes.get(scenario) ?? []), entry])
}

export const notesOn = (scenario: Acted): readonly Note[] => notes.get(scenario) ?? []
