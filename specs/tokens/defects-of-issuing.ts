import { defectsOfIssuingAnswers } from './defects-of-issuing-answers.ts'
import { defectsOfIssuingFields } from './defects-of-issuing-fields.ts'
import { defectsOfIssuingRequests } from './defects-of-issuing-requests.ts'
import { defectsOfIssuingSecrets } from './defects-of-issuing-secrets.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong in issuing tokens. */
export const defectsOfIssuing: readonly Defect[] = [
  ...defectsOfIssuingFields,
  ...defectsOfIssuingAnswers,
  ...defectsOfIssuingRequests,
  ...defectsOfIssuingSecrets,
]
