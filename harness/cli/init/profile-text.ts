import { Document, isMap, isScalar, isSeq, visit, type Pair } from 'yaml'
import { followsRecipe, neededVariables, type Answers } from './answers.ts'
import { draftProfile, profileInput } from './problems.ts'
import { openRefusals } from './recipe-search.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'

type Values = Readonly<Record<string, unknown>>

/** One part of a written profile. */
interface Section {
  /** Sentences above it. */
  readonly prose: readonly string[]
  readonly values?: Values
  /** Left at their defaults, and shown for whoever has to change them. Below a key of `values`, it stands there too. */
  readonly defaults?: Values
}

/** A sentence has a blank behind its `#`, a default has none: without its `#` it is YAML, and changes nothing. */
const renderSection = ({ prose, values = {}, defaults = {} }: Section): string => {
  const said = Object.keys(values)
  const left = Object.entries(defaults).flatMap(([key, value]) =>
    // The key itself stands above already.
    linesOf({ [key]: value }).slice(said.includes(key) ? 1 : 0),
  )
  const lines = [
    ...prose.map((sentence) => `# ${sentence}`),
    ...(said.length === 0 ? [] : linesOf(values)),
    ...left.map((line) => `#${line}`),
  ]
  return `${lines.join('\n')}\n`
}

const linesOf = (values: Values): readonly string[] => {
  const document = new Document(values, { aliasDuplicateObjects: false })
  visit(document, {
    Pair: (_, pair, ancestors) => {
      if (isSeq(pair.value) && pair.value.items.every(isScalar)) pair.value.flow = true
      const remark = remarkAt([...keysOf(ancestors), keyOf(pair)])
      if (remark !== undefined && isSingle(pair.value)) pair.value.comment = ` ${remark}`
    },
  })
  return document
    .toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false })
    .trimEnd()
    .split('\n')
}

const isSingle = (value: unknown): value is { comment?: string | null } =>
  isScalar(value) || (isSeq(value) && value.flow === true) || (isMap(value) && value.items.length === 0)

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

/** An item of a list stands below no key of its own. */
const keysOf = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((node) => {
    if (isSeq(node)) return ['*']
    return isPairOf(node) ? [keyOf(node)] : []
  })

const isPairOf = (node: unknown): node is Pair =>
  typeof node === 'object' && node !== null && 'key' in node && 'value' in node

const remarkAt = (path: readonly string[]): string | undefined => REMARKS[path.join('.')]

/** What stands beside the keys of a written profile: the place of the key → a remark. `*` is any key or index. */
export const REMARKS: Readonly<Record<string, string>> = {
  name: 'as reports show it',
  baseUrl: 'the base paths below are appended',
  environment: 'sandbox or production',
  'applications.*.name': 'your own label; reports use it',
  'applications.*.kind': 'TPP acts for its customers, FAC uses its own data',
  'applications.*.redirectUris.*.uri': 'as it is registered, to the letter',
  'applications.*.redirectUris.*.delivery': 'redirect or result-screen (the bank shows the code on a page)',
  'customers.*.name': 'your own label; reports use it',
  'authorization.pages.*.when': 'the page is recognised by this element',
  'authorization.pages.*.press': 'the button that agrees',
  'authorization.pages.*.refuse': 'the button that refuses',
  'authorization.code': 'where the result screen shows the code',
  'authorization.limit': 'pages and redirects that one authorization may take',
  'authorization.listen.port': 'that of the registered redirect URI on this machine',
  'scopes.accounts': "a TPP's has a colon and the consent id behind it",
  'operations.createConsent.requestIdHeader': 'carries a new id with each request',
  'operations.createConsent.success': 'status codes of success, here and below',
  'operations.token.refreshToken': 'the field with the refresh token',
  'operations.token.errorCode': 'where a refusal has its code',
  'operations.listAccounts.accounts': 'the field with the list',
  'operations.listAccounts.iban': 'within one account of the list',
  'operations.readAccount.iban': 'the IBAN of the account asked for',
  'operations.readAccount.balances': 'the list of balances',
  'operations.readAccount.amount': 'within one balance',
  'operations.listTransactions.query': 'further parameters, sent with every request',
  'operations.listTransactions.transactions': 'the list of transactions',
  'operations.listTransactions.id': 'within one transaction',
  'operations.listTransactions.paging.kind': 'link, cursor, number or offset: how the next page is asked for',
  'operations.listTransactions.paging.next': 'the link to the next page; the last page has none',
  'secondVariant.listAccounts.id': 'what picks an account in the other operations',
  'secondVariant.listTransactions.pageSize': 'the member of the body with the page size',
  'payments.requestIdHeader': 'carries a new id with each request',
  'payments.token.credentials': 'basic or form (client id and secret in the body)',
  'payments.authorize.parameter': 'of the query; carries the orderId',
  'payments.submission.token': 'granted or client (the token of the initiation)',
  'payments.debtor.iban': "one of the customer's accounts",
  'payments.amount': 'the smallest amount that the bank takes',
  'loans.token.credentials': 'form or basic (in the Authorization header)',
  'loans.precalculation.positive.kind': 'status, member or list: how a positive result is recognised',
  'loans.submission.id': 'where the answer has the application-id',
  'loans.scenario.kind': 'page, call or parameter: how a scenario is selected',
  'loans.scenario.link': 'where the answer has the address of the page',
  'loans.status.status': 'where the answer has the status',
  'loans.errorCode': 'where a refusal has its result code',
  'webhooks.listen.port': 'on this machine; --webhook-url leads here',
  'webhooks.configured.*.application': 'its settings at the bank name the --webhook-url',
  'webhooks.configured.*.securityHeader': 'as it is set there; empty for none',
  'webhooks.deliveryMs': 'how long a delivery may take',
  'webhooks.refreshMs': 'how long a refresh may take until it is FINISHED',
  'connection.verify': 'false accepts any certificate; the report says so',
  'deadlines.requestMs': 'one request',
  'deadlines.runMs': 'the whole run',
  'clock.speed': "how many times as fast as here the bank's time runs",
}

/**
 * A commented profile: what was answered, and as comments what was left at its default.
 * @param file where it will be, as the user named it.
 */
export const profileText = (answers: Answers, file: string): string =>
  sectionsOf(answers, file).map(renderSection).join('\n')

const sectionsOf = (answers: Answers, file: string): readonly Section[] => {
  const input = profileInput(answers)
  const { profile } = draftProfile(answers)
  return [
    head(answers, file),
    { prose: [], values: part(input, 'name', 'baseUrl', 'environment') },
    basePaths(input, profile),
    { prose: APPLICATIONS, values: part(input, 'applications') },
    { prose: CUSTOMERS, values: part(input, 'customers') },
    authorization(answers, input, profile),
    { prose: SCOPES, defaults: { scopes: profile.scopes } },
    { prose: OPERATIONS, defaults: { operations: profile.operations } },
    ...offers(answers, profile),
    webhooks(answers, profile),
    { prose: TEST_HOOKS },
    { prose: ALLOW, values: { allow: profile.allow } },
    ...settings(profile),
    ...(input.notApplicable === undefined
      ? []
      : [
          {
            prose: ['Requirements that do not apply to this bank, and why.'],
            values: part(input, 'notApplicable'),
          },
        ]),
  ]
}

const part = (input: ProfileInput, ...keys: readonly (keyof ProfileInput)[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, input[key]]))

const head = (answers: Answers, file: string): Section => ({
  prose: [
    'The profile of a target: all that its owner has to tell. To look before a run, and to run it:',
    `npm run doctor -- --profile ${file}`,
    `npm test -- --profile ${file}${answers.webhook ? ` --webhook-url ${answers.webhook.url}` : ''}`,
    'Values like env:NAME are read from the environment, so that this file holds no secret:',
    neededVariables(answers).join(', '),
    'A # without a blank after it marks a default: remove it there and from the keys above it to change the value.',
  ],
})

const basePaths = (input: ProfileInput, profile: Profile): Section => ({
  prose: ['The base path of the account interface, by environment; / for none.'],
  ...(input.basePaths === undefined
    ? { defaults: { basePaths: profile.basePaths } }
    : { values: { basePaths: withSlash(profile.basePaths) } }),
})

/** An empty base path is written as a slash. */
const withSlash = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([environment, path]) => [environment, path || '/']))

const APPLICATIONS = [
  'The client applications registered at the bank. A second one of a kind makes more checks possible, and so does one',
  'of the other kind: each is an item of its own.',
]

const CUSTOMERS = [
  "The bank's customers who authorize. A second one makes more checks possible, and so do the accounts that are known",
  'of one: accounts: [{ iban: SK2998010000002600001129 }], with bank: other for an account at another bank.',
]

const SCOPES = ['The scope of the account interface.']

const OPERATIONS = [
  'How the bank does what the interface does not show: names that are guessed until a run has met them.',
  'Paths follow the base path; fields are keys from the root of the JSON, joined by dots.',
]

const TEST_HOOKS = [
  'What the bank offers for testing, beyond the interface, goes into testHooks, each bound to an HTTP request: to',
  'revoke a token, to book a transaction, to move the clock. Without them some checks are held back. See',
  'docs/profiles.md.',
]

const ALLOW = [
  'What may be done to this bank: read, consent, notify, apply (for loans), pay. A request that does more is not sent.',
]

const authorization = (
  { recipe, authorization: kind }: Answers,
  input: ProfileInput,
  profile: Profile,
): Section =>
  !followsRecipe(kind)
    ? { prose: kind === 'person' ? PERSON : TOKENS, values: part(input, 'authorization') }
    : {
        prose: [
          ...PAGES,
          recipe === undefined ? GUESSED : recipe.complete ? FOUND : HALF_FOUND,
          ...(recipe === undefined ? [] : openRefusals(recipe)),
        ],
        values: { authorization: profile.authorization },
      }

const PERSON = [
  'A person authorizes: the run shows the link, and who is to log in and agree. See docs/authorization.md.',
]

const TOKENS = [
  'Tokens that were obtained elsewhere: what needs a token and no more can be judged. Add refreshToken and consentId',
  'where they are known.',
]

const PAGES = [
  "What the customer does on the bank's pages: each page that comes is recognised by the CSS selector at when, what is",
  'to be typed is given at fill, and a button is pressed. The pages may come in any order.',
]
const GUESSED = 'These selectors are guessed: look at the pages of the bank, and change what differs.'
const HALF_FOUND = 'The first page was found at the bank; the pages after it are guessed: check them.'
const FOUND = 'These selectors were found on the pages of the bank.'

/** The second half of a written profile: what else the bank offers, and how it is treated. */

/** The further interfaces: bound where the bank offers them. */
const offers = (answers: Answers, profile: Profile): readonly Section[] => [
  secondVariant(profile),
  payments(answers, profile),
  loans(profile),
]

const secondVariant = ({ secondVariant: second }: Profile): Section => {
  if (second === undefined)
    return { prose: ['No second accounts variant was seen or named: secondVariant is left out.'] }
  const { basePaths, ...others } = second
  return {
    prose: ['The second accounts variant, with the account in the body. / means no base path.'],
    values: { secondVariant: { basePaths: withSlash(basePaths) } },
    defaults: { secondVariant: others },
  }
}

const payments = (answers: Answers, profile: Profile): Section => {
  if (answers.payments === undefined || profile.payments === undefined)
    return { prose: ['The bank offers no payments: payments is left out.'] }
  const { debtor, creditor, basePaths, oauthBasePaths, provocations, ...others } = profile.payments
  return {
    prose: [
      'The payment API. Each payment is of the smallest amount, from the debtor to the creditor.',
      'How each rejection is provoked is for the owner to say: provocations, by reason code, such as',
      'AC04: { change: { creditor: { iban: an account that is closed } } }.',
    ],
    values: { payments: { debtor, creditor } },
    defaults: {
      payments: {
        basePaths: withSlash(basePaths),
        oauthBasePaths: withSlash(oauthBasePaths),
        ...others,
        provocations,
      },
    },
  }
}

const loans = ({ loans: bound }: Profile): Section => {
  if (bound === undefined) return { prose: ['No instalment loans were seen or named: loans is left out.'] }
  const { basePath, ...others } = bound
  return {
    prose: [
      'The sandbox of instalment loans. Bodies are sent as JSON; values between braces are replaced when they are sent.',
    ],
    values: { loans: { basePath: basePath || '/' } },
    defaults: { loans: others },
  }
}

const WEBHOOKS =
  'Notifications are received by a sink that the run brings up; --webhook-url names it to the bank.'

const webhooks = ({ webhook }: Answers, profile: Profile): Section => {
  const { listen, configured, ...others } = profile.webhooks
  if (webhook === undefined) return { prose: [WEBHOOKS], defaults: { webhooks: profile.webhooks } }
  return {
    prose: [
      WEBHOOKS,
      `Here that is ${webhook.url}, and the settings of the application at the bank have to say so.`,
    ],
    values: { webhooks: { listen, configured } },
    defaults: { webhooks: others },
  }
}

/** How the target is reached, and how long it may take. */
const settings = (profile: Profile): readonly Section[] => [
  {
    prose: [
      'Further origins of the same bank, such as the host of its login pages. Nothing is sent to any other.',
    ],
    defaults: { origins: profile.origins },
  },
  {
    prose: [
      'Certificates and proxies: ca, certificate and key name files (PEM), proxy an address. Headers are for a gateway.',
    ],
    defaults: { connection: profile.connection, headers: profile.headers },
  },
  {
    prose: ['In milliseconds. `budget: { requests: 5000 }` bounds the requests of a run as well.'],
    defaults: { deadlines: profile.deadlines },
  },
  { prose: [], defaults: { clock: profile.clock } },
]
