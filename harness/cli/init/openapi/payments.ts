/** Drafts the payment API: authentication, initiations, status and submission. */
import { isAmount } from '../../../profile/template.ts'
import { draftBody } from './bodies.ts'
import {
  askForName,
  defaultOf,
  find,
  findLike,
  namesIn,
  setBases,
  setRequestId,
  successOf,
  type Draft,
  type Found,
} from './draft.ts'
import { fieldsOf, listed } from './fields.ts'
import type { Environment } from '../../../profile/environment.ts'
import type { ProfileInput } from '../../../profile/schema.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

export const draftPayments = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const initiations = findLike(document, 'POST', '/payments/[^{]+').filter(
    ({ path }) => !/\/submission$/i.test(path),
  )
  const [first] = initiations
  if (first === undefined) return
  const submissions = find(document, 'payments.submission')
  const [submission = first] = submissions
  const statuses = find(document, 'payments.status')
  setBases(draft, 'payments.basePaths', [...initiations, ...statuses, ...submissions], environment)
  setRequestId(draft, 'payments', first.operation)
  setAuthentication(draft, first.operation)
  if (first.operation.schemes.every(({ kind }) => kind === 'bearer')) {
    setToken(draft, first.operation, submission.operation)
    setOauthBases(draft, document, first.operation, environment)
    askForName(draft, 'payments.authorize.parameter', parametersOfAuthorization(document))
  }
  // One method of initiation has one path, whatever the server.
  const methods = [...new Map(initiations.map((found) => [found.path, found] as const)).values()]
  const sorted = methods.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
  draft.set(
    'payments.initiations',
    sorted.map((found, at) => methodOf(draft, found, at)),
  )
  if (submission !== first && fieldsOf(submission.operation.json).length > 1) {
    const key = 'payments.submission.body'
    const body = draftBody(draft, key, submission.operation.json, { orderId: '{orderId}' })
    if (body !== undefined) draft.set(key, body)
  }
  askForApproval(draft, first.operation)
}

const setAuthentication = (draft: Draft, { schemes }: DocumentedOperation): void => {
  const kinds = new Set(schemes.map(({ kind }) => kind))
  if (kinds.has('bearer') || kinds.size === 0) return
  draft.set('payments.authentication', kinds.has('basic') ? 'basic' : 'other')
  for (const { kind, name = '' } of schemes)
    if (kind === 'key') {
      draft.set('payments.headers', { [name]: 'env:BANK_PAYMENT_KEY' })
      draft.ask('payments.headers', `which key is sent as ${name}? Set BANK_PAYMENT_KEY to it`)
    } else if (kind === 'certificate')
      draft.ask(
        'connection',
        'which `certificate` and `key` does the client have? The payment API wants a client certificate',
      )
}

/** The scope that an operation needs in a flow, or the only one that the flow has. */
const scopeOf = ({ schemes }: DocumentedOperation, grant: string): string | undefined =>
  schemes.flatMap(({ scopes, flows }) =>
    flows
      .filter((flow) => flow.grant === grant)
      .map((flow) => scopes[0] ?? (flow.scopes.length === 1 ? flow.scopes[0] : undefined)),
  )[0]

/** The token of the application, from the flow of the security scheme. */
const setToken = (draft: Draft, initiation: DocumentedOperation, submission: DocumentedOperation): void => {
  const scope = scopeOf(initiation, 'clientCredentials')
  if (scope === undefined)
    return draft.ask(
      'payments.token.form',
      'which scope do payments need? The operations name no flow clientCredentials with a scope',
    )
  draft.set('payments.token.form', { grant_type: 'client_credentials', scope })
  draft.set('payments.authorize.scope', scopeOf(submission, 'authorizationCode') ?? scope)
}

const flowsOf = ({ schemes }: DocumentedOperation) => schemes.flatMap(({ flows }) => flows)

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** Where tokens are issued: at the address of the security scheme, and the same operation at other servers. */
const setOauthBases = (
  draft: Draft,
  document: OpenApiDocument,
  initiation: DocumentedOperation,
  environment: Environment,
): void => {
  const all = find(document, 'payments.token')
  const urls = flowsOf(initiation).flatMap(({ grant, tokenUrl }) =>
    grant === 'clientCredentials' && tokenUrl !== undefined ? [pathOf(tokenUrl)] : [],
  )
  const exact = all.filter(({ operation }) => urls.includes(operation.path))
  // The address may be relative to a server.
  const relative = all.filter(({ operation }) => urls.some((url) => operation.path.endsWith(url)))
  const alike = exact.length > 0 ? exact : relative
  const tokens = all.filter(({ operation }) =>
    alike.some((one) => one.operation.answers === operation.answers),
  )
  if (tokens.length > 0) setBases(draft, 'payments.oauthBasePaths', tokens, environment)
  else
    draft.ask(
      'payments.oauthBasePaths',
      `where are tokens for payments issued? The document has ${all.map(({ operation }) => operation.path).join(', ') || 'no POST …/auth/oauth/v2/token'}`,
    )
}

/** The parameters of an authorization request that a standard gives (RFC 6749 §4.1.1, RFC 7636 §4.3). */
const OF_STANDARDS = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state'],
  ...['code_challenge', 'code_challenge_method'],
]

const parametersOfAuthorization = (document: OpenApiDocument): readonly string[] =>
  find(document, 'payments.authorize')
    .flatMap(({ operation }) => namesIn(operation, 'query'))
    .filter((name) => !OF_STANDARDS.includes(name))

type Initiation = NonNullable<NonNullable<ProfileInput['payments']>['initiations']>[number]

const USUAL = defaultOf('payments.initiations') as readonly Initiation[]
const [IMMEDIATE] = USUAL

const isFirst = ({ path }: Found): boolean => path === IMMEDIATE?.path

/** A method of initiation: with the name and the body of the default that has its path. */
const methodOf = (draft: Draft, { path, operation }: Found, at: number): Initiation => {
  const usual = USUAL.find((each) => each.path === path)
  const template = (usual ?? IMMEDIATE)?.body
  const body = draftBody(draft, `payments.initiations.${at}.body`, operation.json, template, isAmount)
  return {
    name: usual?.name ?? path.split('/').slice(2).join('-'),
    path,
    ...(body !== undefined && { body }),
    ...(usual?.future === true && { future: true }),
  }
}

/** Without a flow in which the customer authorizes, the customer approves elsewhere. */
const askForApproval = (draft: Draft, initiation: DocumentedOperation): void => {
  if (flowsOf(initiation).some(({ grant }) => grant === 'authorizationCode')) return
  const addresses = fieldsOf(successOf(initiation)).filter(
    ({ schema }) => schema.format?.startsWith('uri') === true,
  )
  if (addresses.length > 0)
    draft.ask(
      'payments.approval',
      `does the customer approve a payment at an address in its answer, as \`link\`? The document has ${listed(addresses)}`,
    )
}
