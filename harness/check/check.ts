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
  /** What the judge needs of a profile, besides what its scenario needs. */
  readonly needs: readonly string[]
  /** Whether the spec file asks to run only this check, and others like it. */
  readonly isOnly: boolean
  /** Created where the check is stated: its stack leads to the line. */
  readonly statedAt: Error
}

type OnCheck = (check: Check) => void

let onCheck: OnCheck | undefined

/** From now on, each check that a spec file states is given to this function; without one, checks are ignored. */
export const collectChecks = (collect?: OnCheck): void => {
  onCheck = collect
}

const state =
  (isOnly: boolean) =>
  <Record, Value>(
    requirement: Requirement,
    scenario: Acted<Record, Value>,
    judge: Judge<Record, Value>,
    { needs = [] }: { readonly needs?: readonly string[] } = {},
  ): void => {
    onCheck?.({
      requirement,
      scenario,
      judge: judge as Judge<unknown, unknown>,
      needs,
      isOnly,
      statedAt: new Error('a check is stated here'),
    })
  }

/**
 * States that the judge decides the requirement from the record of the scenario. Any number of checks may judge one
 * scenario, and any number of scenarios may serve one requirement. A judge that needs more of a profile than its scenario
 * lists this in `needs`: without it, the check is held back. `check.only` makes vitest run only this check of the
 * spec file, as `test.only` does.
 */
export const check = Object.assign(state(false), { only: state(true) })
