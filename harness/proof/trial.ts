import pLimit from 'p-limit'
import { generatedNumber } from '../bank/dialects/generated.ts'
import { withSeed } from '../bank/random.ts'
import type { Dialect } from '../bank/defect.ts'
import type { CheckResult } from '../check/result.ts'
import { judgeCheck } from '../engine/judge.ts'
import { judgeRun } from '../engine/judge-run.ts'
import { throughStepsOfRun } from '../engine/verdict-steps.ts'
import { createScenarioRunner, type ScenarioRunner } from '../engine/run-scenario.ts'
import { withoutLog } from '../engine/resume/run-log.ts'
import { EFFECTS, type Exchange } from '../evidence/exchange.ts'
import { openMemoryJournal, type ReadableJournal } from '../evidence/journal.ts'
import type { KnownSecret } from '../evidence/redaction.ts'
import { buildPlan } from '../plan/build-plan.ts'
import type { Catalogue, StatedCheck } from '../plan/catalogue.ts'
import { groupBy } from '../plan/lists.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import { type Profile, type ProfileInput, profileSchema } from '../profile/schema.ts'
import { seededRandom } from '../session/random.ts'
import { createSink } from '../session/webhooks/sink/sink.ts'
import { createEmbeddedTarget, type Faults } from '../connection/embedded.ts'
import { dialectProfile, referenceProfile } from '../connection/reference-bank/reference-profile.ts'

/** One run of the whole catalogue against a reference bank with at most one defect or one variation. */

export interface TrialOptions {
  readonly environment?: 'sandbox' | 'production' | undefined
  readonly profile?: Partial<ProfileInput>
  /** The dialect of the bank and of its profile; none, if it is left out. */
  readonly dialect?: Dialect | undefined
  /** Requirements, chapters or tags to judge; all, where empty. */
  readonly only?: readonly string[]
  readonly isKnown?: (planned: PlannedCheck) => boolean
  /**
   * Whether the scenarios whose results are known are run as well, where nothing is found in the others of a requirement
   * that is judged on the whole run: first those of its chapter, until something is found.
   */
  readonly searches?: boolean
  /** Whether one violation of a requirement is enough, so that its other scenarios are left out. */
  readonly isOneEnough?: boolean
  /** Whether requests go over a socket; true, if it is left out. */
  readonly socket?: boolean
  /** Whether one bank serves all scenarios, as a real one does; by default each has a bank of its own. */
  readonly isOneBank?: boolean
  /** When each bank opens; drawn by the seed, if it is left out. */
  readonly opensAt?: Date
  readonly seed: number
  /** How often a property of a check of this requirement is run. */
  readonly runsOf: (requirement: string) => number
  /** Called at the end of each scenario. The banks then draw the same random values in every trial with this seed. */
  readonly onExchanges?: (requirements: readonly string[], exchanges: readonly Exchange[]) => void
}

/** Scenarios at the same time in one trial. Without sockets nothing waits, so that more of them only need more memory. */
const WITH_SOCKETS = 8
const WITHOUT_SOCKETS = 1

/** What the trials of all banks share: to make a plan takes as long as a small trial. */
interface Setup {
  readonly profile: Profile
  readonly plan: Plan
  readonly checks: ReadonlyMap<string, StatedCheck>
}

interface SetupOptions extends Required<Pick<TrialOptions, 'profile' | 'only' | 'seed'>> {
  readonly environment: NonNullable<TrialOptions['environment']>
  readonly dialect: string | undefined
}

const createSetup = (
  catalogue: Catalogue,
  { environment, dialect, only, seed, profile: changes }: SetupOptions,
): Setup => {
  const own = dialect === undefined ? referenceProfile(environment) : dialectProfile(dialect, environment)
  const profile = profileSchema.parse({ ...own, ...changes })
  const subject = { profile, virtual: true }
  return {
    profile,
    plan: buildPlan(catalogue, subject, { only, skip: [], allow: EFFECTS, seed, runs: 1, time: 'auto' }),
    checks: new Map(catalogue.checks.map(({ key, check }) => [key, check])),
  }
}

const setups = new WeakMap<Catalogue, Map<string, Setup>>()

const setupFor = (catalogue: Catalogue, options: SetupOptions): Setup => {
  // A profile or a generated dialect belongs to one bank: to keep its plan would only need memory.
  const isOfOneBank =
    Object.keys(options.profile).length > 0 ||
    (options.dialect !== undefined && generatedNumber(options.dialect) !== undefined)
  if (isOfOneBank) return createSetup(catalogue, options)
  const known = setups.get(catalogue) ?? new Map<string, Setup>()
  setups.set(catalogue, known)
  const key = JSON.stringify(options)
  const setup = known.get(key) ?? createSetup(catalogue, options)
  known.set(key, setup)
  return setup
}

/** Judges the reference bank with the faults that `faultsFor` gives for a scenario: the results of all checks. */
export const runTrial = async (
  catalogue: Catalogue,
  faultsFor: (scenario: string) => Faults,
  {
    environment = 'sandbox',
    profile = {},
    dialect,
    only = [],
    isKnown = () => false,
    searches = false,
    isOneEnough = false,
    socket = true,
    isOneBank = false,
    opensAt,
    seed,
    runsOf,
    onExchanges,
  }: TrialOptions,
): Promise<readonly CheckResult[]> => {
  const setup = setupFor(catalogue, { environment, profile, dialect: dialect?.id, only, seed })
  const faults = (scenario: string): Faults => ({ ...(dialect && { dialect }), ...faultsFor(scenario) })
  const checks = setup.plan.checks.filter((planned) => planned.heldBack === undefined && !isKnown(planned))
  const open = (): Stage => openStage(setup, { faultsFor: faults, socket, fresh: !isOneBank, seed, opensAt })
  const shared = isOneBank ? open() : undefined
  const judge = async (own: readonly PlannedCheck[], stage = open()): Promise<TriedScenario> => {
    const act = () => judgeScenario(setup, own, stage, { seed, runsOf, onExchanges })
    try {
      return await (onExchanges === undefined ? act() : withSeed(`${seed} ${own[0]?.scenario ?? ''}`, act))
    } finally {
      if (stage !== shared) await stage.close()
    }
  }
  const violated = new Set<string>()
  const tried = await pLimit(socket ? WITH_SOCKETS : WITHOUT_SOCKETS)
    .map(byScenario(checks), async (all) => {
      const own = all.filter(({ requirement }) => !violated.has(requirement))
      if (own.length === 0) return NOTHING
      const scenario = await judge(own, shared)
      if (isOneEnough) for (const requirement of violatedIn(scenario.results)) violated.add(requirement)
      return scenario
    })
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for a promise
    .finally(() => shared?.close())
  const results = tried.flatMap((one) => one.results)
  const judgeWhole = judgeOfRun(catalogue, setup, isOneBank)
  const found = judgeWhole(
    results,
    tried.flatMap(({ exchanges }) => exchanges),
  )
  if (!searches) return found
  const others = setup.plan.checks.filter((check) => check.heldBack === undefined && isKnown(check))
  const seen = violatedIn(found)
  const elsewhere = await searchIn(byScenario(others), {
    open: results.filter(({ requirement }) => !seen.has(requirement)),
    planned: new Map(checks.map((check) => [check.id, check])),
    act: async (check) => (await judge([check])).exchanges,
    judgeWhole,
  })
  return found.map((result) => elsewhere.get(result.id) ?? result)
}

type JudgeWhole = (results: readonly CheckResult[], exchanges: readonly Exchange[]) => readonly CheckResult[]

const judgeOfRun = (catalogue: Catalogue, { plan, profile }: Setup, isOneBank: boolean): JudgeWhole => {
  const run = { planned: plan.checks, checks: catalogue.checks, profile, isOneBank }
  return (some, exchanges) =>
    throughStepsOfRun(judgeRun(some, { ...run, exchanges }), () => exchanges, catalogue.requirements)
}

interface Search {
  /** The results for requirements on which nothing was found yet. */
  readonly open: readonly CheckResult[]
  readonly planned: ReadonlyMap<string, PlannedCheck>
  readonly act: (check: PlannedCheck) => Promise<readonly Exchange[]>
  readonly judgeWhole: JudgeWhole
}

/** The requirements on which a check saw a violation. */
export const violatedIn = (results: readonly CheckResult[]): ReadonlySet<string> =>
  new Set(results.flatMap(({ requirement, violation }) => (violation === undefined ? [] : [requirement])))

/** Runs further scenarios until each requirement that is judged on the whole run is violated. */
const searchIn = async (
  scenarios: ReturnType<typeof byScenario>,
  { open, planned, act, judgeWhole }: Search,
): Promise<ReadonlyMap<string, CheckResult>> => {
  const violated = new Map<string, CheckResult>()
  const search = async (isNear: (check: PlannedCheck, first: PlannedCheck) => boolean): Promise<void> => {
    for (const [first] of scenarios) {
      const seen = violatedIn([...violated.values()])
      const left = open.filter(({ id, requirement }) => {
        const check = planned.get(id)
        return check?.judgesRun === true && isNear(check, first) && !seen.has(requirement)
      })
      if (left.length === 0) continue
      for (const result of judgeWhole(left, await act(first)))
        if (result.violation !== undefined) violated.set(result.id, result)
    }
  }
  await search((check, first) => check.chapter === first.chapter)
  await search((check, first) => check.chapter !== first.chapter)
  return violated
}

interface TriedScenario {
  readonly results: readonly CheckResult[]
  readonly exchanges: readonly Exchange[]
}

const NOTHING: TriedScenario = { results: [], exchanges: [] }

const byScenario = (planned: readonly PlannedCheck[]) => [
  ...groupBy(planned, ({ scenario }) => scenario).values(),
]

interface Stage {
  readonly perform: ScenarioRunner
  readonly journal: ReadableJournal
  readonly close: () => Promise<void>
}

interface StageOptions {
  readonly faultsFor: (scenario: string) => Faults
  readonly socket: boolean
  readonly fresh: boolean
  readonly seed: number
  readonly opensAt: Date | undefined
}

/** The secrets of the reference bank are learned where they are sent. */
const NO_SECRETS: readonly KnownSecret[] = []

const openStage = ({ profile, plan }: Setup, { seed, ...options }: StageOptions): Stage => {
  const sink = createSink('http://sink.example/webhook')
  const target = createEmbeddedTarget(profile, {
    ...options,
    shared: false,
    deliver: (request) => sink.receive(request),
    seed,
  })
  const journal = openMemoryJournal()
  const perform = createScenarioRunner({
    target,
    journal,
    secrets: NO_SECRETS,
    allowed: plan.effects,
    allowedInOtherEnvironment: plan.effectsElsewhere,
    concurrency: 1,
    time: 'auto',
    sink: async () => sink,
    // The same seed draws the same values: a defect that shows for one value in thirty is always caught, or never.
    log: withoutLog((act) => seededRandom(`${seed} ${act}`)),
    grantRandom: seededRandom(`${seed} grants`),
  })
  return { perform, journal, close: () => target.close() }
}

interface ScenarioOptions extends Pick<TrialOptions, 'seed' | 'runsOf'> {
  readonly onExchanges: TrialOptions['onExchanges']
}

const judgeScenario = async (
  { checks }: Setup,
  own: readonly PlannedCheck[],
  { perform, journal }: Stage,
  { seed, runsOf, onExchanges }: ScenarioOptions,
): Promise<TriedScenario> => {
  const runs = own.map((planned) => {
    const check = checks.get(planned.key)
    if (check === undefined) throw new Error(`the plan contains an unknown check: ${planned.key}`)
    return { planned, check, run: perform(planned, check.scenario) }
  })
  const results = await Promise.all(
    runs.map(({ planned, check, run }) =>
      judgeCheck(planned, check, run, { seed, runs: runsOf(planned.requirement) }),
    ),
  )
  const exchanges = runs[0]?.run.exchanges ?? []
  onExchanges?.(
    own.map(({ requirement }) => requirement),
    exchanges,
  )
  return { results, exchanges: exchanges.flatMap(({ id }) => journal.read(id) ?? []) }
}
