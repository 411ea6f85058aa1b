import { check, inWholeRun, NotReached, type ObservedExchange } from '../../harness/check/index.ts'
import { OPERATIONS } from './record-rules.ts'
import { answersIn, isSuccess, recordIn, statusesIn } from './records.ts'
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

const UNREAD = 'no status of a payment was answered'

/** Judges every status that was read. @param scenario where this surely occurs. */
export const checkReadings = (scenario: Scenario): void => {
  const answered = inWholeRun(scenario, OPERATIONS)
    .each(({ exchanges }) => readingsIn(exchanges), UNREAD)
    .where(({ answer }) => isSuccess(answer), UNREAD)
  check(PAY.statusRecordIsThatOfThePayment, answered, ({ orderId: asked, answer }) => {
    const { orderId } = recordIn(answer)
    orderId.satisfies(String(orderId.value) === asked, `${asked}, the orderId that was asked for`)
  })
  check(PAY.statusRecordHasStatusAndDateTime, answered, ({ answer }) =>
    recordIn(answer).carries('status', 'statusDateTime'),
  )
}

const HOUR_MS = 60 * 60_000
export const UNAUTHORIZED = 401

/** How long a payment is kept is not shown: only readings within an hour are judged. */
const isRecent = ({ seenAt, answer }: Reading): boolean =>
  answer.sentAt.getTime() - seenAt.getTime() < HOUR_MS && answer.status.value !== UNAUTHORIZED

/** Judges that a status was answered. */
export const isAnswered = (answer: ObservedExchange, because: string): void => {
  if (!isSuccess(answer)) answer.isAccepted(because)
  answer.status.satisfies(isSuccess(answer), 'a success')
}

/**
 * Judges that the status of a payment that was not submitted is the one that its initiation answered.
 * @throws NotReached if one of them was not answered.
 */
export const agreesWithItsInitiation = (
  initiation: ObservedExchange,
  read: readonly ObservedExchange[],
): void => {
  const first = recordIn(initiation)
  const answers = statusesIn(read)
  if (!isSuccess(initiation) || !first.has('status') || answers.length === 0)
    throw new NotReached(`the status of the payment of ${initiation.id} is not known`)
  for (const { status } of answers)
    status.satisfies(
      status.value === first.status.value,
      `${String(first.status.value)}, as its initiation answered`,
    )
}

/** @param scenario one that reads the status of only its own payments, with the token of their application. */
export const checkReadability = (scenario: Scenario): void => {
  const recent = scenario.each(readingsIn, UNREAD).where(isRecent, 'no status of a payment was asked for')
  check(PAY.statusIsAnsweredUnderTheOrderId, recent, ({ answer }) =>
    isAnswered(answer, 'its orderId was answered within the hour'),
  )
}
