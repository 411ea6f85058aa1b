import { consentDefects } from './consents.ts'
import { dataDefects } from './data.ts'
import { taskDefects } from './tasks.ts'
import { tokenDefects } from './tokens.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [...taskDefects, ...dataDefects, ...tokenDefects, ...consentDefects]
