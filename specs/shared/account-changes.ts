/** Changes for the chapters about accounts: which accounts a call opens, to which token, and under which names. */
import { accept, alter, when, type Change, type FactsOf } from './changes.ts'

export type OpenFacts = FactsOf<'accountIsOpen'>
export type Account = OpenFacts['account']
type OfACustomer = Pick<OpenFacts, 'customer' | 'customers'>
type OfAnAccount = Pick<OpenFacts, 'account' | 'customer'>

/** Whether an account is held at another bank. */
export const isAtAnotherBank = ({ bankCode }: Pick<Account, 'bankCode'>): boolean => bankCode !== '9801'

/** Whether an account is one of the customer, with or without a consent to it. */
export const isOwn = ({ account, customer }: OfAnAccount): boolean => customer.accounts.includes(account)

/** Whether an account is one of another customer. */
export const isForeign = (facts: OfAnAccount): boolean => !isOwn(facts)

/** Whether a call is made for the second customer. */
export const isOfTheSecondCustomer = ({ customer, customers }: OfACustomer): boolean =>
  customer === customers[1]

/** Whether an account is the last of those that a grant opens. */
export const isLast = ({ account, customer, grant }: OfAnAccount & Pick<OpenFacts, 'grant'>): boolean =>
  customer.accounts.filter(({ accountId }) => grant.accountIds.includes(accountId)).at(-1) === account

type Operation = Pick<OpenFacts, 'endpoint' | 'variant'>
const isSame = (one: Operation, other: Operation): boolean =>
  one.endpoint === other.endpoint && one.variant === other.variant

type Where = (facts: OpenFacts) => boolean

/** Opens such accounts, whatever the customer has consented to. */
export const open = (where: Where) => accept('accountIsOpen', where)

/** Opens such accounts after an allowed call of the same operation with the same key. */
export const openAfterwards = (where: Where, keyOf: (facts: OpenFacts) => string) =>
  accept('accountIsOpen', (facts, past) => {
    const isAllowed = past
      .of('accountIsOpen')
      .some((call) => call.answer && isSame(call.facts, facts) && keyOf(call.facts) === keyOf(facts))
    return isAllowed && where(facts)
  })

/** Opens an account that was opened to the same client under another consent of the same customer. */
export const openUnderAnyConsent = openAfterwards(
  isOwn,
  ({ grant: { environment, clientId, username }, account: { accountId } }) =>
    [environment, clientId, username, accountId].join(' '),
)

type UnknownId = FactsOf<'accountOfUnknownId'>

/** Finds an account under an id that the bank has not issued. `idOf` gives the id that the bank has for an account. */
export const findAccount = (
  find: (facts: UnknownId, idOf: (account: Account) => string) => Account | undefined,
) =>
  alter({
    accountOfUnknownId: (usual, facts, { rules }) =>
      usual ?? find(facts, (account) => rules.accountIdOf({ ...facts, account })),
  })

/** Corrects the spelling of an IBAN, and opens the account that it names without a check of the consent. */
export const openRespelledIbans = (respell: (iban: string) => string, where: Where = () => true) =>
  alter({
    accountOfIban: (_, facts, { rules }) => rules.accountOfIban({ ...facts, iban: respell(facts.iban) }),
    accountIsOpen: (isOpen, facts, past) => {
      const iban = past.of('accountOfIban').at(-1)?.facts.iban ?? ''
      return isOpen || (facts.naming === 'iban' && respell(iban) !== iban && where(facts))
    },
  })

/** Lets other requests that are under way come first. */
export const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Keeps the grant of the last caller in one place for all requests: at the same moment one is taken for another. */
export const mixGrantsOfCallers = alter(
  {
    accountIsOpen: async (_, facts, past) => {
      await aMoment()
      const last = past
        .of('accessIsFresh')
        .findLast((call) => call.answer && call.facts.endpoint === facts.endpoint)
      return past.rules.accountIsOpen({ ...facts, grant: last?.facts.grant ?? facts.grant })
    },
  },
  'accessIsFresh',
)

type Refusal = FactsOf<'refusalStatus'>

/** Refuses for this reason with another status. */
export const refuseWith = (error: Refusal['error'], status: number): Change<Refusal> =>
  when((facts: Refusal) => facts.error === error, alter({ refusalStatus: status }))
