import { Command, CommanderError, Option } from 'commander'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { nearest } from '../profile/nearest.ts'
import { AUTHORIZATIONS, VARIANTS } from './answers.ts'
import { GROUPS } from './option-groups.ts'
import type { Given } from './given.ts'

/** What `npm run init` was asked for. */
export interface InitOptions {
  readonly kind: 'init'
  readonly given: Given
  /** The file, where it was named. */
  readonly out?: string
  readonly force: boolean
  /** Whether the bank is asked what can be asked of it. */
  readonly tries: boolean
  /** Whether that goes as far as to log in and agree. */
  readonly logsIn: boolean
}

export type Invocation = InitOptions | { readonly kind: 'help'; readonly text: string }

/** As commander collects them: nothing is checked yet. */
type Raw = Readonly<Record<(typeof TEXTS)[number], string | undefined>> & {
  readonly redirectUri?: readonly string[]
  readonly delivery?: readonly string[]
  readonly payments?: boolean
  readonly loans?: boolean
  readonly force?: true
  readonly try: boolean
  readonly logIn?: true
  readonly help?: true
}

const TEXTS = [
  'baseUrl',
  'name',
  'environment',
  'basePath',
  'accountsVariant',
  'debtor',
  'creditor',
  'webhookUrl',
  'webhookPort',
  'kind',
  'clientIdEnv',
  'clientSecretEnv',
  'authorization',
  'customer',
  'usernameEnv',
  'passwordEnv',
  'accessTokenEnv',
  'out',
] as const

/**
 * Reads the command line, without the program's own name.
 * @throws ConfigurationError with all that is wrong with it.
 */
export const parseOptions = (argv: readonly string[]): Invocation => {
  const command = createCommand()
  const { operands, unknown } = parse(command, argv)
  const raw = command.opts<Raw>()
  if (raw.help) return { kind: 'help', text: `${command.helpInformation()}${EPILOGUE}` }
  const problems = [
    ...unknown.filter((word) => word.startsWith('-')).map((word) => unknownOption(word, command)),
    ...operands.map((word) => `'${word}' belongs to no option; see npm run init -- --help`),
    ...TEXTS.flatMap((key) => emptiness(optionOf(key), raw[key])),
  ]
  const given = givenIn(raw, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return {
    kind: 'init',
    given,
    ...(raw.out !== undefined && { out: raw.out.trim() }),
    force: raw.force ?? false,
    tries: raw.try,
    logsIn: raw.logIn ?? false,
  }
}

const DELIVERIES = ['redirect', 'result-screen'] as const

/** `--base-url` for baseUrl. */
const optionOf = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`

const emptiness = (option: string, value: string | undefined): readonly string[] => {
  if (value === undefined) return []
  if (value.trim() === '') return [`${option} is empty; give it a value, or leave it out`]
  // Commander takes whatever follows for the value, the next option too.
  return value.startsWith('--') ? [`${option} needs a value; what follows it is '${value}'`] : []
}

/** Leaves out what was not said. */
const present = <Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const givenIn = (raw: Raw, problems: string[]): Given => {
  const oneOf = <Word extends string>(option: string, value: string | undefined, words: readonly Word[]) =>
    value === undefined ? undefined : chosen(option, value.trim(), words, problems)
  const deliveries = listed(raw.delivery)?.flatMap((how) => oneOf('--delivery', how, DELIVERIES) ?? [])
  const redirectUris = listed(raw.redirectUri)
  if ((deliveries?.length ?? 0) > (redirectUris?.length ?? 0))
    problems.push('--delivery says more than there are redirect URIs; give one for each --redirect-uri')
  return present({
    name: raw.name?.trim(),
    baseUrl: raw.baseUrl?.trim(),
    environment: oneOf('--environment', raw.environment, ['sandbox', 'production']),
    basePath: raw.basePath?.trim(),
    kind: oneOf('--kind', raw.kind, ['TPP', 'FAC']),
    redirectUris,
    deliveries,
    customer: raw.customer?.trim(),
    variables: present({
      clientId: raw.clientIdEnv?.trim(),
      clientSecret: raw.clientSecretEnv?.trim(),
      username: raw.usernameEnv?.trim(),
      password: raw.passwordEnv?.trim(),
      accessToken: raw.accessTokenEnv?.trim(),
    }),
    authorization: oneOf('--authorization', raw.authorization, AUTHORIZATIONS),
    variant: oneOf('--accounts-variant', raw.accountsVariant, VARIANTS),
    payments: raw.payments,
    debtor: raw.debtor?.trim(),
    creditor: raw.creditor?.trim(),
    loans: raw.loans,
    webhookUrl: raw.webhookUrl?.trim(),
    webhookPort: raw.webhookPort === undefined ? undefined : portIn(raw.webhookPort, problems),
  })
}

/** `A B`, `A,B` and a repeated option say the same. */
const listed = (values: readonly string[] | undefined): readonly string[] | undefined =>
  values?.flatMap((value) => value.split(/[\s,]+/)).filter((value) => value !== '')

const chosen = <Word extends string>(
  option: string,
  typed: string,
  words: readonly Word[],
  problems: string[],
): Word | undefined => {
  const found = words.find((word) => word === typed)
  if (found !== undefined) return found
  const near = nearest(typed, words)
  const advice = near === undefined ? '' : `; did you mean ${near}?`
  problems.push(`${option}: expected one of ${words.join(', ')}, received '${typed}'${advice}`)
  return undefined
}

const portIn = (typed: string, problems: string[]): number | undefined => {
  const port = /^[1-9]\d*$/.test(typed.trim()) ? Number(typed) : Number.NaN
  if (port <= 65_535) return port
  problems.push(`--webhook-port: expected a whole number from 1 to 65535, received '${typed}'`)
  return undefined
}

const unknownOption = (typed: string, command: Command): string => {
  const name = typed.replace(/=.*$/s, '')
  const near = nearest(
    name,
    command.options.map(({ long }) => long ?? ''),
  )
  return `unknown option '${name}'; ${near === undefined ? 'see npm run init -- --help' : `did you mean '${near}'?`}`
}

/**
 * npm keeps options for itself that stand before a bare `--`, so that questions would be asked that were answered.
 * @throws ConfigurationError where npm's environment shows that this has happened.
 */
export const refuseSwallowedOptions = (env: NodeJS.ProcessEnv): void => {
  const swallowed = [
    '--base-url',
    '--redirect-uri',
    '--client-id-env',
    '--kind',
    '--out',
    '--authorization',
  ].filter((option) => env[`npm_config_${option.slice(2).replaceAll('-', '_')}`] !== undefined)
  if (swallowed.length === 0) return
  throw new ConfigurationError(
    `npm has taken ${swallowed.join(', ')} for an option of its own; write a bare -- before the options: npm run init -- ${swallowed[0] ?? ''} …`,
  )
}

const createCommand = (): Command => {
  const command = new Command('npm run init --')
    .usage('[options]')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({ helpWidth: 80 })
    .description('Asks for what it needs, tries it, and writes the profile of a target.')
  for (const [heading, options] of GROUPS) {
    for (const [flags, description] of options) {
      const option = new Option(flags, description).helpGroup(`${heading}:`)
      command.addOption(description === '' ? option.hideHelp() : option)
    }
  }
  return command
}

const EPILOGUE = `
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
`

const parse = (command: Command, argv: readonly string[]): ReturnType<Command['parseOptions']> => {
  try {
    return command.parseOptions([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander says "error: option '--base-url <url>' argument missing".
    const name = /'(?:-\w, )?(--[\w-]+)/.exec(error.message)?.[1]
    throw new ConfigurationError(name === undefined ? error.message : `${name} needs a value behind it`)
  }
}
