import { byKey, renderMisfit } from '../check/misfit.ts'
import { fieldOf, jsonOf } from '../session/answer.ts'
import { misfittingAuthorizations } from './authorizations.ts'
import { misfittingCalculationResults } from './calculation-results.ts'
import { misfittingHeaders } from './headers.ts'
import { namesOf } from './names.ts'
import { misfittingPaths } from './paths.ts'
import { misfittingPageSizes } from './page-sizes.ts'
import { misfittingRequests } from './requests.ts'
import { misfittingScenarioWords } from './scenario-words.ts'
import { leavesOf, shapeOf } from './shape.ts'
import { misfittingTokenRequests } from './token-requests.ts'
import type { Misfit } from '../check/misfit.ts'
import type { CheckResult } from '../check/result.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Name } from './names.ts'

/**
 * Whether what a check found is a matter of the profile: a name or a path of it that has fitted no answer of the run,
 * where what was meant may well be there under another one; or what requests say, where none of them was ever taken.
 */

/** What was sent and answered. */
export interface Seen {
  readonly profile: Profile
  /** In the scenario of the check. */
  readonly exchanges: readonly Exchange[]
  /** In the run so far, that of the scenario as well. */
  all(): Iterable<Exchange>
}

type Finding = Pick<CheckResult, 'verdict' | 'because' | 'violation' | 'until' | 'misfits'>

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

const fitsAnyOf = (name: Name, exchanges: Iterable<Exchange>): boolean => {
  for (const exchange of exchanges) if (fitOf(name, exchange) === 'fits') return true
  return false
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
  if (exchange === undefined || fitsAnyOf(name, seen.all())) return []
  const { key, path: bound, kind } = name
  const shown = shownOf(name, exchange)
  return [
    {
      misfit: { key, bound, expected: kind.expected, shown, exchange: exchange.id },
      ...(name.isLeaf === true && { leaf: name }),
    },
  ]
}

type Search = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
) => readonly Misfit[]

/** What is not a name in an answer: whatever depends on it is explained by it. */
const SEARCHES: readonly Search[] = [
  misfittingPaths,
  misfittingHeaders,
  misfittingAuthorizations,
  misfittingTokenRequests,
  misfittingRequests,
  misfittingScenarioWords,
  misfittingCalculationResults,
  misfittingPageSizes,
]

const suspicionsOf = (seen: Seen): readonly Suspicion[] => {
  const { profile, exchanges } = seen
  const all = (): Iterable<Exchange> => seen.all()
  return [
    ...SEARCHES.flatMap((search) => search(profile, exchanges, all)).map((misfit) => ({ misfit })),
    ...namesOf(profile).flatMap((name) => suspicionOf(name, seen)),
  ]
}

const explains = ({ leaf }: Suspicion, { violation }: Finding, { exchanges }: Seen): boolean => {
  if (leaf === undefined || violation === undefined) return true
  const shows = exchanges.find(({ id }) => id === violation.exchange)
  return shows !== undefined && leaf.isOf(shows)
}

/** The same finding, with the keys of the profile that may be what is wrong; a violation that they explain is none. */
export const blamingBindings = (finding: Finding, seen: Seen): Finding => {
  const misfits = byKey(
    suspicionsOf(seen)
      .filter((suspicion) => explains(suspicion, finding, seen))
      .map(({ misfit }) => misfit),
  )
  if (misfits.length === 0) return finding
  const sentences = misfits.map(renderMisfit).join('; ')
  const { violation, verdict, because, ...rest } = finding
  if (violation !== undefined) return { ...rest, verdict: 'not-reached', because: sentences, misfits }
  return { ...rest, verdict, because: [sentences, because ?? ''].filter(Boolean).join('; so '), misfits }
}
