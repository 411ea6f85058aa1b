/** The reference bank as a sandbox of its own: `npm run bank -- --port 8080 --speed 60`. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { closest } from 'fastest-levenshtein'
import { LEVERS } from './levers.ts'
import { residents } from './residents.ts'
import { startBank, type RunningBank } from './server.ts'
import type { Variation } from './defect.ts'
import { scriptedPages } from './variations/scripted-pages.ts'
import { variations } from './variations.ts'

const CONFIGURATION_ERROR = 3

/** Those that the proof tries, and one that a customer needs a browser for. */
const startable: readonly Variation[] = [...variations, scriptedPages]

interface Options {
  readonly port: number
  readonly host: string
  readonly speed: number
  readonly startAt?: Date
  readonly seed?: number
  readonly levers: boolean
  readonly variation?: Variation
  readonly redirectUri?: string
}

const portOf = (text: string): number => {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 (any free one) to 65535.')
}

const speedOf = (text: string): number => {
  const speed = Number(text)
  if (text.trim() !== '' && Number.isFinite(speed) && speed >= 0) return speed
  throw new InvalidArgumentError('A speed is a number: 60 makes an hour pass in a minute, 0 stops the clock.')
}

const dateOf = (text: string): Date => {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new InvalidArgumentError('A time is written like 2026-01-05T09:00:00Z.')
}

const seedOf = (text: string): number => {
  const seed = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed
  throw new InvalidArgumentError(
    'A seed is a whole number from 0; the same one brings the same transactions.',
  )
}

const redirectUriOf = (text: string): string => {
  if (URL.canParse(text) && !text.includes('#')) return text
  throw new InvalidArgumentError(
    'A redirect URI is absolute and has no fragment: http://127.0.0.1:8765/callback.',
  )
}

const variationOf = (id: string): Variation => {
  const variation = startable.find((candidate) => candidate.id === id)
  if (variation) return variation
  const ids = startable.map((candidate) => candidate.id)
  throw new InvalidArgumentError(`Did you mean ${closest(id, ids)}? --help lists them all.`)
}

const variationList = (): string =>
  ['', 'Variations:', ...startable.map(({ id, story }) => `  ${id.padEnd(32)}${story}`)].join('\n')

const command = (): Command =>
  new Command('bank')
    .description('Starts the reference bank: a whole bank interface to develop a client against.')
    .option('--port <port>', 'port to listen on; 0 takes any free one', portOf, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--speed <factor>', "how fast the bank's time runs; 0 stops it", speedOf, 1)
    .option('--start-at <time>', "the bank's time at the start; now, if left out", dateOf)
    .option('--seed <number>', 'what the transactions before the start are drawn from', seedOf)
    .option('--variation <id>', 'behave differently where the interface leaves it open', variationOf)
    .option('--redirect-uri <uri>', 'register it for every client as well', redirectUriOf)
    .option('--no-levers', 'leave off the levers under /_levers/')
    .addHelpText('after', variationList)
    .allowExcessArguments(false)
    .exitOverride()

const greeting = ({ url }: RunningBank, { speed, levers, variation, redirectUri }: Options): string =>
  [
    `The reference bank listens on ${url}`,
    `  account information  ${url}/premium/sandbox and ${url}/premium/production`,
    `  second variant       ${url}/sandbox and ${url}`,
    `  payments             ${url}/sandbox and ${url}`,
    `  installment loans    ${url}/paylater/sandbox`,
    `  application settings ${url}/premium/sandbox/application (sign in with client_id and secret)`,
    `  its clock            ${speed === 0 ? 'stands still' : `runs at ${speed} times the wall clock`}`,
    ...(variation ? [`  variation            ${variation.id}: ${variation.story}`] : []),
    '',
    'Clients (client_id, secret, redirect URIs)',
    ...(redirectUri === undefined ? [] : [`  all  ${redirectUri}`]),
    ...residents.clients.flatMap(({ clientId, secret, kind, redirectUris }) => [
      `  ${kind}  ${clientId.padEnd(16)}${secret}`,
      ...redirectUris.map((uri) => `       ${uri}`),
    ]),
    '',
    'Customers (user name, password)',
    ...residents.customers.map(({ username, password }) => `  ${username.padEnd(10)}${password}`),
    ...(levers ? ['', 'Levers', ...LEVERS.map((lever) => `  ${lever}`)] : []),
    '',
    'Ctrl-C stops it.',
  ].join('\n')

const stopOnSignal = ({ close }: RunningBank): void => {
  const stop = (): void => {
    // A second signal finds no handler, and ends the process as usual.
    process.off('SIGINT', stop).off('SIGTERM', stop)
    void close()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

const complain = (error: unknown): void => {
  // Commander has printed its own complaint, and its help is none.
  if (!(error instanceof CommanderError)) {
    const { code, message } = error as NodeJS.ErrnoException
    const hint = code === 'EADDRINUSE' ? 'another program has this port; choose one with --port' : message
    process.stderr.write(`error: the bank cannot start: ${hint}\n`)
  } else if (error.exitCode === 0) return
  process.exitCode = CONFIGURATION_ERROR
}

const main = async (argv: readonly string[]): Promise<void> => {
  try {
    const options = command().parse(argv).opts<Options>()
    const running = await startBank({ ...options, startAt: options.startAt ?? new Date() })
    stopOnSignal(running)
    process.stdout.write(`${greeting(running, options)}\n`)
  } catch (error) {
    complain(error)
  }
}

await main(process.argv)
