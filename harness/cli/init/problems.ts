import {
  basePathOf,
  completed,
  DEFAULTS,
  followsRecipe,
  neededVariables,
  offersPayments,
  type Answers,
  type Given,
} from './answers.ts'
import { ConfigurationError, settleHttpUrl } from '../../profile/configuration-error.ts'
import { resolveProfile, type LoadedProfile } from '../../profile/load.ts'
import type { Effect } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The profile that the answers make. What they do not say is left at its default. */
export const profileInput = (answers: Answers): ProfileInput => ({
  name: answers.name,
  baseUrl: answers.baseUrl,
  environment: answers.environment,
  ...(answers.basePath !== undefined && { basePaths: { [answers.environment]: answers.basePath } }),
  applications: [applicationOf(answers)],
  customers: [customerOf(answers)],
  authorization: authorizationOf(answers),
  ...(answers.variant !== 'first' && { secondVariant: {} }),
  ...(answers.payments && { payments: answers.payments }),
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
    // What is missing is complained of by the profile's own words.
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
    : // The person who authorizes knows the password, and with imported tokens the customer has logged in elsewhere.
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

/** Where the browser of a person comes back to this machine. */
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

/** What the answers speak of may be done; in production, nothing that moves anything until the owner says so. */
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

/** What the chapters accounts and transactions judge on the first accounts variant: a bank without it has none of it. */
const numbered = (chapter: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${chapter}-${String(from + at).padStart(2, '0')}`)

export const FIRST_VARIANT_ROWS: readonly string[] = [
  ...numbered('ACC', 1, 13),
  ...numbered('ACC', 23, 27),
  // It compares both.
  'ACC-36',
  ...numbered('TRX', 1, 13),
  ...numbered('TRX', 27, 32),
  'TRX-41',
]

/** What is wrong with what was said so far, and what is missing, in the words of the options. */

/** The places of a profile that an option speaks of. */
const OPTIONS: readonly (readonly [place: RegExp, option: string])[] = [
  [/^name$/, '--name'],
  [/^baseUrl$/, '--base-url'],
  [/^basePaths\b/, '--base-path'],
  [/^applications\.0\.redirectUris/, '--redirect-uri'],
  [/^customers\.0\.name/, '--customer'],
  [/^payments\.debtor/, '--debtor'],
  [/^payments\.creditor/, '--creditor'],
  [/^webhooks\.listen\.port/, '--webhook-port'],
]

/** All that is wrong with what was said. */
export const complaintsAbout = (given: Given): readonly string[] => {
  const answers = completed(given)
  return [
    ...variableProblems(answers),
    ...baseUrlProblems(answers),
    ...webhookProblems(answers),
    ...lineProblems(answers),
    ...ofTheProfile(answers),
  ]
}

/** What a name without an IBAN lacks is told once. */
const ofTheProfile = (answers: Answers): readonly string[] => {
  const parties = partyProblems(answers)
  return parties.length > 0 ? parties : problemsOf(answers).map(inOptions)
}

const inOptions = (problem: string): string => {
  const [, place = '', rest = ''] = /^`([^`]+)`:? ?(.*)$/s.exec(problem) ?? []
  const option = OPTIONS.find(([pattern]) => pattern.test(place))?.[1]
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
    // Somebody may have given the secret itself.
    return [
      `${option}: expected the name of an environment variable (letters, digits, _) such as BANK_CLIENT_ID; the given value is not one, and is not shown, since it may be the secret itself`,
    ]
  })
}

/** Put behind it once more, the base path would be doubled, and every request would miss. */
const baseUrlProblems = (answers: Answers): readonly string[] => {
  const path = basePathOf(answers)
  const doubled =
    path !== '' && URL.canParse(answers.baseUrl) && new URL(answers.baseUrl).pathname.endsWith(path)
  return doubled
    ? [
        `--base-url: "${answers.baseUrl}" ends with the base path ${path}, which is appended to it; remove it there`,
      ]
    : []
}

const webhookProblems = ({ webhook }: Answers): readonly string[] => {
  if (webhook === undefined) return []
  const settled = settleHttpUrl(webhook.url, 'https://me.example/webhook')
  return 'problem' in settled ? [`--webhook-url: ${settled.problem}`] : []
}

const partyProblems = ({ payments }: Answers): readonly string[] =>
  payments === undefined
    ? []
    : (['debtor', 'creditor'] as const).flatMap((party) => {
        const { name, iban } = payments[party]
        if (name !== '' && iban !== '') return []
        return [
          `--${party}: expected a name and an IBAN such as "Anna Nováková SK2998010000002600001129", received ${JSON.stringify(`${name} ${iban}`.trim())}`,
        ]
      })

/** A label stands in one line of the file and of every report. */
const lineProblems = (answers: Answers): readonly string[] => {
  const labels = { name: answers.name, customer: answers.customer }
  return Object.entries(labels).flatMap(([option, text]) =>
    /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)
      ? [`--${option}: expected one line of text, received ${JSON.stringify(text.slice(0, 60))}`]
      : [],
  )
}

/** What is needed and was not said, with an example each: nobody can guess it. */
export const missingIn = (given: Given): readonly string[] => {
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

/** As a user of a target would be called in an environment where nothing is set yet. */
const standIn = (name: string): string => `the-value-of-${name}`

/** The profile of the answers, with stand-ins for the values of its variables. @throws ConfigurationError */
export const draftProfile = (answers: Answers): LoadedProfile => {
  const env = Object.fromEntries(neededVariables(answers).map((name) => [name, standIn(name)]))
  return resolveProfile(profileInput(answers), env, 'the answers')
}

/** What is wrong with the answers, in the words in which the profile would be complained of. */
const problemsOf = (answers: Answers): readonly string[] => {
  try {
    draftProfile(answers)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
