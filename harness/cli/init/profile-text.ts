import { typed } from '../../evidence/command-names.ts'
import { isObject, type Members } from '../../evidence/json.ts'
import { stringify } from 'yaml'
import { wrap } from '../../report/terminal/text.ts'
import { followsRecipe, isAuthorized, ROWS, type Answers } from './answers.ts'
import { OFFERS, type Probe } from './discovery.ts'
import { draftProfile, neededVariables, profileInput } from './profile-input.ts'
import { describeUnknownRefusals } from './recipe-search.ts'
import type { Profile } from '../../profile/schema.ts'

/** The text of a profile: the answers as values, and all defaults of the schema as comments. */

/** Paragraphs of comment, which are folded, and the keys below them. */
type Section = readonly [prose: string | readonly string[], ...keys: (keyof Profile)[]]

const WIDTH = 118

export const profileText = (answers: Answers, file: string, probe?: Probe): string => {
  const given: Readonly<Record<string, unknown>> = profileInput(answers)
  const { profile } = draftProfile(answers)
  return sectionsOf(answers, file, probe)
    .map(([prose, ...keys]) => [
      ...[prose]
        .flat()
        .flatMap((paragraph) => wrap(paragraph, WIDTH))
        .map((line) => `# ${line}\n`),
      ...keys
        .flatMap((key) => (profile[key] === '' ? [] : linesOf([key], profile[key], given[key])))
        .map(({ text, isDefault }) => `${isDefault ? '#' : ''}${text}\n`),
    ])
    .map((lines) => lines.join(''))
    .join('\n')
}

interface Line {
  readonly text: string
  /** It is written after `#` without a space, so that removing the `#` makes it YAML. */
  readonly isDefault: boolean
}

/**
 * The lines of a key: what is given, then the defaults.
 * @param value with all defaults.
 * @param given the part of it that is not a default.
 */
const linesOf = (path: readonly string[], value: unknown, given: unknown): readonly Line[] => {
  if (value === undefined) return []
  const isDefault = given === undefined
  const head = `${yaml(path.at(-1))}:`
  const items = given ?? value
  if (isListOfMaps(items))
    return [
      { text: head, isDefault },
      ...items.flatMap((item) => {
        const [first, ...rest] = membersOf([...path, '*'], item, isDefault ? {} : item)
        return first === undefined ? [] : indented([{ ...first, text: `- ${first.text}` }, ...indented(rest)])
      }),
    ]
  const [first] = isObject(value) ? Object.keys(value) : []
  if (isObject(value) && first !== undefined) {
    // A map without a given key would be null in YAML: its first key is written.
    const own = isObject(given) ? given : {}
    const isEmpty = !isDefault && Object.keys(own).length === 0
    const members = membersOf(path, value, isEmpty ? { [first]: value[first] } : own)
    return [{ text: head, isDefault }, ...indented(members)]
  }
  const comment = KEY_COMMENTS[path.join('.')]
  const isNoPath = value === '' && path.some((key) => /basePaths?$/i.test(key))
  return [
    {
      text: `${head} ${isNoPath ? '/' : yaml(given ?? value)}${comment === undefined ? '' : ` # ${comment}`}`,
      isDefault,
    },
  ]
}

const membersOf = (path: readonly string[], value: Members, given: Members): readonly Line[] => {
  const entries = Object.entries(value).map(([name, each]) => [name, each, given[name]] as const)
  const isGiven = ([, , each]: (typeof entries)[number]): boolean => each !== undefined
  return [...entries.filter(isGiven), ...entries.filter((entry) => !isGiven(entry))].flatMap(
    ([name, each, own]) => linesOf([...path, name], each, own),
  )
}

const indented = (lines: readonly Line[]): readonly Line[] =>
  lines.map((line) => ({ ...line, text: `  ${line.text}` }))

const isListOfMaps = (value: unknown): value is readonly Members[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => isObject(item) && Object.keys(item).length > 0)

const yaml = (value: unknown): string =>
  typeof value === 'string' && value.includes('\n')
    ? JSON.stringify(value)
    : stringify(value, {
        collectionStyle: typeof value === 'string' ? 'block' : 'flow',
        flowCollectionPadding: false,
        lineWidth: 0,
        singleQuote: true,
        aliasDuplicateObjects: false,
      }).trimEnd()

/** The comments after the keys of the profile text, by the path of the key. `*` is any key or index. */
export const KEY_COMMENTS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(ROWS.map(({ place = '', comment }) => [place.replaceAll('.0.', '.*.'), comment])),
  'applications.*.name': 'your own label; reports use it',
  'applications.*.redirectUris.*.uri': 'exactly as it is registered',
  'applications.*.redirectUris.*.delivery': 'redirect or result-screen (the bank shows the code on a page)',
  'authorization.pages.*.when': 'the page is recognised by this element',
  'authorization.pages.*.press': 'the button that agrees',
  'authorization.pages.*.refuse': 'the button that refuses',
  'authorization.code': 'where the result screen shows the code',
  'authorization.limit': 'pages and redirects that one authorization may take',
  'authorization.reloadMs': 'how long a page that waits for an app is reloaded',
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
  'webhooks.configured.*.application': 'its settings at the bank contain the --webhook-url',
  'webhooks.configured.*.securityHeader': 'as it is configured at the bank; empty for none',
  'webhooks.deliveryMs': 'the longest time of a delivery',
  'webhooks.refreshMs': 'the longest time of a refresh until it is FINISHED',
  'connection.verify': 'false accepts any certificate; the report says so',
  'deadlines.requestMs': 'the limit of one request',
  'clock.speed': "the speed of the bank's clock; 1 is real time",
}

const sectionsOf = (answers: Answers, file: string, probe?: Probe): readonly Section[] => {
  const { webhookUrl, document, accountsVariant, payments, loans } = answers
  const options = `--profile ${file}${webhookUrl === undefined ? '' : ` --webhook-url ${webhookUrl}`}`
  const head = [
    'The profile of a target. These commands examine the target before a run, and run the checks:',
    typed('doctor', `--profile ${file}`),
    typed('run', options),
    'Values such as env:NAME are read from environment variables, so that this file contains no secret:',
    neededVariables(answers).join(', '),
    'A line with # and no space is a default. To change it, remove the # here and from the keys above it.',
  ]
  return [
    [head],
    ...documented(document),
    [NAME, 'name', 'baseUrl', 'environment', 'environments'],
    ['The base path of the account interface, by environment; / for none.', 'basePaths'],
    [APPLICATIONS, 'applications'],
    ...(isAuthorized(answers)
      ? ([
          [CUSTOMERS, 'customers'],
          [authorization(answers), 'authorization'],
        ] as const)
      : []),
    ['The scope of the account interface.', 'scopes'],
    [OPERATIONS, 'operations'],
    accountsVariant === 'first'
      ? leftOut('secondVariant', probe)
      : ['The second accounts variant, with the account in the body. / means no base path.', 'secondVariant'],
    payments ? [PAYMENTS, 'payments', 'guesses'] : leftOut('payments', probe),
    loans ? [LOANS, 'loans'] : leftOut('loans', probe),
    [
      [
        'A run starts a server that receives notifications; --webhook-url is its URL for the bank.',
        ...(webhookUrl === undefined
          ? []
          : [`Here it is ${webhookUrl}; configure it for the application at the bank.`]),
      ],
      'webhooks',
    ],
    ...OF_THE_RUN,
  ]
}

const leftOut = (key: 'secondVariant' | 'payments' | 'loans', probe?: Probe): Section => [
  [`${key} is left out: ${OFFERS[key]}; ${probe?.reached === true ? probe[key] : 'unclear'} at the bank.`],
]

const NAME =
  'name: the name in reports; left out, the host of the base URL, and the environment. environments: [sandbox, production] if the credentials hold in both.'
const APPLICATIONS =
  'The client applications registered at the bank. More checks are possible with a second application of the same kind, and with an application of the other kind. Each is an item of the list.'
const CUSTOMERS =
  "The bank's customers who authorize. More checks are possible with a second customer, and with known accounts of a customer: accounts: [{ iban: SK2998010000002600001129 }], with bank: other for an account at another bank."
const OPERATIONS =
  'Paths and field names that the interface does not define. They are guessed until a run confirms them. Paths are appended to the base path; a field is a path of JSON keys, separated by dots.'
const PAYMENTS = [
  'The payment API. Each payment is of the smallest amount, from the debtor to the creditor.',
  'facts: closedAccounts, savingsAccounts, unknownDebtors (lists of IBANs), cutOff, currencies, funds, agreedAmounts. What you state is taken as true: a bank that contradicts it fails. provocations: further orders that are rejected, by reason code.',
  'guesses: the keys of these whose values are guesses; take a key away when you have checked it.',
]
const LOANS =
  'The sandbox of instalment loans. Bodies are sent as JSON; values in braces are replaced before they are sent.'

const OF_THE_RUN: readonly Section[] = [
  [
    'testHooks: what the bank offers for testing beyond the interface, each an HTTP request: revoke a token, book a transaction, move the clock. Some checks are held back without them. See docs/profiles.md.',
    'testHooks',
  ],
  [
    'The allowed effects: read, consent, notify, apply (for loans), pay. A request with another effect is not sent.',
    'allow',
  ],
  [
    [
      'Further origins of the same bank, such as the host of its login pages. No request is sent to other origins.',
      'publicOrigin: the origin that it writes into its addresses, where it is reached at another one.',
    ],
    'origins',
    'publicOrigin',
  ],
  ["The bank's local time, by which its days and hours are meant.", 'timeZone'],
  [
    'Certificates and proxy: ca, certificate and key are PEM files, proxy is a URL. headers: for a gateway.',
    'connection',
    'headers',
  ],
  [
    'In milliseconds. `budget: { requests: 5000 }` limits the number of requests of a run.',
    'deadlines',
    'budget',
  ],
  [[], 'clock'],
  ['Names, IBANs and texts of customers in the evidence: replaced by pseudonyms, or kept.', 'personalData'],
  [
    'JSON members with personal data that have a name of this bank, such as `{ verwendungszweck: text, meno: name }`; or `account`, `address` or `contact`. Common names are known.',
    'personalMembers',
  ],
  [
    'refusals: `json` if the bank refuses a call of its API in JSON only, `page` if also with an HTML page. Left out, a page with 403 or 404 counts as a refusal only where one is expected.',
    'refusals',
  ],
  ['Values that a success has in a header instead of its body, by operation and place.', 'inHeaders'],
  ['Requirements that do not apply to this bank, and why.', 'notApplicable'],
]

const documented = (document: Answers['document']): readonly Section[] => {
  if (document === undefined) return []
  const { title, questions } = document
  const head = `Paths and names are taken from the OpenAPI document ${JSON.stringify(title)}.`
  const open = questions.length === 0 ? [] : ['It leaves these questions open:']
  return [[[head, ...open, ...questions.map((question) => `- ${question}`)]]]
}

const authorization = (answers: Answers): readonly string[] => {
  const { recipe, authorization: kind } = answers
  if (kind === 'person')
    return [
      'A person authorizes: the run shows a link and the customer who must log in and agree. See docs/authorization.md.',
    ]
  if (!followsRecipe(answers))
    return [
      'Imported tokens: only requirements that need no authorization are checked. Add refreshToken and consentId if they are known.',
    ]
  const found =
    recipe === undefined
      ? "These selectors are guessed: compare them with the bank's pages."
      : recipe.complete
        ? "These selectors were found on the bank's pages."
        : 'The first page was found at the bank; the pages after it are guessed: check them.'
  return [
    "The customer's steps on the bank's pages. Each page is recognised by the CSS selector at when; then the fields at fill are filled and the button at press is pressed. The pages may come in any order.",
    found,
    ...(recipe === undefined ? [] : describeUnknownRefusals(recipe)),
  ]
}
