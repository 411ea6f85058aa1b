import { find, formOf, jsonBodyOf, setBases, setRequest, type Draft, type Found } from './draft.ts'
import { dotted, fieldsOf, isType, nameOf, type Field } from './fields.ts'
import { templateOf, type Meaning } from './templates.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

/** Drafts the payment API: authentication, initiations, status and submission. */

const DEBTOR = 'debtor|payer|ordering|from|source|remitter'
const CREDITOR = 'creditor|payee|beneficiary|recipient|receiver|to|destination|target'
const side = (words: string, field: string): RegExp =>
  new RegExp(`(^|\\.)(\\w*(${words})\\w*)(\\..*)?${field}$`, 'i')

const amountOf = (field: Field): string => {
  const isMinor = /minor|cent|hundredth/i.test(field.path.join('.'))
  if (isType(field, 'string')) return isMinor ? '{amountMinorText}' : '{amountText}'
  return isMinor ? '{amountMinor}' : '{amount}'
}

const MEANINGS: readonly Meaning[] = [
  { path: side(DEBTOR, '(iban|account|number)'), placeholder: '{debtorIban}' },
  { path: side(DEBTOR, '(name|holder|who)'), placeholder: '{debtorName}' },
  { path: side(CREDITOR, '(iban|account|number)'), placeholder: '{creditorIban}' },
  { path: side(CREDITOR, '(name|holder|who)'), placeholder: '{creditorName}' },
  { path: /control|agreed|expected/i, placeholder: amountOf, ifRequired: true },
  { path: /currency|unit$/i, placeholder: '{currency}' },
  { path: /(amount|value|sum|minor|cents)$/i, placeholder: amountOf },
  { path: /(execution|due|requested).*(date|on)?$|^(due|on|date)$/i, placeholder: '{date}' },
  { path: /(creation|created).*/i, placeholder: '{creationDateTime}' },
  { path: /end.?to.?end|reference/i, placeholder: '{endToEndIdentification}' },
  {
    path: /instruction.?id|message.?id|payment.?id|(^|\.)(message|msg|slip|id)(\.id)?$|(^|\.)id$/i,
    placeholder: '{instructionIdentification}',
  },
  { path: /remittance|text|note|purpose|message/i, placeholder: '{remittanceInformation}' },
]

const OTHER_POSTS = /\/payments\/submission$/i

const initiationsIn = (document: OpenApiDocument): readonly Found[] =>
  find(document, 'POST', '/payments/[^{]+', ({ path }) => !OTHER_POSTS.test(path))

const setAuthentication = (draft: Draft, { schemes }: DocumentedOperation): void => {
  const kinds = new Set(schemes.map(({ kind }) => kind))
  if (kinds.has('bearer') || kinds.size === 0) return
  draft.set('payments.authentication', kinds.has('basic') ? 'basic' : 'other')
  for (const { kind, name = '' } of schemes)
    if (kind === 'key') {
      draft.set('payments.headers', { [name]: 'env:BANK_PAYMENT_KEY' })
      draft.remark(`\`payments.headers\`: set BANK_PAYMENT_KEY to the key that is sent as ${name}`)
    } else if (kind === 'certificate')
      draft.remark(
        '`connection.certificate` and `connection.key`: the payment API wants a client certificate',
      )
}

/** The token of the application, from the flow of the security scheme, or from a token endpoint beside the payments. */
const setToken = (
  draft: Draft,
  initiations: readonly Found[],
  submission: Found | undefined,
  document: OpenApiDocument,
  environment: Environment,
): void => {
  const flows = (initiations[0]?.operation.schemes ?? []).flatMap((scheme) => scheme.flows)
  const flow = flows.find(({ grant }) => grant === 'clientCredentials')
  const scope = flow?.scopes[0] ?? flows.flatMap(({ scopes }) => scopes)[0]
  if (scope === undefined)
    draft.remark(
      '`payments.token.form`: the scope of payments was not found in the document; the default holds',
    )
  else {
    draft.set('payments.token.form', { grant_type: 'client_credentials', scope })
    const granting = (submission?.operation.schemes ?? []).flatMap((scheme) => scheme.flows)
    const granted = [...granting, ...flows].find(({ grant }) => grant === 'authorizationCode')
    draft.set(
      'payments.authorize.scope',
      granted?.scopes.find((one) => !one.startsWith('PREMIUM_AIS')) ?? scope,
    )
  }
  const tokens = tokenEndpoints(document, initiations)
  if (tokens.length > 0) setBases(draft, 'payments.oauthBasePaths', tokens, environment)
  else
    draft.remark(
      '`payments.oauthBasePaths`: where tokens for payments are issued was not found in the document',
    )
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** The token endpoints that the security schemes of the initiations name, and the same operations at other servers. */
const tokenEndpoints = (document: OpenApiDocument, initiations: readonly Found[]): readonly Found[] => {
  const all = find(document, 'POST', '/auth/oauth/v2/token')
  const urls = initiations
    .flatMap(({ operation }) => operation.schemes.flatMap(({ flows }) => flows))
    .flatMap(({ grant, tokenUrl }) =>
      grant === 'clientCredentials' && tokenUrl !== undefined ? [pathOf(tokenUrl)] : [],
    )
  const exact = all.filter(({ operation }) => urls.includes(operation.path))
  // The address may be relative to a server.
  const alike =
    exact.length > 0 ? exact : all.filter(({ operation }) => urls.some((url) => operation.path.endsWith(url)))
  return all.filter(({ operation }) => alike.some((one) => isSameOperation(one.operation, operation)))
}

/** One operation at two servers has the same parameters, bodies and answers. */
const isSameOperation = (one: DocumentedOperation, other: DocumentedOperation): boolean =>
  one.bodies === other.bodies && one.answers === other.answers

const setAuthorize = (draft: Draft, document: OpenApiDocument): void => {
  const parameters = find(document, 'GET', '/auth/oauth/v2/authorize').flatMap(
    ({ operation }) => operation.parameters,
  )
  const order = parameters.find(({ in: place, name }) => place === 'query' && /order|payment/i.test(name))
  if (order !== undefined) draft.set('payments.authorize.parameter', order.name)
}

const setSubmission = (draft: Draft, { operation }: Found): void => {
  const key = 'payments.submission'
  const fields = fieldsOf(jsonBodyOf(operation))
  const { body, filled } = templateOf(draft, `${key}.body`, jsonBodyOf(operation), [
    { path: /order|payment/i, placeholder: '{orderId}' },
    { path: /approv|confirm|auth/i, placeholder: '{approval}' },
  ])
  if (fields.length === 0) return
  draft.set(`${key}.body`, body)
  if (!filled.some(({ placeholder }) => placeholder === '{orderId}'))
    draft.remark(`\`${key}.body\`: the field that names the payment was not found in the document`)
}

export const draftPayments = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const initiations = initiationsIn(document)
  const [first] = initiations
  if (first === undefined) return
  const statuses = find(document, 'GET', '/payments/{}/status')
  const submissions = find(document, 'POST', '/payments/submission')
  setBases(draft, 'payments.basePaths', [...initiations, ...statuses, ...submissions], environment)
  setRequest(draft, 'payments', first.operation, { statuses: false })
  setAuthentication(draft, first.operation)
  if (!first.operation.schemes.some(({ kind }) => kind !== 'bearer')) {
    setToken(draft, initiations, submissions[0], document, environment)
    setAuthorize(draft, document)
  }
  // One method of initiation has one path, whatever the server.
  const methods = [...new Map(initiations.map((found) => [found.path, found] as const)).values()]
  const sorted = methods.toSorted((one, other) => Number(isDocumented(other)) - Number(isDocumented(one)))
  draft.set('payments.initiations', methodsOf(draft, sorted))
  const [submission] = submissions
  if (submission !== undefined) setSubmission(draft, submission)
  const flows = first.operation.schemes.flatMap((scheme) => scheme.flows)
  const link = flows.some(({ grant }) => grant === 'authorizationCode') ? undefined : named(first.operation)
  if (link !== undefined) {
    draft.set('payments.approval', { link })
    draft.remark(
      `\`payments.approval\`: the customer is taken to approve at the address in ${link}; leave it out where an OAuth grant authorizes payments, and add \`parameter\` or \`shown\` where the approval gives a value`,
    )
  }
}

const DATE = '{date}'

interface DraftedMethod {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly future?: true
}

/** A method of initiation: without a date where that may be left out, and the same with one. */
const methodOf = (
  draft: Draft,
  { path, operation }: Found,
  key: string,
): { readonly plain: DraftedMethod; readonly dated?: DraftedMethod } => {
  const schema = jsonBodyOf(operation)
  const { body, filled } = templateOf(draft, key, schema, MEANINGS)
  const placeholders = filled.map(({ placeholder }) => placeholder)
  for (const wanted of ['{debtorIban}', '{creditorIban}'])
    if (!placeholders.includes(wanted))
      draft.remark(`\`${key}\`: no field for ${wanted} was found in the document`)
  const name = path.split('/').slice(2).join('-')
  const date = filled.find(({ placeholder }) => placeholder === DATE)
  if (date === undefined) return { plain: { name, path, body } }
  if (date.field.isRequired) return { plain: { name, path, body, future: true } }
  const undated = MEANINGS.filter(({ placeholder }) => placeholder !== DATE)
  return {
    plain: { name, path, body: templateOf(draft, key, schema, undated).body },
    dated: { name: `${name}-dated`, path, body, future: true },
  }
}

/** Payments of a shop are executed at once: the date of another method is preferred. */
const methodsOf = (draft: Draft, founds: readonly Found[]): readonly DraftedMethod[] => {
  const methods = founds.map((found, at) => methodOf(draft, found, `payments.initiations.${at}.body`))
  const plain = methods.map((method) => method.plain)
  const dated = methods.findLast((method) => method.dated !== undefined)?.dated
  if (dated === undefined || plain.some(({ future }) => future === true)) return plain
  draft.remark(
    `\`payments.initiations.${plain.length}\`: ${dated.path} is taken to accept dates in the future; leave it out where it does not`,
  )
  return [...plain, dated]
}

const isDocumented = ({ path }: Found): boolean => path === '/payments/ecomm/sba'

/** The field of the answer with an address for the customer. */
const named = ({ answers }: DocumentedOperation): string | undefined => {
  const created = answers.find(({ status }) => status === 201)?.schema
  const field = fieldsOf(created).find(
    (one) =>
      /approv|authori[sz]|redirect|confirm|sca/i.test(one.path.join('.')) &&
      (/uri|url/i.test(one.schema.format ?? '') || /href|url|link$/i.test(nameOf(one))),
  )
  return field === undefined ? undefined : dotted(field.path)
}

/** Whether a token request takes its credentials in the form. */
export const takesCredentialsInForm = (operation: DocumentedOperation): boolean =>
  fieldsOf(formOf(operation)).some((field) => /client.?secret/i.test(nameOf(field)))
