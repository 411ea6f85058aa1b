import { ChartType } from '@allurereport/charts-api'
import { SEVERITY } from './check-case.ts'
import type { ChartOptions } from '@allurereport/charts-api'

const levels = Object.entries(SEVERITY)

/**
 * The drawings of the page that say something of one run. Most of those that the generator makes unasked compare it with
 * earlier runs, which the page knows nothing of, and one shows in red what does not apply.
 */
export const CHARTS: ChartOptions[] = [
  { type: ChartType.CurrentStatus, title: 'Checks' },
  {
    type: ChartType.TrSeverities,
    title: `Checks by level: ${levels.map(([level, severity]) => `${severity} is ${level}`).join(', ')}`,
    levels: levels.map(([, severity]) => severity),
    statuses: ['passed', 'failed', 'broken', 'skipped', 'unknown'],
    includeUnset: false,
  },
  { type: ChartType.ProblemsDistribution, by: 'environment', title: 'Checks that did not pass, by chapter' },
  { type: ChartType.Durations, title: 'How long the checks took', groupBy: 'none' },
]
