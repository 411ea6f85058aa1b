import {
  check,
  draws,
  NotReached,
  note,
  wasProcessed,
  restsOn,
  eachReached,
  everyOne,
  type Exchange,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  countOfProvokingOrders,
  describeRejection,
  REJECTIONS,
  scenario,
  type Payments,
  type ProvokingOrder,
  type ReasonCode,
  type Rejection,
  type Scenario,
  type Session,
} from '../../harness/session/index.ts'
import { PAYMENT } from './model.ts'
import { firstMoveOf } from './model-walk.ts'
import { isNotReached, whyNotAccepted, type Unsent } from './submissions.ts'
import { aMoment, asTimePasses, readBack } from './status-reads.ts'
import { checkLaws } from './record-rules.ts'
import { areDistinct, isGiven, isSuccess, recordIn, stateIn, statusesIn } from './records.ts'
import { checkReadability } from './readings.ts'
import { PAY } from './requirements.ts'

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

/** @throws NotReached if the payment was not rejected. */
const rejected = (initiation: ObservedExchange): ReturnType<typeof recordIn> => {
  const record = recordIn(initiation)
  if (record.status.value !== 'RJCT') throw new NotReached(`${initiation.id} did not reject the payment`)
  return record
}

/** The order that is meant. */
const lastOf = (initiations: readonly Exchange[]): Exchange => {
  const last = initiations.at(-1)
  if (last === undefined) throw new NotReached('no order was sent')
  return last
}

const provokedWith = async (session: Session, rejection: Rejection, order: ProvokingOrder) => {
  const { key, states, isGuess, method, isTimed } = order
  const payments = await session.payments()
  const sendValid = async () => [await payments.initiate(method === undefined ? {} : { method })]
  // At its time of day a valid order may be rejected as well.
  const control = isTimed ? await sendValid() : []
  const initiations = await order.send()
  const initiation = lastOf(initiations)
  const [earlier = initiation] = initiations
  await aMoment(session)
  const read = await readBack(payments, initiation)
  const again = (await order.sendAgain()).slice(-1)
  const isAsMeant = initiation.response?.body.text.includes(`"${rejection}"`) === true
  return {
    statement: { key, states },
    isGuess,
    earlier,
    initiation,
    read,
    again,
    // Whether valid orders by the same method are accepted.
    control: isAsMeant || isTimed ? control : await sendValid(),
    // A message that repeats an accepted one leaves that one as it is.
    untouched: earlier === initiation ? [] : await readBack(payments, earlier),
  }
}

/** Sends each order of the profile that is to be rejected so. @throws NotReached if none can be sent. */
const sendAll = async (session: Session, rejection: Rejection) => {
  const provoked = []
  const unsent: Unsent[] = []
  for (const order of (await session.payments()).provocations(rejection)) {
    try {
      provoked.push(await provokedWith(session, rejection, order))
    } catch (error) {
      if (!isNotReached(error)) throw error
      unsent.push({ statement: { key: order.key, states: order.states }, because: error.message })
    }
  }
  if (provoked.length === 0)
    throw new NotReached(unsent.map(({ because }) => because).join('; ') || `nothing provokes ${rejection}`)
  return { provoked, unsent }
}

type Sent = Observed<Awaited<ReturnType<typeof sendAll>>>
type Provoked = Sent['provoked'][number]

/**
 * @throws NotReached unless the first order was rejected as the profile states, if a valid order is not accepted either or
 * if the statement is a guess. @throws Inconclusive for a server error.
 */
const isCertain = (
  { statement, isGuess, initiation, again, control }: Provoked,
  rejection: Rejection,
): void => {
  for (const one of [initiation, ...again]) wasProcessed(one)
  const { status, reasonCode, additionalInformation } = recordIn(initiation)
  if (status.value === 'RJCT' && (rejection === 'any' || reasonCode.value === rejection)) return
  for (const valid of control) {
    const fault = whyNotAccepted(valid)
    if (fault !== undefined) throw new NotReached(fault)
  }
  if (!isGuess) return
  const { id } = initiation
  const answer =
    status.value === 'ACTC'
      ? `${id} accepted the order`
      : describeRejection(
          {
            id,
            status: initiation.status.value,
            reasonCode: reasonCode.value,
            additionalInformation: additionalInformation.value,
          },
          'the order',
        )
  throw new NotReached(
    `${answer}, and that ${statement.states} is a guess of the profile: look at ${statement.key}`,
  )
}

/** Judges each order that is to be rejected so. */
const forEachOrder = (
  { provoked, unsent }: Sent,
  rejection: Rejection,
  judge: (record: Provoked) => void,
): void =>
  everyOne([...provoked, ...unsent], (one) =>
    restsOn(one.statement, () => {
      if ('because' in one) throw new NotReached(one.because)
      isCertain(one, rejection)
      judge(one)
    }),
  )

/** Judges the orders that the bank has rejected. */
const forEachRejected = ({ provoked }: Sent, judge: (record: Provoked) => void): void =>
  eachReached(provoked, (record) => {
    rejected(record.initiation)
    judge(record)
  })

const titleOf = (rejection: Rejection): string =>
  rejection === 'any'
    ? 'a payment from an account that is not at the bank'
    : `a payment that is rejected with ${rejection}`

/** Judges the code of each order that is to be rejected with it, in the answers and in the status. */
const checkCode = (provoked: Scenario<Awaited<ReturnType<typeof sendAll>>>, code: ReasonCode): void =>
  check(ROWS[code], provoked, (all) =>
    forEachOrder(all, code, (record) => {
      for (const initiation of [record.initiation, ...record.again]) {
        const { status, reasonCode } = recordIn(initiation)
        if (!isSuccess(initiation) && status.value !== 'RJCT')
          initiation.isAccepted(`it is rejected with ${code}, and the call succeeds`)
        status.equals('RJCT')
        reasonCode.equals(code)
      }
      for (const { reasonCode } of statusesIn(record.read)) if (isGiven(reasonCode)) reasonCode.equals(code)
    }),
  )

for (const rejection of REJECTIONS) {
  const provoked = scenario(
    titleOf(rejection),
    {
      effect: 'pay',
      as: 'any',
      needs: ['payments', `provoke-${rejection}`],
      payments: { initiated: 1 },
      times: ({ payments }, canMoveTime) =>
        payments === undefined ? 0 : countOfProvokingOrders(payments, rejection, canMoveTime),
    },
    (session) => sendAll(session, rejection),
  )

  checkLaws(provoked, ['records', 'rejected'])
  checkReadability(provoked)

  draws(PAYMENT, provoked, (record) =>
    record.provoked.flatMap(({ initiation, again }) => [initiation, ...again].flatMap(firstMoveOf)),
  )

  if (rejection !== 'any') checkCode(provoked, rejection)

  check(PAY.initiationAnswersAnOrderId, provoked, (all) =>
    forEachRejected(all, ({ initiation }) => {
      const { orderId } = recordIn(initiation)
      orderId.satisfies(isGiven(orderId), 'an orderId, since the initiation has succeeded')
    }),
  )

  if (rejection === 'AM05')
    check(PAY.statusRecordAgreesWithTheInitiation, provoked, (all) =>
      eachReached(all.provoked, ({ earlier, untouched }) => {
        const { status: first } = recordIn(earlier)
        const read = statusesIn(untouched)
        if (!isGiven(first) || read.length === 0)
          throw new NotReached('the status of the message that was repeated is not known')
        for (const { status } of read)
          status.satisfies(status.value === first.value, `${String(first.value)}, as its initiation answered`)
      }),
    )

  check(PAY.invalidPaymentIsRejected, provoked, (all) =>
    forEachOrder(all, rejection, ({ initiation, again }) => {
      for (const one of [initiation, ...again]) recordIn(one).status.equals('RJCT')
    }),
  )

  check(PAY.rejectedInitiationHasStatus201, provoked, (all) =>
    forEachOrder(all, rejection, ({ initiation }) => {
      if (recordIn(initiation).status.value === 'ACTC') throw new NotReached('the payment was not rejected')
      initiation.status.equals(201)
    }),
  )

  check(PAY.rejectedInitiationIsExplained, provoked, (all) =>
    forEachRejected(all, ({ initiation }) => {
      const { reasonCode, additionalInformation } = recordIn(initiation)
      reasonCode.satisfies(isGiven(reasonCode), 'a reasonCode')
      additionalInformation.satisfies(isGiven(additionalInformation), 'a text')
    }),
  )

  check(PAY.rejectedPaymentHasStatusRjct, provoked, (all) =>
    forEachRejected(all, ({ read }) => {
      const answers = read.filter(isSuccess)
      if (answers.length === 0) throw new NotReached('the status of the payment was not answered')
      for (const answer of answers) recordIn(answer).status.equals('RJCT')
    }),
  )
}

const duplicates = scenario(
  'messages that are sent again after others, and twice at the same moment',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments', 'provoke-AM05'],
    payments: { initiated: 7 },
  },
  async (session) => {
    const payments = await session.payments()
    const twice = payments.provocations('AM05').find(({ isTwice, isGuess }) => isTwice && !isGuess)
    if (twice === undefined) throw new NotReached('payments.provocations.AM05 sends no message twice')
    const values = payments.freshValues()
    const { initiation: first } = await payments.initiateValid({ values })
    const others = [await payments.initiate(), await payments.initiate()]
    const repeated = await payments.initiate({ values })
    const twin = payments.freshValues()
    const atOnce = await Promise.all([
      payments.initiate({ values: twin }),
      payments.initiate({ values: twin }),
    ])
    const statement = { key: twice.key, states: twice.states }
    return { statement, first, others, repeated, atOnce, after: await payments.initiate() }
  },
)

check(PAY.duplicateIsAm05, duplicates, ({ statement, first, others, repeated }) =>
  restsOn(statement, () => {
    for (const valid of [first, ...others])
      if (stateIn(valid) !== 'ACTC') throw new NotReached(`${valid.id} did not accept a valid order`)
    wasProcessed(repeated)
    const { status, reasonCode } = recordIn(repeated)
    status.equals('RJCT')
    reasonCode.equals('AM05')
  }),
)

check(PAY.concurrentDuplicateIsRejected, duplicates, ({ statement, first, atOnce, after }) =>
  restsOn(statement, () => {
    for (const valid of [first, after])
      if (stateIn(valid) !== 'ACTC') throw new NotReached(`${valid.id} did not accept a valid order`)
    const [accepted, ...more] = atOnce.filter((one) => stateIn(one) === 'ACTC')
    if (accepted === undefined) throw new NotReached('neither of the two messages was accepted')
    for (const one of more) recordIn(one).status.equals('RJCT')
    for (const one of atOnce) {
      if (one === accepted) continue
      wasProcessed(one)
      if (stateIn(one) === 'RJCT') recordIn(one).reasonCode.equals('AM05')
      else one.isRefused('it repeats a message')
    }
  }),
)

/** An order that is rejected, with the first code of the profile. @throws NotReached if the profile has none. */
const provokeAny = async (payments: Payments): Promise<Exchange> => {
  const [order] = REJECTIONS.flatMap((rejection) => payments.provocations(rejection)).filter(
    ({ isTimed }) => !isTimed,
  )
  if (order === undefined) throw new NotReached('the profile names no provocation')
  return lastOf(await order.send())
}

/** Two duplicates, each with the order that it repeats. */
const MOST_ORDERS = 4

const repeated = scenario(
  'two payments that are rejected for the same reason',
  { effect: 'pay', as: 'any', needs: ['payments', 'any-rejection'], payments: { initiated: MOST_ORDERS } },
  async (session) => {
    const payments = await session.payments()
    return { one: await provokeAny(payments), other: await provokeAny(payments) }
  },
)

check(PAY.orderIdsAreDistinct, repeated, ({ one, other }) => areDistinct([one, other].filter(isSuccess)))

const ended = scenario(
  'a rejected payment that is authorized and submitted all the same',
  {
    effect: 'pay',
    as: 'any',
    authorizations: 1,
    needs: ['payments', 'any-rejection', 'customer'],
    payments: { initiated: 1, submitted: 1 },
  },
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
    return { initiation, authorization, submission, read, later }
  },
)

checkLaws(ended, ['records', 'rejected', 'times', 'moved'])
checkReadability(ended)

check(PAY.rejectedPaymentStaysRejected, ended, ({ initiation, submission, read, later }) => {
  rejected(initiation)
  if (statusesIn([read, ...later]).length === 0)
    throw new NotReached('the status of the payment was not answered')
  for (const { status } of statusesIn([submission, read, ...later])) status.equals('RJCT')
  wasProcessed(submission)
})

note(
  PAY.statusCodesOfThePaymentApi,
  ended,
  ({ submission }) => `the submission of a rejected payment: ${String(submission.status.value)}`,
)
