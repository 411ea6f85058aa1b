import { renderViolation, type Verdict, type Violation } from '../check/verdict.ts'
import { describeAnswer } from '../evidence/record/answer-kind.ts'
import { withRefusedAtTimes } from './refused-at-times.ts'
import { withoutOtherServers } from './other-servers.ts'
import { withUnanswered } from './unanswered.ts'
import { renderMismatch, type ProfileMismatch } from '../profile/mismatch/mismatch.ts'
import type { CheckResult, DecidedBy } from '../check/result.ts'
import type { UsedExchanges } from '../check/observed/exchange.ts'
import type { Requirement } from '../check/requirement.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Violated } from '../profile/mismatch/explain.ts'

/**
 * What becomes of a judge's finding. It passes through `STEPS` as soon as it is there. When all checks are judged, the
 * `STEPS_OF_RUN` see the exchanges of the whole run. No verdict changes elsewhere: what `report/conclude.ts` derives from the
 * results are verdicts on requirements, and the conclusion.
 */

export type Finding = Pick<
  CheckResult,
  'verdict' | 'because' | 'violation' | 'until' | 'mismatches' | 'judged' | 'statements' | 'decidedBy'
>

/** The keys of the profile that may be the reason why a check did not pass. */
export type Explain = (violated: Violated | undefined) => readonly ProfileMismatch[]

/** What a verdict depends on besides the record. */
export interface Surroundings {
  readonly waiver: PlannedCheck['waiver']
  readonly used: UsedExchanges
  readonly interferingScenario: string | undefined
  readonly explain: Explain
}

type Step = (finding: Finding, surroundings: Surroundings) => Finding

/** A pass needs at least one exchange. */
const requireExchange: Step = (finding, { used }) =>
  finding.verdict === 'pass' && used.size === 0
    ? { verdict: 'harness-error', because: 'the judge read no exchange, so that its pass proves nothing' }
    : finding

/** A bank may end earlier grants: a violation after another grant is not attributed to it. */
const withoutInterference: Step = (finding, { interferingScenario }) =>
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
const withoutIntermediary: Step = (finding, { used }) => {
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
const explainedByProfile: Step = (finding, { used, explain }) =>
  !PROFILE_MAY_EXPLAIN.includes(finding.verdict) || finding.until !== undefined
    ? finding
    : withMismatches(finding, explain(finding.violation && violatedBy(finding.violation, used)))

/** Adds the keys of the profile that may be wrong. A violation that they explain becomes `not-reached`. */
export const withMismatches = (finding: Finding, mismatches: readonly ProfileMismatch[]): Finding => {
  if (mismatches.length === 0) return finding
  const sentences = mismatches.map(renderMismatch).join('; ')
  const { violation, verdict, because, ...rest } = finding
  if (violation !== undefined) return { ...rest, verdict: 'not-reached', because: sentences, mismatches }
  return { ...rest, verdict, because: [sentences, because ?? ''].filter(Boolean).join('; so '), mismatches }
}

/** The violation remains visible in the result. A violation that is found when the run has ended may be accepted as well. */
export const applyWaiver = <One extends Finding>(
  finding: One,
  { waiver }: Pick<Surroundings, 'waiver'>,
): One =>
  waiver !== undefined && (finding.verdict === 'fail' || finding.verdict === 'warn')
    ? { ...finding, verdict: 'waived', because: waiver, decidedBy: 'waiver' }
    : finding

const STEPS: readonly (readonly [DecidedBy, Step])[] = [
  ['no-exchange', requireExchange],
  ['interference', withoutInterference],
  ['intermediary', withoutIntermediary],
  ['profile', explainedByProfile],
  ['waiver', applyWaiver],
]

/** What becomes of the finding of one check. */
export const throughSteps = (finding: Finding, surroundings: Surroundings): Finding =>
  STEPS.reduce((before, [decidedBy, step]) => {
    const after = step(before, surroundings)
    return after.verdict === before.verdict ? after : { ...after, decidedBy }
  }, finding)

type Requirements = readonly Pick<Requirement, 'id' | 'answers'>[]

const STEPS_OF_RUN: readonly ((
  results: readonly CheckResult[],
  exchanges: Iterable<Exchange>,
  requirements: Requirements,
) => readonly CheckResult[])[] = [withoutOtherServers, withUnanswered, withRefusedAtTimes]

/**
 * What the exchanges of the whole run say of its results.
 * @param exchangesOfRun all exchanges, in the order of the answers; read several times.
 */
export const throughStepsOfRun = (
  results: readonly CheckResult[],
  exchangesOfRun: () => Iterable<Exchange>,
  requirements: Requirements,
): readonly CheckResult[] =>
  STEPS_OF_RUN.reduce((before, step) => step(before, exchangesOfRun(), requirements), results)
