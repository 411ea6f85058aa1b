/** Changes of rules for the chapters about accounts: which accounts a call opens, and under which names. */
import { answer, on } from './changes.ts'
import { aMoment, refusing, where, type FactsOf, type isFor } from './defects.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'

export type OpenFacts = FactsOf<'accountIsOpen'>
export type Account = OpenFacts['account']

/** Which calls a change is about, such as `isFor('account', 'first')`. */
export type Operation = ReturnType<typeof isFor>

/** Whether an account is held at another bank. */
export const isAtAnotherBank = ({ bankCode }: Pick<Account, 'bankCode'>): boolean => bankCode !== '9801'

/** Whether an account is one of another customer. */
export const isForeign = ({ account, customer }: Pick<OpenFacts, 'account' | 'customer'>): boolean =>
  !customer.accounts.includes(account)

/** Whether a call is made for the second customer. */
export const isOfTheSecondCustomer = ({
  customer,
  customers,
}: Pick<OpenFacts, 'customer' | 'customers'>): boolean => customer === customers[1]

/** Whether an account is the last of those that a grant opens. */
export const isLast = ({
  account,
  customer,
  grant,
}: Pick<OpenFacts, 'account' | 'customer' | 'grant'>): boolean =>
  customer.accounts.filter(({ accountId }) => grant.accountIds.includes(accountId)).at(-1) === account

type Applies = (facts: OpenFacts) => boolean

/** Opens such accounts, whatever the customer has consented to. */
export const opening = (operation: Operation, applies: Applies = () => true): RuleChange =>
  where((facts) => operation(facts) && applies(facts), { accountIsOpen: () => true })

/** Refuses such accounts, although the customer has consented to them. */
export const closing = (operation: Operation, applies: Applies = () => true): RuleChange =>
  where((facts) => operation(facts) && applies(facts), { accountIsOpen: () => false })

/** Opens an account that was opened to the same client under another consent of the same customer. */
export const openingUnderAnyConsent = (operation: Operation): RuleChange =>
  openingAfterwards(
    operation,
    ({ grant, account }) => [grant.environment, grant.clientId, grant.username, account.accountId].join(' '),
    (facts) => !isForeign(facts),
  )

/** Opens an account after an allowed call with the same key, without another check of the consent. */
export const openingAfterwards =
  (operation: Operation, keyOf: (facts: OpenFacts) => string, applies: Applies): RuleChange =>
  (lawful) => {
    const opened = new Set<string>()
    return {
      accountIsOpen: async (facts) => {
        const isOpen = await lawful.accountIsOpen(facts)
        if (!operation(facts)) return isOpen
        if (isOpen) opened.add(keyOf(facts))
        return isOpen || (applies(facts) && opened.has(keyOf(facts)))
      },
    }
  }

/** An id that names no account, with the id that this bank has for one. */
type UnknownIdFacts = FactsOf<'accountOfUnknownId'> & { readonly idOf: (account: Account) => string }

/** Finds an account under an id that the bank never issued. */
export const findingUnknownIds = (
  operation: Operation,
  find: (facts: UnknownIdFacts) => Account | undefined,
): RuleChange =>
  where(operation, (lawful) => ({
    accountOfUnknownId: (facts) =>
      lawful.accountOfUnknownId(facts) ??
      find({ ...facts, idOf: (account) => lawful.accountIdOf({ ...facts, account }) }),
  }))

/** Corrects the spelling of an IBAN, and opens the account that it names without a check of the consent. */
export const openingRespelledIbans =
  (operation: Operation, respell: (iban: string) => string, applies: Applies = () => true): RuleChange =>
  (lawful) => {
    let isRespelled = false
    return {
      accountOfIban: (facts) => {
        const iban = respell(facts.iban)
        isRespelled = iban !== facts.iban
        return lawful.accountOfIban({ ...facts, iban })
      },
      accountIsOpen: (facts) =>
        (isRespelled && facts.naming === 'iban' && operation(facts) && applies(facts)) ||
        lawful.accountIsOpen(facts),
    }
  }

/** Keeps the grant of the last caller in one place for all requests: at the same moment one is taken for another. */
export const mixingGrantsOfCallers =
  (operation: Operation): RuleChange =>
  (lawful) => {
    let last: OpenFacts['grant'] | undefined
    return {
      accountIsOpen: async (facts) => {
        if (!operation(facts)) return lawful.accountIsOpen(facts)
        last = facts.grant
        await aMoment()
        return lawful.accountIsOpen({ ...facts, grant: last })
      },
    }
  }

/** Accepts expired access tokens. */
export const acceptingExpiredTokens = (operation: Operation): RuleChange =>
  where(operation, { accessIsFresh: () => true })

/** Accepts revoked access tokens. */
export const acceptingRevokedTokens = (operation: Operation): RuleChange =>
  where(operation, { accessIsRevoked: () => false })

/** Refuses with another status. */
export const refusingWith = (
  operation: Operation,
  error: FactsOf<'refusalStatus'>['error'],
  status: number,
): RuleChange => refusing((facts) => operation(facts) && facts.error === error, { status })

/** Sends the data that these requests are answered with under the status 404. */
export const answeringWith404 = (method: string, path: RegExp): Pick<Defect, 'wire'> =>
  answer(on(method, path), { status: 404 })([])
