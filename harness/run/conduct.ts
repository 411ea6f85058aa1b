import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { openJournal, wholeLines } from '../evidence/journal.ts'
import { assembleReport } from '../report/assemble.ts'
import { conclude, verdicts } from '../report/conclude.ts'
import { writeDrawings, writeTimeLines } from '../report/drawing/write.ts'
import { clockOffsetIn } from '../report/clock-offset.ts'
import { locked, unwritable } from '../report/lock.ts'
import { OUTPUT } from '../report/output.ts'
import { digestEvidence } from '../report/evidence-digest.ts'
import { readApplications } from '../report/applications.ts'
import { readPayments } from '../report/payments.ts'
import { readStrays } from '../report/strays.ts'
import { reportWaivers, reportWaiversOfPart, staleSentences } from '../report/waivers.ts'
import { wordOf } from '../report/word.ts'
import { discardOld, prepareOut, writeReports } from '../report/write.ts'
import { budgetOf } from './spending.ts'
import { baseOf, commandOf } from './command.ts'
import { refuseToForget, startOrGoOn } from './continuing.ts'
import { tryOnce, unreached } from './first-look.ts'
import { graced } from './interruption.ts'
import { evidenceOf } from './prepare.ts'
import { openRoom } from './room.ts'
import { startThreads } from './threads.ts'
import { askingMs, openDeskFor, openKeepingFor } from './staffing.ts'
import type { AllureRun } from '../report/allure/case-book.ts'
import type { Generator } from '../report/allure/generate.ts'
import type { Audience } from '../report/audience.ts'
import type { RunFlags } from '../report/conclude.ts'
import type { Created } from '../report/created.ts'
import type { Report } from '../report/schema.ts'
import type { Continuation } from '../resume/resumption.ts'
import type { Certification } from './certification.ts'
import type { Circumstances } from './clean-up.ts'
import type { Preparation } from './prepare.ts'
import type { Room } from './room.ts'
import type { Kept } from './staffing.ts'
import type { Findings, RunHooks } from './run-plan.ts'

/** A run from its options to its report. What it tells of on the way goes to the audience. */

/** What a run is carried out with. */
export interface Means {
  carryOut(certification: Certification, hooks: RunHooks, allure: AllureRun): Promise<Findings>
  readonly generator: Generator
}

/** The same, with whoever is asked where a person authorizes. */
type Staffed = Means & { readonly desk?: string; readonly kept?: Kept }

/** A wrong option, a dry run or a dead target need not wait for the engine to load. */
export const carryOut: Means['carryOut'] = async (certification, hooks, allure) => {
  const threads = startThreads(certification)
  try {
    return await (await import('./carry-out.ts')).carryOut(certification, threads, hooks, allure)
  } finally {
    await threads.end()
  }
}

interface Reached {
  readonly findings: Findings
  /** Why nothing answered. */
  readonly unreachable?: string
}

const EMBEDDED = 'embedded'
/** What a run that is gone on with has left before. */
const KEPT = [OUTPUT.log, OUTPUT.evidence, OUTPUT.report, OUTPUT.shard]
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
  ...(!subject.profile.connection.verify && { certificates: 'unverified' }),
})

/** So many results are read for the page of the report at once, while others still come. */
const PORTION = 100

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
  means: Means,
): Promise<Report> => {
  const { options, standing } = preparation
  if (standing === undefined) refuseToForget(options.out)
  const kept = await openKeepingFor(preparation, process.env)
  const desk = await openDeskFor(preparation, audience, interruption)
  try {
    const staffed = { ...means, ...(desk && { desk: desk.line }), ...(kept && { kept }) }
    return await locked(options.out, () => {
      openOut(options.out, standing === undefined ? [] : KEPT)
      return carryThrough(preparation, audience, interruption, staffed)
    })
  } finally {
    await desk?.close()
  }
}

const carryThrough = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
  means: Staffed,
): Promise<Report> => {
  const { options, argv, plan, catalogue, subject } = preparation
  const { generator } = means
  const continuation = await startOrGoOn(preparation)
  const startedAt = continuation?.startedAt ?? new Date()
  audience.begins(plan)
  const deadline = Date.now() + subject.profile.deadlines.runMs + askingMs(preparation)
  const room = openRoom(options.out, audience)
  const reached = await reach(preparation, audience, AbortSignal.any([interruption, room.gone]), {
    ...{ ...means, room },
    ...(continuation && { continuation }),
  })
  const { findings, unreachable } = reached
  if (unreachable !== undefined) audience.warns(unreachable)
  generator.read()

  const circumstances = { evidence: evidenceOf(preparation), interruption, deadline }
  const created = await leaveTidy(preparation, reached, circumstances)

  const levels = new Map(catalogue.requirements.map(({ id, level }) => [id, level]))
  const reportThem = plan.shard === undefined ? reportWaivers : reportWaiversOfPart
  const waivers = reportThem(preparation.waivers, verdicts(plan, levels, findings.results))
  for (const sentence of staleSentences(waivers)) audience.warns(sentence)
  const flags = {
    staleWaiver: waivers.some(({ state }) => state === 'stale'),
    strict: options.strict,
    interrupted: interruption.aborted,
    unreachable: unreachable !== undefined,
  }
  const ending = () => conclude(plan, levels, findings.results, { ...flags, unkept: room.gone.aborted })
  const concluded = ending()
  const title = `${subject.profile.name}: ${wordOf({ shard: plan.shard, ...concluded })}`
  const generating = graced(generator.generate(title), interruption, GRACE_MS)
  const finishedAt = new Date()
  const report = assembleReport({
    suite: suiteOf(preparation),
    target: { ...targetOf(preparation), ...offsetOf(preparation) },
    run: {
      id: randomUUID(),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      seed: plan.seed,
      command: commandOf(argv),
      ...(continuation !== undefined && continuation.resumed > 0 && { resumed: continuation.resumed }),
    },
    plan,
    catalogue: catalogue.requirements,
    undisclosed: catalogue.undisclosed,
    ...findings,
    payments: readPayments(evidenceOf(preparation)),
    waivers,
    created,
    strays: readStrays(evidenceOf(preparation)),
    applications: readApplications(evidenceOf(preparation), subject.profile.loans),
    ...concluded,
    evidence: digestEvidence(options.out),
    reproduceBase: baseOf(argv),
  })
  await room.fill(async () => {
    await writeReports(report, options.out)
    await keepPart(preparation, report, { findings, flags })
    writeDrawings(findings.visits ?? [], options.out)
    writeTimeLines(findings.timeLines ?? [], options.out)
  })
  discardOld(options.out)
  const generated = await generating
  generator.stop()
  const warning = generated === 'given up' ? LEFT_OUT : generated.done
  if (warning !== undefined && !room.gone.aborted) audience.warns(warning)
  return room.gone.aborted ? { ...report, ...ending() } : report
}

/** What the part of a plan is put together with the others from. */
const keepPart = async (
  { options, argv, whole, waivers }: Preparation,
  report: Report,
  found: { readonly findings: Findings; readonly flags: RunFlags },
): Promise<void> => {
  if (whole === undefined) return
  const { shardFileOf, writeShardFile } = await import('../report/shard-file.ts')
  const given = { report, whole, waivers, ...found, reproduceBase: baseOf(argv) }
  writeShardFile(options.out, shardFileOf(given))
}

/** A bank of its own for each scenario is gone with it; what nobody could reach holds nothing. */
const leaveTidy = async (
  preparation: Preparation,
  { findings, unreachable }: Reached,
  circumstances: Circumstances,
): Promise<readonly Created[]> => {
  if (preparation.subject.baseUrl === undefined || unreachable !== undefined) return []
  const { cleanUpAfter } = await import('./clean-up.ts')
  return cleanUpAfter(preparation, findings.results, circumstances)
}

const LEFT_OUT = 'The Allure report was not finished before the interruption; report.json has all verdicts.'

/** By what its answers say; of a clock that is moved, or that runs faster, they tell nothing. */
const offsetOf = (preparation: Preparation): Pick<Report['target'], 'clockOffsetMs'> => {
  const { clock, profile } = preparation.subject
  if (clock !== 'wall' || profile.clock.speed !== 1) return {}
  const offset = clockOffsetIn(evidenceOf(preparation))
  return offset === undefined ? {} : { clockOffsetMs: offset }
}

const openOut = (out: string, kept: readonly string[]): void => {
  try {
    prepareOut(out, kept)
    const evidence = join(out, OUTPUT.evidence)
    openJournal(evidence).close()
    if (kept.length > 0) wholeLines(evidence)
  } catch (error) {
    throw unwritable(out, error)
  }
}

/** What a run is on its way with. */
interface Underway {
  readonly room: Room
  readonly continuation?: Continuation
}

const reach = async (
  preparation: Preparation,
  audience: Audience,
  interruption: AbortSignal,
  { continuation, desk, kept, room, ...means }: Staffed & Underway,
): Promise<Reached> => {
  const { options, argv, subject, plan, catalogue } = preparation
  const tried = await tryOnce(preparation, interruption)
  if (interruption.aborted) return { findings: NOTHING }
  for (const warning of tried.warnings) audience.warns(warning)
  if (!tried.reached) return unreached(preparation, tried)
  if (tried.doubt !== undefined) audience.warns(tried.doubt)
  const certification = {
    plan,
    profile: subject.profile,
    evidenceFile: evidenceOf(preparation),
    secrets: [...subject.secrets, ...(kept?.secrets ?? [])],
    concurrency: preparation.concurrency,
    time: options.time,
    deadline: Date.now() + subject.profile.deadlines.runMs + askingMs(preparation),
    pace: continuation?.pace ?? { origin: Date.now(), speed: subject.profile.clock.speed },
    ...(continuation && { log: continuation.log }),
    ...(desk && { desk }),
    ...(kept && { keeping: kept.keeping }),
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...budgetOf(preparation, evidenceOf(preparation)),
    ...(audience.waits && { announceOn: `waits of ${process.pid}` }),
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
  let heard = 0
  const hooks: RunHooks = {
    ...(audience.waits && { onWait: (notice) => audience.waits?.(notice) }),
    onResult: (result) => {
      audience.hears(result)
      heard += 1
      if (heard % PORTION === 0) means.generator.read()
    },
    onFault: (sentence) => audience.warns(sentence),
    onUnkept: (because) => room.ends(because),
    interruption,
  }
  return { findings: await means.carryOut(certification, hooks, allure) }
}
