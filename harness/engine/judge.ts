import { asyncProperty, check as runProperty, stringify } from 'fast-check'
import { countingOn } from '../check/model.ts'
import { observe } from '../check/observed/observe.ts'
import { notesOn } from '../check/note.ts'
import {
  countAssertions,
  NOTHING_TO_JUDGE,
  renderViolation,
  shorten,
  ViolationError,
  type Judgement,
  type Verdict,
  type Violation,
} from '../check/verdict.ts'
import { traceOf } from '../check/time-line/time-line.ts'
import { describeAnswer } from '../evidence/record/answer-kind.ts'
import { Inconclusive, NotReached, Waiting } from '../evidence/signals.ts'
import { ProfileMistake, renderMismatch } from '../profile/mismatch/mismatch.ts'
import { mismatchesExplaining } from '../profile/mismatch/explain.ts'
import { hideMismatch, reasonOf } from './records/outcome.ts'
import { withFacts, type FactSource } from '../check/facts.ts'
import type { ProfileMismatch, RunExchanges } from '../profile/mismatch/mismatch.ts'
import type { Violated } from '../profile/mismatch/explain.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import { UsedExchanges } from '../check/observed/exchange.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Property, Scenario } from '../session/scenario.ts'
import type { PlannedCheck, Plan } from '../plan/plan.ts'
import type { ScenarioRun } from './run-scenario.ts'

/** Judges the record of a scenario: the verdict of one check. */

type Finding = Pick<
  CheckResult,
  'verdict' | 'because' | 'violation' | 'until' | 'mismatches' | 'judged' | 'statements'
>

/** A scenario that was run, or the stored form of it. */
export type JudgedRun = Omit<ScenarioRun, 'isOpen' | 'stored'>

/** What a verdict depends on besides the record. */
export interface JudgingOptions {
  /** Where facts about secrets come from; by default they are measured. */
  readonly facts?: FactSource
  /** Which keys of the profile explain that a check did not pass. */
  readonly explain?: (violated: Violated | undefined, seen: () => RunExchanges) => readonly ProfileMismatch[]
}

const explainFromExchanges: NonNullable<JudgingOptions['explain']> = (violated, seen) =>
  mismatchesExplaining(violated, seen())

/** Judges one planned check. Never throws: every error becomes a verdict. */
export const judgeCheck = async (
  planned: PlannedCheck,
  check: StatedCheck,
  run: JudgedRun,
  { seed, runs }: Pick<Plan, 'seed' | 'runs'>,
  { facts, explain = explainFromExchanges }: JudgingOptions = {},
): Promise<CheckResult> => {
  const startedAt = performance.now()
  const used = new UsedExchanges()
  const { scenario } = check
  const judgeRecord = (record: unknown, value: unknown): Judgement => {
    const judge = (): Judgement => countAssertions(() => check.judge(observe(record, used), value))
    return facts === undefined ? judge() : withFacts(facts, judge)
  }
  const finding =
    scenario.kind === 'property'
      ? await judgeProperty(check, scenario, run, judgeRecord, { seed, runs })
      : await judgeOnce(check, run, judgeRecord)
  const finalFinding = explainedByProfile(
    withoutIntermediary(withoutInterference(finding, run), used),
    (violation) => explain(violation && violatedBy(violation, used), () => run.seen()),
  )
  return {
    id: planned.id,
    requirement: planned.requirement,
    title: planned.title,
    durationMs: performance.now() - startedAt,
    exchanges: [...used],
    ...redactFinding(applyWaiver(requireExchange(finalFinding, used), planned), run),
  }
}

type JudgeRecord = (record: unknown, value: unknown) => Judgement

const judgeOnce = async (check: StatedCheck, run: JudgedRun, judgeRecord: JudgeRecord): Promise<Finding> => {
  const outcome = await run.outcome()
  if ('stopped' in outcome) return findingOf(outcome.stopped, check)
  const { judged, statements, thrown } = judgeRecord(outcome.record, undefined)
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
    const judgement = judgeRecord(outcome.record, value)
    judged += judgement.judged
    if (judgement.thrown instanceof ViolationError) throw judgement.thrown
    stopped = judgement.thrown
  })
  const details = await runProperty(predicate, { seed, numRuns: runs })
  if (details.failed && details.errorInstance instanceof ViolationError) {
    const counterexample = {
      value: await describeCounterexample(property, run, details.counterexample?.[0]),
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

/** The description by the property; the plain value if the property has none, or it throws. */
const describeCounterexample = async (
  property: Property,
  run: JudgedRun,
  value: unknown,
): Promise<string> => {
  const plain = stringify(value)
  if (property.render === undefined) return plain
  const outcome = await run.outcome(value)
  if ('stopped' in outcome) return plain
  return (
    undefinedIfThrown(() => property.render?.(observe(outcome.record, new UsedExchanges()), value)) ?? plain
  )
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

/** A bank may end earlier grants: a violation after another grant is not attributed to it. */
const withoutInterference = (finding: Finding, { interferingScenario }: JudgedRun): Finding =>
  finding.violation === undefined || interferingScenario === undefined
    ? finding
    : {
        verdict: 'inconclusive',
        because: `${renderViolation(finding.violation)}; but while the scenario waited, ${interferingScenario} had a customer grant to the same application, which may end earlier grants: run only this one (--only)`,
      }

/**
 * What an intermediary answered is not a violation of the bank. It is enough that the judge has read such an answer: what
 * follows from it, such as a payment that was not submitted, is not the bank's either.
 */
const withoutIntermediary = (finding: Finding, used: UsedExchanges): Finding => {
  const { violation } = finding
  const doubtful = used.doubtAbout(violation?.exchange)
  if (violation === undefined || doubtful === undefined) return finding
  return {
    ...(finding.judged !== undefined && { judged: finding.judged }),
    verdict: 'inconclusive',
    because: `${renderViolation(violation)}; but ${doubtful.id} was answered with ${describeAnswer(doubtful)}, which an intermediary may have given`,
  }
}

const PROFILE_MAY_EXPLAIN: readonly Verdict[] = ['fail', 'warn', 'not-reached', 'inconclusive']

const violatedBy = ({ exchange }: Violation, used: UsedExchanges): Violated => ({
  exchange,
  isDisclosure: used.isDisclosure(exchange),
})

/** A wrong name in the profile is not a violation of the target. */
const explainedByProfile = (
  finding: Finding,
  explain: (violation: Violation | undefined) => readonly ProfileMismatch[],
): Finding =>
  !PROFILE_MAY_EXPLAIN.includes(finding.verdict) || finding.until !== undefined
    ? finding
    : addMismatches(finding, explain(finding.violation))

/** Adds the keys of the profile that may be wrong. A violation that they explain becomes `not-reached`. */
export const withMismatches = (finding: Finding, seen: RunExchanges): Finding =>
  addMismatches(finding, mismatchesExplaining(finding.violation, seen))

const addMismatches = (finding: Finding, mismatches: readonly ProfileMismatch[]): Finding => {
  if (mismatches.length === 0) return finding
  const sentences = mismatches.map(renderMismatch).join('; ')
  const { violation, verdict, because, ...rest } = finding
  if (violation !== undefined) return { ...rest, verdict: 'not-reached', because: sentences, mismatches }
  return { ...rest, verdict, because: [sentences, because ?? ''].filter(Boolean).join('; so '), mismatches }
}

/** The violation remains visible in the result. */
const applyWaiver = (finding: Finding, { waiver }: PlannedCheck): Finding =>
  waiver !== undefined && (finding.verdict === 'fail' || finding.verdict === 'warn')
    ? { ...finding, verdict: 'waived', because: waiver }
    : finding

/** A pass needs at least one exchange. */
const requireExchange = (finding: Finding, used: UsedExchanges): Finding =>
  finding.verdict === 'pass' && used.size === 0
    ? { verdict: 'harness-error', because: 'the judge read no exchange, so that its pass proves nothing' }
    : finding

/**
 * The suite generates counterexamples itself. Without their codes and verifiers they would be of no use, so that only
 * the secrets of the profile are removed from them.
 */
const redactFinding = (finding: Finding, { redactor, known }: JudgedRun): Finding => ({
  ...finding,
  ...(finding.because !== undefined && { because: redactor.sentence(finding.because) }),
  ...(finding.mismatches && {
    mismatches: finding.mismatches.map((mismatch) => hideMismatch(mismatch, redactor)),
  }),
  ...(finding.violation && {
    violation: {
      ...finding.violation,
      expected: redactor.sentence(finding.violation.expected),
      received: shorten(redactor.text(finding.violation.received)),
      ...(finding.violation.counterexample && {
        counterexample: {
          ...finding.violation.counterexample,
          value: known.text(finding.violation.counterexample.value),
        },
      }),
    },
  }),
})

/** What was observed about undisclosed details. A description that throws is left out. */
export const observationsOf = async (
  scenario: Scenario | Property,
  run: JudgedRun,
): Promise<Observation[]> => {
  const notes = notesOn(scenario)
  const records = notes.length === 0 ? [] : await recordsOf(scenario, run)
  const seen = records.flatMap(({ record }) =>
    notes.flatMap(({ undisclosed, describe }) => {
      const value = undefinedIfThrown(() => describe(observe(record, new UsedExchanges())))
      return value === undefined ? [] : [{ undisclosed: undisclosed.id, value: run.redactor.text(value) }]
    }),
  )
  return [...new Map(seen.map((observation) => [JSON.stringify(observation), observation])).values()]
}

/** How often each transition of a scenario's model was seen. */
export const visitsOf = async (
  { scenario: id }: Pick<PlannedCheck, 'scenario'>,
  scenario: Scenario | Property,
  run: JudgedRun,
): Promise<readonly KeptVisits[]> => {
  const counting = countingOn(scenario)
  if (counting === undefined) return []
  const counts: Record<string, number> = {}
  for (const { record, value } of await recordsOf(scenario, run))
    for (const move of undefinedIfThrown(() => counting.count(observe(record, new UsedExchanges()), value)) ??
      [])
      counts[move] = (counts[move] ?? 0) + 1
  return [{ scenario: id, model: counting.model, counts }]
}

/** The time lines of a scenario, for the reports. */
export const timeLinesOf = async (
  { scenario: id }: Pick<PlannedCheck, 'scenario'>,
  scenario: Scenario | Property,
  run: JudgedRun,
): Promise<readonly KeptTimeLine[]> => {
  const trace = traceOf(scenario)
  const records = trace === undefined ? [] : await recordsOf(scenario, run)
  return records.flatMap(({ record }) => {
    const line = undefinedIfThrown(() => trace?.(observe(record, new UsedExchanges())))
    return line === undefined ? [] : [{ scenario: id, ...line }]
  })
}

const recordsOf = async (scenario: Scenario | Property, run: JudgedRun) => {
  const done =
    scenario.kind === 'property' ? await run.outcomes() : [{ value: undefined, outcome: await run.outcome() }]
  return done.flatMap(({ value, outcome }) =>
    'stopped' in outcome ? [] : [{ value, record: outcome.record }],
  )
}

const undefinedIfThrown = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
