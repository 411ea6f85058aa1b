import { NotReached } from '../../evidence/signals.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Profile } from '../schema.ts'

/** A key of the profile that does not fit what the target sends: a finding about the configuration, not a verdict. */
export interface Misfit {
  /** `operations.listTransactions.transactions` */
  readonly key: string
  /** What the profile has there. */
  readonly bound: string
  /** What was looked for, as words after "no": "array". */
  readonly expected: string
  /** What came, as words of a sentence: keys and types, never values. */
  readonly shown: string
  /** The id of the exchange that shows it. */
  readonly exchange: string
}

/** What a scenario throws if a key of the profile does not fit, so that it cannot go on. */
export class ProfileMistake extends NotReached {
  readonly misfit: Misfit
  /** @param more what follows from it, after the sentence about the key. */
  constructor(misfit: Misfit, more = '') {
    super(renderMisfit(misfit) + more)
    this.misfit = misfit
  }
}

/** In place of a secret that a key is bound to. */
export const NOT_SHOWN = '…'

/** What was sent and answered. */
export interface Seen {
  readonly profile: Profile
  /** In the scenario of the check. */
  readonly exchanges: readonly Exchange[]
  /** In the run so far, including the scenario: what fitted once fits. */
  readonly all: () => Iterable<Exchange>
}

/** The one place where a misfit becomes a sentence. */
export const renderMisfit = ({ key, bound, expected, shown, exchange }: Misfit): string =>
  `\`${key}\` of the profile is "${bound}": no ${expected} there; ${shown} (${exchange})`

/** One for each key: the first of each is enough to correct it. */
export const byKey = (misfits: readonly Misfit[]): readonly Misfit[] =>
  [...new Map([...misfits].reverse().map((misfit) => [misfit.key, misfit])).values()].sort((one, other) =>
    one.key.localeCompare(other.key),
  )

/** 0 where no answer came. */
export const statusOf = ({ response }: Exchange): number => response?.status ?? 0

export const isTaken = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300

export const isRefused = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500

/** Refused for who asks, where, or how often; the request itself was not looked at. */
const UNREAD: ReadonlySet<number> = new Set([401, 403, 404, 405, 429])

export const isRefusedForWhatItSays = (exchange: Exchange): boolean =>
  isRefused(exchange) && !UNREAD.has(statusOf(exchange))

/** The body of the request as JSON; undefined where it is not JSON. */
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
