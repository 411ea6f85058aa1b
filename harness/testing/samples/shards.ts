import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, partOf } from '../../plan/shard.ts'
import { assembleReport } from '../../report/assemble.ts'
import { conclude, type RunFlags } from '../../report/conclude.ts'
import { exchange, LEVELS, PLAN, RESULTS, runRecord } from './reports.ts'
import { scratch } from './scratch.ts'
import { shardFileOf, writeShardFile } from '../../report/merge/shard-file.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Waiver } from '../../plan/waivers.ts'
import type { ShardFile } from '../../report/merge/shard-file.ts'

/** The sample of the reports as shards, for the tests of what puts them together. */

/** One requirement in two parts, one that fails, one that is held back. */
const PLACES: Readonly<Record<string, number>> = {
  'TOK-03/1@FAC': 1,
  'TOK-03/1@TPP': 2,
  'TOK-07/1': 1,
  'PAY-09/1': 3,
  'PAY-10/1': 2,
}

export const COUNT = 3

export const SPLIT: Plan = {
  ...PLAN,
  checks: PLAN.checks.map((check) => ({ ...check, shard: PLACES[check.id] ?? 1 })),
}

/** What differs from a shard that went well. */
export interface Differing {
  readonly split?: Plan
  readonly count?: number
  readonly results?: readonly CheckResult[]
  readonly flags?: Partial<RunFlags>
  readonly waivers?: readonly Waiver[]
}

export const shardFile = (index: number, differing: Differing = {}): ShardFile => {
  const { split = SPLIT, count = COUNT, results = RESULTS, waivers = [] } = differing
  const plan = partOf(split, { index, count })
  const own = results.filter(({ id }) => plan.checks.some((check) => check.id === id))
  const flags = { strict: false, interrupted: false, unreachable: false, ...differing.flags }
  const observations = [{ undisclosed: 'PAY-U1', value: `seen in ${index}` }]
  const record = runRecord({ plan, results: own, observations })
  const report = assembleReport({
    ...record,
    run: { ...record.run, id: `run-${index}`, startedAt: `2030-01-0${index}T00:00:00.000Z` },
    ...conclude(plan, LEVELS, own, flags),
  })
  const findings = { results: own, observations }
  return shardFileOf({ report, whole: split, waivers, findings, flags, reproduceBase: 'npm test --' })
}

/** The digest that a plan would have. */
export const digested = (file: ShardFile): ShardFile => ({ ...file, digest: digestOf(file.plan, file.count) })

export const lines = (exchanges: readonly Exchange[]): string =>
  exchanges.map((one) => `${JSON.stringify(one)}\n`).join('')

/** The folder of a shard, with all the evidence that its verdicts rest on. */
export const folderOf = (file: ShardFile, more: readonly Exchange[] = []): string => {
  const folder = scratch()
  const ids = new Set(file.parts.flatMap(({ results }) => results.flatMap(({ exchanges }) => exchanges)))
  writeShardFile(folder, file)
  writeFileSync(join(folder, 'evidence.jsonl'), lines([...[...ids].map((id) => exchange(id)), ...more]))
  return folder
}
