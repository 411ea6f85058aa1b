import * as z from 'zod'
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
  /** From when on it can be judged, where the run did not last so long. */
  until: z.iso.datetime().optional(),
  violation: violationSchema.optional(),
  /** The keys of the profile that did not fit what the target sent, and why nothing was judged. */
  bindings: z.array(z.string()).optional(),
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
  /** Of a shard: the other shards that judge it as well. */
  elsewhere: z.array(z.int().min(1)).optional(),
})

/** A part of a plan as a run of its own: what it says, it says of that part alone. */
const shardSchema = z.strictObject({
  index: z.int().min(1),
  count: z.int().min(1),
  /** SHA-256 over the whole plan: shards with the same digest belong together. */
  plan: z.string(),
  /** Scenarios that run in this part, and in the whole plan. */
  scenarios: count,
  of: count,
})

/** What a report is put together of. */
const mergedSchema = z.strictObject({
  count: z.int().min(1),
  plan: z.string(),
  shards: z.array(
    z.strictObject({
      index: z.int().min(1),
      /** The id of its run. */
      run: z.string(),
      conclusion: z.enum(CONCLUSIONS),
      startedAt: z.iso.datetime(),
      finishedAt: z.iso.datetime(),
      durationMs: z.number().min(0),
      command: z.string(),
    }),
  ),
  /** The shards that nobody handed in: all that they were to judge is not reached. */
  missing: z.array(z.int().min(1)),
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
    /** How often the run was gone on with; left out where it was not. */
    resumed: z.int().min(1).optional(),
  }),
  target: z.strictObject({
    name: z.string(),
    baseUrl: z.string(),
    environment: z.enum(['sandbox', 'production']),
    clock: z.enum(['virtual', 'lever', 'wall']),
    profileDigest: z.string(),
    /** The profile asks not to verify the target's certificates: whoever answered may be somebody else. */
    certificates: z.literal('unverified').optional(),
    /** How far its clock was ahead of this machine's, in ms: at least and at most, by its answers. */
    clockOffsetMs: z.strictObject({ least: z.number(), most: z.number() }).optional(),
  }),
  /** Which part of a plan it is about; left out where it is about a whole plan. */
  shard: shardSchema.optional(),
  /** Left out where it is of one run. */
  merged: mergedSchema.optional(),
  conclusion: z.enum(CONCLUSIONS),
  exitCode: z.int(),
  /** The part of evidence.jsonl that was there when the report was written, which is as good as always all of it. */
  evidence: z.strictObject({
    exchanges: count,
    bytes: count,
    /** Of these bytes, in hex. */
    sha256: z.string(),
  }),
  counts: z.record(z.enum(VERDICTS), count),
  requirements: z.array(requirementReportSchema),
  /** What is prepared and can be judged later, by `npm test -- --resume`; left out where nothing is. */
  waiting: z
    .array(
      z.strictObject({ scenario: z.string(), requirements: z.array(z.string()), until: z.iso.datetime() }),
    )
    .optional(),
  /** The keys of the profile that did not fit what the target sent; left out where none was found. */
  bindings: z
    .array(
      z.strictObject({
        /** `operations.listTransactions.transactions` */
        key: z.string(),
        /** What the profile has there. */
        bound: z.string(),
        /** What was looked for there. */
        expected: z.string(),
        /** What came: keys and types, never values. */
        shown: z.string(),
        /** The exchange that shows it, by its id. */
        exchange: z.string(),
        /** What could not be judged for it. */
        requirements: z.array(z.string()),
      }),
    )
    .optional(),
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
  /** Every loan application that was created; left out where none was. */
  applications: z
    .array(
      z.strictObject({
        applicationId: z.string(),
        /** In EUR, as it was sent. */
        amount: z.number().optional(),
        /** What the target said of it last. */
        status: z.string().optional(),
        /** Whether the run has canceled it with a DELETE. */
        canceled: z.boolean(),
        /** The exchanges that created it and that said so, by their ids. */
        submission: z.string(),
        seen: z.string(),
      }),
    )
    .optional(),
  /** All that the run has created at a target, and whether it is gone again; left out where that is nothing. */
  created: z
    .array(
      z.strictObject({
        kind: z.enum(['payment', 'application', 'consent', 'webhook settings']),
        /** orderId, application-id or consentId; of webhook settings, the name of the application. */
        id: z.string(),
        scenario: z.string(),
        /** The exchange that created it. */
        exchange: z.string(),
        /** Whether it was deleted, revoked, or put back as it was found. */
        cleaned: z.boolean(),
        /** Why it was not. */
        because: z.string().optional(),
      }),
    )
    .optional(),
  /** Calls of the webhook sink at addresses that nobody was told, the first of them; left out where none came. */
  strays: z.array(z.strictObject({ exchange: z.string(), method: z.string(), url: z.string() })).optional(),
  /** Every declared exception; left out where none was. */
  waivers: z
    .array(
      z.strictObject({
        requirement: z.string(),
        reason: z.string(),
        owner: z.string(),
        /** The last day on which it holds. */
        expires: z.iso.date(),
        /** `stale`: the requirement passes. `idle`: the run did not come to it. */
        state: z.enum(['needed', 'stale', 'idle']),
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
  /** When applications were seen in which status; left out where none was followed. Times in ms since its start. */
  timelines: z
    .array(
      z.strictObject({
        scenario: z.string(),
        path: z.string(),
        /** The file beside this one that shows it. */
        drawing: z.string(),
        /** Between which instants it had to move there. */
        expected: z.array(z.strictObject({ status: z.string(), from: z.number(), to: z.number() })),
        /** Between which two looks it moved there, and the exchange that showed it first. */
        observed: z.array(
          z.strictObject({
            status: z.string(),
            from: z.number(),
            to: z.number(),
            exchange: z.string().optional(),
          }),
        ),
        looks: z.array(z.strictObject({ at: z.number(), status: z.string().optional() })),
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
