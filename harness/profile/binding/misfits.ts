import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import {
  misfittingAuthorizations,
  misfittingHeaders,
  misfittingTokenRequests,
} from './authorization-misfits.ts'
import { misfittingRedirectUris, misfittingSecrets } from './credential-misfits.ts'
import { misfittingCalculationResults, misfittingScenarioWords } from './loan-misfits.ts'
import { byKey, hasAny, isRefusedForWhatItSays, isTaken, sentJson, type Misfit, type Seen } from './misfit.ts'
import { leavesOf, namesOf, shapeOf, type Name } from './names.ts'
import { misfittingPaths, placeOf } from './paths.ts'
import { misfittingRequests } from './requests.ts'
import { merge, nested } from '../template.ts'
import type { Exchange } from '../../evidence/exchange.ts'
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

const misfittingPageSizes = ({ profile, exchanges, all }: Seen): readonly Misfit[] => {
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

/**
 * Whether what a check found is a matter of the profile: a name or a path of it that has fitted no answer of the run,
 * where what was meant may well be there under another one; or what requests say, where none of them was ever taken.
 */

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The items of a list; of an object what it has under names, unless the one that is looked for stands in itself. */
const itemsOf = (value: unknown, path: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  return fieldOf(value, path) === undefined ? Object.values(value).filter(isObject) : [value]
}

/** The places in an answer in which a name is looked for; undefined where they are not there. */
const hostsIn = (json: unknown, { within, path }: Name): readonly unknown[] | undefined => {
  if (within === undefined) return [json]
  const items = fieldOf(json, within)
  const hosts = itemsOf(items, path)
  return hosts.length > 0 ? hosts : undefined
}

/** Of a page with many items the first ones show what they are made of. */
const MOST_HOSTS = 20

const hasElsewhere = (name: Name, hosts: readonly unknown[], exchange: Exchange): boolean =>
  hosts
    .slice(0, MOST_HOSTS)
    .some((host) =>
      leavesOf(host, (path) => path === name.beside).some((leaf) => name.kind.resembles(leaf, exchange)),
    )

type Fit = 'fits' | 'misfits' | 'open'

const fitOf = (name: Name, exchange: Exchange): Fit => {
  if (exchange.response === undefined || !name.isOf(exchange)) return 'open'
  const json = jsonOf(exchange)
  const hosts = json === undefined ? undefined : hostsIn(json, name)
  if (hosts === undefined) return 'open'
  if (hosts.some((host) => name.kind.fits(fieldOf(host, name.path)))) return 'fits'
  return hasElsewhere(name, hosts, exchange) ? 'misfits' : 'open'
}

const shownOf = (name: Name, exchange: Exchange): string => {
  const [first] = hostsIn(jsonOf(exchange), name) ?? []
  return `${name.within === undefined ? 'the answer' : `an item of ${name.within}`} ${shapeOf(first)}`
}

/** A misfit, and which violations may be due to it. */
interface Suspicion {
  readonly misfit: Misfit
  /** The name, where it is only looked at: it explains what is seen in the answers that have it, and no more. */
  readonly leaf?: Name
}

const suspicionOf = (name: Name, seen: Seen): readonly Suspicion[] => {
  const exchange = seen.exchanges.find((one) => fitOf(name, one) === 'misfits')
  if (exchange === undefined || hasAny(seen.all(), (one) => fitOf(name, one) === 'fits')) return []
  const { key, path: bound, kind } = name
  const shown = shownOf(name, exchange)
  return [
    {
      misfit: { key, bound, expected: kind.expected, shown, exchange: exchange.id },
      ...(name.isLeaf === true && { leaf: name }),
    },
  ]
}

/** What is not a name in an answer: whatever depends on it is explained by it. */
const SEARCHES: readonly ((seen: Seen) => readonly Misfit[])[] = [
  misfittingSecrets,
  misfittingRedirectUris,
  misfittingPaths,
  misfittingHeaders,
  misfittingAuthorizations,
  misfittingTokenRequests,
  misfittingRequests,
  misfittingScenarioWords,
  misfittingCalculationResults,
  misfittingPageSizes,
]

const suspicionsOf = (seen: Seen): readonly Suspicion[] => [
  ...SEARCHES.flatMap((search) => search(seen)).map((misfit) => ({ misfit })),
  ...namesOf(seen.profile).flatMap((name) => suspicionOf(name, seen)),
]

const explains = ({ leaf }: Suspicion, violated: string | undefined, { exchanges }: Seen): boolean => {
  if (leaf === undefined || violated === undefined) return true
  const shows = exchanges.find(({ id }) => id === violated)
  return shows !== undefined && leaf.isOf(shows)
}

/**
 * The keys of the profile that may be why a check could not pass.
 * @param violated the id of the exchange that shows a violation, where there is one: a key that has nothing to do with
 * that exchange does not explain it.
 */
export const misfitsBehind = (violated: string | undefined, seen: Seen): readonly Misfit[] =>
  byKey(
    suspicionsOf(seen)
      .filter((suspicion) => explains(suspicion, violated, seen))
      .map(({ misfit }) => misfit),
  )
