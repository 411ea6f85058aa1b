import { assembleReport } from '../assemble.ts'
import { conclude, verdicts } from '../conclude.ts'
import { reportWaivers } from '../waivers.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CatalogueRow, UndisclosedRow } from '../assemble.ts'
import type { Report } from '../schema.ts'
import type { Part, ShardFile } from './shard-file.ts'

/** Merges the results of shards and judges them as the results of one run. */

/** All parts in one file, in their order. The files must agree. */
export const joinShards = ([first, ...others]: readonly [ShardFile, ...ShardFile[]]): ShardFile => ({
  ...first,
  parts: [first, ...others].flatMap(({ parts }) => parts).toSorted((one, other) => one.index - other.index),
})

export interface Merging {
  readonly id: string
  readonly command: string
  readonly catalogue: readonly CatalogueRow[]
  readonly undisclosed: readonly UndisclosedRow[]
  readonly evidence: Report['evidence']
}

export const missingIn = ({ count, parts }: Pick<ShardFile, 'count' | 'parts'>): readonly number[] => {
  const present = new Set(parts.map(({ index }) => index))
  return Array.from({ length: count }, (_, at) => at + 1).filter((index) => !present.has(index))
}

/** The checks of a missing shard are not reached. */
const notReached = ({ plan, count }: ShardFile, missing: readonly number[]): readonly CheckResult[] =>
  plan.checks
    .filter(({ heldBack, shard = 0 }) => heldBack === undefined && missing.includes(shard))
    .map(({ id, requirement, title, shard = 0 }) => ({
      ...{ id, requirement, title, verdict: 'not-reached' },
      because: `shard ${shard} of ${count} is missing`,
      ...{ durationMs: 0, exchanges: [] },
    }))

/** The results on the whole plan. */
export const resultsOf = (file: ShardFile): readonly CheckResult[] => [
  ...file.parts.flatMap(({ results }) => results),
  ...notReached(file, missingIn(file)),
]

type Run = Report['run']

const runOf = (file: ShardFile, { id, command }: Merging): Run => {
  const startedAt = file.parts.map(({ run }) => run.startedAt).sort()[0] ?? ''
  const finishedAt =
    file.parts
      .map(({ run }) => run.finishedAt)
      .sort()
      .at(-1) ?? ''
  const durationMs = Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))
  return { id, startedAt, finishedAt, durationMs, seed: file.plan.seed, command }
}

/** The offset was measured on the machine of each shard: the range that covers all of them. */
const offsetOf = (parts: readonly Part[]): Pick<Report['target'], 'clockOffsetMs'> => {
  const offsets = parts.flatMap(({ clockOffsetMs }) => clockOffsetMs ?? [])
  if (offsets.length === 0) return {}
  const least = Math.min(...offsets.map((offset) => offset.least))
  return { clockOffsetMs: { least, most: Math.max(...offsets.map(({ most }) => most)) } }
}

const mergedOf = (file: ShardFile): NonNullable<Report['merged']> => ({
  count: file.count,
  plan: file.digest,
  shards: file.parts.map(({ index, run, conclusion }) => {
    const { id, startedAt, finishedAt, durationMs, command } = run
    return { index, run: id, conclusion, startedAt, finishedAt, durationMs, command }
  }),
  missing: [...missingIn(file)],
})

export const levelsOf = (catalogue: readonly CatalogueRow[]): ReadonlyMap<string, CatalogueRow['level']> =>
  new Map(catalogue.map(({ id, level }) => [id, level]))

const concluded = (file: ShardFile, catalogue: readonly CatalogueRow[]) => {
  const { plan, parts, strict } = file
  const [levels, results] = [levelsOf(catalogue), resultsOf(file)]
  const waivers = reportWaivers(file.waivers, verdicts(plan, levels, results))
  const flags = {
    strict,
    interrupted: parts.some(({ interrupted }) => interrupted),
    unreachable: parts.some(({ unreachable }) => unreachable),
    staleWaiver: waivers.some(({ state }) => state === 'stale'),
    hole: missingIn(file).length > 0,
  }
  return { results, waivers, ...conclude(plan, levels, results, flags) }
}

/** The report on the whole plan. */
export const reportOf = (file: ShardFile, merging: Merging): Report => {
  const { suite, target, parts, reproduceBase } = file
  const plan: Plan = file.plan
  return assembleReport({
    suite,
    target: { ...target, ...offsetOf(parts) },
    run: runOf(file, merging),
    plan,
    catalogue: merging.catalogue,
    undisclosed: merging.undisclosed,
    evidence: merging.evidence,
    ...concluded(file, merging.catalogue),
    observations: parts.flatMap(({ observations }) => observations),
    visits: parts.flatMap(({ visits }) => visits),
    timeLines: parts.flatMap(({ timeLines }) => timeLines),
    payments: parts.flatMap(({ payments = [] }) => payments),
    applications: parts.flatMap(({ applications = [] }) => applications),
    created: parts.flatMap(({ created = [] }) => created),
    strays: parts.flatMap(({ strays = [] }) => strays),
    merged: mergedOf(file),
    reproduceBase,
  })
}
