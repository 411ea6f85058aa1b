/**
 * The business rules of the bank: small functions that only the routes call. A defect replaces one of them. Every
 * rule gets its facts as one object that includes the environment and the time, so that a replacement can be wrong for
 * a TPP only, in production only, at the boundary only, or the second time only. A rule must not keep state: all banks
 * share one object of conforming rules.
 *
 * A rule decides one case: whether this code has expired, and not how long codes are valid. A bank with a defect in one
 * case then gives the same answers in all others, and the proof need not run their scenarios again.
 */
import { accountRules } from './rules/account-rules.ts'
import { refusalRules } from './rules/refusal-rules.ts'
import { addressRules } from './rules/address-rules.ts'
import { authorizationRules, clientRules, consentRules } from './rules/authorization-rules.ts'
import { loanAnswerRules, loanCalculationRules, loanRules } from './rules/loan-rules.ts'
import { loanTokenRules } from './rules/loan-token-rules.ts'
import { paymentOrderRules } from './rules/payment-order-rules.ts'
import { paymentRules, paymentTokenRules } from './rules/payment-rules.ts'
import { refreshRules } from './rules/refresh-rules.ts'
import { codeRules, tokenRules } from './rules/token-rules.ts'
import { transactionRules } from './rules/transaction-rules.ts'
import { webhookRules } from './rules/webhook-rules.ts'

export const conformingRules = {
  ...clientRules,
  ...consentRules,
  ...authorizationRules,
  ...codeRules,
  ...tokenRules,
  ...accountRules,
  ...transactionRules,
  ...refreshRules,
  ...webhookRules,
  ...paymentRules,
  ...paymentOrderRules,
  ...paymentTokenRules,
  ...loanTokenRules,
  ...loanCalculationRules,
  ...loanRules,
  ...loanAnswerRules,
  ...refusalRules,
  ...addressRules,
}

export type Rules = Readonly<typeof conformingRules>
