import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { inState, rejectedFor, rewording } from './wires.ts'
import type { Asked, Said } from './wires.ts'
import { PAY } from '../requirements.ts'

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
    story: 'A valid batch is rejected with AC01.',
    breaks: [PAY.validPaymentIsAccepted],
    wire: ofBatches(({ body }) => (body.status === 'ACTC' ? { body: rejectedFor(body, 'AC01') } : undefined)),
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
    breaks: [PAY.orderIdsAreDistinct],
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
