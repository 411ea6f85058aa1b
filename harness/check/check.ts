import type { Acted } from './acted.ts'
import type { SeenOperation } from '../evidence/exchange.ts'
import type { Requirement } from './requirement.ts'
import { Selection } from './selection.ts'
import type { Observed } from './observed/observe.ts'

/** What judges receive of a scenario, of a selection, or of a function that acts in a scenario. */
export type RecordOf<Judged> =
  Judged extends Selection<infer Record>
    ? Record
    : Judged extends Acted<infer Record>
      ? Observed<Record>
      : Judged extends (...args: never) => Promise<infer Record>
        ? Observed<Record>
        : never

/** A pure function from the record of a scenario to a verdict: it returns, or it throws a violation. */
export type Judge<Record, Value = undefined> = (record: Observed<Record>, value: Value) => void

/** One check: a judge of one requirement over one scenario. */
export interface Check<Scenario extends Acted = Acted> {
  readonly requirement: Requirement
  readonly scenario: Scenario
  readonly judge: Judge<unknown, unknown>
  /** What the judge needs of a profile, besides what its scenario needs. */
  readonly needs: readonly string[]
  /** If it judges all exchanges of the run, and not the record of its scenario: their operations. */
  readonly over?: readonly SeenOperation[]
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

interface StateCheck {
  <Record, Value>(
    requirement: Requirement,
    scenario: Acted<Record, Value>,
    judge: Judge<Record, Value>,
    options?: CheckOptions,
  ): void
  <Record>(
    requirement: Requirement,
    selection: Selection<Record>,
    judge: (record: Record) => void,
    options?: CheckOptions,
  ): void
}

interface CheckOptions {
  readonly needs?: readonly string[]
}

const state =
  (isOnly: boolean): StateCheck =>
  <Record>(
    requirement: Requirement,
    judged: Acted | Selection<Record>,
    judge: Judge<never, never> | ((record: Record) => void),
    { needs = [] }: CheckOptions = {},
  ): void => {
    const isPart = judged instanceof Selection
    onCheck?.({
      requirement,
      scenario: isPart ? judged.scenario : judged,
      judge: isPart
        ? (whole) => judged.judge(whole, judge as (record: Record) => void)
        : (judge as Judge<unknown, unknown>),
      needs,
      ...(isPart && judged.over && { over: judged.over }),
      isOnly,
      statedAt: new Error('a check is stated here'),
    })
  }

/**
 * States that the judge decides the requirement from the record of the scenario, or from each part of it that was selected.
 * Any number of checks may judge one scenario, and any number of scenarios may serve one requirement. A judge that needs more of a profile than its scenario
 * lists this in `needs`: without it, the check is held back. `check.only` makes vitest run only this check of the
 * spec file, as `test.only` does.
 */
export const check = Object.assign(state(false), { only: state(true) })
