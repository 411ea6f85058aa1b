/** The profile of the reference bank, as its owner would write it. It must not start a bank: a run loads it before any bank exists. */
import { isAtOwnBank, PAYMENT_ACCOUNTS, seedData, RESULT_SCREEN, type Account } from '../../bank/seed-data.ts'
import { generatedNumber } from '../../bank/dialects/generated.ts'
import { CARD_IBAN } from '../../bank/variations/account-variations.ts'
import { PUBLIC_ORIGIN } from '../../bank/variations/body-variations.ts'
import { OWN_HOOKS, OWN_SECRET } from '../../bank/variations/environment-variations.ts'
import { USUAL_DECISION, USUAL_LOGIN } from '../../profile/schema/authorization.ts'
import { AT_ONCE, USUAL_INITIATIONS } from '../../profile/schema/payments.ts'
import { generatedProfile } from './generated-profile.ts'
import type { ProfileInput } from '../../profile/schema.ts'

type PaymentsInput = NonNullable<ProfileInput['payments']>

const {
  debtor: payer,
  creditor: payee,
  instructedAmount,
  endToEndIdentification,
  remittanceInformation,
  ...identifiers
} = AT_ONCE

const INITIATIONS: PaymentsInput['initiations'] = [
  ...USUAL_INITIATIONS,
  {
    name: 'batch',
    path: '/payments/batch/sba',
    body: {
      ...identifiers,
      debtor: payer,
      transfers: [{ creditor: payee, instructedAmount, endToEndIdentification, remittanceInformation }],
      controlSum: '{amount}',
    },
  },
]

const { debtor, creditor, savings, poor, closed, held, agreed } = PAYMENT_ACCOUNTS

/** An IBAN of the bank that no account has. */
const NO_ACCOUNT = 'SK2898010000002600099990'

/** The creditor's, with wrong check digits. */
const MISTYPED = creditor.iban.replace(/^(..)../, '$199')

/** The same, without its last digit. */
const CUT = creditor.iban.slice(0, -1)

/** More than half of what the debtor has: two such orders are valid, and the second cannot be executed. */
const MOST_OF_THE_FUNDS = 1500

/** More than any account has. */
const MUCH = 900_000_000

/** After the cut-off time of the reference bank. */
const NIGHT = '21:00'

/** Each of them may do everything. */
const APPLICATIONS = seedData.clients.map(({ name }) => name)

const paymentsOfReference = (): PaymentsInput => ({
  applications: APPLICATIONS,
  initiations: INITIATIONS,
  debtor,
  creditor,
  hours: { from: '06:00', to: '16:00' },
  facts: {
    closedAccounts: [closed],
    savingsAccounts: [savings],
    unknownDebtors: [NO_ACCOUNT],
    cutOff: '20:00',
    currencies: ['EUR'],
    funds: [
      { ...poor, below: 20 },
      { ...debtor, below: MUCH },
    ],
    agreedAmounts: [agreed],
  },
  rejectedAtSubmission: {
    AM04: { change: { instructedAmount: { value: MOST_OF_THE_FUNDS } }, twice: true },
    TM01: { at: NIGHT },
  },
  provocations: {
    AC01: [{ change: { creditor: { iban: MISTYPED } } }, { change: { creditor: { iban: CUT } } }],
    AM05: { twice: true },
    AM09: { change: { agreedAmount: { value: 1, currency: 'EUR' } } },
    AM10: { method: 'batch', change: { controlSum: 99.99 } },
    DT01: [
      { method: 'standard', change: { requestedExecutionDate: '2020-01-03' } },
      { method: 'standard', change: { requestedExecutionDate: '{yesterday}' } },
    ],
    MS03: { change: { creditor: held } },
    RC01: { change: { creditor: { bic: 'REF9SKBX1' } } },
    RR03: { change: { creditor: { name: ' ' } } },
  },
})

const LOAN_ORDER = {
  orderNo: '{orderNo}',
  totalAmount: '{amount}',
  orderItems: [{ name: 'Bicycle', quantity: 1, price: '{amount}' }],
}

const APPLICANT = {
  firstName: 'Anna',
  lastName: 'Nováková',
  email: 'anna@shop.example',
  phone: '+421900000001',
}

const loansOfReference = (): NonNullable<ProfileInput['loans']> => ({
  applications: APPLICATIONS,
  precalculation: {
    cause: { tooLow: 'LOAN_AMNT_LOW', tooHigh: 'LOAN_AMNT_HIGH', insufficient: 'INSUFFICIENT_CAPACITY' },
  },
  submission: { body: { financeApplication: { order: LOAN_ORDER, applicant: APPLICANT } } },
  scenario: {
    kind: 'page',
    pages: [
      { when: 'button[name=scenario]', press: 'button[name=scenario][value="{scenario}"]' },
      // Any other page is accepted.
      { when: 'form', press: 'button[type=submit]' },
    ],
  },
  status: { code: 'resultCode' },
})

type AccountInput = NonNullable<NonNullable<ProfileInput['customers']>[number]['accounts']>[number]

const DECISION = { ...USUAL_DECISION, tickAccounts: 'input[name=account][value="{choice}"]' }

/** Any page before them. */
const ANY_PAGE = { when: 'form', press: 'button[type=submit]' }

const knownAccount = (account: Account): AccountInput => ({
  // Without consent it is in no list, so that its id must be given.
  ...(!account.isTicked && { accountId: account.accountId }),
  iban: account.iban,
  choice: account.accountId,
  bank: isAtOwnBank(account) ? 'own' : 'other',
  bankCode: account.bankCode,
  consented: account.isTicked,
  transactions: account.openingTransactions,
})

export const referenceProfile = (environment: 'sandbox' | 'production' = 'sandbox'): ProfileInput => ({
  name: 'Reference bank',
  environment,
  environments: ['sandbox', 'production'],
  applications: seedData.clients.map(({ name, kind, clientId, secret, redirectUris }) => ({
    name,
    kind,
    clientId,
    clientSecret: secret,
    redirectUris: redirectUris.map((uri) => ({
      uri,
      delivery: uri === RESULT_SCREEN ? ('result-screen' as const) : ('redirect' as const),
    })),
  })),
  customers: seedData.customers.map(({ name, username, password, accounts }) => ({
    name,
    username,
    password,
    accounts: accounts.map(knownAccount),
  })),
  authorization: { kind: 'pages', pages: [USUAL_LOGIN, DECISION, ANY_PAGE], code: '#code' },
  operations: { refresh: { body: { consentId: '{consentId}' } } },
  secondVariant: {},
  // The bank sends its notifications before the test hook answers.
  webhooks: { settleMs: 50 },
  payments: paymentsOfReference(),
  loans: loansOfReference(),
  testHooks: {
    readClock: { method: 'GET', url: '/_test-hooks/clock', result: 'now' },
    advanceClock: {
      url: '/_test-hooks/clock/advance',
      body: { milliseconds: '{milliseconds}' },
      result: 'now',
    },
    revokeToken: { url: '/_test-hooks/tokens/revoke', body: { token: '{token}' } },
    revokeConsent: { url: '/_test-hooks/consents/revoke', body: { consentId: '{consentId}' } },
    bookTransaction: { url: '/_test-hooks/bookings', body: { iban: '{iban}', amount: '{amount}' } },
    configureWebhook: {
      method: 'PUT',
      url: '/_test-hooks/webhooks/{clientId}?environment={environment}',
      body: { enabled: '{enabled}', url: '{url}', securityHeader: '{securityHeader}' },
    },
  },
})

const AIS_2: NonNullable<NonNullable<ProfileInput['secondVariant']>['oauth']> = { scope: 'AIS_2' }

/** The credentials of a bank at which they differ by environment, and one application exists in the loan sandbox. */
const withOwnSecrets = (): ProfileInput['applications'] => {
  const [first, ...others] = referenceProfile().applications.map((application) => ({
    ...application,
    environments: {
      sandbox: {},
      production: { clientSecret: application.clientSecret + OWN_SECRET.production },
    },
  }))
  if (first === undefined) throw new Error('the seed data has no application')
  const loans = { clientSecret: first.clientSecret + OWN_SECRET.loans }
  return [{ ...first, environments: { ...first.environments, loans } }, ...others]
}

/** The test hooks of a bank at which they differ by environment, and one does not exist in production. */
const withOwnHooks = (): ProfileInput['testHooks'] => {
  const headers = { 'X-Operator': 'conformance' }
  const at = (path: string) => ({
    url: OWN_HOOKS.sandbox + path,
    environments: { sandbox: {}, production: { url: OWN_HOOKS.production + path, headers } },
  })
  const { revokeToken, revokeConsent, bookTransaction, configureWebhook } = referenceProfile().testHooks ?? {}
  const ending = at('/tokens/revoke')
  return {
    revokeToken: {
      ...revokeToken,
      ...ending,
      environments: {
        ...ending.environments,
        production: { ...ending.environments.production, body: { ending: '{token}' } },
      },
    },
    revokeConsent: { ...revokeConsent, ...at('/consents/revoke') },
    bookTransaction: { ...bookTransaction, ...at('/bookings'), environments: { sandbox: {} } },
    configureWebhook: { ...configureWebhook, ...at('/webhooks/{clientId}') },
  }
}

/** The same profile for a bank whose pages do not ask which accounts are shared. */
export const withoutAccountChoice = (profile: ProfileInput): ProfileInput => {
  const { authorization } = profile
  if (authorization?.kind !== 'pages') return profile
  const pages = authorization.pages?.map((page) => ({ ...page, tickAccounts: undefined }))
  return { ...profile, authorization: { ...authorization, pages } }
}

/** A profile that does not know an account without an IBAN, and leaves the choice of the bank's page as it is. */
const withoutCard = (): Partial<ProfileInput> => {
  const { customers = [], authorization } = withoutAccountChoice(referenceProfile())
  return {
    authorization,
    customers: customers.map(({ accounts = [], ...customer }) => ({
      ...customer,
      accounts: accounts.filter(({ iban }) => iban !== CARD_IBAN),
    })),
  }
}

const withIds = (): Partial<ProfileInput> => {
  const { customers = [], operations } = referenceProfile()
  return {
    customers: customers.map(({ accounts = [], ...customer }) => ({
      ...customer,
      accounts: accounts.map((account) => ({ ...account, accountId: account.choice })),
    })),
    operations: {
      ...operations,
      listAccounts: { iban: 'accountId' },
      readAccount: { iban: 'account.accountId' },
    },
    secondVariant: { listAccounts: { iban: 'identification' } },
  }
}

/** The keys of the profile that differ with one of these variations. */
const OF_VARIATIONS: Readonly<Record<string, Partial<ProfileInput>>> = {
  'the-second-variant-has-its-own-endpoints-and-no-consent': {
    secondVariant: {
      oauth: {
        ...AIS_2,
        consent: false,
        basePaths: { sandbox: '/sandbox', production: '/' },
        authorize: { path: '/auth/ais/authorize' },
        token: { path: '/auth/ais/token' },
      },
    },
  },
  'the-second-variant-has-its-own-scope-under-the-same-consent': { secondVariant: { oauth: AIS_2 } },
  'the-secret-of-an-application-differs-by-environment': {
    applications: withOwnSecrets(),
    loans: { ...loansOfReference(), applications: APPLICATIONS.slice(0, 1) },
  },
  'the-test-hooks-differ-by-environment': { testHooks: withOwnHooks() },
  'a-refused-cancellation-of-a-loan-has-its-code-in-an-object': {
    loans: { ...loansOfReference(), errorCode: ['errorCode', 'fault.code'] },
  },
  'a-card-account-has-no-iban-in-a-list-or-in-its-detail': withoutCard(),
  'ibans-are-masked-except-in-details-of-the-second-variant': withIds(),
  // With some cursors of other variations there is no page after the last one.
  'every-page-of-the-first-variant-has-a-next-one-and-an-empty-page-ends-them': {
    operations: {
      ...referenceProfile().operations,
      listTransactions: { paging: { kind: 'link', end: 'empty-page' } },
    },
  },
  'no-transaction-has-an-id': {},
  'the-second-variant-lists-accounts-on-numbered-pages-of-two': {},
  'the-first-variant-lists-accounts-on-linked-pages-of-two': {},
  'the-second-variant-also-accepts-tokens-of-the-first-variant': { secondVariant: { oauth: AIS_2 } },
}

/** The same profile with other members of its payments, if it has any. */
export const withPayments =
  (changesOf: (payments: PaymentsInput) => Partial<PaymentsInput>) =>
  (own: ProfileInput): ProfileInput =>
    own.payments === undefined ? own : { ...own, payments: { ...own.payments, ...changesOf(own.payments) } }

const approvedBy = (value: Partial<NonNullable<PaymentsInput['approval']>>) =>
  withPayments(() => ({
    approval: { link: 'approve.href', ...value },
    submission: { token: 'client', body: { orderId: '{orderId}', approval: '{approval}' } },
  }))

/** What these variations change of the profile of any bank. */
const OF_ANY_BANK: Readonly<Record<string, (own: ProfileInput) => ProfileInput>> = {
  'only-expired-access-tokens-are-renewed-for-90-days-more': ({ operations, ...own }) => ({
    ...own,
    operations: { ...operations, token: { ...operations?.token, refreshesOnlyExpired: true } },
  }),
  'addresses-have-the-origin-of-a-gateway': (own) => ({ ...own, publicOrigin: PUBLIC_ORIGIN }),
  'payments-are-approved-at-a-link-that-leads-to-a-redirect': approvedBy({ parameter: 'approval' }),
  'payments-are-approved-at-a-link-that-leads-to-a-page': approvedBy({
    shown: '#approval',
    pattern: String.raw`Value: (\S+)\.$`,
  }),
  'payments-are-submitted-with-the-token-of-their-initiation': withPayments(() => ({
    submission: { token: 'client', body: { orderId: '{orderId}' } },
  })),
  // Before the login the bank does not know whose accounts to offer.
  'login-and-decision-are-on-one-page': withoutAccountChoice,
}

/** The profile of a bank with these variations, which may be composed with others. @param own its profile without them */
export const composedProfile = (own: ProfileInput, ids: readonly string[]): ProfileInput =>
  ids.reduce((profile, id) => OF_ANY_BANK[id]?.(profile) ?? profile, own)

/** Whether a variation has a profile that fits the reference bank alone, so that it is composed with nothing else. */
export const isByItself = (id: string): boolean => id in OF_VARIATIONS

/** The parts of the profile that a variation changes; undefined for most variations. @param id the id of the variation */
export const variationProfile = (id: string): Partial<ProfileInput> | undefined =>
  OF_VARIATIONS[id] ?? OF_ANY_BANK[id]?.(referenceProfile())

/**
 * The profile of the reference bank in a dialect.
 *
 * @param id the id of the dialect, such as `generated-1`
 * @throws if it is not the id of a generated dialect
 */
export const dialectProfile = (
  id: string,
  environment: 'sandbox' | 'production' = 'sandbox',
): ProfileInput => {
  const number = generatedNumber(id)
  if (number === undefined) throw new Error(`no dialect has the id ${id}`)
  return generatedProfile(number, referenceProfile(environment))
}
