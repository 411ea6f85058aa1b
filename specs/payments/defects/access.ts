import {
  accept,
  alter,
  answer,
  body,
  defectsOf,
  refusal,
  status,
  when,
  type Answer,
  type Change,
  type Defect,
  type Difference,
  type Incoming,
  type Members,
  refuseWith,
} from '../../shared/changes.ts'
import {
  fromRecord,
  initiationsOf,
  inStatus,
  isIn,
  isSentIn,
  jsonOf,
  NOT_FOUND,
  orderIdIn,
  record,
  recordsOf,
  rejectedWith,
  type RecordFacts,
} from './records.ts'
import { PAY } from '../requirements.ts'

/** Faults of payment operations with tokens that are no longer valid, and in the access to the status of a payment. */

const HOUR_MS = 60 * 60_000

/** Payments that are submitted with a token that this rule refuses are in process. */
const executed = (rule: 'paymentTokenIsFresh' | 'paymentTokenIsRevoked', refused: boolean) =>
  alter(
    {
      paymentBody: (usual, { payment: { orderId, status: state } }, past) => {
        const isSubmitted = past
          .of(rule)
          .some(({ facts, answer: given }) => given === refused && facts.token.orderId === orderId)
        return state === 'ACTC' && isSubmitted ? inStatus('ACSP')(usual) : usual
      },
    },
    rule,
  )

/** Whether two initiations have the same message. */
const isSame = ({ members: one }: Incoming, { members: other }: Incoming): boolean =>
  one.instructionIdentification === other.instructionIdentification

const tokens: readonly Defect[] = [
  ...defectsOf([PAY.refusedInitiationIsNotExecuted], {
    'An initiation with an expired token is refused, and carried out': body(
      'initiatePayment',
      (members, asked, { earlier }) =>
        members.status === 'ACTC' &&
        earlier.some((other) => other.answer.status === 401 && isSame(other.asked, asked))
          ? rejectedWith('AM05')(members)
          : members,
    ),
  }),
  ...defectsOf([PAY.expiredTokenHasStatus401], {
    'An expired payment token is refused with the status 403': refuseWith('token_expired', 403, 'payments'),
    'The token for initiations is valid for an hour longer': accept(
      'paymentTokenIsFresh',
      ({ token, now }) => token.orderId === undefined && +now < +token.expiresAt + HOUR_MS,
    ),
    'The token of an authorized payment never expires': accept(
      'paymentTokenIsFresh',
      ({ token }) => token.orderId !== undefined,
    ),
    'A submission with an expired token is refused, and carried out': executed('paymentTokenIsFresh', false),
  }),
  ...defectsOf([PAY.revokedTokenHasStatus401], {
    'A revoked payment token is refused with the status 403': refuseWith('token_revoked', 403, 'payments'),
    'A revoked payment token is accepted': alter({ paymentTokenIsRevoked: false }),
    'A submission with a revoked token is refused, and carried out': executed('paymentTokenIsRevoked', true),
  }),
]

/** The status of a payment that waits for its submission, from the n-th reading on. */
const waiting = (reading: number, change: Parameters<typeof record>[0]): Change<RecordFacts> =>
  // The first record is that of the initiation.
  when(isSentIn('status'), when(isIn('ACTC'), fromRecord(reading + 1, change)))

const records: readonly Defect[] = [
  ...defectsOf([PAY.statusIsAnsweredUnderTheOrderId], {
    'The status of an accepted payment is found only once': answer(
      'paymentStatus',
      ({ members: { status: state, orderId } }, _, { earlier }) =>
        state === 'ACTC' && recordsOf(earlier).some((other) => other.orderId === orderId)
          ? NOT_FOUND
          : undefined,
    ),
    'The status of a payment has the HTTP status 404': status('paymentStatus', 404),
  }),
  ...defectsOf([PAY.statusRecordIsThatOfThePayment, PAY.submissionAnswersTheStatusRecord], {
    'The orderId in a status is in lower case': when(
      isSentIn('status', 'submission'),
      record((usual) => ({ ...usual, orderId: String(usual.orderId).toLowerCase() })),
    ),
  }),
  ...defectsOf([PAY.statusRecordIsThatOfThePayment], {
    'The status of an accepted payment has no orderId': waiting(1, { orderId: undefined }),
  }),
  ...defectsOf([PAY.statusRecordHasStatusAndDateTime], {
    'The status of an accepted payment has no statusDateTime': waiting(1, { statusDateTime: undefined }),
  }),
  ...defectsOf([PAY.statusRecordAgreesWithTheInitiation, PAY.statesFollowTheTable], {
    'An accepted payment is in RJCT at its second reading': waiting(2, rejectedWith('MS03')),
  }),
  ...defectsOf([PAY.statusIsOneOfFive, PAY.statesFollowTheTable], {
    'A completed payment has the status ACCC': when(isIn('ACSC'), record({ status: 'ACCC' })),
  }),
  ...defectsOf([PAY.statusIsOneOfFive, PAY.statusRecordAgreesWithTheInitiation, PAY.statesFollowTheTable], {
    'The second status of an accepted payment is in lower case': waiting(2, { status: 'actc' }),
  }),
  ...defectsOf([PAY.completedPaymentStaysCompleted, PAY.statesFollowTheTable], {
    'A completed payment is rejected days later': when(isIn('ACSC'), fromRecord(3, rejectedWith('MS03'))),
    'A completed payment is in ACSP at its second reading': when(
      isIn('ACSC'),
      fromRecord(2, inStatus('ACSP')),
    ),
  }),
]

/** Other refusals of an orderId that was never issued. */
const unknown = (
  change: (sent: Answer, orderId: string, initiated: readonly Members[]) => Difference | undefined,
): Change<Incoming> =>
  refusal(
    'paymentStatus',
    (sent, asked, { earlier }) => {
      const [orderId, initiated] = [orderIdIn(asked), recordsOf(initiationsOf(earlier))]
      return initiated.some((known) => known.orderId === orderId)
        ? undefined
        : change(sent, orderId, initiated)
    },
    'initiatePayment',
  )

/** Other refusals, but for those of tokens, of an orderId that has this record. */
const foreign = (change: (last: Members) => Difference): Change<Incoming> =>
  refusal(
    'paymentStatus',
    (sent, asked, { earlier }) => {
      const last = recordsOf(earlier).findLast(({ orderId }) => orderId === orderIdIn(asked))
      return last === undefined || sent.status === 401 ? undefined : change(last)
    },
    'initiatePayment',
    'submitPayment',
  )

const refusals: readonly Defect[] = [
  ...defectsOf([PAY.unknownOrderIsRefused], {
    'A payment is found by the first half of its orderId': unknown((_, orderId, initiated) => {
      const found = initiated.find((one) => String(one.orderId).startsWith(orderId))
      return found && { status: 200, ...jsonOf(found) }
    }),
    'An unknown orderId has the status of a rejected payment': unknown(
      (_, orderId, [some]) => some && { status: 200, ...jsonOf({ ...rejectedWith('MS03')(some), orderId }) },
    ),
    'An unknown orderId has the status of the last payment': unknown((_, __, initiated) => {
      const last = initiated.at(-1)
      return last && { status: 200, ...jsonOf(last) }
    }),
  }),
  ...defectsOf([PAY.refusalIsNoSuccess], {
    'An unknown orderId is refused with the status 200': refuseWith('order_unknown', 200, 'payments'),
    'A malformed initiation is refused with the status 200': refuseWith('invalid_request', 200, 'payments'),
    'An unauthorized submission is refused with the status 200': refuseWith(
      'not_authorized',
      200,
      'payments',
    ),
  }),
  ...defectsOf([PAY.foreignPaymentIsRefused, 'ENV-20', 'ENV-21'], {
    'Any application reads a payment of any environment': foreign((last) => ({
      status: 200,
      ...jsonOf(last),
    })),
    'Another application is refused, with the status of the payment': foreign((last) => ({
      status: 403,
      ...jsonOf({ errorCode: 'FOREIGN_ORDER', state: last.status }),
    })),
  }),
  ...defectsOf([PAY.foreignPaymentIsRefused], {
    'The refusal of an unknown orderId has the one that was initiated last, by any application': unknown(
      ({ members }, _, initiated) => jsonOf({ ...members, last: initiated.at(-1)?.orderId }),
    ),
  }),
  ...defectsOf([PAY.statusHoldsNoResultOfTheCall], {
    'The field status of an unknown orderId is NOT_FOUND': unknown(({ members }, orderId) =>
      jsonOf({ ...members, orderId, status: 'NOT_FOUND' }),
    ),
    'The field status of a refused submission is its HTTP status': refusal(
      'submitPayment',
      (sent, _, { earlier }) =>
        jsonOf({ ...sent.members, orderId: recordsOf(earlier).at(-1)?.orderId, status: sent.status }),
      'initiatePayment',
      'paymentStatus',
    ),
  }),
]

export const defectsOfAccess: readonly Defect[] = [...tokens, ...records, ...refusals]
