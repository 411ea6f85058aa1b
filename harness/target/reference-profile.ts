import { isAtOwnBank, RESULT_SCREEN, residents } from '../bank/residents.ts'
import { loansOfReference } from './reference-loans.ts'
import { paymentsOfReference } from './reference-payments.ts'
import type { Account } from '../bank/world.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** The profile of the reference bank. It starts no bank: a run loads it long before. */

type AccountInput = NonNullable<NonNullable<ProfileInput['customers']>[number]['accounts']>[number]

type PagesInput = Extract<ProfileInput['authorization'], { kind: 'pages' }>

/** The bank's pages: login, decision, and whatever else may come before them. */
const PAGES: NonNullable<PagesInput['pages']> = [
  {
    when: 'input[name=username]',
    fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' },
    press: 'button[type=submit]',
  },
  { when: 'button[value=grant]', press: 'button[value=grant]', refuse: 'button[value=deny]' },
  { when: 'form', press: 'button[type=submit]' },
]

const knownAccount = (account: Account): AccountInput => ({
  iban: account.iban,
  bank: isAtOwnBank(account) ? 'own' : 'other',
  bankCode: account.bankCode,
  consented: account.isTicked,
  transactions: account.openingTransactions,
})

/** What the owner of the reference bank would write into a profile. */
export const referenceProfile = (environment: 'sandbox' | 'production' = 'sandbox'): ProfileInput => ({
  name: 'Reference bank',
  environment,
  environments: ['sandbox', 'production'],
  applications: residents.clients.map(({ name, kind, clientId, secret, redirectUris }) => ({
    name,
    kind,
    clientId,
    clientSecret: secret,
    redirectUris: redirectUris.map((uri) => ({
      uri,
      delivery: uri === RESULT_SCREEN ? ('result-screen' as const) : ('redirect' as const),
    })),
  })),
  customers: residents.customers.map(({ name, username, password, accounts }) => ({
    name,
    username,
    password,
    accounts: accounts.map(knownAccount),
  })),
  authorization: { kind: 'pages', pages: PAGES, code: '#code' },
  operations: { refresh: { body: { consentId: '{consentId}' } } },
  secondVariant: {},
  // It has made its calls before the lever answers.
  webhooks: { settleMs: 50 },
  payments: paymentsOfReference(),
  loans: loansOfReference(),
  levers: {
    readClock: { method: 'GET', url: '/_levers/clock', result: 'now' },
    advanceClock: { url: '/_levers/clock/advance', body: { milliseconds: '{milliseconds}' }, result: 'now' },
    revokeToken: { url: '/_levers/tokens/revoke', body: { token: '{token}' } },
    revokeConsent: { url: '/_levers/consents/revoke', body: { consentId: '{consentId}' } },
    bookTransaction: { url: '/_levers/bookings', body: { iban: '{iban}', amount: '{amount}' } },
    configureWebhook: {
      method: 'PUT',
      url: `/_levers/webhooks/{clientId}?environment=${environment}`,
      body: { enabled: '{enabled}', url: '{url}', securityHeader: '{securityHeader}' },
    },
  },
})
