import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { mismatchedAuthorizations, mismatchedHeaders, mismatchedTokenRequests } from './authorization.ts'
import { mismatchedRedirectUris, mismatchedSecrets } from './credentials.ts'
import { mismatchedCalculationResults, mismatchedScenarioWords } from './loans.ts'
import {
  byKey,
  hasAny,
  isRefusedForContent,
  isSuccess,
  sentJson,
  type ProfileMismatch,
  type RunExchanges,
} from './mismatch.ts'
import { leavesOf, namesOf, shapeOf, type Name } from './names.ts'
import { mismatchedPaths, placeOf } from './paths.ts'
import { mismatchedRequests } from './requests.ts'
import { merge, nested } from '../template.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

/**
 * The member of a body that carries the page size, in the second variant: the interface has its name, and does not show
 * the names of the body's fields. If no answer ever depends on it, the target may use another name.
 */

const PART = 'secondVariant.listTransactions'

/** Limits, pageSize. */
const [SMALLEST, LARGEST] = [10, 100]

interface PageRequest {
  readonly exchange: Exchange
  readonly size: unknown
  /** All other members of the request. */
  readonly otherMembers: string
  /** The number of transactions; undefined if the request was refused. */
  readonly count?: number
}

const pageRequestsIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly PageRequest[] => {
  const { secondVariant } = profile
  if (secondVariant === undefined) return []
  const { pageSize, transactions } = secondVariant.listTransactions
  const requests: PageRequest[] = []
  for (const exchange of exchanges) {
    if (placeOf(profile, exchange)?.part.key !== PART) continue
    const body = sentJson(exchange)
    if (typeof body !== 'object' || body === null) continue
    const size = fieldOf(body, pageSize)
    const otherMembers = JSON.stringify(merge(body, nested(pageSize, null)))
    const list = isSuccess(exchange) ? fieldOf(jsonOf(exchange), transactions) : undefined
    if (Array.isArray(list)) requests.push({ exchange, size, otherMembers, count: list.length })
    else if (isRefusedForContent(exchange)) requests.push({ exchange, size, otherMembers })
  }
  return requests
}

const isLegal = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= SMALLEST && Number(size) <= LARGEST

/** Pairs of requests that differ only in the page size. */
const pairsOf = (requests: readonly PageRequest[]): readonly (readonly [PageRequest, PageRequest])[] =>
  requests.flatMap((one, at) =>
    requests
      .slice(at + 1)
      .filter(({ otherMembers, size }) => otherMembers === one.otherMembers && size !== one.size)
      .map((other) => [one, other] as const),
  )

/** Whether the size has an effect: on the number of transactions, or on acceptance. */
const hasEffect = ([one, other]: readonly [PageRequest, PageRequest]): boolean => one.count !== other.count

/** More came than were requests for, or as many for two sizes of which the smaller would not have been all. */
const contradicts = ([one, other]: readonly [PageRequest, PageRequest]): boolean =>
  isLegal(one.size) &&
  isLegal(other.size) &&
  one.count === other.count &&
  (one.count ?? 0) > Math.min(one.size, other.size)

const mismatchedPageSizes = ({ profile, exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const bound = profile.secondVariant?.listTransactions.pageSize ?? ''
  const contradicted = pairsOf(pageRequestsIn(profile, exchanges)).find(contradicts)
  if (contradicted === undefined || pairsOf(pageRequestsIn(profile, all())).some(hasEffect)) return []
  const [{ exchange, count = 0 }] = contradicted
  return [
    {
      key: `${PART}.pageSize`,
      bound,
      expected: 'page size of the target',
      shown: `each answer has ${count} transactions, whatever its value`,
      exchange: exchange.id,
    },
  ]
}

/**
 * Whether the profile may be the cause of a finding: a name or a path that has fitted no answer of the run, although
 * the value may be there under another name; or the content of requests, if none of them was ever accepted.
 */

/** The items of a list, or the members of an object; the object itself if it has the path. */
const itemsOf = (value: unknown, path: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (!isObjectOrList(value)) return []
  return fieldOf(value, path) === undefined ? Object.values(value).filter(isObjectOrList) : [value]
}

/** The containers in an answer in which a name is searched; undefined if there are none. */
const containersIn = (json: unknown, { within, path }: Name): readonly unknown[] | undefined => {
  if (within === undefined) return [json]
  const items = fieldOf(json, within)
  const containers = itemsOf(items, path)
  return containers.length > 0 ? containers : undefined
}

/** Of a page with many items, the first ones are sufficient. */
const MOST_CONTAINERS = 20

const hasElsewhere = (name: Name, containers: readonly unknown[], exchange: Exchange): boolean =>
  containers
    .slice(0, MOST_CONTAINERS)
    .some((container) =>
      leavesOf(container, (path) => path === name.excludedList).some((leaf) =>
        name.kind.resembles(leaf, exchange),
      ),
    )

type Fit = 'fits' | 'mismatches' | 'open'

const fitOf = (name: Name, exchange: Exchange): Fit => {
  if (exchange.response === undefined || !name.isOf(exchange)) return 'open'
  const json = jsonOf(exchange)
  const containers = json === undefined ? undefined : containersIn(json, name)
  if (containers === undefined) return 'open'
  const paths = [name.path, ...(name.otherPaths ?? [])]
  const fitsAt = (path: string): boolean =>
    containers.some((container) => name.kind.fits(fieldOf(container, path)))
  if (paths.some(fitsAt)) return 'fits'
  return hasElsewhere(name, containers, exchange) ? 'mismatches' : 'open'
}

const describeContainer = (name: Name, exchange: Exchange): string => {
  const [first] = containersIn(jsonOf(exchange), name) ?? []
  return `${name.within === undefined ? 'the answer' : `an item of ${name.within}`} ${shapeOf(first)}`
}

/** A mismatch, and the violations that it may explain. */
interface PossibleCause {
  readonly mismatch: ProfileMismatch
  /** The name, if later requests do not depend on it: it explains only violations in the answers that contain it. */
  readonly leaf?: Name
  /** Whether it is a path, which explains nothing that was answered before the first request to it. */
  readonly isPath?: boolean
}

const possibleCauseOf = (name: Name, seen: RunExchanges): readonly PossibleCause[] => {
  const exchange = seen.exchanges.find((one) => fitOf(name, one) === 'mismatches')
  if (exchange === undefined || hasAny(seen.all(), (one) => fitOf(name, one) === 'fits')) return []
  const { key, kind } = name
  const bound = [name.path, ...(name.otherPaths ?? [])].join(', ')
  const shown = describeContainer(name, exchange)
  return [
    {
      mismatch: { key, bound, expected: kind.expected, shown, exchange: exchange.id },
      ...(name.isLeaf === true && { leaf: name }),
    },
  ]
}

/** Mismatches other than names in answers: they may explain any violation of the scenario. */
const SEARCHES: readonly ((seen: RunExchanges) => readonly ProfileMismatch[])[] = [
  mismatchedSecrets,
  mismatchedRedirectUris,
  mismatchedHeaders,
  mismatchedAuthorizations,
  mismatchedTokenRequests,
  mismatchedRequests,
  mismatchedScenarioWords,
  mismatchedCalculationResults,
  mismatchedPageSizes,
]

const possibleCausesOf = (seen: RunExchanges): readonly PossibleCause[] => [
  ...SEARCHES.flatMap((search) => search(seen)).map((mismatch) => ({ mismatch })),
  ...mismatchedPaths(seen).map((mismatch) => ({ mismatch, isPath: true })),
  ...namesOf(seen.profile).flatMap((name) => possibleCauseOf(name, seen)),
]

/** Where a violation was seen. */
export interface Violated {
  /** The id of the exchange. */
  readonly exchange: string
  /** Whether its answer has data that it must not have: then an operation answered, at whichever path. */
  readonly isDisclosure?: boolean
}

const explains = (
  { mismatch, leaf, isPath }: PossibleCause,
  violated: Violated | undefined,
  { exchanges }: RunExchanges,
): boolean => {
  if (violated === undefined) return true
  const { exchange, isDisclosure = false } = violated
  if (isPath === true) {
    const place = exchanges.findIndex(({ id }) => id === exchange)
    const isBefore = place < 0 || exchanges.findIndex(({ id }) => id === mismatch.exchange) <= place
    return isBefore && !isDisclosure
  }
  if (leaf === undefined) return true
  const violating = exchanges.find(({ id }) => id === exchange)
  return violating !== undefined && leaf.isOf(violating)
}

/**
 * The keys of the profile that may be the reason why a check did not pass.
 * @param violated where a violation was seen, if there is one: a key that does not affect that exchange does not
 * explain it.
 */
export const mismatchesExplaining = (
  violated: Violated | undefined,
  seen: RunExchanges,
): readonly ProfileMismatch[] =>
  byKey(
    possibleCausesOf(seen)
      .filter((cause) => explains(cause, violated, seen))
      .map(({ mismatch }) => mismatch),
  )
