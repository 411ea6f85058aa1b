import { followsRecipe } from './answers.ts'
import type { Effect } from '../../evidence/effect.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Answers } from './answers.ts'

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
  Object.fromEntries(
    FIRST_VARIANT_ROWS.map((id) => [id, 'the bank offers the second accounts variant alone']),
  )

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
