import { defectsOfAnswering } from './defects-of-answering.ts'
import { defectsOfCarryingOut } from './defects-of-carrying-out.ts'
import { defectsOfDeadTokens } from './defects-of-dead-tokens.ts'
import { defectsOfRefusing } from './defects-of-refusing.ts'
import { defectsOfReporting } from './defects-of-reporting.ts'
import { defectsOfUpdating } from './defects-of-updating.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...defectsOfAnswering,
  ...defectsOfUpdating,
  ...defectsOfReporting,
  ...defectsOfRefusing,
  ...defectsOfDeadTokens,
  ...defectsOfCarryingOut,
]
