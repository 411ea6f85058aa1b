import type { Defect } from '../../../harness/bank/defect.ts'
import { PAY } from '../requirements.ts'

/** What a bank can have decided wrongly, rule by rule. */

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

const soon = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

const moves: readonly Defect[] = [
  {
    id: 'completed-payment-moves-after-a-day',
    story: 'A payment in ACSC returns to ACTC after a day.',
    breaks: [PAY.completedPaymentStaysCompleted, PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSC'
          ? { at: soon(facts.now, DAY_MS), status: 'ACTC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'rejected-payment-moves-after-a-day',
    story: 'A payment in RJCT is in ACSC after a day, whatever the reason of its rejection.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'RJCT'
          ? { at: soon(facts.now, DAY_MS), status: 'ACSC' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'denied-payment-moves-by-itself',
    story: 'A payment that nobody has submitted is in ACSP after a day.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACTC'
          ? { at: soon(facts.now, DAY_MS), status: 'ACSP' }
          : lawful.nextMove(facts),
    }),
  },
  {
    id: 'payment-in-process-returns-to-validation',
    story: 'A payment that is in process for an hour returns to ACTC.',
    breaks: [PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      nextMove: (facts) =>
        facts.payment.status === 'ACSP'
          ? { at: soon(facts.now, HOUR_MS), status: 'ACTC' }
          : lawful.nextMove(facts),
    }),
  },
]

const submissions: readonly Defect[] = [
  {
    id: 'every-state-can-be-submitted',
    story: 'A payment that is completed is executed again when it is submitted again.',
    breaks: [
      PAY.completedPaymentStaysCompleted,
      PAY.rejectedPaymentStaysRejected,
      PAY.expiredTokenHasStatus401,
    ],
    rules: {
      mayBeSubmitted: () => true,
      redeemsPaymentToken: () => true,
      paymentTokenIsFresh: () => true,
    },
  },
  {
    id: 'rejected-payment-can-be-submitted',
    story: 'A payment that was rejected can be authorized and submitted.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: {
      mayBeAuthorized: () => true,
      mayBeSubmitted: ({ payment }) => payment.status === 'ACTC' || payment.status === 'RJCT',
    },
  },
  {
    id: 'denial-authorizes',
    story: 'The authorization page takes every answer for a yes.',
    breaks: [PAY.deniedPaymentIsNotSubmitted],
    rules: { decisionAuthorizes: () => true },
  },
  {
    id: 'denial-submits',
    story: 'A payment that the customer denies is in PDNG from then on.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: { outcomeOfDenial: () => ({ status: 'PDNG' }) },
  },
  {
    id: 'hour-is-asked-at-the-initiation-alone',
    story: 'The cut-off time is not looked at when a payment is submitted.',
    breaks: [PAY.invalidSubmissionIsRejected],
    rules: (lawful) => ({
      isWithinHours: (facts) => facts.stage === 'submission' || lawful.isWithinHours(facts),
    }),
  },
  {
    id: 'future-begins-in-a-month',
    story: 'A payment is executed at once where its date lies less than thirty days ahead.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    rules: (lawful) => ({
      statusAfterSubmission: (facts) =>
        facts.cause === undefined && Date.parse(facts.executionDay) - facts.now.getTime() < 30 * DAY_MS
          ? 'ACSP'
          : lawful.statusAfterSubmission(facts),
    }),
  },
]

const validations: readonly Defect[] = [
  {
    id: 'funds-are-not-asked-for',
    story: 'A payment is accepted beyond the available funds.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.missingFundsAreAm04],
    rules: { fundsSuffice: () => true },
  },
  {
    id: 'hours-are-not-kept',
    story: 'A payment is accepted at any hour, and rejected for the hour when it is submitted.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.lateMessageIsTm01],
    rules: (lawful) => ({
      isWithinHours: (facts) => facts.stage === 'initiation' || lawful.isWithinHours(facts),
    }),
  },
  {
    id: 'accounts-are-looked-at-before-their-numbers',
    story: 'A payment from a savings account is told to be one to a closed account.',
    breaks: [PAY.forbiddenAccountTypeIsAg01],
    rules: (lawful) => ({
      reasonTold: (facts) => (facts.cause === 'AG01' ? 'AC04' : lawful.reasonTold(facts)),
    }),
  },
]

const identities: readonly Defect[] = [
  {
    id: 'order-id-is-counted-without-a-lock',
    story: 'Two initiations that read the counter of orders at the same moment get one orderId.',
    breaks: [PAY.concurrentOrderIdsAreDistinct],
    rules: () => {
      let counter = 0
      return {
        async newOrderId() {
          const next = counter + 1
          // The time that a database takes.
          await Promise.resolve()
          counter = next
          return `ORDER${String(next).padStart(12, '0')}`
        },
      }
    },
  },
  {
    id: 'every-payment-is-everybodys',
    story: 'Any application reads the status of any payment.',
    breaks: [PAY.foreignPaymentIsRefused],
    rules: { maySeePayment: () => true },
  },
  {
    id: 'rejection-has-the-time-of-the-initiation',
    story: 'A payment that its submission rejects keeps the time of its initiation.',
    breaks: [PAY.statusDateTimeChangesWithTheStatus],
    rules: (lawful) => ({
      statusTime: (facts) =>
        facts.status === 'RJCT' && facts.payment.status === 'ACTC'
          ? facts.payment.statusAt
          : lawful.statusTime(facts),
    }),
  },
]

export const defectsOfRules: readonly Defect[] = [...moves, ...submissions, ...validations, ...identities]
