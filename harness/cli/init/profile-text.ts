import { Document, isMap, isScalar, isSeq, visit, type Pair } from 'yaml'
import { typed } from '../../evidence/command-names.ts'
import { followsRecipe, neededVariables, type Answers } from './answers.ts'
import { draftProfile, profileInput } from './problems.ts'
import { describeUnknownRefusals } from './recipe-search.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'

type Values = Readonly<Record<string, unknown>>

/** One part of the profile text. */
interface Section {
  /** Comment lines above the keys. */
  readonly prose: readonly string[]
  readonly values?: Values
  /** Keys with their default values, written as comments. A key of `values` may have further defaults. */
  readonly defaults?: Values
}

/** A sentence is written with `# `, a default with `#` only, so that removing the `#` makes it YAML. */
const renderSection = ({ prose, values = {}, defaults = {} }: Section): string => {
  const given = Object.keys(values)
  const commented = Object.entries(defaults).flatMap(([key, value]) =>
    // The line of the key itself is already written with the values.
    linesOf({ [key]: value }).slice(given.includes(key) ? 1 : 0),
  )
  const lines = [
    ...prose.map((sentence) => `# ${sentence}`),
    ...(given.length === 0 ? [] : linesOf(values)),
    ...commented.map((line) => `#${line}`),
  ]
  return `${lines.join('\n')}\n`
}

const linesOf = (values: Values): readonly string[] => {
  const document = new Document(values, { aliasDuplicateObjects: false })
  visit(document, {
    Pair: (_, pair, ancestors) => {
      if (isSeq(pair.value) && pair.value.items.every(isScalar)) pair.value.flow = true
      const comment = commentAt([...keysOf(ancestors), keyOf(pair)])
      if (comment !== undefined && isSingle(pair.value)) pair.value.comment = ` ${comment}`
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

/** The keys on the path; `*` for an item of a list. */
const keysOf = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((node) => {
    if (isSeq(node)) return ['*']
    return isPairOf(node) ? [keyOf(node)] : []
  })

const isPairOf = (node: unknown): node is Pair =>
  typeof node === 'object' && node !== null && 'key' in node && 'value' in node

const commentAt = (path: readonly string[]): string | undefined => KEY_COMMENTS[path.join('.')]

/** The comments after the keys of the profile text, by the path of the key. `*` is any key or index. */
export const KEY_COMMENTS: Readonly<Record<string, string>> = {
  name: 'the name in reports',
  baseUrl: 'the base paths below are appended',
  environment: 'sandbox or production',
  'applications.*.name': 'your own label; reports use it',
  'applications.*.kind': 'TPP acts for its customers, FAC uses its own data',
  'applications.*.redirectUris.*.uri': 'exactly as it is registered',
  'applications.*.redirectUris.*.delivery': 'redirect or result-screen (the bank shows the code on a page)',
  'customers.*.name': 'your own label; reports use it',
  'authorization.pages.*.when': 'the page is recognised by this element',
  'authorization.pages.*.press': 'the button that agrees',
  'authorization.pages.*.refuse': 'the button that refuses',
  'authorization.code': 'where the result screen shows the code',
  'authorization.limit': 'pages and redirects that one authorization may take',
  'authorization.listen.port': 'the port of the registered redirect URI on this machine',
  'scopes.accounts': 'for a TPP, a colon and the consent id are appended',
  'operations.createConsent.requestIdHeader': 'the header with a new id for each request',
  'operations.createConsent.success': 'status codes of success, here and below',
  'operations.token.refreshToken': 'the field with the refresh token',
  'operations.token.errorCode': 'the field with the error code',
  'operations.listAccounts.accounts': 'the field with the list',
  'operations.listAccounts.iban': 'the field of one account',
  'operations.readAccount.iban': 'the field with the IBAN of the account',
  'operations.readAccount.balances': 'the list of balances',
  'operations.readAccount.amount': 'the field of one balance',
  'operations.listTransactions.query': 'further parameters, sent with every request',
  'operations.listTransactions.transactions': 'the list of transactions',
  'operations.listTransactions.id': 'the field of one transaction',
  'operations.listTransactions.paging.kind': 'link, cursor, number or offset: how the next page is asked for',
  'operations.listTransactions.paging.next': 'the link to the next page; the last page has none',
  'secondVariant.listAccounts.id': 'the field that identifies an account in the other operations',
  'secondVariant.listTransactions.pageSize': 'the field of the body with the page size',
  'payments.requestIdHeader': 'the header with a new id for each request',
  'payments.token.credentials': 'basic or form (client id and secret in the body)',
  'payments.authorize.parameter': 'the query parameter with the orderId',
  'payments.submission.token': 'granted or client (the token of the initiation)',
  'payments.debtor.iban': "one of the customer's accounts",
  'payments.amount': 'the smallest amount that the bank accepts',
  'loans.token.credentials': 'form or basic (in the Authorization header)',
  'loans.precalculation.positive.kind': 'status, member or list: how a positive result is recognised',
  'loans.submission.id': 'the field of the answer with the application-id',
  'loans.scenario.kind': 'page, call or parameter: how a scenario is selected',
  'loans.scenario.link': 'the field of the answer with the URL of the page',
  'loans.status.status': 'the field of the answer with the status',
  'loans.errorCode': 'the field of a refusal with its result code',
  'webhooks.listen.port': 'on this machine; receives the requests to --webhook-url',
  'webhooks.configured.*.application': 'its settings at the bank contain the --webhook-url',
  'webhooks.configured.*.securityHeader': 'as it is configured at the bank; empty for none',
  'webhooks.deliveryMs': 'the longest time of a delivery',
  'webhooks.refreshMs': 'the longest time of a refresh until it is FINISHED',
  'connection.verify': 'false accepts any certificate; the report says so',
  'deadlines.requestMs': 'the limit of one request',
  'clock.speed': "the speed of the bank's clock; 1 is real time",
}

/**
 * The text of a profile: the answers as values, and all defaults as comments.
 * @param file its path, as given by the user.
 */
export const profileText = (answers: Answers, file: string): string =>
  sectionsOf(answers, file).map(renderSection).join('\n')

const sectionsOf = (answers: Answers, file: string): readonly Section[] => {
  const input = profileInput(answers)
  const { profile } = draftProfile(answers)
  return [
    head(answers, file),
    ...documented(answers),
    { prose: [], values: pick(input, 'name', 'baseUrl', 'environment') },
    basePaths(input, profile),
    { prose: APPLICATIONS, values: pick(input, 'applications') },
    { prose: CUSTOMERS, values: pick(input, 'customers') },
    authorization(answers, input, profile),
    { prose: SCOPES, defaults: { scopes: profile.scopes } },
    input.operations === undefined
      ? { prose: OPERATIONS, defaults: { operations: profile.operations } }
      : { prose: [...OPERATIONS, OTHERS], values: pick(input, 'operations') },
    ...furtherInterfaces(answers, input, profile),
    webhooks(answers, profile),
    { prose: TEST_HOOKS },
    { prose: ALLOW, values: { allow: profile.allow } },
    ...settings(input, profile),
    ...(input.notApplicable === undefined
      ? []
      : [
          {
            prose: ['Requirements that do not apply to this bank, and why.'],
            values: pick(input, 'notApplicable'),
          },
        ]),
  ]
}

const pick = (input: ProfileInput, ...keys: readonly (keyof ProfileInput)[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, input[key]]))

const head = (answers: Answers, file: string): Section => ({
  prose: [
    'The profile of a target. These commands examine the target before a run, and run the checks:',
    typed('doctor', `--profile ${file}`),
    typed('run', `--profile ${file}${answers.webhook ? ` --webhook-url ${answers.webhook.url}` : ''}`),
    'Values such as env:NAME are read from environment variables, so that this file contains no secret:',
    neededVariables(answers).join(', '),
    'A line with # and no space is a default. To change it, remove the # here and from the keys above it.',
  ],
})

/** What was taken from the OpenAPI document, and what is to be checked. */
const documented = ({ document }: Answers): readonly Section[] =>
  document === undefined
    ? []
    : [
        {
          prose: [
            `Paths and names are taken from the OpenAPI document ${JSON.stringify(document.title)}.`,
            ...(document.questions.length === 0 ? [] : ['It leaves these questions open:']),
            ...document.questions.map((question) => `- ${question}`),
          ],
        },
      ]

/** Stands above values from a document. */
const OTHERS = 'All other keys have their defaults; the doctor lists them.'

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
  'The client applications registered at the bank. More checks are possible with a second application of the same kind,',
  'and with an application of the other kind. Each is an item of the list.',
]

const CUSTOMERS = [
  "The bank's customers who authorize. More checks are possible with a second customer, and with known accounts of",
  'a customer: accounts: [{ iban: SK2998010000002600001129 }], with bank: other for an account at another bank.',
]

const SCOPES = ['The scope of the account interface.']

const OPERATIONS = [
  'Paths and field names that the interface does not define. They are guessed until a run confirms them.',
  'Paths are appended to the base path; a field is a path of JSON keys, separated by dots.',
]

const TEST_HOOKS = [
  'testHooks: what the bank offers for testing beyond the interface, each an HTTP request: revoke a token, book a',
  'transaction, move the clock. Some checks are held back without them. See',
  'docs/profiles.md.',
]

const ALLOW = [
  'The allowed effects: read, consent, notify, apply (for loans), pay. A request with another effect is not sent.',
]

const authorization = (
  { recipe, authorization: kind }: Answers,
  input: ProfileInput,
  profile: Profile,
): Section =>
  !followsRecipe(kind)
    ? { prose: kind === 'person' ? PERSON : TOKENS, values: pick(input, 'authorization') }
    : {
        prose: [
          ...PAGES,
          recipe === undefined ? GUESSED : recipe.complete ? FOUND : FIRST_FOUND,
          ...(recipe === undefined ? [] : describeUnknownRefusals(recipe)),
        ],
        values: { authorization: profile.authorization },
      }

const PERSON = [
  'A person authorizes: the run shows a link and the customer who must log in and agree. See docs/authorization.md.',
]

const TOKENS = [
  'Imported tokens: only requirements that need no authorization are checked. Add refreshToken and consentId if they',
  'are known.',
]

const PAGES = [
  "The customer's steps on the bank's pages. Each page is recognised by the CSS selector at when; then the fields at",
  'fill are filled and the button at press is pressed. The pages may come in any order.',
]
const GUESSED = "These selectors are guessed: compare them with the bank's pages."
const FIRST_FOUND = 'The first page was found at the bank; the pages after it are guessed: check them.'
const FOUND = "These selectors were found on the bank's pages."

/** The further interfaces of the bank, and the settings of a run. */

/** One section for each further interface. */
const furtherInterfaces = (answers: Answers, input: ProfileInput, profile: Profile): readonly Section[] => {
  const { document } = answers
  const ofDocument = (key: 'secondVariant' | 'payments' | 'loans', section: Section): Section =>
    document?.profile[key] === undefined || input[key] === undefined
      ? section
      : { prose: [...section.prose, OTHERS], values: pick(input, key) }
  return [
    ofDocument('secondVariant', secondVariant(profile)),
    ofDocument('payments', payments(answers, profile)),
    ofDocument('loans', loans(profile)),
  ]
}

const secondVariant = ({ secondVariant: second }: Profile): Section => {
  if (second === undefined)
    return {
      prose: ['The bank offers no second accounts variant: secondVariant is left out.'],
    }
  const { basePaths, ...rest } = second
  return {
    prose: ['The second accounts variant, with the account in the body. / means no base path.'],
    values: { secondVariant: { basePaths: withSlash(basePaths) } },
    defaults: { secondVariant: rest },
  }
}

const payments = (answers: Answers, profile: Profile): Section => {
  if (answers.payments === undefined || profile.payments === undefined)
    return { prose: ['The bank offers no payments: payments is left out.'] }
  const { debtor, creditor, facts, basePaths, oauthBasePaths, provocations, ...rest } = profile.payments
  return {
    prose: [
      'The payment API. Each payment is of the smallest amount, from the debtor to the creditor.',
      'facts: closedAccounts, savingsAccounts, unknownDebtors (lists of IBANs), cutOff, currencies, agreedAmounts. What you state',
      'is taken as true: a bank that contradicts it fails. provocations: further orders that are rejected, by reason code.',
      'guesses: the keys of these whose values are guesses; take a key away when you have checked it.',
    ],
    values: {
      payments: { debtor, creditor, facts: { currencies: facts.currencies } },
      guesses: profile.guesses,
    },
    defaults: {
      payments: {
        basePaths: withSlash(basePaths),
        oauthBasePaths: withSlash(oauthBasePaths),
        ...rest,
        provocations,
      },
    },
  }
}

const loans = ({ loans: bound }: Profile): Section => {
  if (bound === undefined) return { prose: ['The bank offers no instalment loans: loans is left out.'] }
  const { basePath, ...rest } = bound
  return {
    prose: [
      'The sandbox of instalment loans. Bodies are sent as JSON; values in braces are replaced before they are sent.',
    ],
    values: { loans: { basePath: basePath || '/' } },
    defaults: { loans: rest },
  }
}

const WEBHOOKS = 'A run starts a server that receives notifications; --webhook-url is its URL for the bank.'

const webhooks = ({ webhook }: Answers, profile: Profile): Section => {
  const { listen, configured, ...rest } = profile.webhooks
  if (webhook === undefined) return { prose: [WEBHOOKS], defaults: { webhooks: profile.webhooks } }
  return {
    prose: [WEBHOOKS, `Here it is ${webhook.url}; configure it for the application at the bank.`],
    values: { webhooks: { listen, configured } },
    defaults: { webhooks: rest },
  }
}

/** Connection, deadlines, and the personal data of customers. */
const settings = (input: ProfileInput, profile: Profile): readonly Section[] => [
  {
    prose: [
      'Further origins of the same bank, such as the host of its login pages. No request is sent to other origins.',
      'publicOrigin: the origin that it writes into its addresses, where it is reached at another one.',
    ],
    defaults: { origins: profile.origins },
  },
  {
    prose: ["The bank's local time, by which its days and hours are meant."],
    ...(input.timeZone === undefined
      ? { defaults: { timeZone: profile.timeZone } }
      : { values: pick(input, 'timeZone') }),
  },
  {
    prose: [
      'Certificates and proxy: ca, certificate and key are PEM files, proxy is a URL. headers: for a gateway.',
    ],
    defaults: { connection: profile.connection, headers: profile.headers },
  },
  {
    prose: ['In milliseconds. `budget: { requests: 5000 }` limits the number of requests of a run.'],
    defaults: { deadlines: profile.deadlines },
  },
  { prose: [], defaults: { clock: profile.clock } },
  {
    prose: ['Names, IBANs and texts of customers in the evidence: replaced by pseudonyms, or kept.'],
    defaults: { personalData: profile.personalData },
  },
  {
    prose: [
      'JSON members with personal data that have a name of this bank, such as `{ verwendungszweck: text, meno: name }`; or',
      '`account`, `address` or `contact`. Common names are known.',
    ],
    defaults: { personalMembers: profile.personalMembers },
  },
  {
    prose: [
      'refusals: `json` if the bank refuses a call of its API in JSON only, `page` if also with an HTML page. Left out,',
      'a page with 403 or 404 counts as a refusal only where one is expected.',
    ],
    ...(input.refusals !== undefined && { values: pick(input, 'refusals') }),
  },
]
