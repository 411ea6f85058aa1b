import { amountDefects } from './amounts.ts'
import { applicationDefects } from './applying.ts'
import { cancelingDefects } from './canceling.ts'
import { lifeDefects } from './life.ts'
import { pathDefects } from './paths.ts'
import { tokenDefects } from './tokens.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...tokenDefects,
  ...amountDefects,
  ...applicationDefects,
  ...pathDefects,
  ...cancelingDefects,
  ...lifeDefects,
]
