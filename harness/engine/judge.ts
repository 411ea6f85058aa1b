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
  type Verdict,
  type Violation,
} from '../check/verdict.ts'
import { traceOf } from '../check/time-line/time-line.ts'
import { HeldBack, Inconclusive, NotReached, Waiting } from '../evidence/signals.ts'
import { ProfileMistake, renderMisfit } from '../profile/binding/misfit.ts'
import { misfitsBehind } from '../profile/binding/misfits.ts'
import { diskFullReason } from '../evidence/journal.ts'
import type { Seen } from '../profile/binding/misfit.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import type { UsedExchanges } from '../check/observed/exchange.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Property, Scenario } from '../session/scenario.ts'
import type { PlannedCheck, Plan } from '../plan/plan.ts'
import type { ScenarioRun } from './run-scenario.ts'

/** From the record of a scenario to the verdict of one check. */

type Finding = Pick<CheckResult, 'verdict' | 'because' | 'violation' | 'until' | 'misfits' | 'judged'>

/** Judges one planned check. Never throws: whatever is thrown below becomes a verdict. */
export const judgeCheck = async (
  planned: PlannedCheck,
  check: StatedCheck,
  run: ScenarioRun,
  { seed, runs }: Pick<Plan, 'seed' | 'runs'>,
): Promise<CheckResult> => {
  const startedAt = performance.now()
  const used: UsedExchanges = new Set()
  const { scenario } = check
  const finding =
    scenario.kind === 'property'
      ? await judgeProperty(check, scenario, run, used, { seed, runs })
      : await judgeOnce(check, run, used)
  const settled = fitted(undisturbed(finding, run), run)
  return {
    id: planned.id,
    requirement: planned.requirement,
    title: planned.title,
    durationMs: performance.now() - startedAt,
    exchanges: [...used],
    ...redacted(waived(rested(settled, used), planned), run),
  }
}

const judgeOnce = async (check: StatedCheck, run: ScenarioRun, used: UsedExchanges): Promise<Finding> => {
  const outcome = await run.outcome()
  if ('stopped' in outcome) return findingOf(outcome.stopped, check)
  const { judged, thrown } = countAssertions(() => check.judge(observe(outcome.record, used), undefined))
  return thrown === undefined ? passedAfter(judged) : endedAfter(judged, findingOf(thrown, check))
}

/** A judge that returns without an assertion had nothing to judge: no pass. */
const passedAfter = (judged: number): Finding =>
  judged === 0 ? { verdict: 'not-reached', because: NOTHING_TO_JUDGE, judged } : { verdict: 'pass', judged }

/** Without a number, a judge has not begun: what it needs was not there, and another check cannot stand in for it. */
const endedAfter = (judged: number, finding: Finding): Finding =>
  judged === 0 ? finding : { ...finding, judged }

/** A shrinking that finds smaller and smaller cases ends after this many more. */
const SHRINKS = 100

const judgeProperty = async (
  check: StatedCheck,
  property: Property,
  run: ScenarioRun,
  used: UsedExchanges,
  { seed, runs }: Pick<Plan, 'seed' | 'runs'>,
): Promise<Finding> => {
  let stopped: unknown
  let tried = 0
  let judged = 0
  const predicate = asyncProperty(property.arbitrary, async (value) => {
    tried += 1
    if (stopped !== undefined || tried > runs + SHRINKS) return
    const outcome = await run.outcome(value)
    if ('stopped' in outcome) return void (stopped = outcome.stopped)
    const judgement = countAssertions(() => check.judge(observe(outcome.record, used), value))
    judged += judgement.judged
    if (judgement.thrown instanceof ViolationError) throw judgement.thrown
    stopped = judgement.thrown
  })
  const details = await runProperty(predicate, { seed, numRuns: runs })
  if (details.failed && details.errorInstance instanceof ViolationError) {
    const counterexample = {
      value: await told(property, run, details.counterexample?.[0]),
      seed,
      path: details.counterexamplePath ?? '',
    }
    return { ...broken(check, { ...details.errorInstance.violation, counterexample }), judged }
  }
  if (details.failed) return findingOf(details.errorInstance, check)
  return stopped === undefined ? passedAfter(judged) : endedAfter(judged, findingOf(stopped, check))
}

/** As the property tells it; as it is, where it does not, or cannot. */
const told = async (property: Property, run: ScenarioRun, value: unknown): Promise<string> => {
  const plain = stringify(value)
  if (property.tell === undefined) return plain
  const outcome = await run.outcome(value)
  if ('stopped' in outcome) return plain
  return attempt(() => property.tell?.(observe(outcome.record, new Set()), value)) ?? plain
}

const broken = ({ requirement }: StatedCheck, violation: Violation): Finding => ({
  verdict: requirement.level === 'MUST' ? 'fail' : 'warn',
  violation,
})

const findingOf = (thrown: unknown, check: StatedCheck): Finding => {
  if (thrown instanceof ViolationError) return broken(check, thrown.violation)
  return {
    verdict: wordOf(thrown),
    because: reasonOf(thrown),
    ...(thrown instanceof ProfileMistake && { misfits: [thrown.misfit] }),
    ...(thrown instanceof Waiting && { until: thrown.until.toISOString() }),
  }
}

const wordOf = (thrown: unknown): Verdict => {
  if (thrown instanceof NotReached) return 'not-reached'
  if (thrown instanceof Inconclusive) return 'inconclusive'
  return 'harness-error'
}

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof NotReached || thrown instanceof Inconclusive) return thrown.message
  const unkept = diskFullReason(thrown)
  if (unkept !== undefined) return `what was seen could not be written: ${unkept}`
  if (thrown instanceof HeldBack) return `the scenario sends more than it declares: ${thrown.message}`
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** A bank may rightly end what was granted earlier: what was seen after another grant cannot be held against it. */
const undisturbed = (finding: Finding, { disturber }: ScenarioRun): Finding =>
  finding.violation === undefined || disturber === undefined
    ? finding
    : {
        verdict: 'inconclusive',
        because: `${renderViolation(finding.violation)}; but while the scenario waited, ${disturber} had a customer grant to the same application, which may end earlier grants: run only this one (--only)`,
      }

const OPEN_TO_BLAME: readonly Verdict[] = ['fail', 'warn', 'not-reached', 'inconclusive']

/** What the profile calls by another name than the target does is no fault of the target. */
const fitted = (finding: Finding, { seen }: ScenarioRun): Finding => {
  if (!OPEN_TO_BLAME.includes(finding.verdict) || finding.until !== undefined) return finding
  return blamingBindings(finding, seen())
}

/** The same finding, with the keys of the profile that may be wrong; a violation that they explain is not the target's. */
export const blamingBindings = (finding: Finding, seen: Seen): Finding => {
  const misfits = misfitsBehind(finding.violation?.exchange, seen)
  if (misfits.length === 0) return finding
  const sentences = misfits.map(renderMisfit).join('; ')
  const { violation, verdict, because, ...rest } = finding
  if (violation !== undefined) return { ...rest, verdict: 'not-reached', because: sentences, misfits }
  return { ...rest, verdict, because: [sentences, because ?? ''].filter(Boolean).join('; so '), misfits }
}

/** What is borne is not hidden: the violation stays where it is. */
const waived = (finding: Finding, { waiver }: PlannedCheck): Finding =>
  waiver !== undefined && (finding.verdict === 'fail' || finding.verdict === 'warn')
    ? { ...finding, verdict: 'waived', because: waiver }
    : finding

/** No exchange, no pass. */
const rested = (finding: Finding, used: UsedExchanges): Finding =>
  finding.verdict === 'pass' && used.size === 0
    ? { verdict: 'harness-error', because: 'the judge read no exchange, so that its pass means nothing' }
    : finding

/**
 * The suite generates counterexamples itself. Without their codes and verifiers they would be of no use, so that only
 * the secrets of the profile are removed from them.
 */
const redacted = (finding: Finding, { redactor, known }: ScenarioRun): Finding => ({
  ...finding,
  ...(finding.because !== undefined && { because: redactor.sentence(finding.because) }),
  ...(finding.misfits && {
    misfits: finding.misfits.map((misfit) => ({ ...misfit, shown: redactor.text(misfit.shown) })),
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

/** What was observed where the interface is silent. A description that throws is left out. */
export const observationsOf = async (
  scenario: Scenario | Property,
  run: ScenarioRun,
): Promise<Observation[]> => {
  const notes = notesOn(scenario)
  const records = notes.length === 0 ? [] : await recordsOf(scenario, run)
  const seen = records.flatMap(({ record }) =>
    notes.flatMap(({ undisclosed, describe }) => {
      const value = attempt(() => describe(observe(record, new Set())))
      return value === undefined ? [] : [{ undisclosed: undisclosed.id, value: run.redactor.text(value) }]
    }),
  )
  return [...new Map(seen.map((one) => [JSON.stringify(one), one])).values()]
}

/** How often each transition of a scenario's model was seen. */
export const visitsOf = async (
  { scenario: id }: Pick<PlannedCheck, 'scenario'>,
  scenario: Scenario | Property,
  run: ScenarioRun,
): Promise<readonly KeptVisits[]> => {
  const counting = countingOn(scenario)
  if (counting === undefined) return []
  const counts: Record<string, number> = {}
  for (const { record, value } of await recordsOf(scenario, run))
    for (const move of attempt(() => counting.count(observe(record, new Set()), value)) ?? [])
      counts[move] = (counts[move] ?? 0) + 1
  return [{ scenario: id, model: counting.model, counts }]
}

/** The time line of a scenario that reports are to show. */
export const timeLinesOf = async (
  { scenario: id }: Pick<PlannedCheck, 'scenario'>,
  scenario: Scenario | Property,
  run: ScenarioRun,
): Promise<readonly KeptTimeLine[]> => {
  const trace = traceOf(scenario)
  const records = trace === undefined ? [] : await recordsOf(scenario, run)
  return records.flatMap(({ record }) => {
    const line = attempt(() => trace?.(observe(record, new Set())))
    return line === undefined ? [] : [{ scenario: id, ...line }]
  })
}

const recordsOf = async (scenario: Scenario | Property, run: ScenarioRun) => {
  const done =
    scenario.kind === 'property' ? await run.outcomes() : [{ value: undefined, outcome: await run.outcome() }]
  return done.flatMap(({ value, outcome }) =>
    'stopped' in outcome ? [] : [{ value, record: outcome.record }],
  )
}

const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}
