import { kindOfAnswer } from '../../evidence/record/answer-kind.ts'
import { renderFault, type Exchange, type Operation } from '../../evidence/exchange.ts'
import { Inconclusive } from '../../evidence/signals.ts'

/**
 * Stops sending what the target does not answer, instead of waiting for each timeout. Each operation of each origin is
 * counted for itself: test hooks that answer do not show that the API does.
 */
export interface RequestBreaker {
  /** @throws Inconclusive after too many such requests without an answer: then nothing is sent. */
  admit(request: Addressed): void
  /** Counts an exchange that has ended, with all its repetitions. */
  record(exchange: Exchange): void
}

interface Addressed {
  readonly operation: string
  readonly url: string
}

/** So many requests in a row. */
const MOST_UNANSWERED = 5

/** Probes ask where nothing may be served. */
const UNCOUNTED: ReadonlySet<string> = new Set<Operation>(['probe'])

const keyOf = ({ operation, url }: Addressed): string => `${operation} at ${new URL(url).origin}`

/** Why an exchange counts as unanswered; undefined if it does not. */
const reasonOf = (exchange: Exchange): string | undefined => {
  if (kindOfAnswer(exchange) === 'throttled')
    return 'was answered with too many requests (429), however often it was repeated: see --rate'
  // An answer that is too large or no HTTP came in time.
  const { fault } = exchange
  return fault === undefined || fault.kind === 'protocol' || fault.kind === 'too-large'
    ? undefined
    : `had no answer: ${renderFault(fault)}`
}

export const createRequestBreaker = (mostUnanswered = MOST_UNANSWERED): RequestBreaker => {
  const unanswered = new Map<string, { readonly count: number; readonly because: string }>()
  return {
    admit({ operation, url }) {
      const key = keyOf({ operation, url })
      const { count = 0, because = '' } = unanswered.get(key) ?? {}
      if (count < mostUnanswered) return
      throw new Inconclusive(
        `not sent: ${count} requests in a row of the operation ${key} were not answered; the last one ${because}`,
      )
    },
    record({ request, ...exchange }) {
      if (UNCOUNTED.has(exchange.operation)) return
      const key = keyOf({ operation: exchange.operation, url: request.url })
      const because = reasonOf({ request, ...exchange })
      if (because === undefined) unanswered.delete(key)
      else unanswered.set(key, { count: (unanswered.get(key)?.count ?? 0) + 1, because })
    },
  }
}
