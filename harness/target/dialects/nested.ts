import type { ProfileInput } from '../../profile/schema.ts'
import { nestedPayments } from './nested-payments.ts'

/** What the owner of a bank that speaks the nested dialect would write into a profile. */

const loans: ProfileInput['loans'] = {
  basePath: '/open/lending',
  requestIdHeader: 'X-Trace',
  token: { path: '/connect/v2/token' },
  precalculation: {
    path: '/v1/loans/quote',
    body: { data: { attributes: { sum: '{amount}' } } },
    capacity: {
      data: {
        attributes: { household: { income: '{income}', expenses: '{expenses}', children: '{children}' } },
      },
    },
    positive: { kind: 'list', list: 'data.offers' },
    cause: {
      member: 'errors.0.code',
      tooLow: 'LOAN_AMNT_LOW',
      tooHigh: 'LOAN_AMNT_HIGH',
      insufficient: 'INSUFFICIENT_CAPACITY',
    },
  },
  submission: {
    path: '/v1/loans',
    body: { data: { order: { id: '{orderNo}', sum: '{amount}' }, applicant: { name: 'Anna Nováková' } } },
    id: 'data.id',
  },
  scenario: {
    kind: 'call',
    values: { cancelled: 'cancel', expired: 'expire', nonClient: 'newcomer', client: 'regular' },
    method: 'PUT',
    path: '/v1/loans/{application-id}/script',
    body: { data: { script: '{scenario}' } },
  },
  status: {
    path: '/v1/loans/{application-id}/state',
    status: 'data.attributes.state',
    code: 'meta.result',
  },
  cancellation: { path: '/v1/loans/{application-id}' },
  errorCode: 'errors.0.code',
}

const operations: ProfileInput['operations'] = {
  createConsent: { path: '/v1/consent-requests', requestIdHeader: 'X-Correlation-ID' },
  authorize: { path: '/connect/v2/authorize' },
  token: {
    path: '/connect/v2/token',
    refreshToken: 'refresh.token',
    refreshForm: { grant_type: 'refresh_token', 'refresh.token': '{refresh_token}' },
    errorCode: 'errors.0.code',
  },
  listAccounts: {
    path: '/v1/resources/accounts',
    requestIdHeader: 'X-Correlation-ID',
    accounts: 'data',
    iban: 'attributes.number.iban',
  },
  readAccount: {
    path: '/v1/resources/accounts/{account-id}',
    requestIdHeader: 'X-Correlation-ID',
    iban: 'data.attributes.number.iban',
    balances: 'included.balances',
    amount: 'attributes.sum.value',
  },
  listTransactions: {
    path: '/v1/resources/accounts/{account-id}/entries',
    requestIdHeader: 'X-Correlation-ID',
    transactions: 'data',
    id: 'id',
    paging: { kind: 'link', next: 'links.next' },
  },
  refresh: {
    path: '/tasks/refresh',
    requestIdHeader: 'X-Correlation-ID',
    headers: { 'X-Forwarded-Customer': '198.51.100.4' },
    body: { data: { consent: { id: '{consentId}' } } },
  },
}

const secondVariant: ProfileInput['secondVariant'] = {
  basePaths: { sandbox: '/open/retail-sandbox', production: '/open/retail' },
  requestIdHeader: 'X-Trace',
  listAccounts: { path: '/v1/list', accounts: 'data', id: 'id', iban: 'attributes.iban' },
  readAccount: {
    path: '/v1/read',
    picked: { data: { account: { id: '{accountId}' } } },
    typed: { data: { account: { iban: '{iban}' } } },
    iban: 'data.attributes.iban',
    balances: 'data.balances',
    amount: 'sum.value',
  },
  listTransactions: {
    path: '/v1/search',
    picked: { data: { account: { id: '{accountId}' } } },
    typed: { data: { account: { iban: '{iban}' } } },
    pageSize: 'limit',
    transactions: 'data',
    id: 'id',
    paging: { kind: 'cursor', next: 'meta.cursor.next', parameter: 'cursor' },
  },
}

export const nested: Partial<ProfileInput> = {
  basePaths: { sandbox: '/open/ais-sandbox', production: '/open/ais' },
  authorization: {
    kind: 'pages',
    pages: [
      {
        when: 'input[name="login[user]"]',
        fill: {
          'input[name="login[user]"]': '{username}',
          'input[name="login[secret]"]': '{password}',
        },
        press: 'button.next',
      },
      { when: 'button[name=verdict]', press: 'button[value=allow]', refuse: 'button[value=refuse]' },
      { when: 'form', press: 'button' },
    ],
    code: 'input.code',
  },
  operations,
  secondVariant,
  payments: nestedPayments,
  loans,
}
