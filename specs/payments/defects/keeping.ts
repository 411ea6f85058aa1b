import {
  alter,
  answer,
  body,
  defectsOf,
  only,
  when,
  type Defect,
  type Incoming,
  type Members,
  type MessagePast,
} from '../../shared/changes.ts'
import {
  initiationsOf,
  isIn,
  isRejected,
  isSentIn,
  NOT_FOUND,
  record,
  recordsOf,
  rejectedWith,
  type Payment,
} from './records.ts'
import { PAY } from '../requirements.ts'

/** How a bank can lose a payment, or confuse it with another. Most show in a later status or beside other payments only. */

const isConcurrent = (asked: Incoming): boolean => asked.isConcurrent

/** Whether a payment was initiated during another one. */
const isOfAMoment = ({ orderId }: Members, earlier: MessagePast['earlier']): boolean =>
  recordsOf(initiationsOf(earlier).filter(({ asked }) => isConcurrent(asked))).some(
    (other) => other.orderId === orderId,
  )

/** Whether the check digits of an account number are wrong (ISO 7064, 97-10). */
const isWrong = (iban: string): boolean => {
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (sign) => parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n !== 1n
}

const isSameMessage = ({ order: one }: Payment, { order: other }: Payment): boolean =>
  one.instructionIdentification === other.instructionIdentification

const identifiers: readonly Defect[] = [
  ...defectsOf([PAY.orderIdIsAString], {
    'The orderId is a number': alter({
      newOrderId: (_, __, { calls }) => String(700_000 + calls),
      paymentBody: (usual) => ({ ...usual, orderId: Number(usual.orderId) }),
    }),
  }),
  ...defectsOf([PAY.concurrentOrderIdsAreDistinct], {
    'A payment initiated during another one gets its orderId': when(
      isConcurrent,
      body('initiatePayment', (members, _, { earlier }) => ({
        ...members,
        orderId: recordsOf(earlier).at(-1)?.orderId ?? members.orderId,
      })),
    ),
  }),
  ...defectsOf([PAY.orderIdsAreDistinct, PAY.statesFollowTheTable], {
    'The fourth payment gets the orderId of the first': when(
      only(4),
      body('initiatePayment', (members, _, { earlier }) => ({
        ...members,
        orderId: recordsOf(earlier)[0]?.orderId,
      })),
    ),
  }),
  ...defectsOf([PAY.orderIdsAreDistinct], {
    'All payments that are rejected for account numbers have one orderId': alter(
      {
        newOrderId: (usual, _, past) => {
          const order = past.of('orderOf').at(-1)?.answer
          const isMeant =
            typeof order === 'object' && order.transfers.some(({ creditor }) => isWrong(creditor.iban))
          return isMeant ? 'REJECTED' : usual
        },
      },
      'orderOf',
    ),
  }),
  ...defectsOf([PAY.statusRecordIsThatOfThePayment, PAY.submissionAnswersTheStatusRecord], {
    'A submitted payment has another orderId, and is found under the old one': when(
      isSentIn('submission', 'status'),
      when(
        isIn('ACSP', 'ACSC', 'PDNG'),
        record((usual) => ({ ...usual, orderId: `S${String(usual.orderId)}` })),
      ),
    ),
  }),
]

const records: readonly Defect[] = [
  ...defectsOf([PAY.statusRecordHasStatusAndDateTime], {
    'The status of an executed payment has no statusDateTime': when(
      isSentIn('status'),
      when(isIn('ACSP', 'ACSC'), record({ statusDateTime: undefined })),
    ),
  }),
  ...defectsOf([PAY.statusIsAnsweredUnderTheOrderId], {
    'A payment is not found once it is completed': answer('paymentStatus', ({ members }) =>
      members.status === 'ACSC' ? NOT_FOUND : undefined,
    ),
    'A payment is not found once it is rejected': answer('paymentStatus', ({ members }) =>
      members.status === 'RJCT' ? NOT_FOUND : undefined,
    ),
    'A payment is not found once another one is initiated': answer(
      'paymentStatus',
      ({ members }, _, { earlier }) =>
        recordsOf(initiationsOf(earlier)).at(-1)?.orderId === members.orderId ? undefined : NOT_FOUND,
      'initiatePayment',
    ),
    'A payment initiated during another one is not found': answer(
      'paymentStatus',
      ({ members }, _, { earlier }) => (isOfAMoment(members, earlier) ? NOT_FOUND : undefined),
      'initiatePayment',
    ),
  }),
  ...defectsOf([PAY.rejectionCarriesItsReason, PAY.rejectionCarriesAdditionalInformation], {
    'A completed payment is in RJCT without a reason': when(isIn('ACSC'), record({ status: 'RJCT' })),
  }),
  ...defectsOf([PAY.closedAccountIsAc04], {
    'A payment with the reasonCode AC04 has MS03 in its status': when(
      isSentIn('status'),
      when(isRejected('AC04'), record({ reasonCode: 'MS03' })),
    ),
  }),
]

const neighbours: readonly Defect[] = [
  ...defectsOf([PAY.submissionAnswersTheStatusRecord], {
    'A submission is answered with the record of the last payment': when(
      isSentIn('submission'),
      record((usual, { payment }, past) => {
        const sent = past.of('paymentBody')
        const last = sent.findLast(({ facts }) => facts.answering === 'initiation')?.facts.payment.orderId
        const other = sent.findLast(({ facts }) => facts.payment.orderId === last)
        return last === payment.orderId ? usual : (other?.answer ?? usual)
      }),
    ),
  }),
  ...defectsOf([PAY.statusRecordAgreesWithTheInitiation], {
    'A duplicate also rejects the payment that it repeats': when(
      isIn('ACTC'),
      record((usual, { payment }, past) =>
        past
          .of('paymentBody')
          .some(({ facts }) => isRejected('AM05')(facts) && isSameMessage(facts.payment, payment))
          ? rejectedWith('AM05')(usual)
          : usual,
      ),
    ),
  }),
  ...defectsOf([PAY.validPaymentIsAccepted], {
    'A payment initiated during another one is rejected as its duplicate': body(
      ['initiatePayment', 'submitPayment', 'paymentStatus'],
      (members, asked, { earlier }) => {
        const isNow = asked.operation === 'initiatePayment' && asked.isConcurrent
        const isMeant = members.status === 'ACTC' && (isNow || isOfAMoment(members, earlier))
        return isMeant ? rejectedWith('AM05')(members) : members
      },
    ),
  }),
  ...defectsOf([PAY.statusRecordIsThatOfThePayment], {
    'A status that is read during another reading is that of the other payment': when(
      isConcurrent,
      body('paymentStatus', (members, _, { earlier }) => recordsOf(earlier).at(-1) ?? members),
    ),
  }),
]

export const defectsOfKeeping: readonly Defect[] = [...identifiers, ...records, ...neighbours]
