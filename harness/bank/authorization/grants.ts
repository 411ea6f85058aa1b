/** The result of the customer's decision: a grant with its code, or a denial; and the new status of the consent. */
import { randomUUID } from '../random.ts'
import { type Call, factsOf, ledgerOf } from '../call.ts'
import type { Account, Client, Customer } from '../seed-data.ts'
import { type Code, type Consent, type Grant, revokeGrant, type LoginSession } from '../state.ts'
import { openConsent } from './consents.ts'

export interface Decision {
  readonly loginSession: LoginSession
  readonly client: Client
  /** The customer who grants; undefined, if the access is denied. */
  readonly customer: Customer | undefined
  /** The chosen accountIds; undefined if no page has asked. */
  readonly chosen: readonly string[] | undefined
}

export interface Answer {
  readonly ending: 'granted' | 'denied'
  readonly parameters: Readonly<Record<string, string>>
}

/** @throws Refusal if the consent has ended in the meantime. */
export const settle = (call: Call, decision: Decision): Answer => {
  const { loginSession, client, customer } = decision
  // Checked again, since the consent may have ended during the decision.
  const consent =
    loginSession.consentId === undefined ? undefined : openConsent(call, client, loginSession.consentId)
  if (consent) updateConsent(call, decision, consent)
  if (!customer) return denied('The customer has denied the access.')
  const grant = recordGrant(call, decision, { customer, consent })
  return { ending: 'granted', parameters: { code: recordCode(call, loginSession, client, grant).value } }
}

export const denied = (description: string): Answer => ({
  ending: 'denied',
  parameters: { error: 'access_denied', error_description: description },
})

const updateConsent = (call: Call, { client, customer }: Decision, consent: Consent): void => {
  const granted = customer !== undefined
  const status = call.rules.consentAfterDecision({ ...factsOf(call), client, consent, granted })
  ledgerOf(call, consent).consents.set(consent.consentId, { ...consent, status })
}

/** The chosen accounts, or the preselected ones if no page has asked. */
const tickedAccounts = (call: Call, { client, chosen }: Decision, customer: Customer): readonly Account[] => {
  const facts = { ...factsOf(call), client }
  return call.rules
    .accountsOffered({ ...facts, customer })
    .filter(
      (account) => chosen?.includes(account.accountId) ?? call.rules.accountIsTicked({ ...facts, account }),
    )
}

interface Granting {
  readonly customer: Customer
  readonly consent: Consent | undefined
}

const recordGrant = (call: Call, decision: Decision, { customer, consent }: Granting): Grant => {
  const { loginSession, client } = decision
  const facts = { ...factsOf(call), client }
  const ticked = tickedAccounts(call, decision, customer)
  const accounts = call.rules.grantedAccounts({ ...facts, customer, consent, ticked })
  const grant: Grant = {
    environment: call.environment,
    grantId: randomUUID(),
    clientId: client.clientId,
    username: customer.username,
    scope: call.rules.grantedScope({ ...facts, scope: loginSession.scope }),
    consentId: loginSession.consentId,
    accountIds: accounts.map(({ accountId }) => accountId),
    grantedAt: call.now,
  }
  revokeOlder(call, client, grant)
  call.ledger.grants.set(grant.grantId, grant)
  return grant
}

const revokeOlder = (call: Call, client: Client, grant: Grant): void => {
  for (const older of call.ledger.grants.values()) {
    if (older.clientId !== grant.clientId || older.username !== grant.username) continue
    if (call.rules.newGrantRevokes({ ...factsOf(call), client, grant, older })) {
      revokeGrant(call.ledger, older.grantId, call.now)
    }
  }
}

export const recordCode = (call: Call, loginSession: LoginSession, client: Client, grant: Grant): Code => {
  const facts = { ...factsOf(call), client }
  const code: Code = {
    environment: call.environment,
    value: call.rules.newCode(facts),
    grantId: grant.grantId,
    clientId: client.clientId,
    redirectUri: loginSession.redirectUri,
    challenge: loginSession.challenge,
    challengeMethod: loginSession.challengeMethod,
    issuedAt: call.now,
  }
  call.ledger.codes.set(code.value, code)
  return code
}
