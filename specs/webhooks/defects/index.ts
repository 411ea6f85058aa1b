import { accountEventDefects } from './account-events.ts'
import { callDefects } from './calls.ts'
import { lifeDefects } from './life.ts'
import { settingDefects } from './settings.ts'
import { transactionEventDefects } from './transaction-events.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...settingDefects,
  ...callDefects,
  ...transactionEventDefects,
  ...accountEventDefects,
  ...lifeDefects,
]
