/** Where an answer has what the suite reads from it: at the place of the default, by the words that it can have, or a question. */
import { defaultOf, successOf, type Draft } from './draft.ts'
import { dotted, fieldsOf, isList, isScalar, valuesOf, within, type Field } from './fields.ts'
import type { DocumentedOperation } from './document.ts'

/** A key of the profile that says where an answer has something. */
interface Place {
  /** Within the part of the profile that is about the operation. */
  readonly key: string
  readonly kind: 'list' | 'scalar' | 'any'
  /** The key of the list in whose items it is. */
  readonly within?: string
  /** In the answers to refused requests. */
  readonly isRefusal?: true
  /** Words that a standard or the interface gives it: a field whose values are enumerated, these among them, is the one. */
  readonly words?: readonly string[]
}

const BALANCES: readonly Place[] = [
  { key: 'iban', kind: 'scalar' },
  { key: 'balances', kind: 'any' },
  { key: 'amount', kind: 'scalar', within: 'balances' },
]

const TRANSACTIONS: readonly Place[] = [
  { key: 'transactions', kind: 'list' },
  { key: 'id', kind: 'scalar', within: 'transactions' },
]

const ACCOUNTS: readonly Place[] = [
  { key: 'accounts', kind: 'list' },
  { key: 'iban', kind: 'scalar', within: 'accounts' },
]

/** By the part of the profile that is about an operation. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'operations.token': [
    { key: 'refreshToken', kind: 'scalar' },
    // RFC 6749 §5.2.
    { key: 'errorCode', kind: 'scalar', isRefusal: true, words: ['invalid_grant', 'invalid_request'] },
  ],
  'operations.listAccounts': ACCOUNTS,
  'operations.readAccount': BALANCES,
  'operations.listTransactions': TRANSACTIONS,
  'secondVariant.listAccounts': [...ACCOUNTS, { key: 'id', kind: 'scalar', within: 'accounts' }],
  'secondVariant.readAccount': BALANCES,
  'secondVariant.listTransactions': TRANSACTIONS,
  'loans.submission': [{ key: 'id', kind: 'scalar' }],
  'loans.status': [
    { key: 'status', kind: 'scalar', words: ['NEW', 'CANCELED', 'LOAN_DISBURSED'] },
    { key: 'code', kind: 'scalar', words: ['OK'] },
  ],
  loans: [
    { key: 'errorCode', kind: 'scalar', isRefusal: true, words: ['APP_NOT_FOUND', 'NOT_ALLOWED_OPER'] },
  ],
}

const MOST_SHOWN = 12

/** The paths of fields, as a question lists them. */
export const listed = (fields: readonly Pick<Field, 'path'>[]): string => {
  const paths = [...new Set(fields.map(dotted))]
  const rest = paths.length - MOST_SHOWN
  return `${paths.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const fits = (field: Field, kind: Place['kind']): boolean =>
  kind === 'list'
    ? isList(field)
    : kind === 'any'
      ? field.path.length > 0 && !isScalar(field)
      : isScalar(field)

/** Sets the places of an operation that are not those of the default. @param part such as `operations.listAccounts`. */
export const setPlaces = (draft: Draft, part: string, operation: DocumentedOperation): void => {
  const found = new Map<string, string>()
  const refusals = operation.answers.filter(({ status }) => status >= 400)
  const ofAnswer = fieldsOf(successOf(operation))
  for (const place of PLACES[part] ?? []) {
    const key = `${part}.${place.key}`
    const value = defaultOf(key)
    const usual = typeof value === 'string' ? value : undefined
    const all = place.isRefusal === true ? refusals.flatMap(({ schema }) => fieldsOf(schema)) : ofAnswer
    const inner = place.within === undefined ? all : within(all, found.get(place.within) ?? '')
    const fields = inner.filter((field) => fits(field, place.kind) && !field.path.includes('*'))
    const taken = fieldFor(fields, place, usual)
    if (taken !== undefined) found.set(place.key, taken)
    if (place.within !== undefined && !found.has(place.within)) continue
    if (taken !== undefined && taken !== usual) draft.set(key, taken)
    else if (taken === undefined && usual !== undefined && fields.length > 0)
      draft.ask(key, `which field is it? The document has no ${usual}, but ${listed(fields)}`)
    else if (taken === undefined && usual !== undefined && place.isRefusal !== true)
      draft.ask(
        key,
        `where is it? The document does not describe such an answer, and the default is ${usual}`,
      )
  }
}

const fieldFor = (
  fields: readonly Field[],
  { kind, words = [] }: Place,
  usual: string | undefined,
): string | undefined => {
  const paths = fields.map(dotted)
  const byWords = fields.find((field) => words.some((word) => valuesOf(field).includes(word)))
  if (byWords !== undefined) return dotted(byWords)
  if (usual !== undefined && paths.includes(usual)) return usual
  const [only, ...more] = kind === 'scalar' ? [] : fields.filter(isList)
  return only === undefined || more.length > 0 ? undefined : dotted(only)
}

/** How the next page is asked for. @param parameters of the query, or members of the body. */
export const setPaging = (
  draft: Draft,
  part: string,
  operation: DocumentedOperation,
  parameters: readonly string[],
): void => {
  const key = `${part}.paging`
  const fields = fieldsOf(successOf(operation)).filter(
    (field) => isScalar(field) && !field.path.includes('*'),
  )
  const has = (path: string): boolean => fields.some((field) => dotted(field) === path)
  const usual = (defaultOf(key) as { readonly kind: string }).kind
  const kind = has('_links.next.href')
    ? 'link'
    : has('pageCount') && parameters.includes('page')
      ? 'number'
      : has('total') && parameters.includes('offset')
        ? 'offset'
        : operation.answers.some(({ headers }) => headers.includes('link'))
          ? 'link-header'
          : undefined
  if (kind !== undefined && kind !== usual) draft.set(key, { kind })
  if (kind === undefined)
    draft.ask(
      key,
      `how is the next page asked for? The request has ${parameters.join(', ') || 'no parameter'}, and the answer ${listed(fields) || 'no field'}`,
    )
}
