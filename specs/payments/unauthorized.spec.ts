import { check, NotReached } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { aMoment, asTimePasses } from './asking.ts'
import { statesReadability } from './reading-laws.ts'
import { statesLaws } from './record-laws.ts'
import { isSuccess, MOVED, recordIn } from './records.ts'
import { PAY } from './requirements.ts'
import { isItsRecord } from './submitting.ts'

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
