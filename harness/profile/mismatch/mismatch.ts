import { jsonIn } from '../../evidence/json.ts'
import { NotReached } from '../../evidence/signals.ts'
import { isSuccess, type Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

/** A key of the profile that does not fit the answers of the target: a finding about the configuration, not a verdict. */
export interface ProfileMismatch {
  readonly key: string
  readonly bound: string
  /** The expected kind of value, as words after "no": "array". */
  readonly expected: string
  /** What was received, as a part of a sentence: keys and types, never values. */
  readonly shown: string
  readonly exchange: string
}

/** Thrown by a scenario that cannot continue because a key of the profile does not fit. */
export class ProfileMistake extends NotReached {
  readonly mismatch: ProfileMismatch
  /** @param more the consequence, appended to the sentence about the key. */
  constructor(mismatch: ProfileMismatch, more = '') {
    super(renderMismatch(mismatch) + more)
    this.mismatch = mismatch
  }
}

/** Replaces the value of a key that is a secret. */
export const NOT_SHOWN = '…'

export const renderMismatch = ({ key, bound, expected, shown, exchange }: ProfileMismatch): string =>
  `\`${key}\` of the profile is "${bound}": no ${expected} there; ${shown} (${exchange})`

/** One mismatch for each key: the first one is sufficient to correct it. */
export const byKey = (mismatches: readonly ProfileMismatch[]): readonly ProfileMismatch[] =>
  [...new Map([...mismatches].reverse().map((mismatch) => [mismatch.key, mismatch])).values()].sort(
    (one, other) => one.key.localeCompare(other.key),
  )

export interface RunExchanges {
  readonly profile: Profile
  readonly exchanges: readonly Exchange[]
  /** In the run so far, including the scenario: a key that has fitted once is correct. */
  readonly all: () => Iterable<Exchange>
}

/** A row of the table of keys: where a key shows, and what shows that its value fits or does not fit. */
export interface KeyRow extends Pick<ProfileMismatch, 'key' | 'bound' | 'expected'> {
  /** Whether an exchange depends on the key. It is asked for exchanges with an answer, and so are the others. */
  readonly uses: (exchange: Exchange) => boolean
  /** Whether an exchange that uses it shows that the value fits; by default a success. */
  readonly fits?: (exchange: Exchange) => boolean
  /** Whether an exchange that uses it shows that the value may not fit; with its place in the scenario. */
  readonly contradicts: (exchange: Exchange, at: number, exchanges: readonly Exchange[]) => boolean
  /** Whether the first exchange that contradicts it is about this key, and not about another one that it also uses. */
  readonly isAbout?: (exchange: Exchange) => boolean
  readonly shown: (exchange: Exchange) => string
  /** Whether no later request depends on the value: it explains only violations in the exchanges that use it. */
  readonly isLeaf?: boolean
  /** Whether it excuses no violation: a bank that violates its requirements would show the same. */
  readonly isHint?: boolean
}

/** The mismatch of a row: an exchange of the scenario contradicts the value, and none of the run has shown that it fits. */
export const mismatchOf = (row: KeyRow, { exchanges, all }: RunExchanges): readonly ProfileMismatch[] => {
  const uses = (one: Exchange): boolean => one.response !== undefined && row.uses(one)
  const shows = exchanges.find((one, at) => uses(one) && row.contradicts(one, at, exchanges))
  if (shows === undefined || row.isAbout?.(shows) === false) return []
  const { key, bound, expected, fits = isSuccess } = row
  for (const one of all()) if (uses(one) && fits(one)) return []
  return [{ key, bound, expected, shown: row.shown(shows), exchange: shows.id }]
}

/** What is shown where each request is refused. @param what such as `each submission`. */
export const answered =
  (what = 'each request', more = '') =>
  (exchange: Exchange): string =>
    `${what} is answered ${statusOf(exchange)}${more}`

/** 0 if there is no answer. */
export const statusOf = ({ response }: Exchange): number => response?.status ?? 0

export const isRefused = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500

/** Refused, and not because there is no such path or method. */
export const isRefusedThere = (exchange: Exchange): boolean =>
  isRefused(exchange) && ![404, 405].includes(statusOf(exchange))

/** Refused, and not because of the sender, the address or the rate: the content of the request was examined. */
export const isRefusedForContent = (exchange: Exchange): boolean =>
  isRefusedThere(exchange) && ![401, 403, 429].includes(statusOf(exchange))

/** The body of the request as JSON; undefined if it is not JSON. */
export const sentJson = ({ request }: Exchange): unknown => jsonIn(request.body?.text ?? '')
