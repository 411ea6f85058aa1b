import type { ProfileInput } from '../../profile/schema.ts'
import { compactPayments } from './compact-payments.ts'

/** What the owner of a bank that speaks the compact dialect would write into a profile. */

const loans: ProfileInput['loans'] = {
  application: 'Pocketwise',
  basePath: '/ratenkredit/test',
  requestIdHeader: 'Vorgangsnummer',
  token: {
    path: '/oauth/v2/schluessel',
    form: { grant_type: 'client_credentials', scope: 'PAY_LATER', kanal: 'handel' },
    credentials: 'basic',
  },
  precalculation: {
    path: '/v1/antraege/rechner',
    body: { kreditbetrag: '{amount}' },
    capacity: { einkommen: '{income}', ausgaben: '{expenses}', kinder: '{children}' },
    positive: { kind: 'member', member: 'ergebnis', values: ['ja'] },
    cause: {
      member: 'grund',
      tooLow: 'ZU_WENIG',
      tooHigh: 'ZU_VIEL',
      insufficient: 'NICHT_TRAGBAR',
    },
  },
  submission: {
    path: '/v1/antraege',
    body: {
      bestellung: '{orderNo}',
      kreditbetrag: '{amount}',
      waren: [{ name: 'Fahrrad', preis: '{amount}' }],
      antragsteller: { vorname: 'Anna', nachname: 'Nováková' },
    },
    id: 'nr',
  },
  scenario: {
    kind: 'parameter',
    values: { cancelled: 'storniert', expired: 'verfallen', nonClient: 'neukunde', client: 'kunde' },
    patch: { verlauf: '{scenario}' },
  },
  status: { path: '/v1/antraege/{application-id}/stand', status: 'stand', code: 'meldung' },
  cancellation: { path: '/v1/antraege/{application-id}' },
  errorCode: 'code',
}

const operations: ProfileInput['operations'] = {
  createConsent: { path: '/v1/zustimmungen', requestIdHeader: 'X-Vorgang', success: [200] },
  authorize: { path: '/oauth/v2/genehmigung' },
  token: {
    path: '/oauth/v2/schluessel',
    refreshToken: 'erneuerung',
    refreshForm: { grant_type: 'refresh_token', erneuerung: '{refresh_token}' },
    errorCode: 'code',
  },
  listAccounts: {
    path: '/v1/konten',
    requestIdHeader: 'X-Vorgang',
    success: [203],
    accounts: '$',
    iban: 'konto.iban',
  },
  readAccount: {
    path: '/v1/konten/{account-id}',
    requestIdHeader: 'X-Vorgang',
    success: [203],
    iban: 'iban',
    balances: 'salden',
    amount: 'betrag',
  },
  listTransactions: {
    path: '/v1/konten/{account-id}/umsaetze',
    requestIdHeader: 'X-Vorgang',
    success: [206],
    query: { ansicht: 'voll' },
    transactions: '$',
    id: 'umsatz',
    paging: { kind: 'link-header' },
  },
  refresh: {
    path: '/aktualisierung',
    requestIdHeader: 'X-Vorgang',
    success: [200],
    headers: { 'X-Kundenadresse': '192.0.2.7' },
    body: { zustimmung: '{consentId}' },
  },
}

const secondVariant: ProfileInput['secondVariant'] = {
  basePaths: { sandbox: '/kunde/test', production: '/kunde' },
  requestIdHeader: 'Vorgang',
  listAccounts: { path: '/v1/konten', accounts: '$', id: 'nr', iban: 'kontonummer' },
  readAccount: {
    path: '/v1/auskunft',
    picked: { konto: '{accountId}' },
    typed: { kontonummer: '{iban}' },
    iban: 'kontonummer',
    balances: 'salden',
    amount: 'betrag',
  },
  listTransactions: {
    path: '/v1/umsaetze',
    picked: { konto: '{accountId}' },
    typed: { kontonummer: '{iban}' },
    pageSize: 'anzahl',
    body: { stand: 'alle' },
    transactions: 'umsaetze',
    id: 'umsatz',
    paging: { kind: 'number', parameter: 'seite', first: 0, count: 'seiten' },
  },
}

export const compact: Partial<ProfileInput> = {
  basePaths: { sandbox: '/kontoinformation/test', production: '/' },
  authorization: {
    kind: 'pages',
    pages: [
      {
        when: 'input[name=kennung]',
        fill: { 'input[name=kennung]': '{username}', 'input[name=geheimzahl]': '{password}' },
        press: 'input[type=submit]',
      },
      { when: 'button[name=antwort]', press: 'button[value=ja]', refuse: 'button[value=nein]' },
      { when: 'form', press: '[type=submit]' },
    ],
    code: '[data-genehmigung=code]',
  },
  operations,
  secondVariant,
  payments: compactPayments,
  loans,
}
