import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue, type Catalogue, type StatedCheck } from '../../plan/catalogue.ts'
import { running, type Plan, type PlannedCheck } from '../../plan/plan.ts'
import { observationsOf, timeLinesOf, visitsOf } from '../../engine/judge.ts'
import {
  judgeStored,
  openStoredRun,
  type StoredJudgement,
  type StoredRun,
} from '../../engine/records/stored-run.ts'
import { assembleReport } from '../../report/assemble.ts'
import { judge } from '../../engine/run/judge.ts'
import { recordedIn } from '../../report/created.ts'
import { exchangesOf } from '../../report/evidence-file.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../../check/result.ts'
import type { CheckLine } from '../../evidence/stored/record-file.ts'
import type { RunFlags } from '../../report/conclude.ts'
import type { Report } from '../../report/schema.ts'
import type { StoredFolder } from './stored-folder.ts'

/** Judges stored evidence again, from the records only, and assembles the report that follows from it. */

export interface Judged {
  readonly report: Report
  /** The checks that cannot be judged again, with the reason; their results are those of the run. */
  readonly cannot: readonly { readonly id: string; readonly because: string }[]
}

export interface JudgingOptions {
  /** Whether all checks of today's catalogue judge, and not only those that judged in the run. */
  readonly withCurrentChecks: boolean
  /** Called before each check, with how many were judged. */
  readonly onJudged?: ((done: number, of: number) => void) | undefined
}

interface Found {
  readonly results: readonly CheckResult[]
  readonly observations: readonly Observation[]
  readonly visits: readonly KeptVisits[]
  readonly timeLines: readonly KeptTimeLine[]
}

/** The plan that follows from the inputs. */
const planOf = ({ inputs }: StoredFolder, catalogue: Catalogue): Plan => {
  const { profile, options, waivers, embedded } = inputs
  return buildPlan(catalogue, { profile, virtual: embedded }, { ...options, waived: waivers })
}

/** What was stored of the checks of each scenario. */
const linesByScenario = ({ stored }: StoredFolder): ReadonlyMap<string, readonly CheckLine[]> => {
  const lines = new Map<string, CheckLine[]>()
  for (const line of stored.checks.values())
    lines.set(line.scenario, [...(lines.get(line.scenario) ?? []), line])
  return lines
}

const resultIn = (line: CheckLine): CheckResult | undefined => line.cannot?.result as CheckResult | undefined

/**
 * Facts about the secrets of one scenario are known to all its checks: a later version may have other ones. The keys of
 * the profile that explain a finding are those of the same check.
 */
const currentJudgement = (
  lines: readonly CheckLine[] | undefined,
  id: string,
): StoredJudgement | undefined => {
  if (lines === undefined) return undefined
  const facts = lines.flatMap((line) => line.facts ?? []) as NonNullable<StoredJudgement['facts']>
  const { mismatches } = (lines.find((line) => line.id === id) ?? {}) as StoredJudgement
  return { facts, ...(mismatches && { mismatches }) }
}

const judgeAll = async (
  stored: StoredFolder,
  catalogue: Catalogue,
  plan: Plan,
  { withCurrentChecks, onJudged }: JudgingOptions,
): Promise<Found & Pick<Judged, 'cannot'>> => {
  const checks = new Map<string, StatedCheck>(catalogue.checks.map(({ key, check }) => [key, check]))
  const lines = linesByScenario(stored)
  const runs = new Map<string, StoredRun>()
  const results: CheckResult[] = []
  const observations: Observation[] = []
  const visits: KeptVisits[] = []
  const timeLines: KeptTimeLine[] = []
  const cannot: { id: string; because: string }[] = []

  const runOf = (id: string, { scenario }: StatedCheck): StoredRun => {
    const opened = openStoredRun(scenario, {
      lines: stored.stored.records.get(id) ?? new Map(),
      exchangeOf: stored.exchangeOf,
    })
    const run = runs.get(id) ?? opened
    runs.set(id, run)
    return run
  }
  const describe = async (
    { scenario: id }: PlannedCheck,
    { scenario }: StatedCheck,
    run: StoredRun,
  ): Promise<void> => {
    const notes = stored.stored.notes.get(id)?.observations as readonly Observation[] | undefined
    observations.push(...(notes ?? (await observationsOf(scenario, run.as()))))
    visits.push(...(await visitsOf({ scenario: id }, scenario, run.as())))
    timeLines.push(...(await timeLinesOf({ scenario: id }, scenario, run.as())))
  }

  const all = running(plan)
  for (const [at, planned] of all.entries()) {
    onJudged?.(at, all.length)
    const check = checks.get(planned.key)
    const judgement = withCurrentChecks
      ? currentJudgement(lines.get(planned.scenario), planned.id)
      : (stored.stored.checks.get(planned.id) as StoredJudgement | undefined)
    if (check === undefined || judgement === undefined) continue
    const isFirst = !runs.has(planned.scenario)
    const run = runOf(planned.scenario, check)
    const line = stored.stored.checks.get(planned.id)
    const known = line && resultIn(line)
    if (known !== undefined && !withCurrentChecks) {
      results.push(known)
      cannot.push({ id: planned.id, because: line?.cannot?.because ?? '' })
    } else {
      const result = await judgeStored(planned, check, run, { plan, judgement })
      if (typeof result !== 'string') results.push(result)
      else cannot.push({ id: planned.id, because: result })
    }
    if (isFirst) await describe(planned, check, run)
  }
  return { results, observations, visits, timeLines, cannot }
}

/** The results of checks that ended with a fault of the suite, and without a record. */
const faultsIn = ({ report, stored }: StoredFolder, plan: Plan): readonly CheckResult[] =>
  report.requirements.flatMap(({ id: requirement, checks }) => {
    const planned = plan.checks.filter((check) => check.requirement === requirement)
    return planned.flatMap(({ id, title }, at) => {
      const { verdict, because = '' } = checks[at] ?? {}
      const isFault = verdict === 'harness-error' && !stored.checks.has(id)
      return isFault ? [{ id, requirement, title, verdict, because, durationMs: 0, exchanges: [] }] : []
    })
  })

const unreachableIn = ({ inputs, stored }: StoredFolder, plan: Plan): readonly CheckResult[] => {
  const { unreachable } = inputs.ending
  if (unreachable === undefined) return []
  return running(plan)
    .filter(({ id }) => !stored.checks.has(id))
    .map(({ id, requirement, title }) => ({
      id,
      requirement,
      title,
      verdict: 'not-reached',
      because: unreachable.because,
      durationMs: 0,
      exchanges: unreachable.exchanges,
    }))
}

const flagsOf = ({ inputs }: StoredFolder): RunFlags => ({
  strict: inputs.options.strict,
  interrupted: inputs.ending.interrupted,
  unreachable: inputs.ending.unreachable !== undefined,
  unkept: inputs.ending.unkept,
})

/** The target, as far as it follows from the inputs and the requests; the rest is copied. */
const targetOf = ({ folder, report: { target }, inputs }: StoredFolder): Report['target'] => {
  const { environment } = inputs.profile
  if (inputs.embedded) return { ...target, environment, baseUrl: 'embedded' }
  let first: string | undefined
  for (const { sender, request } of exchangesOf(join(folder, OUTPUT.evidence))) {
    if (sender === 'target') continue
    if (request.url.startsWith(target.baseUrl)) return { ...target, environment }
    first ??= new URL(request.url).origin
  }
  return { ...target, environment, ...(first !== undefined && { baseUrl: first }) }
}

const reportRun = (stored: StoredFolder, catalogue: Catalogue, plan: Plan, found: Found): Report => {
  const { folder, report, inputs } = stored
  const { waivers, profile, reproduceBase } = inputs
  const evidence = join(folder, OUTPUT.evidence)
  const judged = judge({ plan, catalogue, waivers, evidence }, found.results, flagsOf(stored))
  return assembleReport({
    suite: report.suite,
    target: targetOf(stored),
    run: report.run,
    plan,
    catalogue: catalogue.requirements,
    undisclosed: catalogue.undisclosed,
    ...found,
    ...judged,
    ...(report.created && { created: report.created }),
    ...recordedIn(folder, profile.loans),
    reproduceBase,
  })
}

/** Judges all of a run again. */
export const judgeAgain = async (stored: StoredFolder, options: JudgingOptions): Promise<Judged> => {
  const catalogue = await loadCatalogue(stored.ownChecks)
  const plan = planOf(stored, catalogue)
  const { cannot, ...judged } = await judgeAll(stored, catalogue, plan, options)
  const found = {
    ...judged,
    results: [...judged.results, ...faultsIn(stored, plan), ...unreachableIn(stored, plan)],
  }
  return { report: reportRun(stored, catalogue, plan, found), cannot }
}
