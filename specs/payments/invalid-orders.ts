import { NotReached, wasProcessed, type Exchange } from '../../harness/check/index.ts'
import {
  countOfProvokingOrders,
  describeRejection,
  REJECTIONS,
  scenarioForEach,
  type Payments,
  type ProvokingOrder,
  type Rejection,
  type Session,
} from '../../harness/session/index.ts'
import { isInValidation, isRejected, recordIn } from './records.ts'
import { aMoment, readBack } from './status-reads.ts'
import { whyNotAccepted } from './submissions.ts'

/** Orders that are to be rejected at their initiation. */

/** The order that is meant. */
const lastOf = (initiations: readonly Exchange[]): Exchange => {
  const last = initiations.at(-1)
  if (last === undefined) throw new NotReached('no order was sent')
  return last
}

const provoke = async (session: Session, rejection: Rejection, order: ProvokingOrder) => {
  const { isGuess, method, isTimed } = order
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

/** The orders of the profile that are to be rejected so, each sent twice. */
export const invalidOrders = (rejection: Rejection) =>
  scenarioForEach(
    rejection === 'any'
      ? 'a payment from an account that is not at the bank'
      : `a payment that is rejected with ${rejection}`,
    {
      effect: 'pay',
      as: 'any',
      needs: ['payments', `provoke-${rejection}`],
      payments: { initiated: 1 },
      times: ({ payments }, canMoveTime) =>
        payments === undefined ? 0 : countOfProvokingOrders(payments, rejection, canMoveTime),
    },
    {
      each: async (session) => (await session.payments()).provocations(rejection),
      act: (session, order) => provoke(session, rejection, order),
      unusable: ({ initiation, again, control, isGuess }, { key, states }) => {
        for (const one of [initiation, ...again]) wasProcessed(one)
        const { reasonCode, additionalInformation } = recordIn(initiation)
        if (isRejected(initiation) && (rejection === 'any' || reasonCode.value === rejection))
          return undefined
        const fault = control.map(whyNotAccepted).find((because) => because !== undefined)
        if (fault !== undefined || !isGuess) return fault
        const answer = isInValidation(initiation)
          ? `${initiation.id} accepted the order`
          : describeRejection(
              {
                id: initiation.id,
                status: initiation.status.value,
                reasonCode: reasonCode.value,
                additionalInformation: additionalInformation.value,
              },
              'the order',
            )
        return `${answer}, and that ${states} is a guess of the profile: look at ${key}`
      },
    },
  )

/** An order that is rejected, with the first code of the profile. @throws NotReached if the profile has none. */
export const provokeAny = async (payments: Payments): Promise<Exchange> => {
  const orders = REJECTIONS.flatMap((rejection) => payments.provocations(rejection))
  const order = orders.find(({ isTimed }) => !isTimed)
  if (order === undefined) throw new NotReached('the profile names no provocation')
  return lastOf(await order.send())
}
