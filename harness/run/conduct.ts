import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { createRedactor } from '../evidence/redaction.ts'
import { openJournal } from '../evidence/journal.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { AllureReporter } from '../report/allure/reporter.ts'
import { startGenerator } from '../report/allure/generate.ts'
import { assembleReport } from '../report/assemble.ts'
import { conclude } from '../report/conclude.ts'
import { OUTPUT } from '../report/output.ts'
import { prepareOut, writeReports } from '../report/write.ts'
import { probe } from '../target/probe.ts'
import { baseOf, commandOf } from './command.ts'
import { runPlan } from './run-plan.ts'
import { settleSubject } from './subject.ts'
import type { CheckResult } from '../check/result.ts'
import type { Options } from '../plan/options.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { Plan } from '../plan/plan.ts'
import type { Report } from '../report/schema.ts'
import type { Findings } from './run-plan.ts'
import type { RunSubject } from './subject.ts'

/** A run from its options to its report. What it tells of on the way goes to the audience. */

/** Who watches a run. */
export interface Audience {
  begins(plan: Plan): void
  hears(result: CheckResult): void
  warns(sentence: string): void
}

/** What a run is about, settled before anything is sent. */
export interface Preparation {
  readonly options: Options
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
}

/** @throws ConfigurationError for whatever is wrong with options, profile or selectors. */
export const prepare = async (
  options: Options,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Preparation> => {
  const [subject, catalogue] = await Promise.all([settleSubject(options, env), loadCatalogue()])
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  return { options, argv, subject, catalogue, plan: buildPlan(catalogue, target, options) }
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

/** Carries the plan out and writes every report. Gives the report, whatever the run came to. */
export const conduct = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
): Promise<Report> => {
  const { options, argv, plan, catalogue } = preparation
  const startedAt = new Date()
  prepareOut(options.out)
  const generator = startGenerator(options.out)
  audience.begins(plan)
  const { findings, unreachable } = await reach(preparation, audience, interruption)
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
    ...conclude(plan, levels, findings.results, flags),
    reproduceBase: baseOf(argv),
  })
  writeReports(report, options.out)
  const warning = await generator.generate()
  if (warning !== undefined) audience.warns(warning)
  return report
}

const reach = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
): Promise<Reached> => {
  const { options, subject, plan, catalogue } = preparation
  const evidenceFile = join(options.out, OUTPUT.evidence)
  const unreachable = await unreachableBecause(subject, evidenceFile)
  if (unreachable !== undefined) return { findings: NOTHING, unreachable }
  const allure = new AllureReporter({
    outDir: options.out,
    suite: suiteOf(preparation),
    target: targetOf(preparation),
    plan,
    catalogue: catalogue.requirements,
    reproduceBase: baseOf(preparation.argv),
  })
  const certification = {
    plan,
    profile: subject.profile,
    evidenceFile,
    secrets: subject.secrets,
    concurrency: options.concurrency,
    time: options.time,
    deadline: Date.now() + subject.profile.deadlines.runMs,
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
  }
  const onResult = (result: CheckResult): void => audience.hears(result)
  return { findings: await runPlan(certification, { reporters: [allure], onResult, interruption }) }
}

const unreachableBecause = async (
  { profile, baseUrl, secrets }: RunSubject,
  evidenceFile: string,
): Promise<string | undefined> => {
  if (baseUrl === undefined) return undefined
  const journal = openJournal(evidenceFile)
  const answer = await probe(profile, baseUrl, { journal, redactor: createRedactor(secrets) })
  journal.close()
  return answer.reached ? undefined : `${baseUrl} cannot be reached: ${answer.because}`
}
