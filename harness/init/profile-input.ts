import { FIRST_VARIANT_ROWS } from './first-variant-rows.ts'
import type { Effect } from '../evidence/effect.ts'
import type { ProfileInput } from '../profile/schema.ts'
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
  authorization === 'tokens'
    ? { name: customer, ...NOBODY }
    : {
        name: customer,
        username: fromVariable(variables.username),
        password: fromVariable(variables.password),
      }

/** With imported tokens the customer has logged in elsewhere. */
const NOBODY = { username: 'nobody-logs-in', password: '{none}' }

const authorizationOf = ({
  authorization,
  recipe,
  application,
  customer,
  variables,
}: Answers): ProfileInput['authorization'] =>
  authorization === 'tokens'
    ? {
        kind: 'tokens',
        tokens: [{ application, customer, accessToken: fromVariable(variables.accessToken) }],
      }
    : {
        kind: authorization,
        ...(recipe && { pages: recipe.pages }),
        ...(recipe?.code !== undefined && { code: recipe.code }),
      }

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
