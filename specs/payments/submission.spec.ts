import {
  check,
  note,
  NotReached,
  type Exchange,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  codesRejectedAtSubmission,
  scenario,
  type PaymentAuthorization,
  type Payments,
  type ReasonCode,
  type Session,
} from '../../harness/session/index.ts'
import {
  aMoment,
  asTimePasses,
  changesItsTime,
  isAuthorized,
  isInProcess,
  isItsNewStatus,
  isItsRecord,
  isSubmitted,
  statesSettlement,
} from './orders.ts'
import { timelineOf } from './model.ts'
import {
  isGiven,
  MOVED,
  readIn,
  recordIn,
  stateIn,
  statesLaws,
  statesLawsOfRejections,
  statesLawsWithoutOrder,
  statesReadability,
  toldIn,
} from './record-rules.ts'
import { PAY } from './requirements.ts'

const submitted = scenario(
  'an authorized payment that is submitted, and submitted again',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    const { body } = payments.profile.submission
    return {
      ...{ initiation, authorization, submission, after, again, afterAgain, later, late, last },
      hasBody: body !== undefined,
    }
  },
)

statesLaws(submitted)
statesReadability(submitted)

statesSettlement(submitted)

check(PAY.secondSubmissionChangesNothing, submitted, ({ after, again, afterAgain }) => {
  if (!MOVED.includes(recordIn(after).status.value))
    throw new NotReached('the first submission moved nothing')
  isInProcess(afterAgain)
  for (const { exchange } of toldIn([again])) isInProcess(exchange)
})

/** A step from ACSP to ACSC may take less than a ms: the moves that a moment has passed before are judged. */
check(PAY.statusDateTimeChangesWithTheStatus, submitted, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

note(PAY.movesIntoCompletion, submitted, ({ initiation, after, afterAgain, later, last }) =>
  timelineOf([initiation, after, afterAgain, ...later, last]),
)
note(PAY.bodyOfTheSubmission, submitted, ({ submission, hasBody }) =>
  submission.accepted ? `accepted with ${hasBody ? 'the body of the profile' : 'no body'}` : undefined,
)
note(
  PAY.scopesOfThePaymentOperations,
  submitted,
  ({ authorization }) =>
    authorization.exchange && `token of a submission: ${authorization.exchange.body.shape}`,
)
note(PAY.statusCodesOfThePaymentApi, submitted, ({ submission, again }) =>
  [
    `a submission: ${String(submission.status.value)}`,
    `a second submission: ${String(again.status.value)}`,
  ].join(', '),
)

const doubled = scenario(
  'an authorized payment that is submitted twice at the same moment',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    const authorization = await payments.authorize(orderId)
    const submissions = await Promise.all([payments.submit(authorization), payments.submit(authorization)])
    return { initiation, authorization, submissions, after: await payments.status(orderId) }
  },
)

statesLawsWithoutOrder(doubled)
statesReadability(doubled)

check(PAY.concurrentSubmissionsMoveOnce, doubled, ({ authorization, submissions, after }) => {
  isAuthorized(authorization)
  isInProcess(after)
  // Whether the other one was first is not to be told.
  for (const { exchange, status } of toldIn(submissions)) if (status.value !== 'ACTC') isInProcess(exchange)
})

const future = scenario(
  'an authorized payment with an execution date in the future that is submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'future-initiation'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const method = payments.profile.initiations.find(({ future: isLater }) => isLater)
    const initiation = await payments.initiate(method && { method: method.name })
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const again = await payments.submit(authorization)
    const afterAgain = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'late')
    const late = await payments.submit(authorization)
    const last = await payments.status(orderId)
    return { initiation, authorization, submission, after, again, afterAgain, later, late, last }
  },
)

statesLaws(future)
statesReadability(future)

check(PAY.futurePaymentIsPending, future, ({ authorization, submission, after, afterAgain }) => {
  isAuthorized(authorization)
  isSubmitted({ submission, after })
  for (const answer of [after, afterAgain]) readIn(answer).status.equals('PDNG')
})
check(PAY.submissionAnswersTheStatusRecord, future, isItsRecord)
check(PAY.submissionAnswersTheNewStatus, future, isItsNewStatus)
check(PAY.statusDateTimeChangesWithTheStatus, future, ({ initiation, after }) =>
  changesItsTime([initiation, after]),
)

note(PAY.movesOutOfPending, future, ({ initiation, after, later }) =>
  timelineOf([initiation, after, ...later]),
)

/** The table of transitions is one for all methods of initiation. */
const submittedAgain = scenario(
  'an authorized payment by a further initiation method that is submitted',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'further-initiation-at-once'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const method = payments.profile.initiations.slice(1).find(({ future }) => !future)
    const initiation = await payments.initiate(method && { method: method.name })
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    return { initiation, authorization, submission, after: await payments.status(orderId) }
  },
)

statesLaws(submittedAgain)
statesReadability(submittedAgain)

statesSettlement(submittedAgain)

/** The customer authorizes what was initiated, and it is submitted. */
const carryOut = async (session: Session, payments: Payments, initiation: Exchange) => {
  const orderId = payments.orderIdOf(initiation)
  await aMoment(session)
  const authorization = await payments.authorize(orderId)
  const submission = await payments.submit(authorization)
  return { initiation, authorization, submission, after: await payments.status(orderId) }
}

const rejectWith = async (session: Session, code: ReasonCode) => {
  // Asked for anew: the one before may have left the clock at night.
  const payments = await session.payments()
  const carriedOut = await carryOut(session, payments, await payments.initiateRejectedAtSubmission(code))
  const { initiation, authorization, after } = carriedOut
  // Where something else comes of it, a valid order tells whether the day, or the hour, is to blame.
  const isAsMeant = after.response?.body.text.includes(`"${code}"`) === true
  const isTimed = payments.profile.rejectedAtSubmission[code]?.at !== undefined
  const control =
    isAsMeant || isTimed ? undefined : await carryOut(session, payments, await payments.initiate())
  const again = await payments.submit(authorization)
  const orderId = payments.orderIdOf(initiation)
  const later = await asTimePasses(session, payments, orderId, 'soon')
  // By then the hour may be one at which the order would pass.
  const open = await session.payments()
  const late = await open.submit(authorization)
  const authorizedAgain = await open.authorize(orderId)
  const anew = await open.submit(authorizedAgain)
  const last = await open.status(orderId)
  return { code, ...carriedOut, control, again, later, late, authorizedAgain, anew, last }
}

const doomed = scenario(
  'authorized payments that their submission rejects',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
    needs: ['payments', 'customer', 'submission-rejection'],
    payments: { initiated: 1, submitted: 1 },
    times: ({ payments }, canMoveTime) =>
      payments ? codesRejectedAtSubmission(payments, canMoveTime).length : 0,
  },
  async (session) => {
    const { payments } = session.profile
    const codes = payments ? codesRejectedAtSubmission(payments, session.clock.kind !== 'wall') : []
    const dooms = []
    for (const code of codes) dooms.push(await rejectWith(session, code))
    return { dooms }
  },
)

statesLawsOfRejections(doomed)
statesReadability(doomed)

/** Judges each of them, and gives why some were not reached: one that waits for its hour may be over before it can be authorized. */
const unreachedIn = <Doom>(dooms: readonly Doom[], judge: (doom: Doom) => void): readonly NotReached[] =>
  dooms.flatMap((doom) => {
    try {
      judge(doom)
      return []
    } catch (error) {
      if (error instanceof NotReached) return [error]
      throw error
    }
  })

/** @throws NotReached where none came about. */
const eachReached = <Doom>(dooms: readonly Doom[], judge: (doom: Doom) => void): void => {
  const unreached = unreachedIn(dooms, judge)
  const [first] = unreached
  if (first !== undefined && unreached.length === dooms.length) throw first
}

/** @throws NotReached where one did not come about, and none of the others is wrong: each has a cause of its own. */
const everyOne = <Doom>(dooms: readonly Doom[], judge: (doom: Doom) => void): void => {
  const [first] = unreachedIn(dooms, judge)
  if (first !== undefined) throw first
}

/** @throws NotReached where it was rejected before, or never authorized. */
const wasAccepted = (initiation: ObservedExchange, authorization: Observed<PaymentAuthorization>): void => {
  if (recordIn(initiation).status.value !== 'ACTC') throw new NotReached('the payment was rejected before')
  isAuthorized(authorization)
}

/** @throws NotReached where a valid order, made because of what became of the other, is rejected as well. */
const isJudged = (control: { readonly after: ObservedExchange } | undefined): void => {
  if (control === undefined || stateIn(control.after) !== 'RJCT') return
  throw new NotReached(`a valid order is rejected as well (${control.after.id})`)
}

check(PAY.invalidSubmissionIsRejected, doomed, ({ dooms }) =>
  eachReached(dooms, ({ initiation, authorization, submission, after }) => {
    wasAccepted(initiation, authorization)
    isSubmitted({ submission, after })
    readIn(after).status.equals('RJCT')
  }),
)

check(PAY.rejectedSubmissionHasAReasonCode, doomed, ({ dooms }) =>
  eachReached(dooms, ({ submission }) => {
    const { status, reasonCode } = recordIn(submission)
    if (status.value !== 'RJCT') throw new NotReached('the answer to the submission does not say RJCT')
    reasonCode.satisfies(isGiven(reasonCode), 'a reasonCode')
  }),
)

check(PAY.rejectedSubmissionHasItsReasonCode, doomed, ({ dooms }) =>
  everyOne(dooms, ({ code, initiation, authorization, after, control }) => {
    wasAccepted(initiation, authorization)
    isJudged(control)
    const { status, reasonCode } = readIn(after)
    if (status.value !== 'RJCT') throw new NotReached('the submission did not reject the payment')
    // That there is one is judged above.
    if (isGiven(reasonCode)) reasonCode.equals(code)
  }),
)

check(PAY.submissionAnswersTheStatusRecord, doomed, ({ dooms }) => eachReached(dooms, isItsRecord))
check(PAY.submissionAnswersTheNewStatus, doomed, ({ dooms }) => eachReached(dooms, isItsNewStatus))
check(PAY.statusDateTimeChangesWithTheStatus, doomed, ({ dooms }) => {
  for (const { initiation, after } of dooms) changesItsTime([initiation, after])
})

check(PAY.rejectedPaymentStaysRejected, doomed, ({ dooms }) => {
  for (const { after, again, later, late, anew, last } of dooms) {
    if (recordIn(after).status.value !== 'RJCT')
      throw new NotReached('the submission did not reject the payment')
    for (const { status } of toldIn([again, ...later, late, anew, last])) status.equals('RJCT')
  }
})
