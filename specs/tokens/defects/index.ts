import type { Defect } from '../../../harness/bank/defect.ts'
import { answerDefects } from './answers.ts'
import { bearerDefects } from './bearer.ts'
import { clientAuthenticationDefects } from './client-authentication.ts'
import { codeDefects, verifierDefects } from './codes.ts'
import { expiryDefects } from './expiry.ts'
import { lateRenewalDefects, renewalDefects, renewalRefusalDefects } from './renewal.ts'
import { refusalDefects, revocationDefects } from './refusals.ts'
import { requestDefects } from './requests.ts'
import { tokenValueDefects } from './token-values.ts'

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
  ...renewalRefusalDefects,
  ...expiryDefects,
  ...lateRenewalDefects,
  ...revocationDefects,
]
