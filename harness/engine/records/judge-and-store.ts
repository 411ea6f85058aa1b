import { collectingFacts, type Fact } from '../../check/facts.ts'
import { mismatchesExplaining } from '../../profile/mismatch/explain.ts'
import { judgeCheck, observationsOf } from '../judge.ts'
import { hideMismatch } from './outcome.ts'
import { differenceOf, judgeStored, openStoredRun, type StoredRun } from './stored-run.ts'
import type { Redactor } from '../../evidence/redaction.ts'
import type { JournalFile } from '../../evidence/journal.ts'
import type { CheckLine, RecordFile } from '../../evidence/stored/record-file.ts'
import type { CheckResult, Observation } from '../../check/result.ts'
import type { Plan, PlannedCheck } from '../../plan/plan.ts'
import type { StatedCheck } from '../../plan/catalogue.ts'
import type { ProfileMismatch } from '../../profile/mismatch/mismatch.ts'
import type { ScenarioRun } from '../run-scenario.ts'

/**
 * Judges a check in a run, and stores what is needed to judge it again. Each check is judged a second time at once, from
 * what was stored: a check for which this gives another result is marked as one that cannot be judged again.
 */
export interface JudgeAndStore {
  judge(planned: PlannedCheck, check: StatedCheck, run: ScenarioRun): Promise<CheckResult>
  /** What the scenario shows where the interface is silent. */
  observations(planned: PlannedCheck, check: StatedCheck, run: ScenarioRun): Promise<readonly Observation[]>
}

export interface Storage {
  readonly journal: Pick<JournalFile, 'read'>
  readonly records: Pick<RecordFile, 'write'>
}

/** The facts about secrets, with pseudonyms in their place. */
const hideFacts = (facts: readonly Fact[], redactor: Redactor): readonly Fact[] => {
  const hidden = facts.flatMap((fact) => {
    const of = fact.of.map((one) => redactor.value(one))
    if (of.every((one, at) => one === fact.of[at])) return []
    const { name, value } = fact
    const shown = typeof value === 'string' ? redactor.value(value) : value
    return [{ name, of, ...(shown !== undefined && { value: shown }) }]
  })
  return [...new Map(hidden.map((fact) => [JSON.stringify([fact.name, fact.of]), fact])).values()]
}

/** The words of the stored result: it was judged from a record without secrets. */
const wordsOf = (live: CheckResult, stored: CheckResult): CheckResult => {
  const counterexample = live.violation?.counterexample
  return {
    ...stored,
    durationMs: live.durationMs,
    ...(live.mismatches && { mismatches: live.mismatches }),
    ...(stored.violation && {
      violation: { ...stored.violation, ...(counterexample && { counterexample }) },
    }),
  }
}

/** The checks of a scenario are judged one after the other: the records of the last scenarios are kept decoded. */
const MOST_DECODED = 8

export const createJudgeAndStore = (
  plan: Pick<Plan, 'seed' | 'runs'>,
  { journal, records }: Storage,
): JudgeAndStore => {
  const decoded = new Map<string, StoredRun>()
  const storedRunOf = (
    { scenario: id }: PlannedCheck,
    { scenario }: StatedCheck,
    run: ScenarioRun,
  ): StoredRun => {
    const known = decoded.get(id)
    if (known !== undefined) return known
    const opened = openStoredRun(scenario, { lines: run.stored, exchangeOf: (one) => journal.read(one) })
    decoded.set(id, opened)
    const [oldest] = decoded.keys()
    if (decoded.size > MOST_DECODED && oldest !== undefined) decoded.delete(oldest)
    return opened
  }

  return {
    async judge(planned, check, run) {
      const facts: Fact[] = []
      let mismatches: readonly ProfileMismatch[] = []
      const live = await judgeCheck(planned, check, run, plan, {
        facts: collectingFacts(facts),
        explain: (violated, seen) => (mismatches = mismatchesExplaining(violated, seen())),
      })
      const hidden = hideFacts(facts, run.redactor)
      const judgement = {
        ...(hidden.length > 0 && { facts: hidden }),
        ...(mismatches.length > 0 && {
          mismatches: mismatches.map((mismatch) => hideMismatch(mismatch, run.redactor)),
        }),
      }
      const stored = await judgeStored(planned, check, storedRunOf(planned, check, run), { plan, judgement })
      const cannot = typeof stored === 'string' ? stored : differenceOf(live, stored)
      const line: CheckLine = {
        kind: 'check',
        id: planned.id,
        scenario: planned.scenario,
        ...judgement,
        ...(cannot !== undefined && { cannot: { because: run.redactor.sentence(cannot), result: live } }),
        ...((live.until !== undefined || run.isOpen) && { open: true }),
      }
      records.write(line)
      return typeof stored === 'string' || cannot !== undefined ? live : wordsOf(live, stored)
    },

    async observations(planned, check, run) {
      const live = await observationsOf(check.scenario, run)
      const stored = await observationsOf(check.scenario, storedRunOf(planned, check, run).as())
      if (JSON.stringify(live) !== JSON.stringify(stored))
        records.write({ kind: 'notes', scenario: planned.scenario, observations: live })
      return live
    },
  }
}
