import { HELP, readCommandLine, refuseOptionsConsumedByNpm } from '../options.ts'
import { ROWS, type PartialAnswers } from './answers.ts'
import type { CommandDefinition, OptionLine } from '../options.ts'

export interface InitOptions {
  readonly given: PartialAnswers
  /** The file, if one is given. */
  readonly out: string | undefined
  readonly force: boolean
  readonly openApi: string | undefined
  /** Whether requests are sent to the bank. */
  readonly tries: boolean
  /** Whether the customer's login and consent are included. */
  readonly logsIn: boolean
}

const OPENAPI: OptionLine = [
  '--openapi <file>',
  'its OpenAPI document (3.0 or 3.1): paths, statuses, members and security become a draft with questions',
]

/** The options of the answers under their headings. A toggle also has a form with `no`, which is not shown. */
const groupsOfAnswers = (): Readonly<Record<string, readonly OptionLine[]>> => {
  const groups: Record<string, OptionLine[]> = {}
  let lines: OptionLine[] = []
  for (const { group, option, name, help, read } of ROWS) {
    if (group !== undefined) groups[group] = lines = []
    lines.push([option, help, read])
    if (option === name) lines.push([name.replace('--', '--no-'), ''])
    if (name === '--base-url') lines.push(OPENAPI)
  }
  return groups
}

const INIT_COMMAND: CommandDefinition = {
  command: 'init',
  description: 'Asks for the data of a target, probes the target, and writes its profile.',
  usage: '[options]',
  groups: {
    ...groupsOfAnswers(),
    'The file': [
      ['--out <file>', 'where the profile is written: .yaml or .yml (default: bank.yaml)'],
      ['--force', 'overwrite an existing file'],
      ['--no-try', 'send no request: write the profile from the answers only'],
      ['--log-in', "log in and agree on the bank's pages, so that all pages and accounts are found"],
      HELP,
    ],
  },
  epilogue: `
At a terminal it asks questions, if required options are missing; Enter leaves
out what is optional. It never asks for secrets: they are read from environment
variables.

It probes which paths answer. If the variables are set, it also opens the bank's
login page. For a TPP that creates a consent, which is granted only with
--log-in.

Exit codes:
  0    the profile is written, and no problem was found
  3    an option is wrong or missing, the file exists, or a key of the profile
       does not fit the bank (in the last case the profile is written)
  4    nothing answers at the base URL (the profile is written)
  5    the suite itself failed
  130  Ctrl-C: nothing is written
`,
}

/** As commander has them: `--log-in` is logIn, and `--no-try` sets try to false. */
interface Switches {
  readonly out: string
  readonly openapi: string
  readonly force: boolean
  readonly try: boolean
  readonly logIn: boolean
}

/**
 * Reads the command line, without the program's own name.
 * @throws ConfigurationError with every problem.
 */
export const parseInitOptions = (argv: readonly string[]): InitOptions => {
  const line = readCommandLine<PartialAnswers & Switches>(INIT_COMMAND, argv)
  const { out, openapi, force = false, try: tries = true, logIn = false, ...typed } = line.values
  const given: PartialAnswers = Object.fromEntries(
    Object.entries(typed).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value]),
  )
  const { delivery = [], redirectUri = [] } = given
  if (delivery.length > redirectUri.length)
    line.addProblem(
      '--delivery has more values than there are redirect URIs; give one for each --redirect-uri',
    )
  line.verify()
  return { given, out: out?.trim(), openApi: openapi?.trim(), force, tries, logsIn: logIn }
}

/** @throws ConfigurationError if npm has consumed options of `npm run init`. */
export const refuseInitOptionsConsumedByNpm = (env: NodeJS.ProcessEnv): void =>
  refuseOptionsConsumedByNpm(INIT_COMMAND, env)
