import { ACCOUNTS, LOANS, PAYMENTS, acceptTokens, serve, serveInSilence } from './crossings.ts'
import {
  accept,
  alter,
  defectsOf,
  isFor,
  when,
  type FactsOf,
  reply,
  jsonAnswer,
} from '../../shared/changes.ts'
import { ENV } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** The interfaces for accounts, payments and loans accept the tokens, and serve the operations, of each other. */

const INITIATION = /^\/sandbox\/api\/v1\/payments\/\w+\/sba$/
const PAYMENT_STATUS = /^\/sandbox\/api\/v1\/payments\/[^/]+\/status$/
const LIST = /^\/premium\/sandbox\/v1\/accounts$/
const TRANSACTIONS = /^\/premium\/sandbox\/v1\/accounts\/[^/]+\/transactions$/

/** Account operations accept a loan token, as one of the latest grant to its application. */
const acceptLoanTokens = alter({
  // A separate application for loans has no grant: then the latest one of all applications.
  grantOfLoanToken: (_, { grants, token }) => {
    const all = [...grants.values()]
    return all.findLast(({ clientId }) => clientId === token.clientId) ?? all.at(-1)
  },
})

/** Loan operations accept tokens of another interface. */
const acceptOf = (interfaceName: FactsOf<'foreignTokenOpensLoans'>['kind']) =>
  accept('foreignTokenOpensLoans', ({ kind }) => kind === interfaceName)

const APPLICATIONS = /^\/premium\/sandbox(?=\/v1\/applications\/)/
const LIVE_APPLICATIONS = /^\/premium\/production(?=\/v1\/applications\/)/
const LOAN_SANDBOX = '/paylater/sandbox'

export const interfaceDefects: readonly Defect[] = [
  ...defectsOf([ENV.loanTokenOpensNoPayment], {
    'An initiation accepts loan tokens': acceptTokens(LOANS, PAYMENTS, INITIATION),
    'The status of a payment accepts loan tokens': acceptTokens(LOANS, PAYMENTS, PAYMENT_STATUS),
  }),
  ...defectsOf([ENV.accountTokenOpensNoPayment], {
    'An initiation accepts account tokens': acceptTokens(ACCOUNTS, PAYMENTS, INITIATION),
    'The status of a payment accepts account tokens': acceptTokens(ACCOUNTS, PAYMENTS, PAYMENT_STATUS),
  }),
  ...defectsOf([ENV.paymentTokenOpensNoAccount], {
    'The list of accounts accepts payment tokens': acceptTokens(PAYMENTS, ACCOUNTS, LIST),
    'The transactions accept payment tokens': acceptTokens(PAYMENTS, ACCOUNTS, TRANSACTIONS),
  }),
  ...defectsOf([ENV.loanTokenIsRefusedByTheAccountApi], {
    'The list of accounts accepts loan tokens': when(isFor('accounts', 'first'), acceptLoanTokens),
    'The list of the second variant accepts loan tokens': when(isFor('accounts', 'second'), acceptLoanTokens),
    'The list of accounts answers loan tokens with 200 and no accounts': reply(
      'listAccounts',
      ({ headers }, { earlier }) => {
        const tokens = earlier.map(({ answer }) => `Bearer ${String(answer.members.access_token)}`)
        const isOfLoans = tokens.includes(headers.get('authorization') ?? '')
        return isOfLoans ? jsonAnswer(200, { accounts: [] }) : undefined
      },
      'loanToken',
    ),
    'The detail of an account accepts loan tokens': when(isFor('account', 'first'), acceptLoanTokens),
    'Transactions of the second variant accept loan tokens': when(
      isFor('transactions', 'second'),
      acceptLoanTokens,
    ),
  }),
  ...defectsOf([ENV.paymentTokenIsRefusedInTheLoanSandbox], {
    'The loan sandbox accepts payment tokens': acceptOf('payments'),
    'A loan application accepts payment tokens': when(isFor('loan-submission'), acceptOf('payments')),
    'The status of a loan accepts payment tokens': when(isFor('loan-status'), acceptOf('payments')),
  }),
  ...defectsOf([ENV.accountTokenIsRefusedInTheLoanSandbox], {
    'The loan sandbox accepts account tokens': acceptOf('accounts'),
    'The loan sandbox accepts account tokens of production': accept(
      'foreignTokenOpensLoans',
      ({ token }) => token.environment === 'production',
    ),
    'A loan application accepts account tokens': when(isFor('loan-submission'), acceptOf('accounts')),
    'A cancellation of a loan accepts account tokens': when(isFor('loan-cancellation'), acceptOf('accounts')),
  }),
  ...defectsOf([ENV.loanApplicationIsUnknownElsewhere], {
    'The sandbox of the account API serves the loan applications': serve(APPLICATIONS, LOAN_SANDBOX),
    'Production serves the loan applications of the sandbox': serve(LIVE_APPLICATIONS, LOAN_SANDBOX),
    'The sandbox of the account API cancels loan applications': serve(APPLICATIONS, LOAN_SANDBOX, 'DELETE'),
    'The sandbox of the account API answers a DELETE of a loan application with 404, and cancels it':
      serveInSilence(APPLICATIONS, LOAN_SANDBOX, 'DELETE'),
  }),
]
