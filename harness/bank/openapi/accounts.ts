/** Accounts, balances and transactions in both variants, and the refresh. */
import {
  inPath,
  inQuery,
  jsonAnswer,
  jsonBody,
  listOf,
  objectOf,
  schemaRef,
  TEXT,
  theWord,
  wordOf,
  type Answers,
  type Operation,
  type Schema,
  type Schemas,
  type Topic,
} from './parts.ts'
import { refused, tokenRefused } from './refusals.ts'

const ID = { type: 'string', format: 'uuid' } as const
const DAY = { type: 'string', format: 'date' } as const
const AMOUNT = { type: 'number', multipleOf: 0.01 } as const

/** Schemas of both variants. */
const sharedSchemas: Schemas = {
  Iban: { type: 'string', pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  CreditOrDebit: wordOf('CRDT', 'DBIT'),
  CounterpartyAccount: objectOf({ iban: schemaRef('Iban') }),
}

const IBAN = schemaRef('Iban')
const CURRENCY = schemaRef('Currency')

const COUNTERPARTY: Schemas = {
  creditorName: TEXT,
  creditorAccount: schemaRef('CounterpartyAccount'),
  debtorName: TEXT,
  debtorAccount: schemaRef('CounterpartyAccount'),
}

/** A debit has a creditor, a credit has a debtor. */
const withCounterparty = (members: Schemas): Schema => ({
  ...objectOf(members, COUNTERPARTY),
  oneOf: [{ required: ['creditorName', 'creditorAccount'] }, { required: ['debtorName', 'debtorAccount'] }],
})

const ACCOUNT: Schemas = {
  accountId: ID,
  accountReference: schemaRef('AccountReference'),
  name: TEXT,
  product: TEXT,
  cashAccountType: theWord('CACC'),
  usage: wordOf('PRIV', 'ORGA'),
  status: theWord('enabled'),
  bankCode: { type: 'string', pattern: '^[0-9]{4}$' },
  bankName: TEXT,
  bic: { type: 'string', pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$' },
}

const firstSchemas: Schemas = {
  ...sharedSchemas,
  AccountReference: objectOf({ iban: IBAN, currency: CURRENCY }),
  Account: objectOf(ACCOUNT),
  AccountList: objectOf({ accounts: listOf(schemaRef('Account')) }),
  SignedAmount: objectOf({ amount: AMOUNT, currency: CURRENCY }),
  Balance: objectOf({
    balanceAmount: schemaRef('SignedAmount'),
    balanceType: wordOf('interimBooked', 'interimAvailable'),
    referenceDate: DAY,
  }),
  AccountDetail: objectOf({
    account: objectOf({ ...ACCOUNT, balances: listOf(schemaRef('Balance')) }),
  }),
  Transaction: withCounterparty({
    transactionId: TEXT,
    transactionState: theWord('booked'),
    bookingDate: DAY,
    valueDate: DAY,
    transactionAmount: schemaRef('SignedAmount'),
    remittanceInformationUnstructured: TEXT,
  }),
  TransactionPage: objectOf({
    account: schemaRef('AccountReference'),
    transactions: listOf(schemaRef('Transaction'), { maxItems: 100 }),
    _links: objectOf({}, { next: objectOf({ href: { type: 'string', format: 'uri-reference' } }) }),
  }),
  RefreshRequest: objectOf({}, { consentId: TEXT }),
  RefreshTask: objectOf({ taskId: ID }),
}

const unknownAccount: Answers = {
  404: refused('The customer has granted no access to such an account.', 'NO_ACCOUNT'),
}

const ACCOUNT_ID = inPath('accountId', 'The accountId from the list of accounts.')

const firstOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/accounts',
    operationId: 'listAccounts',
    summary: 'List the accounts that the customer has granted',
    authorizedBy: ['accounts'],
    answers: { 200: jsonAnswer('The accounts.', schemaRef('AccountList')), ...tokenRefused },
  },
  {
    method: 'get',
    path: '/v1/accounts/{accountId}',
    operationId: 'readAccount',
    summary: 'Read the detail and the balances of an account',
    parameters: [ACCOUNT_ID],
    authorizedBy: ['accounts'],
    answers: {
      200: jsonAnswer('The account.', schemaRef('AccountDetail')),
      ...tokenRefused,
      ...unknownAccount,
    },
  },
  {
    method: 'get',
    path: '/v1/accounts/{accountId}/transactions',
    operationId: 'listTransactions',
    summary: 'Read a page of the transactions of an account, the newest first',
    parameters: [
      ACCOUNT_ID,
      inQuery({
        name: 'pageSize',
        description: 'The size of the page. A larger value than 100 means 100.',
        schema: { type: 'integer', minimum: 1, default: 50 },
      }),
      inQuery({
        name: 'entryReferenceFrom',
        description: 'The transactionId after which the page begins, as the link to the next page has it.',
      }),
    ],
    authorizedBy: ['accounts'],
    answers: {
      200: jsonAnswer('The page, with a link to the next one if there is one.', schemaRef('TransactionPage')),
      400: refused('A parameter is malformed, or there is no such page.', 'INVALID_REQUEST'),
      ...tokenRefused,
      ...unknownAccount,
    },
  },
  {
    method: 'put',
    path: '/refresh',
    operationId: 'refreshConsent',
    summary: 'Update the accounts at other banks under one consent',
    description: 'The webhook accountEvent reports each bank with the taskId.',
    requestBody: jsonBody(schemaRef('RefreshRequest'), false),
    authorizedBy: ['accounts'],
    answers: {
      202: jsonAnswer('The update has started.', schemaRef('RefreshTask')),
      400: refused('The body is malformed.', 'INVALID_REQUEST'),
      ...tokenRefused,
      403: refused('The access was granted without a consent.', 'NO_CONTRACT'),
      404: refused('The body names another consent than that of the access.', 'CONSENT_UNKNOWN'),
    },
  },
]

export const accountsTopic: Topic = {
  api: 'accounts',
  tag: 'Accounts, first variant',
  requestId: 'X-Request-ID',
  operations: firstOperations,
  schemas: firstSchemas,
}

/** An account is identified by its id or by its IBAN, and not by both. */
const selecting = (optional: Schemas = {}): Schema => ({
  ...objectOf({}, { accountId: TEXT, iban: TEXT, ...optional }),
  oneOf: [{ required: ['accountId'] }, { required: ['iban'] }],
})

/** The members of an account in the list and in the detail. */
const NAMED_ACCOUNT: Schemas = {
  iban: IBAN,
  name: TEXT,
  productName: TEXT,
  type: theWord('CACC'),
  baseCurrency: CURRENCY,
}

const secondSchemas: Schemas = {
  ListedAccount: objectOf({
    identification: ID,
    ...NAMED_ACCOUNT,
    consent: { type: 'boolean', const: true },
  }),
  ListedAccounts: objectOf({
    accounts: listOf(schemaRef('ListedAccount')),
    pageCount: { type: 'integer', const: 1 },
  }),
  UnsignedAmount: objectOf({ value: { ...AMOUNT, minimum: 0 }, currency: CURRENCY }),
  AccountSelection: selecting(),
  AccountInformation: objectOf({
    account: objectOf(NAMED_ACCOUNT),
    balances: listOf(
      objectOf({
        typeCodeOrProprietary: wordOf('ITBD', 'ITAV'),
        amount: schemaRef('UnsignedAmount'),
        creditDebitIndicator: schemaRef('CreditOrDebit'),
      }),
    ),
  }),
  TransactionSelection: selecting({
    page: { type: 'integer', minimum: 1, default: 1 },
    pageSize: { type: 'integer', minimum: 10, maximum: 100, default: 50 },
  }),
  FoundTransaction: withCounterparty({
    transactionId: TEXT,
    status: theWord('BOOK'),
    bookingDate: DAY,
    valueDate: DAY,
    amount: schemaRef('UnsignedAmount'),
    creditDebitIndicator: schemaRef('CreditOrDebit'),
    remittanceInformation: TEXT,
  }),
  FoundTransactions: objectOf({
    pageCount: { type: 'integer', minimum: 0 },
    transactions: listOf(schemaRef('FoundTransaction'), { maxItems: 100 }),
  }),
}

const secondRefusals: Answers = {
  400: refused('The body is malformed.', 'INVALID_REQUEST'),
  ...tokenRefused,
  ...unknownAccount,
}

const secondOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/accounts',
    operationId: 'listAccountsOfSecondVariant',
    summary: 'List the accounts that the customer has granted',
    authorizedBy: ['accounts'],
    answers: { 200: jsonAnswer('The accounts.', schemaRef('ListedAccounts')), ...tokenRefused },
  },
  {
    method: 'post',
    path: '/api/v1/accounts/information',
    operationId: 'readInformation',
    summary: 'Read the detail and the balances of an account',
    requestBody: jsonBody(schemaRef('AccountSelection')),
    authorizedBy: ['accounts'],
    answers: {
      200: jsonAnswer('The account.', schemaRef('AccountInformation')),
      ...secondRefusals,
    },
  },
  {
    method: 'post',
    path: '/api/v1/accounts/transactions',
    operationId: 'searchTransactions',
    summary: 'Read a page of the transactions of an account, the newest first',
    requestBody: jsonBody(schemaRef('TransactionSelection')),
    authorizedBy: ['accounts'],
    answers: {
      200: jsonAnswer('The page. One after the last is empty.', schemaRef('FoundTransactions')),
      ...secondRefusals,
    },
  },
]

export const secondAccountsTopic: Topic = {
  api: 'second',
  tag: 'Accounts, second variant',
  requestId: 'Request-ID',
  operations: secondOperations,
  schemas: secondSchemas,
}
