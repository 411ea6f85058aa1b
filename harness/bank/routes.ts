import { Hono, type Context } from 'hono'
import { listAccounts, readAccount, readInformation } from './accounts/accounts.ts'
import { refreshConsent } from './accounts/refresh.ts'
import { listTransactions, searchTransactions } from './accounts/transactions.ts'
import { authorize } from './authorization/authorize.ts'
import { createConsent, readConsent, deleteConsent } from './authorization/consents.ts'
import { issueTokens } from './authorization/tokens.ts'
import { showLoginSession, continueLoginSession } from './authorization/login-sessions.ts'
import { ENVIRONMENTS, type EnvironmentName } from './base-paths.ts'
import { Refusal, type BankParts, type Call, type Handler } from './call.ts'
import { precalculate, submitApplication, readStatus, cancelApplication } from './loans/applications.ts'
import { selectScenario, showProcess, continueProcess } from './loans/scenarios.ts'
import { issueLoanToken } from './loans/tokens.ts'
import { openApiDocument } from './openapi.ts'
import { indexPage, STYLE_PATH, showStyle, OPENAPI_PATH, DOCS_PATH, showDoc } from './page-layout.ts'
import { initiatePayment, submitPayment, readPayment } from './payments/payments.ts'
import { authorizePayment, issuePaymentTokens } from './authorization/payment-tokens.ts'
import { echoRequestId, refuse, page, json } from './responses.ts'
import { testHooks } from './test-hooks.ts'
import { showApplication, showUsage, changeUsage } from './webhooks/settings-page.ts'
import type { PlainAnswer } from './rules/address-rules.ts'
import type { Variant, Endpoint } from './rules/facts.ts'

/** All routes, built once for all banks: each request carries the parts of its bank. */

type Env = { readonly Bindings: BankParts }

/** The place of a route: payments and the second variant of accounts have their own base paths. */
interface Place {
  readonly base: string
  readonly environment: EnvironmentName
  readonly variant: Variant
}

const firstPlaceOf = (context: Context<Env>): Place => {
  // The pattern of the route matches these names only.
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
  .get('/auth/oauth/v2/login-sessions/:loginSessionId', at('authorize', showLoginSession))
  .post('/auth/oauth/v2/login-sessions/:loginSessionId', at('authorize', continueLoginSession))
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

/** Payments have the same base path as the second variant, and their own OAuth endpoints. */
const paymentsAt = (base: string, environment: EnvironmentName) => {
  const place: Place = { base, environment, variant: 'second' }
  return new Hono<Env>()
    .get('/auth/oauth/v2/authorize', at('authorize', authorizePayment, place))
    .get('/auth/oauth/v2/login-sessions/:loginSessionId', at('authorize', showLoginSession, place))
    .post('/auth/oauth/v2/login-sessions/:loginSessionId', at('authorize', continueLoginSession, place))
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

export const asResponse = ({ status, headers = {}, body }: PlainAnswer): Response =>
  new Response(body ?? null, { status, headers })

/** The rules at an address that may be one of no environment, and their facts. */
export const addressRulesFor = ({ clock, rules }: BankParts, url: string) => {
  const environment = environmentOf(new URL(url).pathname) ?? 'sandbox'
  return { rules: rules[environment], facts: { environment, now: clock.now(), url } }
}

const notFound = ({ env, req }: Pick<Context<Env>, 'env' | 'req'>): Response => {
  const { rules, facts } = addressRulesFor(env, req.url)
  return asResponse(rules.nothingFound(facts))
}

/** Exported for the test that compares the OpenAPI document with it. */
export const routes = new Hono<Env>()
  .route('/premium/:environment{sandbox|production}', accountInformation)
  .route(LOANS.base, loans)
  .route('/sandbox', secondVariantAt('/sandbox', 'sandbox'))
  .route('/sandbox', paymentsAt('/sandbox', 'sandbox'))
  .route('/', secondVariantAt('', 'production'))
  .route('/', paymentsAt('', 'production'))
  .get('/', () => page(200, indexPage()))
  .get(STYLE_PATH, showStyle)
  .get(OPENAPI_PATH, () => json(200, openApiDocument()))
  .get(`${DOCS_PATH}:name`, (context) => showDoc(context.req.param('name')) ?? notFound(context))
  .use('/_test-hooks/*', async (context, next) => (context.env.testHooks ? next() : notFound(context)))
  .route('/_test-hooks', testHooks)
  .notFound(notFound)
  .onError((error) => json(500, { errorCode: 'INTERNAL_ERROR', errorDescription: String(error) }))

/** Loans have only a sandbox; payments and the second accounts variant have `/sandbox`, and no base path in production. */
export const environmentOf = (path: string): EnvironmentName | undefined => {
  if (path.startsWith('/sandbox/') || path.startsWith('/paylater/')) return 'sandbox'
  if (path.startsWith('/api/') || path.startsWith('/auth/')) return 'production'
  return ENVIRONMENTS.find((environment) => path.startsWith(`/premium/${environment}/`))
}
