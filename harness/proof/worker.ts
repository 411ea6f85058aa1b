import { configureGlobal } from 'fast-check'
import { rulesIn } from '../bank/bank.ts'
import { transportVariations } from '../bank/variations/transport-variations.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { withPlainMessages } from './plain-messages.ts'
import { judgeDefect, judgeVariation } from './proof.ts'
import { recollect } from './recollection.ts'
import { isUntouchedBy } from './replay.ts'
import { AS_IT_IS, dialectOf, isDialect, loadDefects, loadVariations } from './suspects.ts'
import { runTrial } from './trial.ts'
import type { Variation } from '../bank/defect.ts'
import type { DefectTrial, VariationTrial } from './proof.ts'
import type { Recollections } from './recollection.ts'
import type { TrialOptions } from './trial.ts'

/** A process that runs trials, one after the other, as it is told to. */

export type Order = Ordered & (OrderedDefect | { readonly variation: string })

interface OrderedDefect {
  readonly defect: string
  /** The requirements that it is to be caught by. */
  readonly breaks: readonly string[]
  /** Where it is tried. */
  readonly environment: Environment
}

interface Ordered {
  readonly only: readonly string[]
  readonly seed: number
  readonly runs: number
  /** The id of the dialect that every bank is tried in; the bank's own words, if it is left out. */
  readonly dialect?: string | undefined
}

export type Finding = { readonly defect: DefectTrial } | { readonly variation: VariationTrial }

type Environment = NonNullable<TrialOptions['environment']>

/** Runs of a property that is not expected to find anything: enough to show that it raises no alarm. */
const FEW = 4

// That a property is broken is all that is asked here: a smaller counterexample would tell a reader more, and is red alike.
configureGlobal({ endOnFailure: true })

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])
const variations = loadVariations()
const remembered = new Map<string, Promise<Recollections>>()

const spoken = ({ dialect }: Ordered) => (dialect === undefined ? undefined : dialectOf(dialect))

const recollections = (environment: Environment, order: Ordered): Promise<Recollections> => {
  const { only, seed, dialect = '' } = order
  const key = [environment, dialect, ...only].join(' ')
  const options = { environment, dialect: spoken(order), only, seed, runsOf: () => FEW }
  const known = remembered.get(key) ?? recollect(catalogue, options)
  remembered.set(key, known)
  return known
}

type Change = Pick<Variation, 'rules' | 'wire' | 'server'>

/** The scenarios that a bank with this change leads to the same end as the lawful one. */
const untouchedScenarios = async (
  change: Change,
  environment: Environment,
  order: Ordered,
): Promise<ReadonlySet<string>> => {
  const known = await recollections(environment, order)
  const isUntouched = isUntouchedBy(change, known, rulesIn(spoken(order)))
  // Side by side: some banks take their time over an answer.
  const verdicts = await withPlainMessages(() =>
    Promise.all([...known.keys()].map(async (scenario) => ((await isUntouched(scenario)) ? [scenario] : []))),
  )
  return new Set(verdicts.flat())
}

/**
 * The checks that the defect names are tried in full: to ask again, one question after the other, does not show what is
 * wrong for many values, or at the same moment. Every other one is tried where the defect shows.
 */
const tryDefect = async (order: Ordered & OrderedDefect): Promise<Finding> => {
  const defect = defects.find(({ id }) => id === order.defect)
  if (defect === undefined) throw new Error(`no defect has the id ${order.defect}`)
  const { environment } = order
  const broken = new Set(order.breaks)
  const untouched = await untouchedScenarios(defect, environment, order)
  const options: TrialOptions = {
    environment,
    dialect: spoken(order),
    only: order.only,
    isKnown: ({ requirement, scenario }) => !broken.has(requirement) && untouched.has(scenario),
    socket: false,
    seed: order.seed,
    runsOf: (requirement) => (broken.has(requirement) ? order.runs : FEW),
  }
  const results = await runTrial(catalogue, () => ({ defect }), options)
  return { defect: judgeDefect({ ...defect, breaks: order.breaks }, results) }
}

/** The reference bank itself is tried in full, in both environments; over sockets `npm test` does. */
const tryReference = async (order: Ordered): Promise<Finding> => {
  const { only, seed, runs } = order
  const options = { dialect: spoken(order), only, seed, socket: false, runsOf: () => runs }
  const trials = (['sandbox', 'production'] as const).map((environment) =>
    runTrial(catalogue, () => ({}), { ...options, environment }),
  )
  return { variation: judgeVariation(AS_IT_IS, (await Promise.all(trials)).flat()) }
}

/** All that is said differs, so that nothing of it is known. */
const tryDialect = async (id: string, { only, seed }: Ordered): Promise<Finding> => {
  const options = { dialect: dialectOf(id), only, seed, socket: false, runsOf: () => FEW }
  return { variation: judgeVariation(id, await runTrial(catalogue, () => ({}), options)) }
}

const tryVariation = async (id: string, order: Ordered): Promise<Finding> => {
  if (id === AS_IT_IS) return tryReference(order)
  if (isDialect(id)) return tryDialect(id, order)
  const variation = variations.find((one) => one.id === id)
  if (variation === undefined) throw new Error(`no variation has the id ${id}`)
  const untouched = await untouchedScenarios(variation, 'sandbox', order)
  const options: TrialOptions = {
    dialect: spoken(order),
    only: order.only,
    isKnown: ({ scenario }) => untouched.has(scenario),
    socket: transportVariations.includes(variation),
    seed: order.seed,
    runsOf: () => FEW,
  }
  return { variation: judgeVariation(id, await runTrial(catalogue, () => ({ variation }), options)) }
}

const carryOut = (order: Order): Promise<Finding> =>
  'defect' in order ? tryDefect(order) : tryVariation(order.variation, order)

process.on('message', (order: Order) => {
  carryOut(order).then(
    (finding) => process.send?.(finding),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')
