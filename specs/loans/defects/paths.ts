import type { Defect } from '../../../harness/bank/defect.ts'
import { defectsOfCanceling } from './paths-canceled.ts'
import { defectsOfSteps } from './paths-steps.ts'
import { defectsOfTimes } from './paths-times.ts'
import { defectsOfKeeping } from './paths-kept.ts'

/** What a bank can get wrong of the paths of its applications, and of their end. */
export const pathDefects: readonly Defect[] = [
  ...defectsOfSteps,
  ...defectsOfTimes,
  ...defectsOfCanceling,
  ...defectsOfKeeping,
]
