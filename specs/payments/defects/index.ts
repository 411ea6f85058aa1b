import { defectsOfBodies } from './bodies.ts'
import { defectsOfDating, defectsOfRules } from './dating.ts'
import { defectsOfDeadTokens, defectsOfReading } from './access.ts'
import { defectsOfInitiating, defectsOfNaming } from './initiating.ts'
import { defectsOfMethods, defectsOfRejecting } from './rejecting.ts'
import { defectsOfSubmitting } from './submitting.ts'
import { defectsOfStories } from './stories.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfInitiating,
  ...defectsOfBodies,
  ...defectsOfRejecting,
  ...defectsOfDating,
  ...defectsOfReading,
  ...defectsOfSubmitting,
  ...defectsOfRules,
  ...defectsOfStories,
  ...defectsOfDeadTokens,
  ...defectsOfNaming,
  ...defectsOfMethods,
]
