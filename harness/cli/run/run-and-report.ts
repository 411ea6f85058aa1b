import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { baseOf, commandOf } from './command-line.ts'
import { revisionOf } from './revision.ts'
import { refuseToOverwrite, openResumableRun } from './resume.ts'
import { evidenceOf, budgetOf, hasBudgetFor, type PreparedRun } from './prepare.ts'
import { Ended, faultOf } from '../../evidence/exchange.ts'
import { diskFullReason, openJournal, wholeLines } from '../../evidence/journal.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { sanitizeProfile, writeInputs, type Inputs } from '../../report/certificate/inputs-file.ts'
import { steadyNow } from '../../evidence/steady-clock.ts'
import { openRecords, RECORDS_FORMAT } from '../../evidence/stored/record-file.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { running } from '../../plan/plan.ts'
import { estimate } from '../../plan/render-plan.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { assembleReport, clockOffsetIn, type RunRecord } from '../../report/assemble.ts'
import { conclude, verdicts, type RunFlags } from '../../report/conclude.ts'
import { reportWaivers, staleSentences } from '../../report/waivers.ts'
import { readApplications, readPayments, type Created } from '../../report/created.ts'
import { writeSchedule } from '../../report/drawing/schedule.ts'
import { writeDrawings } from '../../report/drawing/model.ts'
import { writeTimeLines } from '../../report/drawing/time-line.ts'
import { digestEvidence, exchangesOf, readStrays } from '../../report/evidence-file.ts'
import { locked, prepareOut, unwritable } from '../../report/output-folder.ts'
import { withUnanswered } from '../../engine/unanswered.ts'
import { writeReports } from '../../report/write.ts'
import { openGrantStore } from '../../session/authorization/grant-store.ts'
import type { RunOptions } from './options.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Prompt } from '../person/prompt.ts'
import type { CleanUpOptions } from './clean-up.ts'
import type { RunInput } from '../../engine/run-input.ts'
import type { EarlierRun, ResumableRun } from '../../engine/resume/resumable-run.ts'
import type { RunResult, RunHooks } from '../../engine/run-plan.ts'
import type { AllureResults, AllureRun } from '../../report/allure/results.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Report } from '../../report/schema.ts'
import type { Contact } from '../../connection/first-contact/first-contact.ts'

/** Grants that earlier runs have stored. */
type StoredGrants = NonNullable<Awaited<ReturnType<typeof openGrantStore>>>

/** @throws ConfigurationError if the stored grants cannot be opened. */
const openStoredGrants = async (
  { subject }: PreparedRun,
  env: NodeJS.ProcessEnv,
): Promise<StoredGrants | undefined> =>
  subject.baseUrl === undefined ? undefined : openGrantStore(subject.profile, subject.baseUrl, env)

/** The maximum number of prompts for a person, and the time that they add to the run's deadline, in ms. */
const promptsOf = ({ plan, subject }: PreparedRun): { readonly times: number; readonly ms: number } => {
  const { authorization } = subject.profile
  const times = authorization.kind === 'person' ? estimate(plan).authorizations : 0
  return { times, ms: authorization.kind === 'person' ? times * authorization.deadlineMs : 0 }
}

/** When a run that begins now is ended, in ms since 1970. */
const deadlineOf = (prepared: PreparedRun): number =>
  steadyNow() + prepared.duration.limitMs + promptsOf(prepared).ms

/**
 * The prompt for a person who authorizes; undefined if none is needed.
 * @throws ConfigurationError if there is no terminal to ask a person, or no port to receive the redirect.
 */
const openPromptFor = async (
  prepared: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
): Promise<Prompt | undefined> => {
  const { plan, subject } = prepared
  const { profile } = subject
  const { times } = promptsOf(prepared)
  if (profile.authorization.kind !== 'person' || times === 0) return undefined
  const { openPrompt } = await import('../person/prompt.ts')
  return openPrompt({
    profile,
    way: profile.authorization,
    plan,
    expected: times,
    interruption,
    input: process.stdin,
    output: process.stderr,
    pause: () => observer.pauseOutput?.() ?? (() => undefined),
    // Ctrl-C at the prompt ends the run as Ctrl-C elsewhere does.
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  })
}

/** The input of a run's worker threads, from the options and the profile. */
export const runInputOf = (prepared: PreparedRun): RunInput => {
  const { options, subject, plan, concurrency, catalogue } = prepared
  const evidenceFile = evidenceOf(prepared)
  return {
    plan,
    ...(catalogue.own && { ownChecks: catalogue.own.folder }),
    profile: subject.profile,
    evidenceFile,
    secrets: subject.secrets,
    concurrency,
    time: options.time,
    deadline: deadlineOf(prepared),
    pace: { origin: steadyNow(), speed: subject.profile.clock.speed },
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...budgetOf(prepared, evidenceFile),
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
  }
}

/** A resumed run may have no budget left. */
const mayProbe = (prepared: PreparedRun): boolean =>
  hasBudgetFor(budgetOf(prepared, evidenceOf(prepared)), 'probe')

/** Whether the target answers. The embedded bank is not probed; if no check runs, nothing is sent. */
const probeTarget = async (prepared: PreparedRun, interruption: AbortSignal): Promise<Contact> => {
  const { profile, baseUrl, secrets } = prepared.subject
  const { earlier } = prepared
  const judged = new Set(earlier?.results.map(({ id }) => id))
  const left = running(prepared.plan).filter(({ id }) => !judged.has(id))
  if (baseUrl === undefined || left.length === 0 || !mayProbe(prepared))
    return { reached: true, warnings: [] }
  const journal = openJournal(evidenceOf(prepared))
  try {
    const { contactTarget } = await import('../../connection/first-contact/first-contact.ts')
    const scenario = earlier === undefined ? 'probe' : `probe~${earlier.resumed + 2}`
    return await contactTarget({ profile, baseUrl, secrets }, { scenario, journal, signal: interruption })
  } catch (error) {
    if (interruption.aborted) return { reached: true, warnings: [] }
    throw error
  } finally {
    journal.close()
  }
}

const unreachableResult = (
  { plan, subject, earlier }: PreparedRun,
  { because, exchanges }: Extract<Contact, { reached: false }>,
): Reached => {
  const unreachable = `${subject.baseUrl ?? ''} cannot be reached: ${because}`
  const known = new Map((earlier?.results ?? []).map((result) => [result.id, result]))
  const results = running(plan).map(
    ({ id, requirement, title }): CheckResult =>
      known.get(id) ?? {
        id,
        requirement,
        title,
        verdict: 'not-reached',
        because: unreachable,
        durationMs: 0,
        exchanges,
      },
  )
  return { result: { results, observations: [] }, unreachable }
}

/** Disk space for the output folder. */
interface DiskSpace {
  /** Aborted when the disk is full, since further results could not be stored. */
  readonly full: AbortSignal
  /** @param because the reason, with the system's error code. */
  reportFull(because: string): void
  /** Writes; a full disk is reported. @throws other errors. */
  write(write: () => Promise<void>): Promise<void>
}

export const watchDiskSpace = (out: string, observer: Pick<RunObserver, 'onWarning'>): DiskSpace => {
  const end = new AbortController()
  const reportFull = (because: string): void => {
    if (end.signal.aborted) return
    observer.onWarning(
      `${out} cannot be written: ${because}. The run ends and is not a verdict on the target; free disk space, or name another folder (--out).`,
    )
    end.abort()
  }
  return {
    full: end.signal,
    reportFull,
    async write(write) {
      try {
        await write()
      } catch (error) {
        const because = diskFullReason(error)
        if (because === undefined) throw error
        reportFull(because)
      }
    },
  }
}

/** Who runs the suite, if anybody is named. */
const operatorOf = ({ operator }: RunOptions): Pick<Report['run'], 'operator'> => {
  const named = operator ?? process.env['CONFORMANCE_OPERATOR']?.trim() ?? ''
  return named === '' ? {} : { operator: named }
}

/** Runs the checks and writes their Allure results. */
export type RunChecks = (runInput: RunInput, hooks: RunHooks, allure: AllureResults) => Promise<RunResult>

/** vitest is imported late, so that a wrong option, a dry run or an unreachable target is reported at once. */
const runInVitest: RunChecks = async (runInput, hooks, { reporter }) => {
  const { runPlan } = await import('../../engine/run-plan.ts')
  return runPlan(runInput, hooks, [reporter])
}

interface Reached {
  readonly result: RunResult
  /** Why the target cannot be reached. */
  readonly unreachable?: string
}

const EMBEDDED = 'embedded'
/** Files that a resumed run continues. */
const CONTINUED = [OUTPUT.log, OUTPUT.evidence, OUTPUT.records, OUTPUT.report]
const NO_RESULT: RunResult = { results: [], observations: [] }

const suiteOf = ({ catalogue }: PreparedRun): Report['suite'] => ({
  name: manifest.name,
  version: manifest.version,
  catalogueDigest: catalogue.digest,
  ...(catalogue.own && {
    ownChecks: { folder: catalogue.own.name, title: catalogue.own.title, digest: catalogue.own.digest },
  }),
})

const targetOf = ({ subject }: PreparedRun): Report['target'] => ({
  name: subject.profile.name,
  baseUrl: subject.baseUrl ?? EMBEDDED,
  environment: subject.profile.environment,
  clock: subject.clock,
  profileDigest: subject.digest,
  ...(!subject.profile.connection.verify && { certificates: 'unverified' }),
})

export const allureRunOf = ({ options, argv, plan, catalogue, subject }: PreparedRun): AllureRun => ({
  outDir: options.out,
  target: subject.profile.name,
  plan,
  catalogue: catalogue.requirements,
  strict: options.strict,
  reproduceBase: baseOf(argv),
})

/**
 * Runs the plan and writes all reports, whatever the conclusion is. Progress goes to the observer.
 * @throws ConfigurationError if the reports cannot be written; then nothing has been sent.
 */
export const runAndReport = async (
  prepared: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
  runChecks: RunChecks = runInVitest,
): Promise<Report> => {
  const { options, earlier } = prepared
  if (earlier === undefined) refuseToOverwrite(options.out)
  const storedGrants = await openStoredGrants(prepared, process.env)
  const prompt = await openPromptFor(prepared, observer, interruption)
  try {
    return await locked(
      options.out,
      () => {
        openOut(options.out, earlier === undefined ? [] : CONTINUED)
        return runLocked(prepared, observer, interruption, { runChecks, prompt, storedGrants })
      },
      (sentence) => observer.onWarning(sentence),
    )
  } finally {
    await prompt?.close()
  }
}

/** The resources of a run, in addition to its plan. */
interface Resources {
  readonly runChecks: RunChecks
  readonly prompt: Prompt | undefined
  readonly storedGrants: StoredGrants | undefined
}

/** What a run resulted in. */
interface RunEnd extends Pick<RunRecord, 'conclusion' | 'gate' | 'exitCode'> {
  readonly result: RunResult
  readonly waivers: NonNullable<RunRecord['waivers']>
  readonly created: NonNullable<RunRecord['created']>
}

export const reportOf = (
  prepared: PreparedRun,
  { startedAt, resumed }: Pick<ResumableRun, 'startedAt' | 'resumed'>,
  { result, ...ended }: RunEnd,
): Report => {
  const { options, argv, plan, catalogue, subject } = prepared
  // The part before a resumed one may have had another clock.
  const finishedAt = new Date(Math.max(startedAt.getTime(), steadyNow()))
  return assembleReport({
    suite: suiteOf(prepared),
    target: { ...targetOf(prepared), ...offsetOf(prepared) },
    run: {
      id: randomUUID(),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      seed: plan.seed,
      command: commandOf(argv),
      revision: revisionOf(),
      strict: options.strict,
      ...operatorOf(options),
      ...(resumed > 0 && { resumed }),
    },
    plan,
    catalogue: catalogue.requirements,
    undisclosed: catalogue.undisclosed,
    ...result,
    payments: readPayments(evidenceOf(prepared)),
    strays: readStrays(evidenceOf(prepared)),
    applications: readApplications(evidenceOf(prepared), subject.profile.loans),
    ...ended,
    evidence: digestEvidence(options.out),
    reproduceBase: baseOf(argv),
  })
}

const runLocked = async (
  prepared: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
  resources: Resources,
): Promise<Report> => {
  const { options, plan, catalogue } = prepared
  const resumable = await openResumableRun(prepared)
  if (prepared.earlier !== undefined) completeEvidence(prepared, prepared.earlier)
  const { waitMs, expectedMs } = prepared.duration
  // How much of its waits a resumed run has behind it is not known.
  observer.onStart(plan, waitMs === 0 || prepared.earlier !== undefined ? undefined : expectedMs)
  const deadline = deadlineOf(prepared)
  const disk = watchDiskSpace(options.out, observer)
  const { openAllureResults } = await import('../../report/allure/results.ts')
  const allure = openAllureResults(allureRunOf(prepared))
  const reached = await runIfReached(prepared, observer, AbortSignal.any([interruption, disk.full]), {
    ...resources,
    disk,
    resumable,
    allure,
  })
  const { unreachable } = reached
  const result = withUnansweredOperations(prepared, reached.result)
  if (unreachable !== undefined) {
    observer.onWarning(unreachable)
    for (const one of result.results) allure.add(one)
  }

  const cleanUpOptions = { evidence: evidenceOf(prepared), interruption, deadline }
  const created = await cleanUpTarget(prepared, reached, cleanUpOptions)

  const levels = new Map(catalogue.requirements.map(({ id, level }) => [id, level]))
  const waivers = reportWaivers(prepared.waivers, verdicts(plan, levels, result.results))
  for (const sentence of staleSentences(waivers)) observer.onWarning(sentence)
  const flags = {
    staleWaiver: waivers.some(({ state }) => state === 'stale'),
    strict: options.strict,
    interrupted: interruption.aborted,
    unreachable: unreachable !== undefined,
  }
  const ending = () => conclude(plan, levels, result.results, { ...flags, unkept: disk.full.aborted })
  const concluded = ending()
  const report = reportOf(prepared, resumable, { ...concluded, result, waivers, created })
  let written = report
  await disk.write(async () => {
    written = await writeReports(report, options.out, (sentence) => observer.onWarning(sentence))
    writeInputs(options.out, inputsOf(prepared, reached, flags))
    writeDrawings(result.visits ?? [], report, options.out)
    writeTimeLines(result.timeLines ?? [], options.out)
    writeSchedule(result.spans ?? [], options.out)
    allure.complete(written)
  })
  return disk.full.aborted ? { ...report, ...ending() } : written
}

/** What the run was given, without secrets, and how it ended. */
const inputsOf = (
  { options, argv, subject, waivers, plan }: PreparedRun,
  { result, unreachable }: Reached,
  { interrupted, unkept = false }: RunFlags,
): Inputs => {
  const { only, skip, allow, seed, runs, time, webhookUrl, strict } = options
  const exchanges = result.results.find(({ because }) => because === unreachable)?.exchanges ?? []
  return {
    format: 1,
    embedded: subject.baseUrl === undefined,
    profile: sanitizeProfile(subject.profile, subject.secrets),
    options: {
      only: [...only],
      skip: [...skip],
      allow: [...allow],
      scope: plan.scope,
      seed,
      runs,
      time,
      strict,
      ...(webhookUrl !== undefined && { webhookUrl }),
    },
    waivers: [...waivers],
    ending: {
      interrupted,
      unkept,
      ...(unreachable !== undefined && { unreachable: { because: unreachable, exchanges: [...exchanges] } }),
    },
    reproduceBase: baseOf(argv),
  }
}

const withUnansweredOperations = (prepared: PreparedRun, result: RunResult): RunResult => {
  const exchanges = exchangesOf(evidenceOf(prepared))
  return { ...result, results: withUnanswered(result.results, exchanges, prepared.catalogue.requirements) }
}

/**
 * Adds the requests of a killed run that it had sent, but not yet written: its evidence is then the list of all that it
 * may have created.
 */
const completeEvidence = (prepared: PreparedRun, { leftovers }: EarlierRun): void => {
  const file = evidenceOf(prepared)
  const redactor = createRedactor(prepared.subject.secrets, prepared.subject.profile)
  const journal = openJournal(file, true)
  const fault = faultOf(new Ended('RUN_KILLED'))
  for (const exchange of leftovers.unread) journal.write(exchange, redactor)
  for (const { method, url, ...intent } of leftovers.unanswered) {
    const request = { method, url, headers: [] }
    journal.write({ kind: 'exchange', ...intent, request, fault, durationMs: 0 }, redactor)
  }
  journal.close()
}

/** Embedded banks end with their scenarios and need no clean-up. */
const cleanUpTarget = async (
  prepared: PreparedRun,
  { result, unreachable }: Reached,
  options: CleanUpOptions,
): Promise<readonly Created[]> => {
  if (prepared.subject.baseUrl === undefined || unreachable !== undefined) return []
  const { cleanUpAfter } = await import('./clean-up.ts')
  return cleanUpAfter(prepared, result.results, options)
}

/** The clock offset from the Date headers; absent if the clock is moved or runs faster. */
const offsetOf = (prepared: PreparedRun): Pick<Report['target'], 'clockOffsetMs'> => {
  const { clock, profile } = prepared.subject
  if (clock !== 'wall' || profile.clock.speed !== 1) return {}
  const offset = clockOffsetIn(evidenceOf(prepared))
  return offset === undefined ? {} : { clockOffsetMs: offset }
}

/** A killed run may have left a part of a line. */
const repair = (file: string): void => {
  if (existsSync(file)) wholeLines(file)
}

const openOut = (out: string, kept: readonly string[]): void => {
  try {
    prepareOut(out, kept)
    if (kept.length > 0) for (const name of [OUTPUT.evidence, OUTPUT.records]) repair(join(out, name))
    openJournal(join(out, OUTPUT.evidence)).close()
    const records = openRecords(join(out, OUTPUT.records))
    records.write(
      kept.length > 0
        ? { kind: 'resumed', at: new Date().toISOString() }
        : { kind: 'format', format: RECORDS_FORMAT },
    )
    records.close()
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw unwritable(out, error)
  }
}

interface OpenRun extends Resources {
  readonly disk: DiskSpace
  readonly resumable: ResumableRun
  readonly allure: AllureResults
}

const runIfReached = async (
  prepared: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
  { resumable, prompt, storedGrants, disk, runChecks, allure }: OpenRun,
): Promise<Reached> => {
  const { subject } = prepared
  const contact = await probeTarget(prepared, interruption)
  if (interruption.aborted) return { result: NO_RESULT }
  for (const warning of contact.warnings) observer.onWarning(warning)
  if (!contact.reached) return unreachableResult(prepared, contact)
  if (contact.doubt !== undefined) observer.onWarning(contact.doubt)
  const planned = runInputOf(prepared)
  const runInput = {
    ...planned,
    secrets: [...planned.secrets, ...(storedGrants?.secrets ?? [])],
    ...(subject.baseUrl !== undefined && { pace: resumable.pace, log: resumable.log }),
    ...(prompt && { promptChannel: prompt.line }),
    ...(storedGrants && { keeping: storedGrants.keeping }),
  }
  const hooks: RunHooks = {
    ...(observer.onWait && { onWait: (notice) => observer.onWait?.(notice) }),
    onResult: (result, drawings) => {
      allure.add(result, drawings)
      observer.onResult(result)
    },
    onFault: (sentence) => observer.onWarning(sentence),
    onDiskFull: (because) => disk.reportFull(because),
    interruption,
  }
  return { result: await runChecks(runInput, hooks, allure) }
}
