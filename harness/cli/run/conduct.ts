import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { openJournal, wholeLines } from '../../evidence/journal.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { assembleReport, clockOffsetIn } from '../../report/assemble.ts'
import {
  conclude,
  reportWaivers,
  reportWaiversOfPart,
  staleSentences,
  verdicts,
  type RunFlags,
} from '../../report/conclude.ts'
import { readApplications, readPayments } from '../../report/created.ts'
import { writeDrawings } from '../../report/drawing/model.ts'
import { writeTimeLines } from '../../report/drawing/time-line.ts'
import { digestEvidence, readStrays } from '../../report/evidence-file.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { locked, prepareOut, unwritable } from '../../report/output-folder.ts'
import { writeReports } from '../../report/write.ts'
import { certificationOf } from './certification.ts'
import { baseOf, commandOf } from './command.ts'
import { refuseToForget, startOrGoOn } from './continuing.ts'
import { tryOnce, unreached } from './first-look.ts'
import { evidenceOf } from './prepare.ts'
import { openRoom } from './room.ts'
import { askingMs, openDeskFor, openKeepingFor } from './staffing.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Continuation } from '../../engine/resume/resumption.ts'
import type { Findings, RunHooks } from '../../engine/run-plan.ts'
import type { AllureRun } from '../../report/allure/results.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Created } from '../../report/created.ts'
import type { Report } from '../../report/schema.ts'
import type { Circumstances } from './clean-up.ts'
import type { Preparation } from './prepare.ts'
import type { Room } from './room.ts'
import type { Kept } from './staffing.ts'

/** A run from its options to its report. What it tells of on the way goes to the observer. */

/** What a run is carried out with. */
export interface Means {
  carryOut(certification: Certification, hooks: RunHooks, allure: AllureRun): Promise<Findings>
}

/** The same, with whoever is asked where a person authorizes. */
type Staffed = Means & { readonly desk?: string; readonly kept?: Kept }

/** A wrong option, a dry run or a dead target need not wait for vitest to load. */
export const carryOut: Means['carryOut'] = async (certification, hooks, allure) =>
  (await import('./carry-out.ts')).carryOut(certification, hooks, allure)

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

/**
 * Carries the plan out and writes every report. Gives the report, whatever the run came to.
 * @throws ConfigurationError where the reports cannot be written: then nothing has been sent.
 */
export const conduct = async (
  preparation: Preparation,
  observer: RunObserver,
  interruption: AbortSignal,
  means: Means,
): Promise<Report> => {
  const { options, standing } = preparation
  if (standing === undefined) refuseToForget(options.out)
  const kept = await openKeepingFor(preparation, process.env)
  const desk = await openDeskFor(preparation, observer, interruption)
  try {
    const staffed = { ...means, ...(desk && { desk: desk.line }), ...(kept && { kept }) }
    return await locked(
      options.out,
      () => {
        openOut(options.out, standing === undefined ? [] : KEPT)
        return carryThrough(preparation, observer, interruption, staffed)
      },
      (sentence) => observer.onWarning(sentence),
    )
  } finally {
    await desk?.close()
  }
}

const carryThrough = async (
  preparation: Preparation,
  observer: RunObserver,
  interruption: AbortSignal,
  means: Staffed,
): Promise<Report> => {
  const { options, argv, plan, catalogue, subject } = preparation
  const continuation = await startOrGoOn(preparation)
  const startedAt = continuation?.startedAt ?? new Date()
  observer.onStart(plan)
  const deadline = Date.now() + subject.profile.deadlines.runMs + askingMs(preparation)
  const room = openRoom(options.out, observer)
  const reached = await reach(preparation, observer, AbortSignal.any([interruption, room.gone]), {
    ...{ ...means, room },
    ...(continuation && { continuation }),
  })
  const { findings, unreachable } = reached
  if (unreachable !== undefined) observer.onWarning(unreachable)

  const circumstances = { evidence: evidenceOf(preparation), interruption, deadline }
  const created = await leaveTidy(preparation, reached, circumstances)

  const levels = new Map(catalogue.requirements.map(({ id, level }) => [id, level]))
  const reportThem = plan.shard === undefined ? reportWaivers : reportWaiversOfPart
  const waivers = reportThem(preparation.waivers, verdicts(plan, levels, findings.results))
  for (const sentence of staleSentences(waivers)) observer.onWarning(sentence)
  const flags = {
    staleWaiver: waivers.some(({ state }) => state === 'stale'),
    strict: options.strict,
    interrupted: interruption.aborted,
    unreachable: unreachable !== undefined,
  }
  const ending = () => conclude(plan, levels, findings.results, { ...flags, unkept: room.gone.aborted })
  const concluded = ending()
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
  return room.gone.aborted ? { ...report, ...ending() } : report
}

/** What the part of a plan is put together with the others from. */
const keepPart = async (
  { options, argv, whole, waivers }: Preparation,
  report: Report,
  found: { readonly findings: Findings; readonly flags: RunFlags },
): Promise<void> => {
  if (whole === undefined) return
  const { shardFileOf, writeShardFile } = await import('../../report/merge/shard-file.ts')
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
    if (error instanceof ConfigurationError) throw error
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
  observer: RunObserver,
  interruption: AbortSignal,
  { continuation, desk, kept, room, ...means }: Staffed & Underway,
): Promise<Reached> => {
  const { options, argv, plan, catalogue } = preparation
  const tried = await tryOnce(preparation, interruption)
  if (interruption.aborted) return { findings: NOTHING }
  for (const warning of tried.warnings) observer.onWarning(warning)
  if (!tried.reached) return unreached(preparation, tried)
  if (tried.doubt !== undefined) observer.onWarning(tried.doubt)
  const planned = certificationOf(preparation)
  const certification = {
    ...planned,
    secrets: [...planned.secrets, ...(kept?.secrets ?? [])],
    ...(continuation && { pace: continuation.pace, log: continuation.log }),
    ...(desk && { desk }),
    ...(kept && { keeping: kept.keeping }),
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
    ...(observer.onWait && { onWait: (notice) => observer.onWait?.(notice) }),
    onResult: (result) => observer.onResult(result),
    onFault: (sentence) => observer.onWarning(sentence),
    onUnkept: (because) => room.ends(because),
    interruption,
  }
  return { findings: await means.carryOut(certification, hooks, allure) }
}
