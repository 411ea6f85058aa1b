import { EFFECTS } from '../evidence/effect.ts'
import { noJournal } from '../evidence/journal.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { profileSchema } from '../profile/schema.ts'
import { createPerformer } from '../run/perform.ts'
import { judgeCheck } from '../run/judge.ts'
import { createEmbeddedTarget } from '../target/embedded.ts'
import { referenceProfile } from '../target/reference-profile.ts'
import { createSink } from '../sink/sink.ts'
import type { CheckResult } from '../check/result.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Faults } from '../target/embedded.ts'

/** One run of the whole catalogue over a reference bank that has one defect or one variation, or neither. */

export interface TrialOptions {
  readonly environment?: 'sandbox' | 'production' | undefined
  /** Requirements, chapters or tags to judge; all, where empty. */
  readonly only?: readonly string[]
  /** Leaves a check out, because what its scenario comes to is known. */
  readonly isKnown?: (planned: PlannedCheck) => boolean
  /** Whether requests go over a socket; they do, unless this says no. */
  readonly socket?: boolean
  readonly seed: number
  /** Runs of a property that a requirement is judged by. */
  readonly runsOf: (requirement: string) => number
}

/** Scenarios under way at once within one trial. */
const CONCURRENCY = 8

export const runTrial = async (
  catalogue: Catalogue,
  faultsFor: (scenario: string) => Faults,
  { environment = 'sandbox', only = [], isKnown = () => false, socket = true, seed, runsOf }: TrialOptions,
): Promise<readonly CheckResult[]> => {
  const profile = profileSchema.parse(referenceProfile(environment))
  const plan = buildPlan(
    catalogue,
    { profile, virtual: true },
    { only, skip: [], allow: EFFECTS, seed, runs: 1, time: 'auto' },
  )
  const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
  const sink = createSink('http://sink.example/webhook')
  const target = createEmbeddedTarget(profile, {
    ...{ faultsFor, socket, shared: false },
    deliver: (request) => sink.receive(request),
  })
  const perform = createPerformer({
    target,
    journal: noJournal,
    secrets: [],
    allowed: plan.effects,
    allowedElsewhere: plan.effectsElsewhere,
    concurrency: CONCURRENCY,
    time: 'auto',
    sink: async () => sink,
  })
  const results = plan.checks
    .filter((planned) => planned.heldBack === undefined && !isKnown(planned))
    .map(async (planned) => {
      const check = checks.get(planned.key)
      if (check === undefined) throw new Error(`the plan names a check that nobody states: ${planned.key}`)
      return judgeCheck(planned, check, perform(planned, check.scenario), {
        seed,
        runs: runsOf(planned.requirement),
      })
    })
  return Promise.all(results).finally(() => target.close())
}
