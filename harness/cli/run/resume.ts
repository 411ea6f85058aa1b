import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteArgument } from '../../evidence/command-names.ts'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { minuteOf } from '../../evidence/signals.ts'
import { steadyNow } from '../../evidence/steady-clock.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { readLog } from '../../engine/resume/log-file.ts'
import {
  continueRun,
  readEarlierRun,
  startResumableRun,
  verifiedKey,
  type ResumableRun,
  type EarlierRun,
  type Subject,
} from '../../engine/resume/resumable-run.ts'
import { parseRunOptions, type ResumeOptions, type RunOptions } from './options.ts'
import { commandOf } from './command-line.ts'
import { prepareRun, resolveTarget, type PreparedRun } from './prepare.ts'
import { running } from '../../plan/plan.ts'
import type { Report } from '../../report/schema.ts'

/** Starts and resumes runs: those that wait by the wall clock, and those that were killed or interrupted. */

const logOf = (out: string): string => join(out, OUTPUT.log)

const subjectOf = ({ catalogue, subject }: PreparedRun): Subject => ({
  suite: { name: manifest.name, version: manifest.version, catalogueDigest: catalogue.digest },
  profileDigest: subject.digest,
  baseUrl: subject.baseUrl ?? '',
})

/** Starts the resume log of a run, or continues it. On the embedded bank it has a header only: nothing of it outlives its run. */
export const openResumableRun = async (prepared: PreparedRun): Promise<ResumableRun> => {
  const { options, argv, subject, plan, earlier } = prepared
  const file = logOf(options.out)
  if (earlier !== undefined) return continueRun(file, subjectOf(prepared), subject.profile)
  const now = new Date(steadyNow())
  const about = {
    ...subjectOf(prepared),
    seed: plan.seed,
    argv: withoutResume(argv),
    startedAt: now.toISOString(),
    pace: { origin: now.getTime(), speed: subject.profile.clock.speed },
  }
  return startResumableRun(file, about, subject.profile)
}

/** A run to resume or to start, or the time at which it can be resumed. */
type Resumed = { readonly prepared: PreparedRun } | { readonly waitsUntil: Date }

/**
 * What an earlier run in the folder cannot be resumed from is started anew: a scenario in the middle of which it was
 * killed; the whole run, if it had not begun, or was one on the embedded bank.
 * @throws ConfigurationError if there is nothing to resume, or the log is that of another run.
 */
export const prepareResumedRun = async (
  given: ResumeOptions,
  typedArgv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Resumed> => {
  const { out, options } = given
  const file = logOf(out)
  if (given.has !== 'nothing' && !existsSync(file))
    return { prepared: await prepareRun({ ...options, out }, withoutResume(typedArgv), env) }
  const read = readLog(file)
  await verifiedKey(file, read, (await resolveTarget(options, env)).profile)
  const argv = withoutResume(read.header.argv)
  const fresh = await prepareRun(resumedOptions(given, argv), argv, env)
  const { profile, baseUrl } = fresh.subject
  const { run, conclusion } = lastReport(out)
  const isReportedRun = run?.startedAt === read.header.startedAt
  if (read.sealed.length === 0 && !isReportedRun) return { prepared: fresh }
  if (baseUrl === undefined) {
    if (isReportedRun && conclusion !== 'interrupted') throw finished(out)
    return { prepared: fresh }
  }
  const earlier = await readEarlierRun(file, subjectOf(fresh), profile)
  const waitsUntil = restOf(fresh, earlier, steadyNow() + fresh.duration.limitMs)
  return waitsUntil === undefined ? { prepared: { ...fresh, earlier } } : { waitsUntil }
}

const withoutResume = (argv: readonly string[]): string[] =>
  argv.filter((argument) => argument !== '--resume')

/** What decides where requests go and what they may do: it is typed again, and never taken from the folder. */
const TYPED_AGAIN: Readonly<Record<string, (options: RunOptions) => unknown>> = {
  // Of files the digests are compared, since they may have been moved.
  '--profile': ({ profile }) => profile !== undefined,
  '--catalogue': ({ catalogue }) => catalogue !== undefined,
  '--base-url': ({ baseUrl }) => baseUrl,
  '--environment': ({ environment }) => environment,
  '--webhook-url': ({ webhookUrl }) => webhookUrl,
  '--allow': ({ allow }) => allow.toSorted().join(),
}

/** The options in any order and spelling; the folder may have been moved. */
const comparable = (options: RunOptions): string =>
  JSON.stringify({ ...options, profile: '', catalogue: '', allow: '', out: '', yes: false })

/** The options of a run that is resumed. @param argv its command line, from a header that was verified. */
const resumedOptions = ({ out, options, has }: ResumeOptions, argv: readonly string[]): RunOptions => {
  const started = parseRunOptions(argv)
  if (started.kind !== 'run') throw new ConfigurationError(`${logOf(out)} is not the log of a run`)
  const command = commandOf([...argv, '--resume'])
  const missing = Object.keys(TYPED_AGAIN).filter(
    (name) => TYPED_AGAIN[name]?.(started) !== TYPED_AGAIN[name]?.(options),
  )
  if (missing.length > 0)
    throw new ConfigurationError(
      `the run in ${out} was started with another ${missing.join(', ')}, which is not taken from the folder, since it decides where requests go and what they may do: type it again (${command})`,
    )
  if (has === 'others' && comparable(started) !== comparable(options))
    throw new ConfigurationError(
      `the run in ${out} was started with other options (${command}): resume it with these, or with those of its target only; or name another folder`,
    )
  const { profile, catalogue, allow, yes } = options
  return { ...started, profile, catalogue, allow, yes, out }
}

const finished = (out: string): ConfigurationError =>
  new ConfigurationError(
    `the run in ${out} is finished: there is nothing to resume; its report is ${join(out, OUTPUT.report)}`,
  )

/** The time at which the remaining checks can run; undefined if some can run now. */
const restOf = ({ options, plan }: PreparedRun, earlier: EarlierRun, ends: number): Date | undefined => {
  const found = new Set(earlier.results.map(({ id }) => id))
  const left = running(plan).filter(({ id }) => !found.has(id))
  const isCleanedUp = !lastReport(options.out).created?.some(({ deletable }) => deletable)
  if (left.length === 0 && isReported(options.out, earlier.resumed) && isCleanedUp)
    throw finished(options.out)
  // Every check is judged, but the run ended before it wrote its report, or left what it can delete now.
  if (left.length === 0) return undefined
  const times = left.map(({ id }) => earlier.waits.get(id)?.getTime() ?? 0)
  const next = Math.min(...times)
  return next > ends ? new Date(next) : undefined
}

/** @throws ConfigurationError if a new run would replace one that can be resumed. */
export const refuseToOverwrite = (out: string, now = new Date()): void => {
  const unfinished = unfinishedIn(out, now)
  if (unfinished === undefined) return
  throw new ConfigurationError(
    `--out: ${unfinished}, and a new run would replace it; name another folder, resume it (its command with --resume --out ${quoteArgument(out)}), or remove ${logOf(out)}`,
  )
}

/** Why the run in a folder should be resumed; undefined if there is none, or it is finished. */
export const unfinishedIn = (out: string, now: Date): string | undefined => {
  if (!existsSync(logOf(out))) return undefined
  const { header, sealed } = readLog(logOf(out))
  const { run, waiting = [] } = lastReport(out)
  // A killed run has a log but no report.
  if (sealed.length > 0 && run?.startedAt !== header.startedAt)
    return `the run of ${minuteOf(new Date(header.startedAt))} in ${out} ended before it could write its report`
  const until = waiting.map((one) => new Date(one.until)).filter((time) => time > now)
  if (until.length === 0) return undefined
  const last = new Date(Math.max(...until.map((time) => time.getTime())))
  return `the run in ${out} waits until ${minuteOf(last)}`
}

/** The last report in the folder. */
const lastReport = (out: string): Partial<Pick<Report, 'run' | 'waiting' | 'conclusion' | 'created'>> => {
  try {
    return JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')) as Report
  } catch {
    return {}
  }
}

/** Whether the report contains all results of the log. */
const isReported = (out: string, resumed: number): boolean => {
  const { run, conclusion } = lastReport(out)
  return run !== undefined && conclusion !== 'interrupted' && (run.resumed ?? 0) === resumed
}
