/** The test hooks of the bank: move the clock, revoke grants and consents, book transactions, set webhooks. */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import * as z from 'zod'
import { empty, json } from './responses.ts'
import { ENVIRONMENTS } from './base-paths.ts'
import { accountWithIban, book } from './bookings.ts'
import { endConsent } from './authorization/consents.ts'
import { type BankParts, type BankContext, contextOf, factsAt } from './call.ts'
import type { Client } from './seed-data.ts'
import { changeWebhook, isRefused, problemsOf, settingsBody, stateOf } from './webhooks/webhook-settings.ts'
import { type Ledger, revokeGrant } from './state.ts'

type Env = { readonly Bindings: BankParts }

const refusal = (status: 400 | 404, message: string): HTTPException => new HTTPException(status, { message })

const bodyOf = async <Shape>(request: Request, shape: z.ZodType<Shape>): Promise<Shape> => {
  const parsed = shape.safeParse(await request.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  throw refusal(400, `the body is not what this test hook takes: ${z.prettifyError(parsed.error)}`)
}

const clockAdvance = z.strictObject({ milliseconds: z.number().min(0) })
const tokenRevocation = z.strictObject({ token: z.string() })
const consentRevocation = z.strictObject({ consentId: z.string() })

const clockReading = (now: Date): Response => json(200, { now: now.toISOString() })

const advanceClock = async (request: Request, { clock }: BankParts): Promise<Response> => {
  const { milliseconds } = await bodyOf(request, clockAdvance)
  if (Number.isNaN(new Date(clock.now().getTime() + milliseconds).getTime())) {
    throw refusal(400, `${milliseconds} ms lead past the last date that can be written`)
  }
  return clockReading(await clock.advance(milliseconds))
}

const ledgersOf = ({ world }: BankParts): readonly Ledger[] => ENVIRONMENTS.map((name) => world.ledgers[name])

/** The customer revokes the grant of a token, with all its codes and tokens. */
const revokeToken = async (request: Request, parts: BankParts): Promise<Response> => {
  const { token } = await bodyOf(request, tokenRevocation)
  for (const ledger of ledgersOf(parts)) {
    const { accessTokens, refreshTokens, paymentTokens, loanTokens } = ledger
    const kinds = [accessTokens, refreshTokens, paymentTokens, loanTokens]
    const record = kinds.map((tokens) => tokens.get(token)).find((found) => found !== undefined)
    if (!record) continue
    revokeGrant(ledger, record.grantId, parts.clock.now())
    return empty(204)
  }
  throw refusal(404, 'no such token was issued')
}

const revokeConsent = async (request: Request, parts: BankParts): Promise<Response> => {
  const { consentId } = await bodyOf(request, consentRevocation)
  for (const environment of ENVIRONMENTS) {
    const consent = parts.world.ledgers[environment].consents.get(consentId)
    if (!consent) continue
    endConsent(
      { ...parts, rules: parts.rules[environment], environment, now: parts.clock.now() },
      consent,
      'customer',
    )
    return empty(204)
  }
  throw refusal(404, `no such consent: ${consentId}`)
}

/** Larger amounts have no exact cents. */
const LARGEST_AMOUNT = 1e12

const booking = z.strictObject({
  iban: z.string(),
  amount: z.number().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT),
})

/** Books a transaction on an account, in both environments; at another bank if the account is there. */
const bookTransaction = async (request: Request, parts: BankParts): Promise<Response> => {
  const { iban, amount } = await bodyOf(request, booking)
  const account = accountWithIban(parts.world, iban)
  if (!account) throw refusal(404, `no such account: ${iban}`)
  const { transactionId } = book(parts, account, Math.round(amount * 100))
  return json(201, { transactionId })
}

const webhookSettings = z.strictObject({ enabled: z.boolean(), url: z.string(), securityHeader: z.string() })

const clientWithId = ({ world }: BankParts, clientId: string): Client => {
  const client = world.seedData.clients.find((candidate) => candidate.clientId === clientId)
  if (!client) throw refusal(404, `no such application: ${clientId}`)
  return client
}

/** The environments that the query names, or both. */
const contextsOf = (request: Request, parts: BankParts): readonly BankContext[] => {
  const named = new URL(request.url).searchParams.get('environment')
  const environments = ENVIRONMENTS.filter((name) => named === null || name === named)
  if (environments.length === 0) throw refusal(400, `no such environment: ${named ?? ''}`)
  return environments.map((environment) => contextOf(parts, environment))
}

const showWebhook = (request: Request, parts: BankParts, clientId: string): Response => {
  const client = clientWithId(parts, clientId)
  const [state] = contextsOf(request, parts).map((context) => stateOf(context, client))
  return json(200, state && settingsBody(state))
}

/** Sets what the owner of the application sets on the settings page: all settings or none. */
const configureWebhook = async (request: Request, parts: BankParts, clientId: string): Promise<Response> => {
  const client = clientWithId(parts, clientId)
  const change = await bodyOf(request, webhookSettings)
  const checked = contextsOf(request, parts).map((context) => ({
    context,
    problems: problemsOf(context, client, change),
  }))
  const refused = checked.find(({ problems }) => isRefused(problems))
  const [state] = checked.map(({ context }) => changeWebhook(context, client, change, refused !== undefined))
  if (!refused) return json(200, state && settingsBody(state))
  const { context, problems } = refused
  const status = context.rules.settingsRefusalStatus({ ...factsAt(context), client })
  return json(status, { error: Object.values(problems).join(' '), problems })
}

export const TEST_HOOKS = [
  'GET  /_test-hooks/clock',
  'POST /_test-hooks/clock/advance    {"milliseconds": 60000}',
  'POST /_test-hooks/tokens/revoke    {"token": "…"}',
  'POST /_test-hooks/consents/revoke  {"consentId": "…"}',
  'POST /_test-hooks/bookings         {"iban": "…", "amount": -12.5}',
  'PUT  /_test-hooks/webhooks/{client_id}  {"enabled": true, "url": "…", "securityHeader": "…"}',
  'GET  /_test-hooks/webhooks/{client_id}',
] as const

export const testHooks = new Hono<Env>()
  .get('/clock', ({ env }) => clockReading(env.clock.now()))
  .post('/clock/advance', ({ req, env }) => advanceClock(req.raw, env))
  .post('/tokens/revoke', ({ req, env }) => revokeToken(req.raw, env))
  .post('/consents/revoke', ({ req, env }) => revokeConsent(req.raw, env))
  .post('/bookings', ({ req, env }) => bookTransaction(req.raw, env))
  .get('/webhooks/:clientId', ({ req, env }) => showWebhook(req.raw, env, req.param('clientId')))
  .put('/webhooks/:clientId', ({ req, env }) => configureWebhook(req.raw, env, req.param('clientId')))
  .onError((error) => {
    if (error instanceof HTTPException) return json(error.status, { error: error.message })
    throw error
  })
