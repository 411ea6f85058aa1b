/** What applications are authorized for at this moment. */
import { factsAt, type Branch } from './parts.ts'
import type { OpenConsent } from './rules/webhook-rules.ts'
import type { Account, Consent, Grant } from './world.ts'

const grantsUnder = (branch: Branch, consent: Consent): readonly Grant[] => {
  const { ledger, rules } = branch
  return [...ledger.grants.values()].filter((grant) => {
    if (grant.consentId !== consent.consentId) return false
    const tokens = [...ledger.accessTokens.values()].filter(({ grantId }) => grantId === grant.grantId)
    const revokedAt = ledger.revocations.get(grant.grantId)
    return rules.grantCounts({ ...factsAt(branch), consent, grant, revokedAt, tokens })
  })
}

/** The consent with what was granted under it; nothing if none of that counts any more. */
export const openedBy = (branch: Branch, consent: Consent): OpenConsent | undefined => {
  const grants = grantsUnder(branch, consent)
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

export const openConsents = (branch: Branch): readonly OpenConsent[] =>
  [...branch.ledger.consents.values()].flatMap((consent) => openedBy(branch, consent) ?? [])
