import { defectsOfBodies } from './bodies.ts'
import { defectsOfDating } from './dating.ts'
import { defectsOfDeadTokens, defectsOfReading } from './access.ts'
import { defectsOfInitiating, defectsOfNaming } from './initiating.ts'
import { defectsOfMethods } from './methods.ts'
import { defectsOfRejecting } from './rejecting.ts'
import { defectsOfStatuses } from './statuses.ts'
import { defectsOfSubmitting } from './submitting.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfInitiating,
  ...defectsOfBodies,
  ...defectsOfRejecting,
  ...defectsOfDating,
  ...defectsOfReading,
  ...defectsOfSubmitting,
  ...defectsOfStatuses,
  ...defectsOfDeadTokens,
  ...defectsOfNaming,
  ...defectsOfMethods,
]
