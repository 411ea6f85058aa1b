import {
  accept,
  alter,
  defectsOf,
  from,
  only,
  status,
  when,
  type Change,
  type Defect,
  type Incoming,
} from '../../shared/changes.ts'
import {
  inStatus,
  isBy,
  isIn,
  isRejected,
  isSentIn,
  record,
  rejectedWith,
  type Payment,
  type RecordFacts,
} from './records.ts'
import { PAY } from '../requirements.ts'

/** Faults in the answers to initiations, and in what the bank validates. */

interface OfAPayment {
  readonly payment: Payment
}

/** Whether an immediate payment is accepted. */
const isAccepted = (facts: OfAPayment): boolean => isIn('ACTC')(facts) && isBy('ecomm')(facts)

/** Other records in the answers to accepted initiations. */
const accepted = (
  change: Parameters<typeof record>[0],
  isMeant: (facts: OfAPayment) => boolean = isAccepted,
): Change<RecordFacts> => when(isSentIn('initiation'), when(isMeant, record(change)))

/** Another status of the answers to accepted initiations. */
const acceptedWith = (code: number) => when(isAccepted, alter({ initiationStatus: code }))

const initiations: readonly Defect[] = [
  ...defectsOf([PAY.initiationHasStatus201], {
    'An accepted initiation is answered with the status 200': acceptedWith(200),
    'An accepted initiation is answered with the status 404': acceptedWith(404),
    'An initiation during another one has the status 202': when(
      ({ isConcurrent }: Incoming) => isConcurrent,
      status('initiatePayment', 202),
    ),
  }),
  ...defectsOf([PAY.otherInitiationHasTheSameShape], {
    'A standard payment is answered with the status 200': when(
      isBy('standard'),
      when(isIn('ACTC'), alter({ initiationStatus: 200 })),
    ),
    'The answer to a batch has no statusDateTime': accepted(
      { statusDateTime: undefined },
      (facts) => isIn('ACTC')(facts) && isBy('batch')(facts),
    ),
  }),
  ...defectsOf([PAY.otherInitiationHasTheSameShape, PAY.statusIsOneOfFive, PAY.validPaymentIsAccepted], {
    'A batch has the status ACCP before it is submitted': when(
      isBy('batch'),
      when(isIn('ACTC'), record({ status: 'ACCP' })),
    ),
  }),
  ...defectsOf([PAY.initiationAnswersAnOrderId], {
    'The orderId of an initiation is called paymentId': accepted(({ orderId, ...others }) => ({
      paymentId: orderId,
      ...others,
    })),
    'The orderId of a rejected initiation is null': when(
      isSentIn('initiation'),
      when(isRejected(), record({ orderId: null })),
    ),
  }),
  ...defectsOf([PAY.initiationAnswersAnOrderId, PAY.statusRecordIsThatOfThePayment], {
    'The orderId of the first initiation is empty': when(only(1), accepted({ orderId: '' })),
  }),
  ...defectsOf([PAY.initiationAnswersAStatus], {
    'The answer to an initiation has no status': accepted({ status: undefined }),
  }),
  ...defectsOf([PAY.initiationAnswersAStatusDateTime], {
    'The answer to an initiation has no statusDateTime': accepted({ statusDateTime: undefined }),
    'The statusDateTime is null from the second initiation on': when(
      from(2),
      accepted({ statusDateTime: null }),
    ),
  }),
]

/** Payments that are rejected with this code at their initiation are accepted. */
const acceptedDespite = (code: Payment['reason']): Change<RecordFacts> =>
  when(
    ({ payment: { statusAt, initiatedAt } }: RecordFacts) => +statusAt === +initiatedAt,
    when(isRejected(code), record(inStatus('ACTC'))),
  )

const NOT_CHECKED = [
  ['AC01', 'The account number of a payment', PAY.malformedAccountNumberIsAc01, PAY.statesFollowTheTable],
  ['AC04', 'Whether the account of a payment is closed', PAY.closedAccountIsAc04],
  ['AG01', 'Whether the type of an account allows payments', PAY.forbiddenAccountTypeIsAg01],
  ['AM03', 'The currency of a payment', PAY.foreignCurrencyIsAm03],
  ['AM04', 'Whether an initiation has funds', PAY.missingFundsAreAm04],
  ['AM05', 'Whether a payment is a duplicate', PAY.duplicateIsAm05, PAY.concurrentDuplicateIsRejected],
  ['AM09', 'Whether the amount of a payment is the agreed one', PAY.wrongAmountIsAm09],
  ['AM10', 'The control sum of a batch', PAY.wrongControlSumIsAm10],
  ['DT01', 'The date of a payment', PAY.invalidDateIsDt01],
  ['MS03', 'Whether the account of a payment is held', PAY.unspecifiedReasonIsMs03],
  ['RC01', 'The form of a BIC', PAY.malformedBankIdentifierIsRc01],
  ['RR03', 'Whether the creditor of a payment has a name', PAY.missingCreditorIsRr03],
  ['TM01', 'The cut-off time of an initiation', PAY.lateMessageIsTm01],
] as const

const validations: readonly Defect[] = [
  ...NOT_CHECKED.flatMap(([code, what, ...rows]) =>
    defectsOf([PAY.invalidPaymentIsRejected, ...rows], { [`${what} is not checked`]: acceptedDespite(code) }),
  ),
  ...defectsOf([PAY.forbiddenAccountTypeIsAg01, PAY.invalidPaymentIsRejected], {
    'A batch is paid from any type of account': when(isBy('batch'), acceptedDespite('AG01')),
  }),
  ...defectsOf([PAY.malformedAccountNumberIsAc01], {
    'The account number of a standard payment is not checked': when(
      isBy('standard'),
      acceptedDespite('AC01'),
    ),
  }),
  ...defectsOf([PAY.foreignCurrencyIsAm03], {
    'The currency of a batch is not checked': when(isBy('batch'), acceptedDespite('AM03')),
  }),
  ...defectsOf([PAY.wrongControlSumIsAm10], {
    'A control sum may differ by a cent': accept(
      'controlSumAgrees',
      ({ order, total }) => Math.abs((order.controlSum ?? total) - total) === 1,
    ),
  }),
  ...defectsOf([PAY.wrongAmountIsAm09, PAY.invalidPaymentIsRejected], {
    'Less than the agreed amount may be paid': accept('amountIsAsAgreed', ({ payees, total }) =>
      payees.some(({ agreedAmount = 0 }) => total < agreedAmount),
    ),
  }),
  ...defectsOf([PAY.validPaymentIsAccepted, PAY.statesFollowTheTable], {
    'The third valid payment is rejected with AC01': when(only(3), accepted(rejectedWith('AC01'))),
    'The third valid payment is pending': when(only(3), accepted({ status: 'PDNG' })),
  }),
  ...defectsOf([PAY.reasonCodeStandsOnRejectionAlone], {
    'A payment in ACTC has the reasonCode MS03': when(isIn('ACTC'), record({ reasonCode: 'MS03' })),
    'A payment in PDNG has the reasonCode DT01': when(isIn('PDNG'), record({ reasonCode: 'DT01' })),
  }),
  ...defectsOf([PAY.additionalInformationStandsOnRejectionAlone], {
    'A completed payment has the additionalInformation OK': when(
      isIn('ACSC'),
      record({ additionalInformation: 'OK' }),
    ),
  }),
]

export const defectsOfInitiating: readonly Defect[] = [...initiations, ...validations]
