/** What the bank offers beyond the interface, so that time can pass and people can change their minds at will. */
import { Hono } from 'hono'
import { z } from 'zod'
import { empty, json } from './answers.ts'
import { endConsent } from './consents.ts'
import type { BankParts } from './parts.ts'
import { ENVIRONMENTS, revokeGrant, type Ledger } from './world.ts'

type Env = { readonly Bindings: BankParts }

class LeverRefusal extends Error {
  readonly status: 400 | 404

  constructor(status: 400 | 404, message: string) {
    super(message)
    this.name = 'LeverRefusal'
    this.status = status
  }
}

const bodyOf = async <Shape>(request: Request, shape: z.ZodType<Shape>): Promise<Shape> => {
  const parsed = shape.safeParse(await request.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  throw new LeverRefusal(400, `the body is not what this lever takes: ${z.prettifyError(parsed.error)}`)
}

const clockAdvance = z.strictObject({ milliseconds: z.number().min(0) })
const tokenRevocation = z.strictObject({ token: z.string() })
const consentRevocation = z.strictObject({ consentId: z.string() })

const clockReading = (now: Date): Response => json(200, { now: now.toISOString() })

const advanceClock = async (request: Request, { clock }: BankParts): Promise<Response> => {
  const { milliseconds } = await bodyOf(request, clockAdvance)
  if (Number.isNaN(new Date(clock.now().getTime() + milliseconds).getTime())) {
    throw new LeverRefusal(400, `${milliseconds} ms lead past the last date that can be written`)
  }
  return clockReading(await clock.advance(milliseconds))
}

const ledgersOf = ({ world }: BankParts): readonly Ledger[] => ENVIRONMENTS.map((name) => world.ledgers[name])

/** The customer revokes what a token stands for: every code and token of the same grant dies with it. */
const revokeToken = async (request: Request, parts: BankParts): Promise<Response> => {
  const { token } = await bodyOf(request, tokenRevocation)
  for (const ledger of ledgersOf(parts)) {
    const record = ledger.accessTokens.get(token) ?? ledger.refreshTokens.get(token)
    if (!record) continue
    revokeGrant(ledger, record.grantId, parts.clock.now())
    return empty(204)
  }
  throw new LeverRefusal(404, 'no such token was issued')
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
  throw new LeverRefusal(404, `no such consent: ${consentId}`)
}

export const LEVERS = [
  'GET  /_levers/clock',
  'POST /_levers/clock/advance    {"milliseconds": 60000}',
  'POST /_levers/tokens/revoke    {"token": "…"}',
  'POST /_levers/consents/revoke  {"consentId": "…"}',
] as const

export const levers = new Hono<Env>()
  .get('/clock', ({ env }) => clockReading(env.clock.now()))
  .post('/clock/advance', ({ req, env }) => advanceClock(req.raw, env))
  .post('/tokens/revoke', ({ req, env }) => revokeToken(req.raw, env))
  .post('/consents/revoke', ({ req, env }) => revokeConsent(req.raw, env))
  .onError((error) => {
    if (error instanceof LeverRefusal) return json(error.status, { error: error.message })
    throw error
  })
