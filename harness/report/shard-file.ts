import { join } from 'node:path'
import * as z from 'zod'
import { VERDICTS } from '../check/verdict.ts'
import { writeWhole } from './json.ts'
import { OUTPUT } from './output.ts'
import { reportSchema, violationSchema } from './schema.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'
import type { Waiver } from '../plan/waivers.ts'
import type { RunFlags } from './conclude.ts'
import type { Report } from './schema.ts'

/**
 * `shard.json`: what shards are put together from. The verdicts on the whole are not made of those on its parts, but of
 * what all of them have found, by the rules of a run that was never split. Nothing stands in it that the other reports
 * of the shard do not show.
 */

const { suite, target, run, conclusion, payments, applications, created, strays } = reportSchema.shape

/** What is ours is looked at, and left as it is: the digest of a plan is one of its letters, in their order. */
const ours = <Type>(shape: z.ZodType): z.ZodType<Type> =>
  z.custom<Type>((value) => shape.safeParse(value).success, 'it has not the form in which it is written')

const planSchema = ours<Plan>(
  z.looseObject({
    checks: z.array(
      z.looseObject({ id: z.string(), requirement: z.string(), scenario: z.string(), shard: z.int().min(1) }),
    ),
    leftOut: z.array(z.looseObject({ requirement: z.string(), because: z.string() })),
    seed: z.int(),
    runs: z.int(),
  }),
)

const resultSchema = ours<CheckResult>(
  z.looseObject({
    id: z.string(),
    requirement: z.string(),
    verdict: z.enum(VERDICTS),
    violation: violationSchema.optional(),
    exchanges: z.array(z.string()),
  }),
)

const partSchema = z.strictObject({
  index: z.int().min(1),
  run,
  conclusion,
  interrupted: z.boolean(),
  unreachable: z.boolean(),
  clockOffsetMs: target.shape.clockOffsetMs,
  results: z.array(resultSchema),
  observations: z.array(ours<Observation>(z.strictObject({ undisclosed: z.string(), value: z.string() }))),
  visits: z.array(ours<KeptVisits>(z.looseObject({ scenario: z.string() }))),
  timeLines: z.array(ours<KeptTimeLine>(z.looseObject({ scenario: z.string(), path: z.string() }))),
  payments,
  applications,
  created,
  strays,
})

export const shardFileSchema = z.strictObject({
  format: z.literal(1),
  suite,
  target: target.omit({ clockOffsetMs: true }),
  count: z.int().min(1),
  /** SHA-256 over the plan. */
  digest: z.string(),
  /** The whole plan, with the shard of each check. */
  plan: planSchema,
  strict: z.boolean(),
  waivers: z.array(
    z.strictObject({ requirement: z.string(), reason: z.string(), owner: z.string(), expires: z.string() }),
  ),
  reproduceBase: z.string(),
  /** The shards that it holds: one, or those that were put together into it. */
  parts: z.array(partSchema).min(1),
})

export type ShardFile = z.output<typeof shardFileSchema>
export type Part = ShardFile['parts'][number]

interface Given {
  readonly report: Report
  readonly whole: Plan
  readonly waivers: readonly Waiver[]
  readonly findings: {
    readonly results: readonly CheckResult[]
    readonly observations: readonly Observation[]
    readonly visits?: readonly KeptVisits[]
    readonly timeLines?: readonly KeptTimeLine[]
  }
  readonly flags: RunFlags
  readonly reproduceBase: string
}

/** What a shard has come to. @throws where the report is of no shard. */
export const shardFileOf = ({ report, whole, waivers, findings, flags, reproduceBase }: Given): ShardFile => {
  const { shard, run, conclusion, payments, applications, created, strays } = report
  if (shard === undefined) throw new Error('a whole run is no shard')
  const { clockOffsetMs, ...alike } = report.target
  const { results, observations, visits = [], timeLines = [] } = findings
  const { interrupted, unreachable, strict } = flags
  return {
    ...{ format: 1, suite: report.suite, target: alike, count: shard.count, digest: shard.plan },
    ...{ plan: whole, strict, waivers: [...waivers], reproduceBase },
    parts: [
      {
        ...{ index: shard.index, run, conclusion, interrupted, unreachable },
        ...(clockOffsetMs !== undefined && { clockOffsetMs }),
        ...{ results: [...results], observations: [...observations] },
        ...{ visits: [...visits], timeLines: [...timeLines] },
        ...(payments !== undefined && { payments }),
        ...(applications !== undefined && { applications }),
        ...(created !== undefined && { created }),
        ...(strays !== undefined && { strays }),
      },
    ],
  }
}

export const writeShardFile = (outDir: string, file: ShardFile): void =>
  writeWhole(join(outDir, OUTPUT.shard), `${JSON.stringify(shardFileSchema.parse(file))}\n`)
