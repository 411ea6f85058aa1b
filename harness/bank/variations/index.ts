/**
 * Lawful differences: each uses a freedom that the interface leaves. A check that fails on one of them requires more
 * than the interface does.
 */
import type { Variation } from '../defect.ts'
import { accountVariations } from './account-variations.ts'
import { consentVariations, pageVariations } from './authorization-variations.ts'
import { bodyVariations, spellings, transportVariations } from './body-variations.ts'
import { environmentVariations } from './environment-variations.ts'
import { loanVariations } from './loan-variations.ts'
import { ownGrantVariations } from './own-grant-variations.ts'
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
  ...ownGrantVariations,
  ...transactionVariations,
  ...historyVariations,
  ...refreshVariations,
  ...webhookVariations,
  ...paymentVariations,
  ...environmentVariations,
  ...loanVariations,
]
