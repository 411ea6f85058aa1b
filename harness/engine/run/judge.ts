import { conclude, verdicts, type Ending, type RunFlags } from '../../report/conclude.ts'
import { exchangesOf } from '../../report/evidence-file.ts'
import { byPlan } from '../../report/order.ts'
import { applyWaiver, throughStepsOfRun } from '../verdict-steps.ts'
import { reportWaivers, type WaiverReport } from '../../report/waivers.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Catalogue } from '../../plan/catalogue.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Waiver } from '../../plan/waivers.ts'

/** The fourth step of a run: what follows from the results of all checks. It is the same for stored results. */

export interface Judged extends Ending {
  readonly results: readonly CheckResult[]
  readonly waivers: readonly WaiverReport[]
  /** How the run ended, as far as it does not follow from the results. */
  readonly flags: RunFlags
}

interface Judging {
  readonly plan: Plan
  readonly catalogue: Pick<Catalogue, 'requirements'>
  /** Accepted exceptions. */
  readonly waivers: readonly Waiver[]
  readonly evidence: string
}

/** The earlier results of a resumed run may have been accepted by waivers that the file no longer has. */
const withoutWaiver = (result: CheckResult): CheckResult => {
  if (result.decidedBy !== 'waiver') return result
  const { because: _, decidedBy: __, ...found } = result
  return { ...found, verdict: 'fail' }
}

export const judge = (
  { plan, catalogue: { requirements }, waivers: accepted, evidence }: Judging,
  found: readonly CheckResult[],
  flags: RunFlags,
): Judged => {
  const plannedOf = new Map(plan.checks.map((planned) => [planned.id, planned]))
  // In the order of the plan, so that stored results are judged alike.
  const ordered = byPlan(found, plan).map(withoutWaiver)
  const results = throughStepsOfRun(ordered, () => exchangesOf(evidence), requirements).map((result) =>
    applyWaiver(result, { waiver: plannedOf.get(result.id)?.waiver }),
  )
  const levels = new Map(requirements.map(({ id, level }) => [id, level]))
  const waivers = reportWaivers(accepted, verdicts(plan, levels, results))
  const staleWaiver = waivers.some(({ state }) => state === 'stale')
  return { results, waivers, flags, ...conclude(plan, levels, results, { ...flags, staleWaiver }) }
}
