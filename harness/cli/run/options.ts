import manifest from '../../../package.json' with { type: 'json' }
import {
  readCommandLine,
  refuseOptionsTakenByNpm,
  TARGET_OPTIONS,
  type CommandDefinition,
  type CommandLine,
} from '../options.ts'
import { EFFECTS, type Effect } from '../../evidence/exchange.ts'
import { settleBaseUrl, settleHttpUrl, showUrl } from '../../profile/configuration-error.ts'
import { ENVIRONMENTS, type Environment } from '../../profile/environments.ts'
import type { ShardChoice } from '../../plan/shard.ts'

/** The options of `npm test`. */

/** What names a target. */
export interface TargetOptions {
  /** The file, as the user named it; left out, the reference bank is certified. */
  readonly profile: string | undefined
  /** Without its last slash. Left out, the profile's. */
  readonly baseUrl: string | undefined
  /** Left out, the profile's. */
  readonly environment: Environment | undefined
  readonly webhookUrl: string | undefined
}

/** What a run was asked for. */
export interface RunOptions extends TargetOptions {
  readonly kind: 'run'
  /** Selectors: ids, chapters, tags. The plan says whether they match anything. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** Effects beyond those that the profile allows. */
  readonly allow: readonly Effect[]
  readonly strict: boolean
  /** A signed 32-bit integer. */
  readonly seed: number
  /** How often a property is tried. */
  readonly runs: number
  /** Requests per second at most; left out, there is no limit. */
  readonly rate: number | undefined
  /** Requests in all at most; left out, the profile's. */
  readonly budget: number | undefined
  /** Scenarios at a time; left out, the run decides. */
  readonly concurrency: number | undefined
  readonly time: 'auto' | 'wall'
  /** A file of declared exceptions. */
  readonly waivers: string | undefined
  /** The part of the plan that runs; left out, all of it. */
  readonly shard: ShardChoice | undefined
  readonly out: string
  readonly dryRun: boolean
  /** Run without asking for confirmation. */
  readonly yes: boolean
}

/** Resumes a run: all of its options are in its log. */
export interface ResumeOptions {
  readonly kind: 'resume'
  /** The folder of its reports. */
  readonly out: string
}

/** What the command line asks for: a run, one to be resumed, or a text to print. */
export type Invocation =
  RunOptions | ResumeOptions | { readonly kind: 'help' | 'version'; readonly text: string }

const DEFAULTS = { seed: 42, runs: 25, time: 'auto', out: 'reports/latest' } as const

const TEST_COMMAND: CommandDefinition = {
  name: 'npm test --',
  usage: '[options]',
  groups: {
    'Whom to judge': [
      [
        '--profile <file>',
        'what the owner of the target has to tell: .ts, .js, .mjs, .json, .yaml or .yml (default: none, the embedded reference bank is judged)',
      ],
      ...TARGET_OPTIONS,
    ],
    'What to judge': [
      ['--only <selector...>', 'only these requirements: ids, chapters, tags (default: all)'],
      ['--skip <selector...>', 'all but these; `time` is all that waits (default: none)'],
      [
        '--allow <effect...>',
        `what may be done to the target, in addition to what the profile allows: ${EFFECTS.join(', ')} (default: nothing more)`,
      ],
      ['--strict', 'a broken SHOULD fails the run too (default: it warns)'],
      ['--waivers <file>', 'declared exceptions, each with its reason, owner and last day (default: none)'],
      [
        '--shard <i/n>',
        'part i of n of the plan: run all n, and put them together with npm run merge (default: the whole plan)',
      ],
      ['--dry-run', 'show the plan and send nothing (default: off)'],
      [
        '--yes',
        'do not ask before a run that does more in production than reading and consents (default: a terminal is asked)',
      ],
    ],
    'How to judge': [
      ['--seed <n>', `seed of all that is random, 32 bits (default: ${DEFAULTS.seed})`],
      ['--runs <n>', `tries of each property (default: ${DEFAULTS.runs})`],
      ['--rate <n>', 'requests per second at most (default: no limit)'],
      [
        '--budget <n>',
        "requests in all at most; those above it are not sent (default: the profile's, or no limit)",
      ],
      [
        '--concurrency <n>',
        'scenarios at a time (default: 1, since scenarios share the customer and a later grant may end an earlier one)',
      ],
      [
        '--time <source>',
        `auto: move the target's clock if it can be moved; wall: wait, and leave to --resume what takes longer than the run may last (default: ${DEFAULTS.time})`,
      ],
      ['--out <dir>', `folder of the reports (default: ${DEFAULTS.out})`],
      ['--resume', 'resume the run in --out that was interrupted, or that waits (default: a new run)'],
    ],
    Other: [
      ['-h, --help', 'print this text'],
      ['-V, --version', 'print the version'],
    ],
  },
  epilogue: `
Examples:
  npm test                                   judge the embedded reference bank
  npm test -- --profile bank.yaml --dry-run  see what would be sent to a target
  npm test -- --base-url https://api.bank.example --profile bank.yaml
  npm test -- --profile bank.yaml --only tokens PAY-09 --seed 7
  npm test -- --resume --out reports/bank    resume a run that waits

Exit codes:
  0    the target conforms
  1    it does not conform
  2    incomplete: something mandatory was not reached or inconclusive
  3    the options or the profile are wrong; no request was sent
  4    the target or the environment is unreachable
  5    the suite itself failed
  130  interrupted
`,
}

const SEED = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const COUNT = { min: 1, max: 10_000 }
const REQUESTS = { min: 1, max: 10_000_000 }
const SIMULTANEOUS = { min: 1, max: 100 }

/**
 * Reads the command line of `npm test`, without the program's own name.
 * @throws ConfigurationError with all that is wrong with it.
 */
export const parseRunOptions = (argv: readonly string[]): Invocation => {
  const line = readCommandLine(TEST_COMMAND, argv)
  if (line.isGiven('--help')) return { kind: 'help', text: line.help }
  if (line.isGiven('--version')) return { kind: 'version', text: `${manifest.name} ${manifest.version}\n` }
  for (const typed of line.operands) line.complain(strayWord(typed))
  const options = line.isGiven('--resume') ? resumeOptionsIn(line) : runOptionsIn(line)
  line.verify()
  return options
}

const strayWord = (typed: string): string =>
  typed.includes('://')
    ? `${showUrl(typed)} belongs to no option; to name a target, write --base-url before it`
    : `'${typed}' belongs to no option; to choose what runs, write --only ${typed}`

const outIn = (line: CommandLine): string => line.text('--out', 'a folder') ?? DEFAULTS.out

const resumeOptionsIn = (line: CommandLine): ResumeOptions => {
  for (const option of line.given.filter((name) => name !== '--resume' && name !== '--out'))
    line.complain(
      `--resume takes its options from the log of the run: ${option} cannot be given with it (only --out, which names the folder)`,
    )
  return { kind: 'resume', out: outIn(line) }
}

/** Reads the options that name a target, from the command line of any command that has them. */
export const targetOptionsIn = (line: CommandLine): TargetOptions => {
  const profile = line.text('--profile', 'a file')
  const baseUrl = line.url('--base-url', settleBaseUrl)
  if (line.isGiven('--base-url') && !line.isGiven('--profile'))
    line.complain('--base-url needs --profile too: the file with the credentials and customers of the target')
  return {
    profile,
    baseUrl,
    environment: line.word('--environment', ENVIRONMENTS),
    webhookUrl: line.url('--webhook-url', (address) =>
      settleHttpUrl(address, 'https://me.example:8443/webhook'),
    ),
  }
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]

const runOptionsIn = (line: CommandLine): RunOptions => ({
  kind: 'run',
  ...targetOptionsIn(line),
  only: unique(line.list('--only')),
  skip: unique(line.list('--skip')),
  allow: unique(line.words('--allow', EFFECTS)),
  strict: line.isGiven('--strict'),
  seed: line.integer('--seed', SEED) ?? DEFAULTS.seed,
  runs: line.integer('--runs', COUNT) ?? DEFAULTS.runs,
  rate: line.integer('--rate', COUNT),
  budget: line.integer('--budget', REQUESTS),
  concurrency: line.integer('--concurrency', SIMULTANEOUS),
  time: line.word('--time', ['auto', 'wall']) ?? DEFAULTS.time,
  waivers: line.text('--waivers', 'a file'),
  shard: shardIn(line),
  out: outIn(line),
  dryRun: line.isGiven('--dry-run'),
  yes: line.isGiven('--yes'),
})

const MOST_SHARDS = 1000

/** `--shard 2/3` */
const shardIn = (line: CommandLine): ShardChoice | undefined => {
  const typed = line.text('--shard', 'a part of the plan')
  if (typed === undefined) return undefined
  const [, index, count] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(typed) ?? []).map(Number)
  if (index !== undefined && count !== undefined && index <= count && count <= MOST_SHARDS)
    return { index, count }
  return line.complain(
    `--shard: expected i/n, the part and the number of parts, as 1/3, 2/3 and 3/3 (n at most ${MOST_SHARDS}); received '${typed}'`,
  )
}

/** @throws ConfigurationError where npm has kept options of `npm test` for itself. */
export const refuseSwallowedRunOptions = (env: NodeJS.ProcessEnv): void =>
  refuseOptionsTakenByNpm(TEST_COMMAND, env)

/** A command line as a person would type it again. */

const isPlain = /^[\w@%+=:,./-]+$/

/** Quotes for a POSIX shell what a shell would read otherwise. */
export const quoteArgument = (argument: string): string =>
  isPlain.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`

export const commandOf = (argv: readonly string[]): string =>
  argv.length === 0 ? 'npm test' : `npm test -- ${argv.map(quoteArgument).join(' ')}`

const CHOOSING = new Set(['--only', '--skip', '--seed', '--dry-run', '--out', '--shard', '--yes'])

/** The command without what chooses its checks: the options that name the target are what is left. */
export const baseOf = (argv: readonly string[]): string => {
  const kept: string[] = []
  let dropping = false
  for (const argument of argv) {
    if (argument.startsWith('--')) dropping = CHOOSING.has(argument.replace(/=.*$/, ''))
    if (!dropping) kept.push(argument)
  }
  return `npm test -- ${kept.map(quoteArgument).join(' ')}`.trimEnd()
}
