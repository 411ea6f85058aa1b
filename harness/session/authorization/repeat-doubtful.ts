import { mayBeOfIntermediary, type Landing } from '../../evidence/record/answer.ts'

/** As often as a request that is answered with a server error. */
const MOST_TIMES = 3

/**
 * Repeats an authorization that ended at what may be an intermediary, such as a page of a firewall: it gave no code, so
 * that a repetition has no further effect. The same end each time is the bank's, and has the number of times
 * (`timesRepeated`). Another one with a code is the end; any other says nothing about the first one, which is returned:
 * the bank may have received the first authorization and refuse a second.
 */
export const repeatDoubtful = async (authorize: () => Promise<Landing>): Promise<Landing> => {
  const first = await authorize()
  if (!mayBeOfIntermediary(first)) return first
  for (let count = 2; ; count += 1) {
    const landing = await authorize()
    if (landing.code !== undefined) return landing
    if (!isSameEnd(first, landing)) return first
    if (count === MOST_TIMES) return { ...landing, exchange: { ...landing.exchange, timesRepeated: count } }
  }
}

const isSameEnd = (one: Landing, other: Landing): boolean =>
  one.outcome === other.outcome &&
  one.exchange.response?.status === other.exchange.response?.status &&
  one.isElsewhere === other.isElsewhere
