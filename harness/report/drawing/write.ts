import { join } from 'node:path'
import { writeWhole } from '../json.ts'
import { renderModel } from './svg.ts'
import { tallyVisits } from './tally.ts'
import type { Visits } from '../../check/result.ts'

/** The file of a model's drawing: `payment-model.svg`. */
export const drawingOf = (model: string): string => `${model}-model.svg`

/** Draws each model that a run has visited. */
export const writeDrawings = (visits: readonly Visits[], outDir: string): void => {
  for (const tally of tallyVisits(visits)) writeWhole(join(outDir, drawingOf(tally.name)), renderModel(tally))
}
