import { constantFrom, integer, oneof, record, string } from 'fast-check'
import {
  brokeDown,
  check,
  Inconclusive,
  note,
  NotReached,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  change,
  property,
  retryServerErrorOnce,
  scenario,
  type Change,
  type Order,
  type Session,
} from '../../harness/session/index.ts'
import { aMoment, orderIdIn, readBack, unknownLike } from './orders.ts'
import { areTimes, isSameTime } from './record-rules.ts'
import {
  areDistinct,
  eachStep,
  isGiven,
  isSuccess,
  MOVED,
  OF_THE_MOMENT,
  recordIn,
  stateIn,
  STATES,
  statesLaws,
  statesReadability,
  statesReadings,
} from './record-rules.ts'
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
    if (!areTimes(then, now) || before.status.value !== after.status.value) return
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

interface Malformed {
  readonly what: string
  readonly order?: Order
  readonly change?: Change
}

const json = (text: string): Change => change.body(text, 'application/json')

/** The first half of the JSON. */
const cut: Change = (request) => json((request.text ?? '').slice(0, (request.text ?? '').length / 2))(request)

/** None of these names a payment, however lenient its reader. */
const NO_PAYMENTS: readonly Malformed[] = [
  { what: 'half of its JSON', change: cut },
  { what: 'an empty body', change: json('') },
  { what: 'an empty list', change: json('[]') },
  { what: 'null', change: json('null') },
  { what: 'no amount', order: { values: { amount: undefined } } },
  { what: 'an amount below zero', order: { values: { amount: -1 } } },
  { what: 'an amount in words', order: { values: { amount: 'one' } } },
  { what: 'an object as its amount', order: { values: { amount: { of: 1 } } } },
]

/** These as well, where the profile says where the account stands. */
const NO_CREDITORS: readonly Malformed[] = [
  { what: "no account of the creditor's", order: { values: { creditorIban: undefined } } },
  { what: 'a list as the account of the creditor', order: { values: { creditorIban: [] } } },
]

const bodyOf = ({ profile }: Session): string => JSON.stringify(profile.payments?.initiations[0]?.body)

const malformed = scenario(
  'initiations that name no payment',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments'],
    payments: { initiated: 2 },
  },
  async (session) => {
    const payments = await session.payments()
    const cases = bodyOf(session).includes('{creditorIban}') ? [...NO_PAYMENTS, ...NO_CREDITORS] : NO_PAYMENTS
    const before = await payments.initiate()
    const changed = []
    for (const { what, order, change: one } of cases)
      changed.push({ what, answer: await retryServerErrorOnce(() => payments.initiate(order, one)) })
    return { before, changed, after: await payments.initiate() }
  },
)

/** Judges an initiation between two of a valid order: it may be refused, or rejected. */
const isNotAccepted = (answer: ObservedExchange, what: string): void => {
  const state = stateIn(answer)
  if (state === 'ACTC' || MOVED.includes(state))
    recordIn(answer).status.satisfies(false, `RJCT, or a refusal: the initiation has ${what}`)
}

const wereAccepted = (controls: readonly ObservedExchange[]): void => {
  if (controls.some((control) => stateIn(control) !== 'ACTC'))
    throw new NotReached('the valid order around the malformed one was not accepted')
}

check(PAY.malformedInitiationIsNotAccepted, malformed, ({ before, changed, after }) => {
  wereAccepted([before, after])
  for (const { what, answer } of changed) if (!brokeDown(answer)) isNotAccepted(answer, what)
  const broken = changed.find(({ answer }) => brokeDown(answer))
  if (broken !== undefined)
    throw new Inconclusive(
      `${broken.answer.id} was not refused but broke down: the initiation has ${broken.what}`,
    )
})

check(PAY.malformedInitiationIsNoBreakdown, malformed, ({ before, changed, after }) => {
  wereAccepted([before, after])
  for (const { what, answer } of changed)
    answer.status.satisfies(!brokeDown(answer), `a status below 500: the initiation has ${what}`)
})

const MEBIBYTE = 1024 * 1024

const oversized = scenario(
  'an initiation with a text of 1 MiB',
  { effect: 'pay', as: 'any', needs: ['payments'], payments: { initiated: 1 } },
  async (session) => {
    if (!bodyOf(session).includes('{remittanceInformation}'))
      throw new NotReached('the body of the profile has no {remittanceInformation}')
    const payments = await session.payments()
    const before = await payments.initiate()
    const changed = await payments.initiate({ values: { remittanceInformation: 'A'.repeat(MEBIBYTE) } })
    return { before, changed }
  },
)

check(PAY.oversizedTextIsNotAccepted, oversized, ({ before, changed }) => {
  wereAccepted([before])
  isNotAccepted(changed, 'a text of 1 MiB')
  if (brokeDown(changed)) throw new Inconclusive(`${changed.id} was not refused but broke down`)
})

/** The characters that every bank of SEPA takes (EPC217-08). */
const SEPA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ "
const SLOVAK = 'aáäbcčdďeéfghiíjklĺľmnňoóôpqrŕsštťuúvwxyýzžAÁBCČDĎEÉIÍLĽNŇOÓÔRŔSŠTŤUÚYÝZŽ '

const LARGEST_CENTS = 999_999_999_999

/** A slash neither begins nor ends a text, nor stands beside another (EPC132-08); blanks at the ends are nothing. */
const tidy = (text: string): string => text.replaceAll(/\/+/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, '')

const text = (characters: string, most: number) =>
  string({ unit: constantFrom(...Array.from(characters)), minLength: 1, maxLength: most, size: 'max' })
    .map(tidy)
    .filter((one) => one !== '')

const cents = oneof(
  constantFrom(1, 99, 100, 101, 99_999_999_999, 100_000_000_000, LARGEST_CENTS),
  integer({ min: 1, max: 100_000 }),
  integer({ min: 100_000, max: LARGEST_CENTS }),
)

const orders = record({
  amount: cents.map((count) => count / 100),
  remittanceInformation: text(SEPA, 140),
  endToEndIdentification: text(SEPA, 35),
  creditorName: text(SLOVAK, 70),
  debtorName: text(SLOVAK, 70),
})

const lawful = property(
  'an initiation within the limits of SEPA',
  {
    effect: 'pay',
    as: 'any',
    needs: ['payments', 'any-amount'],
    payments: { initiated: 1 },
  },
  orders,
  async (session, values) => {
    const payments = await session.payments()
    return session.alike(
      () => payments.initiate(),
      () => payments.initiate({ values }),
    )
  },
)

const ordersBrokeDown = ({ status }: ObservedExchange): boolean => Number(status.value) >= 500

check(PAY.lawfulInitiationIsNoBreakdown, lawful, ({ changed, valid, again }) => {
  // A bank that breaks down over every order, or over one alone, is not down because of what this one says.
  const isToBlame =
    ordersBrokeDown(changed) && valid?.accepted === true && again !== undefined && ordersBrokeDown(again)
  changed.status.satisfies(!isToBlame, 'a status below 500, whatever becomes of the payment')
})
