/** Drafts the account interface: consents, tokens, both account variants and refresh. */
import {
  defaultOf,
  find,
  formOf,
  jsonBodyOf,
  setBases,
  setRequestId,
  setSuccess,
  type Draft,
  type Found,
} from './draft.ts'
import { setBody } from './bodies.ts'
import { dotted, fieldsOf, isScalar, sampleOf } from './fields.ts'
import { setPaging, setPlaces } from './places.ts'
import type { Environment } from '../../../profile/environments.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

const namesIn = ({ parameters }: DocumentedOperation, place: string): readonly string[] =>
  parameters.filter((each) => each.in === place).map(({ name }) => name)

const setToken = (draft: Draft, operation: DocumentedOperation): void => {
  setPlaces(draft, 'operations.token', operation)
  const sent = fieldsOf(formOf(operation)).filter((field) => field.path.length > 0)
  // RFC 6749 §6.
  if (sent.length > 0 && !sent.some((field) => dotted(field) === 'refresh_token'))
    draft.ask(
      'operations.token.refreshForm',
      `which parameter carries the refresh token? The document has ${sent.map(dotted).join(', ')}`,
    )
}

/** The name of the interface for a consent, wherever the request has it. */
const CONSENT = 'consentId'

const setRefresh = (draft: Draft, operation: DocumentedOperation): void => {
  const key = 'operations.refresh'
  const requestId = String(defaultOf(`${key}.requestIdHeader`)).toLowerCase()
  const headers = operation.parameters.filter(
    ({ in: place, required, name, schema }) =>
      place === 'header' && required && name.toLowerCase() !== requestId && schema.format !== 'uuid',
  )
  const usual = defaultOf(`${key}.headers`) as Readonly<Record<string, string>>
  const values = headers.flatMap(({ name, schema }) => {
    const sample = sampleOf({ path: [], schema, isRequired: true }) ?? usual[name]
    if (typeof sample === 'string' || typeof sample === 'number') return [[name, String(sample)] as const]
    draft.ask(`${key}.headers`, `what is sent in the required header ${name}?`)
    return []
  })
  if (headers.length > 0) draft.set(`${key}.headers`, Object.fromEntries(values))
  if (namesIn(operation, 'query').includes(CONSENT)) draft.set(`${key}.query`, { [CONSENT]: '{consentId}' })
  if (jsonBodyOf(operation)?.properties?.[CONSENT] !== undefined)
    draft.set(`${key}.body`, { [CONSENT]: '{consentId}' })
}

/** The second variant has the paths of the first behind /api. */
const isFirst = ({ base }: Found): boolean => !/\/api$/i.test(base)

export const draftAccounts = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const consents = find(document, 'POST', '/v1/consents')
  const founds = [...consents, ...find(document, 'GET', '/v1/accounts', isFirst)]
  const bases = new Set(founds.map(({ base }) => base))
  if (bases.size === 0)
    return draft.ask(
      'basePaths',
      'where is the account interface? The document has no POST …/v1/consents and no GET …/v1/accounts',
    )
  setBases(draft, 'basePaths', founds, environment)
  const one = (method: string, path: string): DocumentedOperation | undefined =>
    find(document, method, path, ({ base }) => bases.has(base))[0]?.operation
  const token = one('POST', '/auth/oauth/v2/token')
  if (token !== undefined) setToken(draft, token)
  const operations = {
    createConsent: one('POST', '/v1/consents'),
    listAccounts: one('GET', '/v1/accounts'),
    readAccount: one('GET', '/v1/accounts/{}'),
    listTransactions: one('GET', '/v1/accounts/{}/transactions'),
    refresh: one('PUT', '/refresh'),
  }
  for (const [name, operation] of Object.entries(operations)) {
    if (operation === undefined) continue
    setRequestId(draft, `operations.${name}`, operation)
    setSuccess(draft, `operations.${name}`, operation)
    setPlaces(draft, `operations.${name}`, operation)
  }
  const { listTransactions, refresh } = operations
  if (listTransactions !== undefined)
    setPaging(draft, 'operations.listTransactions', listTransactions, namesIn(listTransactions, 'query'))
  if (refresh !== undefined) setRefresh(draft, refresh)
  draftSecondVariant(draft, document, environment)
}

const draftSecondVariant = (draft: Draft, document: OpenApiDocument, environment: Environment): void => {
  const founds = {
    listAccounts: find(document, 'GET', '/api/v1/accounts'),
    readAccount: find(document, 'POST', '/api/v1/accounts/information'),
    listTransactions: find(document, 'POST', '/api/v1/accounts/transactions'),
  }
  const all = Object.values(founds).flat()
  const [first] = all
  if (first === undefined) return
  setBases(draft, 'secondVariant.basePaths', all, environment)
  setRequestId(draft, 'secondVariant', first.operation)
  for (const [name, [found]] of Object.entries(founds)) {
    if (found === undefined) continue
    const part = `secondVariant.${name}`
    setSuccess(draft, part, found.operation)
    setPlaces(draft, part, found.operation)
    if (name === 'listAccounts') continue
    setAccount(draft, part, found.operation)
  }
  const page = founds.listTransactions[0]?.operation
  if (page === undefined) return
  const members = fieldsOf(jsonBodyOf(page)).filter(isScalar).map(dotted)
  setPaging(draft, 'secondVariant.listTransactions', page, members)
  const size = String(defaultOf('secondVariant.listTransactions.pageSize'))
  if (members.length > 0 && !members.includes(size))
    draft.ask(
      'secondVariant.listTransactions.pageSize',
      `which member is the page size? The document has ${members.join(', ')}`,
    )
}

/** How the body names an account: by what the list has, and by an IBAN. */
const setAccount = (draft: Draft, part: string, operation: DocumentedOperation): void => {
  for (const key of [`${part}.picked`, `${part}.typed`]) setBody(draft, key, jsonBodyOf(operation))
}
