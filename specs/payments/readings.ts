import { check, type ObservedExchange } from '../../harness/check/index.ts'
import { isSuccess, recordIn, answersIn, judgeEach, isGiven } from './records.ts'
import { PAY } from './requirements.ts'
import type { Scenario } from '../../harness/session/index.ts'

/** What holds of every status that is read of a payment, in whatever state the payment is by then. */

interface Reading {
  /** The orderId in the address. */
  readonly orderId: string
  readonly answer: ObservedExchange
  /** When an answer contained it last. */
  readonly seenAt: Date
}

const orderIdIn = (answer: ObservedExchange): string | undefined => {
  if (!isSuccess(answer)) return undefined
  const { value } = recordIn(answer).orderId
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const isRead = ({ request }: ObservedExchange): boolean => request.method === 'GET'

/** The status requests with an orderId that an earlier answer contained. */
const readingsIn = (observed: unknown): readonly Reading[] => {
  const seen = new Map<string, Date>()
  return answersIn(observed).flatMap((answer) => {
    const segments = new Set(isRead(answer) ? answer.request.url.split(/[/?&=]/) : [])
    const asked = [...seen].find(([orderId]) => segments.has(encodeURIComponent(orderId)))
    const contained = orderIdIn(answer)
    if (contained !== undefined && (asked !== undefined || !isRead(answer)))
      seen.set(contained, answer.sentAt)
    return asked === undefined ? [] : [{ orderId: asked[0], answer, seenAt: asked[1] }]
  })
}

const isAnsweredReading = ({ answer }: Reading): boolean => isSuccess(answer)

const UNREAD = 'no status of a payment was answered'

/** @param scenario one that reads the status of its payments. */
export const checkReadings = (scenario: Scenario): void => {
  check(PAY.statusRecordIsThatOfThePayment, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isAnsweredReading), UNREAD, ({ orderId: asked, answer }) => {
      const { orderId } = recordIn(answer)
      orderId.satisfies(String(orderId.value) === asked, `${asked}, the orderId that was asked for`)
    }),
  )
  check(PAY.statusRecordHasStatusAndDateTime, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isAnsweredReading), UNREAD, ({ answer }) => {
      const { status, statusDateTime } = recordIn(answer)
      status.satisfies(isGiven(status), 'a status')
      statusDateTime.satisfies(isGiven(statusDateTime), 'a statusDateTime')
    }),
  )
}

const HOUR_MS = 60 * 60_000
const UNAUTHORIZED = 401

/** How long a payment is kept is not shown: only readings within an hour are judged. */
const isRecent = ({ seenAt, answer }: Reading): boolean =>
  answer.sentAt.getTime() - seenAt.getTime() < HOUR_MS && answer.status.value !== UNAUTHORIZED

/** @param scenario one that reads the status of only its own payments, with the token of their application. */
export const checkReadability = (scenario: Scenario): void => {
  checkReadings(scenario)
  check(PAY.statusIsAnsweredUnderTheOrderId, scenario, (observed) =>
    judgeEach(readingsIn(observed).filter(isRecent), 'no status of a payment was asked for', ({ answer }) => {
      if (!isSuccess(answer)) answer.isAccepted('its orderId was answered within the hour')
      answer.status.satisfies(isSuccess(answer), 'a success')
    }),
  )
}
