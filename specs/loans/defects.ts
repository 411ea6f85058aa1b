import { defectsOfApplying } from './defects-of-applying.ts'
import { defectsOfBodies } from './defects-of-bodies.ts'
import { defectsOfCalculating } from './defects-of-calculating.ts'
import { pathDefects } from './defects-of-paths.ts'
import { defectsOfReaching } from './defects-of-reaching.ts'
import { defectsOfRepetition } from './defects-of-repetition.ts'
import { defectsOfTokens } from './defects-of-tokens.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfTokens,
  ...defectsOfCalculating,
  ...defectsOfBodies,
  ...defectsOfApplying,
  ...defectsOfReaching,
  ...pathDefects,
  ...defectsOfRepetition,
]
