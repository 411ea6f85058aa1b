import { Command, CommanderError, Option } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { EFFECTS } from '../evidence/effect.ts'
import { settleBaseUrl, settleHttpUrl, showUrl } from '../profile/base-url.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { DEFAULTS, GROUPS } from './option-groups.ts'
import { given, integer, list, nameOf, text, url, word } from './option-values.ts'
import { settleShard } from './shard-option.ts'
import { nearest } from './suggest.ts'
import type { Effect } from '../evidence/effect.ts'
import type { SettledUrl } from '../profile/base-url.ts'
import type { Profile } from '../profile/schema.ts'
import type { Complain } from './option-values.ts'
import type { ShardChoice } from './shard-option.ts'

export type Environment = Profile['environment']
export type TimeSource = 'auto' | 'wall'

/** What a run was asked for. */
export interface Options {
  readonly kind: 'run'
  /** Without its last slash. Left out, the profile's; without a profile, the reference bank is certified. */
  readonly baseUrl?: string
  /** The file, as the user named it. */
  readonly profile?: string
  /** Left out, the profile's. */
  readonly environment?: Environment
  /** Selectors: ids, chapters, tags. Whether they match anything is for the plan to say. */
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
  readonly rate?: number
  /** Requests in all at most; left out, the profile's. */
  readonly budget?: number
  /** Scenarios at a time; left out, the run decides. */
  readonly concurrency?: number
  readonly time: TimeSource
  readonly webhookUrl?: string
  /** A file of declared exceptions. */
  readonly waivers?: string
  /** The part of the plan that runs; left out, all of it. */
  readonly shard?: ShardChoice
  readonly out: string
  readonly dryRun: boolean
  /** Nobody is asked back. */
  readonly yes: boolean
}

/** What goes on with a run: all of its options are in its log. */
export interface Resume {
  readonly kind: 'resume'
  /** The folder of its reports. */
  readonly out: string
}

/** What the command line asks for: a run, one to be gone on with, or a text to print. */
export type Invocation = Options | Resume | { readonly kind: 'help' | 'version'; readonly text: string }

const ENVIRONMENTS = ['sandbox', 'production'] as const
const TIMES = ['auto', 'wall'] as const
const SEED = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const COUNT = { min: 1, max: 10_000 }
const REQUESTS = { min: 1, max: 10_000_000 }
const SIMULTANEOUS = { min: 1, max: 100 }

/** As commander collects them: nothing is checked yet. */
interface Raw {
  readonly baseUrl?: string
  readonly profile?: string
  readonly environment?: string
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly allow?: readonly string[]
  readonly strict?: true
  readonly seed?: string
  readonly runs?: string
  readonly rate?: string
  readonly budget?: string
  readonly concurrency?: string
  readonly time?: string
  readonly webhookUrl?: string
  readonly waivers?: string
  readonly shard?: string
  readonly out?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly resume?: true
  readonly help?: true
  readonly version?: true
}

/**
 * Reads the command line, without the program's own name.
 * @throws ConfigurationError with all that is wrong with it.
 */
export const parseOptions = (argv: readonly string[]): Invocation => {
  const command = createCommand()
  const { operands, unknown } = parse(command, argv)
  const raw = command.opts<Raw>()
  if (raw.help) return { kind: 'help', text: helpText() }
  if (raw.version) return { kind: 'version', text: `${manifest.name} ${manifest.version}\n` }
  const problems = [
    ...unknown.filter((word) => word.startsWith('-')).map((word) => unknownOption(word, command)),
    ...operands.map(stray),
  ]
  const options = raw.resume ? settleResume(raw, problems) : settle(raw, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return options
}

const optionOf = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`

const settleResume = (raw: Raw, problems: string[]): Resume => {
  const complain: Complain = (problem) => void problems.push(problem)
  for (const key of Object.keys(raw).filter((name) => name !== 'resume' && name !== 'out'))
    complain(
      `--resume takes its options from the log of the run: ${optionOf(key)} cannot stand beside it (only --out, which names the folder)`,
    )
  return { kind: 'resume', out: text('--out', raw.out, 'a folder', complain) ?? DEFAULTS.out }
}

const settle = (raw: Raw, problems: string[]): Options => {
  const complain: Complain = (problem) => void problems.push(problem)
  if (raw.baseUrl !== undefined && raw.profile === undefined) {
    complain(
      '--base-url needs --profile beside it: the file that tells the credentials and customers of the target',
    )
  }
  return {
    kind: 'run',
    ...given('baseUrl', url('--base-url', raw.baseUrl, settleBaseUrl, complain)),
    ...given('profile', text('--profile', raw.profile, 'a file', complain)),
    ...given('environment', word('--environment', raw.environment, ENVIRONMENTS, complain)),
    only: list('--only', raw.only, complain),
    skip: list('--skip', raw.skip, complain),
    allow: list('--allow', raw.allow, complain).flatMap(
      (name) => word('--allow', name, EFFECTS, complain) ?? [],
    ),
    strict: raw.strict ?? false,
    seed: integer('--seed', raw.seed, SEED, complain) ?? DEFAULTS.seed,
    runs: integer('--runs', raw.runs, COUNT, complain) ?? DEFAULTS.runs,
    ...given('rate', integer('--rate', raw.rate, COUNT, complain)),
    ...given('budget', integer('--budget', raw.budget, REQUESTS, complain)),
    ...given('concurrency', integer('--concurrency', raw.concurrency, SIMULTANEOUS, complain)),
    time: word('--time', raw.time, TIMES, complain) ?? DEFAULTS.time,
    ...given('webhookUrl', url('--webhook-url', raw.webhookUrl, settleWebhookUrl, complain)),
    ...given('waivers', text('--waivers', raw.waivers, 'a file', complain)),
    ...given('shard', settleShard(text('--shard', raw.shard, 'a part of the plan', complain), complain)),
    out: text('--out', raw.out, 'a folder', complain) ?? DEFAULTS.out,
    dryRun: raw.dryRun ?? false,
    yes: raw.yes ?? false,
  }
}

const settleWebhookUrl = (address: string): SettledUrl =>
  settleHttpUrl(address, 'https://me.example:8443/webhook')

const unknownOption = (typed: string, command: Command): string => {
  const name = nameOf(typed)
  const known = command.options.map(({ long }) => long ?? '')
  if (known.includes(name)) return `${name} takes no value; write it alone`
  const near = nearest(name, known)
  return `unknown option '${name}'; ${near === undefined ? 'see npm test -- --help' : `did you mean '${near}'?`}`
}

const stray = (typed: string): string =>
  typed.includes('://')
    ? `${showUrl(typed)} belongs to no option; to name a target, write --base-url before it`
    : `'${typed}' belongs to no option; to choose what runs, write --only ${typed}`

/**
 * npm keeps options for itself that stand before a bare `--`, so that a run would certify another target than the one
 * that was named. @throws ConfigurationError where npm's environment shows that this has happened.
 */
export const refuseSwallowedOptions = (env: NodeJS.ProcessEnv): void => {
  // npm has settings of these names, which machines that build have set: a question too many does no harm.
  const swallowed = createCommand()
    .options.map(({ long }) => long ?? '')
    .filter((long) => long !== '--only' && long !== '--yes')
    .filter((long) => env[`npm_config_${long.slice(2).replaceAll('-', '_')}`] !== undefined)
  if (swallowed.length === 0) return
  throw new ConfigurationError(
    `npm has taken ${swallowed.join(', ')} for an option of its own; write a bare -- before the options: npm test -- ${swallowed[0] ?? ''} …`,
  )
}

const createCommand = (): Command => {
  const command = new Command('npm test --')
    .usage('[options]')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({ helpWidth: 80 })
  for (const [heading, options] of GROUPS) {
    for (const [flags, description] of options) {
      command.addOption(new Option(flags, description).helpGroup(`${heading}:`))
    }
  }
  return command
}

const helpText = (): string => `${createCommand().helpInformation()}${EPILOGUE}`

const EPILOGUE = `
Examples:
  npm test                                   judge the embedded reference bank
  npm test -- --profile bank.yaml --dry-run  see what would be sent to a target
  npm test -- --base-url https://api.bank.example --profile bank.yaml
  npm test -- --profile bank.yaml --only tokens PAY-09 --seed 7
  npm test -- --resume --out reports/bank    go on with a run that waits

Exit codes:
  0    the target conforms
  1    it does not conform
  2    incomplete: something mandatory was not reached or inconclusive
  3    the options or the profile are wrong; no request was sent
  4    the target or the environment is unreachable
  5    the suite itself failed
  130  interrupted
`

const parse = (command: Command, argv: readonly string[]): ReturnType<Command['parseOptions']> => {
  try {
    return command.parseOptions([...argv])
  } catch (error) {
    if (error instanceof CommanderError) throw new ConfigurationError(missingValue(error.message))
    throw error
  }
}

/** Commander says "error: option '--base-url <url>' argument missing". */
const missingValue = (message: string): string => {
  const name = /'(?:-\w, )?(--[\w-]+)/.exec(message)?.[1]
  return name === undefined ? message : `${name} needs a value behind it`
}
