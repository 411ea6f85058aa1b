import { canWait } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type { Payments, Session } from '../../harness/session/index.ts'

/** What the scenarios of payments have in common. */

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

/** Lets a moment pass, so that two times can be told apart. */
export const aMoment = ({ clock }: Session): Promise<void> => clock.pass(SECOND_MS)

/** The orderId of an initiation, where there is one. */
export const orderIdIn = (payments: Payments, initiation: Exchange): string | undefined => {
  try {
    return payments.orderIdOf(initiation)
  } catch {
    return undefined
  }
}

/** The status of the payment as often as asked; none where there is no payment. */
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

/** Steps of time in which a payment may come to its end. */
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

const SHORTEST_UNGUESSED = 16

/** Digits, and the letters of hexadecimal ones. */
const asHex = (character: string): string => {
  if (/\d/.test(character)) return String((Number(character) + 7) % 10)
  if (/[a-f]/i.test(character)) return character === 'f' || character === 'F' ? 'a' : next(character)
  return character
}

/** The other letters, where there is nothing else. */
const asLetter = (character: string): string => {
  if (/[g-z]/i.test(character)) return /z/i.test(character) ? 'g' : next(character)
  return character
}

const turned = (orderId: string, turn: (character: string) => string): string =>
  Array.from(orderId, turn).join('')

/** An orderId that looks like that one and that the bank never issued. */
export const unknownLike = (orderId: string): string => {
  const [unlike = orderId] = [asHex, asLetter]
    .map((turn) => turned(orderId, turn))
    .filter((other) => other !== orderId)
  // A short one may have been issued to somebody.
  return unlike.length >= SHORTEST_UNGUESSED
    ? unlike
    : unlike + '0'.repeat(SHORTEST_UNGUESSED - unlike.length)
}

const next = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 1)
