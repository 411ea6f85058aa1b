import { describeAnswer, isNoAnswer, kindOfAnswer, type AnswerKind } from '../evidence/record/answer-kind.ts'
import type { Requirement } from '../check/requirement.ts'
import { identityOf, type CheckResult } from '../check/result.ts'
import { isSuccess, type Exchange } from '../evidence/exchange.ts'

/**
 * The requirement that an operation answers, where it never did. One page instead of an answer is an intermediary's, and
 * no check fails for it. If every documented request of an operation was answered so in the whole run, while the bank
 * answered others, then the operation does not answer: this is judged once the run has ended.
 */

/** Fewer answers may be a matter of chance. */
const FEWEST = 3

interface Tally {
  readonly answered: number
  readonly missing: number
  /** The kinds of the missing answers: one that was never given is missing in the same way each time. */
  readonly kinds: readonly AnswerKind[]
  /** The last request that was not answered by the bank. */
  readonly last?: Exchange
}

const NONE: Tally = { answered: 0, missing: 0, kinds: [] }

/** How often each operation was answered by the bank with a success, and how often not by the bank. */
const tallyOf = (exchanges: Iterable<Exchange>): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, Tally>()
  for (const exchange of exchanges) {
    if (exchange.sender !== 'scenario' || exchange.response === undefined) continue
    const key = `${exchange.request.method} ${exchange.operation}`
    const tally = tallies.get(key) ?? NONE
    const kind = kindOfAnswer(exchange)
    if (kind === 'bank' && isSuccess(exchange)) tallies.set(key, { ...tally, answered: tally.answered + 1 })
    else if (isNoAnswer(exchange))
      tallies.set(key, {
        ...tally,
        missing: tally.missing + 1,
        kinds: [...new Set([...tally.kinds, kind])],
        last: exchange,
      })
  }
  return tallies
}

/** Verdicts of a check that could not judge. */
const UNDECIDED: ReadonlySet<string> = new Set(['inconclusive', 'not-reached'])

/**
 * The results of a whole run; those on requirements whose operation never answered are violations.
 * @param exchanges all of the run.
 */
export const withUnanswered = (
  results: readonly CheckResult[],
  exchanges: Iterable<Exchange>,
  requirements: readonly Pick<Requirement, 'id' | 'answers'>[],
): readonly CheckResult[] => {
  const tallies = tallyOf(exchanges)
  // An outage of everything says nothing of one operation.
  if (![...tallies.values()].some(({ answered }) => answered > 0)) return results
  const unanswered = new Map(
    requirements.flatMap(({ id, answers }) => {
      const { answered, missing, kinds, last } = tallies.get(answers ?? '') ?? NONE
      return last === undefined || answered > 0 || missing < FEWEST || kinds.length > 1
        ? []
        : [[id, { missing, last }] as const]
    }),
  )
  return results.map((result) => {
    const found = unanswered.get(result.requirement)
    if (found === undefined || !UNDECIDED.has(result.verdict) || result.until !== undefined) return result
    const { missing, last } = found
    return {
      ...identityOf(result),
      durationMs: result.durationMs,
      // Only a MUST says that an operation answers.
      verdict: 'fail',
      decidedBy: 'unanswered',
      violation: {
        subject: `the answers to ${last.request.method} ${new URL(last.request.url).pathname}`,
        expected: 'at least one of the bank',
        received: `${describeAnswer(last)} as the last of ${missing}, while the bank answered other operations`,
        exchange: last.id,
      },
      exchanges: [...new Set([...result.exchanges, last.id])],
      judged: result.judged ?? 1,
    }
  })
}
