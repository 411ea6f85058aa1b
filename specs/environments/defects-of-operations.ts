import type { Defect } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { takingFor } from './defect-wires.ts'
import { ENV } from './requirements.ts'

/** How one operation can take the tokens of another environment or interface, while the others refuse them. */

type Endpoint = Parameters<Rules['grantOfLoanToken']>[0]['endpoint']
type Variant = Parameters<Rules['grantOfLoanToken']>[0]['variant']
type Kind = Parameters<Rules['foreignTokenOpensLoans']>[0]['kind']
type Searched = Parameters<Rules['otherEnvironmentsSearched']>[0]
type RuleMaker = (lawful: Rules) => Partial<Rules>

/** This operation of applications takes the tokens of another interface. */
const takingOf =
  (kind: Kind, endpoint: Endpoint): RuleMaker =>
  (lawful) => ({
    foreignTokenOpensLoans: (facts) =>
      (facts.kind === kind && facts.endpoint === endpoint) || lawful.foreignTokenOpensLoans(facts),
  })

/** A token for loans stands for the latest grant of its application, in this operation. */
const opening =
  (variant: Variant, endpoint: Endpoint): RuleMaker =>
  (lawful) => ({
    grantOfLoanToken: (facts) =>
      facts.variant === variant && facts.endpoint === endpoint
        ? [...facts.grants.values()].findLast(({ clientId }) => clientId === facts.token.clientId)
        : lawful.grantOfLoanToken(facts),
  })

/** In the sandbox, or in production, this operation looks for a token in both. */
const searching =
  (environment: Searched['environment'], variant: Variant, endpoint: Endpoint): RuleMaker =>
  (lawful) => ({
    otherEnvironmentsSearched: (facts) => {
      const isMeant =
        facts.kind === 'accessTokens' &&
        facts.environment === environment &&
        facts.variant === variant &&
        facts.endpoint === endpoint
      return isMeant ? ['sandbox', 'production'] : lawful.otherEnvironmentsSearched(facts)
    },
  })

const OF_ACCOUNTS = '/premium/sandbox/auth/oauth/v2/token'
const OF_PAYMENTS = '/sandbox/auth/oauth/v2/token'
const OF_PAYMENTS_IN_PRODUCTION = '/auth/oauth/v2/token'
const OF_LOANS = '/paylater/sandbox/auth/oauth/v2/token'
const INITIATION = /^\/sandbox\/api\/v1\/payments\/\w+\/sba$/

const initiations: readonly Defect[] = [
  {
    id: 'loan-token-initiates-payments',
    story: 'A payment is initiated with a token for loans.',
    breaks: [ENV.loanTokenOpensNoPayment],
    wire: takingFor({ issuedAt: OF_LOANS, takenFor: OF_PAYMENTS, asked: INITIATION }),
  },
  {
    id: 'account-token-initiates-payments',
    story: 'A payment is initiated with a token for accounts.',
    breaks: [ENV.accountTokenOpensNoPayment],
    wire: takingFor({ issuedAt: OF_ACCOUNTS, takenFor: OF_PAYMENTS, asked: INITIATION }),
  },
  {
    id: 'payment-token-of-the-sandbox-initiates-in-production',
    story: 'A payment is initiated in production with a token of the sandbox, which reads none there.',
    breaks: [ENV.paymentTokenOfTheSandboxIsRefusedInProduction],
    wire: takingFor({
      issuedAt: OF_PAYMENTS,
      takenFor: OF_PAYMENTS_IN_PRODUCTION,
      asked: /^\/api\/v1\/payments\/\w+\/sba$/,
    }),
  },
  {
    id: 'payment-token-of-production-initiates-in-the-sandbox',
    story: 'A payment is initiated in the sandbox with a token of production, which reads none there.',
    breaks: [ENV.paymentTokenOfProductionIsRefusedInTheSandbox],
    wire: takingFor({ issuedAt: OF_PAYMENTS_IN_PRODUCTION, takenFor: OF_PAYMENTS, asked: INITIATION }),
  },
]

const applications: readonly Defect[] = [
  {
    id: 'payment-token-applies-for-a-loan',
    story: 'An application is submitted with a token for payments.',
    breaks: [ENV.paymentTokenIsRefusedInTheLoanSandbox],
    rules: takingOf('payments', 'loan-submission'),
  },
  {
    id: 'payment-token-reads-an-application',
    story: 'The status of an application is told to a token for payments.',
    breaks: [ENV.paymentTokenIsRefusedInTheLoanSandbox],
    rules: takingOf('payments', 'loan-status'),
  },
  {
    id: 'account-token-applies-for-a-loan',
    story: 'An application is submitted with a token for accounts.',
    breaks: [ENV.accountTokenIsRefusedInTheLoanSandbox],
    rules: takingOf('accounts', 'loan-submission'),
  },
  {
    id: 'account-token-cancels-an-application',
    story: 'An application is canceled with a token for accounts.',
    breaks: [ENV.accountTokenIsRefusedInTheLoanSandbox],
    rules: takingOf('accounts', 'loan-cancellation'),
  },
]

const data: readonly Defect[] = [
  {
    id: 'loan-token-reads-an-account',
    story: 'The detail of an account is shown to a token for loans; the list is not.',
    breaks: [ENV.loanTokenIsRefusedByTheAccountApi],
    rules: opening('first', 'account'),
  },
  {
    id: 'loan-token-reads-transactions-in-the-second-variant',
    story: 'In the second variant transactions are shown to a token for loans, and no account is.',
    breaks: [ENV.loanTokenIsRefusedByTheAccountApi],
    rules: opening('second', 'transactions'),
  },
  {
    id: 'payment-token-reads-transactions',
    story: 'Transactions are shown to a token for payments; no account is.',
    breaks: [ENV.paymentTokenOpensNoAccount],
    wire: takingFor({
      issuedAt: OF_PAYMENTS,
      takenFor: OF_ACCOUNTS,
      asked: /^\/premium\/sandbox\/v1\/accounts\/[^/]+\/transactions$/,
    }),
  },
  {
    id: 'detail-in-the-sandbox-opens-to-production',
    story: 'The detail of an account in the sandbox looks for a token in production as well.',
    breaks: [ENV.tokenOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'first', 'account'),
  },
  {
    id: 'list-of-the-second-variant-in-the-sandbox-opens-to-production',
    story: 'The list of the second variant in the sandbox looks for a token in production as well.',
    breaks: [ENV.tokenOfProductionIsRefusedInTheSandbox],
    rules: searching('sandbox', 'second', 'accounts'),
  },
  {
    id: 'transactions-of-the-second-variant-in-production-open-to-the-sandbox',
    story: 'In the second variant the transactions in production look for a token in the sandbox as well.',
    breaks: [ENV.transactionsOfProductionStayShutToTheSandbox],
    rules: searching('production', 'second', 'transactions'),
  },
]

export const defectsOfOperations: readonly Defect[] = [...initiations, ...applications, ...data]
