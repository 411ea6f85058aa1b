/**
 * Banks that are different, and right: each does in its own way what the interface leaves open. A check that turns
 * red at one of them asks for more than the interface says.
 */
import type { Variation } from './defect.ts'
import { accountVariations } from './variations/account-variations.ts'
import { bodyVariations } from './variations/body-variations.ts'
import { consentVariations } from './variations/consent-variations.ts'
import { environmentVariations } from './variations/environment-variations.ts'
import { historyVariations } from './variations/history-variations.ts'
import { identifierVariations } from './variations/identifier-variations.ts'
import { loanVariations } from './variations/loan-variations.ts'
import { pageVariations } from './variations/page-variations.ts'
import { paymentVariations } from './variations/payment-variations.ts'
import { refreshVariations } from './variations/refresh-variations.ts'
import { tokenVariations } from './variations/token-variations.ts'
import { transactionVariations } from './variations/transaction-variations.ts'
import { spellings, transportVariations } from './variations/transport-variations.ts'
import { webhookVariations } from './variations/webhook-variations.ts'

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
