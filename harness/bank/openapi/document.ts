/** The OpenAPI document of the bank. Each operation is written once, and stands below the base path of each environment. */
import { BASES, ENVIRONMENTS, type EnvironmentName } from '../base-paths.ts'
import { LOAN_SCOPE } from '../rules/loan-rules.ts'
import { PAYMENT_SCOPE } from '../rules/payment-rules.ts'
import { accountsTopic, secondAccountsTopic } from './accounts.ts'
import { authorizationTopic } from './authorization.ts'
import { loansTopic } from './loans.ts'
import {
  header,
  inHeader,
  type Answer,
  type Authorization,
  type Operation,
  type Parameter,
  type RequestBody,
  type Schemas,
  type Topic,
} from './parts.ts'
import { paymentOAuthTopic, paymentsTopic } from './payments.ts'
import { refusalSchemas } from './refusals.ts'

const TOPICS: readonly Topic[] = [
  authorizationTopic,
  accountsTopic,
  secondAccountsTopic,
  paymentOAuthTopic,
  paymentsTopic,
  loansTopic,
]

/** The alternatives of an operation: each is a scheme with the scopes that it needs. */
type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Answer>>
  readonly security: Security
}

type PathItem = Readonly<Partial<Record<Operation['method'], DocumentedOperation>>>

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas: Schemas
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const NAMES: Readonly<Record<EnvironmentName, string>> = { sandbox: 'InSandbox', production: 'InProduction' }

const DESCRIPTION =
  `A bank for tests: its customers, accounts and money are invented. The paths of the sandbox and of
production differ only in their base path; loans have only a sandbox. A bank that was started with a defect or a
variation may answer differently from this document.`.replaceAll('\n', ' ')

const ACCOUNT_SCOPE = 'PREMIUM_AIS'

const withSuffix = (name: string, { api }: Pick<Topic, 'api'>, environment: EnvironmentName): string =>
  BASES[api].production === undefined ? name : `${name}${NAMES[environment]}`

const requirementOf = (
  authorization: Authorization,
  environment: EnvironmentName,
): Readonly<Record<string, readonly string[]>> => {
  switch (authorization) {
    case 'client':
      return { client: [] }
    // The credentials are in the body, which the alternative without a scheme allows.
    case 'clientInForm':
      return {}
    case 'accounts':
      return { [`accounts${NAMES[environment]}`]: [ACCOUNT_SCOPE] }
    case 'payments':
    case 'approvedPayment':
      return { [`${authorization}${NAMES[environment]}`]: [PAYMENT_SCOPE] }
    case 'loans':
      return { loans: [LOAN_SCOPE] }
  }
}

/** The answer with the header that repeats the id of the request. */
const withRequestId = (answer: Answer, { requestId }: Topic): Answer => ({
  ...answer,
  headers: { ...answer.headers, [requestId]: header('The id of the request, if it has one.', false) },
})

const parametersOf = ({ parameters = [] }: Operation, { requestId }: Topic): readonly Parameter[] =>
  parameters.some(({ name }) => name === requestId)
    ? parameters
    : [...parameters, inHeader(requestId, 'The id of the request; the answer repeats it.')]

const documented = (
  operation: Operation,
  topic: Topic,
  environment: EnvironmentName,
): DocumentedOperation => {
  const { operationId, summary, description, requestBody, authorizedBy, answers } = operation
  return {
    operationId: withSuffix(operationId, topic, environment),
    tags: [topic.tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: parametersOf(operation, topic),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, withRequestId(answer, topic)]),
    ),
    security: authorizedBy.map((authorization) => requirementOf(authorization, environment)),
  }
}

const pathsOf = (): OpenApiDocument['paths'] => {
  const paths: Record<string, PathItem> = {}
  for (const environment of ENVIRONMENTS) {
    for (const topic of TOPICS) {
      const base = BASES[topic.api][environment]
      if (base === undefined) continue
      for (const operation of topic.operations) {
        const path = `${base}${operation.path}`
        paths[path] = { ...paths[path], [operation.method]: documented(operation, topic, environment) }
      }
    }
  }
  return paths
}

const oauth2 = (description: string, flows: Readonly<Record<string, unknown>>): unknown => ({
  type: 'oauth2',
  description,
  flows,
})

const ACCOUNT_SCOPES = {
  [ACCOUNT_SCOPE]: 'Access to accounts. A Third Party Provider appends a colon and the consentId.',
}
const PAYMENT_SCOPES = { [PAYMENT_SCOPE]: 'Payments.' }
const LOAN_SCOPES = { [LOAN_SCOPE]: 'Instalment loans.' }

const endpointsAt = (base: string) => ({
  authorizationUrl: `${base}/auth/oauth/v2/authorize`,
  tokenUrl: `${base}/auth/oauth/v2/token`,
})

const schemesIn = (environment: EnvironmentName): Readonly<Record<string, unknown>> => {
  const accounts = endpointsAt(BASES.accounts[environment] ?? '')
  const payments = endpointsAt(BASES.oauth[environment] ?? '')
  const name = NAMES[environment]
  return {
    [`accounts${name}`]: oauth2('The customer has granted access to accounts.', {
      authorizationCode: { ...accounts, refreshUrl: accounts.tokenUrl, scopes: ACCOUNT_SCOPES },
    }),
    [`payments${name}`]: oauth2('A token of the application.', {
      clientCredentials: { tokenUrl: payments.tokenUrl, scopes: PAYMENT_SCOPES },
    }),
    [`approvedPayment${name}`]: oauth2('The customer has authorized one payment.', {
      authorizationCode: { ...payments, scopes: PAYMENT_SCOPES },
    }),
  }
}

const securitySchemes = (): Readonly<Record<string, unknown>> => ({
  client: { type: 'http', scheme: 'basic', description: 'The client_id of the application and its secret.' },
  ...schemesIn('sandbox'),
  ...schemesIn('production'),
  loans: oauth2('A token of the application for loans.', {
    clientCredentials: {
      tokenUrl: endpointsAt(BASES.loans.sandbox ?? '').tokenUrl,
      scopes: LOAN_SCOPES,
    },
  }),
})

export const openApiDocument = (): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Reference Bank', version: '1', description: DESCRIPTION },
  // The document is served by the bank that it describes.
  servers: [{ url: '/' }],
  tags: TOPICS.map(({ tag }) => ({ name: tag })),
  paths: pathsOf(),
  components: {
    schemas: Object.assign({}, refusalSchemas, ...TOPICS.map(({ schemas }) => schemas)) as Schemas,
    securitySchemes: securitySchemes(),
  },
})
