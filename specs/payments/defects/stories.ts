import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { PAY } from '../requirements.ts'

/** What shows in a story of several steps alone: payments that touch one another, and time that passes in between. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type BodyFacts = Parameters<Rules['paymentBody']>[0]
type Payment = BodyFacts['payment']
type Status = Payment['status']

/** What a bank listens to, and the state that it tells of a payment in the light of it; nothing for the true one. */
interface Gossip {
  readonly listens: Partial<Rules>
  readonly tells: (facts: BodyFacts) => Status | undefined
}

/** Tells another state than the one that the payment is in. */
export const retelling =
  (make: (lawful: Rules) => Gossip): RuleChange =>
  (lawful) => {
    const { listens, tells } = make(lawful)
    return {
      ...listens,
      paymentBody: (facts) => {
        const status = tells(facts)
        if (status === undefined) return lawful.paymentBody(facts)
        const isRejected = status === 'RJCT'
        return lawful.paymentBody({
          ...facts,
          payment: { ...facts.payment, status, reason: isRejected ? 'MS03' : undefined },
          additionalInformation: isRejected ? 'The payment cannot be executed.' : undefined,
        })
      },
    }
  }

/** Calls `hear` whenever a submission leads to that state. */
const onSubmission = (lawful: Rules, status: Status, hear: (orderId: string) => void): Partial<Rules> => ({
  statusAfterSubmission: (facts) => {
    const after = lawful.statusAfterSubmission(facts)
    if (after === status) hear(facts.payment.orderId)
    return after
  },
})

/** Calls `hear` whenever a customer denies a payment. */
export const onDenial = (lawful: Rules, hear: (orderId: string, now: Date) => void): Partial<Rules> => ({
  outcomeOfDenial: (facts) => {
    hear(facts.payment.orderId, facts.now)
    return lawful.outcomeOfDenial(facts)
  },
})

/** Remembers when a customer has granted a payment. */
const onGrant = (lawful: Rules, hear: (orderId: string, now: Date) => void): Partial<Rules> => ({
  decisionAuthorizes: (facts) => {
    const authorizes = lawful.decisionAuthorizes(facts)
    if (authorizes) hear(facts.payment.orderId, facts.now)
    return authorizes
  },
})

const neighbours: readonly Defect[] = [
  {
    id: 'submission-moves-the-oldest-of-the-moment',
    story: 'The submission of a payment moves the oldest one that came in at the same moment, and waits.',
    breaks: [PAY.statesFollowTheTable],
    rules: (lawful) => ({
      orderSubmitted: (facts) => {
        const orderId = lawful.orderSubmitted(facts)
        const waiting = [...facts.payments.values()]
          .filter(({ status, initiatedAt }) => status === 'ACTC' && initiatedAt >= facts.token.issuedAt)
          .map((payment) => payment.orderId)
        return orderId !== undefined && waiting.includes(orderId) ? waiting[0] : orderId
      },
    }),
  },
  {
    id: 'used-authorization-submits-another-payment',
    story: 'An authorization that was used submits a payment that came in at the same moment, or since.',
    breaks: [PAY.statesFollowTheTable],
    rules: (lawful) => {
      const used = new Set<string>()
      return {
        redeemsPaymentToken: () => true,
        orderSubmitted: (facts) => {
          const { token, payments } = facts
          const isUsed = used.has(token.value)
          if (token.orderId !== undefined) used.add(token.value)
          const other = [...payments.values()].find(
            ({ status, initiatedAt }) => status === 'ACTC' && initiatedAt >= token.issuedAt,
          )
          return (isUsed ? other?.orderId : undefined) ?? lawful.orderSubmitted(facts)
        },
      }
    },
  },
  {
    id: 'payment-beside-one-in-process-is-in-process',
    story: 'A payment that is initiated after the submission of another is read with the state of the other.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      let submittedAt: Date | undefined
      const beside = new Set<string>()
      return {
        listens: {
          statusAfterSubmission: (facts) => {
            submittedAt = facts.now
            return lawful.statusAfterSubmission(facts)
          },
          newOrderId: async (facts) => {
            const orderId = await lawful.newOrderId(facts)
            const isSoon = submittedAt !== undefined && +facts.now - +submittedAt < MINUTE_MS
            if (isSoon) beside.add(orderId)
            return orderId
          },
        },
        tells: ({ payment: { orderId, status }, telling }) =>
          telling === 'status' && status === 'ACTC' && beside.has(orderId) ? 'ACSP' : undefined,
      }
    }),
  },
  {
    id: 'next-order-executes-what-is-pending',
    story: 'When a payment comes in, all those that wait for their day are executed.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      const pending = new Set<string>()
      const executed = new Set<string>()
      return {
        listens: {
          ...onSubmission(lawful, 'PDNG', (orderId) => pending.add(orderId)),
          newOrderId: (facts) => {
            for (const orderId of pending) executed.add(orderId)
            return lawful.newOrderId(facts)
          },
        },
        tells: ({ payment: { orderId, status } }) =>
          status === 'PDNG' && executed.has(orderId) ? 'ACSP' : undefined,
      }
    }),
  },
  {
    id: 'denial-rejects-whatever-waits',
    story: 'A customer who denies one payment denies all that wait for an authorization.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      let deniedAt = 0
      let denied: string | undefined
      return {
        listens: onDenial(lawful, (orderId, now) => {
          denied = orderId
          deniedAt = now.getTime()
        }),
        tells: ({ payment: { orderId, status, initiatedAt } }) =>
          status === 'ACTC' && orderId !== denied && initiatedAt.getTime() <= deniedAt ? 'RJCT' : undefined,
      }
    }),
  },
  {
    id: 'next-grant-takes-back-the-payment-before',
    story: 'A customer who grants a payment takes back the one that was submitted before.',
    breaks: [PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation],
    rules: retelling((lawful) => {
      let last: string | undefined
      const takenBack = new Set<string>()
      return {
        listens: {
          statusAfterSubmission: (facts) => {
            last = facts.payment.orderId
            return lawful.statusAfterSubmission(facts)
          },
          ...onGrant(lawful, () => last !== undefined && takenBack.add(last)),
        },
        tells: ({ payment: { orderId, status } }) =>
          status !== 'RJCT' && takenBack.has(orderId) ? 'ACTC' : undefined,
      }
    }),
  },
  {
    id: 'rejection-is-forgotten-when-another-is-executed',
    story: 'A payment that was rejected waits for its submission again once another one is executed.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      let executedAt = 0
      return {
        listens: {
          statusAfterSubmission: (facts) => {
            executedAt = facts.now.getTime()
            return lawful.statusAfterSubmission(facts)
          },
        },
        tells: ({ payment: { status, statusAt, initiatedAt } }) =>
          // What its own submission rejects is not meant.
          status === 'RJCT' && +statusAt === +initiatedAt && +statusAt <= executedAt ? 'ACTC' : undefined,
      }
    }),
  },
  {
    id: 'next-payment-after-an-executed-one-needs-no-customer',
    story:
      'Where a payment of an application is in process, the next one is in process once it is initiated.',
    breaks: [PAY.statesFollowTheTable],
    rules: (lawful) => ({
      statusAfterInitiation: (facts) =>
        facts.cause === undefined && facts.earlier.at(-1)?.status === 'ACSP'
          ? 'ACSP'
          : lawful.statusAfterInitiation(facts),
    }),
  },
]

const hours: readonly Defect[] = [
  {
    id: 'granted-payment-is-submitted-by-whoever-reads-it',
    story:
      'A payment that its customer has granted is executed when its status is read, without a submission.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      const granted = new Set<string>()
      return {
        listens: onGrant(lawful, (orderId) => granted.add(orderId)),
        tells: ({ payment: { orderId, status }, telling }) =>
          telling === 'status' && status === 'ACTC' && granted.has(orderId) ? 'ACSP' : undefined,
      }
    }),
  },
  {
    id: 'granted-payment-is-executed-after-an-hour',
    story: 'A payment that its customer has granted, and that nobody submits, is executed after an hour.',
    breaks: [PAY.statesFollowTheTable],
    rules: retelling((lawful) => {
      const granted = new Map<string, Date>()
      return {
        listens: onGrant(lawful, (orderId, now) => granted.set(orderId, now)),
        tells: ({ payment: { orderId, status }, now }) => {
          const since = granted.get(orderId)
          return status === 'ACTC' && since !== undefined && +now - +since >= HOUR_MS ? 'ACSP' : undefined
        },
      }
    }),
  },
  {
    id: 'completed-payment-is-in-process-after-an-hour',
    story: 'A payment in ACSC is in ACSP again after an hour.',
    breaks: [PAY.statesFollowTheTable, PAY.completedPaymentStaysCompleted],
    rules: retelling(() => ({
      listens: {},
      tells: ({ payment: { status, statusAt }, now }) =>
        status === 'ACSC' && +now - +statusAt >= HOUR_MS ? 'ACSP' : undefined,
    })),
  },
  {
    id: 'pending-payment-waits-for-its-submission-at-midnight',
    story: 'A payment in PDNG returns to ACTC at the end of its day.',
    breaks: [PAY.statesFollowTheTable, PAY.noPaymentReturnsToValidation],
    rules: retelling(() => ({
      listens: {},
      tells: ({ payment: { status, statusAt }, now }) =>
        status === 'PDNG' && now.toISOString().slice(0, 10) > statusAt.toISOString().slice(0, 10)
          ? 'ACTC'
          : undefined,
    })),
  },
]

export const defectsOfStories: readonly Defect[] = [...neighbours, ...hours]
