import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { steadyNow } from '../../evidence/steady-clock.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { readLog } from '../../engine/resume/log-file.ts'
import { readEarlierRun, verifiedKey, type EarlierRun } from '../../engine/resume/resumable-run.ts'
import { lastReport, logOf } from '../../engine/resume/unfinished.ts'
import { commandOf } from '../../engine/run/command-line.ts'
import { resumedSubject } from '../../engine/run/folder.ts'
import { prepare, type PreparedRun } from '../../engine/run/prepare.ts'
import { resolveTarget } from '../../engine/run/target.ts'
import { parseRunOptions, type ResumeOptions } from './options.ts'
import { running } from '../../plan/plan.ts'
import type { RunOptions } from '../../engine/run/options.ts'

/** Prepares runs that are resumed: those that wait by the wall clock, and those that were killed or interrupted. */

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
    return { prepared: await prepare({ ...options, out }, withoutResume(typedArgv), env) }
  const read = readLog(file)
  await verifiedKey(file, read, (await resolveTarget(options, env)).profile)
  const argv = withoutResume(read.header.argv)
  const fresh = await prepare(resumedOptions(given, argv), argv, env)
  const { profile, baseUrl } = fresh.subject
  const { run, conclusion } = lastReport(out)
  const isReportedRun = run?.startedAt === read.header.startedAt
  if (read.sealed.length === 0 && !isReportedRun) return { prepared: fresh }
  if (baseUrl === undefined) {
    if (isReportedRun && conclusion !== 'interrupted') throw finished(out)
    return { prepared: fresh }
  }
  const earlier = await readEarlierRun(file, resumedSubject(fresh), profile)
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
const comparable = (options: RunOptions) => ({
  ...options,
  profile: '',
  catalogue: '',
  allow: '',
  out: '',
  yes: false,
})

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
  if (has === 'others' && !isDeepStrictEqual(comparable(started), comparable(options)))
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

const isReported = (out: string, resumed: number): boolean => {
  const { run, conclusion } = lastReport(out)
  return run !== undefined && conclusion !== 'interrupted' && (run.resumed ?? 0) === resumed
}
