import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteArgument } from '../../evidence/command-names.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { minuteOf } from '../../evidence/signals.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { readLog } from './log-file.ts'
import type { Report } from '../../report/schema.ts'

/** Whether the run in a folder is finished, as its log and its report say. */

export const logOf = (out: string): string => join(out, OUTPUT.log)

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

export const lastReport = (
  out: string,
): Partial<Pick<Report, 'run' | 'waiting' | 'conclusion' | 'created'>> => {
  try {
    return JSON.parse(readFileSync(join(out, OUTPUT.report), 'utf8')) as Report
  } catch {
    return {}
  }
}
