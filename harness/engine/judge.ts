import { asyncProperty, check as runProperty, stringify } from 'fast-check'
import { countingOn, type Counting } from '../check/model.ts'
import { observe } from '../check/observed/observe.ts'
import { notesOn } from '../check/note.ts'
import {
  countAssertions,
  NOTHING_TO_JUDGE,
  shorten,
  ViolationError,
  type Judgement,
  type Verdict,
  type Violation,
} from '../check/verdict.ts'
import { traceOf } from '../check/time-line/time-line.ts'
import { withFacts } from '../check/facts.ts'
import { UsedExchanges } from '../check/observed/exchange.ts'
import { Inconclusive, NotReached, Waiting } from '../evidence/signals.ts'
import { ProfileMistake } from '../profile/mismatch/mismatch.ts'
import { reasonOf, type JudgedOutcome } from './records/outcome.ts'
import { throughSteps, type Explain, type Finding } from './verdict-steps.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import {
  identityOf,
  type CheckResult,
  type Description,
  type KeptVisits,
  type Observation,
} from '../check/result.ts'
import type { Property, Scenario } from '../session/scenario.ts'
import type { PlannedCheck, Plan } from '../plan/plan.ts'

/** Judges the stored record of a scenario: the verdict of one check. In a run and afterwards, it is the same function. */

/** What was stored of a scenario, while it runs or afterwards. */
export interface JudgedRun {
  /** The id of another scenario that may have ended the tokens of this one while it waited. */
  readonly interferingScenario: string | undefined
  /** Which keys of the profile explain that a check did not pass. */
  readonly explain: Explain
  /** Removes the secrets of the profile from a text. */
  readonly hideKnown: (text: string) => string
  /** Runs the scenario, unless it has run; a property is run once for each value. */
  outcome(value?: unknown): Promise<JudgedOutcome>
  /** All values of a property so far, with their outcomes. */
  outcomes(): Promise<readonly ValueOutcome[]>
}

export interface ValueOutcome {
  readonly value: unknown
  readonly outcome: JudgedOutcome
}

type Recorded = Extract<JudgedOutcome, { readonly record: unknown }>

/** Looks at a record. @param used receives the id of each exchange that is read. */
const look = <Seen>(
  { record, facts }: Recorded,
  see: (record: Parameters<StatedCheck['judge']>[0]) => Seen,
  used = new UsedExchanges(),
): Seen => withFacts(facts, () => see(observe(record, used)))

/** Judges one planned check. Never throws: every error becomes a verdict. */
export const judgeCheck = async (
  planned: PlannedCheck,
  check: StatedCheck,
  run: JudgedRun,
  { seed, runs }: Pick<Plan, 'seed' | 'runs'>,
  explain: Explain = run.explain,
): Promise<CheckResult> => {
  const startedAt = performance.now()
  const used = new UsedExchanges()
  const { scenario } = check
  const judgeRecord: JudgeRecord = (outcome, value) =>
    look(outcome, (record) => countAssertions(() => check.judge(record, value)), used)
  const finding =
    scenario.kind === 'property'
      ? await judgeProperty(check, scenario, run, judgeRecord, { seed, runs })
      : await judgeOnce(check, run, judgeRecord)
  const { interferingScenario } = run
  const { waiver } = planned
  return {
    ...identityOf(planned),
    durationMs: performance.now() - startedAt,
    exchanges: [...used],
    ...shortened(throughSteps(finding, { waiver, used, interferingScenario, explain })),
  }
}

type JudgeRecord = (outcome: Recorded, value: unknown) => Judgement

export const shortened = ({ violation, ...finding }: Finding): Finding =>
  violation === undefined
    ? finding
    : { ...finding, violation: { ...violation, received: shorten(violation.received) } }

const judgeOnce = async (check: StatedCheck, run: JudgedRun, judgeRecord: JudgeRecord): Promise<Finding> => {
  const outcome = await run.outcome()
  if ('stopped' in outcome) return findingOf(outcome.stopped, check)
  if (check.over !== undefined) return { verdict: 'not-reached', because: JUDGED_AT_THE_END }
  return findingFrom(judgeRecord(outcome, undefined), check)
}

/** What a check that judges the whole run says before the run has ended. */
export const JUDGED_AT_THE_END = 'it is judged on all answers of the run, when the run has ended'

/** What follows from what a judge did. */
export const findingFrom = ({ judged, statements, thrown }: Judgement, check: StatedCheck): Finding => {
  const finding =
    thrown === undefined
      ? findingWithoutViolation(judged)
      : withAssertionCount(judged, findingOf(thrown, check))
  return statements.length === 0 ? finding : { ...finding, statements }
}

/** A judge that returns without an assertion had nothing to judge: this is not a pass. */
const findingWithoutViolation = (judged: number): Finding =>
  judged === 0 ? { verdict: 'not-reached', because: NOTHING_TO_JUDGE, judged } : { verdict: 'pass', judged }

/** Without assertions the number is left out: the judge lacked a prerequisite, and another check cannot replace it. */
const withAssertionCount = (judged: number, finding: Finding): Finding =>
  judged === 0 ? finding : { ...finding, judged }

/** Shrinking ends after this many further cases. */
const MOST_SHRINKS = 100

const judgeProperty = async (
  check: StatedCheck,
  property: Property,
  run: JudgedRun,
  judgeRecord: JudgeRecord,
  { seed, runs }: Pick<Plan, 'seed' | 'runs'>,
): Promise<Finding> => {
  let stopped: unknown
  let tried = 0
  let judged = 0
  const predicate = asyncProperty(property.arbitrary, async (value) => {
    tried += 1
    if (stopped !== undefined || tried > runs + MOST_SHRINKS) return
    const outcome = await run.outcome(value)
    if ('stopped' in outcome) return void (stopped = outcome.stopped)
    const judgement = judgeRecord(outcome, value)
    judged += judgement.judged
    if (judgement.thrown instanceof ViolationError) throw judgement.thrown
    stopped = judgement.thrown
  })
  const examples = property.edges?.map((value): [unknown] => [value]) ?? []
  const details = await runProperty(predicate, { seed, numRuns: runs, examples })
  if (details.failed && details.errorInstance instanceof ViolationError) {
    const counterexample = {
      value: run.hideKnown(await describeCounterexample(property, run, details.counterexample?.[0])),
      seed,
      path: details.counterexamplePath ?? '',
    }
    return { ...violationFinding(check, { ...details.errorInstance.violation, counterexample }), judged }
  }
  if (details.failed) return findingOf(details.errorInstance, check)
  return stopped === undefined
    ? findingWithoutViolation(judged)
    : withAssertionCount(judged, findingOf(stopped, check))
}

/**
 * The description by the property; the plain value if the property has none, or it throws. The suite generates values
 * itself: of their secrets, only those of the profile are removed, since a counterexample would be of no use without them.
 */
const describeCounterexample = async (
  property: Property,
  run: JudgedRun,
  value: unknown,
): Promise<string> => {
  const plain = stringify(value)
  if (property.render === undefined) return plain
  const outcome = await run.outcome(value)
  if ('stopped' in outcome) return plain
  return undefinedIfThrown(() => look(outcome, (record) => property.render?.(record, value))) ?? plain
}

const violationFinding = ({ requirement }: StatedCheck, violation: Violation): Finding => ({
  verdict: requirement.level === 'MUST' ? 'fail' : 'warn',
  violation,
})

const findingOf = (thrown: unknown, check: StatedCheck): Finding => {
  if (thrown instanceof ViolationError) return violationFinding(check, thrown.violation)
  return {
    verdict: verdictOf(thrown),
    because: reasonOf(thrown),
    ...(thrown instanceof ProfileMistake && { mismatches: [thrown.mismatch] }),
    ...(thrown instanceof Waiting && { until: thrown.until.toISOString() }),
  }
}

const verdictOf = (thrown: unknown): Verdict => {
  if (thrown instanceof NotReached) return 'not-reached'
  if (thrown instanceof Inconclusive) return 'inconclusive'
  return 'harness-error'
}

/** What the record of a scenario shows, or those of a property, for the reports. A description that throws is left out. */
export const describeScenario = async (
  id: string,
  scenario: Scenario | Property,
  run: JudgedRun,
): Promise<Description> => {
  const [notes, counting, trace] = [notesOn(scenario), countingOn(scenario), traceOf(scenario)]
  const isDescribed = notes.length > 0 || counting !== undefined || trace !== undefined
  const records = isDescribed ? await recordsOf(scenario, run) : []
  const timeLines = records.flatMap(
    ({ outcome }) => undefinedIfThrown(() => trace && look(outcome, trace)) ?? [],
  )
  return {
    observations: observationsIn(records, notes),
    visits: counting === undefined ? [] : [{ scenario: id, ...visitsIn(records, counting) }],
    timeLines: timeLines.map((line) => ({ scenario: id, ...line })),
  }
}

/** Different ones of the same detail, each once. */
const observationsIn = (records: readonly ReadRecord[], notes: ReturnType<typeof notesOn>): Observation[] => {
  const seen = records.flatMap(({ outcome }) =>
    notes.flatMap(({ notShown, describe }) => {
      const value = undefinedIfThrown(() => look(outcome, describe))
      return value === undefined ? [] : [{ notShown: notShown.id, value }]
    }),
  )
  return [...new Map(seen.map((observation) => [JSON.stringify(observation), observation])).values()]
}

/** How often each transition of a scenario's model was seen. */
const visitsIn = (
  records: readonly ReadRecord[],
  { model, count }: Counting,
): Omit<KeptVisits, 'scenario'> => {
  const counts: Record<string, number> = {}
  for (const { outcome, value } of records) {
    const moves = undefinedIfThrown(() => look(outcome, (record) => count(record, value))) ?? []
    for (const move of moves) counts[move] = (counts[move] ?? 0) + 1
  }
  return { model, counts }
}

interface ReadRecord {
  readonly value: unknown
  readonly outcome: Recorded
}

const recordsOf = async (scenario: Scenario | Property, run: JudgedRun): Promise<readonly ReadRecord[]> => {
  const done =
    scenario.kind === 'property' ? await run.outcomes() : [{ value: undefined, outcome: await run.outcome() }]
  return done.flatMap(({ value, outcome }) => ('stopped' in outcome ? [] : [{ value, outcome }]))
}

const undefinedIfThrown = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
