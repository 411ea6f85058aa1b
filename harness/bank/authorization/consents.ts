import { ENVIRONMENTS } from '../base-paths.ts'
import { factsAt, factsOf, findRecord, ledgerOf, Refusal, type Branch, type Call } from '../call.ts'
import { empty, json } from '../responses.ts'
import { revokeGrantsOfConsent, type AccessToken, type Consent, type Grant } from '../state.ts'
import type { OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'

/** Who sends a request: the client (HTTP Basic) of a token or consent request, the grant of a data request (Bearer). */

const unproven = (): Refusal => new Refusal('invalid_client', 'The client is unknown or its secret is wrong.')

/** The client, proved by its secret. `form` is the body of a token request. */
export const authenticateClient = async (call: Call, form = new URLSearchParams()): Promise<Client> => {
  const facts = { ...factsOf(call), endpoint: call.endpoint, clients: call.world.residents.clients }
  const header = call.request.headers.get('authorization')
  if (header === null) {
    const client = call.rules.clientWithoutBasic({ ...facts, form })
    if (!client) throw new Refusal('invalid_client', 'The request carries no client credentials.')
    return client
  }
  const credentials = call.rules.basicCredentials({ ...facts, header })
  const client = credentials && call.rules.clientOf({ ...facts, clientId: credentials.clientId })
  if (!client) throw unproven()
  if (!(await call.rules.secretMatches({ ...facts, client, secret: credentials.secret }))) throw unproven()
  return client
}

interface Bearer {
  readonly token: AccessToken
  readonly grant: Grant
}

/** The token of the request, alive; a dead or missing one is answered with 401. */
export const authenticateBearer = (call: Call): Bearer => {
  const { endpoint, variant } = call
  const facts = { ...factsOf(call), endpoint, variant }
  const header = call.request.headers.get('authorization') ?? undefined
  const asked = { ...facts, header, query: call.url.searchParams }
  const value = call.rules.bearerToken(asked)
  if (value === undefined) throw new Refusal('token_missing', 'The request carries no Bearer token.')
  const bearer = bearerOf(call, value)
  if (!bearer) throw new Refusal('token_unknown', 'The access token is unknown.')
  const { token, grant } = bearer
  const { revocations } = ledgerOf(call, token)
  const told = { ...facts, token, grant }
  // A renewal may end the one token; a revocation ends all of the grant.
  const revokedAt = token.retiredAt ?? revocations.get(grant.grantId)
  if (call.rules.accessIsRevoked({ ...told, revokedAt })) {
    throw new Refusal('token_revoked', 'The access token has been revoked.')
  }
  if (!call.rules.accessIsFresh(told)) throw new Refusal('token_expired', 'The access token has expired.')
  return { token, grant }
}

const bearerOf = (call: Call, value: string): Bearer | undefined => {
  const token = findRecord(call, 'accessTokens', value)
  const grant = token && ledgerOf(call, token).grants.get(token.grantId)
  return token && grant ? { token, grant } : takenForAccounts(call, value)
}

/** A token of loans, taken for one of accounts, with the grant that it is taken to descend from. */
const takenForAccounts = (call: Call, value: string): Bearer | undefined => {
  const { endpoint, variant, ledger } = call
  for (const environment of ENVIRONMENTS) {
    const token = call.world.ledgers[environment].loanTokens.get(value)
    const told = token && { ...factsOf(call), endpoint, variant, token, grants: ledger.grants }
    const grant = told && call.rules.grantOfLoanToken(told)
    if (!token || !grant) continue
    const { scope, grantId } = grant
    return { grant, token: { ...token, environment: call.environment, grantId, scope, retiredAt: undefined } }
  }
  return undefined
}

/** POST /v1/consents, GET and DELETE of one consent, and what is granted under a consent at this moment. */

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

/** Grants by their consent, and access tokens by their grant: who looks at every consent reads the ledger once. */
interface Holdings {
  readonly grants: ReadonlyMap<string | undefined, readonly Grant[]>
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

/** Of all consents. */
const holdingsIn = ({ ledger }: Branch): Holdings => ({
  grants: groupedBy(ledger.grants.values(), ({ consentId }) => consentId),
  tokens: groupedBy(ledger.accessTokens.values(), ({ grantId }) => grantId),
})

/** Of one consent. */
const holdingsUnder = ({ ledger }: Branch, { consentId }: Consent): Holdings => {
  const grants = [...ledger.grants.values()].filter((grant) => grant.consentId === consentId)
  const ids = new Set(grants.map(({ grantId }) => grantId))
  const tokens = [...ledger.accessTokens.values()].filter(({ grantId }) => ids.has(grantId))
  return {
    grants: new Map([[consentId, grants]]),
    tokens: groupedBy(tokens, ({ grantId }) => grantId),
  }
}

const grantsUnder = (branch: Branch, consent: Consent, holdings: Holdings): readonly Grant[] => {
  const { ledger, rules } = branch
  return (holdings.grants.get(consent.consentId) ?? []).filter((grant) => {
    const tokens = holdings.tokens.get(grant.grantId) ?? []
    const revokedAt = ledger.revocations.get(grant.grantId)
    return rules.grantCounts({ ...factsAt(branch), consent, grant, revokedAt, tokens })
  })
}

/** The consent with what was granted under it; nothing if none of that counts any more. */
export const openedBy = (
  branch: Branch,
  consent: Consent,
  holdings = holdingsUnder(branch, consent),
): OpenConsent | undefined => {
  const grants = grantsUnder(branch, consent, holdings)
  if (grants.length === 0) return undefined
  const names = new Set(grants.map(({ username }) => username))
  const ids = new Set(grants.flatMap(({ accountIds }) => accountIds))
  const customers = branch.world.residents.customers.filter(({ username }) => names.has(username))
  const accounts = customers.flatMap((customer) =>
    customer.accounts.filter(({ accountId }) => ids.has(accountId)),
  )
  return { consent, grants, accounts, customers }
}

/** The same, looked up again: the consent may have ended in the meantime. */
export const stillOpen = (branch: Branch, consentId: string): OpenConsent | undefined => {
  const consent = branch.ledger.consents.get(consentId)
  return consent && openedBy(branch, consent)
}

/** The id under which the consent's application lists the account. */
export const listedIdOf = (branch: Branch, { grants }: OpenConsent, account: Account): string => {
  const opens = ({ accountIds }: Grant): boolean => accountIds.includes(account.accountId)
  const grant = grants.findLast(opens) ?? grants.at(-1)
  if (!grant) return account.accountId
  return branch.rules.accountIdOf({ ...factsAt(branch), variant: 'first', grant, account })
}

export const openConsents = (branch: Branch): readonly OpenConsent[] => {
  const holdings = holdingsIn(branch)
  return [...branch.ledger.consents.values()].flatMap((consent) => openedBy(branch, consent, holdings) ?? [])
}
