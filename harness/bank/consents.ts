/** POST /v1/consents, and the consent's own address. */
import { empty, json } from './answers.ts'
import { factsOf, findRecord, ledgerOf, Refusal, type Call } from './call.ts'
import { authenticateClient } from './client-authentication.ts'
import { revokeGrantsOfConsent, type Client, type Consent } from './world.ts'

/** The client, and the name that it has given to its request. */
const readRequest = async (call: Call): Promise<Client> => {
  const client = await authenticateClient(call)
  const requestId = call.request.headers.get('x-request-id') ?? undefined
  if (!call.rules.requestIdIsAccepted({ ...factsOf(call), client, requestId })) {
    throw new Refusal('invalid_request', 'The header X-Request-ID is missing.')
  }
  return client
}

export const createConsent = async (call: Call): Promise<Response> => {
  const client = await readRequest(call)
  const facts = { ...factsOf(call), client }
  if (!call.rules.mayCreateConsents(facts)) {
    throw new Refusal('not_entitled', 'Consents are created by Third Party Providers alone.')
  }
  const consent: Consent = {
    environment: call.environment,
    consentId: call.rules.newConsentId(facts),
    clientId: client.clientId,
    status: 'received',
    createdAt: call.now,
  }
  call.ledger.consents.set(consent.consentId, consent)
  const told = { ...facts, consent }
  return json(call.rules.consentCreatedStatus(told), call.rules.consentBody(told))
}

const unknownConsent = (): Refusal => new Refusal('consent_unknown', 'There is no such consent.')

const consentOf = (call: Call): Consent => {
  const consent = findRecord(call, 'consents', call.parameter('consentId'))
  if (!consent) throw unknownConsent()
  return consent
}

export const readConsent = async (call: Call): Promise<Response> => {
  const client = await readRequest(call)
  const facts = { ...factsOf(call), client, consent: consentOf(call) }
  if (!call.rules.mayReadConsent(facts)) throw unknownConsent()
  return json(200, call.rules.consentBody(facts))
}

export const deleteConsent = async (call: Call): Promise<Response> => {
  const client = await readRequest(call)
  const consent = consentOf(call)
  const facts = { ...factsOf(call), client, consent }
  if (!call.rules.mayEndConsent(facts)) throw unknownConsent()
  const ended = endConsent(call, consent, 'client')
  if (call.rules.endedConsentIsForgotten(facts)) ledgerOf(call, consent).consents.delete(consent.consentId)
  const status = call.rules.consentEndedStatus(facts)
  return status === 204 ? empty(status) : json(status, call.rules.consentBody({ ...facts, consent: ended }))
}

/** The consent that a scope names, if it opens an authorization to this client. */
export const openConsent = (call: Call, client: Client, consentId: string): Consent => {
  const consent = findRecord(call, 'consents', consentId)
  const facts = { ...factsOf(call), client }
  if (!consent || !call.rules.consentBelongsTo({ ...facts, consent })) {
    throw new Refusal('invalid_scope', 'The scope names no consent of this application.')
  }
  if (!call.rules.consentIsUsable({ ...facts, consent })) {
    throw new Refusal('invalid_scope', 'The consent in the scope is no longer open.')
  }
  return consent
}

/** Ends a consent and what descends from it, at the word of the client or of the customer. */
export const endConsent = (
  { rules, world, environment, now }: Pick<Call, 'rules' | 'world' | 'environment' | 'now'>,
  consent: Consent,
  by: 'client' | 'customer',
): Consent => {
  const ledger = world.ledgers[consent.environment]
  const ended: Consent = { ...consent, status: by === 'client' ? 'terminatedByTpp' : 'revokedByPsu' }
  ledger.consents.set(consent.consentId, ended)
  if (rules.endOfConsentRevokes({ environment, now, consent, by })) {
    revokeGrantsOfConsent(ledger, consent.consentId, now)
  }
  return ended
}
