import { combine, renderViolation, type Verdict } from '../check/verdict.ts'
import {
  CONCLUSIONS,
  type CheckReport,
  type Conclusion,
  type Gate,
  type Report,
  type RequirementReport,
} from './schema.ts'
import { groupBy, plural } from '../plan/lists.ts'
import { NO_REASON } from './rows.ts'
import { verdictFor, type Reason } from '../plan/reason.ts'
import type { Level } from '../check/requirement.ts'
import { DECIDED_BY, type CheckResult } from '../check/result.ts'
import { facetOf, missingFacetOf, type Plan, type PlannedCheck } from '../plan/plan.ts'

/**
 * Computes the verdict on each requirement from the results of its checks, and the conclusion of the run. A check
 * that was planned and has no result is not reached.
 */

/** A verdict, with the reason if it is neither a pass nor a violation. */
export type Judgement = Readonly<Pick<RequirementReport, 'verdict' | 'because' | 'reason'>>

export type Levels = ReadonlyMap<string, Level>

export interface RunFlags {
  /** Breaking what is not a MUST counts as not conforming; not reaching it, as incomplete. */
  readonly strict: boolean
  readonly interrupted: boolean
  /** The target could not be reached when the run began. */
  readonly unreachable: boolean
  /** Results could not be written. */
  readonly unkept?: boolean
  readonly staleWaiver?: boolean
}

export type Ending = Readonly<Pick<Report, 'conclusion' | 'gate' | 'exitCode'>>

export const EXIT_CODES = {
  conforms: 0,
  nonconforming: 1,
  incomplete: 2,
  unreachable: 4,
  'harness-error': 5,
  'stale-waiver': 6,
  interrupted: 130,
} as const satisfies Record<Gate, number>

const NOT_REPORTED: Judgement = {
  verdict: 'not-reached',
  because: 'it was planned, but the run ended without it',
}

const harnessError = (because: string): Judgement => ({ verdict: 'harness-error', because })

/** The verdict of one result. A pass needs an exchange, a fail or warn needs a violation, and a fail needs a MUST. */
const judgeResult = ({ verdict, because, violation, exchanges }: CheckResult, level: Level): Judgement => {
  if (verdict === 'fail' || verdict === 'warn') {
    if (violation === undefined) return harnessError(`a ${verdict} without a violation`)
    return { verdict: level === 'MUST' ? 'fail' : 'warn' }
  }
  if (verdict === 'pass') {
    if (violation !== undefined) return harnessError('a pass with a violation')
    return exchanges.length === 0 ? harnessError('a pass without an exchange') : { verdict }
  }
  return { verdict, because: because ?? NO_REASON }
}

/** The worst verdict, with its reasons in alphabetical order. */
const worst = (judgements: readonly Judgement[]): Judgement => {
  const verdict = combine(judgements.map((judgement) => judgement.verdict))
  const same = judgements.filter((judgement) => judgement.verdict === verdict)
  const reasons = [...new Set(same.flatMap(({ because }) => because ?? []))].sort()
  const [reason] = same.flatMap((judgement) => judgement.reason ?? [])
  return { verdict, because: reasons.length > 0 ? reasons.join('; ') : undefined, reason }
}

const leftOutFor = (reason: Reason): Judgement => {
  const { kind, because } = reason
  return { verdict: verdictFor(reason), because, reason: kind }
}

/** The verdict of one planned check, from the results with its id. */
export const checkVerdict = (
  check: PlannedCheck,
  results: readonly CheckResult[],
  level: Level,
): Judgement => {
  if (check.heldBack !== undefined) return leftOutFor(check.heldBack)
  const own = results.filter(({ id }) => id === check.id)
  return own.length === 0 ? NOT_REPORTED : worst(own.map((result) => judgeResult(result, level)))
}

/** The verdicts that decide whether the target keeps a requirement. */
export const DECIDED: ReadonlySet<Verdict> = new Set(['pass', 'warn', 'fail', 'waived'])

/** How a result counts in reports with four words for it. */
export type Outcome = 'passed' | 'failed' | 'broken' | 'skipped'

/**
 * Such a report is as red as the exit code. A check in which nothing occurred is not red if other checks have judged its
 * requirement.
 * @param ofRequirement the verdict on the requirement of the check.
 */
export const outcomeOf = (
  verdict: Verdict,
  level: Level,
  strict: boolean,
  ofRequirement: Verdict = verdict,
): Outcome => {
  // A broken SHOULD stops a build only if the run is strict.
  if (verdict === 'fail' || (verdict === 'warn' && strict)) return 'failed'
  if (verdict === 'pass' || verdict === 'warn') return 'passed'
  const decides = combine([verdict, ofRequirement]) === ofRequirement
  const isOpen = OPEN.has(verdict) && decides && (level === 'MUST' || strict)
  return verdict === 'harness-error' || isOpen ? 'broken' : 'skipped'
}

/** Whether a check ended because nothing occurred that it could judge. */
const nothingOccurred = ({ id }: PlannedCheck, results: readonly CheckResult[]): boolean => {
  const own = results.filter((result) => result.id === id)
  return own.length > 0 && own.every(({ judged, verdict }) => judged === 0 && verdict === 'not-reached')
}

/**
 * The checks that decide on a requirement: all but those in which nothing occurred, as long as another check of the same
 * facet has judged it.
 */
const deciding = (
  checks: readonly PlannedCheck[],
  results: readonly CheckResult[],
  level: Level,
): readonly { readonly check: PlannedCheck; readonly judgement: Judgement }[] => {
  const all = checks.map((check) => ({ check, judgement: checkVerdict(check, results, level) }))
  const judgedFacets = new Set(
    all.filter(({ judgement }) => DECIDED.has(judgement.verdict)).map(({ check }) => facetOf(check)),
  )
  return all.filter(({ check }) => !judgedFacets.has(facetOf(check)) || !nothingOccurred(check, results))
}

/** The verdict on each facet of a requirement, also of those for which the profile lacks an application. */
export const facetVerdicts = (
  checks: readonly PlannedCheck[],
  results: readonly CheckResult[],
  level: Level,
): RequirementReport['facets'] => {
  const facets = groupBy(checks, facetOf)
  const missing = new Set(checks.flatMap((check) => missingFacetOf(check) ?? []))
  return [
    ...[...facets].map(([facet, own]) => ({
      facet,
      verdict: worst(deciding(own, results, level).map(({ judgement }) => judgement)).verdict,
      judged: results
        .filter(({ id }) => own.some((check) => check.id === id))
        .reduce((sum, { judged = 0 }) => sum + judged, 0),
    })),
    ...[...missing]
      .filter((facet) => !facets.has(facet))
      .map((facet) => ({ facet, verdict: 'not-tested' as const, judged: 0 })),
  ]
}

/** The kind of application for which a check judged, if the profile lacks the other kind as which it would run too. */
export const onlyKindOf = (
  { application, missingKind }: PlannedCheck,
  verdict: Verdict,
): 'FAC' | 'TPP' | undefined => (missingKind !== undefined && DECIDED.has(verdict) ? application : undefined)

export const onlyKindLine = (kind: 'FAC' | 'TPP'): string =>
  `judged for ${kind} only: the profile has no application of the kind ${kind === 'FAC' ? 'TPP' : 'FAC'}`

export const onlyKindSummary = ({
  requirements,
}: Pick<Report, 'requirements'>): { readonly line: string; readonly ids: readonly string[] } | undefined => {
  const judged = requirements.filter(({ judgedOnlyFor }) => judgedOnlyFor !== undefined)
  // A run has one profile, so that all of them lack the same kind.
  const kind = judged[0]?.judgedOnlyFor
  if (kind === undefined) return undefined
  const count = plural(judged.length, 'requirement was', 'requirements were')
  return { line: `${count} ${onlyKindLine(kind)}`, ids: judged.map(({ id }) => id) }
}

/** The verdict on one requirement, from the planned checks on it; `leftOut` says why the plan has none. */
export const requirementVerdict = (
  checks: readonly PlannedCheck[],
  results: readonly CheckResult[],
  { level, leftOut }: { readonly level: Level; readonly leftOut?: Reason | undefined },
): Judgement => {
  if (checks.length > 0) return worst(deciding(checks, results, level).map(({ judgement }) => judgement))
  if (leftOut !== undefined) return leftOutFor(leftOut)
  return { verdict: 'not-reached', because: 'the plan has neither a check of it nor a reason' }
}

export const verdicts = (
  plan: Plan,
  levels: Levels,
  results: readonly CheckResult[],
): ReadonlyMap<string, Judgement> => {
  const checks = groupBy(plan.checks, ({ requirement }) => requirement)
  const reported = groupBy(results, ({ requirement }) => requirement)
  const leftOut = new Map(plan.leftOut.map((one) => [one.requirement, one]))
  return new Map(
    [...new Set([...levels.keys(), ...checks.keys()])].map((id) => [
      id,
      requirementVerdict(checks.get(id) ?? [], reported.get(id) ?? [], {
        // An unknown requirement counts as a MUST.
        level: levels.get(id) ?? 'MUST',
        leftOut: leftOut.get(id),
      }),
    ]),
  )
}

const JUDGED: ReadonlySet<Verdict> = new Set(['pass', 'warn', 'fail'])
const OPEN: ReadonlySet<Verdict> = new Set(['not-reached', 'inconclusive'])

/** The conclusion of the run: the first of CONCLUSIONS whose condition holds. */
export const conclude = (
  plan: Plan,
  levels: Levels,
  results: readonly CheckResult[],
  flags: RunFlags,
): Ending => {
  const judged = [...verdicts(plan, levels, results)].map(([id, { verdict }]) => ({
    verdict,
    mandatory: flags.strict || (levels.get(id) ?? 'MUST') === 'MUST',
  }))
  const has = (verdict: Verdict): boolean => judged.some((one) => one.verdict === verdict)
  const calledFor: Readonly<Record<Conclusion, boolean>> = {
    interrupted: flags.interrupted,
    nonconforming: has('fail') || (flags.strict && has('warn')),
    'harness-error': flags.unkept === true || has('harness-error') || strays(plan, results).length > 0,
    unreachable: flags.unreachable,
    // A run without a judged requirement does not show whether the target conforms.
    incomplete:
      judged.some((one) => one.mandatory && OPEN.has(one.verdict)) ||
      // With a profile that does not fit, a check may have passed on the wrong field.
      results.some(({ mismatches = [] }) => mismatches.length > 0) ||
      !judged.some((one) => JUDGED.has(one.verdict)),
    conforms: true,
  }
  const conclusion = CONCLUSIONS.find((word) => calledFor[word]) ?? 'harness-error'
  // A stale waiver is not a fault of the target: it stops only a run that would pass otherwise.
  const gate = conclusion === 'conforms' && flags.staleWaiver === true ? 'stale-waiver' : conclusion
  return { conclusion, gate, exitCode: EXIT_CODES[gate] }
}

/** Results without a planned check: a fault of the harness. */
export const strays = (
  plan: Pick<Plan, 'checks'>,
  results: readonly CheckResult[],
): readonly CheckResult[] => {
  const planned = new Set(plan.checks.map(({ id, requirement }) => `${requirement} ${id}`))
  return results.filter(({ id, requirement }) => !planned.has(`${requirement} ${id}`))
}

/** The result of a check in one sentence: its violation, or why it judged nothing, and what decided instead of its judge. */
export const sentenceOf = (check: CheckReport): string =>
  check.decidedBy === undefined
    ? findingOf(check)
    : `${findingOf(check)} (decided after the judge: ${DECIDED_BY[check.decidedBy]})`

const findingOf = ({ verdict, violation, because }: CheckReport): string => {
  if (violation === undefined) return verdict === 'pass' ? 'conforms' : (because ?? NO_REASON)
  const { counterexample, ...seen } = violation
  return renderViolation({ ...seen, ...(counterexample !== undefined && { counterexample }) })
}
