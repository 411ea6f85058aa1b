import type { Defect } from '../../harness/bank/defect.ts'
import { defectsOfAsking } from './defects-of-asking.ts'
import { defectsOfChallenging } from './defects-of-challenging.ts'
import { defectsOfCodes } from './defects-of-codes.ts'
import { defectsOfDeciding } from './defects-of-deciding.ts'
import { defectsOfReturning } from './defects-of-returning.ts'
import { defectsOfStrangers } from './defects-of-strangers.ts'

/** What a bank can get wrong between the request of an application and the answer that its customer brings back. */
export const defects: readonly Defect[] = [
  ...defectsOfReturning,
  ...defectsOfCodes,
  ...defectsOfAsking,
  ...defectsOfDeciding,
  ...defectsOfChallenging,
  ...defectsOfStrangers,
]
