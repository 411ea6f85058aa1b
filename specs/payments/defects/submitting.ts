import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import {
  inState,
  rejectedFor,
  rewording,
  without,
  wordingRecords,
  type Asked,
  type Members,
  type Said,
} from './bodies.ts'
import { PAY } from '../requirements.ts'
import { onDenial, retelling } from './stories.ts'

const isIn = (status: string) => (record: Members) => record.status === status

const moves: readonly Defect[] = [
  {
    id: 'submission-changes-nothing',
    story: 'A payment that was authorized and submitted is still in ACTC.',
    breaks: [PAY.authorizedPaymentIsInProcess, PAY.concurrentSubmissionsMoveOnce, PAY.statesFollowTheTable],
    wire: wordingRecords(isIn('ACSP'), (record) => inState(record, 'ACTC')),
  },
  {
    id: 'submitted-payment-is-pending',
    story: 'A payment without an execution date is in PDNG once it is submitted.',
    breaks: [
      PAY.authorizedPaymentIsInProcess,
      PAY.secondSubmissionChangesNothing,
      PAY.concurrentSubmissionsMoveOnce,
      PAY.statesFollowTheTable,
    ],
    wire: wordingRecords(isIn('ACSP'), (record) => inState(record, 'PDNG')),
  },
  {
    id: 'submitted-payment-is-rejected',
    story: 'A valid payment is rejected with AC01 once it is submitted.',
    breaks: [PAY.authorizedPaymentIsInProcess, PAY.concurrentSubmissionsMoveOnce, PAY.statesFollowTheTable],
    wire: wordingRecords(isIn('ACSP'), (record) => rejectedFor(record, 'AC01')),
  },
  {
    id: 'future-payment-is-in-process',
    story: 'A payment with an execution date in the future is in ACSP once it is submitted.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    wire: wordingRecords(isIn('PDNG'), (record) => inState(record, 'ACSP')),
  },
  {
    id: 'future-payment-is-completed',
    story: 'A payment with an execution date in the future is completed once it is submitted.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    wire: wordingRecords(isIn('PDNG'), (record) => inState(record, 'ACSC')),
  },
  {
    id: 'second-submission-executes-a-future-payment',
    story: 'A payment with an execution date in the future is executed when it is submitted again.',
    breaks: [PAY.futurePaymentIsPending, PAY.statesFollowTheTable],
    wire: rewording(() => {
      let submissions = 0
      return ({ body }, { operation }) => {
        if (operation === 'submission') submissions += 1
        return submissions > 1 && body.status === 'PDNG' ? { body: inState(body, 'ACSP') } : undefined
      }
    }),
  },
  {
    id: 'late-submission-is-accepted',
    story: 'The rules are not asked again when a payment is submitted.',
    breaks: [PAY.invalidSubmissionIsRejected, PAY.missingFundsAreAm04],
    wire: rewording(() => {
      const valid = new Set<unknown>()
      return ({ body }) => {
        if (body.status === 'ACTC') valid.add(body.orderId)
        return body.status === 'RJCT' && valid.has(body.orderId) ? { body: inState(body, 'ACSP') } : undefined
      }
    }),
  },
]

const rewordingSubmissions = (reword: (said: Said) => Partial<Said> | undefined): Wire =>
  rewording(
    () =>
      (said, { operation }) =>
        operation === 'submission' && said.status < 300 ? reword(said) : undefined,
  )

const answers: readonly Defect[] = [
  {
    id: 'rejected-submission-has-no-reason',
    story: 'The answer to a submission that ends in RJCT has no reasonCode; the status has it.',
    breaks: [PAY.rejectedSubmissionHasAReasonCode, PAY.rejectionCarriesItsReason],
    wire: rewordingSubmissions(({ body }) =>
      body.status === 'RJCT' ? { body: without(body, 'reasonCode') } : undefined,
    ),
  },
  {
    id: 'submission-is-a-conflict',
    story: 'A submission that moves the payment is answered with the status 409 and the record.',
    breaks: [PAY.submissionAnswersTheStatusRecord],
    wire: rewordingSubmissions(() => ({ status: 409 })),
  },
  {
    id: 'submission-answers-an-empty-object',
    story: 'The answer to a submission has no field.',
    breaks: [PAY.submissionAnswersTheStatusRecord],
    wire: rewordingSubmissions(() => ({ body: {} })),
  },
  {
    id: 'submission-answers-no-order-id',
    story: 'The answer to the submission of a pending payment has no orderId.',
    breaks: [PAY.submissionAnswersTheStatusRecord],
    wire: rewordingSubmissions(({ body }) =>
      body.status === 'PDNG' ? { body: without(body, 'orderId') } : undefined,
    ),
  },
  {
    id: 'submission-answers-no-date-time',
    story: 'The answer to a submission has no statusDateTime.',
    breaks: [PAY.submissionAnswersTheStatusRecord],
    wire: rewordingSubmissions(({ body }) =>
      body.status === 'RJCT' ? undefined : { body: without(body, 'statusDateTime') },
    ),
  },
  {
    id: 'submission-answers-the-old-status',
    story: 'The answer to a submission says ACTC, and the status then ACSP.',
    breaks: [PAY.submissionAnswersTheNewStatus, PAY.statesFollowTheTable],
    wire: rewordingSubmissions(({ body }) =>
      body.status === 'ACSP' ? { body: { ...body, status: 'ACTC' } } : undefined,
    ),
  },
  {
    id: 'submission-answers-acceptance-of-a-future-payment',
    story: 'The answer to the submission of a future payment says ACSP, and the status then PDNG.',
    breaks: [PAY.submissionAnswersTheNewStatus, PAY.statesFollowTheTable],
    wire: rewordingSubmissions(({ body }) =>
      body.status === 'PDNG' ? { body: { ...body, status: 'ACSP' } } : undefined,
    ),
  },
]

const nameIn = ({ body }: Asked): unknown => {
  try {
    return (JSON.parse(body) as Members).orderId
  } catch {
    return undefined
  }
}

/** Rewords the records of payments in process once a submission was not the first, whether or not it was refused for that. */
const submittedAgain = (isMeant: (asked: Asked) => boolean, change: (record: Members) => Members): Wire =>
  rewording(() => {
    const submitted = new Set<unknown>()
    const isKnown = (orderId: unknown): boolean => orderId !== undefined && submitted.has(orderId)
    let isAgain = false
    return ({ body, status }, asked) => {
      if (asked.operation === 'submission') {
        const isRefused = status >= 400 && asked.isGranted
        isAgain ||= (isRefused || isKnown(body.orderId) || isKnown(nameIn(asked))) && isMeant(asked)
        submitted.add(body.orderId)
      }
      return isAgain && body.status === 'ACSP' ? { body: change(body) } : undefined
    }
  })

const again: readonly Defect[] = [
  {
    id: 'second-submission-takes-back',
    story: 'A second submission takes a payment back from ACSP to ACTC.',
    breaks: [PAY.secondSubmissionChangesNothing, PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    wire: submittedAgain(
      ({ isConcurrent }) => !isConcurrent,
      (record) => inState(record, 'ACTC'),
    ),
  },
  {
    id: 'second-submission-rejects-a-duplicate',
    story: 'A second submission rejects the payment as a duplicate of itself.',
    breaks: [PAY.secondSubmissionChangesNothing, PAY.statesFollowTheTable],
    wire: submittedAgain(
      ({ isConcurrent }) => !isConcurrent,
      (record) => rejectedFor(record, 'AM05'),
    ),
  },
  {
    id: 'second-submission-at-the-same-moment-rejects',
    story: 'Two submissions at the same moment reject the payment as a duplicate of itself.',
    breaks: [PAY.concurrentSubmissionsMoveOnce],
    wire: submittedAgain(
      ({ isConcurrent }) => isConcurrent,
      (record) => rejectedFor(record, 'AM05'),
    ),
  },
]

interface Told {
  /** The payment that was initiated last. */
  readonly last: unknown
}

/** Which payment an unlawful submission moves; nothing where it moves none. */
type Moves = (asked: Asked, told: Told) => unknown

/** Moves payments to ACSP that the bank does not. */
const movingBy = (moves: Moves): Wire =>
  rewording(() => {
    const moved = new Set<unknown>()
    let last: unknown
    return ({ body }, asked) => {
      if (asked.operation === 'initiation' && body.orderId !== undefined) last = body.orderId
      if (asked.operation === 'submission') moved.add(moves(asked, { last }))
      return moved.has(body.orderId) && body.status === 'ACTC' ? { body: inState(body, 'ACSP') } : undefined
    }
  })

/** Tells of a payment that its customer has denied as if it was in process, from this reading on. */
const movingDenied = (reads: number): RuleChange =>
  retelling((lawful) => {
    let denied: string | undefined
    let count = 0
    return {
      listens: onDenial(lawful, (orderId) => {
        denied = orderId
      }),
      tells: ({ payment: { orderId }, telling }) => {
        if (orderId !== denied || telling !== 'status') return undefined
        count += 1
        return count >= reads ? 'ACSP' : undefined
      },
    }
  })

const strangers: readonly Defect[] = [
  {
    id: 'submission-by-name-needs-no-authorization',
    story: 'Whoever names a payment in the body of a submission submits it.',
    breaks: [PAY.unauthorizedPaymentIsNotSubmitted],
    wire: movingBy((asked) => (asked.isGranted ? undefined : nameIn(asked))),
  },
  {
    id: 'client-token-submits-the-last-payment',
    story: 'A submission with the token of the initiation submits the last payment.',
    breaks: [
      PAY.unauthorizedPaymentIsNotSubmitted,
      PAY.deniedPaymentIsNotSubmitted,
      PAY.statesFollowTheTable,
    ],
    wire: movingBy(({ hasToken, isGranted }, { last }) => (hasToken && !isGranted ? last : undefined)),
  },
  {
    id: 'submission-needs-no-token',
    story: 'A submission without a token submits the last payment.',
    breaks: [PAY.unauthorizedPaymentIsNotSubmitted],
    wire: movingBy(({ hasToken }, { last }) => (hasToken ? undefined : last)),
  },
  {
    id: 'authorization-of-another-payment-will-do',
    story: 'The authorization of one payment submits any other that the body names.',
    breaks: [PAY.unauthorizedPaymentIsNotSubmitted],
    wire: movingBy((asked) => (asked.isGranted ? nameIn(asked) : undefined)),
  },
  {
    id: 'used-authorization-of-another-payment-will-do',
    story: 'The authorization of one payment, once it is used, submits any other that the body names.',
    breaks: [PAY.unauthorizedPaymentIsNotSubmitted],
    wire: rewording(() => {
      const moved = new Set<unknown>()
      let granted = 0
      return ({ body }, asked) => {
        if (asked.operation === 'submission' && asked.isGranted) granted += 1
        if (asked.operation === 'submission' && granted > 1) moved.add(nameIn(asked))
        return moved.has(body.orderId) && body.status === 'ACTC' ? { body: inState(body, 'ACSP') } : undefined
      }
    }),
  },
  {
    id: 'denied-payment-is-in-process',
    story: 'A payment that the customer has denied is in ACSP.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: movingDenied(1),
  },
  {
    id: 'denied-payment-is-in-process-some-time-later',
    story: 'A payment that the customer has denied is in ACSP some hours later.',
    breaks: [PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    rules: movingDenied(4),
  },
]

const refusingAuthorization: Wire = (next) => async (request) => {
  const { searchParams } = new URL(request.url)
  const back = searchParams.get('redirect_uri')
  if (!searchParams.has('orderId') || back === null) return next(request)
  const state = searchParams.get('state') ?? ''
  return new Response(null, {
    status: 302,
    headers: { location: `${back}?error=server_error&state=${encodeURIComponent(state)}` },
  })
}

const authorizations: readonly Defect[] = [
  {
    id: 'payment-cannot-be-authorized',
    story: 'The authorization of a payment in ACTC ends in an error, without a question to the customer.',
    breaks: [PAY.acceptedPaymentCanBeAuthorized],
    wire: refusingAuthorization,
  },
]

export const defectsOfSubmitting: readonly Defect[] = [
  ...moves,
  ...answers,
  ...again,
  ...strangers,
  ...authorizations,
]
