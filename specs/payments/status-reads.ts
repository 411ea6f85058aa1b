import { canWait, type Payments, type Session } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'

/** Reads the status of payments, at once and as time passes. */

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

/** Lets a moment pass, so that two times differ. */
export const aMoment = ({ clock }: Session): Promise<void> => clock.pass(SECOND_MS)

/** The orderId of an initiation, if there is one. */
export const orderIdIn = (payments: Payments, initiation: Exchange): string | undefined => {
  try {
    return payments.orderIdOf(initiation)
  } catch {
    return undefined
  }
}

/** Reads the status of a payment that many times; not at all if there is no payment. */
export const readBack = async (
  payments: Payments,
  initiation: Exchange,
  times = 1,
): Promise<readonly Exchange[]> => {
  const orderId = orderIdIn(payments, initiation)
  const answers: Exchange[] = []
  if (orderId !== undefined)
    for (let time = 0; time < times; time += 1) answers.push(await payments.status(orderId))
  return answers
}

/** Steps of time in which a payment may reach its last state. */
const STEPS = {
  soon: [SECOND_MS, 4 * SECOND_MS, 60 * SECOND_MS, HOUR_MS, DAY_MS, 3 * DAY_MS],
  late: [SECOND_MS, 4 * SECOND_MS, HOUR_MS, DAY_MS, DAY_MS, 2 * DAY_MS, 3 * DAY_MS, 3 * DAY_MS],
} as const

/** @param when `soon`: the payment is executed at once. `late`: in some days. */
export const asTimePasses = async (
  { clock }: Session,
  payments: Payments,
  orderId: string,
  when: 'soon' | 'late',
): Promise<readonly Exchange[]> => {
  const answers: Exchange[] = []
  for (const ms of STEPS[when].filter((step) => canWait(clock, step))) {
    await clock.pass(ms)
    answers.push(await payments.status(orderId))
  }
  return answers
}
