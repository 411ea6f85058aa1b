/**
 * The bank's business rules: one small function each, asked by the routes and by nothing else. A defect replaces
 * one of them. Every rule gets its facts as one object, with the environment and the time among them, so that a
 * replacement can be wrong for a TPP only, in production only, at the boundary only, or the second time only.
 * A rule must not keep state of its own: one object of lawful rules serves all banks.
 *
 * A rule answers about the case at hand, where it is met: whether this code has had its time, and not how long codes
 * live. A bank that is wrong there answers as the lawful one everywhere else, and a proof has nothing to do anew.
 */
import { accountRules, refusalRules, type AccountRules, type RefusalRules } from './rules/account-rules.ts'
import {
  authorizationRules,
  type AuthorizationRules,
  clientRules,
  type ClientRules,
  consentRules,
  type ConsentRules,
} from './rules/authorization-rules.ts'
import {
  loanAnswerRules,
  loanCalculationRules,
  loanRules,
  loanTokenRules,
  type LoanAnswerRules,
  type LoanCalculationRules,
  type LoanRules,
  type LoanTokenRules,
} from './rules/loan-rules.ts'
import { paymentOrderRules, type PaymentOrderRules } from './rules/payment-order-rules.ts'
import {
  paymentRules,
  type PaymentRules,
  paymentTokenRules,
  type PaymentTokenRules,
} from './rules/payment-rules.ts'
import { refreshRules, type RefreshRules } from './rules/refresh-rules.ts'
import { codeRules, type CodeRules, tokenRules, type TokenRules } from './rules/token-rules.ts'
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
    RefusalRules {}

export const lawfulRules: Rules = {
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
}
