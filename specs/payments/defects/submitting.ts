import {
  accept,
  alter,
  body,
  defectsOf,
  reply,
  when,
  type Change,
  type Defect,
} from '../../shared/changes.ts'
import type { Answer, FactsOf, Incoming, Members, MessagePast } from '../../shared/changes.ts'
import {
  having,
  initiationsOf,
  inStatus,
  isIn,
  isRejected,
  isSentIn,
  record,
  recordsOf,
  rejectedWith,
  type RecordFacts,
} from './records.ts'
import { PAY } from '../requirements.ts'

/** Submissions that do something else than to submit the authorized payment once, or are answered wrongly. */

const sentAs = (status: 'ACSP' | 'PDNG', change: (usual: Members) => Members): Change<RecordFacts> =>
  when(isIn(status), record(change))

const statuses: readonly Defect[] = [
  ...defectsOf(
    [PAY.authorizedPaymentIsInProcess, PAY.concurrentSubmissionsMoveOnce, PAY.statesFollowTheTable],
    {
      'A payment that was authorized and submitted is still in ACTC': sentAs('ACSP', inStatus('ACTC')),
      'A valid payment is rejected with AC01 once it is submitted': sentAs('ACSP', rejectedWith('AC01')),
    },
  ),
  ...defectsOf(
    [
      PAY.authorizedPaymentIsInProcess,
      PAY.secondSubmissionChangesNothing,
      PAY.concurrentSubmissionsMoveOnce,
      PAY.statesFollowTheTable,
    ],
    {
      'A payment without an execution date is in PDNG once it is submitted': sentAs('ACSP', inStatus('PDNG')),
    },
  ),
  ...defectsOf([PAY.futurePaymentIsPending, PAY.statesFollowTheTable], {
    'A payment with a date in the future is in ACSP once it is submitted': sentAs('PDNG', inStatus('ACSP')),
    'A payment with a date in the future is completed once it is submitted': sentAs('PDNG', inStatus('ACSC')),
  }),
  ...defectsOf([PAY.authorizedPaymentIsInProcess], {
    'The answer to a submission says ACSC': alter({
      statusAfterSubmission: (status) => (status === 'ACSP' ? 'ACSC' : status),
    }),
  }),
]

const atSubmission = ({ stage }: Pick<FactsOf<'fundsSuffice'>, 'stage'>): boolean => stage === 'submission'

const checks: readonly Defect[] = [
  ...defectsOf([PAY.invalidSubmissionIsRejected, PAY.missingFundsAreAm04], {
    'A payment whose submission is to be rejected is in ACSP': when(
      ({ payment: { status, statusAt, initiatedAt } }) => status === 'RJCT' && statusAt > initiatedAt,
      record(inStatus('ACSP')),
    ),
    'The available funds are not checked again at a submission': accept('fundsSuffice', atSubmission),
  }),
  ...defectsOf([PAY.invalidSubmissionIsRejected], {
    'The cut-off time is not checked at a submission': accept('isWithinHours', atSubmission),
  }),
  ...defectsOf(
    [PAY.completedPaymentStaysCompleted, PAY.rejectedPaymentStaysRejected, PAY.expiredTokenHasStatus401],
    {
      'A completed payment is executed again when it is submitted again': alter({
        mayBeSubmitted: true,
        redeemsPaymentToken: true,
        paymentTokenIsFresh: true,
      }),
    },
  ),
  ...defectsOf([PAY.rejectedPaymentStaysRejected], {
    'A rejected payment can be authorized and submitted': alter({
      mayBeAuthorized: true,
      mayBeSubmitted: (may, { payment }) => may || payment.status === 'RJCT',
    }),
  }),
]

/** Another record in the answer to a submission only. */
const answered = (change: (usual: Members) => Members): Change<RecordFacts> =>
  when(isSentIn('submission'), record(change))

const answers: readonly Defect[] = [
  ...defectsOf([PAY.rejectedSubmissionHasAReasonCode, PAY.rejectionCarriesItsReason], {
    'The answer to a submission that ends in RJCT has no reasonCode': when(
      isRejected(),
      answered(having({ reasonCode: undefined })),
    ),
  }),
  ...defectsOf([PAY.submissionAnswersTheStatusRecord], {
    'A submission is answered with the status 409 and the record': alter({ submissionStatus: 409 }),
    'The answer to a submission has no field': answered(() => ({})),
    'The answer to the submission of a pending payment has no orderId': when(
      isIn('PDNG'),
      answered(having({ orderId: undefined })),
    ),
    'The answer to a submission has no statusDateTime': when(
      isIn('ACSP', 'ACSC', 'PDNG'),
      answered(having({ statusDateTime: undefined })),
    ),
  }),
  ...defectsOf([PAY.submissionAnswersTheNewStatus, PAY.statesFollowTheTable], {
    'The answer to a submission says ACTC, and the status ACSP': when(
      isIn('ACSP'),
      answered(having({ status: 'ACTC' })),
    ),
    'The answer to the submission of a future payment says ACSP, and the status PDNG': when(
      isIn('PDNG'),
      answered(having({ status: 'ACSP' })),
    ),
  }),
]

const isSubmission = ({ operation }: Incoming): boolean => operation === 'submitPayment'
const tokenIn = ({ headers }: Incoming): string => headers.get('authorization') ?? ''

type Moves = (asked: Incoming, earlier: MessagePast['earlier']) => unknown

/** Whether its token is that of a customer's authorization. */
const isAuthorized = (asked: Incoming, earlier: MessagePast['earlier']): boolean =>
  earlier.some(
    (one) =>
      one.asked.form.get('grant_type') === 'authorization_code' &&
      tokenIn(asked) === `Bearer ${String(one.answer.members.access_token)}`,
  )

type Submission = Pick<MessagePast['earlier'][number], 'asked'> & {
  readonly answer: Pick<Answer, 'members' | 'status'>
}

const idsOf = ({ asked, answer }: Submission): readonly unknown[] =>
  [asked.members['orderId'], answer.members.orderId].filter((id) => id !== undefined)

/** The submissions so far, with the one that is answered. */
const submissionsIn = (members: Members, asked: Incoming, { earlier }: MessagePast): readonly Submission[] =>
  [...earlier, { asked, answer: { status: 201, members } }].filter((one) => isSubmission(one.asked))

/** Other records of payments in this status once a payment was submitted again, whether or not that was refused. */
const again = (before: string, change: (usual: Members) => Members, atTheSameMoment = false) =>
  body(
    ['submitPayment', 'paymentStatus'],
    (members, asked, past) => {
      const submissions = submissionsIn(members, asked, past)
      const isRepeated = (one: Submission, place: number): boolean =>
        (one.answer.status >= 400 && isAuthorized(one.asked, past.earlier)) ||
        submissions.slice(0, place).some((other) => idsOf(other).some((id) => idsOf(one).includes(id)))
      const isAgain = submissions.some(
        (one, place) => one.asked.isConcurrent === atTheSameMoment && isRepeated(one, place),
      )
      return isAgain && members.status === before ? change(members) : members
    },
    'paymentToken',
  )

const secondSubmissions: readonly Defect[] = [
  ...defectsOf([PAY.futurePaymentIsPending, PAY.statesFollowTheTable], {
    'A payment with a date in the future is executed by a second submission': body(
      ['submitPayment', 'paymentStatus'],
      (members, asked, past) =>
        submissionsIn(members, asked, past).length > 1 && members.status === 'PDNG'
          ? inStatus('ACSP')(members)
          : members,
    ),
  }),
  ...defectsOf(
    [PAY.secondSubmissionChangesNothing, PAY.noPaymentReturnsToValidation, PAY.statesFollowTheTable],
    { 'A second submission takes a payment back from ACSP to ACTC': again('ACSP', inStatus('ACTC')) },
  ),
  ...defectsOf([PAY.secondSubmissionChangesNothing, PAY.statesFollowTheTable], {
    'A second submission rejects the payment as a duplicate of itself': again('ACSP', rejectedWith('AM05')),
  }),
  ...defectsOf([PAY.concurrentSubmissionsMoveOnce], {
    'Two submissions at the same moment reject the payment as a duplicate of itself': again(
      'ACSP',
      rejectedWith('AM05'),
      true,
    ),
  }),
]

/** The status says ACSP of the payment that a submission moves: the one with the orderId that `moves` returns. */
const moving = (moves: Moves): Change<Incoming> =>
  body(
    'paymentStatus',
    (members, _, { earlier }) =>
      members.status === 'ACTC' &&
      earlier.some(
        ({ asked }, place) =>
          isSubmission(asked) && moves(asked, earlier.slice(0, place)) === members.orderId,
      )
        ? inStatus('ACSP')(members)
        : members,
    'submitPayment',
    'initiatePayment',
    'paymentToken',
  )

const lastInitiated = (earlier: MessagePast['earlier']): unknown =>
  recordsOf(initiationsOf(earlier)).at(-1)?.orderId

const unauthorized: readonly Defect[] = [
  ...defectsOf([PAY.unauthorizedPaymentIsNotSubmitted, PAY.submissionAnswersTheStatusRecord], {
    'Every customer can authorize every payment': accept('mayAuthorize'),
  }),
  ...defectsOf([PAY.unauthorizedPaymentIsNotSubmitted], {
    'A submission without an authorization submits the payment that its body names': moving(
      (asked, earlier) => (isAuthorized(asked, earlier) ? undefined : asked.members.orderId),
    ),
    'A submission without a token submits the last payment': moving((asked, earlier) =>
      tokenIn(asked) === '' ? lastInitiated(earlier) : undefined,
    ),
    'The authorization of one payment submits any other that the body names': moving((asked, earlier) =>
      isAuthorized(asked, earlier) ? asked.members.orderId : undefined,
    ),
  }),
  ...defectsOf(
    [PAY.unauthorizedPaymentIsNotSubmitted, PAY.deniedPaymentIsNotSubmitted, PAY.statesFollowTheTable],
    {
      'A submission with the token of the initiation submits the last payment': moving((asked, earlier) =>
        tokenIn(asked) === '' || isAuthorized(asked, earlier) ? undefined : lastInitiated(earlier),
      ),
    },
  ),
  ...defectsOf([PAY.deniedPaymentIsNotSubmitted], {
    'The authorization page takes every answer for a yes': accept('decisionAuthorizes'),
  }),
  ...defectsOf([PAY.acceptedPaymentCanBeAuthorized], {
    'The authorization of a payment in ACTC ends in an error, without a question to the customer': when(
      ({ query }) => query.has('orderId') && query.has('redirect_uri'),
      reply('paymentAuthorization', ({ query }) => {
        const error = new URLSearchParams({ error: 'server_error', state: query.get('state') ?? '' })
        const location = `${query.get('redirect_uri') ?? ''}?${error.toString()}`
        return new Response(null, { status: 302, headers: { location } })
      }),
    ),
  }),
]

export const defectsOfSubmitting: readonly Defect[] = [
  ...statuses,
  ...checks,
  ...answers,
  ...secondSubmissions,
  ...unauthorized,
]
