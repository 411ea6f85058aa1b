import { ENVIRONMENTS, type Environment } from '../../profile/environment.ts'
import { ORDERS } from '../../plan/examples.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { settleBaseUrl, settleHttpUrl } from '../../profile/configuration-error.ts'
import { profileSchema, type Profile } from '../../profile/schema.ts'
import {
  accountsIn,
  fromVariable,
  further,
  namedAccount,
  redirectUrisIn,
  variableProblem,
  wordsOf,
} from './typed-items.ts'
import { integer, list, url, word, type Reader } from '../options.ts'
import type { DocumentDraft } from './openapi/draft-profile.ts'
import type { UnknownRefusal } from './page-recipe.ts'

/** The answers from which a profile is written, in one table: option, question, place in the profile, check and comment. */

/** Who logs in. `pages`, `browser`: a recipe. `person`: a person. `tokens`: tokens are imported, and no customer logs in. */
export const AUTHORIZATIONS = ['pages', 'browser', 'person', 'tokens'] as const
export const VARIANTS = ['first', 'second', 'both'] as const
export const KINDS = ['TPP', 'FAC', 'loans'] as const
/** How the bank refuses a call of its API; `unknown` leaves it open. */
export const REFUSALS = ['json', 'page', 'unknown'] as const
/** The reasons of rejections for which an order is known that follows from no fact of the bank. */
export const PROVOCATIONS = ['AC01', 'AM04', 'AM05', 'DT01', 'RC01', 'RR03'] as const

interface Values {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly name: string | undefined
  readonly environment: Environment
  /** Undefined for the default of the profile. */
  readonly environments: readonly Environment[] | undefined
  readonly basePath: string | undefined
  readonly timeZone: string | undefined
  readonly refusals: (typeof REFUSALS)[number] | undefined
  readonly accountsVariant: (typeof VARIANTS)[number]
  readonly payments: boolean
  /** Name and IBAN. */
  readonly debtor: string
  readonly creditor: string
  readonly provocations: readonly (typeof PROVOCATIONS)[number][]
  readonly paymentHours: string | undefined
  readonly loans: boolean
  readonly webhookUrl: string | undefined
  readonly webhookPort: number | undefined
  readonly testHooks: boolean
  /** `loans`: one that takes out loans, and for which no customer authorizes. */
  readonly kind: (typeof KINDS)[number]
  readonly clientIdEnv: string
  readonly clientSecretEnv: string
  readonly redirectUri: readonly string[]
  /** In the order of the redirect URIs; `redirect` for those without an entry. */
  readonly delivery: readonly ('redirect' | 'result-screen')[]
  readonly furtherApplications: readonly string[]
  readonly authorization: (typeof AUTHORIZATIONS)[number]
  readonly customer: string
  readonly usernameEnv: string
  readonly passwordEnv: string
  readonly accounts: readonly string[]
  readonly furtherCustomers: readonly string[]
  readonly accessTokenEnv: string
}

/** How the customer logs in and decides on the bank's pages, as far as the search found it. */
export interface Recipe {
  readonly pages: Extract<Profile['authorization'], { kind: 'pages' }>['pages']
  readonly code?: string
  /** Whether an authorization with these pages succeeded; otherwise the later pages are guessed. */
  readonly complete: boolean
  /** Pages with two buttons where the text does not show which one refuses. */
  readonly unknownRefusals: readonly UnknownRefusal[]
  /** The IBANs in the customer's list of accounts. */
  readonly accounts: readonly string[]
}

interface Findings {
  readonly recipe?: Recipe
  readonly document?: DocumentDraft
}

/** The answers so far, from options or from the terminal. They are not validated yet. */
export type PartialAnswers = Findings & {
  readonly [Key in keyof Values]?: Exclude<Values[Key], undefined>
}

export type Answers = Findings & Values

export interface Question {
  readonly message: string
  /** The choices by their values; without them, a text is typed. */
  readonly choices?: Readonly<Record<string, readonly [label: string, hint: string]>>
}

/** An answer: its option, its question, and its part of the profile. */
interface Row<Value> {
  readonly option: string
  /** The heading in `--help` that begins with it. */
  readonly group?: string
  readonly help: string
  /** The default, or the example of a value that has none. */
  readonly usual?: Value
  /** Reads its value from the command line; left out, it is a text, or several. */
  readonly read?: Reader | undefined
  readonly question?: Question
  isNeeded?(answers: Answers): boolean
  /** The dotted key of the profile that it sets. */
  readonly place?: string
  /** The value at the place; undefined for none. */
  written?(value: Value, answers: Answers): unknown
  readonly comment?: string
  /** A problem that the schema of the profile does not find. */
  check?(value: Value, answers: Answers): string | undefined
}

const optionalTexts = (message: string) => ({ usual: [], question: { message } })
const yesOrNo = (hint: string) => ({ yes: ['yes', hint], no: ['no', ''] }) as const

/** Whether a customer authorizes the first application. */
export const isAuthorized = ({ kind }: Pick<Answers, 'kind'>): boolean => kind !== 'loans'
/** Whether the customer's login is automated with a recipe for the bank's pages. */
export const followsRecipe = (answers: Pick<Answers, 'authorization' | 'kind'>): boolean =>
  isAuthorized(answers) && ['pages', 'browser'].includes(answers.authorization)
const importsTokens = (answers: Answers): boolean =>
  isAuthorized(answers) && answers.authorization === 'tokens'
const offersPayments = ({ payments }: Answers): boolean => payments
const always = (): boolean => true

/** A label must fit on one line of the file and of every report. */
const lineProblem = (label: string): string | undefined =>
  /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(label)
    ? `expected one line of text, received ${JSON.stringify(label.slice(0, 60))}`
    : undefined

const accountProblem = (typed: string): string | undefined => {
  const { name, iban } = namedAccount(typed)
  return name === '' || iban === ''
    ? `expected a name and an IBAN such as "${DEBTOR}", received ${JSON.stringify(`${name} ${iban}`.trim())}`
    : undefined
}

/** A base URL that contains the base path would double it in every request. */
const doubledPath = (baseUrl: string, answers: Answers): string | undefined => {
  const path = basePathOf(answers)
  return path !== '' && URL.canParse(baseUrl) && new URL(baseUrl).pathname.endsWith(path)
    ? `"${baseUrl}" ends with the base path ${path}, which is appended again; remove it from the base URL`
    : undefined
}

const DEBTOR = 'Anna Nováková SK2998010000002600001129'
/** What an application has that only takes out loans. */
export const FOR_LOANS = { environments: { loans: {} } }
export const APPLICATION = 'first application'

const account = {
  isNeeded: offersPayments,
  written: (typed: string, answers: Answers) => (answers.payments ? namedAccount(typed) : undefined),
  check: (typed: string, answers: Answers) => (answers.payments ? accountProblem(typed) : undefined),
} as const

const variable = (isNeeded: (answers: Answers) => boolean) => ({
  isNeeded,
  written: (name: string, answers: Answers) => (isNeeded(answers) ? fromVariable(name) : undefined),
  check: (name: string, answers: Answers) => (isNeeded(answers) ? variableProblem(name) : undefined),
})

const TABLE: { readonly [Key in keyof Values]: Row<Values[Key]> } = {
  baseUrl: {
    option: '--base-url <url>',
    group: 'The bank',
    help: 'the part of every address before the base path',
    usual: 'https://api.bank.example',
    question: { message: 'Base URL: the part of every address before the base path' },
    isNeeded: always,
    place: 'baseUrl',
    comment: 'the base paths below are appended',
    check: doubledPath,
  },
  name: {
    option: '--name <text>',
    help: 'the name of the target in reports (default: the host of the base URL, and the environment)',
    place: 'name',
    check: (name = '') => lineProblem(name),
  },
  environment: {
    option: '--environment <name>',
    help: 'sandbox or production (default: sandbox)',
    usual: 'sandbox',
    read: word(ENVIRONMENTS),
    question: {
      message: 'Environment',
      choices: { sandbox: ['sandbox', ''], production: ['production', 'only read and consent are allowed'] },
    },
    place: 'environment',
    comment: 'sandbox or production',
  },
  environments: {
    option: '--environments <name...>',
    help: 'the environments in which the credentials hold (default: only that environment)',
    read: list(word(ENVIRONMENTS)),
    place: 'environments',
  },
  basePath: {
    option: '--base-path <path>',
    help: 'the part between base URL and path in that environment; / for none (default: the one that answers)',
    place: 'basePaths.{environment}',
    written: (path) => path?.replace(/(?<=.)\/+$/, ''),
  },
  timeZone: {
    option: '--time-zone <name>',
    help: 'its local time, a name of the IANA database such as Europe/Bratislava (default: UTC)',
    place: 'timeZone',
  },
  refusals: {
    option: '--refusals <how>',
    help: 'json: it refuses calls of its API in JSON or without a body; page: also with HTML pages (default: unknown)',
    read: word(REFUSALS),
    place: 'refusals',
    written: (how) => (how === 'unknown' ? undefined : how),
  },
  accountsVariant: {
    option: '--accounts-variant <name>',
    help: `${VARIANTS.join(', ')} (default: those that answer)`,
    usual: 'first',
    read: word(VARIANTS),
  },
  payments: {
    option: '--payments',
    help: 'it offers payments (--no-payments, the default: it does not)',
  },
  debtor: {
    ...account,
    option: '--debtor <name and iban>',
    help: `the account that pays, one of the customer's: "${DEBTOR}"`,
    usual: DEBTOR,
    question: { message: 'Payments answer. Name and IBAN of the account that pays (Enter: none)' },
    place: 'payments.debtor',
  },
  creditor: {
    ...account,
    option: '--creditor <name and iban>',
    help: 'the account that is paid',
    usual: 'Ján Novák SK1198010000004000007788',
    question: { message: 'Name and IBAN of the account that is paid' },
    place: 'payments.creditor',
  },
  provocations: {
    option: '--provocations <code...>',
    help: `orders that it rejects, as far as they can be guessed: ${PROVOCATIONS.join(', ')} (default: none)`,
    usual: [],
    read: list(word(PROVOCATIONS)),
    question: { message: 'Send orders that the bank rejects?', choices: yesOrNo(PROVOCATIONS.join(', ')) },
    place: 'payments.provocations',
    written: (codes) =>
      codes.length === 0 ? undefined : Object.fromEntries(codes.map((code) => [code, [ORDERS[code]]])),
  },
  paymentHours: {
    option: '--payment-hours <from and to>',
    help: 'the hours of a working day in which it accepts payments, such as "06:00 16:00" (default: all)',
    place: 'payments.hours',
    written: (typed) => typed && { from: wordsOf(typed)[0], to: wordsOf(typed)[1] },
  },
  loans: {
    option: '--loans',
    help: 'it offers instalment loans (--no-loans, the default: it does not)',
    usual: false,
    question: { message: 'Instalment loans answer. Check them?', choices: yesOrNo('applications are sent') },
  },
  webhookUrl: {
    option: '--webhook-url <url>',
    help: 'the URL to which it sends notifications (default: none)',
    place: 'webhooks.configured',
    written: (url) => url && [{ application: APPLICATION, securityHeader: '' }],
    read: url((address) => settleHttpUrl(address, 'https://me.example/webhook')),
  },
  webhookPort: {
    option: '--webhook-port <n>',
    help: "the port on this machine that receives them (default: the URL's, or 8080)",
    read: integer(1, 65_535),
    place: 'webhooks.listen.port',
    comment: 'on this machine; receives the requests to --webhook-url',
  },
  testHooks: {
    option: '--test-hooks',
    help: 'it has the test hooks of the reference bank (--no-test-hooks, the default: it does not)',
    usual: false,
    question: { message: 'The test hooks of the reference bank answer. Use them?', choices: yesOrNo('') },
    place: 'testHooks',
    written: (uses) => (uses ? referenceProfile().testHooks : undefined),
  },
  kind: {
    option: '--kind <kind>',
    group: 'Your application there',
    help: 'TPP (acts for its customers), FAC (uses its own data), or loans (only takes out loans)',
    usual: 'TPP',
    read: word(KINDS),
    question: {
      message: 'Kind of your application at the bank',
      choices: {
        TPP: ['TPP', 'acts for its customers'],
        FAC: ['FAC', 'uses its own data'],
        loans: ['loans', 'only takes out loans'],
      },
    },
    isNeeded: always,
    place: 'applications.0.kind',
    written: (kind) => (kind === 'loans' ? undefined : kind),
    comment: 'TPP acts for its customers, FAC uses its own data',
  },
  clientIdEnv: {
    ...variable(always),
    option: '--client-id-env <variable>',
    help: 'the environment variable that holds its client id, such as BANK_CLIENT_ID',
    usual: 'BANK_CLIENT_ID',
    place: 'applications.0.clientId',
  },
  clientSecretEnv: {
    ...variable(always),
    option: '--client-secret-env <variable>',
    help: 'the environment variable that holds its secret: the name, never the value',
    usual: 'BANK_CLIENT_SECRET',
    place: 'applications.0.clientSecret',
  },
  redirectUri: {
    option: '--redirect-uri <uri...>',
    help: 'its registered redirect URIs',
    usual: ['https://client.example/callback'],
    question: {
      message:
        'Registered redirect URIs, separated by spaces; result-screen after one for which the bank shows the code on a page',
    },
    isNeeded: isAuthorized,
    place: 'applications.0.redirectUris',
    written: (uris, { kind, delivery }) =>
      kind === 'loans' ? undefined : uris.map((uri, at) => ({ uri, delivery: delivery[at] ?? 'redirect' })),
  },
  delivery: {
    option: '--delivery <how...>',
    help: 'redirect, or result-screen where the bank shows the code on a page; in the order of the URIs (default: redirect)',
    usual: [],
    read: list(word(['redirect', 'result-screen'])),
  },
  furtherApplications: {
    ...optionalTexts('Further applications, by commas: kind, variables, redirect URIs (Enter: none)'),
    ...further('application', 1, ['clientId', 'clientSecret'], ([kind, , , ...uris]) =>
      kind === 'loans' ? FOR_LOANS : { kind, redirectUris: redirectUrisIn(uris) },
    ),
    option: '--further-applications <text...>',
    help: 'further applications: "FAC SECOND_CLIENT_ID SECOND_CLIENT_SECRET https://second.example/callback"',
    place: 'applications',
  },
  authorization: {
    option: '--authorization <way>',
    group: 'The customer who authorizes',
    help: `${AUTHORIZATIONS.join(', ')} (default: pages)`,
    usual: 'pages',
    read: word(AUTHORIZATIONS),
    question: {
      message: 'Who logs in and agrees as the customer?',
      choices: {
        all: [
          "a recipe for the bank's pages, found by logging in now",
          'the customer agrees; nothing else is sent',
        ],
        first: ["a recipe for the bank's pages, found on the login page", 'no customer logs in now'],
        not: ["a recipe for the bank's pages, guessed", 'no request is sent'],
        browser: ['a recipe, in a real browser', 'pages that need scripts; needs a Chromium'],
        person: ['a person, who is sent a link', 'for logins that cannot be automated'],
        tokens: ['no login: tokens are imported', 'only read operations are checked'],
      },
    },
    place: 'authorization.kind',
  },
  customer: {
    option: '--customer <text>',
    help: 'your label for the customer (default: first customer)',
    usual: 'first customer',
    place: 'customers.0.name',
    comment: 'your own label; reports use it',
    check: lineProblem,
  },
  usernameEnv: {
    ...variable(followsRecipe),
    option: '--username-env <variable>',
    help: 'the environment variable that holds the user name',
    usual: 'BANK_USERNAME',
    place: 'customers.0.username',
  },
  passwordEnv: {
    ...variable(followsRecipe),
    option: '--password-env <variable>',
    help: 'the environment variable that holds the password',
    usual: 'BANK_PASSWORD',
    place: 'customers.0.password',
  },
  accounts: {
    ...optionalTexts('Accounts that may be used: IBANs, after each other (at another bank), transactions'),
    option: '--accounts <iban...>',
    help: 'the known accounts; after an IBAN: other (at another bank), unconsented, the number of transactions',
    place: 'customers.0.accounts',
    written: accountsIn,
  },
  furtherCustomers: {
    ...optionalTexts('Further customers, separated by commas: variables, IBANs of accounts (Enter: none)'),
    ...further('customer', 0, ['username', 'password'], ([, , ...accounts]) => ({
      accounts: accountsIn(accounts),
    })),
    option: '--further-customers <text...>',
    help: 'further customers, with accounts: "SECOND_USERNAME SECOND_PASSWORD SK9098010000002900004444"',
    place: 'customers',
  },
  accessTokenEnv: {
    ...variable(importsTokens),
    option: '--access-token-env <variable>',
    help: 'the environment variable that holds a token (for --authorization tokens)',
    usual: 'BANK_ACCESS_TOKEN',
    place: 'authorization.tokens',
    written: (name, answers) =>
      importsTokens(answers)
        ? [{ application: APPLICATION, customer: answers.customer, accessToken: fromVariable(name) }]
        : undefined,
  },
}

export type Key = keyof Values

export const ROWS = Object.entries(TABLE).map(([key, row]: [string, Row<unknown>]) => ({
  ...row,
  key: key as Key,
  name: row.option.replace(/ .*/, ''),
}))

export const rowOf = (key: Key): Row<unknown> => TABLE[key]

export const withDefaults = (given: PartialAnswers): Answers => {
  const usual = Object.fromEntries(ROWS.map((row) => [row.key, row.usual]))
  const all = { ...usual, ...given } as Answers
  const { debtor, creditor, webhookUrl, webhookPort } = given
  const settled = settleBaseUrl(all.baseUrl)
  return {
    ...all,
    // An invalid URL is reported when the answers are validated.
    baseUrl: 'url' in settled ? settled.url : all.baseUrl,
    loans: given.loans ?? all.kind === 'loans',
    payments: isAuthorized(all) && (given.payments ?? (debtor !== undefined || creditor !== undefined)),
    webhookUrl,
    webhookPort: webhookUrl === undefined ? undefined : (webhookPort ?? portFor(webhookUrl)),
  }
}

/** The port of the URL, or the default port: a public URL is usually forwarded to another local port. */
const portFor = (url: string): number => (URL.canParse(url) && Number(new URL(url).port)) || 8080

/** The base path in the environment of the answers; empty for none. */
export const basePathOf = ({ basePath, environment }: Pick<Answers, 'basePath' | 'environment'>): string =>
  (basePath ?? profileSchema.shape.basePaths.parse(undefined)[environment]).replace(/\/+$/, '')

export const forFirstLogin = (all: Answers) => ({ ...all, furtherApplications: [], furtherCustomers: [] })

const rowsNeeded = (answers: Answers) => ROWS.filter((row) => row.isNeeded?.(answers) === true)

export const optionsOf = (given: PartialAnswers): readonly (readonly string[])[] => {
  const answers = withDefaults(given)
  const needed = rowsNeeded(answers)
  return ROWS.filter((row) => given[row.key] !== undefined || needed.includes(row)).flatMap(
    ({ key, name }) => {
      const value = answers[key]
      if (typeof value === 'boolean') return [[value ? name : name.replace('--', '--no-')]]
      const values = [value].flat()
      return values.length === 0 ? [] : [[name, ...values.map(String)]]
    },
  )
}

export const missingOptions = (given: PartialAnswers): readonly (readonly string[])[] =>
  rowsNeeded(withDefaults(given))
    .filter(({ key }) => given[key] === undefined)
    .map(({ name, usual }) => [name, String(usual)])
