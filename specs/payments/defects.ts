import { defectsOfBodies } from './defects-of-bodies.ts'
import { defectsOfDating } from './defects-of-dating.ts'
import { defectsOfDeadTokens } from './defects-of-dead-tokens.ts'
import { defectsOfInitiating } from './defects-of-initiating.ts'
import { defectsOfMethods } from './defects-of-methods.ts'
import { defectsOfNaming } from './defects-of-naming.ts'
import { defectsOfReading } from './defects-of-reading.ts'
import { defectsOfRejecting } from './defects-of-rejecting.ts'
import { defectsOfSubmitting } from './defects-of-submitting.ts'
import { defectsOfRules } from './defects-of-rules.ts'
import { defectsOfStories } from './defects-of-stories.ts'
import type { Defect } from '../../harness/bank/defect.ts'

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
