/** What an OpenAPI document says about the parts of a profile, and what its author has to say. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { profileSchema, type ProfileInput } from '../../../profile/schema.ts'
import { setBody } from './bodies.ts'
import {
  askForName,
  completed,
  createDraft,
  defaultOf,
  find,
  namesIn,
  setBases,
  setOperation,
  setPlaces,
  setRequestId,
  type Draft,
} from './draft.ts'
import { dotted, fieldsOf, isScalar, sampleOf } from './fields.ts'
import { draftLoans } from './loans.ts'
import { draftPayments } from './payments.ts'
import type { Environment } from '../../../profile/environment.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

type Drafted = Pick<ProfileInput, 'basePaths' | 'operations' | 'secondVariant' | 'loans'> & {
  /** Without debtor and creditor. */
  readonly payments?: Members
}

export type DocumentDraft = ReturnType<typeof draftFromDocument>

/** Drafts what a document says about the parts of a profile. @param environment that of base paths that name none. */
export const draftFromDocument = (document: OpenApiDocument, environment: Environment) => {
  const draft = createDraft()
  draftAccounts(draft, document, environment)
  draftPayments(draft, document, environment)
  draftLoans(draft, document)
  let values = draft.values()
  for (const { path, message } of profileSchema.safeParse(completed(values)).error?.issues ?? []) {
    values = without(values, path.map(String))
    draft.ask(path.join('.'), `which value is it? That of the document cannot be used: ${message}`)
  }
  const origins = [...new Set(document.operations.flatMap(({ origin }) => origin ?? []))]
  if (origins.length > 1)
    draft.ask(
      'baseUrl',
      `which server is it, and which are further \`origins\`? The document has ${origins.join(', ')}`,
    )
  const [baseUrl] = origins
  const refusals = refusalsIn(document, draft)
  const profile: Drafted = values
  return {
    title: document.title,
    profile,
    ...(baseUrl !== undefined && { baseUrl }),
    /** How the bank refuses, if the document describes the bodies of refusals. */
    ...(refusals !== undefined && { refusals }),
    /** What the document does not say, a sentence each. */
    questions: draft.questions,
  }
}

const without = (values: Members, [key = '', ...rest]: readonly string[]): Members => {
  const { [key]: inner, ...others } = values
  return rest.length > 0 && isObject(inner) ? { ...others, [key]: without(inner, rest) } : others
}

/** In JSON only, or also with pages: known if the document describes the bodies of refusals outside of OAuth. */
const refusalsIn = ({ operations }: OpenApiDocument, draft: Draft): ProfileInput['refusals'] => {
  const types = operations
    .filter(({ path }) => !path.includes('/auth/oauth/'))
    .flatMap(({ answers }) => answers)
    .flatMap(({ status, mediaTypes }) => (status >= 400 && status < 500 ? mediaTypes : []))
  if (types.length === 0) return undefined
  if (types.some((type) => type.includes('html'))) return 'page'
  draft.ask(
    'refusals',
    'does the bank also refuse with HTML pages (page)? The document describes none, so that a page counts as that of a firewall (json)',
  )
  return 'json'
}

const OPERATIONS = ['createConsent', 'listAccounts', 'readAccount', 'listTransactions', 'refresh'] as const

/** The account interface: consents, tokens, both account variants and refresh. */
const draftAccounts = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const founds = [
    ...find(document, 'operations.createConsent'),
    // The second variant has the paths of the first behind /api.
    ...find(document, 'operations.listAccounts', ({ base }) => !/\/api$/i.test(base)),
  ]
  const bases = new Set(founds.map(({ base }) => base))
  if (bases.size === 0)
    return draft.ask(
      'basePaths',
      'where is the account interface? The document has no POST …/v1/consents and no GET …/v1/accounts',
    )
  setBases(draft, 'basePaths', founds, environment)
  const one = (name: (typeof OPERATIONS)[number] | 'token'): readonly DocumentedOperation[] =>
    find(document, `operations.${name}`, ({ base }) => bases.has(base))
      .slice(0, 1)
      .map(({ operation }) => operation)
  one('token').forEach((token) => {
    setPlaces(draft, 'operations.token', token)
    const sent = fieldsOf(token.form).filter(isScalar).map(dotted)
    // RFC 6749 §6.
    if (sent.length > 0 && !sent.includes('refresh_token'))
      draft.ask(
        'operations.token.refreshForm',
        `which parameter carries the refresh token? The document has ${sent.join(', ')}`,
      )
  })
  for (const name of OPERATIONS) one(name).forEach((each) => setOperation(draft, `operations.${name}`, each))
  one('refresh').forEach((refresh) => setRefresh(draft, refresh))
  draftSecondVariant(draft, document, environment)
}

/** The interface names the consent; the document says whether it stands in the query or in the body. */
const setRefresh = (draft: Draft, operation: DocumentedOperation): void => {
  const consent = { consentId: '{consentId}' }
  if (namesIn(operation, 'query').includes('consentId')) draft.set('operations.refresh.query', consent)
  if (operation.json?.properties?.['consentId'] !== undefined) draft.set('operations.refresh.body', consent)
  const usual = [
    String(defaultOf('operations.refresh.requestIdHeader')),
    ...Object.keys(defaultOf('operations.refresh.headers') as object),
  ].map((name) => name.toLowerCase())
  for (const { in: place, required, name, schema } of operation.parameters) {
    if (place !== 'header' || !required || schema.format === 'uuid' || usual.includes(name.toLowerCase()))
      continue
    const sample = sampleOf({ schema })
    if (typeof sample === 'string') draft.set('operations.refresh.headers', { [name]: sample })
    else draft.ask('operations.refresh.headers', `what is sent in the required header ${name}?`)
  }
}

const draftSecondVariant = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const founds = {
    listAccounts: find(document, 'secondVariant.listAccounts'),
    readAccount: find(document, 'secondVariant.readAccount'),
    listTransactions: find(document, 'secondVariant.listTransactions'),
  }
  const all = Object.values(founds).flat()
  const [first] = all
  if (first === undefined) return
  setBases(draft, 'secondVariant.basePaths', all, environment)
  setRequestId(draft, 'secondVariant', first.operation)
  for (const [name, [found]] of Object.entries(founds)) {
    if (found === undefined) continue
    const part = `secondVariant.${name}`
    setOperation(draft, part, found.operation)
    if (name !== 'listAccounts')
      for (const key of ['picked', 'typed']) setBody(draft, `${part}.${key}`, found.operation.json)
    if (name === 'listTransactions')
      askForName(draft, `${part}.pageSize`, fieldsOf(found.operation.json).filter(isScalar).map(dotted))
  }
}
