import { defectsOfRenewing } from './defects-of-renewing.ts'
import type { Defect } from '../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [...defectsOfRenewing]
