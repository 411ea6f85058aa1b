import { defectsOfApplying, defectsOfReaching } from './applying.ts'
import { defectsOfBodies, defectsOfCalculating } from './calculating.ts'
import { pathDefects } from './paths.ts'
import { defectsOfRepetition } from './repetition.ts'
import { defectsOfTokens } from './tokens.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfTokens,
  ...defectsOfCalculating,
  ...defectsOfBodies,
  ...defectsOfApplying,
  ...defectsOfReaching,
  ...pathDefects,
  ...defectsOfRepetition,
]
