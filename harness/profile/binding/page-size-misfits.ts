import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { merge, nested } from '../template.ts'
import { placeOf } from './paths.ts'
import { isRefusedForWhatItSays, isTaken, sentJson } from './misfit.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Misfit, Seen } from './misfit.ts'
import type { Profile } from '../schema.ts'

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

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly Asked[] => {
  const { secondVariant } = profile
  if (secondVariant === undefined) return []
  const { pageSize, transactions } = secondVariant.listTransactions
  const asked: Asked[] = []
  for (const exchange of exchanges) {
    if (placeOf(profile, exchange)?.part.key !== PART) continue
    const body = sentJson(exchange)
    if (typeof body !== 'object' || body === null) continue
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

export const misfittingPageSizes = ({ profile, exchanges, all }: Seen): readonly Misfit[] => {
  const bound = profile.secondVariant?.listTransactions.pageSize ?? ''
  const contradicted = pairsOf(askedIn(profile, exchanges)).find(contradicts)
  if (contradicted === undefined || pairsOf(askedIn(profile, all())).some(isHeeded)) return []
  const [{ exchange, count = 0 }] = contradicted
  return [
    {
      key: `${PART}.pageSize`,
      bound,
      expected: 'page size of the target',
      shown: `${count} transactions come whatever it says`,
      exchange: exchange.id,
    },
  ]
}
