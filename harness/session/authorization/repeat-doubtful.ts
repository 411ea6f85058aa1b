import type { Exchange } from '../../evidence/exchange.ts'
import {
  endOf,
  isPageOfError,
  mayBeOfIntermediary,
  type RedirectResult,
} from '../../evidence/record/answer.ts'
import { Inconclusive } from '../../evidence/signals.ts'

/** As often as a request that is answered with a server error. */
const MOST_TIMES = 3

/**
 * Repeats an authorization that ended at what may be an intermediary, such as a page of a firewall: it gave no code, so
 * that a repetition has no further effect. The same end each time is the bank's, and has the number of times
 * (`timesRepeated`). Another one with a code is the end; any other says nothing about the first one, which is returned:
 * the bank may have received the first authorization and refuse a second.
 * @param doubtful a client error with which a page is doubtful, too: `any` where the bank has no reason to refuse.
 * @throws Inconclusive if such a page came, and then another end without a code.
 */
export const repeatDoubtful = async (
  authorize: () => Promise<RedirectResult>,
  doubtful?: 401 | 'any',
): Promise<RedirectResult> => {
  const first = await authorize()
  const isOfIntermediary = mayBeOfIntermediary(first)
  const isDoubtful =
    isPageOfError(first) && (doubtful === 'any' || first.exchange.response?.status === doubtful)
  if (!isOfIntermediary && !isDoubtful) return first
  for (let count = 2; ; count += 1) {
    const redirectResult = await authorize()
    if (redirectResult.code !== undefined) return redirectResult
    if (!isSameEnd(first, redirectResult)) {
      if (isOfIntermediary) return first
      throw new Inconclusive(
        `the authorization ended at ${first.exchange.id} (${endOf(first)}) and, when it was repeated, at ${redirectResult.exchange.id} (${endOf(redirectResult)})`,
      )
    }
    if (count === MOST_TIMES)
      return { ...redirectResult, exchange: { ...redirectResult.exchange, timesRepeated: count } }
  }
}

const placeOf = ({ request }: Exchange): string => new URL(request.url).pathname

const isSameEnd = (one: RedirectResult, other: RedirectResult): boolean =>
  one.outcome === other.outcome &&
  placeOf(one.exchange) === placeOf(other.exchange) &&
  one.exchange.response?.status === other.exchange.response?.status &&
  one.isElsewhere === other.isElsewhere
