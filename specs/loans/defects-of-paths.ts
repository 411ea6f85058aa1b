import type { Defect } from '../../harness/bank/defect.ts'
import { defectsOfCanceling } from './defects-of-paths-canceled.ts'
import { defectsOfSteps } from './defects-of-paths-steps.ts'
import { defectsOfTimes } from './defects-of-paths-times.ts'
import { defectsOfKeeping } from './defects-of-paths-kept.ts'

/** What a bank can get wrong of the paths of its applications, and of their end. */
export const pathDefects: readonly Defect[] = [
  ...defectsOfSteps,
  ...defectsOfTimes,
  ...defectsOfCanceling,
  ...defectsOfKeeping,
]
