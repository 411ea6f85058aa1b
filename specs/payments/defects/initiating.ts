import type { Defect } from '../../../harness/bank/defect.ts'
import { inState, naming, rejectedFor, rewording, wordingRecords, without } from './wires.ts'
import type { Said } from './wires.ts'
import { PAY } from '../requirements.ts'

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
    return ({ body }) => {
      if (body.reasonCode === code) accepted.add(body.orderId)
      return accepted.has(body.orderId) && body.status === 'RJCT'
        ? { body: inState(body, 'ACTC') }
        : undefined
    }
  })

const validations: readonly Defect[] = [
  {
    id: 'third-valid-payment-is-rejected',
    story: 'The third payment is rejected with AC01, though its account numbers are right.',
    breaks: [PAY.validPaymentIsAccepted, PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation],
    wire: nth(third, ({ body }) => ({ body: rejectedFor(body, 'AC01') })),
  },
  {
    id: 'third-valid-payment-is-pending',
    story: 'A third payment of the same parties waits in PDNG for those before.',
    breaks: [PAY.validPaymentIsAccepted, PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation],
    wire: nth(third, ({ body }) => ({ body: { ...body, status: 'PDNG' } })),
  },
  {
    id: 'malformed-account-number-is-accepted',
    story: 'The check digits of an IBAN are not looked at.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.malformedAccountNumberIsAc01, PAY.statesFollowTheTable],
    wire: lenientOf('AC01'),
  },
  {
    id: 'payment-in-the-past-is-accepted',
    story: 'A requested execution date may lie in the past.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.invalidDateIsDt01],
    wire: lenientOf('DT01'),
  },
  {
    id: 'duplicate-is-accepted',
    story: 'The same message is accepted twice.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.duplicateIsAm05],
    wire: lenientOf('AM05'),
  },
  {
    id: 'wrong-control-sum-is-accepted',
    story: 'Nobody adds the amounts of a batch up.',
    breaks: [PAY.invalidPaymentIsRejected, PAY.wrongControlSumIsAm10],
    wire: lenientOf('AM10'),
  },
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
