import { join } from 'node:path'
import { writeWhole } from '../json.ts'
import { renderModel } from './svg.ts'
import { tallyVisits } from './tally.ts'
import { renderTimeLine } from './time-line.ts'
import type { KeptTimeLine, Visits } from '../../check/result.ts'

/** The file of a model's drawing: `payment-model.svg`. */
export const drawingOf = (model: string): string => `${model}-model.svg`

/** Draws each model that a run has visited. */
export const writeDrawings = (visits: readonly Visits[], outDir: string): void => {
  for (const tally of tallyVisits(visits)) writeWhole(join(outDir, drawingOf(tally.name)), renderModel(tally))
}

/** The file of a loan path's time line: `loan-path-client.svg`. */
export const drawingOfTimeLine = (path: string): string => `loan-path-${path}.svg`

/** Draws the time line of each path that an application was followed on. */
export const writeTimeLines = (lines: readonly KeptTimeLine[], outDir: string): void => {
  for (const line of lines) writeWhole(join(outDir, drawingOfTimeLine(line.path)), renderTimeLine(line))
}
