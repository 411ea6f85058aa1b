import {
  TOKEN_OF_ACCOUNTS,
  TOKEN_OF_LOANS,
  TOKEN_OF_PAYMENTS,
  TOKEN_OF_PAYMENTS_IN_PRODUCTION,
  carryingHome,
  searching,
  takingFor,
} from './crossings.ts'
import { breaking } from '../../shared/defects.ts'
import type { Defect } from '../../../harness/bank/defect.ts'
import { ENV } from '../requirements.ts'

/** Environments that know the records of each other, and interfaces that accept the tokens of each other. */

const LIST = { endpoint: 'accounts', variant: 'first' } as const
const TRANSACTIONS = { endpoint: 'transactions', variant: 'first' } as const

const accounts: readonly Defect[] = [
  ...breaking(ENV.tokenOfTheSandboxIsRefusedInProduction, {
    'list-of-production-opens-to-the-sandbox': {
      story: 'The list of accounts in production accepts tokens of the sandbox.',
      rules: searching('production', 'accessTokens', LIST),
    },
  }),
  ...breaking(ENV.tokenOfProductionIsRefusedInTheSandbox, {
    'list-of-the-sandbox-opens-to-production': {
      story: 'The list of accounts in the sandbox accepts tokens of production.',
      rules: searching('sandbox', 'accessTokens', LIST),
    },
  }),
  ...breaking(ENV.transactionsOfProductionStayShutToTheSandbox, {
    'transactions-of-production-open-to-the-sandbox': {
      story: 'The transactions in production accept tokens of the sandbox.',
      rules: searching('production', 'accessTokens', TRANSACTIONS),
    },
  }),
  ...breaking(ENV.transactionsOfTheSandboxStayShutToProduction, {
    'transactions-of-the-sandbox-open-to-production': {
      story: 'The transactions in the sandbox accept tokens of production.',
      rules: searching('sandbox', 'accessTokens', TRANSACTIONS),
    },
  }),
]

const grants: readonly Defect[] = [
  ...breaking(ENV.consentOfTheSandboxIsUnknownInProduction, {
    'consent-of-the-sandbox-is-granted-in-production': {
      story: 'Production grants a consent of the sandbox.',
      rules: searching('production', 'consents', { endpoint: 'authorize' }),
    },
  }),
  ...breaking(ENV.consentOfProductionIsUnknownInTheSandbox, {
    'consent-of-production-is-granted-in-the-sandbox': {
      story: 'The sandbox grants a consent of production.',
      rules: searching('sandbox', 'consents', { endpoint: 'authorize' }),
    },
  }),
  ...breaking(ENV.codeOfTheSandboxIsRefusedInProduction, {
    'code-of-the-sandbox-is-redeemed-in-production': {
      story: 'The token endpoint of production redeems the codes of the sandbox.',
      rules: searching('production', 'codes'),
    },
  }),
  ...breaking(ENV.codeOfProductionIsRefusedInTheSandbox, {
    'code-of-production-is-redeemed-in-the-sandbox': {
      story: 'The token endpoint of the sandbox redeems the codes of production.',
      rules: searching('sandbox', 'codes'),
    },
  }),
  ...breaking(ENV.refreshTokenOfTheSandboxIsRefusedInProduction, {
    'refresh-token-of-the-sandbox-is-renewed-in-production': {
      story: 'The token endpoint of production renews the tokens of the sandbox.',
      rules: searching('production', 'refreshTokens'),
    },
  }),
  ...breaking(ENV.refreshTokenOfProductionIsRefusedInTheSandbox, {
    'refresh-token-of-production-is-renewed-in-the-sandbox': {
      story: 'The token endpoint of the sandbox renews the tokens of production.',
      rules: searching('sandbox', 'refreshTokens'),
    },
  }),
]

const payments: readonly Defect[] = [
  ...breaking(ENV.paymentOfTheSandboxIsUnknownInProduction, {
    'payment-of-the-sandbox-is-known-in-production': {
      story: 'Production answers the status of a payment of the sandbox.',
      rules: searching('production', 'payments'),
    },
    'payment-of-the-sandbox-is-authorized-in-production': {
      story: 'The customer can authorize a payment of the sandbox in production.',
      rules: searching('production', 'payments', { endpoint: 'authorize' }),
    },
  }),
  ...breaking(ENV.paymentOfProductionIsUnknownInTheSandbox, {
    'payment-of-production-is-known-in-the-sandbox': {
      story: 'The sandbox answers the status of a payment of production.',
      rules: searching('sandbox', 'payments'),
    },
    'payment-of-production-is-authorized-in-the-sandbox': {
      story: 'The customer can authorize a payment of production in the sandbox.',
      rules: searching('sandbox', 'payments', { endpoint: 'authorize' }),
    },
  }),
  ...breaking(ENV.paymentTokenOfTheSandboxIsRefusedInProduction, {
    'payment-token-of-the-sandbox-opens-production': {
      story: 'Production accepts the payment tokens of the sandbox.',
      rules: searching('production', 'paymentTokens'),
    },
  }),
  ...breaking(ENV.paymentTokenOfProductionIsRefusedInTheSandbox, {
    'payment-token-of-production-opens-the-sandbox': {
      story: 'The sandbox accepts the payment tokens of production.',
      rules: searching('sandbox', 'paymentTokens'),
    },
  }),
]

const SUBMISSION = '/api/v1/payments/submission'
const SUBMISSION_IN_THE_SANDBOX = `/sandbox${SUBMISSION}`

const submissions: readonly Defect[] = [
  ...breaking(ENV.paymentOfTheSandboxIsUnknownInProduction, {
    'payment-of-the-sandbox-is-submitted-in-production': {
      story: 'A submission to production with a token of the sandbox submits the payment of the sandbox.',
      wire: carryingHome({
        issuedAt: TOKEN_OF_PAYMENTS,
        asked: SUBMISSION,
        home: SUBMISSION_IN_THE_SANDBOX,
      }),
    },
  }),
  ...breaking(ENV.paymentOfProductionIsUnknownInTheSandbox, {
    'payment-of-production-is-submitted-in-the-sandbox-in-silence': {
      story: 'The sandbox refuses the submission of a payment of production, and submits it in production.',
      wire: carryingHome({
        issuedAt: TOKEN_OF_PAYMENTS_IN_PRODUCTION,
        asked: SUBMISSION_IN_THE_SANDBOX,
        home: SUBMISSION,
        isSilent: true,
      }),
    },
  }),
]

const interfaces: readonly Defect[] = [
  ...breaking(ENV.paymentTokenOpensNoAccount, {
    'payment-token-lists-accounts': {
      story: 'The list of accounts accepts payment tokens.',
      wire: takingFor({
        issuedAt: TOKEN_OF_PAYMENTS,
        takenFor: TOKEN_OF_ACCOUNTS,
        asked: /^\/premium\/sandbox\/v1\/accounts$/,
      }),
    },
  }),
  ...breaking(ENV.accountTokenOpensNoPayment, {
    'account-token-reads-payments': {
      story: 'The status of a payment accepts account tokens.',
      wire: takingFor({
        issuedAt: TOKEN_OF_ACCOUNTS,
        takenFor: TOKEN_OF_PAYMENTS,
        asked: /^\/sandbox\/api\/v1\/payments\/[^/]+\/status$/,
      }),
    },
  }),
  ...breaking(ENV.loanTokenOpensNoPayment, {
    'loan-token-reads-payments': {
      story: 'The status of a payment accepts loan tokens.',
      wire: takingFor({
        issuedAt: TOKEN_OF_LOANS,
        takenFor: TOKEN_OF_PAYMENTS,
        asked: /^\/sandbox\/api\/v1\/payments\/[^/]+\/status$/,
      }),
    },
  }),
]

export const separationDefects: readonly Defect[] = [
  ...accounts,
  ...grants,
  ...payments,
  ...submissions,
  ...interfaces,
]
