import type { Requirement } from './requirement.ts'
import type { Observed } from './observe.ts'
import type { Property, Scenario } from './scenario.ts'

/** A pure function from the record of a scenario to a verdict: it returns, or it throws a violation. */
export type Judge<Record, Value = undefined> = (record: Observed<Record>, value: Value) => void

/** One check: a judge of one requirement over one scenario. */
export interface Check {
  readonly requirement: Requirement
  readonly scenario: Scenario | Property
  readonly judge: Judge<unknown, unknown>
  /** Where it is written: `specs/tokens/exchange.spec.ts:12`. */
  readonly file: string
}

type Registrar = (check: Check) => void

let registrar: Registrar | undefined

/** Calls `load`, which imports spec files, and gives each check that they state to `onCheck`. */
export const collecting = async (onCheck: Registrar, load: () => Promise<void>): Promise<void> => {
  const outer = registrar
  registrar = onCheck
  try {
    await load()
  } finally {
    registrar = outer
  }
}

/** From now on each stated check goes to this registrar: for a test runner that imports the spec files itself. */
export const setRegistrar = (next: Registrar): void => {
  registrar = next
}

const CALLER = /(specs\/[^\s:)]+?\.spec)\.(?:ts|mjs)(?:\?[^:)]*)?:(\d+):\d+/

/** The stack, traced back to the sources as far as to this depth: each frame costs a look into a map. */
const stackOf = (depth: number): string => {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = depth
  const { stack = '' } = new Error()
  Error.stackTraceLimit = usual
  return stack
}

/** Most checks are stated by a spec file itself, and few by what it calls. */
const DEPTHS = [4, 50]

const callSite = (): string => {
  for (const depth of DEPTHS) {
    const match = CALLER.exec(stackOf(depth))
    if (match !== null) return `${match[1] ?? ''}.ts:${match[2] ?? ''}`
  }
  return 'unknown'
}

interface StateCheck {
  <Record>(requirement: Requirement, scenario: Scenario<Record>, judge: Judge<Record>): void
  <Record, Value>(
    requirement: Requirement,
    scenario: Property<Value, Record>,
    judge: Judge<Record, Value>,
  ): void
}

/**
 * States that the judge decides the requirement from the record of the scenario. Any number of checks may judge one
 * scenario, and any number of scenarios may serve one requirement.
 */
export const check: StateCheck = (
  requirement: Requirement,
  scenario: Scenario | Property,
  judge: unknown,
): void => {
  registrar?.({ requirement, scenario, judge: judge as Judge<unknown, unknown>, file: callSite() })
}
