/**
 * Permitted differences: each uses a freedom that the interface leaves. A check that fails on one of them requires more
 * than the interface does.
 */
import type { Variation } from '../defect.ts'
import { accountVariations } from './account-variations.ts'
import { approvalVariations } from './approval-variations.ts'
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

/** By what they are about. */
export const variationGroups: Readonly<Record<string, readonly Variation[]>> = {
  'bodies and transport': [...bodyVariations, ...transportVariations, ...spellings],
  authorization: [...pageVariations, ...identifierVariations, ...consentVariations],
  tokens: [...tokenVariations, ...ownGrantVariations],
  accounts: accountVariations,
  transactions: [...transactionVariations, ...historyVariations],
  refresh: refreshVariations,
  webhooks: webhookVariations,
  payments: [...paymentVariations, ...approvalVariations],
  environments: environmentVariations,
  loans: loanVariations,
}

export const variations: readonly Variation[] = Object.values(variationGroups).flat()
