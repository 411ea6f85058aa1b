import { consentDefects, tokenDefects } from './tokens.ts'
import { dataDefects, taskDefects } from './tasks.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [...taskDefects, ...dataDefects, ...tokenDefects, ...consentDefects]
