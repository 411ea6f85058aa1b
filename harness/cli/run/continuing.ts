import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { minuteOf } from '../../evidence/signals.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { readLog } from '../../engine/resume/log-file.ts'
import { goOn, standingOf, startContinuation } from '../../engine/resume/resumption.ts'
import { parseRunOptions } from './options.ts'
import { prepare, type Preparation } from './prepare.ts'
import { running } from '../../plan/plan.ts'
import type { Report } from '../../report/schema.ts'
import type { Continuation, Standing, Subject } from '../../engine/resume/resumption.ts'

/** How a run that waits is started, and gone on with. */

const logOf = (out: string): string => join(out, OUTPUT.log)

const subjectOf = ({ catalogue, subject }: Preparation): Subject => ({
  suite: { name: manifest.name, version: manifest.version, catalogueDigest: catalogue.digest },
  profileDigest: subject.digest,
  baseUrl: subject.baseUrl ?? '',
})

/** What the run is gone on with after its end, where it waits by the wall clock. */
export const startOrGoOn = async (preparation: Preparation): Promise<Continuation | undefined> => {
  const { options, argv, subject, plan, standing } = preparation
  if (subject.clock !== 'wall') return undefined
  const file = logOf(options.out)
  if (standing !== undefined) return goOn(file, subjectOf(preparation), subject.profile)
  const now = new Date()
  const about = {
    ...subjectOf(preparation),
    ...{ seed: plan.seed, argv: [...argv], startedAt: now.toISOString() },
    pace: { origin: now.getTime(), speed: subject.profile.clock.speed },
  }
  return startContinuation(file, about, subject.profile)
}

/** A run to go on with, or the time from which on it makes sense. */
export type Resumed = { readonly preparation: Preparation } | { readonly waitsUntil: Date }

/** @throws ConfigurationError where there is nothing to go on with, or it does not fit. */
export const prepareResumed = async (out: string, env: NodeJS.ProcessEnv): Promise<Resumed> => {
  const { argv } = readLog(logOf(out)).header
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new ConfigurationError(`${logOf(out)} is the log of no run`)
  const fresh = await prepare({ ...options, out }, argv, env)
  const { profile } = fresh.subject
  const standing = await standingOf(logOf(out), subjectOf(fresh), profile)
  const waitsUntil = restOf(fresh, standing, Date.now() + profile.deadlines.runMs)
  return waitsUntil === undefined ? { preparation: { ...fresh, standing } } : { waitsUntil }
}

/** When what is left can be judged; nothing, where there is something to do now. */
const restOf = ({ options, plan }: Preparation, standing: Standing, ends: number): Date | undefined => {
  const found = new Set(standing.results.map(({ id }) => id))
  const left = running(plan).filter(({ id }) => !found.has(id))
  if (left.length === 0 && isReported(options.out, standing.resumed))
    throw new ConfigurationError(
      `the run in ${options.out} is finished: there is nothing to resume; its report is ${join(options.out, OUTPUT.report)}`,
    )
  // All is found, and the run ended before it could say so.
  if (left.length === 0) return undefined
  const times = left.map(({ id }) => standing.waits.get(id)?.getTime() ?? 0)
  const next = Math.min(...times)
  return next > ends ? new Date(next) : undefined
}

/** What was waited for is not thrown away by a run that happens to have the same folder. */
export const refuseToForget = (out: string, now = new Date()): void => {
  refuseUnreported(out)
  const { waiting = [] } = lastReport(out)
  const until = waiting.map((one) => new Date(one.until)).filter((time) => time > now)
  if (until.length === 0 || !existsSync(logOf(out))) return
  const last = new Date(Math.max(...until.map((time) => time.getTime())))
  throw new ConfigurationError(
    `--out: the run in ${out} waits until ${minuteOf(last)}, and a new one would take its place; name another folder, go on with it (npm test -- --resume --out ${out}), or remove ${logOf(out)}`,
  )
}

/** A run that was killed has a log, and no report of its own. */
const refuseUnreported = (out: string): void => {
  if (!existsSync(logOf(out))) return
  const { header, sealed } = readLog(logOf(out))
  if (sealed.length === 0 || lastReport(out).run?.startedAt === header.startedAt) return
  throw new ConfigurationError(
    `--out: the run of ${minuteOf(new Date(header.startedAt))} in ${out} ended before it could write its report, and a new one would take its place; name another folder, go on with it (npm test -- --resume --out ${out}), or remove ${logOf(out)}`,
  )
}

/** The last report that was written there, as far as it is one. */
const lastReport = (out: string): Partial<Pick<Report, 'run' | 'waiting' | 'conclusion'>> => {
  try {
    return JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')) as Report
  } catch {
    return {}
  }
}

/** Whether the report is on all that the log knows: one that was interrupted behind its last check does not say so. */
const isReported = (out: string, resumed: number): boolean => {
  const { run, conclusion } = lastReport(out)
  return run !== undefined && conclusion !== 'interrupted' && (run.resumed ?? 0) === resumed
}
