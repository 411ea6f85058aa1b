/** Few and flat members in German, lists without an object around them, amounts in hundredths. */
import type { Dialect } from '../defect.ts'
import type { Rules } from '../rules.ts'
import type { Places } from './addresses.ts'
import { calling, translating } from './translate.ts'
import {
  fromZero,
  hundredths,
  words,
  type Markup,
  type Speech,
  type Vocabulary,
  type Wording,
} from './vocabulary.ts'

const PARTY: Wording = { iban: 'konto' }

const TRANSFER: Wording = {
  creditor: { at: 'empfaenger', words: PARTY },
  'instructedAmount.value': { at: 'betrag', as: hundredths },
  'instructedAmount.currency': 'waehrung',
  endToEndIdentification: 'referenz',
  remittanceInformation: 'zweck',
}

const MESSAGE: Wording = {
  instructionIdentification: 'nr',
  creationDateTime: 'erstellt',
  debtor: { at: 'auftraggeber', words: PARTY },
  'agreedAmount.value': { at: 'vereinbart', as: hundredths },
  'agreedAmount.currency': 'vereinbarteWaehrung',
  requestedExecutionDate: 'termin',
  controlSum: { at: 'summe', as: hundredths },
}

const SCOPE = words({ PISP: ['zahlungen', 'zahlung'] })

export const compactPayments: Vocabulary['operations'] = {
  paymentToken: {
    form: { scope: { at: 'scope', as: SCOPE } },
    tells: { scope: { at: 'scope', as: SCOPE } },
  },
  authorizePayment: { query: { orderId: 'auftrag', scope: { at: 'scope', as: SCOPE } } },
  ecomm: { asks: { ...MESSAGE, ...TRANSFER } },
  standard: { asks: { ...MESSAGE, ...TRANSFER } },
  batch: { asks: { ...MESSAGE, transfers: { at: 'posten', words: TRANSFER } } },
}

const SCENARIO = words({
  CANCELLED: 'storniert',
  EXPIRED: 'verfallen',
  NON_CLIENT: 'neukunde',
  CLIENT: 'kunde',
})

const CAUSE = words({
  LOAN_AMNT_LOW: 'ZU_WENIG',
  LOAN_AMNT_HIGH: 'ZU_VIEL',
  INSUFFICIENT_CAPACITY: 'NICHT_TRAGBAR',
})

export const compactLoans: Vocabulary['operations'] = {
  loanToken: { marks: { kanal: 'handel' } },
  precalculateLoan: {
    asks: {
      loanAmount: 'kreditbetrag',
      'capacityInfo.monthlyIncome': 'einkommen',
      'capacityInfo.monthlyExpenses': 'ausgaben',
      'capacityInfo.numberOfChildren': 'kinder',
    },
    tells: { $: { at: 'angebote', words: { InstallmentAmount: 'rate', LoanDuration: 'monate' } } },
    refuses: { errorCode: { at: 'grund', as: CAUSE }, errorDescription: 'detail' },
    adds: { granted: { ergebnis: 'ja' }, refused: { ergebnis: 'nein' } },
    statuses: { 422: 200 },
  },
  applyForLoan: {
    asks: {
      'financeApplication.order.orderNo': 'bestellung',
      'financeApplication.order.totalAmount': 'kreditbetrag',
      'financeApplication.order.orderItems': 'waren',
      'financeApplication.applicant': 'antragsteller',
      scenario: { at: 'verlauf', as: SCENARIO },
    },
    tells: { applicationId: 'nr', applicationStatus: 'stand', applicationProcessUrl: 'seite' },
  },
  loanStatus: { tells: { resultCode: 'meldung', applicationStatus: 'stand' } },
  cancelLoan: { tells: { resultCode: 'meldung', applicationStatus: 'stand' } },
}

const places: Places = {
  bases: {
    accounts: { sandbox: '/kontoinformation/test', production: '' },
    second: { sandbox: '/kunde/test', production: '/kunde' },
    payments: { sandbox: '/zahlungsverkehr/test', production: '/zahlungsverkehr' },
    oauth: { sandbox: '/freigabe/test', production: '/freigabe' },
    loans: { sandbox: '/ratenkredit/test' },
  },
  paths: {
    createConsent: '/v1/zustimmungen',
    authorize: '/oauth/v2/genehmigung',
    token: '/oauth/v2/schluessel',
    listAccounts: '/v1/konten',
    readAccount: '/v1/konten/{id}',
    listTransactions: '/v1/konten/{id}/umsaetze',
    refresh: '/aktualisierung',
    listInSecond: '/v1/konten',
    readInSecond: '/v1/auskunft',
    searchInSecond: '/v1/umsaetze',
    ecomm: '/auftraege/sofort',
    standard: '/auftraege/termin',
    batch: '/auftraege/sammler',
    paymentStatus: '/auftraege/{id}/stand',
    submitPayment: '/auftraege/ausfuehrung',
    authorizePayment: '/oauth/v2/genehmigung',
    paymentToken: '/oauth/v2/schluessel',
    loanToken: '/oauth/v2/schluessel',
    precalculateLoan: '/v1/antraege/rechner',
    applyForLoan: '/v1/antraege',
    loanStatus: '/v1/antraege/{id}/stand',
    cancelLoan: '/v1/antraege/{id}',
  },
}

/** The interface gives the name accountId of the list. */
const ACCOUNT: Wording = { accountReference: 'konto', name: 'bezeichnung', product: 'produkt', usage: 'art' }

const BALANCE: Wording = {
  'balanceAmount.amount': { at: 'betrag', as: hundredths },
  'balanceAmount.currency': 'waehrung',
  balanceType: 'art',
  referenceDate: 'stichtag',
}

const TRANSACTION: Wording = {
  transactionId: 'umsatz',
  bookingDate: 'gebucht',
  valueDate: 'wertstellung',
  'transactionAmount.amount': { at: 'betrag', as: hundredths },
  'transactionAmount.currency': 'waehrung',
  remittanceInformationUnstructured: 'zweck',
}

const firstVariant: Vocabulary['operations'] = {
  token: { form: { refresh_token: 'erneuerung' }, tells: { refresh_token: 'erneuerung' } },
  createConsent: { statuses: { 201: 200 } },
  listAccounts: { statuses: { 200: 203 }, tells: { accounts: { at: '$', words: ACCOUNT } } },
  readAccount: {
    statuses: { 200: 203, 404: 403 },
    tells: {
      'account.balances': { at: 'salden', words: BALANCE },
      'account.accountReference.iban': 'iban',
      account: { at: 'konto', words: ACCOUNT },
    },
  },
  listTransactions: {
    statuses: { 200: 206, 404: 403 },
    query: { entryReferenceFrom: 'ab' },
    marks: { ansicht: 'voll' },
    tells: { transactions: { at: '$', words: TRANSACTION } },
    linksInHeader: '_links.next.href',
  },
  refresh: { statuses: { 202: 200 }, asks: { consentId: 'zustimmung' } },
}

const NAMING: Wording = { accountId: 'konto', iban: 'kontonummer' }

const secondVariant: Vocabulary['operations'] = {
  listInSecond: {
    tells: {
      accounts: { at: '$', words: { identification: 'nr', iban: 'kontonummer', name: 'bezeichnung' } },
    },
  },
  readInSecond: {
    asks: NAMING,
    tells: {
      'account.iban': 'kontonummer',
      account: 'konto',
      balances: {
        at: 'salden',
        words: { 'amount.value': { at: 'betrag', as: hundredths }, 'amount.currency': 'waehrung' },
      },
    },
  },
  searchInSecond: {
    asks: { ...NAMING, pageSize: 'anzahl', page: { at: 'seite', as: fromZero }, status: 'stand' },
    tells: {
      pageCount: 'seiten',
      transactions: { at: 'umsaetze', words: { transactionId: 'umsatz', 'amount.value': 'betrag' } },
    },
  } satisfies Speech,
}

const pages: Markup = {
  fields: {
    username: 'kennung',
    password: 'geheimzahl',
    decision: 'antwort',
    account: 'konto',
    csrf: 'merkmal',
  },
  values: { decision: { grant: 'ja', deny: 'nein' } },
  rewrites: [
    [/<output id="code">([^<]*)<\/output>/, '<strong data-genehmigung="code">Ihr Code: $1</strong>'],
    [/<button([^>]*)>Sign in<\/button>/, '<input$1 value="Anmelden" />'],
  ],
}

const vocabulary: Vocabulary = {
  places,
  headers: {
    accounts: { 'x-request-id': 'x-vorgang', 'psu-ip-address': 'x-kundenadresse' },
    second: { 'request-id': 'vorgang' },
    payments: { 'request-id': 'vorgang' },
    loans: { 'x-request-id': 'vorgangsnummer' },
  },
  operations: { ...firstVariant, ...secondVariant, ...compactPayments, ...compactLoans },
  refusals: {
    words: {
      error: 'code',
      errorCode: 'code',
      error_description: 'detail',
      errorDescription: 'detail',
    },
    statuses: { 400: 422, 409: 400 },
    mediaType: 'application/problem+json',
  },
  pages,
  events: {
    consentId: 'ereignis.consentId',
    eventType: 'ereignis.eventType',
    accounts: 'ereignis.accounts',
    taskId: 'ereignis.taskId',
    taskStatus: 'ereignis.taskStatus',
    bankCode: 'ereignis.bankCode',
    bankName: 'ereignis.bankName',
  },
}

export const compact: Dialect = {
  id: 'compact',
  story:
    'Flat members in German, bare lists, amounts in hundredths, links in a header, problems as refusals.',
  bases: places.bases,
  rules: {
    customerAddressIsAccepted: ({ address }) => address !== undefined,
    clientWithoutBasic: ({ form, clients, endpoint }) =>
      clients.find(
        ({ clientId, secret }) =>
          endpoint === 'token' && form.get('client_id') === clientId && form.get('client_secret') === secret,
      ),
  } satisfies Partial<Rules>,
  wire: translating(vocabulary),
  calls: calling(vocabulary.events),
}
