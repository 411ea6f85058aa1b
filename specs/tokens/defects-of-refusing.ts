import { defectsOfRefusingAnswers } from './defects-of-refusing-answers.ts'
import { defectsOfRefusingClients } from './defects-of-refusing-clients.ts'
import { defectsOfRefusingCodes } from './defects-of-refusing-codes.ts'
import { defectsOfRefusingRequests } from './defects-of-refusing-requests.ts'
import { defectsOfRefusingVerifiers } from './defects-of-refusing-verifiers.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong in refusing code exchanges. */
export const defectsOfRefusing: readonly Defect[] = [
  ...defectsOfRefusingClients,
  ...defectsOfRefusingVerifiers,
  ...defectsOfRefusingCodes,
  ...defectsOfRefusingRequests,
  ...defectsOfRefusingAnswers,
]
