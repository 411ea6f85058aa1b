import { balanceDefects, detailDefects } from './detail.ts'
import { isolationDefects, statusDefects, tokenDefects } from './isolation.ts'
import { listDefects } from './list.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...listDefects,
  ...detailDefects,
  ...balanceDefects,
  ...isolationDefects,
  ...statusDefects,
  ...tokenDefects,
]
