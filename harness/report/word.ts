import type { Report } from './schema.ts'

/** The one word of a run as people read it: that of a shard is never taken for that of the whole. */
export const wordOf = ({ shard, conclusion }: Pick<Report, 'shard' | 'conclusion'>): string => {
  if (shard === undefined) return conclusion
  const part = `shard ${shard.index} of ${shard.count}`
  const isIdle = conclusion === 'conforms' && shard.scenarios === 0
  return isIdle ? `${part}: nothing to do` : `${part}: ${conclusion}`
}

/** What a reader of a part, or of parts put together, has to know beside it. */
export const partLines = ({ shard, merged }: Pick<Report, 'shard' | 'merged'>): readonly string[] => {
  if (shard !== undefined)
    return [`${shard.scenarios} of ${shard.of} scenarios; npm run merge tells what all of them come to`]
  if (merged === undefined) return []
  const { shards, missing, count } = merged
  const from = `merged from ${shards.length} of ${count} shards`
  return [missing.length === 0 ? from : `${from}; missing: ${missing.join(', ')}`]
}
