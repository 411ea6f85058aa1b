import type { Hiding } from './entry.ts'

/** What hides defects of payments. */
export const HIDING_PAYMENTS: readonly Hiding[] = [
  {
    variations: ['payments-approved-*'],
    defects: [
      'initiation-has-no-order-id',
      'unsubmitted-payment-is-rejected-with-time',
      'denied-payment-is-in-process-some-time-later',
      'granted-payment-is-submitted-by-whoever-reads-it',
      'granted-payment-is-executed-after-an-hour',
      'payment-of-the-sandbox-is-authorized-in-production',
      'payment-of-production-is-authorized-in-the-sandbox',
    ],
    reason:
      'The answer to the initiation leads to the approval: without an orderId there is none, it is in one environment, and no payment is authorized elsewhere.',
  },
  {
    variations: ['payments-in-an-envelope', 'date-times-in-the-basic-form', 'payments-stay-in-process'],
    defects: ['PAY-*'],
    reason: 'The defect reads or writes a payment in the form of the reference bank.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages'],
    defects: ['refusal-tells-the-state-of-a-foreign-order'],
    reason:
      'The refusal of an unknown payment has no words, so that a word of another refusal may be a constant of the bank.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages'],
    defects: ['status-of-an-unknown-order-is-a-word-of-http', 'status-of-a-refused-submission-is-a-number'],
    reason: 'The members of the refusal are removed.',
  },
  {
    variations: ['refusals-as-pages'],
    defects: ['submission-is-a-conflict'],
    reason:
      'The record of an answer with the status of a refusal is removed, so that the profile may be wrong: not reached.',
  },
  {
    variations: ['accounts-of-production-have-other-ibans'],
    defects: ['PAY-*'],
    judgedIn: 'production',
    reason: 'The debtor of the profile has an account in the sandbox.',
  },
  {
    variations: ['order-ids-are-counted*', 'order-ids-of-35-characters', 'order-id-format'],
    defects: ['status-names-the-order-in-lower-case'],
    reason: 'An orderId without capital letters is the same in lower case.',
  },
  {
    variations: ['payments-submitted-by-the-application', 'payments-approved-*'],
    defects: [
      'PAY-69',
      'authorization-of-another-payment-will-do',
      'used-authorization-of-another-payment-will-do',
      'used-authorization-submits-another-payment',
      'token-of-an-authorization-never-ends',
      'submission-with-an-expired-token-is-carried-out-in-silence',
      'payment-of-the-sandbox-is-submitted-in-production',
      'payment-of-production-is-submitted-in-the-sandbox-in-silence',
    ],
    reason:
      'A payment is submitted with the token of the application, so that no token is that of an authorization.',
  },
  {
    variations: ['payments-submitted-by-the-application', 'payments-approved-*'],
    defects: ['submission-by-name-needs-no-authorization', 'submission-moves-the-oldest-of-the-moment'],
    reason:
      'Each submission names its payment with that token, so that the defect breaks further requirements.',
  },
  {
    variations: ['generated-*'],
    defects: ['initiation-has-no-order-id', 'status-names-no-order'],
    reason: 'The record is in another object, and is found by its orderId only.',
  },
  {
    variations: ['payments-settle-at-once'],
    defects: [
      'second-submission-*',
      'submitted-payment-is-pending',
      'submitted-payment-is-rejected',
      'next-payment-after-an-executed-one-needs-no-customer',
    ],
    reason: 'No payment is read in process, on which the defect depends.',
  },
  {
    variations: ['payments-settle-the-next-day'],
    defects: ['completed-payment-is-gone'],
    reason: 'A payment is completed after the last time that the checks of the requirement read it.',
  },
  {
    variations: ['pending-payments-are-rejected'],
    defects: ['denial-submits', 'payment-for-today-waits', 'executed-payment-waits-for-its-day-again'],
    reason: 'A payment that waits for the day on which it is submitted is rejected at once, which is lawful.',
  },
  {
    variations: ['denial-rejects-the-payment'],
    defects: ['denied-payment-moves-by-itself', 'client-token-submits-the-last-payment'],
    reason: 'A payment that is denied is rejected, and waits for no submission.',
  },
  {
    variations: ['early-submission-rejects-the-payment'],
    defects: [
      'submission-by-name-needs-no-authorization',
      'authorization-of-another-payment-will-do',
      'used-authorization-of-another-payment-will-do',
    ],
    reason: 'The bank has rejected the other payment before the defect moves it.',
  },
  {
    variations: ['submission-can-be-repeated'],
    defects: [
      'every-state-can-be-submitted',
      'rejected-payment-can-be-submitted',
      'late-rejection-is-no-end',
      'late-rejection-is-forgotten-by-the-next-day',
    ],
    reason: 'Every state can be submitted, which leaves the payment as it is.',
  },
  {
    variations: ['payment-tokens-of-an-untold-lifetime'],
    defects: ['PAY-68', 'PAY-72'],
    reason: 'When a token for payments expires cannot be known.',
  },
  {
    variations: ['generated-*'],
    defects: ['failed-payment-in-process-has-no-reason'],
    reason: 'A payment in process is not executed later.',
  },
]
