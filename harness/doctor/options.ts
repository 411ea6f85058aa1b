import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { parseOptions } from '../plan/options.ts'
import { nearest } from '../plan/suggest.ts'
import type { Options } from '../plan/options.ts'

/** The options of `npm run doctor`. */

export interface DoctorOptions {
  /** What names the target: as `npm test` reads it. */
  readonly target: Options
  readonly json: boolean
}

export type DoctorInvocation =
  ({ readonly kind: 'examine' } & DoctorOptions) | { readonly kind: 'help'; readonly text: string }

const EPILOGUE = `
It sends nothing but requests that read, unless the profile allows the effect
consent: then a consent is created for each TPP, authorization pages are opened
on which nobody logs in, and the token endpoint is asked with a code that nobody
was given. A --webhook-url is called once, as the target would call it.

Exit codes:
  0    no error was found; there may be warnings
  3    the options or the profile are wrong
  4    the network or the target stands in the way
  5    the suite itself failed
  130  interrupted

The codes of the findings: .github/docs/doctor.md
`

interface Raw {
  readonly profile?: string
  readonly baseUrl?: string
  readonly environment?: string
  readonly webhookUrl?: string
  readonly json?: true
  readonly help?: true
}

const createCommand = (): Command =>
  new Command('npm run doctor --')
    .description('Looks at a target before a run: what would go wrong, why, and what to do.')
    .usage('--profile FILE [options]')
    .option('--profile <file>', 'what the owner of the target has to tell')
    .option('--base-url <url>', "the target's base URL (default: the profile's)")
    .option('--environment <name>', "sandbox or production (default: the profile's)")
    .option('--webhook-url <url>', 'where the target reaches this machine with notifications')
    .option('--json', 'print the findings as JSON, and nothing else')
    .option('-h, --help', 'print this text')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({ helpWidth: 80 })

const parse = (command: Command, argv: readonly string[]): ReturnType<Command['parseOptions']> => {
  try {
    return command.parseOptions([...argv])
  } catch (error) {
    if (error instanceof CommanderError) throw new ConfigurationError(error.message.replace(/^error: /, ''))
    throw error
  }
}

const stray = (word: string, known: readonly string[]): string => {
  const near = nearest(word.replace(/=.*$/s, ''), known)
  const advice = near === undefined ? 'see npm run doctor -- --help' : `did you mean '${near}'?`
  return `${word.startsWith('-') ? 'unknown option' : 'no option takes'} '${word}'; ${advice}`
}

/** @throws ConfigurationError with all that is wrong with it. */
export const parseDoctorOptions = (argv: readonly string[]): DoctorInvocation => {
  const command = createCommand()
  const { operands, unknown } = parse(command, argv)
  const raw = command.opts<Raw>()
  if (raw.help) return { kind: 'help', text: `${command.helpInformation()}${EPILOGUE}` }
  const known = command.options.map(({ long }) => long ?? '')
  const problems = [...unknown, ...operands].map((word) => stray(word, known))
  if (problems.length > 0) throw new ConfigurationError(problems)
  if (raw.profile === undefined)
    throw new ConfigurationError(
      '--profile is missing; name the file that tells what there is to look at: npm run doctor -- --profile bank.yaml',
    )
  const target = parseOptions(argvOf(raw))
  if (target.kind !== 'run') throw new Error('only a target is named here')
  return { kind: 'examine', target, json: raw.json ?? false }
}

const argvOf = ({ profile, baseUrl, environment, webhookUrl }: Raw): readonly string[] =>
  Object.entries({ profile, 'base-url': baseUrl, environment, 'webhook-url': webhookUrl }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]),
  )
