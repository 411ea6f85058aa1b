/** Drafts the payment API: authentication, initiations, status and submission. */
import { passesOnAmount } from '../../../profile/template.ts'
import { askForMembers, bodyFrom } from './bodies.ts'
import {
  defaultOf,
  find,
  formOf,
  jsonBodyOf,
  setBases,
  setRequestId,
  successOf,
  type Draft,
  type Found,
} from './draft.ts'
import { fieldsOf } from './fields.ts'
import { listed } from './places.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { ProfileInput } from '../../../profile/schema.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

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

const flowsOf = ({ schemes }: DocumentedOperation) => schemes.flatMap(({ flows }) => flows)

/** The scope that an operation needs in a flow, or the only one that the flow has. */
const scopeOf = ({ schemes }: DocumentedOperation, wanted: string): string | undefined => {
  for (const { scopes, flows } of schemes) {
    const flow = flows.find(({ grant }) => grant === wanted)
    if (flow !== undefined) return scopes[0] ?? (flow.scopes.length === 1 ? flow.scopes[0] : undefined)
  }
  return undefined
}

/** The token of the application, from the flow of the security scheme. */
const setToken = (
  draft: Draft,
  initiation: DocumentedOperation,
  submission: DocumentedOperation | undefined,
): void => {
  const scope = scopeOf(initiation, 'clientCredentials')
  if (scope === undefined)
    return draft.ask(
      'payments.token.form',
      'which scope do payments need? The operations name no flow clientCredentials with a scope',
    )
  draft.set('payments.token.form', { grant_type: 'client_credentials', scope })
  const granted = scopeOf(submission ?? initiation, 'authorizationCode') ?? scope
  draft.set('payments.authorize.scope', granted)
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** Where tokens are issued, as the security schemes of the initiations say, and the same operations at other servers. */
const setOauthBases = (
  draft: Draft,
  document: OpenApiDocument,
  initiation: DocumentedOperation,
  environment: Environment,
): void => {
  const all = find(document, 'POST', '/auth/oauth/v2/token')
  const urls = flowsOf(initiation).flatMap(({ grant, tokenUrl }) =>
    grant === 'clientCredentials' && tokenUrl !== undefined ? [pathOf(tokenUrl)] : [],
  )
  const exact = all.filter(({ operation }) => urls.includes(operation.path))
  // The address may be relative to a server.
  const alike =
    exact.length > 0 ? exact : all.filter(({ operation }) => urls.some((url) => operation.path.endsWith(url)))
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
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

const setAuthorize = (draft: Draft, document: OpenApiDocument): void => {
  const names = find(document, 'GET', '/auth/oauth/v2/authorize').flatMap(({ operation }) =>
    operation.parameters
      .filter(({ in: place, name }) => place === 'query' && !OF_STANDARDS.includes(name))
      .map(({ name }) => name),
  )
  const key = 'payments.authorize.parameter'
  const usual = String(defaultOf(key))
  if (names.length > 0 && !names.includes(usual))
    draft.ask(
      key,
      `which parameter names the payment? The document has ${[...new Set(names)].join(', ')}, and not ${usual}`,
    )
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

export const draftPayments = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const initiations = find(document, 'POST', '/payments/[^{]+', ({ path }) => !/\/submission$/i.test(path))
  const [first] = initiations
  if (first === undefined) return
  const submissions = find(document, 'POST', '/payments/submission')
  const statuses = find(document, 'GET', '/payments/{}/status')
  setBases(draft, 'payments.basePaths', [...initiations, ...statuses, ...submissions], environment)
  setRequestId(draft, 'payments', first.operation)
  setAuthentication(draft, first.operation)
  const [submission] = submissions
  if (first.operation.schemes.every(({ kind }) => kind === 'bearer')) {
    setToken(draft, first.operation, submission?.operation)
    setOauthBases(draft, document, first.operation, environment)
    setAuthorize(draft, document)
  }
  // One method of initiation has one path, whatever the server.
  const methods = [...new Map(initiations.map((found) => [found.path, found] as const)).values()]
  const sorted = methods.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
  draft.set(
    'payments.initiations',
    sorted.map((found, at) => methodOf(draft, found, at)),
  )
  if (submission !== undefined) setSubmission(draft, submission.operation)
  askForApproval(draft, first.operation)
}

type Initiation = NonNullable<NonNullable<ProfileInput['payments']>['initiations']>[number]

const USUAL = defaultOf('payments.initiations') as readonly Initiation[]
const [IMMEDIATE] = USUAL
const DATE = 'requestedExecutionDate'

const isFirst = ({ path }: Found): boolean => path === IMMEDIATE?.path

/** A method of initiation: with the name and the body of the default that has its path. */
const methodOf = (draft: Draft, { path, operation }: Found, at: number): Initiation => {
  const key = `payments.initiations.${at}.body`
  const usual = USUAL.find((each) => each.path === path)
  const name = usual?.name ?? path.split('/').slice(2).join('-')
  const schema = jsonBodyOf(operation) ?? {}
  const isDated = usual?.future === true || schema.required?.includes(DATE) === true
  const { body, missing } = bodyFrom(schema, {
    ...((usual ?? IMMEDIATE)?.body as object),
    ...(isDated && { [DATE]: '{date}' }),
  })
  if (usual === undefined && !isDated && schema.properties?.[DATE] !== undefined)
    draft.ask(key, `may {date} be sent as ${DATE}, and may it lie in the future (\`future\`)?`)
  const isKnown = passesOnAmount(body)
  if (isKnown) askForMembers(draft, key, missing)
  else
    draft.ask(
      key,
      `where do the placeholders of an order stand? The document has ${listed(fieldsOf(schema).slice(1)) || 'no body'}`,
    )
  return {
    name,
    path,
    ...(isKnown && { body: body as Initiation['body'] }),
    ...(isDated && { future: true }),
  }
}

const setSubmission = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'payments.submission.body'
  const schema = jsonBodyOf(operation)
  if (schema?.properties === undefined) return
  const { body, missing } = bodyFrom(schema, { orderId: '{orderId}' })
  askForMembers(draft, key, missing)
  if (schema.properties['orderId'] !== undefined) draft.set(key, body)
  else if (missing.length === 0)
    draft.ask(key, `which member names the payment? The document has ${listed(fieldsOf(schema).slice(1))}`)
}

/** Whether a token request takes its credentials in the form (RFC 6749 §2.3.1). */
export const takesCredentialsInForm = (operation: DocumentedOperation): boolean =>
  formOf(operation)?.properties?.['client_secret'] !== undefined
