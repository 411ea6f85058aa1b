import * as z from 'zod'
import { ALL_CHAPTERS } from '../check/requirement.ts'
import { DECIDED_BY_STEPS } from '../check/result.ts'
import { VERDICTS } from '../check/verdict.ts'
import { CHANGES, REASON_KINDS } from '../plan/reason.ts'
import { SCOPE_NAMES } from '../plan/scope.ts'

/** `report.json`: the result of a run, from which every other report is rendered. */

export const CONCLUSIONS = [
  'interrupted',
  'nonconforming',
  'harness-error',
  'unreachable',
  'incomplete',
  'conforms',
] as const

/** Why the exit code is not 0, if it is not: the conclusion, or a waiver that is no longer needed. */
const GATES = [...CONCLUSIONS, 'stale-waiver'] as const

const count = z.int().min(0)

/** A list that is left out if it would be empty. */
const listOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.strictObject(shape)).optional()

/** The kind of a reason why the plan left something out. */
const reason = z.enum(REASON_KINDS)

const digest = {
  bytes: count,
  /** Of these bytes, in hex. */
  sha256: z.string(),
  /** SHA-256 of the last line of the hash chain, with its line end. Empty without lines. */
  heads: z.array(z.string()),
}

const violationSchema = z.strictObject({
  subject: z.string(),
  expected: z.string(),
  received: z.string(),
  exchange: z.string(),
  counterexample: z.strictObject({ value: z.string(), seed: z.int(), path: z.string() }).optional(),
})

const checkReportSchema = z.strictObject({
  title: z.string(),
  /** Relative to the project's root, with the line. */
  file: z.string(),
  verdict: z.enum(VERDICTS),
  durationMs: z.number().min(0),
  because: z.string().optional(),
  /** Why the plan left it out. */
  reason: reason.optional(),
  /** When it can be judged, if the run ended before. */
  until: z.iso.datetime().optional(),
  violation: violationSchema.optional(),
  /** What changed the verdict of its judge. */
  decidedBy: z.enum(DECIDED_BY_STEPS).optional(),
  /** The keys of the profile that did not fit what the target sent, and why nothing was judged. */
  bindings: z.array(z.string()).optional(),
  /** How many assertions were made. */
  judged: count,
  /** Ids of lines of evidence.jsonl. */
  exchanges: z.array(z.string()),
  /** The command that runs this check again. */
  reproduce: z.string(),
})

const requirementReportSchema = z.strictObject({
  id: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  chapter: z.enum(ALL_CHAPTERS),
  claim: z.string(),
  quote: z.string(),
  place: z.string(),
  source: z.string(),
  verdict: z.enum(VERDICTS),
  /** Why no check judged it. */
  because: z.string().optional(),
  /** Why the plan left it out. */
  reason: reason.optional(),
  /** What was planned to be judged of it, and what could be: kinds of application, account variants, deliveries, environments. */
  facets: z.array(z.strictObject({ facet: z.string(), verdict: z.enum(VERDICTS), judged: count })),
  /** The only kind of application for which it was judged, if the profile does not have the other one. */
  judgedOnlyFor: z.enum(['FAC', 'TPP']).optional(),
  checks: z.array(checkReportSchema),
})

const levelCoverage = z.strictObject({ judged: count, of: count })

/** How much of a scope was judged. All numbers are numbers of requirements. */
const coverageSchema = z.strictObject({
  /** The requirements of the scope that apply to the target and that a check can judge. */
  of: count,
  /** Of these: the verdict is pass, warn, fail or waived. */
  judged: count,
  /** Of the judged ones: not judged in every facet of the scope. */
  partly: count,
  /** Of these: left out of the run. */
  notTested: count,
  /** Of these: not reached, inconclusive, or not judged because of an error of the suite. */
  notReached: count,
  /** The requirements of the scope that do not apply to the target, as its profile declares. */
  declared: count,
  /** The requirements of the scope that no check can judge. */
  unchecked: count,
  levels: z.strictObject({ MUST: levelCoverage, SHOULD: levelCoverage, MAY: levelCoverage }),
})

const scopeSchema = z.strictObject({
  /** A named scope, if it was judged completely. */
  name: z.enum([...SCOPE_NAMES, 'partial']),
  /** The scope that was asked for. The following members describe it. */
  asked: z.enum(SCOPE_NAMES),
  version: z.int().min(1),
  chapters: z.array(z.enum(ALL_CHAPTERS)),
  /** The facets in which its requirements must be judged as well. */
  facets: z.array(z.string()),
  requirements: count,
  coverage: coverageSchema,
})

export const SCHEMA = 3

export const reportSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  suite: z.strictObject({
    name: z.string(),
    version: z.string(),
    catalogueDigest: z.string(),
    /** The checks that a bank or a scheme added to those of the suite; left out if there are none. */
    ownChecks: z
      .strictObject({
        /** The name of their folder. */
        folder: z.string(),
        title: z.string(),
        /** SHA-256 over the source files of the folder. */
        digest: z.string(),
      })
      .optional(),
  }),
  run: z.strictObject({
    id: z.string(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    seed: z.int(),
    command: z.string(),
    /** The git revision of the suite, or its version where there is no repository. */
    revision: z.string(),
    /** A broken SHOULD counts as not conforming, and one that was not reached as incomplete. */
    strict: z.boolean(),
    /** Who ran it; left out if no name was given. */
    operator: z.string().optional(),
    /** How often the run was resumed; left out if it was not. */
    resumed: z.int().min(1).optional(),
  }),
  target: z.strictObject({
    name: z.string(),
    baseUrl: z.string(),
    environment: z.enum(['sandbox', 'production']),
    clock: z.enum(['virtual', 'testHook', 'wall']),
    profileDigest: z.string(),
    /** The profile turns off the verification of certificates: another server may have answered. */
    certificates: z.literal('unverified').optional(),
    /** How far its clock was ahead of this machine's, in ms: bounds from its Date headers. */
    clockOffsetMs: z.strictObject({ least: z.number(), most: z.number() }).optional(),
  }),
  scope: scopeSchema,
  /** Of the target. */
  conclusion: z.enum(CONCLUSIONS),
  /** Why the exit code is not 0: the conclusion, or a waiver that is no longer needed. */
  gate: z.enum(GATES),
  exitCode: z.int(),
  /** The part of evidence.jsonl that existed when the report was written: normally all of it. */
  evidence: z.strictObject({
    exchanges: count,
    ...digest,
    /** The same of records.jsonl: what the checks judged. */
    records: z.strictObject({ lines: count, ...digest }),
  }),
  /** The number of requirements and of checks with each verdict. */
  counts: z.strictObject({
    requirements: z.record(z.enum(VERDICTS), count),
    checks: z.record(z.enum(VERDICTS), count),
  }),
  /** What would make the requirements testable that were not tested. */
  testable: listOf({
    /** A change of the profile or of the command. */
    change: z.enum(CHANGES),
    what: z.string(),
    /** What it looks like in a profile. */
    example: z.string().optional(),
    /** Requirements that were not tested. */
    requirements: z.array(z.string()),
    /** Requirements that were tested, but not in every facet. */
    partly: z.array(z.string()),
    sentence: z.string(),
  }),
  requirements: z.array(requirementReportSchema),
  /** Scenarios that wait and can be judged later with `npm test -- --resume`. */
  waiting: listOf({ scenario: z.string(), requirements: z.array(z.string()), until: z.iso.datetime() }),
  /** The keys of the profile that did not fit the answers of the target. */
  bindings: listOf({
    /** `operations.listTransactions.transactions` */
    key: z.string(),
    /** The value in the profile. */
    bound: z.string(),
    /** What the harness expected there. */
    expected: z.string(),
    /** What the answer contained: keys and types, never values. */
    shown: z.string(),
    /** The exchange that shows it, by its id. */
    exchange: z.string(),
    /** The requirements that could not be judged. */
    requirements: z.array(z.string()),
  }),
  /** What verdicts take as true from the profile. */
  statements: listOf({
    /** `payments.facts.closedAccounts` */
    key: z.string(),
    /** After "the profile states that"; left out where requirements compare with the value of the key. */
    states: z.string().optional(),
    requirements: z.array(z.string()),
  }),
  /** Every payment that the run created. */
  payments: listOf({
    orderId: z.string(),
    /** The last status that the target reported. */
    status: z.string().optional(),
    /** The ids of the exchanges that created it and that showed the status. */
    initiation: z.string(),
    seen: z.string(),
  }),
  /** Every loan application that the run created. */
  applications: listOf({
    applicationId: z.string(),
    /** In EUR, as it was sent. */
    amount: z.number().optional(),
    /** The last status that the target reported. */
    status: z.string().optional(),
    /** Whether the run has canceled it with a DELETE. */
    canceled: z.boolean(),
    /** The ids of the exchanges that created it and that showed the status. */
    submission: z.string(),
    seen: z.string(),
  }),
  /** Everything that the run created at a target, and whether it was cleaned up. */
  created: listOf({
    kind: z.enum(['payment', 'application', 'consent', 'webhook settings']),
    /**
     * orderId, application-id or consentId; for webhook settings, the name of the application. `unknown` if no answer of
     * the bank says whether the request has created it.
     */
    id: z.string(),
    scenario: z.string(),
    /** The exchange that created it. */
    exchange: z.string(),
    /** Whether it was deleted, revoked or restored. */
    cleaned: z.boolean(),
    /** Why it was not cleaned up. */
    because: z.string().optional(),
    /** Whether the run can be resumed to delete it: nothing has shown that this cannot succeed. */
    deletable: z.literal(true).optional(),
  }),
  /** How many answers each operation had in each context that the profile offers. */
  contexts: listOf({
    operation: z.string(),
    dimension: z.enum(['application', 'customer', 'delivery']),
    value: z.string(),
    answers: z.int(),
  }),
  /** Calls of the webhook sink at addresses that no scenario gave to the target. */
  strays: listOf({ exchange: z.string(), method: z.string(), url: z.string() }),
  /** Every accepted exception. */
  waivers: listOf({
    requirement: z.string(),
    reason: z.string(),
    owner: z.string(),
    /** The last day on which it holds. */
    expires: z.iso.date(),
    /** `stale`: the requirement passes. `idle`: the run did not judge it. */
    state: z.enum(['needed', 'stale', 'idle']),
  }),
  /** How often the run visited the states and moves of a model. */
  models: listOf({
    name: z.string(),
    /** The drawing of it, a file in the same folder. */
    drawing: z.string(),
    states: z.array(z.strictObject({ id: z.string(), visits: count })),
    /** The requirements of its chapter that are broken or waived: a drawing shows permitted moves only. Left out if there are none. */
    broken: z.array(z.string()).optional(),
    moves: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        by: z.string(),
        ground: z.enum(['stated', 'not-shown', 'unnamed']),
        visits: count,
      }),
    ),
  }),
  /** The statuses of loan applications over time, in ms since the start. */
  timelines: listOf({
    scenario: z.string(),
    path: z.string(),
    /** The drawing of it, a file in the same folder. */
    drawing: z.string(),
    /** The interval in which the status had to be reached. */
    expected: z.array(z.strictObject({ status: z.string(), from: z.number(), to: z.number() })),
    /** The two polls between which the status was reached, and the exchange that showed it first. */
    observed: z.array(
      z.strictObject({
        status: z.string(),
        from: z.number(),
        to: z.number(),
        exchange: z.string().optional(),
      }),
    ),
    polls: z.array(z.strictObject({ at: z.number(), status: z.string().optional() })),
  }),
  notShown: z.array(
    z.strictObject({
      id: z.string(),
      chapter: z.enum(ALL_CHAPTERS),
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
export type Gate = Report['gate']
