import type { NotShown } from './requirement.ts'
import type { Observed } from './observed/observe.ts'
import type { Acted } from './acted.ts'

/** Says in a few words what a record shows of something that the interface does not; nothing where it shows none. */
export type Describe<Record> = (record: Observed<Record>) => string | undefined

/** A detail that is not shown, described from the record of a scenario, or from each record of a property. Never a verdict. */
export interface Note {
  readonly notShown: NotShown
  readonly scenario: Acted
  readonly describe: Describe<unknown>
}

const notes = new Map<Acted, Note[]>()

/** Records for the report what this target does where the interface says "not shown". */
export const note = <Record, Value = never>(
  notShown: NotShown,
  scenario: Acted<Record, Value>,
  describe: Describe<Record>,
): void => {
  const entry: Note = { notShown, scenario, describe: describe as Describe<unknown> }
  notes.set(scenario, [...(notes.get(scenario) ?? []), entry])
}

export const notesOn = (scenario: Acted): readonly Note[] => notes.get(scenario) ?? []
