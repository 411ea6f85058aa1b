import { fieldOf, jsonOf } from '../session/answer.ts'
import { merge, nested } from '../session/payments-body.ts'
import { placeOf } from './parts.ts'
import { isRefusedForWhatItSays, isTaken } from './requests.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * The member of a body that carries the page size, in the second variant: the interface has its name, and does not show
 * the names of the body's fields. Where no answer ever depends on it, the target may have it under another one.
 */

const PART = 'secondVariant.listTransactions'

/** Limits, pageSize. */
const [SMALLEST, LARGEST] = [10, 100]

interface Asked {
  readonly exchange: Exchange
  readonly size: unknown
  /** All that the request says beside it. */
  readonly beside: string
  /** How many transactions came; nothing where it was refused. */
  readonly count?: number
}

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly Asked[] => {
  const { secondVariant } = profile
  if (secondVariant === undefined) return []
  const { pageSize, transactions } = secondVariant.listTransactions
  const asked: Asked[] = []
  for (const exchange of exchanges) {
    if (placeOf(profile, exchange)?.part.key !== PART) continue
    const body = parsed(exchange.request.body?.text ?? '')
    if (body === undefined) continue
    const size = fieldOf(body, pageSize)
    const beside = merge(body, nested(pageSize, null))
    const list = isTaken(exchange) ? fieldOf(jsonOf(exchange), transactions) : undefined
    if (Array.isArray(list))
      asked.push({ exchange, size, beside: JSON.stringify(beside), count: list.length })
    else if (isRefusedForWhatItSays(exchange)) asked.push({ exchange, size, beside: JSON.stringify(beside) })
  }
  return asked
}

const isLegal = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= SMALLEST && Number(size) <= LARGEST

/** Each with every other that says the same beside the size. */
const pairsOf = (asked: readonly Asked[]): readonly (readonly [Asked, Asked])[] =>
  asked.flatMap((one, at) =>
    asked
      .slice(at + 1)
      .filter(({ beside, size }) => beside === one.beside && size !== one.size)
      .map((other) => [one, other] as const),
  )

/** The size has an effect: on how many come, or on whether any do. */
const isHeeded = ([one, other]: readonly [Asked, Asked]): boolean => one.count !== other.count

/** More came than were asked for, or as many for two sizes of which the smaller would not have been all. */
const contradicts = ([one, other]: readonly [Asked, Asked]): boolean =>
  isLegal(one.size) &&
  isLegal(other.size) &&
  one.count === other.count &&
  (one.count ?? 0) > Math.min(one.size, other.size)

/** @param exchanges those of one scenario. @param all those of the run so far. */
export const misfittingPageSizes = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const bound = profile.secondVariant?.listTransactions.pageSize ?? ''
  const contradicted = pairsOf(askedIn(profile, exchanges)).find(contradicts)
  if (contradicted === undefined || pairsOf(askedIn(profile, all())).some(isHeeded)) return []
  const [{ exchange, count = 0 }] = contradicted
  return [
    {
      ...{ key: `${PART}.pageSize`, bound, expected: 'page size of the target' },
      shown: `${count} transactions come whatever it says`,
      exchange: exchange.id,
    },
  ]
}
