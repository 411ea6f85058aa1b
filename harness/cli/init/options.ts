import { ENVIRONMENTS } from '../../profile/environments.ts'
import { readCommandLine, refuseOptionsTakenByNpm } from '../options.ts'
import { AUTHORIZATIONS, DEFAULTS, VARIANTS } from './answers.ts'
import type { CommandDefinition, CommandLine } from '../options.ts'
import type { Given } from './answers.ts'

/** The options of `npm run init`. */

export interface InitOptions {
  readonly kind: 'init'
  readonly given: Given
  /** The file, where it was named. */
  readonly out: string | undefined
  readonly force: boolean
  /** Whether the bank is asked what can be asked of it. */
  readonly tries: boolean
  /** Whether that goes as far as to log in and agree. */
  readonly logsIn: boolean
}

export type Invocation = InitOptions | { readonly kind: 'help'; readonly text: string }

const INIT_COMMAND: CommandDefinition = {
  name: 'npm run init --',
  description: 'Asks for what it needs, tries it, and writes the profile of a target.',
  usage: '[options]',
  groups: {
    'The bank': [
      ['--base-url <url>', 'what its documentation writes before every path'],
      ['--name <text>', "the target's name, as reports show it (default: the host of the base URL)"],
      ['--environment <name>', `sandbox or production (default: ${DEFAULTS.environment})`],
      [
        '--base-path <path>',
        'the part of addresses between base URL and path there; / for none (default: what answers)',
      ],
      ['--accounts-variant <name>', `${VARIANTS.join(', ')} (default: what answers)`],
      ['--payments', 'it offers payments (--no-payments: it does not; default: not)'],
      ['--no-payments', ''],
      ['--debtor <name and iban>', "from whose account the payments go: one of the customer's"],
      ['--creditor <name and iban>', 'to whom they go'],
      ['--loans', 'it offers instalment loans (--no-loans: it does not; default: not)'],
      ['--no-loans', ''],
      ['--webhook-url <url>', 'where it reaches this machine with notifications (default: none)'],
      ['--webhook-port <n>', "the port on this machine that receives it (default: the URL's, or 8080)"],
    ],
    'Your application there': [
      ['--kind <kind>', 'TPP (acts for its customers) or FAC (uses its own data)'],
      [
        '--client-id-env <variable>',
        'the environment variable that holds its client id, such as BANK_CLIENT_ID',
      ],
      ['--client-secret-env <variable>', 'and its secret: the name of the variable, never the value'],
      ['--redirect-uri <uri...>', 'its redirect URIs, as they are registered'],
      [
        '--delivery <how...>',
        'redirect, or result-screen where the bank shows the code on a page; in the order of the URIs (default: redirect)',
      ],
    ],
    'The customer who authorizes': [
      ['--authorization <way>', `${AUTHORIZATIONS.join(', ')} (default: ${DEFAULTS.authorization})`],
      ['--customer <text>', `your label for the customer (default: ${DEFAULTS.customer})`],
      ['--username-env <variable>', 'the environment variable that holds the user name'],
      ['--password-env <variable>', 'and the password'],
      ['--access-token-env <variable>', 'of --authorization tokens: the variable that holds a token'],
    ],
    'The file': [
      ['--out <file>', 'where the profile is written: .yaml or .yml (default: bank.yaml)'],
      ['--force', 'write over a file that is there'],
      ['--no-try', 'send nothing: write the profile as it was answered'],
      ['--log-in', 'where the pages are looked at, log in and agree, so that all of them are found'],
      ['-h, --help', 'print this text'],
    ],
  },
  epilogue: `
At a terminal it asks for what the options leave open, unless they say all that
is needed. Secrets are never asked for: only the names of the environment
variables that hold them.

It tries what can be tried: which paths answer, and, where the variables are
set, whether the bank's login page comes. For that a TPP's consent is created at
the bank, which nobody grants without --log-in.

The file is written with what was answered even where the bank did not answer
as it should; what is found tells which key to mend.

Example:
  npm run init -- --base-url https://api.bank.example --kind TPP \\
    --client-id-env BANK_CLIENT_ID --client-secret-env BANK_CLIENT_SECRET \\
    --redirect-uri https://client.example/callback \\
    --username-env BANK_USERNAME --password-env BANK_PASSWORD

Exit codes:
  0    the profile is written, and nothing speaks against it
  3    an option is wrong or missing, the file is there already, or something of
       the profile does not fit (then it is written)
  4    nothing answers at the base URL (the profile is written)
  5    the suite itself failed
  130  Ctrl-C: nothing is written
`,
}

/**
 * Reads the command line, without the program's own name.
 * @throws ConfigurationError with all that is wrong with it.
 */
export const parseInitOptions = (argv: readonly string[]): Invocation => {
  const line = readCommandLine(INIT_COMMAND, argv)
  if (line.isGiven('--help')) return { kind: 'help', text: line.help }
  for (const typed of line.operands)
    line.complain(`'${typed}' belongs to no option; see ${INIT_COMMAND.name} --help`)
  const options: InitOptions = {
    kind: 'init',
    given: givenIn(line),
    out: textIn(line, '--out'),
    force: line.isGiven('--force'),
    tries: line.toggle('--no-try') ?? true,
    logsIn: line.isGiven('--log-in'),
  }
  line.verify()
  return options
}

const textIn = (line: CommandLine, option: string): string | undefined => line.text(option, 'a value')?.trim()

/** Leaves out what was not said. */
const present = <Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const givenIn = (line: CommandLine): Given => {
  const redirectUris = line.list('--redirect-uri')
  const deliveries = line.words('--delivery', ['redirect', 'result-screen'])
  if (deliveries.length > redirectUris.length)
    line.complain('--delivery says more than there are redirect URIs; give one for each --redirect-uri')
  return present({
    name: textIn(line, '--name'),
    baseUrl: textIn(line, '--base-url'),
    environment: line.word('--environment', ENVIRONMENTS),
    basePath: textIn(line, '--base-path'),
    kind: line.word('--kind', ['TPP', 'FAC']),
    redirectUris: line.isGiven('--redirect-uri') ? redirectUris : undefined,
    deliveries: line.isGiven('--delivery') ? deliveries : undefined,
    customer: textIn(line, '--customer'),
    variables: present({
      clientId: textIn(line, '--client-id-env'),
      clientSecret: textIn(line, '--client-secret-env'),
      username: textIn(line, '--username-env'),
      password: textIn(line, '--password-env'),
      accessToken: textIn(line, '--access-token-env'),
    }),
    authorization: line.word('--authorization', AUTHORIZATIONS),
    variant: line.word('--accounts-variant', VARIANTS),
    payments: line.toggle('--payments'),
    debtor: textIn(line, '--debtor'),
    creditor: textIn(line, '--creditor'),
    loans: line.toggle('--loans'),
    webhookUrl: textIn(line, '--webhook-url'),
    webhookPort: line.integer('--webhook-port', { min: 1, max: 65_535 }),
  })
}

/** @throws ConfigurationError where npm has kept options of `npm run init` for itself. */
export const refuseSwallowedInitOptions = (env: NodeJS.ProcessEnv): void =>
  refuseOptionsTakenByNpm(INIT_COMMAND, env)
