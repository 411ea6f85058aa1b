/**
 * Banks that are different, and right: each does in its own way what the interface leaves open. A check that turns
 * red at one of them asks for more than the interface says.
 */
import type { Variation } from '../defect.ts'
import { accountVariations } from './account-variations.ts'
import { consentVariations, pageVariations } from './authorization-variations.ts'
import { bodyVariations, spellings, transportVariations } from './body-variations.ts'
import { environmentVariations } from './environment-variations.ts'
import { loanVariations } from './loan-variations.ts'
import { paymentVariations } from './payment-variations.ts'
import { refreshVariations } from './refresh-variations.ts'
import { identifierVariations, tokenVariations } from './token-variations.ts'
import { historyVariations, transactionVariations } from './transaction-variations.ts'
import { webhookVariations } from './webhook-variations.ts'

export const variations: readonly Variation[] = [
  ...bodyVariations,
  ...transportVariations,
  ...spellings,
  ...pageVariations,
  ...identifierVariations,
  ...consentVariations,
  ...tokenVariations,
  ...accountVariations,
  ...transactionVariations,
  ...historyVariations,
  ...refreshVariations,
  ...webhookVariations,
  ...paymentVariations,
  ...environmentVariations,
  ...loanVariations,
]
