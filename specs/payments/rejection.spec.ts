import { check, draws, NotReached, note, wasProcessed, type Exchange } from '../../harness/check/index.ts'
import {
  recordsOf,
  REJECTIONS,
  scenario,
  scenarioForEach,
  untilTime,
  type ReasonCode,
  type Session,
} from '../../harness/session/index.ts'
import { invalidOrders, provokeAny } from './invalid-orders.ts'
import { initiating, submitting } from './options.ts'
import { PAYMENT } from './model.ts'
import { firstMoveOf } from './model-walk.ts'
import { aMoment, asTimePasses } from './status-reads.ts'
import { checkLaws } from './record-rules.ts'
import { areDistinct, isInValidation, isRejected, isSuccess, recordIn, statusesIn } from './records.ts'
import { agreesWithItsInitiation, checkReadability } from './readings.ts'
import { WRONG_CODES, wrongOrders } from './wrong-orders.ts'
import { PAY } from './requirements.ts'

/** In days: such a message may be repeated after a weekend. */
const FURTHER_AHEAD = 10

const ROWS = {
  AC01: PAY.malformedAccountNumberIsAc01,
  AC04: PAY.closedAccountIsAc04,
  AG01: PAY.forbiddenAccountTypeIsAg01,
  AM03: PAY.foreignCurrencyIsAm03,
  AM04: PAY.missingFundsAreAm04,
  AM05: PAY.duplicateIsAm05,
  AM09: PAY.wrongAmountIsAm09,
  AM10: PAY.wrongControlSumIsAm10,
  DT01: PAY.invalidDateIsDt01,
  MS03: PAY.unspecifiedReasonIsMs03,
  RC01: PAY.malformedBankIdentifierIsRc01,
  RR03: PAY.missingCreditorIsRr03,
  TM01: PAY.lateMessageIsTm01,
} as const satisfies Readonly<Record<ReasonCode, unknown>>

for (const rejection of REJECTIONS) {
  const orders = invalidOrders(rejection)
  const rejected = orders.where(({ initiation }) => isRejected(initiation), 'no payment was rejected')

  checkLaws(orders.whole, ['rejected'])
  checkReadability(orders.whole)

  draws(PAYMENT, orders.whole, ({ done }) =>
    recordsOf(done).flatMap(({ initiation, again }) => [initiation, ...again].flatMap(firstMoveOf)),
  )

  if (rejection !== 'any')
    check(ROWS[rejection], orders, ({ initiation, again, read }) => {
      for (const one of [initiation, ...again]) {
        if (!isSuccess(one) && !isRejected(one))
          one.isAccepted(`it is rejected with ${rejection}, and the call succeeds`)
        recordIn(one).status.equals('RJCT')
        recordIn(one).reasonCode.equals(rejection)
      }
      for (const record of statusesIn(read)) if (record.has('reasonCode')) record.reasonCode.equals(rejection)
    })

  if (rejection === 'AM05')
    check(
      PAY.statusRecordAgreesWithTheInitiation,
      orders.where(({ untouched }) => untouched.length > 0, 'no accepted message was repeated'),
      ({ earlier, untouched }) => agreesWithItsInitiation(earlier, untouched),
    )

  check(PAY.invalidPaymentIsRejected, orders, ({ initiation, again }) => {
    for (const one of [initiation, ...again]) recordIn(one).status.equals('RJCT')
  })

  check(PAY.rejectedInitiationHasStatus201, orders, ({ initiation }) => {
    if (isInValidation(initiation)) throw new NotReached('the payment was not rejected')
    initiation.status.equals(201)
  })

  check(PAY.rejectedInitiationIsExplained, rejected, ({ initiation }) =>
    recordIn(initiation).carries('reasonCode', 'additionalInformation'),
  )

  check(
    PAY.rejectedPaymentHasStatusRjct,
    rejected.where(({ read }) => read.some(isSuccess), 'the status of the payment was not answered'),
    ({ read }) => {
      for (const answer of read.filter(isSuccess)) recordIn(answer).status.equals('RJCT')
    },
  )
}

/** A message, and the same on the next day: by a method with a date in the future, since one of today is another message then. */
const repeatTheNextDay = async (session: Session): Promise<readonly Exchange[]> => {
  const { clock, profile } = session
  const payments = await session.payments()
  const method = payments.profile.initiations.find(({ future }) => future)?.name
  if (clock.kind === 'wall' || method === undefined) return []
  const values = payments.freshValues(FURTHER_AHEAD)
  const first = await payments.initiate({ method, values })
  await clock.pass(untilTime(clock.now(), payments.profile.hours?.from ?? '10:00', profile.timeZone))
  return [first, await (await session.payments()).initiate({ method, values })]
}

const duplicates = scenarioForEach(
  'messages that are sent again after others, and twice at the same moment',
  initiating(9, 'provoke-AM05'),
  {
    each: async (session) => {
      const orders = (await session.payments()).provocations('AM05')
      const twice = orders.filter(({ isTwice, isGuess }) => isTwice && !isGuess)
      if (twice.length === 0) throw new NotReached('payments.provocations.AM05 is guessed, or not sent twice')
      return twice.slice(0, 1)
    },
    act: async (session) => {
      const payments = await session.payments()
      const values = payments.freshValues()
      const { initiation: first } = await payments.initiateValid({ values })
      const others = [await payments.initiate(), await payments.initiate()]
      const repeated = await payments.initiate({ values })
      const twin = payments.freshValues()
      const atOnce = await Promise.all([
        payments.initiate({ values: twin }),
        payments.initiate({ values: twin }),
      ])
      const last = await payments.initiate()
      const later = await repeatTheNextDay(session)
      return {
        valid: [first, ...others, last, ...later.slice(0, 1)],
        repeated,
        atOnce,
        later: later.slice(1),
      }
    },
    unusable: ({ valid }) => {
      const refused = valid.find((one) => !isInValidation(one))
      return refused && `${refused.id} did not accept a valid order`
    },
  },
)

check(PAY.duplicateIsAm05, duplicates, ({ repeated }) => {
  wasProcessed(repeated)
  recordIn(repeated).status.equals('RJCT')
  recordIn(repeated).reasonCode.equals('AM05')
})

check(PAY.duplicateIsAm05, duplicates, ({ later }) => {
  for (const answer of later) {
    wasProcessed(answer)
    const { status } = recordIn(answer)
    status.satisfies(status.value === 'RJCT', 'RJCT, since it repeats a message of the day before')
  }
})

check(PAY.concurrentDuplicateIsRejected, duplicates, ({ atOnce }) => {
  const [accepted, ...more] = atOnce.filter(isInValidation)
  if (accepted === undefined) throw new NotReached('neither of the two messages was accepted')
  for (const one of more) recordIn(one).status.equals('RJCT')
  for (const one of atOnce.filter((other) => other !== accepted)) {
    wasProcessed(one)
    if (isRejected(one)) recordIn(one).reasonCode.equals('AM05')
    else one.isRefused('it repeats a message')
  }
})

/** Where the profile has many methods, the last ones are left out. */
const MOST_WRONG = 50

const wrong = scenario(
  'orders with values that are visibly wrong',
  initiating(MOST_WRONG),
  async (session) => {
    const payments = await session.payments()
    const valid = new Map<string, Exchange>()
    const sent = []
    for (const { control, order, ...wrong } of wrongOrders(payments)) {
      const key = JSON.stringify(control)
      const isFirst = !valid.has(key)
      if (sent.length + valid.size + (isFirst ? 2 : 1) > MOST_WRONG) continue
      const accepted = valid.get(key) ?? (await payments.initiate(control))
      valid.set(key, accepted)
      sent.push({ ...wrong, valid: accepted, answer: await payments.initiate(order) })
    }
    return { sent }
  },
)

/** Where nothing can be made wrong, the orders of the profile are judged alone. */
for (const code of WRONG_CODES)
  check(
    ROWS[code],
    wrong,
    ({ sent }) => {
      for (const { answer, because } of sent.filter(
        (one) => one.code === code && isInValidation(one.valid),
      )) {
        wasProcessed(answer)
        if (Number(answer.status.value) >= 400) {
          answer.isRefused(because)
          continue
        }
        const { status, reasonCode } = recordIn(answer)
        status.satisfies(status.value === 'RJCT', `RJCT: ${because}`)
        reasonCode.equals(code)
      }
    },
    { needs: code === 'AC01' ? [] : code === 'DT01' ? ['future-initiation'] : [`provoke-${code}`] },
  )

/** Two duplicates, each with the order that it repeats. */
const MOST_ORDERS = 4

const repeated = scenario(
  'two payments that are rejected for the same reason',
  initiating(MOST_ORDERS, 'any-rejection'),
  async (session) => {
    const payments = await session.payments()
    return { one: await provokeAny(payments), other: await provokeAny(payments) }
  },
)

check(PAY.orderIdsAreDistinct, repeated, ({ one, other }) => areDistinct([one, other].filter(isSuccess)))

const ended = scenario(
  'a rejected payment that is authorized and submitted all the same',
  submitting(1, 'any-rejection'),
  async (session) => {
    const payments = await session.payments()
    const initiation = await provokeAny(payments)
    const orderId = payments.orderIdOf(initiation)
    await aMoment(session)
    // A bank may ask the customer about accepted payments only.
    const authorization = payments.canAuthorize(orderId) ? await payments.authorize(orderId) : { orderId }
    const submission = await payments.submit(authorization)
    const read = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    return { initiation, authorization, submission, read: [read, ...later] }
  },
)

checkReadability(ended)

checkLaws(ended, ['ended'])

note(
  PAY.statusCodesOfThePaymentApi,
  ended,
  ({ submission }) => `the submission of a rejected payment: ${String(submission.status.value)}`,
)
