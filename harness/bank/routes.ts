/** Every address of the bank. Built once for all banks: which bank answers comes with the request. */
import { Hono, type Context } from 'hono'
import { listAccounts } from './accounts.ts'
import { echoRequestId, json, refuse } from './answers.ts'
import { authorize } from './authorize.ts'
import { Refusal, type Call, type Handler } from './call.ts'
import { createConsent, deleteConsent, readConsent } from './consents.ts'
import { levers } from './levers.ts'
import type { BankParts } from './parts.ts'
import type { Endpoint } from './rules/facts.ts'
import { issueTokens } from './tokens.ts'
import { continueVisit, showVisit } from './visits.ts'
import type { EnvironmentName } from './world.ts'

type Env = { readonly Bindings: BankParts }

const callOf = (context: Context<Env>, endpoint: Endpoint): Call => {
  const { clock, world, rules } = context.env
  // The pattern of the route lets no other name pass.
  const environment = context.req.param('environment') as EnvironmentName
  return {
    request: context.req.raw,
    url: new URL(context.req.url),
    base: `/premium/${environment}`,
    environment,
    endpoint,
    now: clock.now(),
    rules: rules[environment],
    world,
    ledger: world.ledgers[environment],
    parameter: (name) => context.req.param(name) ?? '',
  }
}

const at =
  (endpoint: Endpoint, handler: Handler) =>
  async (context: Context<Env>): Promise<Response> => {
    const call = callOf(context, endpoint)
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

const notFound = (): Response =>
  json(404, { errorCode: 'NOT_FOUND', errorDescription: 'There is nothing at this address.' })

export const routes = new Hono<Env>()
  .route('/premium/:environment{sandbox|production}', accountInformation)
  .use('/_levers/*', async ({ env }, next) => (env.levers ? next() : notFound()))
  .route('/_levers', levers)
  .notFound(notFound)
  .onError((error) => json(500, { errorCode: 'INTERNAL_ERROR', errorDescription: String(error) }))
