import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { carryingHome, takingFor } from './defect-wires.ts'
import { ENV } from './requirements.ts'

/** How one environment can know what is the other's, and one interface take the tokens of another. */

type Facts = Parameters<Rules['otherEnvironmentsSearched']>[0]
type Environment = Facts['environment']

const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** In this environment such records are looked for in both. */
const searching =
  (environment: Environment, kind: Facts['kind'], more: Partial<Facts> = {}): NonNullable<Defect['rules']> =>
  (lawful) => ({
    otherEnvironmentsSearched: (facts) => {
      const wanted = Object.entries({ environment, kind, ...more })
      const isMeant = wanted.every(([name, value]) => facts[name as keyof Facts] === value)
      return isMeant ? [otherThan(environment)] : lawful.otherEnvironmentsSearched(facts)
    },
  })

const LIST = { endpoint: 'accounts', variant: 'first' } as const
const TRANSACTIONS = { endpoint: 'transactions', variant: 'first' } as const

const accounts: readonly Defect[] = [
  {
    id: 'list-of-production-opens-to-the-sandbox',
    story: 'The list of accounts in production looks for a token in the sandbox as well.',
    breaks: [ENV.tokenOfTheSandboxIsRefusedInProduction],
    rules: searching('production', 'accessTokens', LIST),
  },
  {
    id: 'list-of-the-sandbox-opens-to-production',
    story: 'The list of accounts in the sandbox looks for a token in production as well.',
    breaks: [ENV.tokenOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'accessTokens', LIST),
  },
  {
    id: 'transactions-of-production-open-to-the-sandbox',
    story: 'The transactions in production look for a token in the sandbox as well.',
    breaks: [ENV.transactionsOfProductionStayShutToTheSandbox],
    rules: searching('production', 'accessTokens', TRANSACTIONS),
  },
  {
    id: 'transactions-of-the-sandbox-open-to-production',
    story: 'The transactions in the sandbox look for a token in production as well.',
    breaks: [ENV.transactionsOfTheSandboxStayShutToProduction],
    rules: searching('sandbox', 'accessTokens', TRANSACTIONS),
  },
]

const grants: readonly Defect[] = [
  {
    id: 'consent-of-the-sandbox-is-granted-in-production',
    story: 'Production looks a consent up in the sandbox where it has none of that name.',
    breaks: [ENV.consentOfTheSandboxIsUnknownInProduction],
    rules: searching('production', 'consents', { endpoint: 'authorize' }),
  },
  {
    id: 'consent-of-production-is-granted-in-the-sandbox',
    story: 'The sandbox looks a consent up in production where it has none of that name.',
    breaks: [ENV.consentOfProductionIsUnknownInTheSandbox],
    rules: searching('sandbox', 'consents', { endpoint: 'authorize' }),
  },
  {
    id: 'code-of-the-sandbox-is-redeemed-in-production',
    story: 'The token endpoint of production redeems the codes of the sandbox.',
    breaks: [ENV.codeOfTheSandboxIsRefusedInProduction],
    rules: searching('production', 'codes'),
  },
  {
    id: 'code-of-production-is-redeemed-in-the-sandbox',
    story: 'The token endpoint of the sandbox redeems the codes of production.',
    breaks: [ENV.codeOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'codes'),
  },
  {
    id: 'refresh-token-of-the-sandbox-is-renewed-in-production',
    story: 'The token endpoint of production renews the tokens of the sandbox.',
    breaks: [ENV.refreshTokenOfTheSandboxIsRefusedInProduction],
    rules: searching('production', 'refreshTokens'),
  },
  {
    id: 'refresh-token-of-production-is-renewed-in-the-sandbox',
    story: 'The token endpoint of the sandbox renews the tokens of production.',
    breaks: [ENV.refreshTokenOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'refreshTokens'),
  },
]

const payments: readonly Defect[] = [
  {
    id: 'payment-of-the-sandbox-is-known-in-production',
    story: 'Production tells the status of a payment of the sandbox.',
    breaks: [ENV.paymentOfTheSandboxIsUnknownInProduction],
    rules: searching('production', 'payments'),
  },
  {
    id: 'payment-of-production-is-known-in-the-sandbox',
    story: 'The sandbox tells the status of a payment of production.',
    breaks: [ENV.paymentOfProductionIsUnknownInTheSandbox],
    rules: searching('sandbox', 'payments'),
  },
  {
    id: 'payment-token-of-the-sandbox-opens-production',
    story: 'Production takes the access tokens for payments of the sandbox.',
    breaks: [ENV.paymentTokenOfTheSandboxIsRefusedInProduction],
    rules: searching('production', 'paymentTokens'),
  },
  {
    id: 'payment-token-of-production-opens-the-sandbox',
    story: 'The sandbox takes the access tokens for payments of production.',
    breaks: [ENV.paymentTokenOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'paymentTokens'),
  },
  {
    id: 'payment-of-the-sandbox-is-authorized-in-production',
    story: 'Production puts a payment of the sandbox before the customer, and gives a code for it.',
    breaks: [ENV.paymentOfTheSandboxIsUnknownInProduction],
    rules: searching('production', 'payments', { endpoint: 'authorize' }),
  },
  {
    id: 'payment-of-production-is-authorized-in-the-sandbox',
    story: 'The sandbox puts a payment of production before the customer, and gives a code for it.',
    breaks: [ENV.paymentOfProductionIsUnknownInTheSandbox],
    rules: searching('sandbox', 'payments', { endpoint: 'authorize' }),
  },
]

const TOKEN_OF_ACCOUNTS = '/premium/sandbox/auth/oauth/v2/token'
const TOKEN_OF_PAYMENTS = '/sandbox/auth/oauth/v2/token'
const TOKEN_OF_PAYMENTS_IN_PRODUCTION = '/auth/oauth/v2/token'
const TOKEN_OF_LOANS = '/paylater/sandbox/auth/oauth/v2/token'
const SUBMISSION = '/api/v1/payments/submission'
const SUBMISSION_IN_THE_SANDBOX = `/sandbox${SUBMISSION}`

const submissions: readonly Defect[] = [
  {
    id: 'payment-of-the-sandbox-is-submitted-in-production',
    story: 'A submission to production moves the payment that its token is for, which is one of the sandbox.',
    breaks: [ENV.paymentOfTheSandboxIsUnknownInProduction],
    wire: carryingHome({
      issuedAt: TOKEN_OF_PAYMENTS,
      asked: SUBMISSION,
      home: SUBMISSION_IN_THE_SANDBOX,
    }),
  },
  {
    id: 'payment-of-production-is-submitted-in-the-sandbox-in-silence',
    story: 'The sandbox refuses to submit a payment of production, and has passed it on all the same.',
    breaks: [ENV.paymentOfProductionIsUnknownInTheSandbox],
    wire: carryingHome({
      issuedAt: TOKEN_OF_PAYMENTS_IN_PRODUCTION,
      asked: SUBMISSION_IN_THE_SANDBOX,
      home: SUBMISSION,
      isSilent: true,
    }),
  },
]

const interfaces: readonly Defect[] = [
  {
    id: 'payment-token-lists-accounts',
    story: 'The list of accounts takes whatever token the bank has issued, and of payments too.',
    breaks: [ENV.paymentTokenOpensNoAccount],
    wire: takingFor({
      issuedAt: TOKEN_OF_PAYMENTS,
      takenFor: TOKEN_OF_ACCOUNTS,
      asked: /^\/premium\/sandbox\/v1\/accounts$/,
    }),
  },
  {
    id: 'account-token-reads-payments',
    story: 'Whoever may see accounts may see the payments from them.',
    breaks: [ENV.accountTokenOpensNoPayment],
    wire: takingFor({
      issuedAt: TOKEN_OF_ACCOUNTS,
      takenFor: TOKEN_OF_PAYMENTS,
      asked: /^\/sandbox\/api\/v1\/payments\/[^/]+\/status$/,
    }),
  },
  {
    id: 'loan-token-reads-payments',
    story: 'The payments of an application are shown to its token for loans.',
    breaks: [ENV.loanTokenOpensNoPayment],
    wire: takingFor({
      issuedAt: TOKEN_OF_LOANS,
      takenFor: TOKEN_OF_PAYMENTS,
      asked: /^\/sandbox\/api\/v1\/payments\/[^/]+\/status$/,
    }),
  },
]

export const defectsOfSeparation: readonly Defect[] = [
  ...accounts,
  ...grants,
  ...payments,
  ...submissions,
  ...interfaces,
]
