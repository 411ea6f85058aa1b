import { dirname } from 'node:path'
import { messageOf } from '../../evidence/errors.ts'
import { MOST_OF_A_RUN, readInputFile, UnreadableFile } from '../../evidence/input-file.ts'
import { makeFolder } from '../../evidence/make-folder.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { EXIT, interruptions } from '../exit.ts'
import { renderPlan } from '../../plan/render-plan.ts'
import { renderConfirmation } from '../../plan/confirmation.ts'
import { isLatest, linkedFolder, openRunFolder } from '../../report/run-folder.ts'
import { minuteOf } from '../../evidence/signals.ts'
import { onOneLine, printable, type RunObserver } from '../../report/run-observer.ts'
import { readReport } from '../../report/read-report.ts'
import { signingKeyOf } from '../../report/certificate/certificate.ts'
import { folded, widthOf } from '../../report/terminal/text.ts'
import { createTerminal, type OriginOf } from '../../report/terminal/terminal.ts'
import { prepareResumedRun } from './resume.ts'
import { STEPS, type Surroundings } from '../../engine/run.ts'
import { unfinishedIn } from '../../engine/resume/unfinished.ts'
import { promptsOf } from '../../engine/run/act.ts'
import { limitsOf, type PreparedRun } from '../../engine/run/prepare.ts'
import { describeSinkAddress, sinkAddressOf } from '../../engine/sink-address.ts'
import type { RunOptions } from '../../engine/run/options.ts'
import type { Prompt } from '../person/prompt.ts'
import type { ResumeOptions } from './options.ts'

/** What precedes the steps of a run: its plan is shown, a person confirms it, and the terminal is opened. */

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
  return folded(printable(text), widthOf(process.stdout))
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
  const { confirm } = await import('./confirmation.ts')
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

/**
 * The prompt for a person who authorizes; undefined if none is needed.
 * @throws ConfigurationError if there is no terminal to ask a person, or no port to receive the redirect.
 */
const openPromptFor = async (
  { plan, subject }: PreparedRun,
  observer: RunObserver,
  interruption: AbortSignal,
): Promise<Prompt | undefined> => {
  const { profile } = subject
  const expected = promptsOf({ plan, subject })
  if (profile.authorization.kind !== 'person' || expected === 0) return undefined
  const { openPrompt } = await import('../person/prompt.ts')
  return openPrompt({
    profile,
    way: profile.authorization,
    plan,
    expected,
    interruption,
    input: process.stdin,
    output: process.stderr,
    pause: () => observer.pauseOutput?.() ?? (() => undefined),
    // Ctrl-C at the prompt ends the run as Ctrl-C elsewhere does.
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
  })
}

/** @returns what is prepared, or the time from which the rest of a run can be resumed. */
const prepareAsked = async (
  asked: RunOptions | ResumeOptions,
  argv: readonly string[],
): Promise<PreparedRun | Date> => {
  if (asked.kind === 'run') {
    const prepared = await STEPS.prepare(asked, argv, process.env)
    for (const warning of prepared.subject.warnings)
      console.error(folded(`warning: ${printable(warning)}`, widthOf(process.stderr)))
    return prepared
  }
  const { out } = asked
  const resumed = await prepareResumedRun({ ...asked, out: linkedFolder(out) }, argv, process.env)
  if ('waitsUntil' in resumed) return resumed.waitsUntil
  const { options, earlier } = resumed.prepared
  // Nothing of the earlier run can be resumed: a new run is started.
  const isNew = earlier === undefined
  return isNew ? { ...resumed.prepared, options: { ...options, out } } : resumed.prepared
}

/** `customer "first customer", variable BANK_PASSWORD` */
const originsIn =
  ({ subject: { profile, variables } }: PreparedRun): OriginOf =>
  (key) => {
    const [list = '', at] = key.split('.')
    const owners: Readonly<Record<string, readonly { readonly name: string }[]>> = {
      customer: profile.customers,
      application: profile.applications,
    }
    const kind = list.slice(0, -1)
    const owner = owners[kind]?.[Number(at)]
    const variable = variables.get(key)
    if (owner === undefined) return undefined
    return `${kind} "${owner.name}"${variable === undefined ? '' : `, variable ${variable}`}`
  }

interface Ready {
  readonly prepared: PreparedRun
  readonly around: Surroundings
  close(): Promise<void>
}

/** Allure reads the whole file, and creates it. @throws ConfigurationError if it can do neither. */
const verifyHistory = (file: string): void => {
  try {
    makeFolder(dirname(file))
    readInputFile(file, MOST_OF_A_RUN)
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return
    throw new ConfigurationError(`--history: ${file} cannot be used (${messageOf(error)}); name another file`)
  }
}

/** @returns the exit code, if nothing is to be run: the plan was shown, was not confirmed, or has to wait. */
export const makeReady = async (
  asked: RunOptions | ResumeOptions,
  argv: readonly string[],
): Promise<Ready | number> => {
  const planned = await prepareAsked(asked, argv)
  if (planned instanceof Date) {
    console.log(
      `The rest of the run in ${linkedFolder(asked.out)} waits until ${minuteOf(planned)}; resume it then.`,
    )
    return EXIT.incomplete
  }
  if (planned.options.dryRun) {
    process.stdout.write(dryRun(planned))
    return EXIT.ok
  }
  // A wrong key is reported before anything is sent, and the run may write into the folder with which it is compared.
  const signingKey = signingKeyOf(process.env)
  const { compare, history } = planned.options
  const previous = compare === undefined ? undefined : readReport(compare)
  if (history !== undefined) verifyHistory(history)
  if (!(await isConfirmed(planned))) return EXIT.interrupted
  const prepared = inFolderOfRun(planned)
  const observer = createTerminal(prepared.options.out, originsIn(prepared))
  const interruption = interruptions()
  const prompt = await openPromptFor(prepared, observer, interruption)
  return {
    prepared,
    around: { observer, interruption, promptChannel: prompt?.line, signingKey, previous },
    close: async () => prompt?.close(),
  }
}
