import { body, defectsOf, alter, when, type Change, type Defect, type FactsOf } from '../../shared/changes.ts'
import type { MessagePast, Past } from '../../shared/changes.ts'
import {
  DAY,
  HOUR,
  inStatus,
  isIn,
  isSentIn,
  MINUTE,
  type Payment,
  type RecordFacts,
  recordsOf,
  rejectedWith,
} from './records.ts'
import { PAY } from '../requirements.ts'

/** Statuses that are wrong only after several steps: because of another payment, or with time. */

type Before = Past<
  'statusAfterInitiation' | 'statusAfterSubmission' | 'decisionAuthorizes' | 'outcomeOfDenial' | 'paymentBody'
>

/** Records say this status in these cases. The payment itself does not change. */
const reported = (
  status: Payment['status'],
  where: (payment: Payment, facts: RecordFacts, past: Before) => boolean,
): Change<RecordFacts> => {
  const changed = status === 'RJCT' ? rejectedWith('MS03') : inStatus(status)
  return alter(
    {
      paymentBody: (usual, facts, past) => (where(facts.payment, facts, past) ? changed(usual) : usual),
    },
    'statusAfterInitiation',
    'statusAfterSubmission',
    'decisionAuthorizes',
    'outcomeOfDenial',
  )
}

const isOf =
  ({ orderId }: Payment) =>
  ({ facts: { payment } }: { readonly facts: { readonly payment: Payment } }): boolean =>
    payment.orderId === orderId

const age = (since: Date | undefined, { now }: RecordFacts): number => (since ? +now - +since : 0)

/** When its customer has granted a payment last. */
const grantedAt = (payment: Payment, past: Before): Date | undefined =>
  past.of('decisionAuthorizes').findLast((call) => call.answer && isOf(payment)(call))?.facts.now

const denialOf = (payment: Payment, past: Before): Date | undefined =>
  past.of('outcomeOfDenial').findLast(isOf(payment))?.facts.now

/** The other payments at the time at which this one was initiated. */
const earlierThan = ({ order }: Payment, past: Before): readonly Payment[] =>
  past.of('statusAfterInitiation').find(({ facts }) => facts.order === order)?.facts.earlier ?? []

const waiting = ({ token, payments }: FactsOf<'orderSubmitted'>): readonly string[] =>
  [...payments.values()]
    .filter(({ status, initiatedAt }) => status === 'ACTC' && initiatedAt >= token.issuedAt)
    .map(({ orderId }) => orderId)

/** Whether the payment was the last one submitted when a customer had granted another. */
const isBeforeAGrant = (orderId: unknown, { earlier }: MessagePast): boolean =>
  earlier.some(({ asked }, place) => {
    const before = earlier.slice(0, place).filter((other) => other.asked.operation === 'submitPayment')
    const isGrant = asked.form.get('grant_type') === 'authorization_code'
    return isGrant && orderId !== undefined && recordsOf(before).at(-1)?.orderId === orderId
  })

const neighbours: readonly Defect[] = [
  ...defectsOf([PAY.statesFollowTheTable], {
    'A submission moves the oldest payment of the same moment, and not its own': alter({
      orderSubmitted: (orderId, facts) =>
        orderId !== undefined && waiting(facts).includes(orderId) ? waiting(facts)[0] : orderId,
    }),
    'A payment that is initiated after the submission of another has the status of the other when read': when(
      isSentIn('status'),
      reported(
        'ACSP',
        (payment, _, past) =>
          payment.status === 'ACTC' &&
          earlierThan(payment, past).some(
            ({ status, statusAt }) => status.startsWith('ACS') && +payment.initiatedAt - +statusAt < MINUTE,
          ),
      ),
    ),
    'When a payment is initiated, all that wait for their day are executed': when(
      isIn('PDNG'),
      reported('ACSP', ({ orderId }, _, past) =>
        past
          .of('statusAfterInitiation')
          .some(({ facts }) =>
            facts.earlier.some((other) => other.orderId === orderId && other.status === 'PDNG'),
          ),
      ),
    ),
    'A customer who denies one payment denies all that wait for an authorization': when(
      isIn('ACTC'),
      reported('RJCT', ({ orderId, initiatedAt }, _, past) => {
        const denial = past.of('outcomeOfDenial').at(-1)?.facts
        return denial !== undefined && denial.payment.orderId !== orderId && initiatedAt <= denial.now
      }),
    ),
    'A rejected payment waits for its submission again once another one is executed': when(
      isIn('RJCT'),
      // A payment that its own submission rejects has a later status.
      reported(
        'ACTC',
        ({ statusAt, initiatedAt }, _, past) =>
          +statusAt === +initiatedAt &&
          past.of('statusAfterSubmission').some(({ facts }) => facts.now >= statusAt),
      ),
    ),
    'While one payment of an application is in process, the next one is so without a submission': alter({
      statusAfterInitiation: (status, { cause, earlier }) =>
        cause === undefined && earlier.at(-1)?.status === 'ACSP' ? 'ACSP' : status,
    }),
  }),
  ...defectsOf([PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation], {
    'A customer who grants a payment takes back the one that was submitted before': body(
      ['initiatePayment', 'submitPayment', 'paymentStatus'],
      (members, _, past) =>
        members.status !== 'RJCT' && isBeforeAGrant(members.orderId, past)
          ? inStatus('ACTC')(members)
          : members,
      'paymentToken',
    ),
  }),
]

/** A payment in the one status gets the other after so long. */
const moving = (before: Payment['status'], ms: number, after: Payment['status']) =>
  when(isIn(before), alter({ nextMove: (_, { now }) => ({ at: new Date(+now + ms), status: after }) }))

const later: readonly Defect[] = [
  ...defectsOf([PAY.statesFollowTheTable, PAY.unauthorizedPaymentIsNotSubmitted], {
    'A payment that its customer has granted is executed when its status is read': when(
      isSentIn('status'),
      reported('ACSP', (payment, _, past) => payment.status === 'ACTC' && !!grantedAt(payment, past)),
    ),
  }),
  ...defectsOf([PAY.statesFollowTheTable], {
    'A payment that its customer has granted is executed after an hour, without a submission': when(
      isIn('ACTC'),
      reported('ACSP', (payment, facts, past) => age(grantedAt(payment, past), facts) >= HOUR),
    ),
  }),
  ...defectsOf([PAY.statesFollowTheTable, PAY.completedPaymentStaysCompleted], {
    'A payment in ACSC is in ACSP again after an hour': when(
      isIn('ACSC'),
      reported('ACSP', ({ statusAt }, facts) => age(statusAt, facts) >= HOUR),
    ),
  }),
  ...defectsOf([PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation], {
    'A payment in PDNG returns to ACTC at the end of its day': when(
      isIn('PDNG'),
      reported(
        'ACTC',
        ({ statusAt }, { now }) => now.toISOString().slice(0, 10) > statusAt.toISOString().slice(0, 10),
      ),
    ),
    'A payment in process returns to ACTC after an hour': moving('ACSP', HOUR, 'ACTC'),
  }),
  ...defectsOf(
    [PAY.completedPaymentStaysCompleted, PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    { 'A payment in ACSC returns to ACTC after a day': moving('ACSC', DAY, 'ACTC') },
  ),
  ...defectsOf([PAY.rejectedPaymentStaysRejected], {
    'A rejected payment is in ACSC after a day, for any reason code': moving('RJCT', DAY, 'ACSC'),
  }),
  ...defectsOf([PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable], {
    'A payment that was not submitted is in ACSP after a day': moving('ACTC', DAY, 'ACSP'),
    'A payment that the customer has denied is in ACSP': when(
      isSentIn('status'),
      reported('ACSP', (payment, _, past) => !!denialOf(payment, past)),
    ),
    'A payment that the customer has denied is in ACSP an hour later': when(
      isSentIn('status'),
      reported('ACSP', (payment, facts, past) => age(denialOf(payment, past), facts) >= HOUR),
    ),
    'A payment that the customer denies is in PDNG from then on': alter({
      outcomeOfDenial: { status: 'PDNG' },
    }),
  }),
]

export const defectsOfStatuses: readonly Defect[] = [...neighbours, ...later]
