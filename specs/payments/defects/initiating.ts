import {
  inState,
  naming,
  rejectedFor,
  rewording,
  without,
  wordingRecords,
  type Asked,
  type Members,
  type Said,
} from './bodies.ts'
import { PAY } from '../requirements.ts'
import type { Defect, Wire } from '../../../harness/bank/defect.ts'

const ECOMM = 'ecomm/sba'

const isAccepted = ({ body }: Said): boolean => body.status === 'ACTC'

/** Rewords the accepted initiations of this count, of this method. */
const nth = (isMeant: (count: number) => boolean, change: (said: Said) => Partial<Said>, method = ECOMM) =>
  rewording(() => {
    let count = 0
    return (said, asked) => {
      if (asked.method !== method || !isAccepted(said)) return undefined
      count += 1
      return isMeant(count) ? change(said) : undefined
    }
  })

const first = (count: number): boolean => count === 1
const third = (count: number): boolean => count === 3
const each = (): boolean => true

const statuses: readonly Defect[] = [
  {
    id: 'initiation-is-ok',
    story: 'A successful initiation is answered with the status 200.',
    breaks: [PAY.initiationHasStatus201],
    wire: nth(each, () => ({ status: 200 })),
  },
  {
    id: 'initiation-is-not-found',
    story: 'A successful initiation is answered with the status 404 and the record of the payment.',
    breaks: [PAY.initiationHasStatus201],
    wire: nth(each, () => ({ status: 404 })),
  },
  {
    id: 'third-initiation-is-only-taken',
    story: 'The third initiation, and no other, is answered with the status 202.',
    breaks: [PAY.initiationHasStatus201],
    wire: nth(third, () => ({ status: 202 })),
  },
  {
    id: 'standard-initiation-is-ok',
    story: 'An initiation by the standard method is answered with the status 200.',
    breaks: [PAY.otherInitiationHasTheSameShape],
    wire: nth(each, () => ({ status: 200 }), 'standard/sba'),
  },
  {
    id: 'batch-has-no-date-time',
    story: 'The initiation of a batch is answered without a statusDateTime.',
    breaks: [PAY.otherInitiationHasTheSameShape],
    wire: nth(each, ({ body }) => ({ body: without(body, 'statusDateTime') }), 'batch/sba'),
  },
  {
    id: 'batch-has-a-state-of-its-own',
    story: 'A batch is in the state ACCP before it is submitted.',
    breaks: [PAY.otherInitiationHasTheSameShape, PAY.statusIsOneOfFive, PAY.validPaymentIsAccepted],
    wire: rewording(() => {
      const batches = new Set<unknown>()
      return ({ body }, { method }) => {
        if (method === 'batch/sba') batches.add(body.orderId)
        return batches.has(body.orderId) && body.status === 'ACTC'
          ? { body: { ...body, status: 'ACCP' } }
          : undefined
      }
    }),
  },
]

const fields: readonly Defect[] = [
  {
    id: 'initiation-has-no-order-id',
    story: 'The answer to an initiation carries its id under another name.',
    breaks: [PAY.initiationAnswersAnOrderId],
    wire: nth(each, ({ body }) => ({ body: { paymentId: body.orderId, ...without(body, 'orderId') } })),
  },
  {
    id: 'order-id-is-empty',
    story: 'The orderId is an empty string.',
    breaks: [PAY.initiationAnswersAnOrderId, PAY.statusRecordIsThatOfThePayment],
    wire: nth(first, ({ body }) => ({ body: { ...body, orderId: '' } })),
  },
  {
    id: 'initiation-has-no-status',
    story: 'The answer to an initiation does not say the status.',
    breaks: [PAY.initiationAnswersAStatus],
    wire: nth(each, ({ body }) => ({ body: without(body, 'status') })),
  },
  {
    id: 'initiation-has-no-date-time',
    story: 'The answer to an initiation carries no statusDateTime.',
    breaks: [PAY.initiationAnswersAStatusDateTime],
    wire: nth(each, ({ body }) => ({ body: without(body, 'statusDateTime') })),
  },
  {
    id: 'date-time-of-a-later-initiation-is-null',
    story: 'From the second initiation on the statusDateTime is null.',
    breaks: [PAY.initiationAnswersAStatusDateTime],
    wire: nth(
      (count) => count > 1,
      ({ body }) => ({ body: { ...body, statusDateTime: null } }),
    ),
  },
]

const BASE = 700_000

const identifiers: readonly Defect[] = [
  {
    id: 'order-id-is-a-number',
    story: 'The orderId is a number.',
    breaks: [PAY.orderIdIsAString],
    wire: naming(() => {
      let count = BASE
      return () => (count += 1)
    }),
  },
  {
    id: 'order-id-is-that-of-the-one-under-way',
    story: 'Two payments that are initiated at the same moment get one orderId.',
    breaks: [PAY.concurrentOrderIdsAreDistinct],
    wire: naming(() => {
      let last = ''
      return (orderId, { isConcurrent }) => {
        if (!isConcurrent || last === '') last = orderId
        return last
      }
    }),
  },
  {
    id: 'order-ids-come-around',
    story: 'The fourth payment gets the orderId of the first.',
    breaks: [PAY.orderIdsAreDistinct, PAY.statesFollowTheTable, PAY.statusDateTimeDoesNotGoBack],
    wire: naming(() => {
      const given: string[] = []
      return (orderId) => {
        given.push(orderId)
        return given.length === 4 ? given[0] : orderId
      }
    }),
  },
]

/** What is rejected for this code is accepted. */
const lenientOf = (code: string) =>
  rewording(() => {
    const accepted = new Set<unknown>()
    return ({ body }, { operation }) => {
      if (body.reasonCode === code && operation === 'initiation') accepted.add(body.orderId)
      return accepted.has(body.orderId) && body.status === 'RJCT'
        ? { body: inState(body, 'ACTC') }
        : undefined
    }
  })

/** The code, and the defect of a bank that accepts what is to be rejected with it. */
const LENIENT = [
  [
    'AC01',
    'malformed-account-number-is-accepted',
    'The check digits of an IBAN are not checked.',
    PAY.malformedAccountNumberIsAc01,
    PAY.statesFollowTheTable,
  ],
  ['AC04', 'closed-account-is-paid', 'A closed account is paid.', PAY.closedAccountIsAc04],
  ['AG01', 'savings-account-pays', 'A savings account pays.', PAY.forbiddenAccountTypeIsAg01],
  ['AM03', 'foreign-currency-is-accepted', 'A payment may be in dollars.', PAY.foreignCurrencyIsAm03],
  ['AM04', 'funds-are-not-checked', 'An initiation does not check the funds.', PAY.missingFundsAreAm04],
  [
    'AM05',
    'duplicate-is-accepted',
    'The same message is accepted twice.',
    PAY.duplicateIsAm05,
    PAY.concurrentDuplicateIsRejected,
  ],
  ['AM09', 'agreed-amount-is-not-compared', 'An agreed amount is not compared.', PAY.wrongAmountIsAm09],
  [
    'AM10',
    'wrong-control-sum-is-accepted',
    'The amounts of a batch are not added up.',
    PAY.wrongControlSumIsAm10,
  ],
  [
    'DT01',
    'payment-in-the-past-is-accepted',
    'A requested execution date may lie in the past.',
    PAY.invalidDateIsDt01,
  ],
  ['MS03', 'held-account-is-paid', 'An account that is held is paid.', PAY.unspecifiedReasonIsMs03],
  ['RC01', 'malformed-bic-is-accepted', 'A BIC is not checked.', PAY.malformedBankIdentifierIsRc01],
  ['RR03', 'creditor-without-name-is-paid', 'A creditor needs no name.', PAY.missingCreditorIsRr03],
  ['TM01', 'cut-off-time-is-ignored', 'A payment is accepted at any hour.', PAY.lateMessageIsTm01],
] as const

const validations: readonly Defect[] = [
  {
    id: 'third-valid-payment-is-rejected',
    story: 'The third payment is rejected with AC01, though its account numbers are right.',
    breaks: [PAY.validPaymentIsAccepted, PAY.statesFollowTheTable],
    wire: nth(third, ({ body }) => ({ body: rejectedFor(body, 'AC01') })),
  },
  {
    id: 'third-valid-payment-is-pending',
    story: 'A third payment of the same parties waits in PDNG for those before.',
    breaks: [PAY.validPaymentIsAccepted, PAY.statesFollowTheTable],
    wire: nth(third, ({ body }) => ({ body: { ...body, status: 'PDNG' } })),
  },
  ...LENIENT.map(([code, id, story, ...breaks]) => ({
    id,
    story,
    breaks: [PAY.invalidPaymentIsRejected, ...breaks],
    wire: lenientOf(code),
  })),
]

const codes: readonly Defect[] = [
  {
    id: 'accepted-payment-has-a-reason',
    story: 'A payment in ACTC carries the reasonCode MS03.',
    breaks: [PAY.reasonCodeStandsOnRejectionAlone],
    wire: wordingRecords(
      ({ status }) => status === 'ACTC',
      (record) => ({ ...record, reasonCode: 'MS03' }),
    ),
  },
  {
    id: 'pending-payment-has-a-reason',
    story: 'A payment in PDNG, and no other that is not rejected, carries the reasonCode DT01.',
    breaks: [PAY.reasonCodeStandsOnRejectionAlone],
    wire: wordingRecords(
      ({ status }) => status === 'PDNG',
      (record) => ({ ...record, reasonCode: 'DT01' }),
    ),
  },
  {
    id: 'accepted-payment-is-explained',
    story: 'A payment in ACSC carries the additionalInformation "OK".',
    breaks: [PAY.additionalInformationStandsOnRejectionAlone],
    wire: wordingRecords(
      ({ status }) => status === 'ACSC',
      (record) => ({ ...record, additionalInformation: 'OK' }),
    ),
  },
]

export const defectsOfInitiating: readonly Defect[] = [
  ...statuses,
  ...fields,
  ...identifiers,
  ...validations,
  ...codes,
]

/** How a bank can lose a payment, or take one for another, which shows in a later state or beside other payments alone. */

const isIn =
  (...states: readonly string[]) =>
  ({ status }: Members): boolean =>
    states.includes(String(status))

const NOT_FOUND: Said = { status: 404, body: { errorCode: 'ORDER_UNKNOWN' } }

/** @param isLost of the payments whose status is read. */
const losing = (isLost: (record: Members) => boolean): Wire =>
  rewording(
    () =>
      ({ body }, { operation }) =>
        operation === 'status' && body.orderId !== undefined && isLost(body) ? NOT_FOUND : undefined,
  )

const reading = (isMeant: (record: Members) => boolean, change: (record: Members) => Members): Wire =>
  wordingRecords((record, { operation }) => operation === 'status' && isMeant(record), change)

/** @param lose is told what was said, and gives what is lost of it; called once for each bank. */
const forgetting = (make: () => (said: Said, asked: Asked) => boolean): Wire =>
  rewording(() => {
    const isLost = make()
    return (said, asked) => (isLost(said, asked) && asked.operation === 'status' ? NOT_FOUND : undefined)
  })

/** Knows all payments, and which of them came in last. */
const remembering = (
  change: (said: Said, asked: Asked, last: Members | undefined) => Partial<Said> | undefined,
): Wire =>
  rewording(() => {
    const known = new Map<unknown, Members>()
    let last: unknown
    return (said, asked) => {
      const { body, status } = said
      if (body.orderId !== undefined && status < 300) known.set(body.orderId, body)
      if (asked.operation === 'initiation' && status < 300) last = body.orderId
      return change(said, asked, known.get(last))
    }
  })

const records: readonly Defect[] = [
  {
    id: 'executed-payment-has-no-date-time',
    story: 'The status of a payment in ACSP or ACSC has no statusDateTime; that of one in ACTC has it.',
    breaks: [PAY.statusRecordHasStatusAndDateTime],
    wire: reading(isIn('ACSP', 'ACSC'), (record) => without(record, 'statusDateTime')),
  },
  {
    id: 'completed-payment-has-no-status',
    story: 'The status of a payment in ACSC is null.',
    breaks: [PAY.statusRecordHasStatusAndDateTime],
    wire: reading(isIn('ACSC'), (record) => ({ ...record, status: null })),
  },
  {
    id: 'order-id-changes-with-the-submission',
    story: 'A payment that was submitted has another orderId, and is found under the old one.',
    breaks: [PAY.statusRecordIsThatOfThePayment, PAY.submissionAnswersTheStatusRecord],
    wire: wordingRecords(
      (record, { operation }) => operation !== 'initiation' && isIn('ACSP', 'ACSC', 'PDNG')(record),
      (record) => ({ ...record, orderId: `S${String(record.orderId)}` }),
    ),
  },
  {
    id: 'completed-payment-is-gone',
    story: 'A payment is forgotten once it is completed.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: losing(isIn('ACSC')),
  },
  {
    id: 'rejected-payment-is-gone',
    story: 'A payment that is rejected is not kept.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: losing(isIn('RJCT')),
  },
  {
    id: 'rejected-initiation-has-no-order-id',
    story: 'The orderId of an initiation that is rejected is null.',
    breaks: [PAY.initiationAnswersAnOrderId],
    wire: wordingRecords(
      (record, { operation }) => operation === 'initiation' && isIn('RJCT')(record),
      (record) => ({ ...record, orderId: null }),
    ),
  },
  {
    id: 'failed-payment-in-process-has-no-reason',
    story: 'A payment in process that comes to nothing is in RJCT, without a reason.',
    breaks: [PAY.rejectionCarriesItsReason, PAY.rejectionCarriesAdditionalInformation],
    wire: wordingRecords(isIn('ACSC'), (record) => ({ ...record, status: 'RJCT' })),
  },
  {
    id: 'reason-is-not-specified-in-the-status',
    story: 'An initiation to a closed account says AC04, and the status of the payment MS03.',
    breaks: [PAY.closedAccountIsAc04],
    wire: reading(
      ({ reasonCode }) => reasonCode === 'AC04',
      (record) => ({ ...record, reasonCode: 'MS03' }),
    ),
  },
]

const neighbours: readonly Defect[] = [
  {
    id: 'only-the-last-payment-is-known',
    story: 'A payment is forgotten when another one comes in.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: remembering(({ body }, { operation }, last) =>
      operation === 'status' && body.orderId !== undefined && body.orderId !== last?.orderId
        ? NOT_FOUND
        : undefined,
    ),
  },
  {
    id: 'submission-answers-the-last-payment',
    story: 'A submission is answered with the record of the payment that came in last.',
    breaks: [PAY.submissionAnswersTheStatusRecord],
    wire: remembering(({ status }, { operation }, last) =>
      operation === 'submission' && status < 300 && last !== undefined ? { body: last } : undefined,
    ),
  },
  {
    id: 'duplicate-rejects-the-first-as-well',
    story: 'A message that is a duplicate is rejected, and with it the payment that it repeats.',
    breaks: [PAY.statusRecordAgreesWithTheInitiation],
    wire: rewording(() => {
      const rejected = new Set<unknown>()
      let before: unknown
      return ({ body }, { operation }) => {
        if (operation === 'initiation' && body.reasonCode === 'AM05') rejected.add(before)
        if (operation === 'initiation') before = body.orderId
        return body.status === 'ACTC' && rejected.has(body.orderId)
          ? { body: rejectedFor(body, 'AM05') }
          : undefined
      }
    }),
  },
  {
    id: 'rejected-payments-have-one-order-id',
    story: 'A payment that is rejected for its account number has the orderId of all that are.',
    breaks: [PAY.orderIdsAreDistinct],
    rules: (lawful) => {
      let isDoomed = false
      return {
        orderOf: (facts) => {
          const order = lawful.orderOf(facts)
          isDoomed =
            typeof order !== 'string' && order.transfers.some(({ creditor }) => isBroken(creditor.iban))
          return order
        },
        newOrderId: (facts) => (isDoomed ? 'REJECTED' : lawful.newOrderId(facts)),
      }
    },
  },
]

/** Whether its check digits are none (ISO 7064, 97-10). */
const isBroken = (iban: string): boolean => {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (sign) => parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n !== 1n
}

const atOnce: readonly Defect[] = [
  {
    id: 'initiations-at-once-are-only-taken',
    story: 'An initiation while another one is under way is answered with the status 202.',
    breaks: [PAY.initiationHasStatus201],
    wire: rewording(
      () =>
        ({ status }, { operation, isConcurrent }) =>
          operation === 'initiation' && isConcurrent && status === 201 ? { status: 202 } : undefined,
    ),
  },
  {
    id: 'initiation-at-once-is-a-duplicate',
    story: 'A payment that comes in while another one does is rejected as its duplicate.',
    breaks: [PAY.validPaymentIsAccepted],
    wire: rewording(() => {
      const rejected = new Set<unknown>()
      return ({ body }, { operation, isConcurrent }) => {
        if (operation === 'initiation' && isConcurrent) rejected.add(body.orderId)
        return rejected.has(body.orderId) && body.status === 'ACTC'
          ? { body: rejectedFor(body, 'AM05') }
          : undefined
      }
    }),
  },
  {
    id: 'payments-at-once-are-lost',
    story: 'Of payments that come in at the same moment one is kept.',
    breaks: [PAY.statusIsAnsweredUnderTheOrderId],
    wire: forgetting(() => {
      const lost = new Set<unknown>()
      return ({ body }, { operation, isConcurrent }) => {
        if (operation === 'initiation' && isConcurrent) lost.add(body.orderId)
        return lost.has(body.orderId)
      }
    }),
  },
  {
    id: 'statuses-at-once-are-mixed-up',
    story: 'Whoever reads a status while another one is read is told that one.',
    breaks: [PAY.statusRecordIsThatOfThePayment],
    wire: rewording(() => {
      let before: Members | undefined
      return ({ body, status }, { operation, isConcurrent }) => {
        if (operation !== 'status' || status >= 300) return undefined
        const other = before
        before = body
        return isConcurrent && other !== undefined ? { body: other } : undefined
      }
    }),
  },
]

export const defectsOfNaming: readonly Defect[] = [...records, ...neighbours, ...atOnce]
