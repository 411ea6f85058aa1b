import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import {
  HELP,
  integer,
  list,
  readCommandLine,
  refuseOptionsConsumedByNpm,
  TARGET_OPTIONS,
  TextAskedFor,
  word,
  type CommandDefinition,
  type OptionLine,
} from '../options.ts'
import { typed } from '../../evidence/command-names.ts'
import { EFFECTS } from '../../evidence/exchange.ts'
import { showUrl } from '../../profile/configuration-error.ts'
import { DEFAULT_SCOPE, SCOPE_NAMES } from '../../plan/scope.ts'
import { LATEST } from '../../report/run-folder.ts'
import type { RunOptions } from '../../engine/run/options.ts'

export interface ResumeOptions {
  readonly kind: 'resume'
  readonly out: string
  /** The options on the command line. Those that do not concern the target are in the resume log as well. */
  readonly options: RunOptions
  readonly has: 'nothing' | 'target' | 'others'
}

const renderExamples = (examples: readonly (readonly [line: string, about?: string])[]): string => {
  const width = Math.max(...examples.map(([line, about]) => (about === undefined ? 0 : line.length)))
  return examples
    .map(([line, about]) => (about === undefined ? `  ${line}` : `  ${line.padEnd(width)}  ${about}`))
    .join('\n')
}

const DEFAULTS = { seed: 42, runs: 25, time: 'auto', out: LATEST } as const
/** --no-pages is known to commander as a switch that is on. */
const SWITCHES = { strict: false, pages: true, pdf: false, dryRun: false, yes: false }

const COUNT = integer(1, 10_000)

/** A plan has the options of its run. */
export type RunCommand = 'run' | 'plan'

const SCOPE_OPTIONS: readonly OptionLine[] = [
  [
    '--scope <name>',
    `judge this scope completely: ${SCOPE_NAMES.join(', ')} (default: ${DEFAULT_SCOPE})`,
    word(SCOPE_NAMES),
  ],
  [
    '--catalogue <dir>',
    'also judge the checks in this folder, which a bank or a scheme wrote for itself (default: none)',
  ],
  ['--only <selector...>', 'only these requirements: ids, chapters, tags (default: all)'],
  ['--skip <selector...>', 'all except these; `time` selects scenarios that wait (default: none)'],
  [
    '--allow <effect...>',
    `effects to allow in addition to those of the profile: ${EFFECTS.join(', ')} (default: none)`,
    list(word(EFFECTS)),
  ],
  ['--strict', 'a broken SHOULD also fails the run (default: it is a warning)'],
  ['--waivers <file>', 'accepted exceptions, each with its reason, owner and last day (default: none)'],
  ['--dry-run', 'show the plan and send nothing (default: off)'],
  [
    '--yes',
    'do not ask for confirmation before a run that does more in production than reading and consents (default: ask at a terminal)',
  ],
]

const EXECUTION_OPTIONS: readonly OptionLine[] = [
  [
    '--seed <n>',
    `seed of all random values, 32 bits (default: ${DEFAULTS.seed})`,
    integer(-(2 ** 31), 2 ** 31 - 1),
  ],
  ['--runs <n>', `runs of each property (default: ${DEFAULTS.runs})`, COUNT],
  ['--rate <n>', 'maximum of requests per second (default: no limit)', COUNT],
  [
    '--budget <n>',
    "maximum of requests in total; further requests are not sent (default: the profile's, or no limit)",
    integer(1, 10_000_000),
  ],
  [
    '--concurrency <n>',
    'number of concurrent scenarios (default: 1, since scenarios share the customer and a later grant may end an earlier one)',
    integer(1, 100),
  ],
  [
    '--time <source>',
    `auto: move the target's clock if it can be moved; wall: wait, and continue longer waits with --resume (default: ${DEFAULTS.time})`,
    word(['auto', 'wall']),
  ],
  ['--operator <name>', 'who runs the suite, for the report (default: the variable CONFORMANCE_OPERATOR)'],
  [
    '--out <dir>',
    `folder of the reports (default: ${DEFAULTS.out}), which leads to a new folder in reports/runs`,
  ],
  [
    '--no-pages',
    'write no HTML pages; report.json, JUnit, the summary and the evidence are written (default: pages are written)',
  ],
  ['--pdf', 'also write the compliance report as PDF, with an installed Chromium (default: off)'],
  [
    '--compare <dir>',
    'compare with the earlier run in this folder: the compliance report shows what was fixed, broken and newly tested (default: none)',
  ],
  [
    '--history <file>',
    'the file in which the Allure page keeps the results of earlier runs, to show how they changed (default: none)',
  ],
  [
    '--resume',
    'resume the run in --out that was killed or interrupted, or that waits, or start it if there is none; its target and --allow are typed again (default: a new run)',
  ],
]

const EPILOGUE = `
Examples:
${renderExamples([
  [typed('run'), 'check the embedded reference bank'],
  [typed('plan', '--profile bank.yaml'), 'see what would be sent to a target'],
  [typed('run', '--base-url https://api.bank.example --profile bank.yaml')],
  [typed('run', '--profile bank.yaml --only tokens PAY-09 --seed 7')],
  [typed('run', '--profile bank.yaml --resume'), 'resume a run that waits'],
])}

Exit codes:
  0    the target conforms
  1    it does not conform
  2    incomplete: something mandatory was not reached or inconclusive
  3    the options or the profile are wrong; no request was sent
  4    the target or the environment is unreachable
  5    the suite itself failed
  6    it conforms, but an accepted exception is no longer needed (stale-waiver)
  130  interrupted
`

const definitionOf = (command: RunCommand): CommandDefinition => ({
  command,
  description:
    command === 'run'
      ? 'Checks a target, or the embedded reference bank, and writes the reports.'
      : 'Shows what a run with the same options would send, and sends nothing.',
  usage: '[options]',
  groups: {
    Target: [
      [
        '--profile <file>',
        'the file that describes the target: .ts, .js, .mjs, .json, .yaml or .yml (default: none, the embedded reference bank is checked)',
      ],
      ...TARGET_OPTIONS,
    ],
    Scope: SCOPE_OPTIONS,
    Execution: EXECUTION_OPTIONS,
    Other: [HELP, ['-V, --version', 'print the version']],
  },
  epilogue: EPILOGUE,
})

/**
 * Reads the command line of `npm test`, without the program's own name.
 * @throws ConfigurationError with every problem, and TextAskedFor with --help or --version.
 */
export const parseRunOptions = (
  argv: readonly string[],
  command: RunCommand = 'run',
): RunOptions | ResumeOptions => {
  const line = readCommandLine<RunOptions & { readonly resume: true }>(
    definitionOf(command),
    argv,
    describeOperand,
  )
  const { values, addProblem } = line
  const isGiven = (option: string): boolean => line.given.includes(option)
  if (isGiven('--version')) throw new TextAskedFor(`${manifest.name} ${manifest.version}\n`)
  if (isGiven('--pdf') && isGiven('--no-pages')) addProblem('--pdf and --no-pages exclude each other')
  if (isGiven('--resume') && isGiven('--dry-run')) addProblem('--resume and --dry-run exclude each other')
  if (isGiven('--base-url') && !isGiven('--profile'))
    addProblem(
      `--base-url needs --profile too: the file with the credentials and customers of the target; to write it: ${typed('init', `--base-url ${values.baseUrl ?? 'URL'}`)}`,
    )
  line.verify()
  const { only, skip, allow, resume, ...others } = values
  const lists = { only: unique(only), skip: unique(skip), allow: unique(allow) }
  const options = { kind: 'run' as const, ...DEFAULTS, ...SWITCHES, ...others, ...lists }
  if (resume) return { kind: 'resume', out: options.out, options, has: typedKinds(line.given) }
  return command === 'plan' ? { ...options, dryRun: true } : options
}

const describeOperand = (operand: string): string =>
  operand.includes('://')
    ? `${showUrl(operand)} does not belong to an option; to pass the URL of a target, write --base-url before it`
    : `'${operand}' does not belong to an option; to select requirements, write --only ${operand}`

const unique = <Value>(values: readonly Value[] = []): readonly Value[] => [...new Set(values)]

const TARGET: ReadonlySet<string> = new Set([
  ...['--profile', '--base-url', '--environment', '--webhook-url', '--allow', '--catalogue', '--yes'],
])

const typedKinds = (given: readonly string[]): ResumeOptions['has'] => {
  const others = given.filter((name) => name !== '--resume' && name !== '--out')
  if (others.length === 0) return 'nothing'
  return others.every((name) => TARGET.has(name)) ? 'target' : 'others'
}

/** @throws ConfigurationError if npm has consumed options of `npm test`. */
export const refuseRunOptionsConsumedByNpm = (env: NodeJS.ProcessEnv, command: RunCommand = 'run'): void =>
  refuseOptionsConsumedByNpm(definitionOf(command), env)
