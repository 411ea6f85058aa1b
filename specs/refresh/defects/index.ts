import { answerDefects } from './answers.ts'
import { consentDefects } from './consents.ts'
import { dataDefects } from './data.ts'
import { reportDefects } from './reports.ts'
import { tokenDefects } from './tokens.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

export const defects: readonly Defect[] = [
  ...answerDefects,
  ...reportDefects,
  ...dataDefects,
  ...tokenDefects,
  ...consentDefects,
]
