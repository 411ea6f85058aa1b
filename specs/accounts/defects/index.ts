import { detailDefects } from './detail.ts'
import { isolationDefects } from './isolation.ts'
import { listDefects } from './list.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [...listDefects, ...detailDefects, ...isolationDefects]
