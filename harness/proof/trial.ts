import pLimit from 'p-limit'
import type { Dialect } from '../bank/defect.ts'
import type { CheckResult } from '../check/result.ts'
import { judgeCheck } from '../engine/judge.ts'
import { createPerformer } from '../engine/perform.ts'
import { forgetful } from '../engine/resume/run-log.ts'
import { EFFECTS } from '../evidence/effect.ts'
import { noJournal } from '../evidence/journal.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import { buildPlan } from '../plan/build-plan.ts'
import type { Catalogue, StatedCheck } from '../plan/catalogue.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import { type Profile, type ProfileInput, profileSchema } from '../profile/schema.ts'
import { seededRandom } from '../session/random.ts'
import { createSink } from '../session/webhooks/sink/sink.ts'
import { createEmbeddedTarget, type Faults } from '../target/embedded.ts'
import { dialectProfile, referenceProfile } from '../target/reference-bank/reference-profile.ts'
import { withPlainMessages } from './plain-messages.ts'

/** One run of the whole catalogue over a reference bank that has one defect or one variation, or neither. */

export interface TrialOptions {
  readonly environment?: 'sandbox' | 'production' | undefined
  /** Parts of a profile in the place of the reference bank's own. */
  readonly profile?: Partial<ProfileInput>
  /** What the bank speaks, and is spoken to in; its own words, if it is left out. */
  readonly dialect?: Dialect | undefined
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

/** Scenarios under way at once within one trial: where nothing is waited for, all that more would do is to fill the memory. */
const WITH_SOCKETS = 8
const WITHOUT_SOCKETS = 1

/** What is the same for every bank. */
interface Preparation {
  readonly profile: Profile
  readonly plan: Plan
  readonly checks: ReadonlyMap<string, StatedCheck>
}

interface Given extends Required<Pick<TrialOptions, 'profile' | 'only' | 'seed'>> {
  readonly environment: NonNullable<TrialOptions['environment']>
  /** The id of a dialect. */
  readonly dialect: string | undefined
}

const prepare = (
  catalogue: Catalogue,
  { environment, dialect, only, seed, ...given }: Given,
): Preparation => {
  const own = dialect === undefined ? referenceProfile(environment) : dialectProfile(dialect, environment)
  const profile = profileSchema.parse({ ...own, ...given.profile })
  const subject = { profile, virtual: true }
  return {
    profile,
    plan: buildPlan(catalogue, subject, { only, skip: [], allow: EFFECTS, seed, runs: 1, time: 'auto' }),
    checks: new Map(catalogue.checks.map(({ key, check }) => [key, check])),
  }
}

const preparations = new WeakMap<Catalogue, Map<string, Preparation>>()

/** Made once: a plan takes as long as a small trial. */
const preparationFor = (catalogue: Catalogue, given: Given): Preparation => {
  const known = preparations.get(catalogue) ?? new Map<string, Preparation>()
  preparations.set(catalogue, known)
  const key = JSON.stringify(given)
  const preparation = known.get(key) ?? prepare(catalogue, given)
  known.set(key, preparation)
  return preparation
}

export const runTrial = (
  catalogue: Catalogue,
  faultsFor: (scenario: string) => Faults,
  options: TrialOptions,
): Promise<readonly CheckResult[]> => {
  const run = () => tryOut(catalogue, faultsFor, options)
  // What goes over a socket has to be the platform's own.
  return options.socket === false ? withPlainMessages(run) : run()
}

const tryOut = async (
  catalogue: Catalogue,
  faultsFor: (scenario: string) => Faults,
  {
    environment = 'sandbox',
    profile = {},
    dialect,
    only = [],
    isKnown = () => false,
    socket = true,
    ...judging
  }: TrialOptions,
): Promise<readonly CheckResult[]> => {
  const { seed } = judging
  const preparation = preparationFor(catalogue, { environment, profile, dialect: dialect?.id, only, seed })
  const speaking = (scenario: string): Faults => ({ ...(dialect && { dialect }), ...faultsFor(scenario) })
  const tried = preparation.plan.checks.filter(
    (planned) => planned.heldBack === undefined && !isKnown(planned),
  )
  const atOnce = pLimit(socket ? WITH_SOCKETS : WITHOUT_SOCKETS)
  const results = await atOnce.map(byScenario(tried), (checks) =>
    tryScenario(preparation, checks, { faultsFor: speaking, socket, ...judging }),
  )
  return results.flat()
}

const byScenario = (planned: readonly PlannedCheck[]): readonly (readonly PlannedCheck[])[] => {
  const groups = new Map<string, PlannedCheck[]>()
  for (const check of planned) groups.set(check.scenario, [...(groups.get(check.scenario) ?? []), check])
  return [...groups.values()]
}

interface ScenarioTrial extends Pick<TrialOptions, 'seed' | 'runsOf'> {
  readonly faultsFor: (scenario: string) => Faults
  readonly socket: boolean
}

/** One for all: what is known of them is worked out once. */
const NO_SECRETS: readonly KnownSecret[] = []

/** All checks of one scenario. Its bank and its record are gone when it has ended: whatever stays is collected again. */
const tryScenario = async (
  { profile, plan, checks }: Preparation,
  tried: readonly PlannedCheck[],
  { faultsFor, socket, seed, runsOf }: ScenarioTrial,
): Promise<readonly CheckResult[]> => {
  const sink = createSink('http://sink.example/webhook')
  const target = createEmbeddedTarget(profile, {
    ...{ faultsFor, socket, shared: false },
    deliver: (request) => sink.receive(request),
  })
  const perform = createPerformer({
    target,
    journal: noJournal,
    secrets: NO_SECRETS,
    allowed: plan.effects,
    allowedElsewhere: plan.effectsElsewhere,
    concurrency: 1,
    time: 'auto',
    sink: async () => sink,
    // A defect that one verifier in thirty meets is met at a given seed, or is not: never now and then.
    log: forgetful((act) => seededRandom(`${seed} ${act}`)),
  })
  const results = tried.map((planned) => {
    const check = checks.get(planned.key)
    if (check === undefined) throw new Error(`the plan names a check that nobody states: ${planned.key}`)
    const performance = perform(planned, check.scenario)
    return judgeCheck(planned, check, performance, { seed, runs: runsOf(planned.requirement) })
  })
  return Promise.all(results).finally(() => target.close())
}
