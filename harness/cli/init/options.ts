import { prefixOf, typed } from '../../evidence/command-names.ts'
import { ENVIRONMENTS } from '../../profile/environments.ts'
import { readCommandLine, refuseOptionsConsumedByNpm } from '../options.ts'
import { AUTHORIZATIONS, DEFAULTS, REFUSALS, VARIANTS } from './answers.ts'
import type { CommandDefinition, CommandLine } from '../options.ts'
import type { PartialAnswers } from './answers.ts'

/** The options of `npm run init`. */

export interface InitOptions {
  readonly kind: 'init'
  readonly given: PartialAnswers
  /** The file, if one is given. */
  readonly out: string | undefined
  readonly force: boolean
  /** The OpenAPI document of the bank. */
  readonly openApi: string | undefined
  /** Whether requests are sent to the bank. */
  readonly tries: boolean
  /** Whether the customer's login and consent are included. */
  readonly logsIn: boolean
}

export type Invocation = InitOptions | { readonly kind: 'help'; readonly text: string }

const INIT_COMMAND: CommandDefinition = {
  command: 'init',
  description: 'Asks for the data of a target, probes the target, and writes its profile.',
  usage: '[options]',
  groups: {
    'The bank': [
      ['--base-url <url>', 'the part of every address before the base path'],
      [
        '--openapi <file>',
        'its OpenAPI document (3.0 or 3.1): paths, statuses, members and security become a draft with questions',
      ],
      ['--name <text>', 'the name of the target in reports (default: the host of the base URL)'],
      ['--environment <name>', `sandbox or production (default: ${DEFAULTS.environment})`],
      [
        '--base-path <path>',
        'the part between base URL and path in that environment; / for none (default: the one that answers)',
      ],
      [
        '--time-zone <name>',
        `its local time, a name of the IANA database such as Europe/Bratislava (default: ${DEFAULTS.timeZone})`,
      ],
      [
        '--refusals <how>',
        'json: it refuses calls of its API in JSON or without a body; page: also with HTML pages (default: unknown)',
      ],
      ['--accounts-variant <name>', `${VARIANTS.join(', ')} (default: those that answer)`],
      ['--payments', 'it offers payments (--no-payments, the default: it does not)'],
      ['--no-payments', ''],
      [
        '--debtor <name and iban>',
        `the account that pays, one of the customer's: "Anna Nováková SK2998010000002600001129"`,
      ],
      ['--creditor <name and iban>', 'the account that is paid'],
      ['--loans', 'it offers instalment loans (--no-loans, the default: it does not)'],
      ['--no-loans', ''],
      ['--webhook-url <url>', 'the URL to which it sends notifications (default: none)'],
      ['--webhook-port <n>', "the port on this machine that receives them (default: the URL's, or 8080)"],
    ],
    'Your application there': [
      ['--kind <kind>', 'TPP (acts for its customers) or FAC (uses its own data)'],
      [
        '--client-id-env <variable>',
        'the environment variable that holds its client id, such as BANK_CLIENT_ID',
      ],
      [
        '--client-secret-env <variable>',
        'the environment variable that holds its secret: the name, never the value',
      ],
      ['--redirect-uri <uri...>', 'its registered redirect URIs'],
      [
        '--delivery <how...>',
        'redirect, or result-screen where the bank shows the code on a page; in the order of the URIs (default: redirect)',
      ],
    ],
    'The customer who authorizes': [
      ['--authorization <way>', `${AUTHORIZATIONS.join(', ')} (default: ${DEFAULTS.authorization})`],
      ['--customer <text>', `your label for the customer (default: ${DEFAULTS.customer})`],
      ['--username-env <variable>', 'the environment variable that holds the user name'],
      ['--password-env <variable>', 'the environment variable that holds the password'],
      [
        '--access-token-env <variable>',
        'the environment variable that holds a token (for --authorization tokens)',
      ],
    ],
    'The file': [
      ['--out <file>', 'where the profile is written: .yaml or .yml (default: bank.yaml)'],
      ['--force', 'overwrite an existing file'],
      ['--no-try', 'send no request: write the profile from the answers only'],
      ['--log-in', "log in and agree on the bank's pages, so that all pages are found"],
      ['-h, --help', 'print this text'],
    ],
  },
  epilogue: `
At a terminal it asks for the required options that are missing. It never asks
for secrets, only for the names of the environment variables that hold them.

It probes which paths answer. If the variables are set, it also opens the bank's
login page. For a TPP that creates a consent, which is granted only with
--log-in.

The file is written even if the bank does not answer as expected; the findings
say which key to correct.

Example:
  ${prefixOf('init')} --base-url https://api.bank.example --kind TPP \\
    --client-id-env BANK_CLIENT_ID --client-secret-env BANK_CLIENT_SECRET \\
    --redirect-uri https://client.example/callback \\
    --username-env BANK_USERNAME --password-env BANK_PASSWORD

Exit codes:
  0    the profile is written, and no problem was found
  3    an option is wrong or missing, the file exists, or a key of the profile
       does not fit the bank (in the last case the profile is written)
  4    nothing answers at the base URL (the profile is written)
  5    the suite itself failed
  130  Ctrl-C: nothing is written
`,
}

/**
 * Reads the command line, without the program's own name.
 * @throws ConfigurationError with every problem.
 */
export const parseInitOptions = (argv: readonly string[]): Invocation => {
  const line = readCommandLine(INIT_COMMAND, argv)
  if (line.isGiven('--help')) return { kind: 'help', text: line.help }
  for (const word of line.operands)
    line.addProblem(`'${word}' does not belong to an option; see ${typed('init', '--help')}`)
  const options: InitOptions = {
    kind: 'init',
    given: answersFrom(line),
    out: textOf(line, '--out'),
    openApi: textOf(line, '--openapi'),
    force: line.isGiven('--force'),
    tries: line.toggle('--no-try') ?? true,
    logsIn: line.isGiven('--log-in'),
  }
  line.verify()
  return options
}

const textOf = (line: CommandLine, option: string): string | undefined => line.text(option, 'a value')?.trim()

/** Leaves out undefined values. */
const defined = <Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const answersFrom = (line: CommandLine): PartialAnswers => {
  const redirectUris = line.list('--redirect-uri')
  const deliveries = line.words('--delivery', ['redirect', 'result-screen'])
  if (deliveries.length > redirectUris.length)
    line.addProblem(
      '--delivery has more values than there are redirect URIs; give one for each --redirect-uri',
    )
  return defined({
    name: textOf(line, '--name'),
    baseUrl: textOf(line, '--base-url'),
    environment: line.word('--environment', ENVIRONMENTS),
    basePath: textOf(line, '--base-path'),
    timeZone: textOf(line, '--time-zone'),
    refusals: line.word('--refusals', REFUSALS),
    kind: line.word('--kind', ['TPP', 'FAC']),
    redirectUris: line.isGiven('--redirect-uri') ? redirectUris : undefined,
    deliveries: line.isGiven('--delivery') ? deliveries : undefined,
    customer: textOf(line, '--customer'),
    variables: defined({
      clientId: textOf(line, '--client-id-env'),
      clientSecret: textOf(line, '--client-secret-env'),
      username: textOf(line, '--username-env'),
      password: textOf(line, '--password-env'),
      accessToken: textOf(line, '--access-token-env'),
    }),
    authorization: line.word('--authorization', AUTHORIZATIONS),
    variant: line.word('--accounts-variant', VARIANTS),
    payments: line.toggle('--payments'),
    debtor: textOf(line, '--debtor'),
    creditor: textOf(line, '--creditor'),
    loans: line.toggle('--loans'),
    webhookUrl: textOf(line, '--webhook-url'),
    webhookPort: line.integer('--webhook-port', { min: 1, max: 65_535 }),
  })
}

/** @throws ConfigurationError if npm has consumed options of `npm run init`. */
export const refuseInitOptionsConsumedByNpm = (env: NodeJS.ProcessEnv): void =>
  refuseOptionsConsumedByNpm(INIT_COMMAND, env)
