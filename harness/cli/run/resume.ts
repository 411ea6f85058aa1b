import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { minuteOf } from '../../evidence/signals.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { readLog } from '../../engine/resume/log-file.ts'
import { continueRun, readEarlierRun, startResumableRun } from '../../engine/resume/resumable-run.ts'
import { parseRunOptions } from './options.ts'
import { prepareRun, type PreparedRun } from './prepare.ts'
import { running } from '../../plan/plan.ts'
import type { Report } from '../../report/schema.ts'
import type { ResumableRun, EarlierRun, Subject } from '../../engine/resume/resumable-run.ts'

/** Starts and resumes runs that wait by the wall clock. */

const logOf = (out: string): string => join(out, OUTPUT.log)

const subjectOf = ({ catalogue, subject }: PreparedRun): Subject => ({
  suite: { name: manifest.name, version: manifest.version, catalogueDigest: catalogue.digest },
  profileDigest: subject.digest,
  baseUrl: subject.baseUrl ?? '',
})

/** Opens the resume log of a run that waits by the wall clock; other runs have none. */
export const openResumableRun = async (prepared: PreparedRun): Promise<ResumableRun | undefined> => {
  const { options, argv, subject, plan, earlier } = prepared
  if (subject.clock !== 'wall') return undefined
  const file = logOf(options.out)
  if (earlier !== undefined) return continueRun(file, subjectOf(prepared), subject.profile)
  const now = new Date()
  const about = {
    ...subjectOf(prepared),
    seed: plan.seed,
    argv: [...argv],
    startedAt: now.toISOString(),
    pace: { origin: now.getTime(), speed: subject.profile.clock.speed },
  }
  return startResumableRun(file, about, subject.profile)
}

/** A run to resume, or the time at which it can be resumed. */
export type Resumed = { readonly prepared: PreparedRun } | { readonly waitsUntil: Date }

/** @throws ConfigurationError if there is nothing to resume, or the log is that of another run. */
export const prepareResumedRun = async (out: string, env: NodeJS.ProcessEnv): Promise<Resumed> => {
  const { argv } = readLog(logOf(out)).header
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new ConfigurationError(`${logOf(out)} is not the log of a run`)
  const fresh = await prepareRun({ ...options, out }, argv, env)
  const { profile } = fresh.subject
  const earlier = await readEarlierRun(logOf(out), subjectOf(fresh), profile)
  const waitsUntil = restOf(fresh, earlier, Date.now() + profile.deadlines.runMs)
  return waitsUntil === undefined ? { prepared: { ...fresh, earlier } } : { waitsUntil }
}

/** The time at which the remaining checks can run; undefined if some can run now. */
const restOf = ({ options, plan }: PreparedRun, earlier: EarlierRun, ends: number): Date | undefined => {
  const found = new Set(earlier.results.map(({ id }) => id))
  const left = running(plan).filter(({ id }) => !found.has(id))
  if (left.length === 0 && isReported(options.out, earlier.resumed))
    throw new ConfigurationError(
      `the run in ${options.out} is finished: there is nothing to resume; its report is ${join(options.out, OUTPUT.report)}`,
    )
  // Every check is judged, but the run ended before it wrote its report.
  if (left.length === 0) return undefined
  const times = left.map(({ id }) => earlier.waits.get(id)?.getTime() ?? 0)
  const next = Math.min(...times)
  return next > ends ? new Date(next) : undefined
}

/** @throws ConfigurationError if a new run would replace one that can be resumed. */
export const refuseToOverwrite = (out: string, now = new Date()): void => {
  refuseUnreported(out)
  const { waiting = [] } = lastReport(out)
  const until = waiting.map((one) => new Date(one.until)).filter((time) => time > now)
  if (until.length === 0 || !existsSync(logOf(out))) return
  const last = new Date(Math.max(...until.map((time) => time.getTime())))
  throw new ConfigurationError(
    `--out: the run in ${out} waits until ${minuteOf(last)}, and a new run would replace it; name another folder, resume it (npm test -- --resume --out ${out}), or remove ${logOf(out)}`,
  )
}

/** A killed run has a log but no report. */
const refuseUnreported = (out: string): void => {
  if (!existsSync(logOf(out))) return
  const { header, sealed } = readLog(logOf(out))
  if (sealed.length === 0 || lastReport(out).run?.startedAt === header.startedAt) return
  throw new ConfigurationError(
    `--out: the run of ${minuteOf(new Date(header.startedAt))} in ${out} ended before it could write its report, and a new run would replace it; name another folder, resume it (npm test -- --resume --out ${out}), or remove ${logOf(out)}`,
  )
}

/** The last report in the folder. */
const lastReport = (out: string): Partial<Pick<Report, 'run' | 'waiting' | 'conclusion'>> => {
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
