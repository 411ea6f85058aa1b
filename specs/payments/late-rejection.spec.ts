import { check, NotReached } from '../../harness/check/index.ts'
import { codesRejectedAtSubmission, scenario } from '../../harness/session/index.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { PaymentAuthorization, Payments, ReasonCode, Session } from '../../harness/session/index.ts'
import { aMoment, asTimePasses } from './asking.ts'
import { statesReadability } from './reading-laws.ts'
import { statesLawsOfRejections } from './record-laws.ts'
import { isGiven, readIn, recordIn, stateIn, toldIn } from './records.ts'
import { PAY } from './requirements.ts'
import { changesItsTime, isAuthorized, isItsNewStatus, isItsRecord, isSubmitted } from './submitting.ts'

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
