import { z } from 'zod'
import { CHAPTERS } from '../check/requirement.ts'
import { VERDICTS } from '../check/verdict.ts'

/** `report.json`: the one truth of a run, of which every other report is a rendering. */

export const CONCLUSIONS = [
  'interrupted',
  'nonconforming',
  'harness-error',
  'unreachable',
  'incomplete',
  'conforms',
] as const

const count = z.int().min(0)

export const violationSchema = z.strictObject({
  subject: z.string(),
  expected: z.string(),
  received: z.string(),
  exchange: z.string(),
  counterexample: z.strictObject({ value: z.string(), seed: z.int(), path: z.string() }).optional(),
})

export const checkReportSchema = z.strictObject({
  title: z.string(),
  /** Relative to the project's root, with the line. */
  file: z.string(),
  verdict: z.enum(VERDICTS),
  durationMs: z.number().min(0),
  because: z.string().optional(),
  violation: violationSchema.optional(),
  /** Ids of lines of evidence.jsonl. */
  exchanges: z.array(z.string()),
  /** The command that runs this check again. */
  reproduce: z.string(),
})

export const requirementReportSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  chapter: z.enum(CHAPTERS),
  claim: z.string(),
  quote: z.string(),
  place: z.string(),
  source: z.string(),
  verdict: z.enum(VERDICTS),
  /** Why no check judged it, where none did. */
  because: z.string().optional(),
  checks: z.array(checkReportSchema),
})

export const reportSchema = z.strictObject({
  schema: z.literal(1),
  suite: z.strictObject({ name: z.string(), version: z.string(), catalogueDigest: z.string() }),
  run: z.strictObject({
    id: z.string(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    seed: z.int(),
    command: z.string(),
  }),
  target: z.strictObject({
    name: z.string(),
    baseUrl: z.string(),
    environment: z.enum(['sandbox', 'production']),
    clock: z.enum(['virtual', 'lever', 'wall']),
    profileDigest: z.string(),
  }),
  conclusion: z.enum(CONCLUSIONS),
  exitCode: z.int(),
  counts: z.record(z.enum(VERDICTS), count),
  requirements: z.array(requirementReportSchema),
  /** Every payment that was created; left out where none was. */
  payments: z
    .array(
      z.strictObject({
        orderId: z.string(),
        /** What the target said of it last. */
        status: z.string().optional(),
        /** The exchanges that created it and that said so, by their ids. */
        initiation: z.string(),
        seen: z.string(),
      }),
    )
    .optional(),
  /** How often the run was where in a model; left out where it walked none. */
  models: z
    .array(
      z.strictObject({
        name: z.string(),
        /** The file beside this one that shows it. */
        drawing: z.string(),
        states: z.array(z.strictObject({ id: z.string(), visits: count })),
        moves: z.array(
          z.strictObject({
            from: z.string(),
            to: z.string(),
            by: z.string(),
            ground: z.enum(['stated', 'undisclosed', 'unnamed']),
            visits: count,
          }),
        ),
      }),
    )
    .optional(),
  undisclosed: z.array(
    z.strictObject({
      id: z.string(),
      chapter: z.enum(CHAPTERS),
      quote: z.string(),
      place: z.string(),
      observed: z.array(z.string()),
    }),
  ),
})

export type Report = z.output<typeof reportSchema>
export type RequirementReport = Report['requirements'][number]
export type CheckReport = RequirementReport['checks'][number]
export type Conclusion = Report['conclusion']
