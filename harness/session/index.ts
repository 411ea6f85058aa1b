/** Everything that the author of a scenario imports to send requests to a target. */

export { property, recordsOf, scenario, scenarioForEach } from './scenario.ts'
export { inventedIban, ofTheSameFormat } from './invented-values.ts'
export { TAMPERINGS, tampered } from './unknown-tokens.ts'
export { LIFETIME, MARGIN, waitForAge, SLACK } from './clock.ts'
export { challengeOf, createVerifier } from './pkce.ts'
export { basic, change } from './http/request.ts'
export { grantedVariants } from '../profile/oauth.ts'
export { days, canWait, sinceFullHour } from './clock.ts'
export { LOAN_SCENARIOS } from './loans/loans.ts'
export { cancelInVain, cancelWhenAllowed, statusAfterCancellation } from './loans/cancellation.ts'
export { follow, pollOnce, selectLine, startLine, startUnselected } from './loans/following.ts'
export { REASON_CODES, REJECTIONS, ordersRejectedAtSubmission } from './payments/payments.ts'
export { countOfProvokingOrders, type ProvokingOrder } from './payments/provoking-orders.ts'
export { untilOpenBeforeWorkingDay, untilTime } from './payments/payment-days.ts'
export { describeRejection, explainRejection } from './payments/valid-order.ts'
export { statedLifetime, tokenIn } from './payments/client-token.ts'
export { nextPosition } from './accounts/page-walk.ts'
export { linkOrigins } from '../profile/schema.ts'
export type { Need, Scenario, ScenarioForEach, ScenarioOptions } from './scenario.ts'
export type { Following } from './loans/following.ts'
export type {
  Application,
  AuthorizationOptions,
  Grant,
  GrantAttempt,
  Renewal,
  Tokens,
  TokenSet,
} from './application.ts'
export type { AccountRef, Accounts, ListedAccount } from './accounts/accounts.ts'
export type { Random } from './random.ts'
export type { Change } from './http/request.ts'
export type { LoanOperations, Loans, LoanScenario, LoansProfile } from './loans/loans.ts'
export type {
  LateOrder,
  Order,
  PaymentAuthorization,
  Payments,
  ReasonCode,
  Rejection,
} from './payments/payments.ts'
export type { EnvironmentSession, Session } from './session.ts'
export type { Access } from './authorization/grants-file.ts'
export type { Webhook } from './webhooks/webhook.ts'
export type { Position, Walk } from '../evidence/record/page-walk.ts'
