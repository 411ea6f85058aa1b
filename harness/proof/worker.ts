import { lawfulRules } from '../bank/rules.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { judgeDefect, judgeVariation } from './proof.ts'
import { observeRules } from './rules-asked.ts'
import { loadDefects, loadVariations } from './suspects.ts'
import { runTrial } from './trial.ts'
import type { Defect } from '../bank/defect.ts'
import type { DefectTrial, VariationTrial } from './proof.ts'
import type { RulesAsked } from './rules-asked.ts'
import type { TrialOptions } from './trial.ts'

/** A process that runs trials, one after the other, as it is told to. */

export type Order = Pick<TrialOptions, 'only' | 'seed' | 'runs'> &
  ({ readonly defect: string } | { readonly variation: string })
export type Finding = { readonly defect: DefectTrial } | { readonly variation: VariationTrial }

type Environment = NonNullable<TrialOptions['environment']>

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])
const variations = loadVariations()
const observed = new Map<string, Promise<RulesAsked>>()

const rulesAsked = (options: TrialOptions): Promise<RulesAsked> => {
  const key = JSON.stringify(options)
  const known = observed.get(key) ?? observeRules(catalogue, options)
  observed.set(key, known)
  return known
}

/** Where the wire is decorated, any scenario may see another bank; else those alone that ask a replaced rule. */
const knownUnder = async (
  { rules = {}, wire }: Defect,
  options: TrialOptions,
): Promise<(scenario: string) => boolean> => {
  if (wire !== undefined) return () => false
  const replaced = Object.keys(typeof rules === 'function' ? rules(lawfulRules) : rules)
  const asked = await rulesAsked(options)
  return (scenario) => !replaced.some((rule) => asked.get(scenario)?.has(rule) ?? true)
}

const tryDefect = async (id: string, order: TrialOptions): Promise<Finding> => {
  const defect = defects.find((one) => one.id === id)
  if (defect === undefined) throw new Error(`no defect has the id ${id}`)
  const options = { ...order, environment: defect.environment ?? 'sandbox' }
  const isKnown = await knownUnder(defect, options)
  return {
    defect: judgeDefect(defect, await runTrial(catalogue, () => ({ defect }), { ...options, isKnown })),
  }
}

const tryVariation = async (id: string, order: TrialOptions): Promise<Finding> => {
  const variation = variations.find((one) => one.id === id)
  if (variation === undefined) throw new Error(`no variation has the id ${id}`)
  const environments: readonly Environment[] = id === 'as-it-is' ? ['sandbox', 'production'] : ['sandbox']
  const runs = environments.map((environment) =>
    runTrial(catalogue, () => ({ variation }), { ...order, environment }),
  )
  return { variation: judgeVariation(id, (await Promise.all(runs)).flat()) }
}

const carryOut = (order: Order): Promise<Finding> => {
  const { only, seed, runs } = order
  const options = { only: only ?? [], seed, runs }
  return 'defect' in order ? tryDefect(order.defect, options) : tryVariation(order.variation, options)
}

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
