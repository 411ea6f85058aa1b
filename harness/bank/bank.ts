import { Hono, type Context } from 'hono'
import { listAccounts, readAccount, readInformation } from './accounts/accounts.ts'
import { refreshConsent } from './accounts/refresh.ts'
import { listTransactions, searchTransactions } from './accounts/transactions.ts'
import { authorize } from './authorization/authorize.ts'
import { createConsent, deleteConsent, readConsent } from './authorization/consents.ts'
import { issueTokens } from './authorization/tokens.ts'
import { continueVisit, showVisit } from './authorization/visits.ts'
import { ENVIRONMENTS, type EnvironmentName } from './base-paths.ts'
import { Refusal, type BankParts, type Call, type Handler } from './call.ts'
import { VirtualClock } from './clock.ts'
import { cancelApplication, precalculate, readStatus, submitApplication } from './loans/applications.ts'
import { continueProcess, selectScenario, showProcess } from './loans/scenarios.ts'
import { issueLoanToken } from './loans/tokens.ts'
import { openApiDocument } from './openapi.ts'
import { DOCS_PATH, indexPage, OPENAPI_PATH, showDoc, showStyle, STYLE_PATH } from './page-layout.ts'
import { initiatePayment, readPayment, submitPayment } from './payments/payments.ts'
import { authorizePayment, issuePaymentTokens } from './payments/tokens.ts'
import { echoRequestId, json, page, refuse } from './responses.ts'
import { lawfulRules, type Rules } from './rules.ts'
import { seedData, type SeedData } from './seed-data.ts'
import { createWorld, type World } from './state.ts'
import { testHooks } from './test-hooks.ts'
import { changeUsage, showApplication, showUsage } from './webhooks/webhook-settings.ts'
import type { Defect, Dialect, Exchange, RuleChange, Variation } from './defect.ts'
import type { PlainAnswer } from './rules/address-rules.ts'
import type { Endpoint, Variant } from './rules/facts.ts'

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

/** Payments have the same base path as the second variant, and their own OAuth endpoints. */
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

const asResponse = ({ status, headers = {}, body }: PlainAnswer): Response =>
  new Response(body ?? null, { status, headers })

/** The rules at an address that may be one of no environment, and their facts. */
const addressRulesFor = ({ clock, rules }: BankParts, url: string) => {
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

/** The reference bank, without a port: a function from a request to a response, and its clock. */

export interface BankOptions {
  /** The defect of the bank. */
  readonly defect?: Defect
  /** A lawful difference of the bank. */
  readonly variation?: Variation
  /** The dialect of the bank; default: the reference wire format. */
  readonly dialect?: Dialect
  /** The time at which the bank opens; default: a constant. */
  readonly startAt?: Date
  /** Whether the test hooks are offered, below `/_test-hooks/`; default: true. */
  readonly testHooks?: boolean
  /** The seed of the transactions before the opening; default: a constant. */
  readonly seed?: number
  /** A redirect URI that every client has registered as well. */
  readonly redirectUri?: string
  /** Whether a request over plain HTTP is refused; default: false. */
  readonly requiresTls?: boolean
  /** Virtual ms per ms of the wall clock; 0 (the default) is a clock that is stopped until it is advanced. */
  readonly speed?: number
  /** Sends a request of the bank to an application; default: over the network. */
  readonly deliver?: (request: Request) => Promise<Response>
}

export interface Bank {
  readonly fetch: Exchange
  readonly clock: VirtualClock
  readonly world: World
}

const OPENING_TIME = new Date('2026-01-05T09:00:00Z')

const SEED = 42

const changesOf = (rules: Rules, change: RuleChange): Partial<Rules> =>
  typeof change === 'function' ? change(rules) : change

/** Only a few rules are replaced; the prototype has the others. */
const changed = (rules: Rules, change: RuleChange | undefined): Rules =>
  change === undefined ? rules : (Object.assign(Object.create(rules), changesOf(rules, change)) as Rules)

/** The lawful rules of a bank with this dialect. */
export const rulesIn = (dialect: Dialect | undefined): Rules =>
  dialect?.rules === undefined ? lawfulRules : { ...lawfulRules, ...changesOf(lawfulRules, dialect.rules) }

const rulesOf = ({ defect, variation, dialect }: BankOptions): BankParts['rules'] => {
  const usual = changed(rulesIn(dialect), variation?.rules)
  const wrong = changed(usual, defect?.rules)
  const at = (environment: EnvironmentName): Rules => (isWrongAt(defect, environment) ? wrong : usual)
  return { sandbox: at('sandbox'), production: at('production') }
}

const isWrongAt = (defect: Defect | undefined, environment: EnvironmentName): boolean =>
  defect !== undefined && (defect.environment === undefined || defect.environment === environment)

/** Loans have only a sandbox; payments and the second accounts variant have `/sandbox`, and no base path in production. */
const environmentOf = (path: string): EnvironmentName | undefined => {
  if (path.startsWith('/sandbox/') || path.startsWith('/paylater/')) return 'sandbox'
  if (path.startsWith('/api/') || path.startsWith('/auth/')) return 'production'
  return ENVIRONMENTS.find((environment) => path.startsWith(`/premium/${environment}/`))
}

/**
 * The bank with the wires of its changes. The wire of a variation is applied to the answers of the defect. Test hooks are
 * not part of the interface, and never changed.
 */
const wired = ({ defect, variation }: BankOptions, plain: Exchange): Exchange => {
  if (!defect?.wire && !variation?.wire) return plain
  const inFormOf = (next: Exchange): Exchange => variation?.wire?.(next) ?? next
  const usual = inFormOf(plain)
  const wrong = inFormOf(defect?.wire?.(plain) ?? plain)
  return (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/_test-hooks/')) return plain(request)
    const environment = environmentOf(pathname)
    const isWrong =
      environment === undefined ? defect?.environment === undefined : isWrongAt(defect, environment)
    return (isWrong ? wrong : usual)(request)
  }
}

const requiringTls =
  (parts: BankParts, next: Exchange): Exchange =>
  async (request) => {
    if (new URL(request.url).protocol === 'https:') return next(request)
    const { rules, facts } = addressRulesFor(parts, request.url)
    return asResponse(rules.refusalWithoutTls(facts))
  }

/** A developer of a client can register a redirect URI of their own. */
const withRedirectUri = (known: SeedData, uri: string | undefined): SeedData =>
  uri === undefined
    ? known
    : {
        ...known,
        clients: known.clients.map((client) => ({
          ...client,
          redirectUris: [...client.redirectUris, uri],
        })),
      }

/** A new bank with empty ledgers. This is cheap: one run creates thousands. */
export const createBank = (options: BankOptions = {}): Bank => {
  const {
    startAt = OPENING_TIME,
    seed = SEED,
    speed = 0,
    testHooks = true,
    deliver = fetch,
    dialect,
  } = options
  const clock = new VirtualClock({ startAt, speed })
  const world = createWorld(withRedirectUri(seedData, options.redirectUri), { seed, openedAt: startAt })
  const calls = dialect?.calls(async (request) => deliver(request)) ?? deliver
  const parts: BankParts = {
    clock,
    world,
    rules: rulesOf(options),
    testHooks,
    deliver: calls,
    runs: speed > 0,
  }
  const answer = async (request: Request): Promise<Response> => routes.fetch(request, parts)
  const bank = wired(options, options.requiresTls === true ? requiringTls(parts, answer) : answer)
  return { fetch: dialect?.wire(bank) ?? bank, clock, world }
}
