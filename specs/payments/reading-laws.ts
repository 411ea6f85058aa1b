import { check } from '../../harness/check/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { answersIn, isGiven, isSuccess, recordIn, recordsIn } from './records.ts'
import { PAY } from './requirements.ts'

/** What holds of every status that is read of a payment, whatever has become of the payment by then. */

interface Reading {
  /** The orderId that the address names. */
  readonly orderId: string
  readonly answer: ObservedExchange
  /** When an answer had named it last. */
  readonly toldAt: Date
}

const orderIdIn = (answer: ObservedExchange): string | undefined => {
  if (!isSuccess(answer)) return undefined
  const { value } = recordIn(answer).orderId
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const isRead = ({ request }: ObservedExchange): boolean => request.method === 'GET'

/** The statuses that were asked for under an orderId that an answer had given before. */
const readingsIn = (observed: unknown): readonly Reading[] => {
  const told = new Map<string, Date>()
  return answersIn(observed).flatMap((answer) => {
    const segments = new Set(isRead(answer) ? answer.request.url.split(/[/?&=]/) : [])
    const asked = [...told].find(([orderId]) => segments.has(encodeURIComponent(orderId)))
    const named = orderIdIn(answer)
    if (named !== undefined && (asked !== undefined || !isRead(answer))) told.set(named, answer.sentAt)
    return asked === undefined ? [] : [{ orderId: asked[0], answer, toldAt: asked[1] }]
  })
}

/** Judges the readings of which it may be said. @throws NotReached where no payment came about. */
const judgeReadings = (
  observed: unknown,
  isMeant: (reading: Reading) => boolean,
  judge: (reading: Reading) => void,
): void => {
  recordsIn(observed)
  readingsIn(observed).filter(isMeant).forEach(judge)
}

const isTold = ({ answer }: Reading): boolean => isSuccess(answer)

/** @param scenario one that reads the status of its payments. */
export const statesReadings = (scenario: Scenario): void => {
  check(PAY.statusRecordIsThatOfThePayment, scenario, (observed) =>
    judgeReadings(observed, isTold, ({ orderId: asked, answer }) => {
      const { orderId } = recordIn(answer)
      orderId.satisfies(String(orderId.value) === asked, `${asked}, the orderId that was asked for`)
    }),
  )
  check(PAY.statusRecordHasStatusAndDateTime, scenario, (observed) =>
    judgeReadings(observed, isTold, ({ answer }) => {
      const { status, statusDateTime } = recordIn(answer)
      status.satisfies(isGiven(status), 'a status')
      statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
    }),
  )
}

const HOUR_MS = 60 * 60_000
const UNAUTHORIZED = 401

/** For how long a payment is kept is not said: it is judged while it was told of within the hour. Of what a token opens, elsewhere. */
const isFresh = ({ toldAt, answer }: Reading): boolean =>
  answer.sentAt.getTime() - toldAt.getTime() < HOUR_MS && answer.status.value !== UNAUTHORIZED

/** @param scenario one that reads the status of its own payments alone, with the token of their application. */
export const statesReadability = (scenario: Scenario): void => {
  statesReadings(scenario)
  check(PAY.statusIsAnsweredUnderTheOrderId, scenario, (observed) =>
    judgeReadings(observed, isFresh, ({ answer }) => {
      if (!isSuccess(answer)) answer.isAccepted('the payment was told of within the hour')
      answer.status.satisfies(isSuccess(answer), 'a success')
    }),
  )
}
