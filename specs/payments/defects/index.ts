import { defectsOfBodies } from './bodies.ts'
import { defectsOfAccess } from './access.ts'
import { defectsOfDating } from './dating.ts'
import { defectsOfInitiating } from './initiating.ts'
import { defectsOfKeeping } from './keeping.ts'
import { lifeDefects } from './life.ts'
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
  ...defectsOfAccess,
  ...defectsOfSubmitting,
  ...defectsOfStatuses,
  ...defectsOfKeeping,
  ...defectsOfMethods,
  ...lifeDefects,
]
