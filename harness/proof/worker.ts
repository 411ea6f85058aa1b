import { loadCatalogue } from '../plan/catalogue.ts'
import { judgeDefect, judgeVariation } from './proof.ts'
import { loadDefects, loadVariations } from './suspects.ts'
import { runTrial } from './trial.ts'
import type { DefectTrial, VariationTrial } from './proof.ts'
import type { TrialOptions } from './trial.ts'

/** A process that runs trials, one after the other, as it is told to. */

export type Order = TrialOptions & ({ readonly defect: string } | { readonly variation: string })
export type Finding = { readonly defect: DefectTrial } | { readonly variation: VariationTrial }

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])
const variations = loadVariations()

const tryOrder = async (order: Order): Promise<Finding> => {
  if ('variation' in order) {
    const variation = variations.find(({ id }) => id === order.variation)
    if (variation === undefined) throw new Error(`no variation has the id ${order.variation}`)
    const environments =
      order.variation === 'as-it-is' ? (['sandbox', 'production'] as const) : (['sandbox'] as const)
    const runs = await Promise.all(
      environments.map((environment) => runTrial(catalogue, { variation }, { ...order, environment })),
    )
    return { variation: judgeVariation(variation.id, runs.flat()) }
  }
  const defect = defects.find(({ id }) => id === order.defect)
  if (defect === undefined) throw new Error(`no defect has the id ${order.defect}`)
  const results = await runTrial(catalogue, { defect }, { ...order, environment: defect.environment })
  return { defect: judgeDefect(defect, results) }
}

process.on('message', (order: Order) => {
  tryOrder(order).then(
    (finding) => process.send?.(finding),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')
