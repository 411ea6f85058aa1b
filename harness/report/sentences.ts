import { renderViolation } from '../check/verdict.ts'
import type { CheckReport, Report } from './schema.ts'

const NO_REASON = 'no reason was recorded'

/** The result of a check in one sentence: its violation, or why it judged nothing. */
export const sentenceOf = ({ verdict, violation, because }: CheckReport): string => {
  if (violation === undefined) return verdict === 'pass' ? 'conforms' : (because ?? NO_REASON)
  const { counterexample, ...seen } = violation
  return renderViolation({ ...seen, ...(counterexample !== undefined && { counterexample }) })
}

/** The conclusion of a run in words; for a shard, with its number. */
export const conclusionOf = ({ shard, conclusion }: Pick<Report, 'shard' | 'conclusion'>): string => {
  if (shard === undefined) return conclusion
  const part = `shard ${shard.index} of ${shard.count}`
  const isIdle = conclusion === 'conforms' && shard.scenarios === 0
  return isIdle ? `${part}: nothing to do` : `${part}: ${conclusion}`
}

/** Which part of the plan a shard or a merged report covers. */
export const scopeLines = ({ shard, merged }: Pick<Report, 'shard' | 'merged'>): readonly string[] => {
  if (shard !== undefined)
    return [`${shard.scenarios} of ${shard.of} scenarios; npm run merge judges all of them`]
  if (merged === undefined) return []
  const { shards, missing, count } = merged
  const from = `merged from ${shards.length} of ${count} shards`
  return [missing.length === 0 ? from : `${from}; missing: ${missing.join(', ')}`]
}
