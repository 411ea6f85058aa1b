import { check, NotReached, wasProcessed } from '../../harness/check/index.ts'
import {
  change,
  days,
  LIFETIME,
  statedLifetime,
  waitForAge,
  scenario,
  tokenIn,
} from '../../harness/session/index.ts'
import type { Exchange, ObservedExchange } from '../../harness/check/index.ts'
import type { PaymentAuthorization, Payments, Session } from '../../harness/session/index.ts'
import { isSuccess, MOVED, recordIn } from './records.ts'
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
