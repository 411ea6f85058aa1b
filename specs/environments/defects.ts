import type { Defect } from '../../harness/bank/defect.ts'
import { defectsOfLoans } from './defects-of-loans.ts'
import { defectsOfOperations } from './defects-of-operations.ts'
import { defectsOfSeparation } from './defects-of-separation.ts'
import { defectsOfServing } from './defects-of-serving.ts'

/** What a bank can get wrong between its environments and versions. */
export const defects: readonly Defect[] = [
  ...defectsOfServing,
  ...defectsOfSeparation,
  ...defectsOfLoans,
  ...defectsOfOperations,
]
