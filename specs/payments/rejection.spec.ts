import { check, NotReached, note, wasProcessed } from '../../harness/check/index.ts'
import { REASON_CODES, scenario } from '../../harness/session/index.ts'
import type { Exchange, ObservedExchange } from '../../harness/check/index.ts'
import type { Payments, ReasonCode } from '../../harness/session/index.ts'
import { aMoment, asTimePasses, readBack } from './orders.ts'
import {
  areDistinct,
  isGiven,
  isSuccess,
  recordIn,
  stateIn,
  statesLawsOfRejections,
  statesReadability,
  statesRejections,
  toldIn,
} from './record-rules.ts'
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

/** @throws NotReached where the payment was not rejected, which is judged elsewhere. */
const rejected = (initiation: ObservedExchange): ReturnType<typeof recordIn> => {
  const record = recordIn(initiation)
  if (record.status.value !== 'RJCT') throw new NotReached(`${initiation.id} did not reject the payment`)
  return record
}

/** @throws NotReached where a valid order, made because of what became of the other, is not accepted either. */
const isJudged = (control: readonly ObservedExchange[]): void => {
  for (const valid of control)
    if (stateIn(valid) !== 'ACTC') throw new NotReached(`a valid order is not accepted either (${valid.id})`)
}

for (const code of REASON_CODES) {
  const provoked = scenario(
    `a payment that is rejected with ${code}`,
    {
      effect: 'pay',
      as: 'any',
      needs: ['payments', `provoke-${code}`],
      payments: { initiated: code === 'AM05' ? 2 : 1 },
    },
    async (session) => {
      const payments = await session.payments()
      const initiations = await payments.provoke(code)
      const [initiation = payments.token] = initiations.slice(-1)
      await aMoment(session)
      // Where something else comes of it, a valid order tells whether the day, or the hour, is to blame.
      const isAsMeant = initiation.response?.body.text.includes(`"${code}"`) === true
      const control =
        isAsMeant || payments.profile.provocations[code]?.at !== undefined ? [] : [await payments.initiate()]
      const [earlier = initiation] = initiations
      return {
        control,
        earlier,
        initiation,
        read: await readBack(payments, initiation),
        // What was accepted before is not to be touched by a message that repeats it.
        untouched: earlier === initiation ? [] : await readBack(payments, earlier),
      }
    },
  )

  statesRejections(provoked)
  statesReadability(provoked)

  check(ROWS[code], provoked, ({ control, initiation, read }) => {
    isJudged(control)
    const { status, reasonCode } = recordIn(initiation)
    if (!isSuccess(initiation) && status.value !== 'RJCT')
      initiation.isAccepted(`it is rejected with ${code}, and the call succeeds`)
    status.equals('RJCT')
    reasonCode.equals(code)
    // That the reason is told when the status is read is judged by itself.
    for (const { reasonCode: told } of toldIn(read)) if (isGiven(told)) told.equals(code)
  })

  check(PAY.initiationAnswersAnOrderId, provoked, ({ initiation }) => {
    const { orderId } = rejected(initiation)
    orderId.satisfies(isGiven(orderId), 'an orderId, since the initiation has succeeded')
  })

  if (code === 'AM05')
    check(PAY.statusRecordAgreesWithTheInitiation, provoked, ({ earlier, untouched }) => {
      const { status: first } = recordIn(earlier)
      // That an initiation answers a status is judged by itself.
      if (!isGiven(first)) return
      for (const { status } of toldIn(untouched))
        status.satisfies(status.value === first.value, `${String(first.value)}, as its initiation answered`)
    })

  check(PAY.invalidPaymentIsRejected, provoked, ({ control, initiation }) => {
    isJudged(control)
    wasProcessed(initiation)
    recordIn(initiation).status.equals('RJCT')
  })

  check(PAY.rejectedInitiationHasStatus201, provoked, ({ control, initiation }) => {
    isJudged(control)
    wasProcessed(initiation)
    if (recordIn(initiation).status.value === 'ACTC') throw new NotReached('the payment was not rejected')
    initiation.status.equals(201)
  })

  check(PAY.rejectedInitiationIsExplained, provoked, ({ initiation }) => {
    const { reasonCode, additionalInformation } = rejected(initiation)
    reasonCode.satisfies(isGiven(reasonCode), 'a reasonCode')
    additionalInformation.satisfies(isGiven(additionalInformation), 'a text')
  })

  check(PAY.rejectedPaymentHasStatusRjct, provoked, ({ initiation, read }) => {
    rejected(initiation)
    const answers = read.filter(isSuccess)
    if (answers.length === 0) throw new NotReached('the status of the payment was not answered')
    for (const answer of answers) recordIn(answer).status.equals('RJCT')
  })
}

/** An order that is rejected, for whatever reason comes first. @throws NotReached where the profile names none. */
const provokeAny = async (payments: Payments): Promise<Exchange> => {
  const { provocations } = payments.profile
  const code = REASON_CODES.find((each) => provocations[each] && provocations[each].at === undefined)
  if (code === undefined) throw new NotReached('the profile names no provocation')
  const [initiation = payments.token] = (await payments.provoke(code)).slice(-1)
  return initiation
}

/** What is rejected as a duplicate has been sent before. */
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
    const authorization = await payments.authorize(orderId)
    const submission = await payments.submit(authorization)
    const read = await payments.status(orderId)
    const later = await asTimePasses(session, payments, orderId, 'soon')
    return { initiation, authorization, submission, read, later }
  },
)

statesLawsOfRejections(ended)
statesReadability(ended)

check(PAY.rejectedPaymentStaysRejected, ended, ({ initiation, submission, read, later }) => {
  rejected(initiation)
  for (const { status } of toldIn([submission, read, ...later])) status.equals('RJCT')
})

note(
  PAY.statusCodesOfThePaymentApi,
  ended,
  ({ submission }) => `the submission of a rejected payment: ${String(submission.status.value)}`,
)
