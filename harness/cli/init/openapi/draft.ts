/** A draft of a profile: what a document says, and a question for each key about which it says something else than the default. */
import { isObject, type Members } from '../../../evidence/json.ts'
import { otherThan, type Environment } from '../../../profile/environment.ts'
import { valueAt } from '../../../profile/json-schema.ts'
import { documentedOf, type OperationKey } from '../../../profile/operations.ts'
import { profileSchema } from '../../../profile/schema.ts'
import { joined, nested } from '../../../profile/template.ts'
import { dotted, fieldsOf, isList, isScalar, listed, valuesOf, within, type Field } from './fields.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'
import type { SchemaNode } from './schema-reader.ts'

export type Draft = ReturnType<typeof createDraft>

export const createDraft = () => {
  let values: Members = {}
  const questions: string[] = []
  return {
    /** Sets a key of the profile, such as `operations.listAccounts.accounts`. */
    set(key: string, value: unknown): void {
      values = joined(values, nested(key, value))
    },
    ask(key: string, question: string): void {
      const whole = `\`${key}\`: ${question}`
      if (!questions.includes(whole)) questions.push(whole)
    },
    values: () => values,
    questions,
  }
}

const ACCOUNT = { name: 'A', iban: 'SK2998010000002600001129' }
const REDIRECT_URIS = [{ uri: 'https://a.example/' }]

/** A profile with these parts, and with what no document has. */
export const completed = ({ payments, ...rest }: Members): unknown => ({
  name: 'A',
  applications: [{ name: 'A', kind: 'TPP', clientId: 'A', clientSecret: 'A', redirectUris: REDIRECT_URIS }],
  ...rest,
  ...(payments !== undefined && {
    payments: { ...(isObject(payments) && payments), debtor: ACCOUNT, creditor: ACCOUNT },
  }),
})

const DEFAULTS = profileSchema.parse(completed({ secondVariant: {}, payments: {}, loans: {} }))

/** The default of a key of the profile, such as `accounts` for `operations.listAccounts.accounts`. */
export const defaultOf = (key: string): unknown => valueAt(DEFAULTS, key.split('.'))

/** An operation of the interface at one of its addresses in the document. */
export interface Found {
  readonly operation: DocumentedOperation
  /** The part before the documented path; empty for none. */
  readonly base: string
  /** The documented path, as the document writes it. */
  readonly path: string
}

/** The operations that the interface shows so, behind any base path: `{…}` stands for any parameter. */
export const find = (
  document: OpenApiDocument,
  key: OperationKey,
  isMeant: (found: Found) => boolean = () => true,
): readonly Found[] => {
  const { method, path } = documentedOf(key)
  return findLike(document, method, path.replaceAll(/\{[^}]+\}/g, String.raw`\{[^}]+\}`)).filter(isMeant)
}

/** The operations with this method whose path ends with a match of the pattern. */
export const findLike = ({ operations }: OpenApiDocument, method: string, path: string): readonly Found[] => {
  const pattern = new RegExp(`${path}$`, 'i')
  return operations.flatMap((operation) => {
    const at = operation.method === method ? pattern.exec(operation.path)?.index : undefined
    if (at === undefined) return []
    return [{ operation, base: operation.path.slice(0, at), path: operation.path.slice(at) }]
  })
}

const isOf = (base: string, environment: Environment): boolean => base.split('/').includes(environment)

/** Sets the base paths of some operations. @param environment whose base path one that names none is. */
export const setBases = (
  draft: Draft,
  key: string,
  founds: readonly Found[],
  environment: Environment,
): void => {
  const bases = [...new Set(founds.map(({ base }) => base))]
  const other = otherThan(environment)
  const own = bases.find((base) => isOf(base, environment)) ?? bases.find((base) => !isOf(base, other))
  const others = bases.filter((base) => base !== own)
  const otherOne = others.find((base) => isOf(base, other)) ?? others[0]
  if (own !== undefined) draft.set(`${key}.${environment}`, own || '/')
  if (otherOne !== undefined) draft.set(`${key}.${other}`, otherOne || '/')
  const isNamed = bases.some((base) => isOf(base, environment) || isOf(base, other))
  if (bases.length > 2 || (bases.length === 2 && !isNamed))
    draft.ask(
      key,
      `which base path is that of ${environment}, and which that of ${other}? The document has ${bases.map((base) => base || '/').join(', ')}`,
    )
}

export const successOf = ({ answers }: DocumentedOperation): SchemaNode | undefined =>
  answers.find(({ status }) => status >= 200 && status < 300)?.schema

export const namesIn = ({ parameters }: DocumentedOperation, place: string): readonly string[] =>
  parameters.filter((each) => each.in === place).map(({ name }) => name)

/** Asks for a name that has a default, where the document has others instead. */
export const askForName = (draft: Draft, key: string, names: readonly string[]): void => {
  const usual = String(defaultOf(key))
  const isThere = names.some((name) => name.toLowerCase() === usual.toLowerCase())
  if (names.length > 0 && !isThere)
    draft.ask(key, `which name is it? The document has no ${usual}, but ${[...new Set(names)].join(', ')}`)
}

/** Sets the header that carries the id of a request: the only one with the format of an id. */
export const setRequestId = (draft: Draft, key: string, operation: DocumentedOperation): void => {
  const names = namesIn(operation, 'header')
  const ids = operation.parameters.filter((each) => each.in === 'header' && each.schema.format === 'uuid')
  const usual = String(defaultOf(`${key}.requestIdHeader`)).toLowerCase()
  const isUsual = names.some((name) => name.toLowerCase() === usual)
  const [only, ...more] = isUsual ? [] : ids
  if (only !== undefined && more.length === 0) draft.set(`${key}.requestIdHeader`, only.name)
  else askForName(draft, `${key}.requestIdHeader`, names)
}

/** Where an answer has something: a key of the profile within the part about the operation. */
interface Place {
  readonly key: string
  /** The key of the list in whose items it is. */
  readonly within?: string
  readonly isList?: true
  /** In the answers to refused requests. */
  readonly isRefusal?: true
  /** Words that a standard or the interface gives it: a field whose values are enumerated, these among them, is the one. */
  readonly words?: readonly string[]
}

const BALANCES = [
  { key: 'iban' },
  { key: 'balances', isList: true },
  { key: 'amount', within: 'balances' },
] as const
const TRANSACTIONS = [
  { key: 'transactions', isList: true },
  { key: 'id', within: 'transactions' },
] as const
const ACCOUNTS = [
  { key: 'accounts', isList: true },
  { key: 'iban', within: 'accounts' },
] as const

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'operations.token': [
    { key: 'refreshToken' },
    // RFC 6749 §5.2.
    { key: 'errorCode', isRefusal: true, words: ['invalid_grant', 'invalid_request'] },
  ],
  'operations.listAccounts': ACCOUNTS,
  'operations.readAccount': BALANCES,
  'operations.listTransactions': [...TRANSACTIONS, { key: 'paging.next' }],
  'secondVariant.listAccounts': [...ACCOUNTS, { key: 'id', within: 'accounts' }],
  'secondVariant.readAccount': BALANCES,
  'secondVariant.listTransactions': [...TRANSACTIONS, { key: 'paging.count' }],
  'loans.submission': [{ key: 'id' }],
  'loans.status': [
    { key: 'status', words: ['NEW', 'CANCELED', 'LOAN_DISBURSED'] },
    { key: 'code', words: ['OK'] },
  ],
  loans: [{ key: 'errorCode', isRefusal: true, words: ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER'] }],
}

/** Sets the places of an operation that are not those of the default. @param part such as `operations.listAccounts`. */
export const setPlaces = (draft: Draft, part: string, operation: DocumentedOperation): void => {
  const found = new Map<string, string>()
  const refusals = operation.answers.flatMap(({ status, schema }) => (status >= 400 ? fieldsOf(schema) : []))
  const ofAnswer = fieldsOf(successOf(operation))
  for (const place of PLACES[part] ?? []) {
    const key = `${part}.${place.key}`
    const usual = defaultOf(key)
    const list = place.within === undefined ? undefined : found.get(place.within)
    if (place.within !== undefined && list === undefined) continue
    const all = place.isRefusal === true ? refusals : ofAnswer
    const fields = (list === undefined ? all : within(all, list)).filter(
      (field) => !field.path.includes('*') && (place.isList === true ? !isScalar(field) : isScalar(field)),
    )
    const taken = fieldFor(fields, place, usual)
    if (taken !== undefined) found.set(place.key, taken)
    if (taken !== undefined && taken !== usual) draft.set(key, taken)
    if (taken !== undefined || typeof usual !== 'string') continue
    // RFC 8288: the address of the next page stands in a header.
    if (place.key.startsWith('paging.') && operation.answers.some(({ headers }) => headers.includes('link')))
      draft.set(`${part}.paging`, { kind: 'link-header' })
    else if (fields.length > 0 || place.isRefusal !== true)
      draft.ask(key, `where is it? The document has no ${usual}, but ${listed(fields) || 'no such field'}`)
  }
}

const fieldFor = (
  fields: readonly Field[],
  { isList: ofLists, words = [] }: Place,
  usual: unknown,
): string | undefined => {
  const byWords = fields.find((field) => words.some((word) => valuesOf(field).includes(word)))
  const known = byWords ?? fields.find((field) => dotted(field) === usual)
  if (known !== undefined) return dotted(known)
  const [only, ...more] = ofLists === true ? fields.filter(isList) : []
  return only === undefined || more.length > 0 ? undefined : dotted(only)
}

/** Sets what a document says of an operation of accounts: the header of its id, its statuses and the places in its answer. */
export const setOperation = (draft: Draft, part: string, operation: DocumentedOperation): void => {
  const success = operation.answers
    .map(({ status }) => status)
    .filter((status) => status >= 200 && status < 300)
  if (success.length > 0) draft.set(`${part}.success`, success)
  if (defaultOf(`${part}.requestIdHeader`) !== undefined) setRequestId(draft, part, operation)
  setPlaces(draft, part, operation)
}
