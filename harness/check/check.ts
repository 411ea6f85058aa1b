import type { Acted } from './acted.ts'
import type { Requirement } from './requirement.ts'
import type { Observed } from './observed/observe.ts'

/** A pure function from the record of a scenario to a verdict: it returns, or it throws a violation. */
export type Judge<Record, Value = undefined> = (record: Observed<Record>, value: Value) => void

/** One check: a judge of one requirement over one scenario. */
export interface Check<Scenario extends Acted = Acted> {
  readonly requirement: Requirement
  readonly scenario: Scenario
  readonly judge: Judge<unknown, unknown>
  /** Made where the check is stated: its stack leads to the line. */
  readonly statedAt: Error
}

type OnCheck = (check: Check) => void

let onCheck: OnCheck | undefined

/** From now on, each check that a spec file states goes to this function; to nobody, if it is left out. */
export const collectChecks = (collect?: OnCheck): void => {
  onCheck = collect
}

/**
 * States that the judge decides the requirement from the record of the scenario. Any number of checks may judge one
 * scenario, and any number of scenarios may serve one requirement.
 */
export const check = <Record, Value>(
  requirement: Requirement,
  scenario: Acted<Record, Value>,
  judge: Judge<Record, Value>,
): void => {
  onCheck?.({
    requirement,
    scenario,
    judge: judge as Judge<unknown, unknown>,
    statedAt: new Error('a check is stated here'),
  })
}
