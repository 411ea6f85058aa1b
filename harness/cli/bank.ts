/** Starts the reference bank as a sandbox: `npm run bank -- --port 8080 --speed 60`. */
import { Command, InvalidArgumentError } from 'commander'
import { closest } from 'fastest-levenshtein'
import { BASES, type Bases } from '../bank/base-paths.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import { dialects, generatedDialect, generatedNumber } from '../bank/dialects/generated.ts'
import { isAtOwnBank, seedData, type Account } from '../bank/seed-data.ts'
import { type RunningBank, startBank } from '../bank/server.ts'
import { TEST_HOOKS } from '../bank/test-hooks.ts'
import { variationGroups } from '../bank/variations/index.ts'
import { scriptedPages } from '../bank/variations/authorization-variations.ts'
import { prefixOf, typed } from '../evidence/command-names.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { loadDefects } from '../proof/selection.ts'
import { EXIT } from './exit.ts'
import { messageOf, systemCodeOf } from '../evidence/errors.ts'

/** The variations of the proof, and one whose pages need a browser. */
const groups = { ...variationGroups, 'pages for a browser': scriptedPages }
const startable: readonly Variation[] = Object.values(groups).flat()

interface Options {
  readonly port: number
  readonly host: string
  readonly speed: number
  readonly startAt?: Date
  readonly seed?: number
  readonly testHooks: boolean
  readonly variation?: Variation
  readonly dialect?: Dialect
  /** The id of a defect. */
  readonly defect?: string
  readonly redirectUri?: string
}

const portOf = (text: string): number => {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 (any free port) to 65535.')
}

const speedOf = (text: string): number => {
  const speed = Number(text)
  if (text.trim() !== '' && Number.isFinite(speed) && speed >= 0) return speed
  throw new InvalidArgumentError('A speed is a number: 60 makes an hour pass in a minute, 0 stops the clock.')
}

const dateOf = (text: string): Date => {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new InvalidArgumentError('Expected a time such as 2026-01-05T09:00:00Z.')
}

const seedOf = (text: string): number => {
  const seed = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed
  throw new InvalidArgumentError(
    'A seed is a whole number from 0; the same seed gives the same transactions.',
  )
}

const redirectUriOf = (text: string): string => {
  if (URL.canParse(text) && !text.includes('#')) return text
  throw new InvalidArgumentError(
    'A redirect URI is absolute and has no fragment: http://127.0.0.1:8765/callback.',
  )
}

interface Named {
  readonly id: string
  readonly title: string
}

const oneOf =
  <One extends Named>(all: readonly One[]) =>
  (id: string): One => {
    const named = all.find((candidate) => candidate.id === id)
    if (named) return named
    const ids = all.map((candidate) => candidate.id)
    throw new InvalidArgumentError(`Did you mean ${closest(id, ids)}? --help lists all ids.`)
  }

const dialectNamed = (id: string): Dialect => {
  const number = generatedNumber(id)
  if (number !== undefined) return generatedDialect(number)
  throw new InvalidArgumentError('A dialect is generated-<number>, such as generated-1.')
}

/** The titles of all lists begin in one column. */
const ID_WIDTH = Math.max(...[...dialects, ...startable].map(({ id }) => id.length)) + 2

const renderList = (heading: string, all: readonly Named[]): string =>
  ['', heading, ...all.map(({ id, title }) => `  ${id.padEnd(ID_WIDTH)}${title}`)].join('\n')

const command = (): Command =>
  new Command(prefixOf('bank'))
    .description('Starts the reference bank, a sandbox for the development of clients.')
    .option('--port <port>', 'port to listen on; 0 for any free port', portOf, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--speed <factor>', "speed of the bank's clock; 0 stops it", speedOf, 1)
    .option('--start-at <time>', "the bank's time at the start (default: now)", dateOf)
    .option('--seed <number>', 'seed of the transactions before the start', seedOf)
    .option('--variation <id>', 'another behaviour that the interface permits', oneOf(startable))
    .option('--dialect <id>', 'another wire format that the interface permits', dialectNamed)
    .option('--defect <id>', `a fault, to see what a run says of it; ${typed('catalogue')} lists all`)
    .option('--redirect-uri <uri>', 'another redirect URI, registered for every client', redirectUriOf)
    .option('--no-test-hooks', 'without the test hooks under /_test-hooks/')
    .addHelpText('after', () => renderList('Dialects:', dialects))
    .addHelpText('after', () =>
      Object.entries(groups)
        .map(([about, group]) => renderList(`Variations: ${about}`, group))
        .join('\n'),
    )
    .allowExcessArguments(false)
    .exitOverride()

const addresses = (url: string, { accounts, second, payments, loans }: Bases): readonly string[] => {
  const below = ({ sandbox, production }: Bases['accounts']): string =>
    [sandbox, production].flatMap((base) => (base === undefined ? [] : [url + base])).join(' and ')
  return [
    `  account information  ${below(accounts)}`,
    `  second variant       ${below(second)}`,
    `  payments             ${below(payments)}`,
    `  installment loans    ${below(loans)}`,
  ]
}

/** An account at another bank can be read, and nothing can be paid from it. */
const accountLine = (account: Account): string => {
  const { iban, currency, name, bankName } = account
  return `       ${iban}  ${currency}  ${name}${isAtOwnBank(account) ? '' : ` (at ${bankName})`}`
}

const startMessage = (
  { url }: RunningBank,
  { speed, testHooks, variation, dialect, redirectUri }: Options,
  defect: Defect | undefined,
): string =>
  [
    `The reference bank listens on ${url}`,
    ...addresses(url, dialect?.bases ?? BASES),
    `  application settings ${url}/premium/sandbox/application (sign in with client_id and secret)`,
    `  its clock            ${speed === 0 ? 'is stopped' : `runs at ${speed} times the wall clock`}`,
    ...(dialect ? [`  dialect              ${dialect.id}: ${dialect.title}`] : []),
    ...(variation ? [`  variation            ${variation.id}: ${variation.title}`] : []),
    ...(defect
      ? [
          `  defect               ${defect.id}: ${defect.title}`,
          `                       It breaks ${defect.breaks.map(({ id }) => id).join(', ')}.`,
        ]
      : []),
    '',
    'Clients (client_id, secret, redirect URIs)',
    ...(redirectUri === undefined ? [] : [`  all  ${redirectUri}`]),
    ...seedData.clients.flatMap(({ clientId, secret, kind, redirectUris }) => [
      `  ${kind}  ${clientId.padEnd(16)}${secret}`,
      ...redirectUris.map((uri) => `       ${uri}`),
    ]),
    '',
    'Customers (user name, password), each with accounts (IBAN, currency, name)',
    ...seedData.customers.flatMap(({ username, password, accounts }) => [
      `  ${username.padEnd(10)}${password}`,
      ...accounts.map(accountLine),
    ]),
    ...(testHooks ? ['', 'Test hooks', ...TEST_HOOKS.map((testHook) => `  ${testHook}`)] : []),
    '',
    'Ctrl-C stops it.',
  ].join('\n')

/** Resolves when the bank has stopped after a signal. */
const stopOnSignal = ({ close }: RunningBank): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      // Without the handlers a second signal ends the process.
      process.off('SIGINT', stop).off('SIGTERM', stop)
      close().then(resolve, reject)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })

const defectNamed = async (id: string): Promise<Defect> => {
  const defects = await loadDefects()
  const named = defects.find((defect) => defect.id === id)
  if (named) return named
  const near = closest(
    id,
    defects.map((defect) => defect.id),
  )
  throw new ConfigurationError(
    `error: --defect ${id}: no defect has this id. Did you mean ${near}? ${typed('catalogue')} lists all ids.`,
  )
}

const start = async (
  { startAt = new Date(), ...options }: Omit<Options, 'defect'>,
  defect: Defect | undefined,
): Promise<RunningBank> => {
  try {
    return await startBank({ ...options, startAt, ...(defect && { defect }) })
  } catch (error) {
    const inUse = `port ${options.port} is in use; choose another one with --port, or 0 for any free port`
    throw new ConfigurationError(
      `error: the bank cannot start: ${systemCodeOf(error) === 'EADDRINUSE' ? inUse : messageOf(error)}`,
    )
  }
}

export const main = async (argv: readonly string[]): Promise<number> => {
  const { defect: id, ...options } = command()
    .parse([...argv], { from: 'user' })
    .opts<Options>()
  const defect = id === undefined ? undefined : await defectNamed(id)
  const running = await start(options, defect)
  process.stdout.write(`${startMessage(running, options, defect)}\n`)
  await stopOnSignal(running)
  return EXIT.ok
}
