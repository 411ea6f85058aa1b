import {
  basePathOf,
  withDefaults,
  DEFAULTS,
  followsRecipe,
  neededVariables,
  offersPayments,
  type Answers,
  type PartialAnswers,
} from './answers.ts'
import { ConfigurationError, settleHttpUrl } from '../../profile/configuration-error.ts'
import { joined } from '../../profile/template.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import { type Members } from '../../evidence/json.ts'
import type { Effect } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The profile from the answers; other keys keep their defaults. */
export const profileInput = (answers: Answers): ProfileInput =>
  joined(documentedIn(answers), answered(answers)) as ProfileInput

/** What the OpenAPI document says of the interfaces that are to be checked. */
const documentedIn = ({ document, variant, payments, loans }: Answers): Members => {
  const { secondVariant, payments: ofPayments, loans: ofLoans, ...rest } = document?.profile ?? {}
  return {
    ...rest,
    ...(secondVariant !== undefined && variant !== 'first' && { secondVariant }),
    ...(ofPayments !== undefined && payments !== undefined && { payments: ofPayments }),
    ...(ofLoans !== undefined && loans && { loans: ofLoans }),
  }
}

const answered = (answers: Answers): ProfileInput & Members => ({
  name: answers.name,
  baseUrl: answers.baseUrl,
  environment: answers.environment,
  ...(answers.basePath !== undefined && { basePaths: { [answers.environment]: answers.basePath } }),
  ...(answers.timeZone !== undefined && { timeZone: answers.timeZone }),
  ...(answers.refusals !== undefined && { refusals: answers.refusals }),
  applications: [applicationOf(answers)],
  customers: [customerOf(answers)],
  authorization: authorizationOf(answers),
  ...(answers.variant !== 'first' && { secondVariant: {} }),
  ...(answers.payments && {
    payments: { ...answers.payments, facts: { currencies: ['EUR'] } },
    guesses: ['payments.facts.currencies'],
  }),
  ...(answers.loans && { loans: {} }),
  ...(answers.webhook && { webhooks: webhooksOf(answers, answers.webhook.port) }),
  allow: { [answers.environment]: effectsOf(answers) },
  ...(answers.variant === 'second' && { notApplicable: withoutFirstVariant() }),
})

const fromVariable = (name: string): string => `env:${name}`

const applicationOf = ({ application, kind, variables, redirectUris }: Answers) => {
  const [first, ...others] = redirectUris.map(({ uri, delivery }) => ({ uri, delivery }))
  return {
    name: application,
    kind,
    clientId: fromVariable(variables.clientId),
    clientSecret: fromVariable(variables.clientSecret),
    // The profile schema reports an empty list.
    redirectUris: (first === undefined ? [] : [first, ...others]) as [
      { uri: string; delivery: 'redirect' | 'result-screen' },
    ],
  }
}

const customerOf = ({ customer, variables, authorization }: Answers) =>
  followsRecipe(authorization)
    ? {
        name: customer,
        username: fromVariable(variables.username),
        password: fromVariable(variables.password),
      }
    : // Without a recipe the suite does not log in.
      { name: customer }

const authorizationOf = (answers: Answers): ProfileInput['authorization'] => {
  const { authorization: kind, recipe, application, customer, variables } = answers
  if (kind === 'tokens')
    return { kind, tokens: [{ application, customer, accessToken: fromVariable(variables.accessToken) }] }
  if (kind === 'person') {
    const port = listeningPort(answers)
    return { kind, ...(port !== undefined && { listen: { host: '127.0.0.1', port } }) }
  }
  return {
    kind,
    ...(recipe && { pages: recipe.pages }),
    ...(recipe?.code !== undefined && { code: recipe.code }),
  }
}

/** The port of the redirect URI on this machine. */
const listeningPort = ({ redirectUris }: Answers): number | undefined =>
  redirectUris
    .filter(({ uri, delivery }) => delivery === 'redirect' && URL.canParse(uri))
    .map(({ uri }) => new URL(uri))
    .filter(({ protocol, hostname }) => protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
    .map(({ port }) => Number(port))
    .find((port) => port !== 0)

const webhooksOf = ({ application }: Answers, port: number) => ({
  listen: { host: '127.0.0.1', port },
  configured: [{ application, securityHeader: '' }],
})

/** The effects that the chosen interfaces need; in production only read and consent. */
const effectsOf = ({ environment, payments, loans, authorization }: Answers): Effect[] => {
  if (authorization === 'tokens') return ['read']
  if (environment === 'production') return ['read', 'consent']
  return [
    'read',
    'consent',
    'notify',
    ...(loans ? ['apply' as const] : []),
    ...(payments ? ['pay' as const] : []),
  ]
}

const withoutFirstVariant = (): Record<string, string> =>
  Object.fromEntries(FIRST_VARIANT_ROWS.map((id) => [id, 'the bank offers only the second accounts variant']))

/** Ids such as ACC-01, from the first to the last number. */
const requirementIds = (chapter: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${chapter}-${String(from + at).padStart(2, '0')}`)

/** Requirements that are checked on the first accounts variant. They do not apply to a bank without it. */
export const FIRST_VARIANT_ROWS: readonly string[] = [
  ...requirementIds('ACC', 1, 13),
  ...requirementIds('ACC', 23, 27),
  // It compares both variants.
  'ACC-36',
  'ACC-37',
  ...requirementIds('TRX', 1, 13),
  ...requirementIds('TRX', 27, 32),
  'TRX-41',
  'TRX-43',
  'TRX-45',
]

/** Validates the answers, and names the option of each problem. */

/** The keys of a profile that an option sets. */
const OPTION_OF_KEY: readonly (readonly [key: RegExp, option: string])[] = [
  [/^name$/, '--name'],
  [/^baseUrl$/, '--base-url'],
  [/^basePaths\b/, '--base-path'],
  [/^timeZone$/, '--time-zone'],
  [/^applications\.0\.redirectUris/, '--redirect-uri'],
  [/^customers\.0\.name/, '--customer'],
  [/^payments\.debtor/, '--debtor'],
  [/^payments\.creditor/, '--creditor'],
  [/^webhooks\.listen\.port/, '--webhook-port'],
]

/** Every problem of the given answers. */
export const problemsIn = (given: PartialAnswers): readonly string[] => {
  const answers = withDefaults(given)
  return [
    ...variableProblems(answers),
    ...baseUrlProblems(answers),
    ...webhookProblems(answers),
    ...lineProblems(answers),
    ...profileOrAccountProblems(answers),
  ]
}

/** A missing IBAN is reported once, not by the schema as well. */
const profileOrAccountProblems = (answers: Answers): readonly string[] => {
  const accountProblems = namedAccountProblems(answers)
  return accountProblems.length > 0 ? accountProblems : profileProblems(answers).map(withOptionName)
}

const withOptionName = (problem: string): string => {
  const [, key = '', rest = ''] = /^`([^`]+)`:? ?(.*)$/s.exec(problem) ?? []
  const option = OPTION_OF_KEY.find(([pattern]) => pattern.test(key))?.[1]
  return option === undefined ? problem : `${option}: ${rest}`
}

const VARIABLE_OPTIONS = {
  clientId: '--client-id-env',
  clientSecret: '--client-secret-env',
  username: '--username-env',
  password: '--password-env',
  accessToken: '--access-token-env',
} as const

const variableProblems = (answers: Answers): readonly string[] => {
  const needed = neededVariables(answers)
  return Object.entries(VARIABLE_OPTIONS).flatMap(([key, option]) => {
    const name = answers.variables[key as keyof typeof VARIABLE_OPTIONS]
    if (!needed.includes(name) || /^[A-Za-z_]\w*$/.test(name)) return []
    // The user may have given the secret itself.
    return [
      `${option}: expected the name of an environment variable (letters, digits, _) such as BANK_CLIENT_ID; the given value is not one, and is not shown, since it may be the secret itself`,
    ]
  })
}

/** A base URL that contains the base path would double it in every request. */
const baseUrlProblems = (answers: Answers): readonly string[] => {
  const path = basePathOf(answers)
  const doubled =
    path !== '' && URL.canParse(answers.baseUrl) && new URL(answers.baseUrl).pathname.endsWith(path)
  return doubled
    ? [
        `--base-url: "${answers.baseUrl}" ends with the base path ${path}, which is appended again; remove it from the base URL`,
      ]
    : []
}

const webhookProblems = ({ webhook }: Answers): readonly string[] => {
  if (webhook === undefined) return []
  const settled = settleHttpUrl(webhook.url, 'https://me.example/webhook')
  return 'problem' in settled ? [`--webhook-url: ${settled.problem}`] : []
}

const namedAccountProblems = ({ payments }: Answers): readonly string[] =>
  payments === undefined
    ? []
    : (['debtor', 'creditor'] as const).flatMap((party) => {
        const { name, iban } = payments[party]
        if (name !== '' && iban !== '') return []
        return [
          `--${party}: expected a name and an IBAN such as "Anna Nováková SK2998010000002600001129", received ${JSON.stringify(`${name} ${iban}`.trim())}`,
        ]
      })

/** A label must fit on one line of the file and of every report. */
const lineProblems = (answers: Answers): readonly string[] => {
  const labels = { name: answers.name, customer: answers.customer }
  return Object.entries(labels).flatMap(([option, text]) =>
    /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)
      ? [`--${option}: expected one line of text, received ${JSON.stringify(text.slice(0, 60))}`]
      : [],
  )
}

/** The required options that are missing, each with an example value. */
export const missingOptions = (given: PartialAnswers): readonly string[] => {
  const { baseUrl, kind, redirectUris, variables = {}, authorization, debtor, creditor } = given
  const logsIn = followsRecipe(authorization ?? DEFAULTS.authorization)
  const wanted: readonly (readonly [isMissing: boolean, example: string])[] = [
    [baseUrl === undefined, '--base-url https://api.bank.example'],
    [kind === undefined, '--kind TPP'],
    [variables.clientId === undefined, '--client-id-env BANK_CLIENT_ID'],
    [variables.clientSecret === undefined, '--client-secret-env BANK_CLIENT_SECRET'],
    [redirectUris === undefined, '--redirect-uri https://client.example/callback'],
    [logsIn && variables.username === undefined, '--username-env BANK_USERNAME'],
    [logsIn && variables.password === undefined, '--password-env BANK_PASSWORD'],
    [
      authorization === 'tokens' && variables.accessToken === undefined,
      '--access-token-env BANK_ACCESS_TOKEN',
    ],
    [offersPayments(given) && debtor === undefined, '--debtor "Anna Nováková SK2998010000002600001129"'],
    [offersPayments(given) && creditor === undefined, '--creditor "Ján Novák SK1198010000004000007788"'],
  ]
  return wanted.flatMap(([isMissing, example]) => (isMissing ? [example] : []))
}

/** A placeholder for the value of a variable that is not set yet. */
const placeholderValue = (name: string): string => `the-value-of-${name}`

/** The profile from the answers, with placeholders for the values of its variables. @throws ConfigurationError */
export const draftProfile = (answers: Answers): LoadedProfile => {
  const env = Object.fromEntries(neededVariables(answers).map((name) => [name, placeholderValue(name)]))
  return resolveProfile(profileInput(answers), env, 'the answers')
}

/** The problems that the profile schema finds in the answers. */
const profileProblems = (answers: Answers): readonly string[] => {
  try {
    draftProfile(answers)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
