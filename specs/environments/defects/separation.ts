import { PAYMENTS, LIVE_PAYMENTS, acceptTokens, passOn, serveInSilence } from './crossings.ts'
import { alter, defectsOf, isFor, when, type FactsOf } from '../../shared/changes.ts'
import { ENV } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** The sandbox and production accept the tokens, and know the records, of each other. */

type Facts = FactsOf<'otherEnvironmentsSearched'>
type Environment = Facts['environment']

/** In this environment records of this kind are searched for in the other one as well. */
const search = (environment: Environment, kind: Facts['kind']) =>
  when(
    (facts: Facts) => facts.environment === environment && facts.kind === kind,
    alter({ otherEnvironmentsSearched: [environment === 'sandbox' ? 'production' : 'sandbox'] }),
  )

const isAuthorization = isFor('authorize')

/** An operation of accounts in this environment accepts the tokens of the other one. */
const open = (environment: Environment, ...operation: Parameters<typeof isFor>) =>
  when(isFor(...operation), search(environment, 'accessTokens'))

const INITIATION = /^\/sandbox\/api\/v1\/payments\/\w+\/sba$/
const LIVE_INITIATION = /^\/api\/v1\/payments\/\w+\/sba$/
const SUBMISSION = '/api/v1/payments/submission'

export const separationDefects: readonly Defect[] = [
  ...defectsOf([ENV.tokenOfTheSandboxIsRefusedInProduction], {
    'Production lists accounts with tokens of the sandbox': open('production', 'accounts', 'first'),
  }),
  ...defectsOf([ENV.tokenOfProductionIsRefusedInTheSandbox], {
    'The sandbox lists accounts with tokens of production': open('sandbox', 'accounts', 'first'),
    'The sandbox lists accounts (second variant) with tokens of production': open(
      'sandbox',
      'accounts',
      'second',
    ),
    'The sandbox shows an account with tokens of production': open('sandbox', 'account', 'first'),
  }),
  ...defectsOf([ENV.transactionsOfProductionStayShutToTheSandbox], {
    'Production lists transactions with tokens of the sandbox': open('production', 'transactions', 'first'),
    'Production lists transactions (second variant) with tokens of the sandbox': open(
      'production',
      'transactions',
      'second',
    ),
  }),
  ...defectsOf([ENV.transactionsOfTheSandboxStayShutToProduction], {
    'The sandbox lists transactions with tokens of production': open('sandbox', 'transactions', 'first'),
  }),
  ...defectsOf([ENV.consentOfTheSandboxIsUnknownInProduction], {
    'Production grants a consent of the sandbox': when(isAuthorization, search('production', 'consents')),
  }),
  ...defectsOf([ENV.consentOfProductionIsUnknownInTheSandbox], {
    'The sandbox grants a consent of production': when(isAuthorization, search('sandbox', 'consents')),
  }),
  ...defectsOf([ENV.codeOfTheSandboxIsRefusedInProduction], {
    'Production exchanges the codes of the sandbox': search('production', 'codes'),
  }),
  ...defectsOf([ENV.codeOfProductionIsRefusedInTheSandbox], {
    'The sandbox exchanges the codes of production': search('sandbox', 'codes'),
  }),
  ...defectsOf([ENV.refreshTokenOfTheSandboxIsRefusedInProduction], {
    'Production refreshes the tokens of the sandbox': search('production', 'refreshTokens'),
  }),
  ...defectsOf([ENV.refreshTokenOfProductionIsRefusedInTheSandbox], {
    'The sandbox refreshes the tokens of production': search('sandbox', 'refreshTokens'),
  }),
  ...defectsOf([ENV.paymentOfTheSandboxIsUnknownInProduction], {
    'Production answers the status of a payment of the sandbox': search('production', 'payments'),
    'Production authorizes a payment of the sandbox': when(isAuthorization, search('production', 'payments')),
    'Production passes the submission of a payment of the sandbox on to the sandbox': passOn(
      PAYMENTS,
      /^\/api\/v1\/payments\/submission$/,
      `/sandbox${SUBMISSION}`,
    ),
  }),
  ...defectsOf([ENV.paymentOfProductionIsUnknownInTheSandbox], {
    'The sandbox answers the status of a payment of production': search('sandbox', 'payments'),
    'The sandbox authorizes a payment of production': when(isAuthorization, search('sandbox', 'payments')),
    'The sandbox refuses a payment of production, and submits it in production': serveInSilence(
      /^\/sandbox\/api\/v1\/payments\/submission$/,
      SUBMISSION,
    ),
  }),
  ...defectsOf([ENV.paymentTokenOfTheSandboxIsRefusedInProduction], {
    'Production accepts the payment tokens of the sandbox': search('production', 'paymentTokens'),
    'Production initiates with tokens of the sandbox': acceptTokens(PAYMENTS, LIVE_PAYMENTS, LIVE_INITIATION),
  }),
  ...defectsOf([ENV.paymentTokenOfProductionIsRefusedInTheSandbox], {
    'The sandbox accepts the payment tokens of production': search('sandbox', 'paymentTokens'),
    'The sandbox initiates with tokens of production': acceptTokens(LIVE_PAYMENTS, PAYMENTS, INITIATION),
  }),
]
