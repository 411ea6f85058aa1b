import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue, type Catalogue, type StatedCheck } from '../../plan/catalogue.ts'
import { running, type Plan } from '../../plan/plan.ts'
import { describeScenario, judgeCheck, type JudgedRun } from '../../engine/judge.ts'
import { judgeRun } from '../../engine/judge-run.ts'
import { openStoredRun } from '../../engine/records/stored-run.ts'
import { assembleReport } from '../../report/assemble.ts'
import { judge } from '../../engine/run/judge.ts'
import { recordedIn } from '../../report/created.ts'
import { exchangesOf } from '../../report/evidence-file.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../../check/result.ts'
import type { ProfileMismatch } from '../../profile/mismatch/mismatch.ts'
import type { RunFlags } from '../../report/conclude.ts'
import type { Report } from '../../report/schema.ts'
import type { StoredFolder } from './stored-folder.ts'

/** Judges stored evidence again, from the records only, and assembles the report that follows from it. */

export interface JudgingOptions {
  /** Whether all checks of today's catalogue judge, and not only those that judged in the run. */
  readonly withCurrentChecks: boolean
  /** Called before each step, with what is done. @param isOften whether it is called before each check. */
  readonly onStep?: ((what: string, isOften?: boolean) => void) | undefined
}

const planOf = ({ inputs }: StoredFolder, catalogue: Catalogue): Plan => {
  const { profile, options, waivers, embedded } = inputs
  return buildPlan(catalogue, { profile, virtual: embedded }, { ...options, waived: waivers })
}

const judgeAll = async (
  { stored: { records, checks: lines }, exchangeOf }: StoredFolder,
  catalogue: Catalogue,
  plan: Plan,
  { withCurrentChecks, onStep }: JudgingOptions,
) => {
  const checks = new Map<string, StatedCheck>(catalogue.checks.map(({ key, check }) => [key, check]))
  const runs = new Map<string, JudgedRun>()
  const results: CheckResult[] = []
  const observations: Observation[] = []
  const visits: KeptVisits[] = []
  const timeLines: KeptTimeLine[] = []

  const all = running(plan)
  for (const [at, planned] of all.entries()) {
    onStep?.(`judged ${at} of ${all.length} checks`, true)
    const { id, scenario } = planned
    const check = checks.get(planned.key)
    const isStored = withCurrentChecks ? records.has(scenario) : lines.has(id)
    if (check === undefined || !isStored) continue
    const known = runs.get(scenario)
    const run = known ?? openStoredRun(check.scenario, records.get(scenario) ?? new Map(), exchangeOf)
    runs.set(scenario, run)
    const mismatches = (lines.get(id)?.mismatches ?? []) as readonly ProfileMismatch[]
    results.push(await judgeCheck(planned, check, run, plan, () => mismatches))
    if (known !== undefined) continue
    const description = await describeScenario(scenario, check.scenario, run)
    observations.push(...description.observations)
    visits.push(...description.visits)
    timeLines.push(...description.timeLines)
  }
  return { results, observations, visits, timeLines }
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

const reportRun = (
  stored: StoredFolder,
  catalogue: Catalogue,
  plan: Plan,
  found: Awaited<ReturnType<typeof judgeAll>>,
): Report => {
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
    notShown: catalogue.notShown,
    ...found,
    ...judged,
    ...(report.created && { created: report.created }),
    ...recordedIn(folder, profile, plan),
    reproduceBase,
  })
}

export const judgeAgain = async (stored: StoredFolder, options: JudgingOptions): Promise<Report> => {
  const catalogue = await loadCatalogue(stored.ownChecks)
  const plan = planOf(stored, catalogue)
  const judged = await judgeAll(stored, catalogue, plan, options)
  options.onStep?.('judging all answers of the run')
  const results = [
    ...judgeRun(judged.results, {
      planned: running(plan),
      checks: catalogue.checks,
      exchanges: exchangesOf(join(stored.folder, OUTPUT.evidence)),
      profile: stored.inputs.profile,
      isOneBank: !stored.inputs.embedded,
    }),
    ...faultsIn(stored, plan),
    ...unreachableIn(stored, plan),
  ]
  return reportRun(stored, catalogue, plan, { ...judged, results })
}
