import {
  check,
  disclosesNothingOf,
  isRefusedBetween,
  NotReached,
  wasProcessed,
  type Exchange,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  change,
  days,
  LIFETIME,
  scenario,
  statedLifetime,
  tokenIn,
  waitForAge,
  type PaymentAuthorization,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import { aMoment, asTimePasses, isItsRecord } from './orders.ts'
import { isSuccess, MOVED, recordIn, statesLaws, statesReadability } from './record-rules.ts'
import { PAY } from './requirements.ts'

const HOUR_MS = days(1) / 24

/** The clocks of two machines may differ by that much. */
const TOLERANCE_MS = HOUR_MS / 6

/** What is waited for in most places: tokens that an application is given for itself live for an hour. */
const ABOUT_MS = HOUR_MS + TOLERANCE_MS

const bearing = (token: string) => change.header('Authorization', `Bearer ${token}`)

/** Lets time pass until the token that an answer carries has expired. */
const outlive = (session: Session, issue: Exchange): Promise<void> =>
  // Of a token whose answer tells nothing, it is that of the tokens of accounts.
  waitForAge(session, issue, (statedLifetime(issue) ?? LIFETIME) + TOLERANCE_MS)

/**
 * Judges that a call was refused for its token: with a token that is good, the like of it succeeds.
 * @param isSure whether it is known that the token is good no more.
 * @throws NotReached where nothing shows that it is.
 */
const isUnauthorized = (call: ObservedExchange, control: ObservedExchange, isSure: boolean): void => {
  if (!isSuccess(control)) throw new NotReached(`${control.id}, with a token that is good, was not accepted`)
  if (isSuccess(call) && !isSure) throw new NotReached(`nothing tells that the token of ${call.id} has ended`)
  wasProcessed(call)
  call.status.equals(401)
}

const expired = scenario(
  'payment operations with a token that has expired',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments', 'clock'],
    payments: { initiated: 3 },
    waitsMs: ABOUT_MS,
  },
  async (session) => {
    const payments = await session.payments()
    const dead = bearing(tokenIn(payments.token))
    const one = await payments.initiate({}, dead)
    const orderId = payments.orderIdOf(one)
    await outlive(session, payments.token)
    const read = await payments.status(orderId, dead)
    const initiated = await payments.initiate({}, dead)
    // Asked for anew: the application may hold no token that is good.
    const anew = await session.payments()
    // Whoever asks may be given the same token for longer.
    const isAnother = tokenIn(anew.token) !== tokenIn(payments.token)
    return {
      ...{ one, read, initiated, isSure: isAnother && statedLifetime(payments.token) !== undefined },
      freshRead: await anew.status(orderId),
      freshInitiated: await anew.initiate(),
    }
  },
)

check(PAY.expiredTokenHasStatus401, expired, ({ one, read, initiated, isSure, ...fresh }) => {
  if (!isSuccess(one)) throw new NotReached('the token was not accepted when it was new')
  isUnauthorized(initiated, fresh.freshInitiated, isSure)
  // A payment may be kept for less time than a token.
  if (isSuccess(fresh.freshRead)) isUnauthorized(read, fresh.freshRead, isSure)
})

/** The token that the customer's authorization of a payment has given. */
const grantedIn = ({ exchange, token }: PaymentAuthorization): { issue: Exchange; token: string } => {
  if (exchange === undefined || token === undefined)
    throw new NotReached('the authorization of a payment gave no token of its own')
  return { issue: exchange, token }
}

interface Refused {
  /** The payment, as it is read before and behind a submission that is refused. */
  readonly before: ObservedExchange
  readonly after: ObservedExchange
}

const isMoved = (answer: ObservedExchange): boolean =>
  isSuccess(answer) && MOVED.includes(recordIn(answer).status.value)

/** Judges that nothing was carried out of what was answered with 401. Where nothing can be seen of that, the 401 stands. */
const isUnchangedByRefusal = ({ before, after }: Refused): void => {
  if (isMoved(before) || !isSuccess(after)) return
  recordIn(after).status.satisfies(!isMoved(after), 'ACTC or RJCT: the token of its submission has ended')
}

/** The submission of another payment. */
const submitAnother = async (payments: Payments): Promise<Exchange> => {
  const orderId = payments.orderIdOf(await payments.initiate())
  return payments.submit(await payments.authorize(orderId))
}

const late = scenario(
  'a submission with a token that has expired',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
    needs: ['payments', 'payment-token', 'customer', 'clock'],
    payments: { initiated: 2, submitted: 2 },
    // The token of an authorization is one for the moment.
    waitsMs: HOUR_MS / 4,
  },
  async (session) => {
    const payments = await session.payments()
    const orderId = payments.orderIdOf(await payments.initiate())
    const authorization = await payments.authorize(orderId)
    const { issue } = grantedIn(authorization)
    const before = await payments.status(orderId)
    await outlive(session, issue)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    // Asked for anew: it may have become night.
    const control = await submitAnother(await session.payments())
    return { submission, before, after, control, isSure: statedLifetime(issue) !== undefined }
  },
)

check(PAY.expiredTokenHasStatus401, late, ({ submission, control, isSure, ...states }) => {
  isUnauthorized(submission, control, isSure)
  isUnchangedByRefusal(states)
})

const revoked = scenario(
  'a submission with a token that the customer has revoked',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
    needs: ['payments', 'payment-token', 'customer', 'revocation'],
    payments: { initiated: 2, submitted: 2 },
  },
  async (session) => {
    const payments = await session.payments()
    const orderId = payments.orderIdOf(await payments.initiate())
    const authorization = await payments.authorize(orderId)
    const before = await payments.status(orderId)
    await session.testHooks.revokeToken(grantedIn(authorization).token)
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    return { submission, before, after, control: await submitAnother(payments) }
  },
)

check(PAY.revokedTokenHasStatus401, revoked, ({ submission, control, ...states }) => {
  isUnauthorized(submission, control, true)
  isUnchangedByRefusal(states)
})

/** Judges that a payment has not come where only the customer's authorization leads to. */
const isUnmoved = (answers: readonly ObservedExchange[]): void => {
  for (const answer of answers.filter(isSuccess)) {
    const { status } = recordIn(answer)
    status.satisfies(!MOVED.includes(status.value), 'ACTC or RJCT, since the customer has not authorized it')
  }
}

const unauthorized = scenario(
  'a payment that is submitted before the customer authorizes it',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 2,
    needs: ['payments', 'customer'],
    payments: { initiated: 3, submitted: 2 },
  },
  async (session) => {
    const payments = await session.payments()
    const one = await payments.initiate()
    const other = await payments.initiate()
    const [orderId, otherId] = [payments.orderIdOf(one), payments.orderIdOf(other)]
    const named = change.body(JSON.stringify({ orderId }), 'application/json')
    await aMoment(session)
    const attempts = [
      await payments.submit({ orderId }, change.noHeader('Authorization')),
      await payments.submit({ orderId }),
      await payments.submit({ orderId }, named),
    ]
    const unasked = [await payments.status(orderId), await payments.status(otherId)]
    // What the customer has granted for another payment.
    const granted = await payments.authorize(otherId)
    const borrowed = [
      await payments.submit({ ...granted, orderId }, named),
      await payments.submit({ ...granted, orderId }, named),
    ]
    const after = await payments.status(orderId)
    // A bank may reject what is submitted too early: then another payment shows that it moves what is authorized.
    const isRejected = after.response?.body.text.includes('"RJCT"') === true
    const last = isRejected ? await payments.initiate() : one
    const lastId = payments.orderIdOf(last)
    const authorization = await payments.authorize(lastId)
    const submission = await payments.submit(authorization)
    const control = await payments.status(lastId)
    return { one, other, attempts, unasked, borrowed, after, last, authorization, submission, control }
  },
)

statesLaws(unauthorized)
statesReadability(unauthorized)

check(PAY.unauthorizedPaymentIsNotSubmitted, unauthorized, ({ unasked, after, control }) => {
  isUnmoved([...unasked, after])
  // A payment that nothing moves shows nothing.
  if (!MOVED.includes(recordIn(control).status.value))
    throw new NotReached('the payment was not moved with the authorization either')
})

check(PAY.submissionAnswersTheStatusRecord, unauthorized, ({ last, authorization, submission, control }) =>
  isItsRecord({ initiation: last, authorization, submission, after: control }),
)

const denied = scenario(
  'a payment that the customer denies',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'customer', 'refusal'],
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const authorization = await payments.authorize(orderId, 'deny')
    const submission = await payments.submit(authorization)
    const after = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    return { initiation, authorization, submission, after, later }
  },
)

statesLaws(denied)
statesReadability(denied)

check(PAY.deniedPaymentIsNotSubmitted, denied, ({ authorization, submission, after, later }) => {
  if (authorization.landing.decision !== 'denied') throw new NotReached('the customer was not asked')
  isUnmoved([submission, after, ...later])
})

const foreign = scenario(
  'the payment of another application',
  { effect: 'pay', as: 'any', needs: ['payments', 'stranger-application'], payments: { initiated: 1 } },
  async (session) => {
    const payments = await session.payments()
    const stranger = session.profile.applications.find(({ name }) => name !== payments.application.name)
    if (stranger === undefined) throw new NotReached('the profile names no second application')
    const theirs = await session.payments(stranger)
    const initiation = await payments.initiate()
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    const before = await payments.status(orderId)
    const changed = await theirs.status(orderId)
    return { initiation, before, changed, after: await payments.status(orderId) }
  },
)

statesLaws(foreign)

check(PAY.foreignPaymentIsRefused, foreign, ({ initiation, before, changed, after }) => {
  isRefusedBetween({ before, changed, after }, 'another application has initiated the payment')
  disclosesNothingOf(changed, { theirs: [initiation, before], ours: [], name: 'the payment of another' })
})

check(PAY.refusedStatusIsNoSuccess, foreign, ({ changed }) => {
  if (changed.accepted) throw new NotReached('the status was answered')
  changed.status.satisfies(!isSuccess(changed), 'no success, since nothing was told')
})
