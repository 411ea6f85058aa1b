import type { Defect } from '../../harness/bank/defect.ts'
import { defectsOfCreating } from './defects-of-creating.ts'
import { defectsOfProving } from './defects-of-proving.ts'
import { defectsOfRefusing } from './defects-of-refusing.ts'
import { defectsOfUsing } from './defects-of-using.ts'

/** What a bank can get wrong about consents. */
export const defects: readonly Defect[] = [
  ...defectsOfCreating,
  ...defectsOfUsing,
  ...defectsOfProving,
  ...defectsOfRefusing,
]
