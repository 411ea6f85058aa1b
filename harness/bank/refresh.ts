/** PUT /refresh: what other banks hold under the consent is brought up to date, in the background. */
import { json } from './answers.ts'
import { authenticateBearer } from './bearer.ts'
import { factsOf, findRecord, Refusal, type Call } from './call.ts'
import type { BearerFacts } from './rules/facts.ts'
import { startTask } from './tasks.ts'

export const refreshConsent = async (call: Call): Promise<Response> => {
  const { endpoint, variant, rules } = call
  const facts = { ...factsOf(call), endpoint, variant, ...authenticateBearer(call) }
  if (!rules.mayRefresh(facts)) {
    throw new Refusal('not_entitled', 'A refresh is of a consent, and this token was granted without one.')
  }
  const address = call.request.headers.get('psu-ip-address') ?? undefined
  if (!rules.customerAddressIsAccepted({ ...facts, address })) {
    throw new Refusal('invalid_request', 'The header PSU-IP-Address is missing.')
  }
  const consentId = await readConsentId(call, facts)
  const consent = findRecord(call, 'consents', consentId)
  const told = { ...facts, consentId }
  if (!consent || !rules.mayRefreshConsent(told)) throw unknownConsent()
  const taskId = startTask(call, told, consent)
  return json(rules.refreshStatus(told), rules.refreshBody({ ...told, taskId }), {
    'cache-control': 'no-store',
  })
}

const unknownConsent = (): Refusal => new Refusal('consent_unknown', 'There is no such consent.')

const readConsentId = async (call: Call, facts: BearerFacts): Promise<string> => {
  const consentId = call.rules.consentToRefresh({ ...facts, named: namedIn(await call.request.text()) })
  if (consentId === undefined) throw unknownConsent()
  return consentId
}

/** The consent that a body names; nothing if there is no body, or it names none. */
const namedIn = (text: string): string | undefined => {
  if (text.trim() === '') return undefined
  const body = objectIn(text)
  if (!body) throw new Refusal('invalid_request', 'The body, if there is one, must be a JSON object.')
  const { consentId } = body
  if (consentId === undefined || typeof consentId === 'string') return consentId
  throw new Refusal('invalid_request', 'The consentId must be a string.')
}

const objectIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
