import { check, Inconclusive, note, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { aMoment, orderIdIn, readBack, unknownLike } from './asking.ts'
import { isSameTime, isToldTwice } from './date-times.ts'
import { statesReadability, statesReadings } from './reading-laws.ts'
import { statesLaws } from './record-laws.ts'
import { areDistinct, eachStep, isGiven, isSuccess, OF_THE_MOMENT, recordIn, STATES } from './records.ts'
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
    // Each of them is there, and told as what it is, though all of them are asked for at once.
    const ids = [one, ...others, ...atOnce].flatMap((each) => orderIdIn(payments, each) ?? [])
    const together = await Promise.all(ids.map((id) => payments.status(id)))
    const unauthenticated =
      orderId === undefined
        ? []
        : [await payments.status(orderId, (request) => ({ ...request, headers: [] }))]
    const [method] = payments.profile.initiations
    return {
      ...{ one, read, others, atOnce, together, unknown, unauthenticated },
      token: payments.token,
      body: Object.keys(method?.body ?? {}),
    }
  },
)

statesLaws(initiated)
statesReadings(initiated)

/** @throws NotReached for an initiation that was refused. */
const succeeded = (initiation: ObservedExchange): ObservedExchange => {
  if (isSuccess(initiation)) return initiation
  throw new NotReached(`${initiation.id} was refused, so that there is no payment`)
}

check(PAY.initiationHasStatus201, initiated, ({ one, others, atOnce }) => {
  for (const initiation of [one, ...others]) succeeded(initiation).status.equals(201)
  for (const initiation of atOnce.filter(isSuccess)) initiation.status.equals(201)
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

/** Judges that each of them is in ACTC; that a status is given is judged above. */
const areInValidation = (initiations: readonly ObservedExchange[]): void => {
  for (const initiation of initiations) {
    const { status, reasonCode } = recordIn(initiation)
    if (!isGiven(status)) continue
    if (status.value === 'RJCT' && OF_THE_MOMENT.includes(reasonCode.value))
      throw new Inconclusive(
        `${initiation.id} was rejected with ${String(reasonCode.value)}, which may hold of a valid order for now`,
      )
    status.equals('ACTC')
  }
}

check(PAY.validPaymentIsAccepted, initiated, ({ one, others, atOnce }) => {
  for (const initiation of [one, ...others])
    if (!isSuccess(initiation)) initiation.isAccepted('the order is the one that the profile calls valid')
  areInValidation([one, ...others, ...atOnce.filter(isSuccess)])
})

check(PAY.orderIdsAreDistinct, initiated, ({ one, others }) =>
  areDistinct([one, ...others].filter(isSuccess)),
)

check(PAY.concurrentOrderIdsAreDistinct, initiated, ({ atOnce }) => areDistinct(atOnce.filter(isSuccess)))

/** @throws NotReached where there was no payment to ask for. */
const some = (answers: readonly ObservedExchange[]): readonly ObservedExchange[] => {
  if (answers.length === 0) throw new NotReached('no payment was initiated')
  return answers
}

check(PAY.statusIsAnsweredUnderTheOrderId, initiated, ({ read, together }) => {
  for (const answer of some([...read, ...together])) {
    if (!isSuccess(answer)) answer.isAccepted('its orderId was given a moment before')
    answer.status.satisfies(isSuccess(answer), 'a success')
  }
})

/** Judges that the status is still the one that the initiation answered. */
const agrees = (answer: ObservedExchange, first: unknown): void => {
  const { status } = recordIn(answer)
  status.satisfies(status.value === first, `${String(first)}, as the initiation answered`)
}

check(PAY.statusRecordAgreesWithTheInitiation, initiated, ({ one, read }) => {
  const { status: first } = recordIn(succeeded(one))
  if (!isGiven(first)) throw new NotReached('the initiation answered no status')
  for (const answer of some(read).filter(isSuccess)) agrees(answer, first.value)
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
  { effect: 'pay', as: 'any', needs: ['payments', 'further-initiation'], payments: { initiated: 3 } },
  async (session) => {
    const payments = await session.payments()
    const plain = await payments.initiate()
    const asked = []
    for (const { name, path } of payments.profile.initiations.slice(1)) {
      const initiation = await payments.initiate({ method: name })
      asked.push({ name, path, initiation, read: await readBack(payments, initiation) })
    }
    return { plain, asked }
  },
)

statesLaws(further)
statesReadability(further)

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

check(PAY.orderIdsAreDistinct, further, ({ plain, asked }) =>
  areDistinct([plain, ...asked.map(({ initiation }) => initiation)].filter(isSuccess)),
)

check(PAY.validPaymentIsAccepted, further, ({ asked }) =>
  areInValidation(asked.map(({ initiation }) => succeeded(initiation))),
)

check(PAY.statusRecordAgreesWithTheInitiation, further, ({ asked }) => {
  for (const { initiation, read } of asked) {
    const { status: first } = recordIn(succeeded(initiation))
    if (!isGiven(first)) throw new NotReached('the initiation answered no status')
    for (const answer of read.filter(isSuccess)) agrees(answer, first.value)
  }
})

note(PAY.otherInitiationMethods, further, ({ asked }) =>
  asked.map(({ path, initiation }) => `${path}: ${String(initiation.status.value)}`).join(', '),
)
