import { defectsOfIssuing } from './defects-of-issuing.ts'
import { defectsOfRefusing } from './defects-of-refusing.ts'
import { defectsOfRenewing } from './defects-of-renewing.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [...defectsOfIssuing, ...defectsOfRefusing, ...defectsOfRenewing]
