/** Starts the reference bank as a sandbox: `npm run bank -- --port 8080 --speed 60`. */
import { closest } from 'fastest-levenshtein'
import { BASES, type Bases } from '../bank/base-paths.ts'
import type { Defect, Dialect, Variation } from '../bank/defect.ts'
import { dialects, generatedDialect, generatedNumber } from '../bank/dialects/generated.ts'
import { isAtOwnBank, seedData, type Account } from '../bank/seed-data.ts'
import { type RunningBank, startBank } from '../bank/server.ts'
import { TEST_HOOKS } from '../bank/test-hooks.ts'
import { variationGroups } from '../bank/variations/index.ts'
import { scriptedPages } from '../bank/variations/authorization-variations.ts'
import { typed } from '../evidence/command-names.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { loadDefects } from '../proof/selection.ts'
import { EXIT } from './exit.ts'
import { HELP, integer, readCommandLine, type CommandDefinition, type Reader } from './options.ts'
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
  readonly redirectUri?: string
}

/** @param read a value; undefined for a text that is none. */
const such =
  <Value>(expected: string, read: (text: string) => Value | undefined): Reader<Value> =>
  (text, option, addProblem) =>
    read(text) ?? addProblem(`${option}: expected ${expected}; received '${text}'`)

const speed = such(
  'a number, such as 60, which makes an hour pass in a minute, or 0 to stop the clock',
  (text) =>
    text.trim() !== '' && Number.isFinite(Number(text)) && Number(text) >= 0 ? Number(text) : undefined,
)

const time = such('a time such as 2026-01-05T09:00:00Z', (text) =>
  Number.isNaN(Date.parse(text)) ? undefined : new Date(text),
)

const redirectUri = such(
  'an absolute URI without a fragment, such as http://127.0.0.1:8765/callback',
  (text) => (URL.canParse(text) && !text.includes('#') ? text : undefined),
)

const dialect = such('generated-<number>, such as generated-1', (id) => {
  const number = generatedNumber(id)
  return number === undefined ? undefined : generatedDialect(number)
})

interface Named {
  readonly id: string
  readonly title: string
}

/** @throws ConfigurationError with the nearest id, since there are many. */
const named = <One extends Named>(all: readonly One[], id: string, option: string, list: string): One => {
  const found = all.find((one) => one.id === id)
  if (found !== undefined) return found
  const ids = all.map((one) => one.id)
  throw new ConfigurationError(
    `${option} ${id}: there is no such id. Did you mean ${closest(id, ids)}? ${list} lists all ids.`,
  )
}

/** The titles of all lists begin in one column. */
const ID_WIDTH = Math.max(...[...dialects, ...startable].map(({ id }) => id.length)) + 2

const renderList = (heading: string, all: readonly Named[]): string =>
  ['', heading, ...all.map(({ id, title }) => `  ${id.padEnd(ID_WIDTH)}${title}`)].join('\n')

const lists = (): string =>
  [
    renderList('Dialects:', dialects),
    ...Object.entries(groups).map(([about, group]) => renderList(`Variations: ${about}`, group)),
    '',
  ].join('\n')

const BANK_COMMAND: CommandDefinition = {
  command: 'bank',
  description: 'Starts the reference bank, a sandbox for the development of clients.',
  usage: '[options]',
  groups: {
    Options: [
      ['--port <n>', 'port to listen on; 0 for any free port (default: 8080)', integer(0, 65_535)],
      ['--host <address>', 'address to listen on (default: 127.0.0.1)'],
      ['--speed <factor>', "speed of the bank's clock; 0 stops it (default: 1)", speed],
      ['--start-at <time>', "the bank's time at the start (default: now)", time],
      ['--seed <n>', 'seed of the transactions before the start', integer(0, Number.MAX_SAFE_INTEGER)],
      ['--variation <id>', 'another behaviour that the interface permits'],
      ['--dialect <id>', 'another wire format that the interface permits', dialect],
      ['--defect <id>', `a fault, to see what a run says of it; ${typed('catalogue')} lists all`],
      ['--redirect-uri <uri>', 'another redirect URI, registered for every client', redirectUri],
      ['--no-test-hooks', 'without the test hooks under /_test-hooks/'],
      HELP,
    ],
  },
  epilogue: lists(),
}

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

const start = async (options: Options, defect: Defect | undefined): Promise<RunningBank> => {
  try {
    return await startBank({ startAt: new Date(), ...options, ...(defect && { defect }) })
  } catch (error) {
    const inUse = `port ${options.port} is in use; choose another one with --port, or 0 for any free port`
    throw new ConfigurationError(
      `error: the bank cannot start: ${systemCodeOf(error) === 'EADDRINUSE' ? inUse : messageOf(error)}`,
    )
  }
}

/** The values as they are typed; ids are not resolved yet. */
type Typed = Omit<Options, 'variation'> & { readonly variation?: string; readonly defect?: string }

export const main = async (argv: readonly string[]): Promise<number> => {
  const line = readCommandLine<Typed>(BANK_COMMAND, argv)
  line.verify()
  const { variation, defect: id, ...others } = line.values
  const options: Options = {
    port: 8080,
    host: '127.0.0.1',
    speed: 1,
    testHooks: true,
    ...others,
    ...(variation !== undefined && {
      variation: named(startable, variation, '--variation', typed('bank', '--help')),
    }),
  }
  const defect = id === undefined ? undefined : named(await loadDefects(), id, '--defect', typed('catalogue'))
  const running = await start(options, defect)
  process.stdout.write(`${startMessage(running, options, defect)}\n`)
  await stopOnSignal(running)
  return EXIT.ok
}
