import { randomUUID, type KeyObject } from 'node:crypto'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { diskFullReason } from '../../evidence/journal.ts'
import { steadyNow } from '../../evidence/steady-clock.ts'
import { revisionOf } from '../../plan/revision.ts'
import { assembleReport, clockOffsetIn } from '../../report/assemble.ts'
import { sealFolder } from '../../report/certificate/certificate.ts'
import { sanitizeProfile, writeInputs, type Inputs } from '../../report/certificate/inputs-file.ts'
import { recordedIn } from '../../report/created.ts'
import { writeDrawings } from '../../report/drawing/model.ts'
import { writeSchedule } from '../../report/drawing/schedule.ts'
import { writeTimeLines } from '../../report/drawing/time-line.ts'
import { writePages } from '../../report/pages.ts'
import { staleSentences } from '../../report/waivers.ts'
import { writeReports } from '../../report/write.ts'
import { baseOf, commandOf } from './command-line.ts'
import { judge, type Judged } from './judge.ts'
import { evidenceOf, type PreparedRun } from './prepare.ts'
import type { Ending } from '../../report/conclude.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Report } from '../../report/schema.ts'
import type { ResumableRun } from '../resume/resumable-run.ts'
import type { Acted } from './act.ts'
import type { Reach } from '../../connection/first-contact/first-contact.ts'
import type { RunFolder } from './folder.ts'

/** The fifth step of a run: report.json and all that follows from it. */

const EMBEDDED = 'embedded'

const suiteOf = ({ catalogue }: PreparedRun): Report['suite'] => ({
  name: manifest.name,
  version: manifest.version,
  catalogueDigest: catalogue.digest,
  ...(catalogue.own && {
    ownChecks: { folder: catalogue.own.name, title: catalogue.own.title, digest: catalogue.own.digest },
  }),
})

/** The clock offset from the Date headers; absent if the clock is moved or runs faster. */
const offsetOf = (prepared: PreparedRun): Pick<Report['target'], 'clockOffsetMs'> => {
  const { clock, profile } = prepared.subject
  if (clock !== 'wall' || profile.clock.speed !== 1) return {}
  const offset = clockOffsetIn(evidenceOf(prepared))
  return offset === undefined ? {} : { clockOffsetMs: offset }
}

const targetOf = (prepared: PreparedRun): Report['target'] => {
  const { profile, baseUrl, clock, digest } = prepared.subject
  return {
    name: profile.name,
    baseUrl: baseUrl ?? EMBEDDED,
    environment: profile.environment,
    clock,
    profileDigest: digest,
    ...(!profile.connection.verify && { certificates: 'unverified' }),
    ...offsetOf(prepared),
  }
}

/** Who runs the suite, if anybody is named. */
const operatorOf = ({ options: { operator } }: PreparedRun): Pick<Report['run'], 'operator'> => {
  const named = operator ?? process.env['CONFORMANCE_OPERATOR']?.trim() ?? ''
  return named === '' ? {} : { operator: named }
}

export const reportOf = (
  prepared: PreparedRun,
  { startedAt, resumed }: Pick<ResumableRun, 'startedAt' | 'resumed'>,
  acted: Acted,
  judged: Judged,
): Report => {
  const { options, argv, plan, catalogue, subject } = prepared
  // The part before a resumed one may have had another clock.
  const finishedAt = new Date(Math.max(startedAt.getTime(), steadyNow()))
  return assembleReport({
    suite: suiteOf(prepared),
    target: targetOf(prepared),
    run: {
      id: randomUUID(),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      seed: plan.seed,
      command: commandOf(argv),
      revision: revisionOf(),
      strict: options.strict,
      ...operatorOf(prepared),
      ...(resumed > 0 && { resumed }),
    },
    plan,
    catalogue: catalogue.requirements,
    notShown: catalogue.notShown,
    ...acted,
    ...judged,
    ...recordedIn(options.out, subject.profile, plan),
    reproduceBase: baseOf(argv),
  })
}

/** What the run was given, without secrets, and how it ended. */
const inputsOf = (
  { options, argv, subject, waivers, plan }: PreparedRun,
  contact: Reach,
  { flags }: Judged,
): Inputs => {
  const { only, skip, allow, seed, runs, time, webhookUrl, strict } = options
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
      interrupted: flags.interrupted,
      unkept: flags.unkept === true,
      ...(!contact.reached && {
        unreachable: { because: contact.because, exchanges: [...contact.exchanges] },
      }),
    },
    reproduceBase: baseOf(argv),
  }
}

/** Writes the manifest and the certificate, after all other files. A full disk is reported. */
const seal = (
  written: Report,
  outDir: string,
  key: KeyObject | undefined,
  observer: Pick<RunObserver, 'onWarning'>,
): void => {
  try {
    sealFolder(outDir, written, key)
  } catch (error) {
    const because = diskFullReason(error)
    if (because === undefined) throw error
    observer.onWarning(`the manifest of ${outDir} could not be written: ${because}`)
  }
}

/** What is needed to report, besides what was prepared and found. */
export interface Reporting {
  readonly observer: RunObserver
  readonly signingKey?: KeyObject | undefined
  /** The report with which the compliance report compares this one. */
  readonly previous?: Report | undefined
}

/** The conclusion, if results could not be stored. */
const unkept = (prepared: PreparedRun, { results, flags }: Judged): Ending => {
  const { conclusion, gate, exitCode } = judge({ ...prepared, evidence: evidenceOf(prepared) }, results, {
    ...flags,
    unkept: true,
  })
  return { conclusion, gate, exitCode }
}

/** Writes the reports, whatever the conclusion is; the pages after the summary, since they take seconds. */
export const report = async (
  prepared: PreparedRun,
  contact: Reach,
  acted: Acted,
  judged: Judged,
  folder: RunFolder,
  { observer, signingKey, previous }: Reporting,
): Promise<Report> => {
  const { options, catalogue } = prepared
  const { out } = options
  if (!contact.reached) observer.onWarning(contact.because)
  for (const result of judged.results) folder.allure.add(result)
  for (const sentence of staleSentences(judged.waivers)) observer.onWarning(sentence)
  const assembled = reportOf(prepared, folder, acted, judged)
  let written = assembled
  observer.onStep?.('writing the reports')
  await folder.write(async () => {
    written = await writeReports(assembled, out, (sentence) => observer.onWarning(sentence))
    writeInputs(out, inputsOf(prepared, contact, judged))
    writeDrawings(acted.visits ?? [], assembled, out)
    writeTimeLines(acted.timeLines ?? [], out)
    writeSchedule(acted.spans ?? [], out)
    folder.allure.complete(written)
  })
  if (folder.full.aborted) written = { ...assembled, ...unkept(prepared, judged) }
  observer.onReport?.(written)
  // They are larger than what could not be written.
  if (folder.full.aborted) return written
  await writePages(written, out, { ...options, catalogue, previous })
  seal(written, out, signingKey, observer)
  return written
}
