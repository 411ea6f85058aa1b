/**
 * The business rules of the bank: small functions that only the routes call. A defect replaces one of them. Every
 * rule gets its facts as one object that includes the environment and the time, so that a replacement can be wrong for
 * a TPP only, in production only, at the boundary only, or the second time only. A rule must not keep state: all banks
 * share one object of conforming rules.
 *
 * A rule decides one case: whether this code has expired, and not how long codes are valid. A bank with a defect in one
 * case then gives the same answers in all others, and the proof need not run their scenarios again.
 */
import { accountRules, type AccountRules } from './rules/account-rules.ts'
import { refusalRules, type RefusalRules } from './rules/refusal-rules.ts'
import { addressRules, type AddressRules } from './rules/address-rules.ts'
import {
  authorizationRules,
  clientRules,
  consentRules,
  type AuthorizationRules,
  type ClientRules,
  type ConsentRules,
} from './rules/authorization-rules.ts'
import {
  loanAnswerRules,
  loanCalculationRules,
  loanRules,
  type LoanAnswerRules,
  type LoanCalculationRules,
  type LoanRules,
} from './rules/loan-rules.ts'
import { loanTokenRules, type LoanTokenRules } from './rules/loan-token-rules.ts'
import { paymentOrderRules, type PaymentOrderRules } from './rules/payment-order-rules.ts'
import {
  paymentRules,
  paymentTokenRules,
  type PaymentRules,
  type PaymentTokenRules,
} from './rules/payment-rules.ts'
import { refreshRules, type RefreshRules } from './rules/refresh-rules.ts'
import { codeRules, tokenRules, type CodeRules, type TokenRules } from './rules/token-rules.ts'
import { transactionRules, type TransactionRules } from './rules/transaction-rules.ts'
import { webhookRules, type WebhookRules } from './rules/webhook-rules.ts'

export interface Rules
  extends
    ClientRules,
    ConsentRules,
    AuthorizationRules,
    CodeRules,
    TokenRules,
    AccountRules,
    TransactionRules,
    RefreshRules,
    WebhookRules,
    PaymentRules,
    PaymentOrderRules,
    PaymentTokenRules,
    LoanTokenRules,
    LoanCalculationRules,
    LoanRules,
    LoanAnswerRules,
    RefusalRules,
    AddressRules {}

export const conformingRules: Rules = {
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
