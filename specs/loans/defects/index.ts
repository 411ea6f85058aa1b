import { defectsOfApplying } from './applying.ts'
import { defectsOfBodies } from './bodies.ts'
import { defectsOfCalculating } from './calculating.ts'
import { pathDefects } from './paths.ts'
import { defectsOfReaching } from './reaching.ts'
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
