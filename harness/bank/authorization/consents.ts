import { factsAt, factsOf, findRecord, ledgerOf, Refusal, type BankContext, type Call } from '../call.ts'
import { empty, json } from '../responses.ts'
import { revokeGrantsOfConsent, type AccessToken, type Consent, type Grant } from '../state.ts'
import { authenticateClient } from './authentication.ts'
import type { OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'

/** POST /v1/consents, GET and DELETE of one consent, and the current grants of a consent. */

/** Authenticates the client and checks the X-Request-ID. */
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
    throw new Refusal('not_entitled', 'Only Third Party Providers can create consents.')
  }
  const consent: Consent = {
    environment: call.environment,
    consentId: call.rules.newConsentId(facts),
    clientId: client.clientId,
    status: 'received',
    createdAt: call.now,
  }
  call.ledger.consents.set(consent.consentId, consent)
  const allFacts = { ...facts, consent }
  return json(call.rules.consentCreatedStatus(allFacts), call.rules.consentBody(allFacts))
}

export const unknownConsent = (): Refusal => new Refusal('consent_unknown', 'There is no such consent.')

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

/** The consent that a scope names, if this client can use it for an authorization. */
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

/** Ends a consent and its grants, on request of the client or of the customer. */
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

/** A grant to a FAC has no consent: in notifications the grant itself is the consent. */
const impliedConsentOf = ({ environment, grantId, clientId, grantedAt }: Grant): Consent => ({
  environment,
  consentId: grantId,
  clientId,
  status: 'valid',
  createdAt: grantedAt,
})

const isImplied = ({ consentId, accountIds }: Grant): boolean =>
  consentId === undefined && accountIds.length > 0

const consentIdOf = ({ consentId, grantId }: Grant): string => consentId ?? grantId

/** Grants by their consent, and access tokens by their grant, so that the ledger is read once for all consents. */
interface Holdings {
  readonly grants: ReadonlyMap<string, readonly Grant[]>
  readonly tokens: ReadonlyMap<string, readonly AccessToken[]>
}

const groupedBy = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** The grants and tokens of all consents. */
const holdingsIn = ({ ledger }: BankContext): Holdings => ({
  grants: groupedBy(ledger.grants.values(), consentIdOf),
  tokens: groupedBy(ledger.accessTokens.values(), ({ grantId }) => grantId),
})

/** The grants and tokens of one consent. */
const holdingsUnder = ({ ledger }: BankContext, { consentId }: Consent): Holdings => {
  const grants = [...ledger.grants.values()].filter((grant) => consentIdOf(grant) === consentId)
  const ids = new Set(grants.map(({ grantId }) => grantId))
  const tokens = [...ledger.accessTokens.values()].filter(({ grantId }) => ids.has(grantId))
  return {
    grants: new Map([[consentId, grants]]),
    tokens: groupedBy(tokens, ({ grantId }) => grantId),
  }
}

const grantsUnder = (context: BankContext, consent: Consent, holdings: Holdings): readonly Grant[] => {
  const { ledger, rules } = context
  return (holdings.grants.get(consent.consentId) ?? []).filter((grant) => {
    const tokens = holdings.tokens.get(grant.grantId) ?? []
    const revokedAt = ledger.revocations.get(grant.grantId)
    return rules.grantCounts({ ...factsAt(context), consent, grant, revokedAt, tokens })
  })
}

/** The consent with its valid grants and their accounts; undefined if no grant is valid. */
export const openedBy = (
  context: BankContext,
  consent: Consent,
  holdings = holdingsUnder(context, consent),
): OpenConsent | undefined => {
  const grants = grantsUnder(context, consent, holdings)
  if (grants.length === 0) return undefined
  const names = new Set(grants.map(({ username }) => username))
  const ids = new Set(grants.flatMap(({ accountIds }) => accountIds))
  const customers = context.world.seedData.customers.filter(({ username }) => names.has(username))
  const accounts = customers.flatMap((customer) =>
    customer.accounts.filter(({ accountId }) => ids.has(accountId)),
  )
  return { consent, grants, accounts, customers }
}

/** The same for a consentId, looked up again since the consent may have ended in the meantime. */
export const stillOpen = (context: BankContext, consentId: string): OpenConsent | undefined => {
  const { consents, grants } = context.ledger
  const grant = grants.get(consentId)
  const consent = consents.get(consentId) ?? (grant && impliedConsentOf(grant))
  return consent && openedBy(context, consent)
}

/** The id under which the consent's application lists the account. */
export const listedIdOf = (context: BankContext, { grants }: OpenConsent, account: Account): string => {
  const opens = ({ accountIds }: Grant): boolean => accountIds.includes(account.accountId)
  const grant = grants.findLast(opens) ?? grants.at(-1)
  if (!grant) return account.accountId
  return context.rules.accountIdOf({ ...factsAt(context), variant: 'first', grant, account })
}

export const openConsents = (context: BankContext): readonly OpenConsent[] => {
  const holdings = holdingsIn(context)
  // A customer who has authorized a FAC several times is notified under the newest of these grants.
  const implied = new Map<string, OpenConsent>()
  for (const grant of [...holdings.grants.values()].flat().filter(isImplied)) {
    const open = openedBy(context, impliedConsentOf(grant), holdings)
    if (open) implied.set(`${grant.clientId} ${grant.username}`, open)
  }
  const given = [...context.ledger.consents.values()].flatMap(
    (consent) => openedBy(context, consent, holdings) ?? [],
  )
  return [...given, ...implied.values()]
}
