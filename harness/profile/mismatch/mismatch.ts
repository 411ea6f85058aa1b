import { NotReached } from '../../evidence/signals.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

/** A key of the profile that does not fit the answers of the target: a finding about the configuration, not a verdict. */
export interface ProfileMismatch {
  /** `operations.listTransactions.transactions` */
  readonly key: string
  /** The value in the profile. */
  readonly bound: string
  /** The expected kind of value, as words after "no": "array". */
  readonly expected: string
  /** What was received, as a part of a sentence: keys and types, never values. */
  readonly shown: string
  /** The id of the exchange that shows it. */
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

/** The profile and the exchanges of a run. */
export interface RunExchanges {
  readonly profile: Profile
  /** In the scenario of the check. */
  readonly exchanges: readonly Exchange[]
  /** In the run so far, including the scenario: a key that has fitted once is correct. */
  readonly all: () => Iterable<Exchange>
}

/** A mismatch as a sentence. */
export const renderMismatch = ({ key, bound, expected, shown, exchange }: ProfileMismatch): string =>
  `\`${key}\` of the profile is "${bound}": no ${expected} there; ${shown} (${exchange})`

/** One mismatch for each key: the first one is sufficient to correct it. */
export const byKey = (mismatches: readonly ProfileMismatch[]): readonly ProfileMismatch[] =>
  [...new Map([...mismatches].reverse().map((mismatch) => [mismatch.key, mismatch])).values()].sort(
    (one, other) => one.key.localeCompare(other.key),
  )

/** 0 if there is no answer. */
export const statusOf = ({ response }: Exchange): number => response?.status ?? 0

export const isSuccess = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300

export const isRefused = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500

/** Refusals because of the sender, the address or the rate; the content of the request was not examined. */
const NOT_ABOUT_CONTENT: ReadonlySet<number> = new Set([401, 403, 404, 405, 429])

export const isRefusedForContent = (exchange: Exchange): boolean =>
  isRefused(exchange) && !NOT_ABOUT_CONTENT.has(statusOf(exchange))

/** The body of the request as JSON; undefined if it is not JSON. */
export const sentJson = ({ request }: Exchange): unknown => {
  try {
    return JSON.parse(request.body?.text ?? '')
  } catch {
    return undefined
  }
}

/** Whether one of the exchanges is of that kind. */
export const hasAny = (exchanges: Iterable<Exchange>, is: (exchange: Exchange) => boolean): boolean => {
  for (const exchange of exchanges) if (is(exchange)) return true
  return false
}
