import type { Rules } from '../../harness/bank/rules.ts'

/** How a bank can go wrong in one of its account operations, and stay right in all the others. */

export type Variant = Parameters<Rules['accountsSeen']>[0]['variant']
type Endpoint = Parameters<Rules['accountsSeen']>[0]['endpoint']

/** A change of rules that others can be put beside. */
export type Change = (lawful: Rules) => Partial<Rules>

interface Place {
  readonly variant: Variant
  readonly endpoint: Endpoint
}

export type ListFacts = Parameters<Rules['accountsSeen']>[0]
export type OpenFacts = Parameters<Rules['accountIsOpen']>[0]
export type AccountFacts = Omit<OpenFacts, 'naming'>
export type Account = AccountFacts['account']
export type Body = ReturnType<Rules['accountBody']>

/** Whether a call is one for the list of this variant. */
export const isList =
  (variant: Variant) =>
  (facts: Place): boolean =>
    facts.variant === variant && facts.endpoint === 'accounts'

/** Whether a call is one for account detail and balances in this variant. */
export const isDetail =
  (variant: Variant) =>
  (facts: Place): boolean =>
    facts.variant === variant && facts.endpoint === 'account'

export const isOfATpp = ({ grant }: Pick<ListFacts, 'grant'>): boolean => grant.consentId !== undefined

/** Lists other accounts than the lawful ones, in this variant. */
export const listing =
  (
    variant: Variant,
    change: (accounts: readonly Account[], facts: ListFacts) => readonly Account[],
  ): Change =>
  (lawful) => ({
    accountsSeen: async (facts) => {
      const accounts = await lawful.accountsSeen(facts)
      return isList(variant)(facts) ? change(accounts, facts) : accounts
    },
  })

/** Whether an account is the last of those that a grant opens. */
export const isLast = ({ account, customer, grant }: AccountFacts): boolean =>
  customer.accounts.filter(({ accountId }) => grant.accountIds.includes(accountId)).at(-1) === account

/** Words the accounts of a list otherwise, in this variant. */
export const wording =
  (variant: Variant, change: (body: Body, facts: AccountFacts) => Body): Change =>
  (lawful) => ({
    accountBody: (facts) => {
      const body = lawful.accountBody(facts)
      return isList(variant)(facts) ? change(body, facts) : body
    },
  })

/** Opens to detail and balances in this variant what is shut, or shuts what is open; nothing leaves it as it is. */
export const opening =
  (variant: Variant, isOpen: (facts: OpenFacts) => boolean | undefined): Change =>
  (lawful) => ({
    accountIsOpen: (facts) =>
      (isDetail(variant)(facts) ? isOpen(facts) : undefined) ?? lawful.accountIsOpen(facts),
  })

/** Whether an account is one of somebody else. */
export const isForeign = ({ account, customer }: Pick<OpenFacts, 'account' | 'customer'>): boolean =>
  !customer.accounts.includes(account)

interface DetailBody {
  readonly balances?: readonly unknown[]
  readonly account?: Readonly<Record<string, unknown>>
}

/** Words the answer of detail and balances otherwise, in this variant. */
export const detailing =
  (
    variant: Variant,
    change: (body: DetailBody, facts: Parameters<Rules['accountDetailBody']>[0]) => unknown,
  ): Change =>
  (lawful) => ({
    accountDetailBody: (facts) => {
      const body = lawful.accountDetailBody(facts)
      return isDetail(variant)(facts) ? change(body as DetailBody, facts) : body
    },
  })
