import { inspect } from 'node:util'
import { endWith, interruptions } from './exit.ts'
import { renderGravity, renderPlan } from '../plan/render-plan.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { minuteOf } from '../evidence/signals.ts'
import { diskFullReason } from '../evidence/append-line.ts'
import { createTerminal, generatePage } from '../report/terminal/terminal.ts'
import { carryOut, conduct } from './run/conduct.ts'
import { prepareResumed } from './run/continuing.ts'
import { prepare, type Preparation } from './run/prepare.ts'
import {
  parseRunOptions,
  refuseSwallowedRunOptions,
  type ResumeOptions,
  type RunOptions,
} from './run/options.ts'
import { limitsOf } from './run/spending.ts'
import { describeSinkAddress, sinkAddressOf } from '../engine/sink-address.ts'

/** `npm test`: from the command line to an exit code. The only place that ends the process. */

const EXIT_INCOMPLETE = 2
const EXIT_CONFIGURATION = 3
const EXIT_HARNESS_ERROR = 5

const dryRun = ({ options, subject, plan, concurrency }: Preparation): string => {
  const limits = limitsOf({ options, subject })
  return renderPlan(plan, {
    target: `${subject.profile.name} (${subject.baseUrl ?? 'embedded'})`,
    environment: subject.profile.environment,
    clock: subject.clock,
    concurrency,
    byPerson: subject.profile.authorization.kind === 'person',
    payment: subject.profile.payments,
    written: { profile: subject.profile, baseUrl: subject.baseUrl },
    sink: describeSinkAddress(sinkAddressOf({ ...subject, webhookUrl: options.webhookUrl })),
    ...(subject.clock === 'wall' && { waits: { profile: subject.profile, now: new Date() } }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...(limits && { budget: limits }),
  })
}

const run = async (options: RunOptions, argv: readonly string[]): Promise<number> => {
  const preparation = await prepare(options, argv, process.env)
  for (const warning of preparation.subject.warnings) console.error(`warning: ${warning}`)
  if (!options.dryRun) return carry(preparation)
  process.stdout.write(dryRun(preparation))
  return 0
}

const EXIT_INTERRUPTED = 130

/** Whoever sits at a terminal is asked before anything grave is sent; nobody else can answer. */
const isConfirmed = async ({ options, plan, subject }: Preparation): Promise<boolean> => {
  const { profile, baseUrl = '' } = subject
  if (options.yes || !process.stdin.isTTY || !process.stderr.isTTY) return true
  const question = renderGravity(plan, {
    target: `${profile.name} (${baseUrl})`,
    environment: profile.environment,
    payment: profile.payments,
    written: { profile, baseUrl },
  })
  if (baseUrl === '' || question.length === 0) return true
  const { confirm } = await import('./run/spending.ts')
  return confirm(question, { input: process.stdin, output: process.stderr })
}

const carry = async (preparation: Preparation): Promise<number> => {
  if (!(await isConfirmed(preparation))) return EXIT_INTERRUPTED
  const terminal = createTerminal(preparation.options.out)
  const report = await conduct(preparation, terminal, interruptions(), { carryOut })
  terminal.showReport(report)
  await generatePage(report, preparation.options.out)
  return report.exitCode
}

const resume = async ({ out }: ResumeOptions): Promise<number> => {
  const resumed = await prepareResumed(out, process.env)
  if ('preparation' in resumed) return carry(resumed.preparation)
  console.log(
    `All that is left of the run in ${out} waits until ${minuteOf(resumed.waitsUntil)}; resume it then.`,
  )
  return EXIT_INCOMPLETE
}

const main = async (argv: readonly string[]): Promise<number> => {
  refuseSwallowedRunOptions(process.env)
  const invocation = parseRunOptions(argv)
  if (invocation.kind === 'run') return run(invocation, argv)
  if (invocation.kind === 'resume') return resume(invocation)
  process.stdout.write(invocation.text)
  return 0
}

const exitCodeOf = (error: unknown): number => {
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT_CONFIGURATION
  }
  console.error('The harness failed; this is no verdict on the target.')
  const unkept = diskFullReason(error)
  console.error(
    unkept === undefined
      ? inspect(error)
      : `Nothing more can be written: ${unkept}. Make room, or name another folder (--out).`,
  )
  return EXIT_HARNESS_ERROR
}

// Node's own exit code for what nobody caught is that of a target that does not conform.
process.on('uncaughtException', (error) => process.exit(exitCodeOf(error)))
await endWith(main(process.argv.slice(2)).catch(exitCodeOf), () =>
  exitCodeOf(new Error('the run waits for something that never comes')),
)
