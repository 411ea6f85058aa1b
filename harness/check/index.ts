/** All that the author of a check imports. */

export { isAcceptedToo } from './alike.ts'
export { check } from './check.ts'
export { tellsNothingOf } from './disclosure.ts'
export { draws } from './model.ts'
export { note } from './note.ts'
export { hasCome } from './observe-delivery.ts'
export {
  asCalculation,
  asStatus,
  asSubmission,
  loanCode,
  loanId,
  loanResult,
  loanStatus,
} from './observe-loans.ts'
export { property, scenario } from './scenario.ts'
export { hasRoomFor128Bits } from './room.ts'
export {
  brokeDown,
  endOf,
  isChallenged,
  isRefusedBetween,
  lookedAtNothing,
  refusalOf,
  refusalsAmong,
  wasAccepted,
  wasHeard,
} from './refused.ts'
export { timeLineOf, traced } from './time-line.ts'
export {
  goesOn,
  isCanceled,
  isCanceledOrNotAllowed,
  isLeftAlone,
  isNotAllowed,
  refusalIn,
  staysCanceled,
} from './time-line-cancellation.ts'
export {
  isAlwaysOk,
  isAlwaysOneOf,
  isAlwaysTold,
  keepsPath,
  keepsTime,
  restsAtItsEnd,
} from './time-line-judges.ts'
export { inventedIban, ofTheSameLook } from './invented.ts'
export { isNotCanceled } from './not-canceled.ts'
export { isUnguessable } from './unguessable.ts'
export { ViolationError } from './violation.ts'
export { must, may, should, shelf, undisclosed } from './requirement.ts'
export { LIFETIME, MARGIN, reachAge, SLACK } from '../session/age.ts'
export { isAccepted } from '../session/answer.ts'
export { askTwiceAtMost } from '../session/insist.ts'
export { amountOf, areMovedBy, balancePaths, newBalances } from '../session/balances.ts'
export { challengeOf, createVerifier } from '../session/pkce.ts'
export { basic, change } from '../session/request.ts'
export { days, mayPass } from '../session/session.ts'
export { LOAN_SCENARIOS } from '../session/loans.ts'
export { statusOfCanceled } from '../session/loans-canceled.ts'
export { follow, lookAt, selectLine, startLine, submitLine } from '../session/loans-follow.ts'
export { codeOf, statusOf } from '../session/loans-answers.ts'
export { REASON_CODES } from '../session/payments.ts'
export { doomsIn } from '../session/payments-doom.ts'
export { lifetimeTold, tokenIn } from '../session/payments-token.ts'
export { TAMPERINGS, tampered } from '../session/tamper.ts'
export { positionBehind } from '../session/walk.ts'
export { eventOf } from '../session/webhook-event.ts'
export { NotReached, Inconclusive } from '../evidence/signals.ts'
export type { Model, ModelMove } from './model.ts'
export type { Need, Scenario } from './scenario.ts'
export type { Exchange } from '../evidence/exchange.ts'
export type { Observed, ObservedExchange, ObservedLanding } from './observe.ts'
export type { ObservedDelivery, ObservedItem } from './observe-delivery.ts'
export type { ObservedPage, ObservedWalk } from './observe-walk.ts'
export type { ObservedLine } from './time-line-words.ts'
export type { Following } from '../session/loans-follow.ts'
export type { LoanLine, LoanLook } from '../session/loans-line.ts'
export type { Application, Grant, GrantAttempt, Tokens, TokenSet } from '../session/application.ts'
export type { AccountRef, Accounts, ListedAccount, Position, Walk } from '../session/accounts.ts'
export type { Random } from '../session/random.ts'
export type { Change } from '../session/request.ts'
export type { LoanOperations, Loans, LoanScenario, LoansProfile } from '../session/loans.ts'
export type { LoanWords } from '../session/loans-answers.ts'
export type { Order, Payments, ReasonCode } from '../session/payments.ts'
export type { PaymentAuthorization } from '../session/payments-authorization.ts'
export type { EnvironmentSession, Session } from '../session/session.ts'
export type { Access } from '../session/wallet.ts'
export type { Webhook } from '../session/webhook.ts'
export type { Delivery, WebhookEvent } from '../session/webhook-event.ts'
