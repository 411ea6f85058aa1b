import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { baseOf, commandOf } from './options.ts'
import { refuseToForget, startOrGoOn } from './continuing.ts'
import { evidenceOf, type Preparation } from './prepare.ts'
import { budgetOf, isLeft } from './spending.ts'
import { diskFullReason } from '../../evidence/append-line.ts'
import { openJournal, wholeLines } from '../../evidence/journal.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { running } from '../../plan/plan.ts'
import { estimate } from '../../plan/render-plan.ts'
import { besideScenarios } from '../../plan/shard.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { assembleReport, clockOffsetIn } from '../../report/assemble.ts'
import {
  conclude,
  reportWaivers,
  reportWaiversOfPart,
  staleSentences,
  verdicts,
  type RunFlags,
} from '../../report/conclude.ts'
import { readApplications, readPayments, type Created } from '../../report/created.ts'
import { writeDrawings } from '../../report/drawing/model.ts'
import { writeTimeLines } from '../../report/drawing/time-line.ts'
import { digestEvidence, readStrays } from '../../report/evidence-file.ts'
import { locked, prepareOut, unwritable } from '../../report/output-folder.ts'
import { writeReports } from '../../report/write.ts'
import { openGrantStore } from '../../session/authorization/grant-store.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Desk } from '../person/prompt.ts'
import type { Circumstances } from './clean-up.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Continuation } from '../../engine/resume/resumption.ts'
import type { Findings, RunHooks } from '../../engine/run-plan.ts'
import type { AllureRun } from '../../report/allure/results.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Report } from '../../report/schema.ts'
import type { Contact } from '../../target/first-contact/first-contact.ts'

/** What of an earlier run serves this one. */
type Kept = NonNullable<Awaited<ReturnType<typeof openGrantStore>>>

/** @throws ConfigurationError where what is kept cannot be opened. */
const openKeepingFor = async ({ subject }: Preparation, env: NodeJS.ProcessEnv): Promise<Kept | undefined> =>
  subject.baseUrl === undefined ? undefined : openGrantStore(subject.profile, subject.baseUrl, env)

/** Who is there for a run that cannot authorize by itself. */

/** How often a person is asked at most, and how much longer the run may last for it, in ms. */
const demandOf = ({ plan, subject }: Preparation): { readonly times: number; readonly ms: number } => {
  const { authorization } = subject.profile
  const times = authorization.kind === 'person' ? estimate(plan).authorizations : 0
  return { times, ms: authorization.kind === 'person' ? times * authorization.deadlineMs : 0 }
}

/** How long a run may wait for a person, in ms; none of it is taken from its own deadline. */
const askingMs = (preparation: Preparation): number => demandOf(preparation).ms

/**
 * Where a person is asked, if one is to be.
 * @throws ConfigurationError where nobody could answer, or nothing can listen for the redirect.
 */
const openDeskFor = async (
  preparation: Preparation,
  observer: RunObserver,
  interruption: AbortSignal,
): Promise<Desk | undefined> => {
  const { plan, subject } = preparation
  const { profile } = subject
  const { times } = demandOf(preparation)
  if (profile.authorization.kind !== 'person' || times === 0) return undefined
  // Loaded only where somebody is asked.
  const { openDesk } = await import('../person/prompt.ts')
  return openDesk({
    ...{ profile, way: profile.authorization, plan, expected: times, interruption },
    ...{ input: process.stdin, output: process.stderr },
    pause: () => observer.pauseOutput?.() ?? (() => undefined),
    // As if it had been pressed where nobody asks: the command ends the run in good order.
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  })
}

/** What the threads of a run are given, as far as options and profile say it. */
export const certificationOf = (preparation: Preparation): Certification => {
  const { options, subject, plan, concurrency } = preparation
  const evidenceFile = evidenceOf(preparation)
  return {
    plan,
    profile: subject.profile,
    evidenceFile,
    secrets: subject.secrets,
    concurrency,
    time: options.time,
    deadline: Date.now() + subject.profile.deadlines.runMs + askingMs(preparation),
    pace: { origin: Date.now(), speed: subject.profile.clock.speed },
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...budgetOf(preparation, evidenceFile),
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
  }
}

/** Whether the target answers at all, before anything is asked of it. */

/** A run that is gone on with may have nothing left to send. */
const mayProbe = (preparation: Preparation): boolean =>
  isLeft(budgetOf(preparation, evidenceOf(preparation)), 'probe')

/** The embedded bank is there; where nothing runs, nothing is sent. */
const tryOnce = async (preparation: Preparation, interruption: AbortSignal): Promise<Contact> => {
  const { profile, baseUrl, secrets } = preparation.subject
  const { standing } = preparation
  const known = new Set(standing?.results.map(({ id }) => id))
  const left = running(preparation.plan).filter(({ id }) => !known.has(id))
  if (baseUrl === undefined || left.length === 0 || !mayProbe(preparation))
    return { reached: true, warnings: [] }
  const journal = openJournal(evidenceOf(preparation))
  try {
    // The reference bank needs no client before its workers have theirs.
    const { contactTarget } = await import('../../target/first-contact/first-contact.ts')
    const part = besideScenarios('probe', preparation.plan)
    const scenario = standing === undefined ? part : `${part}~${standing.resumed + 2}`
    return await contactTarget({ profile, baseUrl, secrets }, { scenario, journal, signal: interruption })
  } catch (error) {
    if (interruption.aborted) return { reached: true, warnings: [] }
    throw error
  } finally {
    journal.close()
  }
}

const unreached = (
  { plan, subject, standing }: Preparation,
  { because, exchanges }: Extract<Contact, { reached: false }>,
): { readonly findings: Findings; readonly unreachable: string } => {
  const unreachable = `${subject.baseUrl ?? ''} cannot be reached: ${because}`
  const known = new Map((standing?.results ?? []).map((result) => [result.id, result]))
  const results = running(plan).map(
    ({ id, requirement, title }): CheckResult =>
      known.get(id) ?? {
        ...{ id, requirement, title, verdict: 'not-reached', because: unreachable },
        durationMs: 0,
        exchanges,
      },
  )
  return { findings: { results, observations: [] }, unreachable }
}

/** Whether the folder of a run takes what is written into it. */
interface Room {
  /** Aborted when it takes nothing more: what the run would find from then on could be kept nowhere. */
  readonly gone: AbortSignal
  /** @param because in words, with the code of the system. */
  ends(because: string): void
  /** Writes as far as there is room. @throws whatever else goes wrong. */
  fill(write: () => Promise<void>): Promise<void>
}

export const openRoom = (out: string, observer: Pick<RunObserver, 'onWarning'>): Room => {
  const end = new AbortController()
  const ends = (because: string): void => {
    if (end.signal.aborted) return
    observer.onWarning(
      `${out} takes nothing more: ${because}. The run ends here, and is no verdict on the target; make room, or name another folder (--out).`,
    )
    end.abort()
  }
  return {
    gone: end.signal,
    ends,
    async fill(write) {
      try {
        await write()
      } catch (error) {
        const because = diskFullReason(error)
        if (because === undefined) throw error
        ends(because)
      }
    },
  }
}

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
