import { EXIT, interruptions } from './exit.ts'
import { renderPlan } from '../plan/render-plan.ts'
import { renderConfirmation } from '../plan/confirmation.ts'
import { isLatest, linkedFolder, openRunFolder } from '../report/run-folder.ts'
import { minuteOf } from '../evidence/signals.ts'
import { onOneLine, printable } from '../report/run-observer.ts'
import { signingKeyOf } from '../report/certificate/certificate.ts'
import { sealOutput } from './run/seal-output.ts'
import { createTerminal } from '../report/terminal/terminal.ts'
import { generatePages, preparePages } from './run/pages.ts'
import { runAndReport } from './run/run-and-report.ts'
import { prepareResumedRun, unfinishedIn } from './run/resume.ts'
import { limitsOf, prepareRun, type PreparedRun } from './run/prepare.ts'
import { describeSinkAddress, sinkAddressOf } from '../engine/sink-address.ts'
import type { ResumeOptions, RunOptions } from './run/options.ts'

/** Runs the plan or shows it. */

const dryRun = ({ options, subject, plan, concurrency }: PreparedRun): string => {
  const limits = limitsOf({ options, subject })
  const text = renderPlan(plan, {
    target: onOneLine(`${subject.profile.name} (${subject.baseUrl ?? 'embedded'})`),
    environment: subject.profile.environment,
    clock: subject.clock,
    concurrency,
    byPerson: subject.profile.authorization.kind === 'person',
    payment: subject.profile.payments,
    written: { profile: subject.profile, baseUrl: subject.baseUrl },
    personalData: subject.profile.personalData,
    sink: describeSinkAddress(sinkAddressOf({ ...subject, webhookUrl: options.webhookUrl })),
    ...(subject.clock === 'wall' && { waits: { profile: subject.profile, now: new Date() } }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...(limits && { budget: limits }),
  })
  return printable(text)
}

export const run = async (options: RunOptions, argv: readonly string[]): Promise<number> => {
  const prepared = await prepareRun(options, argv, process.env)
  for (const warning of prepared.subject.warnings) console.error(`warning: ${printable(warning)}`)
  if (!options.dryRun) return confirmAndRun(prepared)
  process.stdout.write(dryRun(prepared))
  return 0
}

/** Asks at the terminal before payments or loan applications are sent. Without a terminal it only says what is sent. */
const isConfirmed = async ({ options, plan, subject }: PreparedRun): Promise<boolean> => {
  const { profile, baseUrl = '' } = subject
  const question = renderConfirmation(plan, {
    target: onOneLine(`${profile.name} (${baseUrl})`),
    environment: profile.environment,
    payment: profile.payments,
    written: { profile, baseUrl },
  })
  if (baseUrl === '' || question.length === 0) return true
  if (options.yes || !process.stdin.isTTY || !process.stderr.isTTY) {
    for (const line of question) console.error(printable(line))
    return true
  }
  const { confirm } = await import('./run/confirmation.ts')
  return confirm(question.map(printable), { input: process.stdin, output: process.stderr })
}

/** A new run without `--out` has a folder of its own. */
const inFolderOfRun = (planned: PreparedRun): PreparedRun => {
  const { options, earlier } = planned
  if (earlier !== undefined || !isLatest(options.out)) return planned
  const now = new Date()
  const out = openRunFolder(now, (folder) => unfinishedIn(folder, now) !== undefined)
  return { ...planned, options: { ...options, out } }
}

const confirmAndRun = async (planned: PreparedRun): Promise<number> => {
  // A wrong key is reported before anything is sent.
  signingKeyOf(process.env)
  const pages = preparePages(planned.options)
  if (!(await isConfirmed(planned))) return EXIT.interrupted
  const prepared = inFolderOfRun(planned)
  const terminal = createTerminal(prepared.options.out)
  const report = await runAndReport(prepared, terminal, interruptions())
  terminal.showReport(report)
  await generatePages(report, prepared.options.out, pages)
  sealOutput(report, prepared.options.out, terminal)
  return report.exitCode
}

export const resume = async (given: ResumeOptions, argv: readonly string[]): Promise<number> => {
  const { out } = given
  const folder = linkedFolder(out)
  const resumed = await prepareResumedRun({ ...given, out: folder }, argv, process.env)
  if ('prepared' in resumed) {
    const { options, earlier } = resumed.prepared
    // Nothing of the earlier run can be resumed: a new run is started.
    const isNew = earlier === undefined
    return confirmAndRun(isNew ? { ...resumed.prepared, options: { ...options, out } } : resumed.prepared)
  }
  console.log(`The rest of the run in ${folder} waits until ${minuteOf(resumed.waitsUntil)}; resume it then.`)
  return EXIT.incomplete
}
