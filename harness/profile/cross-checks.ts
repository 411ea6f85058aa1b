import type { CrossChecks } from './configuration-error.ts'
import { actingProblems, sharedClientIds } from './applications.ts'
import { ambiguousAddresses, isAddressing } from './address-environment.ts'
import { valueAt } from './json-schema.ts'
import { operationsOf } from './operations.ts'
import { duplicates, problemIf, repeated, unknownReference } from './references.ts'
import { clientOrigins, redirectUriProblems } from './redirect-uris.ts'
import { AMOUNT_FORMS, amountForms, unknownPlaceholders } from './template.ts'
import { ACCOUNT_VALUES, canRefuse, isAuthorizing, recipeOf } from './schema/authorization.ts'
import { paymentChecks } from './payment-checks.ts'
import { testHookChecks, writtenHooks } from './test-hook-checks.ts'
import type { Profile } from './schema.ts'
import type { LoansProfile } from './schema/loans.ts'

const loanChecks = (profile: Profile): readonly string[] => {
  const { loans } = profile
  if (loans === undefined) return []
  return [
    ...actingProblems(profile, 'loans', 'loans'),
    ...bodies(loans),
    ...ambiguous('loans.scenario.values', loans.scenario.values, 'scenario'),
    ...ambiguous('loans.status', { status: loans.status.status, code: loans.status.code ?? '' }, 'value'),
    ...ambiguousCauses(loans),
  ]
}

const bodies = ({ precalculation, submission, scenario }: LoansProfile): readonly string[] => [
  ...unknownPlaceholders('loans.precalculation.body', precalculation.body, AMOUNT_FORMS),
  ...unknownPlaceholders('loans.precalculation.capacity', precalculation.capacity, [
    ...amountForms('income'),
    ...amountForms('expenses'),
    'children',
  ]),
  ...unknownPlaceholders('loans.submission.body', submission.body, [...AMOUNT_FORMS, 'orderNo']),
  ...(scenario.kind === 'page'
    ? unknownPlaceholders('loans.scenario.pages', scenario.pages, ['scenario'])
    : scenario.kind === 'call'
      ? [
          ...unknownPlaceholders('loans.scenario.body', scenario.body, ['scenario']),
          ...unknownPlaceholders('loans.scenario.query', scenario.query, ['scenario']),
          ...unknownPlaceholders('loans.scenario.form', scenario.form, ['scenario']),
        ]
      : unknownPlaceholders('loans.scenario.patch', scenario.patch, ['scenario'])),
]

/** Two meanings of one word cannot be distinguished. */
const ambiguous = (key: string, words: Readonly<Record<string, string>>, what: string): readonly string[] =>
  repeated(
    Object.entries(words).map(([name, word]) => [`${key}.${name}`, word]),
    `each ${what} has its own`,
  )

const ambiguousCauses = ({ precalculation: { cause } }: LoansProfile): readonly string[] => {
  if (cause === undefined) return []
  const { tooLow, tooHigh, insufficient } = cause
  return ambiguous('loans.precalculation.cause', { tooLow, tooHigh, insufficient }, 'cause')
}

/**
 * The templates of the profile with their placeholders: the paths of operations, and these. An unknown placeholder would be
 * sent literally, and a refusal would look like a fault of the target. Checked elsewhere: the bodies of payments and loans,
 * testHooks, the input on pages.
 */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'operations.deleteConsent.path': ['consent-id'],
  'operations.token.refreshForm': ['refresh_token'],
  'operations.readAccount.path': ['account-id'],
  'operations.listTransactions.path': ['account-id'],
  'operations.refresh.headers': ['consentId'],
  'operations.refresh.query': ['consentId'],
  'operations.refresh.body': ['consentId'],
  'secondVariant.readAccount.picked': ['accountId'],
  'secondVariant.readAccount.typed': ['iban'],
  'secondVariant.listTransactions.picked': ['accountId'],
  'secondVariant.listTransactions.typed': ['iban'],
  'payments.authorize.path': ['orderId'],
  'payments.authorize.scope': ['orderId'],
  'payments.status.path': ['orderId'],
  'payments.submission.body': ['orderId', 'approval'],
  'payments.headers': ['redirectUri', 'clientId', 'orderId', 'approval'],
  'loans.scenario.path': ['application-id', 'scenario'],
  'loans.status.path': ['application-id'],
  'loans.cancellation.path': ['application-id'],
  'operations.listTransactions.query': [],
  'secondVariant.oauth.scope': [],
  'secondVariant.listTransactions.body': [],
  'payments.token.form': [],
  'loans.token.form': [],
}

const templateProblems = (profile: Profile): readonly string[] => {
  const paths = operationsOf(profile).map(({ key }) => `${key}.path`)
  return [...new Set([...paths, ...Object.keys(TEMPLATES)])].flatMap((key) =>
    unknownPlaceholders(key, valueAt(profile, key.split('.')), TEMPLATES[key] ?? []),
  )
}

export const crossCheck = (profile: Profile): CrossChecks => ({
  problems: [
    ...duplicates('applications', profile.applications, ['name']),
    ...sharedClientIds(profile),
    // Two customers with one login are the same customer: each may see the data of the other.
    ...duplicates(
      'customers',
      profile.customers,
      recipeOf(profile.authorization) === undefined ? ['name'] : ['name', 'username'],
    ),
    ...importedTokens(profile),
    ...customers(profile),
    ...withoutAccounts(profile),
    ...environments(profile),
    ...redirecting(profile),
    ...pageTexts(profile),
    ...typedTexts(profile),
    ...pickedAccounts(profile),
    ...templateProblems(profile),
    ...redirectUriProblems(profile),
    ...clientOrigins(profile),
    ...Object.keys(profile.notApplicable).flatMap(notApplicable),
    ...testHookChecks(profile).problems,
    ...paymentChecks(profile).problems,
    ...loanChecks(profile),
  ],
  warnings: [
    ...recipe(profile),
    ...effects(profile),
    ...gateway(profile),
    ...testHookChecks(profile).warnings,
    ...paymentChecks(profile).warnings,
  ],
})

const withoutAccounts = ({ customers: all }: Profile): readonly string[] =>
  all.flatMap(({ hasAccounts, accounts }, at) =>
    problemIf(
      hasAccounts === false && accounts.length > 0,
      `\`customers.${at}.hasAccounts\` is false, and \`customers.${at}.accounts\` names accounts; take one of both away`,
    ),
  )

const importedTokens = (profile: Profile): readonly string[] => {
  const { authorization, applications, customers: known, secondVariant } = profile
  if (authorization.kind !== 'tokens') return []
  return authorization.tokens.flatMap(({ application, customer, variant }, at) => [
    ...unknownReference(`authorization.tokens.${at}.application`, application, 'applications', applications),
    ...unknownReference(`authorization.tokens.${at}.customer`, customer, 'customers', known),
    ...problemIf(
      variant === 'second' && secondVariant?.oauth === undefined,
      `\`authorization.tokens.${at}.variant\` is second, but a token opens both variants; say with \`secondVariant.oauth\` that each is granted by itself, or leave it out`,
    ),
  ])
}

const customers = (profile: Profile): readonly string[] =>
  problemIf(
    isAuthorizing(profile.authorization) &&
      profile.customers.length === 0 &&
      profile.applications.some(({ kind }) => kind !== undefined),
    '`customers` is empty, so that no customer can log in on the bank\'s pages; add a customer with name, username and password, or set `authorization` to kind "tokens" and import tokens',
  )

/** The paths can be compared before the base URL is known. */
const ANY_BASE_URL = 'https://target.example'

const environments = (profile: Profile): readonly string[] => {
  const { environment, environments: held = [environment], baseUrl = ANY_BASE_URL } = profile
  return [
    ...problemIf(
      !held.includes(environment),
      `\`environments\` lacks ${environment}, which \`environment\` names; add it where the credentials hold there`,
    ),
    ...ambiguousAddresses(profile, baseUrl),
  ]
}

/** A server may use them instead of the address that the run has checked. */
const redirecting = (profile: Profile): readonly string[] =>
  [
    { key: 'headers', names: Object.keys(profile.headers) },
    { key: 'payments.headers', names: Object.keys(profile.payments?.headers ?? {}) },
    ...writtenHooks(profile).map(({ key, request }) => ({
      key: `${key}.headers`,
      names: Object.keys(request.headers ?? {}),
    })),
  ].flatMap(({ key, names }) =>
    names
      .filter(isAddressing)
      .map(
        (name) =>
          `\`${key}.${name}\` would send requests to another address than the one that is written; take it away, and name the address itself (\`baseUrl\`, \`basePaths\`)`,
      ),
  )

const pageTexts = ({ authorization, customers }: Profile): readonly string[] => {
  const own = new Set(customers.flatMap(({ fields = {} }) => Object.keys(fields)))
  return (recipeOf(authorization)?.pages ?? []).flatMap(({ fill, press, refuse = '', tickToRefuse }, at) => [
    ...unknownPlaceholders(`authorization.pages.${at}.fill`, fill, ['username', 'password', ...own]),
    ...(tickToRefuse ? [] : ambiguous(`authorization.pages.${at}`, { press, refuse }, 'decision')),
  ])
}

/** Each account must have the values by which a page picks it. */
const pickedAccounts = ({ authorization, customers }: Profile): readonly string[] =>
  (recipeOf(authorization)?.pages ?? []).flatMap(({ tickAccounts = '' }, page) => {
    const key = `authorization.pages.${page}.tickAccounts`
    return [
      ...unknownPlaceholders(key, tickAccounts, ACCOUNT_VALUES),
      ...customers.flatMap(({ accounts }, customer) =>
        accounts.flatMap((account, at) =>
          ACCOUNT_VALUES.filter(
            (name) => tickAccounts.includes(`{${name}}`) && account[name] === undefined,
          ).map(
            (name) =>
              `\`customers.${customer}.accounts.${at}.${name}\` is missing, and \`${key}\` picks the account by it; add what the page has there`,
          ),
        ),
      ),
    ]
  })

const typedTexts = ({ authorization, customers }: Profile): readonly string[] => {
  const typed = (recipeOf(authorization)?.pages ?? []).flatMap(({ fill }) => Object.values(fill))
  const isTyped = (name: string): boolean => typed.some((text) => text.includes(`{${name}}`))
  const own = [...new Set(customers.flatMap(({ fields = {} }) => Object.keys(fields)))]
  return customers.flatMap(({ username, password, fields = {} }, at) =>
    [
      ...(['username', 'password'] as const)
        .filter((name) => (name === 'username' ? username : password) === '')
        .map((name) => ({ name, key: name })),
      ...own.filter((name) => fields[name] === undefined).map((name) => ({ name, key: `fields.${name}` })),
    ]
      .filter(({ name }) => isTyped(name))
      .map(
        ({ name, key }) =>
          `\`customers.${at}.${key}\` is missing, and \`authorization.pages\` type it; write for instance \`${name}: "env:BANK_${name.toUpperCase()}"\``,
      ),
  )
}

/** Whether an id exists is checked by the plan, which has the catalogue. */
const notApplicable = (key: string): readonly string[] =>
  problemIf(
    !/^([a-z]+( [a-z]+)?|[A-Z]+(-\d+)?)$/.test(key),
    `\`notApplicable\` names ${JSON.stringify(key)}; expected the id of a requirement such as PAY-09, a chapter such as loans, or a facet such as second variant`,
  )

const recipe = ({ authorization }: Profile): readonly string[] =>
  problemIf(
    isAuthorizing(authorization) && !canRefuse(authorization),
    'no page of `authorization.pages` has a `refuse`, so that a refusal by the customer cannot be judged; add the selector of the button that refuses, or with `tickToRefuse` that of what is ticked to refuse',
  )

const effects = ({ allow }: Profile): readonly string[] => [
  ...(['sandbox', 'production'] as const).flatMap((environment) =>
    problemIf(
      !allow[environment].includes('read'),
      `\`allow.${environment}\` lacks read, so that no request is sent there and nothing is judged`,
    ),
  ),
  ...problemIf(
    allow.production.includes('pay'),
    '`allow.production` has pay: a run in production moves money',
  ),
]

const gateway = ({ headers }: Profile): readonly string[] =>
  Object.keys(headers)
    .filter((name) => name.toLowerCase() === 'authorization')
    .map(
      (name) =>
        `\`headers.${name}\` conflicts with the interface, which authenticates with this header; use another header for the gateway`,
    )
