/** What judges: all that the author of a check imports to state requirements and to judge records. */

export { isByContent } from '../evidence/record/page-walk.ts'
export {
  isAcceptedToo,
  brokeDown,
  endOf,
  isChallenged,
  isRefusedBetween,
  wasNotProcessed,
  refusalOf,
  refusalsAmong,
  wasAccepted,
  wasProcessed,
} from './refusals.ts'
export { check, type RecordOf } from './check.ts'
export { everyAnswer, everyCall, inWholeRun, type WholeRun } from './whole-run.ts'
export { Selection, type Selectable } from './selection.ts'
export { disclosesNothingOf } from './disclosure.ts'
export { factsOf, isPseudonym } from './facts.ts'
export { draws } from './model.ts'
export { note } from './note.ts'
export { hasArrived } from './observed/delivery.ts'
export {
  asCalculation,
  asStatus,
  asSubmission,
  isOfTheBank,
  loanCode,
  loanId,
  loanResult,
  loanStatus,
} from './observed/loans.ts'
export { attemptOf, headerOf } from '../evidence/exchange.ts'
export { jsonIn } from '../evidence/json.ts'
export { canHold128RandomBits } from './secret-strength.ts'
export { isUnguessable, patternIn } from './predictable-secrets.ts'
export { timeLineOf, traced } from './time-line/time-line.ts'
export {
  continuesAfterRefusal,
  couldBeCanceled,
  isCanceledOrNotAllowed,
  isUnchangedByRefusal,
  isNotAllowed,
  refusalIn,
  staysCanceled,
  isNotCanceled,
} from './time-line/cancellation.ts'
export { alwaysHasStatus, keepsPath, keepsIntervals, staysInLastStatus } from './time-line/path.ts'
export { assert, eachReached, everyOne, held, ViolationError } from './verdict.ts'
export type { Statement } from './verdict.ts'
export { must, may, should, ownChapter } from './requirement.ts'
export { NotReached, Inconclusive } from '../evidence/signals.ts'
export type { Model, ModelMove } from './model.ts'
export { electronicForm } from '../evidence/redaction/iban.ts'
export type { Exchange } from '../evidence/exchange.ts'
export type { Observed } from './observed/observe.ts'
export type { ObservedExchange, ObservedRedirect } from './observed/exchange.ts'
export type { ObservedDelivery, ObservedItem } from './observed/delivery.ts'
export type { ObservedPage, ObservedWalk } from './observed/walk.ts'
export type { ObservedLine } from './time-line/observed-line.ts'
export { isAccepted } from '../evidence/record/answer.ts'
export {
  amountOf,
  areMovedBy,
  balancePaths,
  keepDirection,
  movesBy,
  newBalances,
} from '../evidence/record/balances.ts'
export { codeOf, LOAN_STATUSES, resultOf, statusOf } from '../evidence/record/loan-application.ts'
export { eventOf } from '../evidence/record/webhook-event.ts'
export type { LoanLine } from '../evidence/record/loan-time-line.ts'
export type { LoanWords } from '../evidence/record/loan-application.ts'
export type { Delivery, WebhookEvent } from '../evidence/record/webhook-event.ts'
