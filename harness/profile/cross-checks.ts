import { canRefuse, isAuthorizing, recipeOf } from './schema/authorization.ts'
import { testHookChecks } from './test-hook-checks.ts'
import { confusedAddresses, isAddressing } from './environments.ts'
import { loanChecks } from './loans-checks.ts'
import { nearest } from './nearest.ts'
import { paymentChecks } from './payments-checks.ts'
import { unknownPlaceholders } from './placeholders.ts'
import { templateProblems } from './template-checks.ts'
import type { CrossChecks } from './configuration-error.ts'
import type { Profile } from './schema.ts'

export const crossCheck = (profile: Profile): CrossChecks => ({
  problems: [
    ...duplicates('applications', profile.applications, ['name', 'clientId']),
    ...duplicates('customers', profile.customers, customerKeys(profile)),
    ...importedTokens(profile),
    ...customers(profile),
    ...environments(profile),
    ...redirecting(profile),
    ...pageTexts(profile),
    ...typedTexts(profile),
    ...templateProblems(profile),
    ...Object.keys(profile.notApplicable).flatMap(notApplicable),
    ...testHookChecks(profile).problems,
    ...paymentChecks(profile).problems,
    ...loanChecks(profile).problems,
  ],
  warnings: [
    ...recipe(profile),
    ...effects(profile),
    ...gateway(profile),
    ...testHookChecks(profile).warnings,
    ...paymentChecks(profile).warnings,
    ...loanChecks(profile).warnings,
  ],
})

/** One login under two names is one customer: each would rightly see what is the other's. */
const customerKeys = (profile: Profile): readonly ('name' | 'username')[] =>
  recipeOf(profile.authorization) === undefined ? ['name'] : ['name', 'username']

/** The values are not shown: a client id may come from the environment. */
const duplicates = <Key extends string>(
  list: string,
  items: readonly Readonly<Record<Key, string>>[],
  keys: readonly Key[],
): readonly string[] =>
  keys.flatMap((key) =>
    items.flatMap((item, at) => {
      const first = items.findIndex((other) => other[key] === item[key])
      return first < at
        ? [`\`${list}.${at}.${key}\` is the same as \`${list}.${first}.${key}\`; each needs its own`]
        : []
    }),
  )

const importedTokens = ({ authorization, applications, customers: known }: Profile): readonly string[] =>
  authorization.kind !== 'tokens'
    ? []
    : authorization.tokens.flatMap((token, at) => [
        ...reference(
          `authorization.tokens.${at}.application`,
          token.application,
          'applications',
          applications,
        ),
        ...reference(`authorization.tokens.${at}.customer`, token.customer, 'customers', known),
      ])

const reference = (
  key: string,
  name: string,
  list: string,
  items: readonly { readonly name: string }[],
): readonly string[] => {
  const names = items.map((item) => item.name)
  if (names.includes(name)) return []
  const near = nearest(name, names)
  const advice =
    near !== undefined
      ? `did you mean ${JSON.stringify(near)}?`
      : names.length === 0
        ? `\`${list}\` is empty; add it there`
        : `expected one of ${names.map((each) => JSON.stringify(each)).join(', ')}`
  return [`\`${key}\` names ${JSON.stringify(name)}, which \`${list}\` does not have; ${advice}`]
}

const customers = (profile: Profile): readonly string[] =>
  isAuthorizing(profile.authorization) && profile.customers.length === 0
    ? [
        '`customers` is empty, so that nobody can log in on the bank\'s pages; add a customer with name, username and password, or set `authorization` to kind "tokens" and import tokens',
      ]
    : []

/** The paths can be compared before the base URL is known. */
const ANY_BASE_URL = 'https://target.example'

const environments = (profile: Profile): readonly string[] => {
  const { environment, environments: held = [environment], baseUrl = ANY_BASE_URL } = profile
  return [
    ...(held.includes(environment)
      ? []
      : [
          `\`environments\` lacks ${environment}, which \`environment\` names; add it where the credentials hold there`,
        ]),
    ...confusedAddresses(profile, baseUrl),
  ]
}

/** A server may go by them, and not by the address that the run has looked at. */
const redirecting = ({ headers, testHooks }: Profile): readonly string[] =>
  [
    { key: 'headers', names: Object.keys(headers) },
    ...Object.entries(testHooks).map(([name, hook]) => ({
      key: `testHooks.${name}.headers`,
      names: Object.keys(hook?.headers ?? {}),
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
  return (recipeOf(authorization)?.pages ?? []).flatMap(({ fill }, at) =>
    unknownPlaceholders(`authorization.pages.${at}.fill`, fill, ['username', 'password', ...own]),
  )
}

/** What the recipe types, each customer must have. */
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

/** Whether an id exists is for the plan to say, which has the catalogue. */
const notApplicable = (key: string): readonly string[] =>
  /^([a-z]+|[A-Z]+-\d+)$/.test(key)
    ? []
    : [
        `\`notApplicable\` names ${JSON.stringify(key)}; expected the id of a requirement such as PAY-09, or a chapter such as loans`,
      ]

const recipe = ({ authorization }: Profile): readonly string[] =>
  isAuthorizing(authorization) && !canRefuse(authorization)
    ? [
        'no page of `authorization.pages` has a `refuse`, so that a refusal by the customer cannot be judged; add the selector of the button that refuses, or with `tickToRefuse` that of what is ticked to refuse',
      ]
    : []

const effects = ({ allow }: Profile): readonly string[] => [
  ...(['sandbox', 'production'] as const)
    .filter((environment) => !allow[environment].includes('read'))
    .map(
      (environment) =>
        `\`allow.${environment}\` lacks read, so that no request is sent there and nothing is judged`,
    ),
  ...(allow.production.includes('pay')
    ? ['`allow.production` has pay: a run in production moves money']
    : []),
]

const gateway = ({ headers }: Profile): readonly string[] =>
  Object.keys(headers)
    .filter((name) => name.toLowerCase() === 'authorization')
    .map(
      (name) =>
        `\`headers.${name}\` stands in the way of the interface, which authenticates with this header; use another one for the gateway`,
    )
