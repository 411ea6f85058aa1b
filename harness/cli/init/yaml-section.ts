import { Document, isMap, isScalar, isSeq, visit } from 'yaml'
import type { Pair } from 'yaml'

type Values = Readonly<Record<string, unknown>>

/** One part of a written profile. */
export interface Section {
  /** Sentences above it. */
  readonly prose: readonly string[]
  readonly values?: Values
  /** Left at their defaults, and shown for whoever has to change them. Below a key of `values`, it stands there too. */
  readonly defaults?: Values
}

/** A sentence has a blank behind its `#`, a default has none: without its `#` it is YAML, and changes nothing. */
export const renderSection = ({ prose, values = {}, defaults = {} }: Section): string => {
  const said = Object.keys(values)
  const left = Object.entries(defaults).flatMap(([key, value]) =>
    // The key itself stands above already.
    linesOf({ [key]: value }).slice(said.includes(key) ? 1 : 0),
  )
  const lines = [
    ...prose.map((sentence) => `# ${sentence}`),
    ...(said.length === 0 ? [] : linesOf(values)),
    ...left.map((line) => `#${line}`),
  ]
  return `${lines.join('\n')}\n`
}

const linesOf = (values: Values): readonly string[] => {
  const document = new Document(values, { aliasDuplicateObjects: false })
  visit(document, {
    Pair: (_, pair, ancestors) => {
      if (isSeq(pair.value) && pair.value.items.every(isScalar)) pair.value.flow = true
      const remark = remarkAt([...keysOf(ancestors), keyOf(pair)])
      if (remark !== undefined && isSingle(pair.value)) pair.value.comment = ` ${remark}`
    },
  })
  return document
    .toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false })
    .trimEnd()
    .split('\n')
}

const isSingle = (value: unknown): value is { comment?: string | null } =>
  isScalar(value) || (isSeq(value) && value.flow === true) || (isMap(value) && value.items.length === 0)

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

/** An item of a list stands below no key of its own. */
const keysOf = (ancestors: readonly unknown[]): readonly string[] =>
  ancestors.flatMap((node) => {
    if (isSeq(node)) return ['*']
    return isPairOf(node) ? [keyOf(node)] : []
  })

const isPairOf = (node: unknown): node is Pair =>
  typeof node === 'object' && node !== null && 'key' in node && 'value' in node

const remarkAt = (path: readonly string[]): string | undefined => REMARKS[path.join('.')]

/** What stands beside the keys of a written profile: the place of the key → a remark. `*` is any key or index. */
export const REMARKS: Readonly<Record<string, string>> = {
  name: 'as reports show it',
  baseUrl: 'the base paths below are put behind it',
  environment: 'sandbox or production',
  'applications.*.name': 'your own label; reports use it',
  'applications.*.kind': 'TPP acts for its customers, FAC uses its own data',
  'applications.*.redirectUris.*.uri': 'as it is registered, to the letter',
  'applications.*.redirectUris.*.delivery': 'redirect or result-screen (the bank shows the code on a page)',
  'customers.*.name': 'your own label; reports use it',
  'authorization.pages.*.when': 'the page is recognised by this element',
  'authorization.pages.*.press': 'the button that agrees',
  'authorization.pages.*.refuse': 'the button that refuses',
  'authorization.code': 'where the result screen shows the code',
  'authorization.limit': 'pages and redirects that one authorization may take',
  'authorization.listen.port': 'that of the registered redirect URI on this machine',
  'scopes.accounts': "a TPP's has a colon and the consent id behind it",
  'operations.createConsent.requestIdHeader': 'carries a new id with each request',
  'operations.createConsent.success': 'status codes of success, here and below',
  'operations.token.refreshToken': 'the field with the refresh token',
  'operations.token.errorCode': 'where a refusal has its code',
  'operations.listAccounts.accounts': 'the field with the list',
  'operations.listAccounts.iban': 'within one account of the list',
  'operations.readAccount.iban': 'the IBAN of the account asked for',
  'operations.readAccount.balances': 'the list of balances',
  'operations.readAccount.amount': 'within one balance',
  'operations.listTransactions.query': 'further parameters, sent with every request',
  'operations.listTransactions.transactions': 'the list of transactions',
  'operations.listTransactions.id': 'within one transaction',
  'operations.listTransactions.paging.kind': 'link, cursor, number or offset: how the next page is asked for',
  'operations.listTransactions.paging.next': 'the link to the next page; the last page has none',
  'secondVariant.listAccounts.id': 'what picks an account in the other operations',
  'secondVariant.listTransactions.pageSize': 'the member of the body with the page size',
  'payments.requestIdHeader': 'carries a new id with each request',
  'payments.token.credentials': 'basic or form (client id and secret in the body)',
  'payments.authorize.parameter': 'of the query; carries the orderId',
  'payments.submission.token': 'granted or client (the token of the initiation)',
  'payments.debtor.iban': "one of the customer's accounts",
  'payments.amount': 'the smallest amount that the bank takes',
  'loans.token.credentials': 'form or basic (in the Authorization header)',
  'loans.precalculation.positive.kind': 'status, member or list: how a positive result is told',
  'loans.submission.id': 'where the answer has the application-id',
  'loans.scenario.kind': 'page, call or parameter: how a scenario is selected',
  'loans.scenario.link': 'where the answer has the address of the page',
  'loans.status.status': 'where the answer has the status',
  'loans.errorCode': 'where a refusal has its result code',
  'webhooks.listen.port': 'on this machine, behind --webhook-url',
  'webhooks.configured.*.application': 'its settings at the bank name the --webhook-url',
  'webhooks.configured.*.securityHeader': 'as it is set there; empty for none',
  'webhooks.deliveryMs': 'how long a delivery may take',
  'webhooks.refreshMs': 'how long a refresh may take until it is FINISHED',
  'connection.verify': 'false accepts any certificate; the report says so',
  'deadlines.requestMs': 'one request',
  'deadlines.runMs': 'the whole run',
  'clock.speed': "how many times as fast as here the bank's time runs",
}
