import { alter, defectsOf, refuse, type Defect, type FactsOf } from '../../shared/changes.ts'
import { DAY, HOUR, inStatus, rejectedWith, type Payment } from './records.ts'
import { PAY } from '../requirements.ts'

/** Faults that show only after a day or a month, at the end of a month, or beside another application. */

const isSameMessage = (one: Payment['order'], { order }: Payment): boolean =>
  one.instructionIdentification === order.instructionIdentification

const forgottenOvernight = alter({
  messageIsNew: (usual, { order, earlier, now }) =>
    usual ||
    earlier.every((payment) => !isSameMessage(order, payment) || +now > +payment.initiatedAt + 12 * HOUR),
})

const later = (status: Payment['status'], ms: number, as: ReturnType<typeof inStatus>) =>
  alter({
    paymentBody: (usual, { payment, now }) =>
      payment.status === status && +now > +payment.initiatedAt + ms ? as(usual) : usual,
  })

const isAtMonthEnd = ({ executionDay }: Pick<FactsOf<'datesAreValid'>, 'executionDay'>): boolean =>
  new Date(Date.parse(executionDay) + DAY).getUTCDate() === 1

const countedByApplication = alter({
  newOrderId: (_, { client, payments }) =>
    String([...payments.values()].filter(({ clientId }) => clientId === client.clientId).length + 1).padStart(
      8,
      '0',
    ),
})

export const lifeDefects: readonly Defect[] = [
  ...defectsOf([PAY.duplicateIsAm05, PAY.statesFollowTheTable], {
    'A message is no duplicate of one that came 12 hours before': forgottenOvernight,
  }),
  ...defectsOf([PAY.statesFollowTheTable, PAY.completedPaymentStaysCompleted], {
    'A completed payment is rejected after a month': later('ACSC', 30 * DAY, rejectedWith('MS03')),
  }),
  ...defectsOf([PAY.statesFollowTheTable, PAY.rejectedPaymentStaysRejected], {
    'A rejected payment is in ACTC after ten days': later('RJCT', 10 * DAY, inStatus('ACTC')),
  }),
  ...defectsOf([PAY.validPaymentIsAccepted], {
    'The last day of a month is no execution date': refuse('datesAreValid', isAtMonthEnd),
  }),
  ...defectsOf(
    [
      PAY.orderIdsAreDistinct,
      PAY.concurrentOrderIdsAreDistinct,
      PAY.completedPaymentStaysCompleted,
      PAY.rejectedPaymentStaysRejected,
      PAY.noPaymentReturnsToValidation,
      PAY.statesFollowTheTable,
    ],
    {
      'orderIds are counted for each application': countedByApplication,
    },
  ),
]
