import type { Defect } from '../../../harness/bank/defect.ts'
import { answerDefects } from './answers.ts'
import { bearerDefects } from './bearer.ts'
import { clientAuthenticationDefects } from './client-authentication.ts'
import { codeDefects } from './codes.ts'
import { expiryDefects } from './expiry.ts'
import { lifeDefects } from './life.ts'
import { refusalDefects } from './refusals.ts'
import { renewalDefects } from './renewal.ts'
import { requestDefects } from './requests.ts'
import { revocationDefects } from './revocation.ts'
import { tokenValueDefects } from './token-values.ts'
import { verifierDefects } from './verifiers.ts'

/** Faults of a bank in its token endpoint, and in the tokens of data calls. */
export const defects: readonly Defect[] = [
  ...answerDefects,
  ...requestDefects,
  ...tokenValueDefects,
  ...clientAuthenticationDefects,
  ...verifierDefects,
  ...codeDefects,
  ...refusalDefects,
  ...bearerDefects,
  ...renewalDefects,
  ...expiryDefects,
  ...revocationDefects,
  ...lifeDefects,
]
