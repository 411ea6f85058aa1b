/** Every address of the bank. Built once for all banks: which bank answers comes with the request. */
import { type Context, Hono } from 'hono'
import { listAccounts, readAccount, readInformation } from './accounts/accounts.ts'
import { refreshConsent } from './accounts/refresh.ts'
import { listTransactions, searchTransactions } from './accounts/transactions.ts'
import { authorize } from './authorization/authorize.ts'
import { createConsent, deleteConsent, readConsent } from './authorization/consents.ts'
import { issueTokens } from './authorization/tokens.ts'
import { continueVisit, showVisit } from './authorization/visits.ts'
import type { EnvironmentName } from './base-paths.ts'
import { type BankParts, type Call, type Handler, Refusal } from './call.ts'
import { cancelApplication, precalculate, readStatus, submitApplication } from './loans/applications.ts'
import { continueProcess, selectScenario, showProcess } from './loans/scenarios.ts'
import { issueLoanToken } from './loans/tokens.ts'
import { showStyle, STYLE_PATH } from './page-layout.ts'
import { initiatePayment, readPayment, submitPayment } from './payments/payments.ts'
import { authorizePayment, issuePaymentTokens } from './payments/tokens.ts'
import { echoRequestId, json, refuse } from './responses.ts'
import type { Endpoint, Variant } from './rules/facts.ts'
import { testHooks } from './test-hooks.ts'
import { changeUsage, showApplication, showUsage } from './webhooks/webhook-settings-pages.ts'

type Env = { readonly Bindings: BankParts }

/** Where a route stands: payments and the second variant of accounts have base paths of their own. */
interface Place {
  readonly base: string
  readonly environment: EnvironmentName
  readonly variant: Variant
}

const firstPlaceOf = (context: Context<Env>): Place => {
  // The pattern of the route lets no other name pass.
  const environment = context.req.param('environment') as EnvironmentName
  return { base: `/premium/${environment}`, environment, variant: 'first' }
}

const callOf = (context: Context<Env>, endpoint: Endpoint, place: Place): Call => {
  const { clock, world, rules } = context.env
  const { base, environment, variant } = place
  return {
    base,
    environment,
    variant,
    request: context.req.raw,
    url: new URL(context.req.url),
    endpoint,
    now: clock.now(),
    rules: rules[environment],
    world,
    parts: context.env,
    ledger: world.ledgers[environment],
    parameter: (name) => context.req.param(name) ?? '',
  }
}

const at =
  (endpoint: Endpoint, handler: Handler, place?: Place) =>
  async (context: Context<Env>): Promise<Response> => {
    const call = callOf(context, endpoint, place ?? firstPlaceOf(context))
    try {
      return echoRequestId(call, await handler(call))
    } catch (error) {
      if (error instanceof Refusal) return echoRequestId(call, refuse(call, error))
      throw error
    }
  }

const accountInformation = new Hono<Env>()
  .post('/v1/consents', at('consents', createConsent))
  .get('/v1/consents/:consentId', at('consents', readConsent))
  .delete('/v1/consents/:consentId', at('consents', deleteConsent))
  .get('/auth/oauth/v2/authorize', at('authorize', authorize))
  .get('/auth/oauth/v2/visits/:visitId', at('authorize', showVisit))
  .post('/auth/oauth/v2/visits/:visitId', at('authorize', continueVisit))
  .post('/auth/oauth/v2/token', at('token', issueTokens))
  .get('/v1/accounts', at('accounts', listAccounts))
  .get('/v1/accounts/:accountId', at('account', readAccount))
  .get('/v1/accounts/:accountId/transactions', at('transactions', listTransactions))
  .put('/refresh', at('refresh', refreshConsent))
  .get('/application', at('settings', showApplication))
  .get('/application/usage', at('settings', showUsage))
  .post('/application/usage', at('settings', changeUsage))

const secondVariantAt = (base: string, environment: EnvironmentName) => {
  const place: Place = { base, environment, variant: 'second' }
  return new Hono<Env>()
    .get('/api/v1/accounts', at('accounts', listAccounts, place))
    .post('/api/v1/accounts/information', at('account', readInformation, place))
    .post('/api/v1/accounts/transactions', at('transactions', searchTransactions, place))
}

/** Payments stand beside the second variant, with OAuth endpoints of its own. */
const paymentsAt = (base: string, environment: EnvironmentName) => {
  const place: Place = { base, environment, variant: 'second' }
  return new Hono<Env>()
    .get('/auth/oauth/v2/authorize', at('authorize', authorizePayment, place))
    .get('/auth/oauth/v2/visits/:visitId', at('authorize', showVisit, place))
    .post('/auth/oauth/v2/visits/:visitId', at('authorize', continueVisit, place))
    .post('/auth/oauth/v2/token', at('token', issuePaymentTokens, place))
    .post('/api/v1/payments/ecomm/sba', at('payments', initiatePayment('ecomm'), place))
    .post('/api/v1/payments/standard/sba', at('payments', initiatePayment('standard'), place))
    .post('/api/v1/payments/batch/sba', at('payments', initiatePayment('batch'), place))
    .post('/api/v1/payments/submission', at('payments', submitPayment, place))
    .get('/api/v1/payments/:orderId/status', at('payments', readPayment, place))
}

/** There is no production of loans. */
const LOANS: Place = { base: '/paylater/sandbox', environment: 'sandbox', variant: 'first' }

const loans = new Hono<Env>()
  .post('/auth/oauth/v2/token', at('loan-token', issueLoanToken, LOANS))
  .put('/v1/applications/precalculation', at('loan-precalculation', precalculate, LOANS))
  .post('/v1/applications', at('loan-submission', submitApplication, LOANS))
  .put('/v1/applications/:applicationId/scenario', at('loan-scenario', selectScenario, LOANS))
  .get('/v1/applications/:applicationId/status', at('loan-status', readStatus, LOANS))
  .delete('/v1/applications/:applicationId', at('loan-cancellation', cancelApplication, LOANS))
  .get('/process/:link', at('loan-scenario', showProcess, LOANS))
  .post('/process/:link', at('loan-scenario', continueProcess, LOANS))

const notFound = (): Response =>
  json(404, { errorCode: 'NOT_FOUND', errorDescription: 'There is nothing at this address.' })

export const routes = new Hono<Env>()
  .route('/premium/:environment{sandbox|production}', accountInformation)
  .route(LOANS.base, loans)
  .route('/sandbox', secondVariantAt('/sandbox', 'sandbox'))
  .route('/sandbox', paymentsAt('/sandbox', 'sandbox'))
  .route('/', secondVariantAt('', 'production'))
  .route('/', paymentsAt('', 'production'))
  .get(STYLE_PATH, showStyle)
  .use('/_test-hooks/*', async ({ env }, next) => (env.testHooks ? next() : notFound()))
  .route('/_test-hooks', testHooks)
  .notFound(notFound)
  .onError((error) => json(500, { errorCode: 'INTERNAL_ERROR', errorDescription: String(error) }))
