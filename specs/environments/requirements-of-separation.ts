import { must, should } from '../../harness/check/requirement.ts'

/** What is the same for every row of one environment against another. */
const SEPARATED = {
  quote:
    'Environments are separated by the base path: /premium/sandbox, /premium/production and /paylater/sandbox.',
  place: 'Versioning, 2',
  tags: ['security'],
}
const REFUSED = { reading: 'That it is refused is judged; with which status and body is not shown.' }
const OF_A_PAYMENT = {
  reading: 'Judged of its status, its authorization and its submission. How it is refused is not shown.',
}

/** What keeps one environment apart from another. */
export const SEPARATION = {
  tokenOfTheSandboxIsRefusedInProduction: must('ENV-06', {
    claim: 'an access token of the sandbox opens no account in production',
    ...SEPARATED,
    reading: 'Judged of the lists and of the detail of an account, in both variants.',
  }),
  tokenOfProductionIsRefusedInTheSandbox: must('ENV-07', {
    claim: 'an access token of production opens no account in the sandbox',
    ...SEPARATED,
    reading: 'Judged of the lists and of the detail of an account, in both variants.',
  }),
  consentOfTheSandboxIsUnknownInProduction: must('ENV-08', {
    claim: 'a consent of the sandbox is not granted in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  codeOfTheSandboxIsRefusedInProduction: must('ENV-09', {
    claim: 'a code of the sandbox brings no token in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  transactionsOfProductionStayShutToTheSandbox: must('ENV-14', {
    claim: 'an access token of the sandbox opens no transactions in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  transactionsOfTheSandboxStayShutToProduction: must('ENV-15', {
    claim: 'an access token of production opens no transactions in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  consentOfProductionIsUnknownInTheSandbox: must('ENV-16', {
    claim: 'a consent of production is not granted in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  codeOfProductionIsRefusedInTheSandbox: must('ENV-17', {
    claim: 'a code of production brings no token in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  refreshTokenOfTheSandboxIsRefusedInProduction: must('ENV-18', {
    claim: 'a refresh token of the sandbox brings no token in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  refreshTokenOfProductionIsRefusedInTheSandbox: must('ENV-19', {
    claim: 'a refresh token of production brings no token in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentOfTheSandboxIsUnknownInProduction: must('ENV-20', {
    claim: 'a payment of the sandbox is unknown in production',
    ...SEPARATED,
    ...OF_A_PAYMENT,
  }),
  paymentOfProductionIsUnknownInTheSandbox: must('ENV-21', {
    claim: 'a payment of production is unknown in the sandbox',
    ...SEPARATED,
    ...OF_A_PAYMENT,
  }),
  paymentTokenOfTheSandboxIsRefusedInProduction: must('ENV-22', {
    claim: 'an access token for payments of the sandbox opens no payment in production',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenOfProductionIsRefusedInTheSandbox: must('ENV-23', {
    claim: 'an access token for payments of production opens no payment in the sandbox',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenOpensNoAccount: must('ENV-24', {
    claim: 'an access token that the application has for payments opens no account',
    quote:
      "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
    place: 'What the service does, 1',
    reading: 'Judged where the application comes to it without a customer.',
    tags: ['security'],
  }),
  accountTokenOpensNoPayment: should('ENV-25', {
    claim: 'an access token for accounts opens no payment',
    quote: 'scope is PREMIUM_AIS for a FAC and PREMIUM_AIS:<consent_id> for a TPP.',
    place: 'Endpoints, Consent and authorization, GET /auth/oauth/v2/authorize',
    reading:
      'A scope of account information opens account information. The scopes of payments are not shown, hence no more than a SHOULD.',
    tags: ['security'],
  }),
} as const

/** What keeps the loan sandbox apart from the rest. */
export const LOAN_SEPARATION = {
  accountTokenIsRefusedInTheLoanSandbox: must('ENV-10', {
    claim: 'an access token of the account API opens nothing in the loan sandbox',
    ...SEPARATED,
    reading: 'Judged of every operation; in production, of the precalculation.',
  }),
  loanTokenIsRefusedByTheAccountApi: must('ENV-11', {
    claim: 'an access token of the loan sandbox opens no account',
    ...SEPARATED,
    ...REFUSED,
  }),
  paymentTokenIsRefusedInTheLoanSandbox: must('ENV-32', {
    claim: 'an access token for payments opens nothing in the loan sandbox',
    ...SEPARATED,
    reading: 'Judged of every operation.',
  }),
  loanTokenOpensNoPayment: must('ENV-33', {
    claim: 'an access token of the loan sandbox opens no payment',
    ...SEPARATED,
    ...REFUSED,
  }),
  loanApplicationIsUnknownElsewhere: must('ENV-34', {
    claim: 'a loan application is unknown below the base paths of the account API',
    ...SEPARATED,
    reading: 'Asked for with the access token that opens it in the loan sandbox.',
  }),
} as const
