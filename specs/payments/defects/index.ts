import { defectsOfBodies } from './bodies.ts'
import { defectsOfDating, defectsOfRules } from './dating.ts'
import { defectsOfAccess } from './access.ts'
import { defectsOfInitiating } from './initiating.ts'
import { defectsOfKeeping } from './keeping.ts'
import { defectsOfMethods, defectsOfRejecting } from './rejecting.ts'
import { defectsOfSubmitting } from './submitting.ts'
import { defectsOfStories } from './stories.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfInitiating,
  ...defectsOfBodies,
  ...defectsOfRejecting,
  ...defectsOfDating,
  ...defectsOfAccess,
  ...defectsOfSubmitting,
  ...defectsOfRules,
  ...defectsOfStories,
  ...defectsOfKeeping,
  ...defectsOfMethods,
]
