import type { Defect } from '../../../harness/bank/defect.ts'
import { answerDefects } from './answers.ts'
import { challengeDefects, codeDefects } from './codes.ts'
import { clientDefects, requestDefects } from './requests.ts'
import { decisionDefects } from './decisions.ts'

/** Faults of a bank from the authorization request to the answer that the browser carries back. */
export const defects: readonly Defect[] = [
  ...answerDefects,
  ...codeDefects,
  ...requestDefects,
  ...decisionDefects,
  ...challengeDefects,
  ...clientDefects,
]
