import type { Undisclosed } from './requirement.ts'
import type { Observed } from './observe.ts'
import type { Property, Scenario } from './scenario.ts'

/** Says in a few words what a record shows of something that the interface does not; nothing where it shows none. */
export type Describe<Record> = (record: Observed<Record>) => string | undefined

/** Something undisclosed, described from the record of a scenario, or from each record of a property. Never a verdict. */
export interface Note {
  readonly undisclosed: Undisclosed
  readonly scenario: Scenario | Property
  readonly describe: Describe<unknown>
}

const notes = new Map<Scenario | Property, Note[]>()

/** Records for the report what this target does where the interface says "not shown". */
export const note = <Record, Value = never>(
  undisclosed: Undisclosed,
  scenario: Scenario<Record> | Property<Value, Record>,
  describe: Describe<Record>,
): void => {
  const noted = scenario as Scenario | Property
  const entry: Note = { undisclosed, scenario: noted, describe: describe as Describe<unknown> }
  notes.set(noted, [...(notes.get(noted) ?? []), entry])
}

export const notesOn = (scenario: Scenario | Property): readonly Note[] => notes.get(scenario) ?? []
