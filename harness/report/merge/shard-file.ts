import { typed } from '../../evidence/command-names.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { VERDICTS } from '../../check/verdict.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { REASON_KINDS } from '../../plan/reason.ts'
import { SCOPE_NAMES } from '../../plan/scope.ts'
import { digestOf, withoutCustomers } from '../../plan/shard.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { hasDigest } from '../evidence-file.ts'
import { reportSchema, violationSchema } from '../schema.ts'
import { writeWhole } from '../output-folder.ts'
import { messageOf, systemCodeOf } from '../../evidence/errors.ts'
import type { CheckResult, KeptTimeLine, KeptVisits, Observation } from '../../check/result.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Waiver } from '../../plan/waivers.ts'
import type { RunFlags } from '../conclude.ts'
import type { Report } from '../schema.ts'

/**
 * `shard.json`: the input of a merge. The verdicts of the merged report are computed from the results of all shards by the
 * rules of a single run. It contains nothing that the other reports of the shard do not contain.
 */

const { suite, target, run, conclusion, evidence, payments, applications, created, strays } =
  reportSchema.shape

/** The values are validated and not changed: the digest of a plan depends on the order of its members. */
const ours = <Type>(shape: z.ZodType): z.ZodType<Type> =>
  z.custom<Type>((value) => shape.safeParse(value).success, 'it has an invalid form')

const planSchema = ours<Plan>(
  z.looseObject({
    checks: z.array(
      z.looseObject({ id: z.string(), requirement: z.string(), scenario: z.string(), shard: z.int().min(1) }),
    ),
    leftOut: z.array(
      z.looseObject({ requirement: z.string(), kind: z.enum(REASON_KINDS), because: z.string() }),
    ),
    scope: z.enum(SCOPE_NAMES),
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

const FORMAT = 3

export const shardFileSchema = z.strictObject({
  format: z.literal(3),
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
  /** The digest of the evidence beside it. */
  evidence,
  /** The shards that it contains: one, or several that were merged. */
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

/** The file of a shard. @throws if the report is not of a shard. */
export const shardFileOf = ({ report, whole, waivers, findings, flags, reproduceBase }: Given): ShardFile => {
  const { shard, run, conclusion, payments, applications, created, strays } = report
  if (shard === undefined) throw new Error('a whole run is not a shard')
  const { clockOffsetMs, ...alike } = report.target
  const { results, observations, visits = [], timeLines = [] } = findings
  const { interrupted, unreachable, strict } = flags
  return {
    format: 3,
    suite: report.suite,
    evidence: report.evidence,
    target: alike,
    count: shard.count,
    digest: shard.plan,
    plan: withoutCustomers(whole),
    strict,
    waivers: [...waivers],
    reproduceBase,
    parts: [
      {
        index: shard.index,
        run,
        conclusion,
        interrupted,
        unreachable,
        ...(clockOffsetMs !== undefined && { clockOffsetMs }),
        results: [...results],
        observations: [...observations],
        visits: [...visits],
        timeLines: [...timeLines],
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

/** A shard as input of a merge. */
export interface Handed {
  /** The path as the user gave it. */
  readonly folder: string
  readonly file: ShardFile
}

const ADVICE = 'leave it out; its checks are then not reached'

const textIn = (folder: string): string => {
  try {
    return readFileSync(join(folder, OUTPUT.shard), 'utf8')
  } catch (error) {
    if (existsSync(join(folder, OUTPUT.report)))
      throw new ConfigurationError(
        `${folder} contains a whole run, not a shard: merge folders of ${typed('run', '--shard i/n')}`,
      )
    throw new ConfigurationError(
      `${folder}: the shard cannot be read (${OUTPUT.shard}: ${systemCodeOf(error) ?? 'unknown'}); pass the folder that was given as --out, or ${ADVICE}`,
    )
  }
}

const damaged = (folder: string, what: string): ConfigurationError =>
  new ConfigurationError(
    `${join(folder, OUTPUT.shard)} is damaged, or of another version: ${what}; run the shard again, or ${ADVICE}`,
  )

const jsonIn = (folder: string): unknown => {
  const text = textIn(folder)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(folder, messageOf(error))
  }
}

/** @throws ConfigurationError if there is no shard, or an incomplete one. */
export const readShard = (folder: string): Handed => {
  const data = jsonIn(folder)
  const { format } = { format: undefined, ...(data as { readonly format?: unknown } | null) }
  if (typeof format === 'number' && format !== FORMAT)
    throw new ConfigurationError(
      `${join(folder, OUTPUT.shard)} has format ${format}, and this version reads format ${FORMAT}: merge with the version that ran the shard, or run the shard again`,
    )
  const parsed = shardFileSchema.safeParse(data)
  if (!parsed.success) throw damaged(folder, z.prettifyError(parsed.error))
  const { plan, count, digest, parts } = parsed.data
  if (digestOf(plan, count) !== digest) throw damaged(folder, 'its plan does not match its digest')
  const beyond = parts.find(({ index }) => index > count)
  if (beyond !== undefined) throw damaged(folder, `it has a shard ${beyond.index} of ${count}`)
  const { evidence } = parsed.data
  const files = [
    [OUTPUT.evidence, evidence],
    [OUTPUT.records, evidence.records],
  ] as const
  for (const [name, digest] of files) {
    if (!existsSync(join(folder, name)))
      throw new ConfigurationError(
        `${folder}: ${name} is missing, so that verdicts have no evidence; copy the whole folder`,
      )
    if (!hasDigest(join(folder, name), digest))
      throw new ConfigurationError(
        `${folder}: ${name} does not match the digest in ${OUTPUT.shard}: it was changed, or is from another run; copy the whole folder again, or run the shard again`,
      )
  }
  return { folder, file: parsed.data }
}
