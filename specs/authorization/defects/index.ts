import type { Defect } from '../../shared/changes.ts'
import { answerDefects } from './answers.ts'
import { challengeDefects } from './challenges.ts'
import { clientDefects } from './clients.ts'
import { codeDefects } from './codes.ts'
import { decisionDefects } from './decisions.ts'
import { redirectUriDefects } from './redirect-uris.ts'
import { requestDefects } from './requests.ts'

/** Faults of a bank from the authorization request to the answer that the browser carries back. */
export const defects: readonly Defect[] = [
  ...answerDefects,
  ...codeDefects,
  ...requestDefects,
  ...decisionDefects,
  ...challengeDefects,
  ...clientDefects,
  ...redirectUriDefects,
]
