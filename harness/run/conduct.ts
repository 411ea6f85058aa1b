import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { createRedactor } from '../evidence/redaction.ts'
import { openJournal } from '../evidence/journal.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { startGenerator } from '../report/allure/generate.ts'
import { assembleReport } from '../report/assemble.ts'
import { conclude } from '../report/conclude.ts'
import { writeDrawings } from '../report/drawing/write.ts'
import { OUTPUT } from '../report/output.ts'
import { readPayments } from '../report/payments.ts'
import { prepareOut, writeReports } from '../report/write.ts'
import { baseOf, commandOf } from './command.ts'
import { graced } from './interruption.ts'
import { settleSubject } from './subject.ts'
import type { CheckResult } from '../check/result.ts'
import type { Options } from '../plan/options.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import type { AllureRun } from '../report/allure/reporter.ts'
import type { Generator } from '../report/allure/generate.ts'
import type { Audience } from '../report/audience.ts'
import type { Report } from '../report/schema.ts'
import type { Reach } from '../target/probe.ts'
import type { Certification } from './certification.ts'
import type { Findings, RunHooks } from './run-plan.ts'
import type { RunSubject } from './subject.ts'

/** A run from its options to its report. What it tells of on the way goes to the audience. */

/** What a run is about, settled before anything is sent. */
export interface Preparation {
  readonly options: Options
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** Scenarios at a time. */
  readonly concurrency: number
}

/** Scenarios of the reference bank at a time: each has a bank of its own. */
const SIDE_BY_SIDE = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios take turns. */
const IN_TURN = 1

/** @throws ConfigurationError for whatever is wrong with options, profile or selectors. */
export const prepare = async (
  options: Options,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Preparation> => {
  const [subject, catalogue] = await Promise.all([settleSubject(options, env), loadCatalogue()])
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  const concurrency = options.concurrency ?? (subject.baseUrl === undefined ? SIDE_BY_SIDE : IN_TURN)
  return { options, argv, subject, catalogue, concurrency, plan: buildPlan(catalogue, target, options) }
}

/** What a run is carried out with. */
export interface Means {
  carryOut(certification: Certification, hooks: RunHooks, allure: AllureRun): Promise<Findings>
  startGenerator(out: string): Generator
}

const MEANS: Means = {
  // A wrong option, a dry run or a dead target need not wait for the engine to load.
  carryOut: async (...given) => (await import('./carry-out.ts')).carryOut(...given),
  startGenerator,
}

interface Reached {
  readonly findings: Findings
  /** Why nothing answered. */
  readonly unreachable?: string
}

const EMBEDDED = 'embedded'
const NOTHING: Findings = { results: [], observations: [] }

const suiteOf = ({ catalogue }: Preparation): Report['suite'] => ({
  name: manifest.name,
  version: manifest.version,
  catalogueDigest: catalogue.digest,
})

const targetOf = ({ subject }: Preparation): Report['target'] => ({
  name: subject.profile.name,
  baseUrl: subject.baseUrl ?? EMBEDDED,
  environment: subject.profile.environment,
  clock: subject.clock,
  profileDigest: subject.digest,
})

/** Whoever stops a run waits no longer than this for the last of its reports. */
const GRACE_MS = 1_000

/**
 * Carries the plan out and writes every report. Gives the report, whatever the run came to.
 * @throws ConfigurationError where the reports cannot be written: then nothing has been sent.
 */
export const conduct = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
  means = MEANS,
): Promise<Report> => {
  const { options, argv, plan, catalogue } = preparation
  const startedAt = new Date()
  openOut(options.out)
  const generator = means.startGenerator(options.out)
  audience.begins(plan)
  const { findings, unreachable } = await reach(preparation, audience, interruption, means)
  if (unreachable !== undefined) audience.warns(unreachable)

  const levels = new Map(catalogue.requirements.map(({ id, level }) => [id, level]))
  const flags = {
    strict: options.strict,
    interrupted: interruption.aborted,
    unreachable: unreachable !== undefined,
  }
  const finishedAt = new Date()
  const report = assembleReport({
    suite: suiteOf(preparation),
    target: targetOf(preparation),
    run: {
      id: randomUUID(),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      seed: plan.seed,
      command: commandOf(argv),
    },
    plan,
    catalogue: catalogue.requirements,
    undisclosed: catalogue.undisclosed,
    ...findings,
    payments: readPayments(evidenceOf(preparation)),
    ...conclude(plan, levels, findings.results, flags),
    reproduceBase: baseOf(argv),
  })
  writeReports(report, options.out)
  writeDrawings(findings.visits ?? [], options.out)
  const generated = await graced(
    generator.generate(`${report.target.name}: ${report.conclusion}`),
    interruption,
    GRACE_MS,
  )
  generator.stop()
  const warning = generated === 'given up' ? LEFT_OUT : generated.done
  if (warning !== undefined) audience.warns(warning)
  return report
}

const LEFT_OUT = 'The Allure report was not finished before the interruption; report.json has all verdicts.'

const evidenceOf = ({ options }: Preparation): string => join(options.out, OUTPUT.evidence)

const openOut = (out: string): void => {
  try {
    prepareOut(out)
    openJournal(join(out, OUTPUT.evidence)).close()
  } catch (error) {
    throw new ConfigurationError(
      `--out: nothing can be written into ${out} (${(error as Error).message}); name another folder`,
    )
  }
}

const reach = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
  means: Means,
): Promise<Reached> => {
  const { options, argv, subject, plan, catalogue } = preparation
  const tried = await tryOnce(preparation, interruption)
  if (interruption.aborted) return { findings: NOTHING }
  if (!tried.reached) return unreached(preparation, tried)
  if (tried.doubt !== undefined) audience.warns(tried.doubt)
  const certification = {
    plan,
    profile: subject.profile,
    evidenceFile: evidenceOf(preparation),
    secrets: subject.secrets,
    concurrency: preparation.concurrency,
    time: options.time,
    deadline: Date.now() + subject.profile.deadlines.runMs,
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
  }
  const allure = {
    outDir: options.out,
    suite: suiteOf(preparation),
    target: targetOf(preparation),
    plan,
    catalogue: catalogue.requirements,
    reproduceBase: baseOf(argv),
  }
  const hooks: RunHooks = {
    onResult: (result) => audience.hears(result),
    onFault: (sentence) => audience.warns(sentence),
    interruption,
  }
  return { findings: await means.carryOut(certification, hooks, allure) }
}

const running = ({ checks }: Plan): readonly PlannedCheck[] =>
  checks.filter(({ heldBack }) => heldBack === undefined)

/** The embedded bank is there; where nothing runs, nothing is sent. */
const tryOnce = async (preparation: Preparation, interruption: AbortSignal): Promise<Reach> => {
  const { profile, baseUrl, secrets } = preparation.subject
  if (baseUrl === undefined || running(preparation.plan).length === 0) return { reached: true }
  const journal = openJournal(evidenceOf(preparation))
  try {
    // The reference bank needs no client before its workers have theirs.
    const { probe } = await import('../target/probe.ts')
    const redactor = createRedactor(secrets)
    return await probe(profile, baseUrl, { journal, redactor, ends: interruption })
  } catch (error) {
    if (interruption.aborted) return { reached: true }
    throw error
  } finally {
    journal.close()
  }
}

const unreached = (
  { plan, subject }: Preparation,
  { because, exchanges }: Extract<Reach, { reached: false }>,
): Reached => {
  const unreachable = `${subject.baseUrl ?? EMBEDDED} cannot be reached: ${because}`
  const results = running(plan).map(({ id, requirement, title }): CheckResult => ({
    ...{ id, requirement, title, verdict: 'not-reached', because: unreachable },
    durationMs: 0,
    exchanges,
  }))
  return { findings: { results, observations: [] }, unreachable }
}
