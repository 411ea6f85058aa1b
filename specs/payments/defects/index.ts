import { defectsOfBodies } from './bodies.ts'
import { defectsOfDating } from './dating.ts'
import { defectsOfDeadTokens } from './dead-tokens.ts'
import { defectsOfInitiating } from './initiating.ts'
import { defectsOfMethods } from './methods.ts'
import { defectsOfNaming } from './naming.ts'
import { defectsOfReading } from './reading.ts'
import { defectsOfRejecting } from './rejecting.ts'
import { defectsOfSubmitting } from './submitting.ts'
import { defectsOfRules } from './rules.ts'
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
