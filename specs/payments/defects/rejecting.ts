import {
  inState,
  rejectedFor,
  rewording,
  without,
  wordingRecords,
  type Asked,
  type Members,
  type Said,
} from './bodies.ts'
import { PAY } from '../requirements.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

const isRejected = ({ status }: Members): boolean => status === 'RJCT'
const at =
  (operation: Asked['operation'], code?: string) =>
  (record: Members, asked: Asked): boolean =>
    isRejected(record) && asked.operation === operation && (code === undefined || record.reasonCode === code)

/** The right code, and the code that the bank gives. */
const SWAPS = [
  ['AC01', 'AC04', PAY.malformedAccountNumberIsAc01],
  ['AC04', 'AC01', PAY.closedAccountIsAc04],
  ['AG01', 'AC04', PAY.forbiddenAccountTypeIsAg01],
  ['AM03', 'AG01', PAY.foreignCurrencyIsAm03],
  ['AM04', 'AM09', PAY.missingFundsAreAm04, PAY.rejectedSubmissionHasItsReasonCode],
  ['AM05', 'MS03', PAY.duplicateIsAm05, PAY.concurrentDuplicateIsRejected],
  ['AM09', 'AM10', PAY.wrongAmountIsAm09],
  ['AM10', 'AM09', PAY.wrongControlSumIsAm10],
  ['DT01', 'TM01', PAY.invalidDateIsDt01],
  ['MS03', 'AM04', PAY.unspecifiedReasonIsMs03],
  ['RC01', 'AC01', PAY.malformedBankIdentifierIsRc01],
  ['RR03', 'MS03', PAY.missingCreditorIsRr03],
  ['TM01', 'DT01', PAY.lateMessageIsTm01, PAY.rejectedSubmissionHasItsReasonCode],
] as const

const swaps: readonly Defect[] = SWAPS.map(([right, wrong, ...breaks]) => ({
  id: `${right.toLowerCase()}-is-${wrong.toLowerCase()}`,
  story: `A payment that is to be rejected with ${right} is rejected with ${wrong}.`,
  breaks,
  wire: wordingRecords(
    ({ reasonCode }) => reasonCode === right,
    (record) => ({ ...record, reasonCode: wrong }),
  ),
}))

const codes: readonly Defect[] = [
  {
    id: 'late-submission-is-blamed-on-its-date',
    story:
      'A payment that is submitted after the cut-off time is rejected with DT01; an initiation is with TM01.',
    breaks: [PAY.rejectedSubmissionHasItsReasonCode],
    rules: {
      reasonTold: ({ cause, stage }) => (stage === 'submission' && cause === 'TM01' ? 'DT01' : cause),
    },
  },
  {
    id: 'missing-funds-are-not-specified-at-the-submission',
    story: 'A payment that is submitted without funds is rejected with MS03; an initiation is with AM04.',
    breaks: [PAY.rejectedSubmissionHasItsReasonCode, PAY.missingFundsAreAm04],
    rules: {
      reasonTold: ({ cause, stage }) => (stage === 'submission' && cause === 'AM04' ? 'MS03' : cause),
    },
  },
  {
    id: 'reason-code-of-the-bank',
    story: 'A reason that is not specified has a code of the bank, X901.',
    breaks: [PAY.reasonCodeIsOneOfThirteen, PAY.unspecifiedReasonIsMs03],
    wire: wordingRecords(
      ({ reasonCode }) => reasonCode === 'MS03',
      (record) => ({ ...record, reasonCode: 'X901' }),
    ),
  },
  {
    id: 'reason-code-is-another-of-iso-20022',
    story: 'The reasonCode of missing funds is AM02 when the status is read.',
    breaks: [PAY.reasonCodeIsOneOfThirteen, PAY.missingFundsAreAm04, PAY.rejectedSubmissionHasItsReasonCode],
    wire: wordingRecords(at('status', 'AM04'), (record) => ({ ...record, reasonCode: 'AM02' })),
  },
]

const answers: readonly Defect[] = [
  {
    id: 'rejection-is-ok',
    story: 'An initiation that is rejected for missing funds is answered with the status 200.',
    breaks: [PAY.rejectedInitiationHasStatus201],
    wire: rewording(
      () =>
        ({ body }, { operation }) =>
          operation === 'initiation' && body.reasonCode === 'AM04' ? { status: 200 } : undefined,
    ),
  },
  {
    id: 'rejection-is-unprocessable',
    story: 'An initiation without the name of the creditor is answered with the status 422, and its record.',
    breaks: [PAY.rejectedInitiationHasStatus201],
    wire: rewording(
      () =>
        ({ body }, { operation }) =>
          operation === 'initiation' && body.reasonCode === 'RR03' ? { status: 422 } : undefined,
    ),
  },
  {
    id: 'rejected-initiation-is-not-explained',
    story: 'The answer to a rejected initiation has no additionalInformation; the status has it.',
    breaks: [PAY.rejectedInitiationIsExplained, PAY.rejectionCarriesAdditionalInformation],
    wire: wordingRecords(at('initiation'), (record) => without(record, 'additionalInformation')),
  },
  {
    id: 'explanation-is-empty',
    story: 'The additionalInformation of a duplicate is an empty text.',
    breaks: [PAY.rejectedInitiationIsExplained, PAY.rejectionCarriesAdditionalInformation],
    wire: wordingRecords(at('initiation', 'AM05'), (record) => ({ ...record, additionalInformation: '' })),
  },
  {
    id: 'invalid-date-has-no-reason',
    story: 'An initiation with an invalid date is rejected without a reasonCode; the status has it.',
    breaks: [PAY.rejectedInitiationIsExplained, PAY.rejectionCarriesItsReason, PAY.invalidDateIsDt01],
    wire: wordingRecords(at('initiation', 'DT01'), (record) => without(record, 'reasonCode')),
  },
  {
    id: 'reason-is-lost-in-the-status',
    story: 'The status of a rejected payment has no reasonCode; the initiation had it.',
    breaks: [PAY.rejectionCarriesItsReason],
    wire: wordingRecords(at('status'), (record) => without(record, 'reasonCode')),
  },
  {
    id: 'reason-is-forgotten-with-time',
    story: 'The reasonCode of a rejected payment is told three times, and then no more.',
    breaks: [PAY.rejectionCarriesItsReason],
    wire: rewording(() => {
      const told = new Map<unknown, number>()
      return ({ body }) => {
        if (!isRejected(body)) return undefined
        const count = (told.get(body.orderId) ?? 0) + 1
        told.set(body.orderId, count)
        return count > 3 ? { body: without(body, 'reasonCode') } : undefined
      }
    }),
  },
  {
    id: 'explanation-is-lost-in-the-status',
    story: 'The status of a rejected payment has no additionalInformation; the initiation had it.',
    breaks: [PAY.rejectionCarriesAdditionalInformation],
    wire: wordingRecords(at('status'), (record) => without(record, 'additionalInformation')),
  },
  {
    id: 'explanation-is-an-object',
    story: 'The additionalInformation is an object of a text for each language.',
    breaks: [PAY.additionalInformationIsText],
    wire: wordingRecords(isRejected, (record) => ({
      ...record,
      additionalInformation: { sk: 'Platba bola zamietnutá.', en: record.additionalInformation },
    })),
  },
  {
    id: 'explanation-is-a-number',
    story: 'The additionalInformation of missing funds is the amount that is missing.',
    breaks: [PAY.additionalInformationIsText],
    wire: wordingRecords(at('initiation', 'AM04'), (record) => ({ ...record, additionalInformation: 12.5 })),
  },
  {
    id: 'rejection-has-no-date-time',
    story: 'The answer to an initiation that the type of the account forbids has no statusDateTime.',
    breaks: [PAY.rejectionCarriesItsDateTime],
    wire: wordingRecords(at('initiation', 'AG01'), (record) => without(record, 'statusDateTime')),
  },
  {
    id: 'rejection-is-a-word',
    story: 'The status of a payment to a closed account says REJECTED when it is read.',
    breaks: [PAY.statusIsOneOfFive, PAY.rejectedPaymentHasStatusRjct],
    wire: wordingRecords(at('status', 'AC04'), (record) => ({
      ...without(record, 'reasonCode', 'additionalInformation'),
      status: 'REJECTED',
    })),
  },
  {
    id: 'rejection-is-pending-in-the-status',
    story: 'A payment that was rejected for its bank identifier is in PDNG when its status is read.',
    breaks: [PAY.rejectedPaymentHasStatusRjct],
    wire: wordingRecords(at('status', 'RC01'), (record) => inState(record, 'PDNG')),
  },
]

/** The how manieth time a rejected payment is told of. */
const counting = (change: (record: Members, count: number) => Members | undefined) =>
  rewording(() => {
    const told = new Map<unknown, number>()
    return ({ body }) => {
      if (!isRejected(body)) return undefined
      const count = (told.get(body.orderId) ?? 0) + 1
      told.set(body.orderId, count)
      const changed = change(body, count)
      return changed === undefined ? undefined : { body: changed }
    }
  })

const revivals: readonly Defect[] = [
  {
    id: 'rejected-payment-is-tried-again',
    story: 'A payment that was rejected is in ACSP some time later.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    wire: counting((record, count) => (count > 3 ? inState(record, 'ACSP') : undefined)),
  },
  {
    id: 'rejected-payment-returns-to-validation',
    story: 'A payment that was rejected is in ACTC some time later.',
    breaks: [PAY.rejectedPaymentStaysRejected, PAY.noPaymentReturnsToValidation],
    wire: counting((record, count) => (count > 4 ? inState(record, 'ACTC') : undefined)),
  },
]

/** Faults that only a further order of the profile for the same code has. */
const furtherOrders: readonly Defect[] = [
  {
    id: 'length-of-an-account-number-is-not-checked',
    story:
      'The account number of a creditor that is too short is not rejected; one with wrong check digits is.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.malformedAccountNumberIsAc01],
    rules: (lawful) => ({
      accountNumbersAreCorrect: (facts) =>
        lawful.accountNumbersAreCorrect(facts) ||
        facts.order.transfers.every(({ creditor: { iban } }) => iban.startsWith('SK') && iban.length < 24),
    }),
  },
  {
    id: 'date-of-yesterday-is-late',
    story: 'A payment for the day before is rejected with DT01, and its status says TM01.',
    breaks: [PAY.invalidDateIsDt01],
    wire: rewording(() => {
      const recent = new Set<unknown>()
      return ({ body }, asked) => {
        const isRecent = asked.operation === 'initiation' && !asked.body.includes('"2020-')
        if (body.reasonCode !== 'DT01') return undefined
        if (isRecent) recent.add(body.orderId)
        return asked.operation === 'status' && recent.has(body.orderId)
          ? { body: { ...body, reasonCode: 'TM01' } }
          : undefined
      }
    }),
  },
]

const duplicates: readonly Defect[] = [
  {
    id: 'only-the-last-message-is-known',
    story: 'A message is a duplicate only if it repeats the one directly before.',
    breaks: [PAY.duplicateIsAm05],
    rules: (lawful) => ({
      messageIsNew: (facts) => lawful.messageIsNew({ ...facts, earlier: facts.earlier.slice(-1) }),
    }),
  },
  {
    id: 'duplicates-at-the-same-moment-are-accepted',
    story: 'A message that is sent twice at the same moment leads to two payments.',
    breaks: [PAY.concurrentDuplicateIsRejected],
    wire: rewording(
      () =>
        ({ body }, { operation, isConcurrent }) =>
          operation === 'initiation' && isConcurrent && body.reasonCode === 'AM05'
            ? { body: inState(body, 'ACTC') }
            : undefined,
    ),
  },
]

export const defectsOfRejecting: readonly Defect[] = [
  ...swaps,
  ...codes,
  ...answers,
  ...revivals,
  ...furtherOrders,
  ...duplicates,
]

/** What is wrong with the payments of one method alone, with a date that is near or far, or with what comes late. */

const DAY_MS = 24 * 60 * 60_000

/** Rewords what is said of a batch. */
const ofBatches = (reword: (said: Said, asked: Asked) => Partial<Said> | undefined): Wire =>
  rewording(() => {
    const batches = new Set<unknown>()
    return (said, asked) => {
      if (asked.method === 'batch/sba' && said.status < 300) batches.add(said.body.orderId)
      return batches.has(said.body.orderId) ? reword(said, asked) : undefined
    }
  })

const methods: readonly Defect[] = [
  {
    id: 'batch-is-not-found',
    story: 'The status of a batch is not found.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: ofBatches((_, { operation }) =>
      operation === 'status' ? { status: 404, body: { errorCode: 'ORDER_UNKNOWN' } } : undefined,
    ),
  },
  {
    id: 'batch-is-pending-when-it-is-read',
    story: 'A batch in ACTC is told to be in PDNG when its status is read.',
    breaks: [PAY.statusRecordAgreesWithTheInitiation],
    wire: ofBatches(({ body }, { operation }) =>
      operation === 'status' && body.status === 'ACTC' ? { body: inState(body, 'PDNG') } : undefined,
    ),
  },
  {
    id: 'valid-batch-is-rejected',
    story: 'Every second valid batch is rejected with AC01.',
    breaks: [PAY.validPaymentIsAccepted],
    wire: rewording(() => {
      let count = 0
      return ({ body }, { method }) => {
        if (method === 'batch/sba' && body.status === 'ACTC') count += 1
        return method === 'batch/sba' && body.status === 'ACTC' && count % 2 === 0
          ? { body: rejectedFor(body, 'AC01') }
          : undefined
      }
    }),
  },
  {
    id: 'submitted-batch-is-pending',
    story: 'A batch is in PDNG once it is submitted, whatever its date.',
    breaks: [PAY.authorizedPaymentIsInProcess],
    wire: ofBatches(({ body }) =>
      body.status === 'ACSP' || body.status === 'ACSC' ? { body: inState(body, 'PDNG') } : undefined,
    ),
  },
  {
    id: 'methods-count-their-orders-by-themselves',
    story: 'A payment has a number among those of its method.',
    breaks: [PAY.orderIdsAreDistinct, PAY.statesFollowTheTable],
    rules: (lawful) => {
      const counts = new Map<string, number>()
      let method = ''
      return {
        orderOf: (facts) => {
          method = facts.method
          return lawful.orderOf(facts)
        },
        newOrderId: () => {
          const count = (counts.get(method) ?? 0) + 1
          counts.set(method, count)
          return `ORDER${String(count).padStart(20, '0')}`
        },
      }
    },
  },
]

/** @param isMeant of a payment that is to wait for its day, by the time until then, in ms. */
const executing = (isMeant: (ahead: number) => boolean): RuleChange => {
  return (lawful) => ({
    statusAfterSubmission: (facts) => {
      const after = lawful.statusAfterSubmission(facts)
      const ahead = Date.parse(facts.executionDay) - facts.now.getTime()
      return after === 'PDNG' && isMeant(ahead) ? 'ACSP' : after
    },
  })
}

const dates: readonly Defect[] = [
  {
    id: 'future-begins-in-two-days',
    story: 'A payment is executed at once where its date lies less than two days ahead.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    rules: executing((ahead) => ahead < 2 * DAY_MS),
  },
  {
    id: 'tomorrow-is-not-in-the-future',
    story: 'A payment that is initiated for the next day is executed at once.',
    breaks: [PAY.futurePaymentIsPending],
    rules: (lawful) => ({
      statusAfterSubmission: (facts) => {
        const after = lawful.statusAfterSubmission(facts)
        const ahead = Date.parse(facts.executionDay) - facts.payment.initiatedAt.getTime()
        return after === 'PDNG' && ahead < DAY_MS ? 'ACSP' : after
      },
    }),
  },
  {
    id: 'payment-for-today-waits',
    story: 'A payment that is initiated for the same day is in PDNG once it is submitted.',
    breaks: [PAY.authorizedPaymentIsInProcess],
    rules: (lawful) => ({
      statusAfterSubmission: (facts) => {
        const after = lawful.statusAfterSubmission(facts)
        const isDated = facts.order.method === 'standard'
        const ahead = Date.parse(facts.executionDay) - facts.payment.initiatedAt.getTime()
        return after === 'ACSP' && isDated && ahead < 0 ? 'PDNG' : after
      },
    }),
  },
  {
    id: 'future-ends-in-two-weeks',
    story: 'A payment is executed at once where its date lies more than two weeks ahead.',
    breaks: [PAY.statesFollowTheTable],
    rules: executing((ahead) => ahead > 14 * DAY_MS),
  },
]

type Payment = Parameters<Rules['mayBeSubmitted']>[0]['payment']

/** Of an order that its submission has rejected, and not its initiation. */
const isRejectedLate = ({ status, statusAt, initiatedAt }: Payment): boolean =>
  status === 'RJCT' && statusAt.getTime() > initiatedAt.getTime()

const late: readonly Defect[] = [
  {
    id: 'late-rejection-is-no-end',
    story: 'A payment that its submission has rejected can be authorized and submitted once more.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: (lawful) => ({
      mayBeAuthorized: (facts) => isRejectedLate(facts.payment) || lawful.mayBeAuthorized(facts),
      mayBeSubmitted: (facts) => isRejectedLate(facts.payment) || lawful.mayBeSubmitted(facts),
    }),
  },
  {
    id: 'late-rejection-is-forgotten-by-the-next-day',
    story: 'The authorization of a payment that came too late submits it on the next day.',
    breaks: [PAY.rejectedPaymentStaysRejected],
    rules: (lawful) => ({
      paymentTokenLifetime: () => 10 * DAY_MS,
      redeemsPaymentToken: () => true,
      mayBeSubmitted: (facts) =>
        (isRejectedLate(facts.payment) &&
          facts.now.getTime() - facts.payment.statusAt.getTime() > DAY_MS / 3) ||
        lawful.mayBeSubmitted(facts),
    }),
  },
  {
    id: 'executed-payment-waits-for-its-day-again',
    story: 'A payment that was executed on its day is in PDNG when it is submitted again.',
    breaks: [PAY.completedPaymentStaysCompleted],
    rules: (lawful) => ({
      paymentTokenLifetime: () => 20 * DAY_MS,
      redeemsPaymentToken: () => true,
      mayBeSubmitted: (facts) =>
        (facts.payment.status === 'ACSC' && facts.payment.order.method === 'standard') ||
        lawful.mayBeSubmitted(facts),
      causesLookedFor: (facts) =>
        facts.stage === 'submission' && facts.order.method === 'standard'
          ? []
          : lawful.causesLookedFor(facts),
      statusAfterSubmission: (facts) =>
        facts.payment.status === 'ACSC' ? 'PDNG' : lawful.statusAfterSubmission(facts),
    }),
  },
]

export const defectsOfMethods: readonly Defect[] = [...methods, ...dates, ...late]
