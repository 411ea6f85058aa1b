import { brokeDown, check, Inconclusive, NotReached } from '../../harness/check/index.ts'
import { retryServerErrorOnce, change, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import type { Change, Order, Session } from '../../harness/session/index.ts'
import { MOVED, recordIn, stateIn } from './records.ts'
import { PAY } from './requirements.ts'

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
