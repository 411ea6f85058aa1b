import { check, Inconclusive, note, NotReached, scenario } from '../../harness/check/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { aMoment, orderIdIn, readBack, unknownLike } from './asking.ts'
import { isSameTime, isToldTwice } from './date-times.ts'
import { statesLaws } from './record-laws.ts'
import { eachStep, isGiven, isSuccess, OF_THE_MOMENT, recordIn, STATES } from './records.ts'
import { PAY } from './requirements.ts'

/** Enough to meet a number that is counted in tens of milliseconds, or in hundreds of payments. */
const AT_ONCE = 8
const ONE_AFTER_THE_OTHER = 3

const initiated = scenario(
  'payments that are initiated',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments'],
    payments: { initiated: 1 + ONE_AFTER_THE_OTHER + AT_ONCE },
  },
  async (session) => {
    const payments = await session.payments()
    const one = await payments.initiate()
    await aMoment(session)
    const read = await readBack(payments, one, 2)
    const others = []
    for (let count = 0; count < ONE_AFTER_THE_OTHER; count += 1) others.push(await payments.initiate())
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => payments.initiate()))
    const orderId = orderIdIn(payments, one)
    const unknown = orderId === undefined ? [] : [await payments.status(unknownLike(orderId))]
    const unauthenticated =
      orderId === undefined
        ? []
        : [await payments.status(orderId, (request) => ({ ...request, headers: [] }))]
    const [method] = payments.profile.initiations
    return {
      ...{ one, read, others, atOnce, unknown, unauthenticated },
      token: payments.token,
      body: Object.keys(method?.body ?? {}),
    }
  },
)

statesLaws(initiated)

/** @throws NotReached for an initiation that was refused. */
const succeeded = (initiation: ObservedExchange): ObservedExchange => {
  if (isSuccess(initiation)) return initiation
  throw new NotReached(`${initiation.id} was refused, so that there is no payment`)
}

check(PAY.initiationHasStatus201, initiated, ({ one, others }) => {
  for (const initiation of [one, ...others]) succeeded(initiation).status.equals(201)
})

check(PAY.initiationAnswersAnOrderId, initiated, ({ one }) => {
  const { orderId } = recordIn(succeeded(one))
  orderId.satisfies(isGiven(orderId), 'an orderId that is not empty')
})

check(PAY.initiationAnswersAStatus, initiated, ({ one, others }) => {
  for (const initiation of [one, ...others]) {
    const { status } = recordIn(succeeded(initiation))
    status.satisfies(isGiven(status), 'a status')
  }
})

check(PAY.initiationAnswersAStatusDateTime, initiated, ({ one, others }) => {
  for (const initiation of [one, ...others]) {
    const { statusDateTime } = recordIn(succeeded(initiation))
    statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
  }
})

check(PAY.validPaymentIsAccepted, initiated, ({ one, others }) => {
  for (const initiation of [one, ...others]) {
    if (!isSuccess(initiation)) initiation.isAccepted('the order is the one that the profile calls valid')
    const { status, reasonCode } = recordIn(initiation)
    // That a status is given is judged above.
    if (!isGiven(status)) continue
    if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
      throw new Inconclusive(
        `${initiation.id} was rejected with ${String(reasonCode.value)}, which may hold of a valid order for now`,
      )
    status.equals('ACTC')
  }
})

/** @throws NotReached where fewer than two orderIds were given. */
const areDistinct = (initiations: readonly ObservedExchange[]): void => {
  const given = initiations.map((exchange) => recordIn(exchange).orderId).filter(isGiven)
  if (given.length < 2) throw new NotReached('fewer than two payments were initiated')
  const seen = new Set<unknown>()
  for (const orderId of given) {
    orderId.satisfies(!seen.has(orderId.value), 'an orderId that no other payment has')
    seen.add(orderId.value)
  }
}

check(PAY.orderIdsAreDistinct, initiated, ({ one, others }) =>
  areDistinct([one, ...others].filter(isSuccess)),
)

check(PAY.concurrentOrderIdsAreDistinct, initiated, ({ atOnce }) => areDistinct(atOnce.filter(isSuccess)))

/** @throws NotReached where there was no payment to ask for. */
const some = (answers: readonly ObservedExchange[]): readonly ObservedExchange[] => {
  if (answers.length === 0) throw new NotReached('no payment was initiated')
  return answers
}

check(PAY.statusIsAnsweredUnderTheOrderId, initiated, ({ read }) => {
  for (const answer of some(read)) {
    if (!isSuccess(answer)) answer.isAccepted('its orderId was given a moment before')
    answer.status.satisfies(isSuccess(answer), 'a success')
  }
})

check(PAY.statusRecordIsThatOfThePayment, initiated, ({ one, read }) => {
  const { value } = recordIn(succeeded(one)).orderId
  for (const answer of some(read).filter(isSuccess)) {
    const { orderId } = recordIn(answer)
    orderId.satisfies(String(orderId.value) === String(value), 'the orderId that was asked for')
  }
})

check(PAY.statusRecordHasStatusAndDateTime, initiated, ({ read }) => {
  for (const answer of some(read).filter(isSuccess)) {
    const { status, statusDateTime } = recordIn(answer)
    status.satisfies(isGiven(status), 'a status')
    statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
  }
})

check(PAY.statusRecordAgreesWithTheInitiation, initiated, ({ one, read }) => {
  const { status: first } = recordIn(succeeded(one))
  if (!isGiven(first)) throw new NotReached('the initiation answered no status')
  for (const answer of some(read).filter(isSuccess)) {
    const { status } = recordIn(answer)
    status.satisfies(status.value === first.value, `${String(first.value)}, as the initiation answered`)
  }
})

check(PAY.statusDateTimeStaysWithTheStatus, initiated, ({ one, read }) => {
  const records = [succeeded(one), ...some(read).filter(isSuccess)].map(recordIn)
  eachStep(records, (before, after) => {
    const [then, now] = [before.statusDateTime.value, after.statusDateTime.value]
    if (!isToldTwice(then, now) || before.status.value !== after.status.value) return
    after.statusDateTime.satisfies(isSameTime(then, now), `${String(then)}, as before`)
  })
})

check(PAY.unknownOrderIsRefused, initiated, ({ unknown }) => {
  for (const answer of some(unknown)) answer.isRefused('the bank never issued the orderId')
})

check(PAY.refusedStatusIsNoSuccess, initiated, ({ unknown }) => {
  for (const answer of some(unknown)) {
    if (answer.accepted) throw new NotReached('the status was answered')
    answer.status.satisfies(!isSuccess(answer), 'no success, since nothing was found')
  }
})

note(PAY.bodyOfTheInitiation, initiated, ({ one, body }) =>
  one.accepted ? `accepted with ${body.join(', ')}` : undefined,
)
note(PAY.scopesOfThePaymentOperations, initiated, ({ token }) => `token: ${token.body.shape}`)
note(PAY.authenticationOfThePaymentOperations, initiated, ({ unauthenticated }) =>
  unauthenticated.map(({ status }) => `a status without a token: ${String(status.value)}`).join(),
)
note(PAY.statusCodesOfThePaymentApi, initiated, ({ unknown }) =>
  unknown.map(({ status }) => `an unknown orderId: ${String(status.value)}`).join(),
)

const further = scenario(
  'payments by the further initiation methods',
  { effect: 'pay', as: 'any', needs: ['payments', 'further-initiation'], payments: { initiated: 2 } },
  async (session) => {
    const payments = await session.payments()
    const asked = []
    for (const { name, path } of payments.profile.initiations.slice(1)) {
      const initiation = await payments.initiate({ method: name })
      asked.push({ name, path, initiation, read: await readBack(payments, initiation) })
    }
    return { asked }
  },
)

statesLaws(further)

check(PAY.otherInitiationHasTheSameShape, further, ({ asked }) => {
  for (const { initiation } of asked) {
    if (!isSuccess(initiation)) initiation.isAccepted('the order is the one that the profile calls valid')
    initiation.status.equals(201)
    const { orderId, status, statusDateTime } = recordIn(initiation)
    orderId.satisfies(isGiven(orderId), 'an orderId')
    status.isOneOf(STATES)
    statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
  }
})

note(PAY.otherInitiationMethods, further, ({ asked }) =>
  asked.map(({ path, initiation }) => `${path}: ${String(initiation.status.value)}`).join(', '),
)
