import { placeOf } from './parts.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { Profile } from '../profile/schema.ts'
import type { Base, Part, Placed } from './parts.ts'

/**
 * Paths that nothing answers at. A path of the interface has to be there, so that only another one may be the fault of
 * the profile.
 */

/** Nothing is there, or nothing that is asked like that (RFC 9110 §15.5.5, §15.5.6). */
const NOTHING_THERE: ReadonlySet<number | undefined> = new Set([404, 405])

interface Asked extends Placed {
  readonly exchange: Exchange
  readonly isThere: boolean
}

const askedIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly Asked[] => {
  const asked: Asked[] = []
  for (const exchange of exchanges) {
    if (exchange.response === undefined) continue
    const placed = placeOf(profile, exchange)
    const isThere = !NOTHING_THERE.has(exchange.response.status)
    if (placed !== undefined) asked.push({ ...placed, exchange, isThere })
  }
  return asked
}

const isShown = ({ path, documented }: Part | Base): boolean => path === documented

const misfitOf = (key: string, { path, documented }: Part | Base, { exchange }: Asked): Misfit => ({
  key,
  bound: path === '' ? '/' : path,
  expected: 'operation',
  shown:
    `each request is answered ${exchange.response?.status ?? 0}` +
    (documented === undefined ? '' : `, and the interface has ${documented}`),
  exchange: exchange.id,
})

/** What is to blame for an answer that nothing is there: the path, the base path before it, or the target. */
const blame = ({ part, base }: Asked, isBaseThere: boolean): 'path' | 'base' | undefined => {
  // In the environment that is not judged a request or two are no sign that nothing at all is there.
  const isBaseOpen = !isBaseThere && !isShown(base) && (base.documented !== undefined || base.isJudged)
  if (part.documented !== undefined && !isShown(part)) return 'path'
  if (isBaseOpen) return 'base'
  return part.documented === undefined ? 'path' : undefined
}

/**
 * @param exchanges those of one scenario.
 * @param all those of the run so far: what was there once is a path that fits.
 */
export const misfittingPaths = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const missed = askedIn(profile, exchanges).filter(({ isThere }) => !isThere)
  if (missed.length === 0) return []
  const there = askedIn(profile, all()).filter(({ isThere }) => isThere)
  const paths = new Set(there.map(({ part, base }) => `${part.key} ${base.key}`))
  const bases = new Set(there.map(({ base }) => base.key))
  return missed
    .filter(({ part, base }) => !paths.has(`${part.key} ${base.key}`))
    .flatMap((asked) => {
      const { part, base } = asked
      const guilty = blame(asked, bases.has(base.key))
      if (guilty === undefined) return []
      return [guilty === 'path' ? misfitOf(`${part.key}.path`, part, asked) : misfitOf(base.key, base, asked)]
    })
}
