import { existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { Ended, faultOf } from '../../evidence/exchange.ts'
import { diskFullReason, openJournal, wholeLines } from '../../evidence/journal.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { steadyNow } from '../../evidence/steady-clock.ts'
import { openRecords, RECORDS_FORMAT } from '../../evidence/stored/record-file.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { lockFolder, prepareOut, unwritable } from '../../report/output-folder.ts'
import {
  continueRun,
  startResumableRun,
  type EarlierRun,
  type ResumableRun,
  type Subject,
} from '../resume/resumable-run.ts'
import { logOf, refuseToOverwrite } from '../resume/unfinished.ts'
import { baseOf } from './command-line.ts'
import { evidenceOf, type PreparedRun } from './prepare.ts'
import type { AllureResults } from '../../report/allure/results.ts'
import type { RunObserver } from '../../report/run-observer.ts'

/** The output folder of a run, with its resume log: no other run writes into it until it is closed. */
export interface RunFolder extends ResumableRun, ReturnType<typeof watchDiskSpace> {
  readonly evidence: string
  readonly allure: AllureResults
  /** Aborted by an interruption, or when the disk is full. */
  readonly ends: AbortSignal
  close(): Promise<void>
}

export const watchDiskSpace = (out: string, observer: Pick<RunObserver, 'onWarning'>) => {
  const end = new AbortController()
  /** @param because the reason, with the system's error code. */
  const reportFull = (because: string): void => {
    if (end.signal.aborted) return
    observer.onWarning(
      `${out} cannot be written: ${because}. The run ends and is not a verdict on the target; free disk space, or name another folder (--out).`,
    )
    end.abort()
  }
  return {
    /** Aborted when the disk is full, since further results could not be stored. */
    full: end.signal,
    reportFull,
    /** Writes; a full disk is reported. @throws other errors. */
    async write(write: () => Promise<void>) {
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

/** @throws ConfigurationError if the reports cannot be written. */
export const openFolder = async (
  prepared: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
): Promise<RunFolder> => {
  const { options, earlier } = prepared
  if (earlier === undefined) refuseToOverwrite(options.out)
  const close = await lockFolder(options.out, (sentence) => observer.onWarning(sentence))
  try {
    openFiles(options.out, earlier !== undefined)
    const resumable = await openResumableRun(prepared)
    if (earlier !== undefined) completeEvidence(prepared, earlier)
    const disk = watchDiskSpace(options.out, observer)
    const { openAllureResults } = await import('../../report/allure/results.ts')
    return {
      ...resumable,
      ...disk,
      evidence: evidenceOf(prepared),
      allure: openAllureResults(allureRunOf(prepared)),
      ends: AbortSignal.any([interruption, disk.full]),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const allureRunOf = ({ options, argv, plan, catalogue, subject }: PreparedRun) => ({
  outDir: options.out,
  target: subject.profile.name,
  plan,
  catalogue: catalogue.requirements,
  strict: options.strict,
  reproduceBase: baseOf(argv),
})

// -- Files

/** Files that a resumed run continues. */
const CONTINUED = [OUTPUT.log, OUTPUT.evidence, OUTPUT.records, OUTPUT.report]

/** A killed run may have left a part of a line. */
const repair = (file: string): void => {
  if (existsSync(file)) wholeLines(file)
}

const openFiles = (out: string, isResumed: boolean): void => {
  try {
    prepareOut(out, isResumed ? CONTINUED : [])
    if (isResumed) for (const name of [OUTPUT.evidence, OUTPUT.records]) repair(join(out, name))
    openJournal(join(out, OUTPUT.evidence)).close()
    const records = openRecords(join(out, OUTPUT.records))
    records.write(
      isResumed
        ? { kind: 'resumed', at: new Date().toISOString() }
        : { kind: 'format', format: RECORDS_FORMAT },
    )
    records.close()
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw unwritable(out, error)
  }
}

/**
 * Adds the requests of a killed run that it had sent, but not yet written: its evidence is then the list of all that it
 * may have created.
 */
const completeEvidence = (prepared: PreparedRun, { leftovers }: EarlierRun): void => {
  const redactor = createRedactor(prepared.subject.secrets, prepared.subject.profile)
  const journal = openJournal(evidenceOf(prepared), true)
  const fault = faultOf(new Ended('RUN_KILLED'))
  for (const exchange of leftovers.unread) journal.write(exchange, redactor)
  for (const { method, url, ...intent } of leftovers.unanswered) {
    const request = { method, url, headers: [] }
    journal.write({ kind: 'exchange', ...intent, request, fault, durationMs: 0 }, redactor)
  }
  journal.close()
}

// -- The resume log

/** What must be the same when a run is resumed. */
export const resumedSubject = ({ catalogue, subject }: PreparedRun): Subject => ({
  suite: { name: manifest.name, version: manifest.version, catalogueDigest: catalogue.digest },
  profileDigest: subject.digest,
  baseUrl: subject.baseUrl ?? '',
})

/** Starts the resume log of a run, or continues it. On the embedded bank it has a header only: nothing of it outlives its run. */
const openResumableRun = async (prepared: PreparedRun): Promise<ResumableRun> => {
  const { options, argv, subject, plan, earlier } = prepared
  const file = logOf(options.out)
  if (earlier !== undefined) return continueRun(file, resumedSubject(prepared), subject.profile)
  const now = new Date(steadyNow())
  const about = {
    ...resumedSubject(prepared),
    seed: plan.seed,
    argv: [...argv],
    startedAt: now.toISOString(),
    pace: { origin: now.getTime(), speed: subject.profile.clock.speed },
  }
  return startResumableRun(file, about, subject.profile)
}
