import { configureGlobal } from 'fast-check'
import { rulesIn } from '../bank/bank.ts'
import { transportVariations } from '../bank/variations/body-variations.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { isUnaffected, recordScenarios } from './recording.ts'
import { judgeDefect, judgeVariation } from './result.ts'
import { dialectOf, isDialect, loadDefects, loadVariations, UNCHANGED } from './selection.ts'
import { runTrial } from './trial.ts'
import type { Change, Recordings } from './recording.ts'
import type { DefectResult, VariationResult } from './result.ts'
import type { CommonTask, DefectTask, Task } from './selection.ts'
import type { TrialOptions } from './trial.ts'

/** Tries the checks on one bank. A process of the pool runs it for one task after the other. */

type Environment = NonNullable<TrialOptions['environment']>

/** Runs of a property that no defect breaks: enough to show an alarm. */
const FEW = 4

// Whether a property is violated is all that matters here: no smaller counterexample is searched for.
configureGlobal({ endOnFailure: true })

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])
const variations = loadVariations()
const recordings = new Map<string, Promise<Recordings>>()

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
  const lawful = rulesIn(dialectFor(task))
  // At the same time: some banks wait before they answer.
  const scenarios = [...recorded].map(async ([scenario, recording]) =>
    (await isUnaffected(change, recording, lawful)) ? [scenario] : [],
  )
  return new Set((await Promise.all(scenarios)).flat())
}

/**
 * The checks of the requirements that a defect breaks are always run: a replay asks one question after the other and does
 * not show what is wrong for many values, or at the same moment. The other checks are run in affected scenarios.
 */
const tryDefect = async (task: CommonTask & DefectTask): Promise<DefectResult> => {
  const defect = defects.find(({ id }) => id === task.id)
  if (defect === undefined) throw new Error(`no defect has the id ${task.id}`)
  const { environment } = task
  const broken = new Set(task.breaks)
  const unaffected = await unaffectedScenarios(defect, environment, task)
  const results = await runTrial(catalogue, () => ({ defect }), {
    ...{ ...commonOptions(task), environment },
    isKnown: ({ requirement, scenario }) => !broken.has(requirement) && unaffected.has(scenario),
    runsOf: (requirement) => (broken.has(requirement) || task.exhaustive === true ? task.runs : FEW),
  })
  return judgeDefect({ ...defect, breaks: task.breaks }, results)
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
  const variation = variations.find((one) => one.id === id)
  if (variation === undefined) throw new Error(`no variation has the id ${id}`)
  const unaffected = await unaffectedScenarios(variation, 'sandbox', task)
  const results = await runTrial(catalogue, () => ({ variation }), {
    ...commonOptions(task),
    isKnown: ({ scenario }) => unaffected.has(scenario),
    socket: transportVariations.includes(variation),
  })
  return judgeVariation(id, results)
}

export default (task: Task): Promise<DefectResult | VariationResult> =>
  task.kind === 'defect' ? tryDefect(task) : tryVariation(task)
