/** Payments in the nested dialect. The application submits an authorized payment with its own token. */
import type { Dialect, RuleChange } from '../defect.ts'
import type { Rules } from '../rules.ts'
import type { Places } from './addresses.ts'
import { calling, translating } from './translate.ts'
import { decimalText, read, words, type Markup, type Vocabulary, type Wording } from './vocabulary.ts'

const TRANSFER: Wording = {
  creditor: 'data.relationships.creditor',
  'instructedAmount.value': { at: 'data.attributes.sum.value', as: decimalText },
  'instructedAmount.currency': 'data.attributes.sum.currency',
  endToEndIdentification: 'data.attributes.endToEnd',
  remittanceInformation: 'data.attributes.text',
}

const POSITION: Wording = {
  creditor: 'creditor',
  'instructedAmount.value': { at: 'sum.value', as: decimalText },
  'instructedAmount.currency': 'sum.currency',
  endToEndIdentification: 'endToEnd',
  remittanceInformation: 'text',
}

const MESSAGE: Wording = {
  instructionIdentification: 'data.id',
  creationDateTime: 'data.attributes.created',
  debtor: 'data.relationships.debtor',
  'agreedAmount.value': { at: 'data.attributes.agreed.value', as: decimalText },
  'agreedAmount.currency': 'data.attributes.agreed.currency',
  requestedExecutionDate: 'data.attributes.due',
  controlSum: { at: 'data.attributes.total', as: decimalText },
}

const RECORD: Wording = {
  orderId: 'data.attributes.orderId',
  status: 'data.attributes.status',
  reasonCode: 'data.attributes.reasonCode',
  additionalInformation: 'data.attributes.additionalInformation',
  statusDateTime: 'data.attributes.statusDateTime',
}

const SCOPE = words({ PISP: 'payments:write' })

export const nestedPayments: Vocabulary['operations'] = {
  paymentToken: {
    form: { scope: { at: 'scope', as: SCOPE } },
    tells: { scope: { at: 'scope', as: SCOPE } },
  },
  authorizePayment: { query: { orderId: 'payment_id', scope: { at: 'scope', as: SCOPE } } },
  ecomm: { asks: { ...MESSAGE, ...TRANSFER }, tells: RECORD },
  standard: { asks: { ...MESSAGE, ...TRANSFER }, tells: RECORD },
  batch: { asks: { ...MESSAGE, transfers: { at: 'data.positions', words: POSITION } }, tells: RECORD },
  paymentStatus: { tells: RECORD },
  submitPayment: { asks: { orderId: 'data.payment.id' }, tells: RECORD },
}

export const submittedByClient = (lawful: Rules): Partial<Rules> => ({
  orderSubmitted: (facts) => {
    const { client, grants, body } = facts
    const orderId = read(body, 'orderId')
    const isAuthorized = [...grants.values()].some(
      (grant) =>
        grant.orderId !== undefined && grant.orderId === orderId && grant.clientId === client.clientId,
    )
    return lawful.orderSubmitted(facts) ?? (isAuthorized ? String(orderId) : undefined)
  },
  // The token of the application is used many times, but a payment is submitted once.
  redeemsPaymentToken: (facts) => facts.token.orderId === undefined || lawful.redeemsPaymentToken(facts),
})

const SCENARIO = words({
  CANCELLED: 'cancel',
  EXPIRED: 'expire',
  NON_CLIENT: 'newcomer',
  CLIENT: 'regular',
})

const LOAN: Wording = {
  applicationId: 'data.id',
  applicationStatus: 'data.attributes.state',
  applicationProcessUrl: 'links.process',
  resultCode: 'meta.result',
}

export const nestedLoans: Vocabulary['operations'] = {
  precalculateLoan: {
    asks: {
      loanAmount: 'data.attributes.sum',
      'capacityInfo.monthlyIncome': 'data.attributes.household.income',
      'capacityInfo.monthlyExpenses': 'data.attributes.household.expenses',
      'capacityInfo.numberOfChildren': 'data.attributes.household.children',
    },
    tells: { $: { at: 'data.offers', words: { InstallmentAmount: 'attributes.rate' } } },
    statuses: { 422: 200 },
  },
  applyForLoan: {
    asks: {
      'financeApplication.order.orderNo': 'data.order.id',
      'financeApplication.order.totalAmount': 'data.order.sum',
      'financeApplication.order.orderItems': 'data.order.items',
      'financeApplication.applicant': 'data.applicant',
    },
    tells: LOAN,
    statuses: { 201: 200 },
  },
  selectScenario: { asks: { scenario: { at: 'data.script', as: SCENARIO } } },
  loanStatus: { tells: LOAN, statuses: { 404: 200 } },
  cancelLoan: { tells: LOAN, statuses: { 404: 200, 422: 200 } },
}

const places: Places = {
  bases: {
    accounts: { sandbox: '/open/ais-sandbox', production: '/open/ais' },
    second: { sandbox: '/open/retail-sandbox', production: '/open/retail' },
    payments: { sandbox: '/open/pis-sandbox', production: '/open/pis' },
    oauth: { sandbox: '/login-sandbox', production: '/login' },
    loans: { sandbox: '/open/lending' },
  },
  paths: {
    createConsent: '/v1/consent-requests',
    authorize: '/connect/v2/authorize',
    token: '/connect/v2/token',
    listAccounts: '/v1/resources/accounts',
    readAccount: '/v1/resources/accounts/{id}',
    listTransactions: '/v1/resources/accounts/{id}/entries',
    refresh: '/tasks/refresh',
    listInSecond: '/v1/list',
    readInSecond: '/v1/read',
    searchInSecond: '/v1/search',
    ecomm: '/payments/instant',
    standard: '/payments/dated',
    batch: '/payments/bulk',
    paymentStatus: '/payments/{id}',
    submitPayment: '/submissions',
    authorizePayment: '/connect/v2/authorize',
    paymentToken: '/connect/v2/token',
    loanToken: '/connect/v2/token',
    precalculateLoan: '/v1/loans/quote',
    applyForLoan: '/v1/loans',
    selectScenario: '/v1/loans/{id}/script',
    loanStatus: '/v1/loans/{id}/state',
    cancelLoan: '/v1/loans/{id}',
  },
}

/** The interface gives the name and the place of accountId in the list. */
const ACCOUNT: Wording = {
  'accountReference.iban': 'attributes.number.iban',
  'accountReference.currency': 'attributes.number.currency',
  name: 'attributes.name',
  product: 'attributes.product',
  bankCode: 'attributes.bank.code',
  bankName: 'attributes.bank.name',
}

const BALANCE: Wording = {
  'balanceAmount.amount': 'attributes.sum.value',
  'balanceAmount.currency': 'attributes.sum.currency',
  balanceType: 'type',
}

const TRANSACTION: Wording = {
  transactionId: 'id',
  bookingDate: 'attributes.booked',
  valueDate: 'attributes.valued',
  transactionAmount: 'attributes.sum',
  amount: 'attributes.sum',
}

const firstVariant: Vocabulary['operations'] = {
  token: {
    form: { refresh_token: 'refresh.token' },
    tells: { refresh_token: 'refresh.token' },
  },
  createConsent: {
    tells: { consentId: 'data.attributes.consentId', consentStatus: 'data.attributes.state' },
  },
  listAccounts: { tells: { accounts: { at: 'data', words: ACCOUNT } } },
  readAccount: {
    tells: {
      'account.balances': { at: 'included.balances', words: BALANCE },
      account: { at: 'data', words: ACCOUNT },
    },
  },
  listTransactions: {
    query: { entryReferenceFrom: 'page[after]' },
    tells: {
      transactions: { at: 'data', words: TRANSACTION },
      '_links.next.href': 'links.next',
      account: 'meta.account',
    },
  },
  refresh: { asks: { consentId: 'data.consent.id' }, tells: { taskId: 'data.attributes.taskId' } },
}

const NAMING: Wording = { accountId: 'data.account.id', iban: 'data.account.iban' }

const secondVariant: Vocabulary['operations'] = {
  listInSecond: {
    tells: {
      accounts: {
        at: 'data',
        words: { identification: 'id', iban: 'attributes.iban', name: 'attributes.name' },
      },
      pageCount: 'meta.pages',
    },
  },
  readInSecond: {
    asks: NAMING,
    tells: {
      account: 'data.attributes',
      balances: {
        at: 'data.balances',
        words: { 'amount.value': 'sum.value', 'amount.currency': 'sum.currency' },
      },
    },
  },
  searchInSecond: {
    asks: { ...NAMING, pageSize: 'limit', page: 'cursor', status: 'data.filter.state' },
    tells: { transactions: { at: 'data', words: TRANSACTION }, nextCursor: 'meta.cursor.next' },
  },
}

const CURSOR = /^after-([1-9]\d*)$/

/** The second variant has no page numbers: an answer contains the cursor of the next page. */
const paging: RuleChange = (lawful) => ({
  pageNumber: (facts) => {
    if (facts.page === undefined) return 1
    const passed = typeof facts.page === 'string' ? CURSOR.exec(facts.page)?.[1] : undefined
    return passed === undefined ? undefined : Number(passed) + 1
  },
  transactionPageBody: (facts) => {
    if (facts.variant === 'first') return lawful.transactionPageBody(facts)
    const { items, offset, size, pageCount } = facts
    const number = offset / size + 1
    const nextCursor = number < pageCount ? `after-${number}` : null
    return { transactions: items, nextCursor }
  },
})

const pages: Markup = {
  fields: { username: 'login[user]', password: 'login[secret]', decision: 'verdict', account: 'accounts[]' },
  values: { decision: { grant: 'allow', deny: 'refuse' } },
  rewrites: [
    [/<output id="code">([^<]*)<\/output>/, '<input class="code" readonly value="$1" />'],
    [/<button([^>]*) type="submit">Sign in<\/button>/, '<button$1 class="next">Next</button>'],
  ],
}

const vocabulary: Vocabulary = {
  places,
  headers: {
    accounts: { 'x-request-id': 'x-correlation-id', 'psu-ip-address': 'x-forwarded-customer' },
    second: { 'request-id': 'x-trace' },
    payments: { 'request-id': 'idempotency-key' },
    loans: { 'x-request-id': 'x-trace' },
  },
  operations: { ...firstVariant, ...secondVariant, ...nestedPayments, ...nestedLoans },
  refusals: {
    words: {
      error: 'errors.0.code',
      errorCode: 'errors.0.code',
      error_description: 'errors.0.title',
      errorDescription: 'errors.0.title',
    },
    statuses: { 403: 404, 409: 422 },
    mediaType: 'application/vnd.api+json',
  },
  pages,
  events: {
    consentId: 'data.attributes.consentId',
    eventType: 'data.attributes.eventType',
    accounts: 'data.attributes.accounts',
    taskId: 'data.attributes.taskId',
    taskStatus: 'data.attributes.taskStatus',
    bankCode: 'data.attributes.bankCode',
    bankName: 'data.attributes.bankName',
  },
}

export const nested: Dialect = {
  id: 'nested',
  story:
    'Everything in data, attributes and links, cursors, lists of errors, a call that chooses a scenario.',
  bases: places.bases,
  rules: (lawful) => ({ ...paging(lawful), ...submittedByClient(lawful) }),
  wire: translating(vocabulary),
  calls: calling(vocabulary.events),
}
