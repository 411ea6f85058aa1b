import { stringify } from 'yaml'
import { REJECTIONS } from '../profile/schema/payments.ts'
import type { Need } from '../session/scenario.ts'

/** For each need of scenarios, what meets it in a profile, as YAML on one line. */

const application = (kind: 'FAC' | 'TPP'): string =>
  `applications: [{ name: second, kind: ${kind}, clientId: env:SECOND_CLIENT_ID, clientSecret: env:SECOND_CLIENT_SECRET, redirectUris: [{ uri: https://second.example/callback, delivery: redirect }] }]`

const redirectUri = (uri: string, delivery: 'redirect' | 'result-screen'): string =>
  `applications: [{ redirectUris: [{ uri: ${uri}, delivery: ${delivery} }] }]`

const account = (more: string): string =>
  `customers: [{ accounts: [{ iban: SK2998010000002600001129${more} }] }]`

const page = (keys: string): string => `authorization: { kind: pages, pages: [{ ${keys} }] }`

const testHook = (name: string, request: string): string => `testHooks: { ${name}: { ${request} } }`

const WEBHOOK = testHook(
  'configureWebhook',
  "method: PUT, url: '/test/webhooks/{clientId}', body: { enabled: '{enabled}', url: '{url}', securityHeader: '{securityHeader}' }",
)

const PAYMENTS =
  'payments: { debtor: { name: Anna, iban: SK2998010000002600001129 }, creditor: { name: Jan, iban: SK1198010000004000007788 } }'

const initiation = (more: string): string =>
  `payments: { initiations: [{ name: ecomm, path: /payments/ecomm/sba }, { name: dated, path: /payments/dated/sba${more} }] }`

const LOANS = 'loans: { basePath: /paylater/sandbox }'

const HELD = 'environments: [sandbox, production]'

const LOGIN = page(
  "when: 'input[name=password]', fill: { 'input[name=username]': '{username}', 'input[name=password]': '{password}' }, press: 'button[type=submit]'",
)

/** Orders that show their fault; what the bank rejects for another reason is in its documentation. */
export const ORDERS = {
  AC01: { change: { creditor: { iban: 'SK9911000000002600106887' } } },
  AM04: { change: { instructedAmount: { value: 900_000_000 } } },
  AM05: { twice: true },
  DT01: { method: 'standard', change: { requestedExecutionDate: '{yesterday}' } },
  RC01: { change: { creditor: { bic: 'ABCDEFGH1' } } },
  RR03: { change: { creditor: { name: ' ' } } },
  TM01: { at: '23:30' },
} as const
const OTHER_ORDER = { change: { remittanceInformation: 'as the bank documents it' } }

const PROVOCATIONS = Object.fromEntries(
  REJECTIONS.map((rejection) => {
    const code = rejection === 'any' ? 'AC01' : rejection
    const order = Object.entries(ORDERS).find(([known]) => known === code)?.[1] ?? OTHER_ORDER
    const text = stringify({ provocations: { [code]: [order] } }, { collectionStyle: 'flow', lineWidth: 0 })
    return [`provoke-${rejection}`, `payments: ${text.trimEnd()}`]
  }),
) as Readonly<Record<Extract<Need, `provoke-${string}`>, string>>

/** A key of CREDENTIALS, and of an application of one kind, is an example too. */
export const EXAMPLES: Readonly<Record<Need | 'sandbox' | 'production' | 'FAC' | 'TPP', string>> = {
  FAC: application('FAC'),
  TPP: application('TPP'),
  sandbox: HELD,
  production: HELD,
  clock: testHook('advanceClock', "url: '/test/clock?by={duration}'"),
  revocation: testHook('revokeToken', "url: /test/revoke, body: { token: '{token}' }"),
  customer: LOGIN,
  login: LOGIN,
  access: LOGIN,
  'seen-pages': LOGIN,
  refusal: page("when: 'button[value=grant]', press: 'button[value=grant]', refuse: 'button[value=deny]'"),
  'second-application': application('TPP'),
  'both-kinds': application('FAC'),
  'second-customer':
    'customers: [{ name: first customer }, { name: second customer, username: env:SECOND_USERNAME, password: env:SECOND_PASSWORD }]',
  'second-variant': 'secondVariant: { basePaths: { sandbox: /sandbox } }',
  'second-variant-consent': 'secondVariant: { oauth: { consent: true } }',
  'known-accounts': account(''),
  'own-account': account(', bank: own'),
  'other-bank-account': account(', bank: other'),
  'account-choice': page(
    `when: 'button[value=grant]', tickAccounts: 'input[value="{iban}"]', press: 'button[value=grant]'`,
  ),
  'unconsented-account': account(', consented: false'),
  'empty-account': account(', transactions: 0'),
  'long-account': account(', transactions: 230'),
  'counted-account': account(', transactions: 12'),
  'very-long-account': account(', transactions: 1200'),
  'second-customer-account':
    'customers: [{ name: first customer }, { name: second customer, accounts: [{ iban: SK9098010000002900004444 }] }]',
  booking: testHook('bookTransaction', "url: /test/bookings, body: { iban: '{iban}', amount: '{amount}' }"),
  'consent-revocation': testHook(
    'revokeConsent',
    "url: /test/consents/revoke, body: { consentId: '{consentId}' }",
  ),
  'named-consent': "operations: { refresh: { headers: { Consent-ID: '{consentId}' } } }",
  webhook: `${WEBHOOK.slice(0, -1)}, advanceClock: { url: '/test/clock?by={duration}' } }`,
  'webhook-settings': WEBHOOK,
  payments: PAYMENTS,
  'further-initiation': initiation(''),
  'further-initiation-at-once': initiation(''),
  'future-initiation': initiation(', future: true'),
  'other-payment-application': application('TPP'),
  'other-loan-application': 'applications: [{ name: second, environments: { loans: {} } }]',
  'any-rejection': "payments: { facts: { cutOff: '20:00', currencies: [EUR] } }",
  'payment-bearer': 'payments: { authentication: bearer }',
  'payment-authorization': 'payments: { authentication: basic }',
  'payment-token': 'payments: { submission: { token: granted } }',
  'submission-rejection': "payments: { rejectedAtSubmission: { TM01: { at: '23:30' } } }",
  'submission-rejection-AM04':
    'payments: { rejectedAtSubmission: { AM04: { change: { instructedAmount: { value: 451 } } } } }',
  'any-amount': 'environment: sandbox',
  ...PROVOCATIONS,
  loans: LOANS,
  'loan-api': LOANS,
  'loan-selection-after-submission':
    "loans: { scenario: { kind: call, method: POST, path: '/v1/applications/{application-id}/scenario' } }",
  'loan-cause':
    'loans: { precalculation: { cause: { tooLow: LOAN_AMNT_LOW, tooHigh: LOAN_AMNT_HIGH, insufficient: INSUFFICIENT_CAPACITY } } }',
  redirect: redirectUri('https://second.example/callback', 'redirect'),
  'result-screen': redirectUri('https://bank.example/result', 'result-screen'),
  'redirect-query': redirectUri('https://second.example/callback?channel=bank', 'redirect'),
}
