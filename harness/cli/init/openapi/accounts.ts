import {
  find,
  formOf,
  jsonBodyOf,
  refusalsOf,
  setBases,
  setRequest,
  successOf,
  type Draft,
  type Found,
} from './draft.ts'
import { dotted, fieldsOf, isList, isScalar, isType, named, nameOf, within, type Field } from './fields.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

/** Drafts the account interface: consents, tokens, both account variants and refresh. */

const REFRESH_TOKEN = [/refresh.*token/i, /renew/i, /refresh/i]
const IBAN = [/^iban$/i, /iban/i, /account.?number/i]
const AMOUNT = /^(amount|value|sum|minor|cents?|total)$/i
const AMOUNTS = [/^amount$/i, AMOUNT, /amount|balance/i]
const ID = [/^transaction.?id$/i, /id$/i, /reference$/i, /^(key|no|number|mark)$/i]

const isAmount = (field: Field): boolean => isScalar(field) && isType(field, 'number', 'integer', 'string')

const keyOfToken = (draft: Draft, key: string, operation: DocumentedOperation): void => {
  const answer = named(fieldsOf(successOf(operation)), REFRESH_TOKEN)
  if (answer !== undefined) draft.set(`${key}.refreshToken`, dotted(answer.path))
  else
    draft.remark(
      `\`${key}.refreshToken\`: the token answer of the document has no refresh token; the default holds`,
    )
  const sent = named(fieldsOf(formOf(operation)), REFRESH_TOKEN)
  if (sent !== undefined)
    draft.set(`${key}.refreshForm`, { grant_type: 'refresh_token', [nameOf(sent)]: '{refresh_token}' })
  const refusals = refusalsOf(operation).flatMap((schema) => fieldsOf(schema))
  const code = named(refusals, [/^error$/i, /^error.?code$/i, /^code$/i])
  if (code !== undefined) draft.set(`${key}.errorCode`, dotted(code.path))
}

/** The first list whose items have such a field. */
const listWith = (fields: readonly Field[], has: (items: readonly Field[]) => boolean): Field | undefined =>
  fields.find((field) => isList(field) && !field.path.includes('*') && has(within(fields, field)))

const setList = (draft: Draft, key: string, operation: DocumentedOperation, id: RegExp): void => {
  const fields = fieldsOf(successOf(operation))
  const list = listWith(fields, (items) => items.some((item) => id.test(nameOf(item))))
  if (list === undefined)
    return draft.remark(`\`${key}.accounts\`: the document shows no list of accounts; the default holds`)
  draft.set(`${key}.accounts`, dotted(list.path))
  const iban = named(within(fields, list), IBAN)
  if (iban !== undefined) draft.set(`${key}.iban`, dotted(iban.path))
  else draft.remark(`\`${key}.iban\`: an account of the document's list has no IBAN; the default holds`)
}

/** Balances are a list, or an object that has each under a name of its own, or one alone. */
const setDetail = (draft: Draft, key: string, operation: DocumentedOperation): void => {
  const fields = fieldsOf(successOf(operation))
  const iban = named(fields, IBAN)
  if (iban !== undefined) draft.set(`${key}.iban`, dotted(iban.path))
  const list = listWith(fields, (items) => named(items, AMOUNTS, isAmount) !== undefined)
  if (list !== undefined) {
    draft.set(`${key}.balances`, dotted(list.path))
    const amount = named(within(fields, list), AMOUNTS, isAmount)
    if (amount !== undefined) draft.set(`${key}.amount`, dotted(amount.path))
    return
  }
  const amounts = fields.filter(
    (field) => isAmount(field) && AMOUNT.test(nameOf(field)) && field.path.length > 1,
  )
  const [first, second] = amounts
  if (first === undefined)
    return draft.remark(`\`${key}.balances\`: the document shows no amount in the detail; the default holds`)
  // Two amounts with one path behind different names are balances of different kinds.
  const shared = second?.path.findIndex((name, at) => name !== first.path[at]) ?? first.path.length - 2
  draft.set(`${key}.balances`, dotted(first.path.slice(0, Math.max(shared, 0))))
  draft.set(`${key}.amount`, dotted(first.path.slice(Math.max(shared, 0) + 1)))
}

const PAGE_PARAMETERS = {
  cursor: /cursor|after|continu|token|scroll/i,
  offset: /offset|^from$|skip|start/i,
  number: /^page(.?number|.?no|.?index)?$/i,
}

const setTransactions = (
  draft: Draft,
  key: string,
  operation: DocumentedOperation,
  parameters: readonly string[],
): void => {
  const fields = fieldsOf(successOf(operation))
  const list = listWith(fields, (items) => items.length > 0)
  if (list === undefined)
    return draft.remark(
      `\`${key}.transactions\`: the document shows no list of transactions; the default holds`,
    )
  draft.set(`${key}.transactions`, dotted(list.path))
  const id = named(within(fields, list), ID)
  if (id !== undefined) draft.set(`${key}.id`, dotted(id.path))
  const parameter = (kind: keyof typeof PAGE_PARAMETERS): string | undefined =>
    parameters.find((name) => PAGE_PARAMETERS[kind].test(name.split('.').at(-1) ?? ''))
  const outside = fields.filter((field) => !field.path.includes('*') && isScalar(field))
  const next =
    outside.find(
      ({ path, schema }) =>
        /next|more/i.test(path.join('.')) && schema.format !== undefined && /^uri/.test(schema.format),
    ) ??
    outside.find(({ path }) =>
      /next\.href$|next.?(page.?)?(link|url|uri)$|^(links\.)?next$/i.test(path.join('.')),
    )
  const [cursor, offset, number] = [parameter('cursor'), parameter('offset'), parameter('number')]
  const value = named(fields, [/next.*cursor/i, /cursor/i, /next/i, /continu|more/i])
  const total = named(fields, [/total.?(count|items|number)?$/i, /count$/i])
  const pages = named(fields, [/page.?count|total.?pages|^pages$/i])
  if (next !== undefined && (isAddress(next) || cursor === undefined))
    draft.set(`${key}.paging`, { kind: 'link', next: dotted(next.path) })
  else if (cursor !== undefined && value !== undefined)
    draft.set(`${key}.paging`, { kind: 'cursor', next: dotted(value.path), parameter: cursor })
  else if (number !== undefined && pages !== undefined) {
    draft.set(`${key}.paging`, { kind: 'number', parameter: number, count: dotted(pages.path) })
    draft.remark(`\`${key}.paging.first\`: 1 is assumed for the number of the first page`)
  } else if (offset !== undefined && total !== undefined)
    draft.set(`${key}.paging`, { kind: 'offset', parameter: offset, total: dotted(total.path) })
  else if (operation.answers.some(({ headers }) => headers.includes('link')))
    draft.set(`${key}.paging`, { kind: 'link-header' })
  else
    draft.remark(
      `\`${key}.paging\`: how a next page is asked for was not found in the document; the default holds`,
    )
}

/** Whether the document says that the text is an address. */
const isAddress = ({ schema }: Field): boolean =>
  /^uri/.test(schema.format ?? '') ||
  [schema.example, ...(schema.examples ?? [])].some(
    (one) => typeof one === 'string' && /^(https?:|\/|\?)/.test(one),
  )

const textOf = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise

const setRefresh = (draft: Draft, { parameters, ...operation }: DocumentedOperation): void => {
  const key = 'operations.refresh'
  const isConsent = (name: string): boolean => /consent/i.test(name)
  const headers = parameters.filter(
    ({ in: place, required, name }) => place === 'header' && required && !/request.?id/i.test(name),
  )
  const values = headers.map(
    ({ name, schema }) =>
      [
        name,
        isConsent(name) ? '{consentId}' : textOf(schema.example ?? schema.default, '127.0.0.1'),
      ] as const,
  )
  if (headers.length > 0) draft.set(`${key}.headers`, Object.fromEntries(values))
  const query = parameters.find(({ in: place, name }) => place === 'query' && isConsent(name))
  if (query !== undefined) draft.set(`${key}.query`, { [query.name]: '{consentId}' })
  const body = fieldsOf(jsonBodyOf({ parameters, ...operation })).find((field) => isConsent(nameOf(field)))
  if (body !== undefined) draft.set(`${key}.body`, { [nameOf(body)]: '{consentId}' })
}

const queryOf = ({ parameters }: DocumentedOperation): readonly string[] =>
  parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)

const membersOf = (operation: DocumentedOperation): readonly Field[] =>
  fieldsOf(jsonBodyOf(operation)).filter(isScalar)

const isFirst = ({ base }: Found): boolean => !/\/api$/i.test(base)

export const draftAccounts = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const [consents, lists] = [
    find(document, 'POST', '/v1/consents'),
    find(document, 'GET', '/v1/accounts', isFirst),
  ]
  const bases = new Set([...consents, ...lists].map(({ base }) => base))
  if (bases.size === 0) return draft.remark('the document has no POST …/v1/consents and no GET …/v1/accounts')
  setBases(draft, 'basePaths', [...consents, ...lists], environment)
  const isHere = ({ base }: Found): boolean => bases.has(base)
  const one = (method: string, path: string): DocumentedOperation | undefined =>
    find(document, method, path, isHere)[0]?.operation

  const [consent] = consents
  if (consent !== undefined) setRequest(draft, 'operations.createConsent', consent.operation)
  const token = one('POST', '/auth/oauth/v2/token')
  if (token !== undefined) keyOfToken(draft, 'operations.token', token)
  const [list] = lists
  if (list !== undefined) {
    setRequest(draft, 'operations.listAccounts', list.operation)
    setList(draft, 'operations.listAccounts', list.operation, /^accountId$/)
  }
  const detail = one('GET', '/v1/accounts/{}')
  if (detail !== undefined) {
    setRequest(draft, 'operations.readAccount', detail)
    setDetail(draft, 'operations.readAccount', detail)
  }
  const [page] = find(document, 'GET', '/v1/accounts/{}/transactions', isHere)
  if (page !== undefined) {
    setRequest(draft, 'operations.listTransactions', page.operation)
    setTransactions(draft, 'operations.listTransactions', page.operation, queryOf(page.operation))
  }
  const refresh = one('PUT', '/refresh')
  if (refresh !== undefined) {
    setRequest(draft, 'operations.refresh', refresh)
    setRefresh(draft, refresh)
  }
  draftSecondVariant(draft, document, environment)
}

const draftSecondVariant = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const key = 'secondVariant'
  const information = find(document, 'POST', '/api/v1/accounts/information')
  const pages = find(document, 'POST', '/api/v1/accounts/transactions')
  const lists = find(document, 'GET', '/api/v1/accounts')
  const [list, detail, page] = [lists[0], information[0], pages[0]]
  if (list === undefined && detail === undefined) return
  setBases(draft, `${key}.basePaths`, [...lists, ...information, ...pages], environment)
  if (list !== undefined) {
    setRequest(draft, key, list.operation, { statuses: false })
    setRequest(draft, `${key}.listAccounts`, list.operation, { header: false })
    setList(draft, `${key}.listAccounts`, list.operation, /id|iban/i)
    const fields = fieldsOf(successOf(list.operation))
    const found = listWith(fields, (items) => items.length > 0)
    const id = found && named(within(fields, found), [/account.?id/i, /identif/i, /id$/i])
    if (id !== undefined) draft.set(`${key}.listAccounts.id`, dotted(id.path))
  }
  if (detail !== undefined) {
    setRequest(draft, `${key}.readAccount`, detail.operation, { header: false })
    setDetail(draft, `${key}.readAccount`, detail.operation)
    setAccount(draft, `${key}.readAccount`, detail.operation)
  }
  if (page !== undefined) {
    setRequest(draft, `${key}.listTransactions`, page.operation, { header: false })
    setAccount(draft, `${key}.listTransactions`, page.operation)
    const members = membersOf(page.operation)
    const size = members.find((field) => /page.?size|size|limit/i.test(nameOf(field)))
    if (size !== undefined) draft.set(`${key}.listTransactions.pageSize`, dotted(size.path))
    setTransactions(
      draft,
      `${key}.listTransactions`,
      page.operation,
      members.map(({ path }) => dotted(path)),
    )
  }
}

/** How the body names an account: by what the list has, and by an IBAN. */
const setAccount = (draft: Draft, key: string, operation: DocumentedOperation): void => {
  const members = membersOf(operation)
  const typed = members.find((field) => /iban/i.test(nameOf(field)))
  const picked = members.find((field) => /account.?id|identif|^id$/i.test(nameOf(field))) ?? typed
  const body = (field: Field, value: string): unknown =>
    field.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  if (picked !== undefined) draft.set(`${key}.picked`, body(picked, '{accountId}'))
  if (typed !== undefined) draft.set(`${key}.typed`, body(typed, '{iban}'))
  if (picked === undefined && typed === undefined)
    draft.remark(
      `\`${key}.picked\` and \`${key}.typed\`: how a body names the account was not found in the document`,
    )
}
