import {
  check,
  disclosesNothingOf,
  isRefusedBetween,
  NotReached,
  wasProcessed,
  type Exchange,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  change,
  scenario,
  statedLifetime,
  tokenIn,
  waitForAge,
  type PaymentAuthorization,
  type Payments,
  type Session,
} from '../../harness/session/index.ts'
import { checkAnsweredRecord, executePayment, type ExecutedPayment } from './submissions.ts'
import { initiating, submitting } from './options.ts'
import { aMoment, asTimePasses, orderIdIn } from './status-reads.ts'
import { unknownLike } from './unknown-order-ids.ts'
import { carriesRecord, isInValidation, isSuccess, MOVED, recordIn } from './records.ts'
import { checkReadability } from './readings.ts'
import { OPERATIONS } from './record-rules.ts'
import { applicationOf, checkWhoSeesWhat } from '../shared/who-sees-what.ts'
import { HOUR, LIFETIME, TOLERANCES } from '../shared/tolerances.ts'
import { PAY } from './requirements.ts'

/** How long most targets make a run wait: tokens of an application live for an hour. */
const ABOUT_MS = HOUR + TOLERANCES.paymentToken

const NO_CONTROL = 'an equal call with a valid token was not accepted'

const bearing = (token: string) => change.header('Authorization', `Bearer ${token}`)

/** Lets time pass until the token in an answer has expired. */
const outlive = (session: Session, issue: Exchange): Promise<void> =>
  // If the answer has no expires_in, the lifetime of account tokens.
  waitForAge(session, issue, (statedLifetime(issue) ?? LIFETIME) + TOLERANCES.paymentToken)

/**
 * Judges that a call was refused for its token.
 * @param isSure whether it is known that the token is no longer valid.
 * @throws NotReached if this is not known and the call succeeded.
 */
const isUnauthorized = (call: ObservedExchange, isSure: boolean): void => {
  if (isSuccess(call) && !isSure)
    throw new NotReached(`it is not known whether the token of ${call.id} has expired`)
  wasProcessed(call)
  call.status.equals(401)
}

const expired = scenario(
  'payment operations with a token that has expired',
  { ...initiating(4, 'payment-bearer', 'clock'), waitsMs: ABOUT_MS },
  async (session) => {
    const payments = await session.payments()
    const dead = bearing(tokenIn(payments.token))
    const { initiation: one, orderId } = await payments.initiateValid()
    const first = await payments.status(orderId, dead)
    await outlive(session, payments.token)
    const read = await payments.status(orderId, dead)
    const values = payments.freshValues()
    const initiated = await payments.initiate({ values }, dead)
    // Opened again, so that the application has a valid token.
    const anew = await session.payments()
    // The bank may give the same token for longer.
    const isAnother = tokenIn(anew.token) !== tokenIn(payments.token)
    const refusedId = orderIdIn(anew, initiated)
    return {
      one,
      first,
      read,
      initiated,
      isSure: isAnother && statedLifetime(payments.token) !== undefined,
      freshRead: await anew.status(orderId),
      freshInitiated: await anew.initiate(),
      // Whether the refused message was carried out: it is read, and sent again.
      refusedRead: refusedId === undefined ? [] : [await anew.status(refusedId)],
      sentAgain: await anew.initiate({ values }),
    }
  },
)

check(
  PAY.expiredTokenHasStatus401,
  expired
    .where(({ first }) => isSuccess(first), 'the token was not accepted when it was new')
    .where(({ freshInitiated }) => isSuccess(freshInitiated), NO_CONTROL),
  ({ read, initiated, isSure, freshRead, refusedRead }) => {
    isUnauthorized(initiated, isSure)
    for (const answer of refusedRead)
      answer.status.satisfies(!isSuccess(answer), 'no payment: its initiation was refused')
    // A payment may be kept for less time than a token.
    if (isSuccess(freshRead)) isUnauthorized(read, isSure)
  },
)

check(
  PAY.refusedInitiationIsNotExecuted,
  expired
    .where(({ initiated }) => initiated.status.value === 401, 'the initiation was not refused with 401')
    .where(({ freshInitiated }) => isInValidation(freshInitiated), NO_CONTROL),
  ({ initiated, sentAgain }) => {
    const { status, reasonCode } = recordIn(sentAgain)
    status.satisfies(
      !(status.value === 'RJCT' && reasonCode.value === 'AM05'),
      `another status than RJCT with AM05: ${initiated.id} refused this message`,
    )
  },
)

/** The token that the authorization of a payment gave. */
const grantedIn = ({ exchange, token }: PaymentAuthorization): { issue: Exchange; token: string } => {
  if (exchange === undefined || token === undefined)
    throw new NotReached('the authorization of a payment gave no token of its own')
  return { issue: exchange, token }
}

const isMoved = (answer: ObservedExchange): boolean =>
  isSuccess(answer) && MOVED.includes(recordIn(answer).status.value)

interface Refused {
  readonly submission: ObservedExchange
  /** The status of the payment before and after it. */
  readonly before: ObservedExchange
  readonly after: ObservedExchange
}

/** Judges that a submission was answered with 401, and was not carried out, if the status shows it. */
const isRefusedUnchanged = ({ submission, before, after }: Refused, isSure: boolean): void => {
  isUnauthorized(submission, isSure)
  if (isMoved(before) || !isSuccess(after)) return
  recordIn(after).status.satisfies(!isMoved(after), 'ACTC or RJCT: the token of its submission has ended')
}

/** The submission of another payment. */
const submitAnother = async (payments: Payments): Promise<Exchange> => {
  const { orderId } = await payments.initiateValid()
  return payments.submit(await payments.authorize(orderId))
}

/** A submission with the token of its authorization, once that has ended, and one with another token. */
const submitAfterTheEnd = async (
  session: Session,
  end: (granted: ReturnType<typeof grantedIn>) => Promise<unknown>,
) => {
  const payments = await session.payments()
  const { orderId } = await payments.initiateValid()
  const authorization = await payments.authorize(orderId)
  const granted = grantedIn(authorization)
  const before = await payments.status(orderId)
  await end(granted)
  const submission = await payments.submit(authorization)
  const after = await payments.status(orderId)
  // Opened again: the payment hours may be over.
  const control = await submitAnother(await session.payments())
  const isDated = statedLifetime(granted.issue) !== undefined
  return { submission, before, after, control, isDated }
}

const late = scenario(
  'a submission with a token that has expired',
  // Most tokens of an authorization live for some minutes.
  { ...submitting(2, 'payment-token', 'clock'), waitsMs: HOUR / 4 },
  (session) => submitAfterTheEnd(session, ({ issue }) => outlive(session, issue)),
)

const revoked = scenario(
  'a submission with a token that the customer has revoked',
  submitting(2, 'payment-token', 'revocation'),
  (session) => submitAfterTheEnd(session, ({ token }) => session.testHooks.revokeToken(token, 'payments')),
)

check(
  PAY.expiredTokenHasStatus401,
  late.where(({ control }) => isSuccess(control), NO_CONTROL),
  (record) => isRefusedUnchanged(record, record.isDated),
)
check(
  PAY.revokedTokenHasStatus401,
  revoked.where(({ control }) => isSuccess(control), NO_CONTROL),
  (record) => isRefusedUnchanged(record, true),
)

/** Judges that a payment has not moved to a state to which only the customer's authorization leads. */
const isUnmoved = (answers: readonly ObservedExchange[]): void => {
  for (const answer of answers.filter(isSuccess)) {
    const { status } = recordIn(answer)
    status.satisfies(!MOVED.includes(status.value), 'ACTC or RJCT, since the customer has not authorized it')
  }
  answers.forEach(wasProcessed)
}

/** A customer who has other accounts than the debtor's; none where the customer approves at an address of the answer. */
const customersOfOtherAccounts = ({ profile }: Session, payments: Payments) => {
  const { debtorIban } = payments.freshValues()
  const hasOtherAccounts = ({ accounts }: Session['customer']): boolean =>
    accounts.length > 0 && accounts.every(({ iban }) => iban !== debtorIban)
  return payments.profile.approval === undefined ? profile.customers.filter(hasOtherAccounts).slice(0, 1) : []
}

const unauthorized = scenario(
  'a payment that is submitted before the customer authorizes it',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 3,
    needs: ['payments', 'customer'],
    payments: { initiated: 3, submitted: 2 },
  },
  async (session) => {
    const payments = await session.payments()
    const { initiation: one, orderId } = await payments.initiateValid()
    const { initiation: other, orderId: otherId } = await payments.initiateValid()
    const named = change.body(JSON.stringify({ orderId }), 'application/json')
    await aMoment(session)
    const attempts = [
      await payments.submit({ orderId }, change.noHeader('Authorization')),
      await payments.submit({ orderId }),
      await payments.submit({ orderId }, named),
    ]
    for (const customer of customersOfOtherAccounts(session, payments)) {
      const authorization = await payments.authorize(orderId, 'grant', customer)
      attempts.push(await payments.submit({ ...authorization, orderId }, named))
    }
    const unasked = [await payments.status(orderId), await payments.status(otherId)]
    // With the authorization of another payment: before and after it is used, by both ways to name the payment.
    const granted = await payments.authorize(otherId)
    const borrowed = [
      await payments.submit({ ...granted, orderId }, named),
      await payments.submit({ ...granted, orderId }),
      await payments.submit({ ...granted, orderId }, named),
    ]
    const after = await payments.status(orderId)
    // A bank may reject a payment that is submitted too early: then another one shows that it moves authorized payments.
    const isRejected = after.response?.body.text.includes('"RJCT"') === true
    const { initiation: last } = isRejected ? await payments.initiateValid() : { initiation: one }
    const control = await executePayment(session, payments, last)
    return { one, other, attempts, unasked, borrowed, after, control }
  },
)

checkReadability(unauthorized)

/** If an authorized payment does not move either, a payment that stays shows nothing. */
const movesPayments = ({
  control,
}: {
  readonly control: Pick<Observed<ExecutedPayment>, 'after'>
}): boolean => MOVED.includes(recordIn(control.after).status.value)

const UNMOVED = 'a payment that the customer has authorized was not moved either'

check(PAY.unauthorizedPaymentIsNotSubmitted, unauthorized, (record) => {
  const { attempts, unasked, borrowed, after } = record
  isUnmoved([...unasked, after])
  ;[...attempts, ...borrowed].forEach(wasProcessed)
  if (!movesPayments(record)) throw new NotReached(UNMOVED)
})

checkAnsweredRecord(unauthorized.each(({ control }) => [control], UNMOVED))

const denied = scenario(
  'a payment that the customer denies twice',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 3,
    needs: ['payments', 'customer', 'refusal'],
    payments: { initiated: 2, submitted: 1 },
  },
  async (session) => {
    const payments = await session.payments()
    const { initiation, orderId } = await payments.initiateValid()
    await aMoment(session)
    const authorization = await payments.authorize(orderId, 'deny')
    const submissions = [await payments.submit(authorization)]
    submissions.push(await payments.submit(await payments.authorize(orderId, 'deny')))
    const after = await payments.status(orderId)
    const { initiation: another } = await payments.initiateValid()
    const control = await executePayment(session, payments, another)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    return { initiation, authorization, submissions, after, control, later }
  },
)

checkReadability(denied)

check(
  PAY.deniedPaymentIsNotSubmitted,
  denied
    .where(
      ({ authorization }) => authorization.redirectResult.decision === 'denied',
      'the customer was not asked',
    )
    .where(({ after }) => isSuccess(after), 'the status of the payment was not answered'),
  (record) => {
    isUnmoved([...record.submissions, record.after, ...record.later])
    if (!movesPayments(record)) throw new NotReached(UNMOVED)
  },
)

const foreign = scenario(
  'the payment of another application',
  initiating(1, 'other-payment-application'),
  async (session) => {
    const payments = await session.payments()
    const another = session.profile.applications.find(({ name }) => name !== payments.application.name)
    if (another === undefined) throw new NotReached('the profile has no second application')
    const theirs = await session.payments(another)
    const { initiation, orderId } = await payments.initiateValid()
    await aMoment(session)
    const before = await payments.status(orderId)
    const changed = await theirs.status(orderId)
    const after = await payments.status(orderId)
    // What the bank answers to this application about no payment at all.
    const unknown = await theirs.status(unknownLike(orderId))
    return { initiation, before, changed, after, unknown }
  },
)

check(PAY.foreignPaymentIsRefused, foreign, ({ initiation, before, changed, after, unknown }) => {
  isRefusedBetween({ before, changed, after }, 'another application has initiated the payment')
  disclosesNothingOf(changed, {
    theirs: [initiation, before],
    ours: [unknown],
    name: 'the payment of another application',
  })
})

checkWhoSeesWhat(PAY.foreignPaymentIsRefused, foreign, ['token', ...OPERATIONS], (run) => ({
  name: 'the payment of another application',
  holderOf: applicationOf(run),
  idsIn: (answer) =>
    answer.operation === 'initiatePayment' && carriesRecord(answer) ? [recordIn(answer).orderId.value] : [],
}))
