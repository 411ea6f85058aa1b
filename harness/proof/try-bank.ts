import { configureGlobal } from 'fast-check'
import { rulesIn } from '../bank/bank.ts'
import { transportVariations } from '../bank/variations/body-variations.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { OWN_CHECKS_VARIABLE } from './pool.ts'
import { CONDITIONS, under, type Condition } from './conditions.ts'
import { tryWithDefect, type Shown } from './hiding.ts'
import { isUnaffected, recordScenarios, type Change, type Recordings } from './recording.ts'
import {
  bankIdOf,
  changesOf,
  declaredOf,
  forAllScenarios,
  partsOf,
  tryRandomBank,
  type RandomBank,
} from './random-bank.ts'
import { judgeDefect, judgeVariation } from './result.ts'
import {
  dialectOf,
  generalRows,
  isDialect,
  loadDefects,
  loadVariations,
  UNCHANGED,
  withId,
} from './selection.ts'
import { runTrial, violatedIn, type TrialOptions } from './trial.ts'
import { variationProfile } from '../connection/reference-bank/reference-profile.ts'
import type {
  BankResult,
  ConditionResult,
  DefectInBank,
  DefectInBanksResult,
  DefectResult,
  TrialResult,
  VariationResult,
} from './result.ts'
import type {
  BankTask,
  ChapterDefect,
  CommonTask,
  ConditionTask,
  DefectInBanksTask,
  DefectTask,
  Task,
} from './selection.ts'

/** Tries the checks on one bank. A process of the pool runs it for one task after the other. */

type Environment = NonNullable<TrialOptions['environment']>

/** Runs of a property that no defect breaks: enough to show an alarm. */
const FEW = 4

// Whether a property is violated is all that matters here: no smaller counterexample is searched for.
configureGlobal({ endOnFailure: true })

const catalogue = await loadCatalogue(process.env[OWN_CHECKS_VARIABLE])
const defects = await loadDefects(catalogue.own)
const variations = loadVariations()
const recordings = new Map<string, Promise<Recordings>>()

const general = generalRows(catalogue)

const defectOf = (id: string): ChapterDefect => withId(defects, id)

const dialectFor = ({ dialect }: CommonTask) => (dialect === undefined ? undefined : dialectOf(dialect))

const commonOptions = (task: CommonTask) => ({
  dialect: dialectFor(task),
  only: task.only,
  seed: task.seed,
  socket: false,
  runsOf: () => (task.exhaustive === true ? task.runs : FEW),
})

/** Made once for all banks of an environment. */
const recordingsFor = (environment: Environment, task: CommonTask): Promise<Recordings> => {
  const { only, seed, dialect = '' } = task
  const key = [environment, dialect, seed, ...only].join(' ')
  const known = recordings.get(key) ?? recordScenarios(catalogue, { ...commonOptions(task), environment })
  recordings.set(key, known)
  return known
}

/** The scenarios that end on a bank with this change as they do on the unchanged one. */
const unaffectedScenarios = async (
  change: Change,
  environment: Environment,
  task: CommonTask,
): Promise<ReadonlySet<string>> => {
  if (task.exhaustive === true) return new Set()
  const recorded = await recordingsFor(environment, task)
  const conforming = rulesIn(dialectFor(task))
  // At the same time: some banks wait before they answer.
  const scenarios = [...recorded].map(async ([scenario, recording]) =>
    (await isUnaffected(change, recording, conforming)) ? [scenario] : [],
  )
  return new Set((await Promise.all(scenarios)).flat())
}

/**
 * The checks of the requirements that a defect breaks are always run: a replay asks one question after the other and does
 * not show what is wrong for many values, or at the same moment. The other checks are run in affected scenarios.
 */
const tryDefect = async (task: CommonTask & DefectTask): Promise<DefectResult> => {
  const defect = defectOf(task.id)
  const { environment, breaks, isCaughtOnly = false } = task
  const broken = new Set(breaks)
  const unaffected = isCaughtOnly ? undefined : await unaffectedScenarios(defect, environment, task)
  const options: TrialOptions = {
    ...commonOptions(task),
    environment,
    // What is red in a general row says nothing of a defect that breaks another one.
    isKnown: ({ requirement, scenario }) =>
      !broken.has(requirement) && (general.has(requirement) || unaffected?.has(scenario) !== false),
    searches: true,
    isOneEnough: isCaughtOnly,
    runsOf: (requirement) => (broken.has(requirement) || task.exhaustive === true ? task.runs : FEW),
  }
  // In the reference bank itself each defect must be caught.
  if (task.dialect === undefined)
    return judgeDefect(
      { ...defect, breaks },
      await runTrial(catalogue, () => ({ defect }), options),
      undefined,
      general,
    )
  const { results, shown } = await tryWithDefect(catalogue, { defect, breaks, bank: {} }, options)
  return judgeDefect({ ...defect, breaks }, results, shown, general)
}

/** All checks in both environments, with all runs. `npm test` does the same over sockets. */
const tryUnchanged = async (task: CommonTask): Promise<VariationResult> => {
  const options = { ...commonOptions(task), runsOf: () => task.runs }
  const trials = (['sandbox', 'production'] as const).map((environment) =>
    runTrial(catalogue, () => ({}), { ...options, environment }),
  )
  return judgeVariation(UNCHANGED, (await Promise.all(trials)).flat())
}

const tryVariation = async (task: CommonTask): Promise<VariationResult> => {
  const { id } = task
  if (id === UNCHANGED) return tryUnchanged(task)
  // A dialect changes every message, so that no scenario is unaffected.
  if (isDialect(id))
    return judgeVariation(
      id,
      await runTrial(catalogue, () => ({}), { ...commonOptions(task), dialect: dialectOf(id) }),
    )
  const variation = withId(variations, id)
  const profile = variationProfile(id)
  // With another profile a scenario may ask otherwise than what is recorded.
  const unaffected =
    profile === undefined ? await unaffectedScenarios(variation, 'sandbox', task) : new Set<string>()
  const known = new Set<string>()
  const results = await runTrial(catalogue, () => ({ variation }), {
    ...commonOptions(task),
    ...(profile && { profile }),
    isKnown({ scenario, requirement }) {
      if (unaffected.has(scenario)) known.add(requirement)
      return unaffected.has(scenario)
    },
    socket: transportVariations.includes(variation),
  })
  const { neverOccurs } = variation
  return judgeVariation(id, results, { neverOccurs, known })
}

/**
 * A bank that is composed at random. Every second one serves all scenarios, as a real bank does. Smaller banks judge only the
 * requirements that raised an alarm.
 */
const tryBank = async (task: CommonTask & BankTask): Promise<BankResult> => {
  const { seed, path } = task
  const id = bankIdOf(seed)
  const isOneBank = seed % 2 === 1
  let whole: BankResult | undefined
  let last: VariationResult | undefined
  const counterexample = await tryRandomBank(
    seed,
    async (composed) => {
      const bank = isOneBank ? forAllScenarios(composed) : composed
      const { variation, dialect, profile } = changesOf(id, bank)
      const results = await runTrial(catalogue, () => ({ variation }), {
        ...commonOptions(task),
        dialect,
        profile,
        isOneBank,
        isKnown: ({ requirement }) => whole !== undefined && !whole.alarms.includes(requirement),
      })
      const result = judgeVariation(id, results, { neverOccurs: variation.neverOccurs })
      const parts = [...partsOf(bank), ...(isOneBank ? ['one bank for all scenarios'] : [])]
      whole ??= { ...result, seed, parts }
      if (result.alarms.length > 0) last = result
      return result.alarms.length === 0
    },
    path,
  )
  if (whole === undefined) throw new Error(`no bank was composed with the seed ${seed}`)
  if (counterexample === undefined) return whole
  const reasons = last?.reasons ?? []
  return { ...whole, smallest: { parts: partsOf(counterexample.bank), path: counterexample.path, reasons } }
}

/** A defect in a bank that is composed at random. Only the checks that must catch it are run. */
const tryDefectInBank = async (task: CommonTask & DefectInBanksTask, seed: number): Promise<DefectInBank> => {
  const { breaks, environment, runs } = task
  let whole: Shown | undefined
  const counterexample = await tryRandomBank(seed, async (composed: RandomBank) => {
    const bank = { ...composed, without: [] }
    const { variation, dialect } = changesOf(bankIdOf(seed), bank)
    const defect = defectOf(task.id)
    const { shown } = await tryWithDefect(
      catalogue,
      { defect, breaks, bank: { variation } },
      {
        ...commonOptions(task),
        dialect,
        profile: declaredOf(bank),
        environment,
        isKnown: ({ requirement }) => !breaks.includes(requirement),
        searches: true,
        isOneEnough: true,
        runsOf: () => runs,
      },
    )
    whole ??= shown
    return shown.missed.length === 0
  })
  if (whole === undefined) throw new Error(`no bank was composed with the seed ${seed}`)
  const { hidden, notReached, reported, missed } = whole
  const result = { seed, hidden, notReached, reported, missed }
  if (counterexample === undefined) return result
  const { bank, path } = counterexample
  return { ...result, smallest: { parts: partsOf({ ...bank, without: [] }), path } }
}

const tryDefectInBanks = async (task: CommonTask & DefectInBanksTask): Promise<DefectInBanksResult> => {
  const banks: DefectInBank[] = []
  for (const seed of task.banks) banks.push(await tryDefectInBank(task, seed))
  return { id: task.id, chapter: defectOf(task.id).chapter, breaks: task.breaks, banks }
}

/** A defect under a condition, with the checks that must catch it. */
const tryUnderCondition = async (task: CommonTask & ConditionTask): Promise<ConditionResult> => {
  const { id, breaks, condition, environment, runs } = task
  const options: TrialOptions = {
    ...commonOptions(task),
    environment,
    isKnown: ({ requirement }) => !breaks.includes(requirement),
    isOneEnough: true,
    runsOf: () => runs,
  }
  const outcomeWith = async (circumstances: Condition['again']): Promise<ConditionResult['outcome']> => {
    const exercise = { isKnown: false, isExercised: false }
    const defect = under(condition, defectOf(id), exercise)
    const own = { ...options, ...circumstances }
    // Recorded, so that it draws the same values each time.
    const results = await runTrial(catalogue, () => ({ defect }), { ...own, onExchanges: () => undefined })
    if (violatedIn(results).size > 0) return 'caught'
    if (!exercise.isKnown) return 'not-applicable'
    const { shown } = await tryWithDefect(
      catalogue,
      { defect, breaks, bank: {}, couldDiffer: () => exercise.isExercised },
      { ...own, searches: true },
    )
    if (shown.caught.length > 0) return 'caught'
    return exercise.isExercised && shown.hidden.length < breaks.length ? 'missed' : 'not-exercised'
  }
  const usual = await outcomeWith(undefined)
  const { again }: Condition = CONDITIONS[condition]
  const outcome = usual === 'not-exercised' && again !== undefined ? await outcomeWith(again) : usual
  return { id, chapter: defectOf(id).chapter, breaks, condition, outcome }
}

export default (task: Task): Promise<TrialResult> => {
  switch (task.kind) {
    case 'defect':
      return tryDefect(task)
    case 'variation':
      return tryVariation(task)
    case 'bank':
      return tryBank(task)
    case 'condition':
      return tryUnderCondition(task)
    case 'defect-in-banks':
      return tryDefectInBanks(task)
  }
}
