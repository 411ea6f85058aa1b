/** What applications are authorized for at this moment. */
import { factsAt, type Branch } from './parts.ts'
import type { OpenConsent } from './rules/webhook-rules.ts'
import type { AccessToken, Account, Consent, Grant } from './world.ts'

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
