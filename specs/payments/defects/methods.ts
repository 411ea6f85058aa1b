import {
  accept,
  alter,
  defectsOf,
  every,
  refuse,
  replaceRules,
  when,
  type Defect,
  type FactsOf,
} from '../../shared/changes.ts'
import { DAY, inStatus, isBy, isIn, isSentIn, type Payment, record, rejectedWith } from './records.ts'
import { PAY } from '../requirements.ts'

/** What is wrong with the payments of one method, with a near or far date, with late rejections, and with owners and ids. */

const numbered = (number: number): string => `ORDER${String(number).padStart(20, '0')}`

const methods: readonly Defect[] = [
  ...defectsOf([PAY.statusIsAnsweredUnderTheOrderId], {
    // A token of one payment submits it, and so sees it.
    'The status of a batch is not found': refuse(
      'maySeePayment',
      ({ payment, token }) => payment.order.method === 'batch' && token.orderId === undefined,
    ),
  }),
  ...defectsOf([PAY.statusRecordAgreesWithTheInitiation], {
    'A batch in ACTC is said to be in PDNG when its status is read': when(
      isSentIn('status'),
      when(isBy('batch'), when(isIn('ACTC'), record(inStatus('PDNG')))),
    ),
  }),
  ...defectsOf([PAY.validPaymentIsAccepted], {
    'Every second valid batch is rejected with AC01': when(
      isSentIn('initiation'),
      when(isBy('batch'), when(isIn('ACTC'), when(every(2), record(rejectedWith('AC01'))))),
    ),
  }),
  ...defectsOf([PAY.authorizedPaymentIsInProcess], {
    'A batch is in PDNG once it is submitted, whatever its date': when(
      isBy('batch'),
      when(isIn('ACSP', 'ACSC'), record(inStatus('PDNG'))),
    ),
  }),
]

const identities: readonly Defect[] = [
  ...defectsOf([PAY.orderIdsAreDistinct, PAY.statesFollowTheTable], {
    // The order of the calls of two rules matters here.
    'The orderId of a payment is its number among those of its method': replaceRules(({ orderOf }) => {
      const counts = new Map<string, number>()
      let method = ''
      return {
        orderOf: (facts) => {
          method = facts.method
          return orderOf(facts)
        },
        newOrderId: () => {
          const count = (counts.get(method) ?? 0) + 1
          counts.set(method, count)
          return numbered(count)
        },
      }
    }),
  }),
  ...defectsOf([PAY.concurrentOrderIdsAreDistinct], {
    'Two initiations that read the counter of orders at the same moment get one orderId': alter({
      newOrderId: async (_, __, past) => {
        const next = numbered(past.of('newOrderId').length + 1)
        // The time that a database takes.
        await Promise.resolve()
        return next
      },
    }),
  }),
  ...defectsOf([PAY.foreignPaymentIsRefused], {
    'Any application reads the status of any payment': accept('maySeePayment'),
  }),
]

const after = (day: string, since: Date): number => Date.parse(day) - +since

/** Executes payments that are to wait for their day. */
const executing = (isMeant: (facts: FactsOf<'statusAfterSubmission'>) => boolean) =>
  alter({
    statusAfterSubmission: (status, facts) => (status === 'PDNG' && isMeant(facts) ? 'ACSP' : status),
  })

const dates: readonly Defect[] = [
  ...defectsOf([PAY.futurePaymentIsPending, PAY.statesFollowTheTable], {
    'A payment is executed at once where its date lies less than thirty days ahead': executing(
      ({ executionDay, now }) => after(executionDay, now) < 30 * DAY,
    ),
    'A payment is executed at once where its date lies less than two days ahead': executing(
      ({ executionDay, now }) => after(executionDay, now) < 2 * DAY,
    ),
  }),
  ...defectsOf([PAY.futurePaymentIsPending], {
    'A payment that is initiated for the next day is executed at once': executing(
      ({ executionDay, payment }) => after(executionDay, payment.initiatedAt) < DAY,
    ),
  }),
  ...defectsOf([PAY.authorizedPaymentIsInProcess], {
    'A payment that is initiated for the same day is in PDNG once it is submitted': alter({
      statusAfterSubmission: (status, { executionDay, order, payment }) =>
        status === 'ACSP' && order.method === 'standard' && after(executionDay, payment.initiatedAt) < 0
          ? 'PDNG'
          : status,
    }),
  }),
  ...defectsOf([PAY.statesFollowTheTable], {
    'A payment is executed at once where its date lies more than two weeks ahead': executing(
      ({ executionDay, now }) => after(executionDay, now) > 14 * DAY,
    ),
  }),
]

/** Whether the submission of a payment has rejected it, and not its initiation. */
const isRejectedLate = ({ payment }: { readonly payment: Payment }): boolean =>
  payment.status === 'RJCT' && payment.statusAt > payment.initiatedAt

const late: readonly Defect[] = [
  ...defectsOf([PAY.rejectedPaymentStaysRejected], {
    'A payment that its submission has rejected can be authorized and submitted once more': alter({
      mayBeAuthorized: (may, facts) => may || isRejectedLate(facts),
      mayBeSubmitted: (may, facts) => may || isRejectedLate(facts),
    }),
    'The authorization of a payment that came too late submits it on the next day': alter({
      paymentTokenLifetime: 10 * DAY,
      redeemsPaymentToken: true,
      mayBeSubmitted: (may, facts) =>
        may || (isRejectedLate(facts) && +facts.now - +facts.payment.statusAt > DAY / 3),
    }),
  }),
  ...defectsOf([PAY.completedPaymentStaysCompleted], {
    'A payment that was executed on its day is in PDNG when it is submitted again': alter({
      paymentTokenLifetime: 20 * DAY,
      redeemsPaymentToken: true,
      mayBeSubmitted: (may, { payment }) =>
        may || (payment.status === 'ACSC' && payment.order.method === 'standard'),
      causesLookedFor: (causes, { stage, order }) =>
        stage === 'submission' && order.method === 'standard' ? [] : causes,
      statusAfterSubmission: (status, { payment }) => (payment.status === 'ACSC' ? 'PDNG' : status),
    }),
  }),
]

export const defectsOfMethods: readonly Defect[] = [...methods, ...identities, ...dates, ...late]
