/** Changes for the chapters about accounts: which accounts a call opens, to which token, and under which names. */
import {
  accept,
  alter,
  defectsIn,
  isFor,
  jsonAnswer,
  reply,
  type Breaks,
  type Defect,
  type Entries,
  type FactsOf,
  type Past,
} from './changes.ts'

export type OpenFacts = FactsOf<'accountIsOpen'>
export type Account = OpenFacts['account']
type OfACustomer = Pick<OpenFacts, 'customer' | 'customers'>
type OfAnAccount = Pick<OpenFacts, 'account' | 'customer'>

/** Whether an account is held at another bank. */
export const isAtAnotherBank = ({ bankCode }: Pick<Account, 'bankCode'>): boolean => bankCode !== '9801'

/** Whether an account is one of the customer, with or without a consent to it. */
export const isOwn = ({ account, customer }: OfAnAccount): boolean =>
  customer.accounts.some(({ accountId }) => accountId === account.accountId)

/** Whether an account is one of another customer. */
export const isForeign = (facts: OfAnAccount): boolean => !isOwn(facts)

/** Whether a call is made for the second customer. */
export const isOfTheSecondCustomer = ({ customer, customers }: OfACustomer): boolean =>
  customer === customers[1]

/** Moves balances by these bookings in the wrong direction. */
export const moveAgainst = (isWrong: (amount: number) => boolean) =>
  alter({
    bookedAmount: (_, { account, bookings }) =>
      bookings.reduce(
        (sum, { amount }) => (isWrong(amount) ? sum - amount : sum + amount),
        account.openingBalance,
      ),
  })

export const isCredit = (amount: number): boolean => amount > 0
export const isDebit = (amount: number): boolean => amount < 0

/** Whether an account is the last of those that a grant opens. */
export const isLast = ({ account, customer, grant }: OfAnAccount & Pick<OpenFacts, 'grant'>): boolean =>
  customer.accounts.filter(({ accountId }) => grant.accountIds.includes(accountId)).at(-1) === account

/** Whether the request names the account by its id, or by its IBAN. */
export const isById = ({ naming }: OpenFacts): boolean => naming === 'id'
export const isByIban = ({ naming }: OpenFacts): boolean => naming === 'iban'

/** Tables of the same defects of each variant of an operation, and what they break there. */
export const inEachVariant =
  (endpoint: OpenFacts['endpoint']) =>
  (first: Breaks, second: Breaks, entries: Entries): readonly Defect[] => [
    ...defectsIn(isFor(endpoint, 'first'), 'in the first variant')(first, entries),
    ...defectsIn(isFor(endpoint, 'second'), 'in the second variant')(second, entries),
  ]

/** The earlier calls for the same operation. */
export const earlierCalls = (facts: OpenFacts, past: Past<'accountIsOpen'>) =>
  past.of('accountIsOpen').filter((call) => isFor(facts.endpoint, facts.variant)(call.facts))

type Where = (facts: OpenFacts) => boolean

/** Opens such accounts, whatever the customer has consented to. */
export const open = (where: Where) => accept('accountIsOpen', where)

/** Opens such accounts after an allowed call of the same operation with the same key. */
export const openAfterwards = (where: Where, keyOf: (facts: OpenFacts) => string) =>
  accept('accountIsOpen', (facts, past) => {
    const isAllowed = earlierCalls(facts, past).some(
      (call) => call.answer && keyOf(call.facts) === keyOf(facts),
    )
    return isAllowed && where(facts)
  })

/** Opens an account that was opened to the same client under another consent of the same customer. */
export const openUnderAnyConsent = openAfterwards(
  isOwn,
  ({ grant: { environment, clientId, username }, account: { accountId } }) =>
    [environment, clientId, username, accountId].join(' '),
)

/** Finds an account under an id that the bank has not issued. `idOf` gives the id that the bank has for an account. */
export const findAccount = (
  find: (facts: FactsOf<'accountOfUnknownId'>, idOf: (account: Account) => string) => Account | undefined,
) =>
  alter({
    accountOfUnknownId: (usual, facts, { rules }) =>
      usual ?? find(facts, (account) => rules.accountIdOf({ ...facts, account })),
  })

export const findByTheBeginning = findAccount(({ customer, accountId }, idOf) =>
  customer.accounts.find((account) => accountId !== '' && idOf(account).startsWith(accountId)),
)

export const ignoreLaterCharacters = findAccount(({ customer, accountId }, idOf) =>
  customer.accounts.find((account) => accountId.startsWith(idOf(account))),
)

/** Takes an id for a pattern: % stands for any characters, and _ for one. */
export const findByPattern = findAccount(({ customer, accountId }, idOf) => {
  const escaped = accountId
    .replaceAll(/[^\w%]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  return customer.accounts.find((account) => new RegExp(`^${escaped}$`).test(idOf(account)))
})

/** Fails on bodies without an account, as for an error of the bank. */
export const failWithoutAnAccount = (operation: 'readAccount' | 'listTransactions') =>
  reply(operation, ({ body, members }) =>
    body === '' || Object.keys(members).length > 0 ? undefined : jsonAnswer(500, { error: 'failure' }),
  )

/** Leaves out what was booked in the last hour. */
export const leaveOutTheLastHour = alter(
  {
    bookingsSeen: (usual, { now }, { of }) =>
      usual.filter(({ transactionId }) => {
        const booking = of('bookingIsKnownAtOnce').find(
          ({ facts }) => facts.transaction.transactionId === transactionId,
        )
        return booking === undefined || now.getTime() - booking.facts.now.getTime() >= 3_600_000
      }),
  },
  'bookingIsKnownAtOnce',
)

/** Takes an IBAN of the bank that no account has for the first account of the customer. */
export const findUnknownIbans = alter({
  accountOfIban: (account, { iban, customer }) =>
    account ?? (/^SK\d\d9801\d{16}$/.test(iban) ? customer.accounts[0] : undefined),
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
const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** The grant of the last caller of the operation, while others are under way. */
const lastGrant = async (facts: Omit<OpenFacts, 'account' | 'naming'>, past: Past<'accessIsFresh'>) => {
  await aMoment()
  const last = past
    .of('accessIsFresh')
    .findLast((call) => call.answer && call.facts.endpoint === facts.endpoint)
  return last?.facts.grant ?? facts.grant
}

/** Keeps the grant of the last caller in one place for all requests: at the same moment one is taken for another. */
export const mixGrantsOfCallers = alter(
  {
    accountIsOpen: async (_, facts, past) =>
      past.rules.accountIsOpen({ ...facts, grant: await lastGrant(facts, past) }),
  },
  'accessIsFresh',
)

/** The same for lists of accounts. */
export const mixCallersOfLists = alter(
  {
    accountsSeen: async (_, facts, past) => {
      const grant = await lastGrant(facts, past)
      const customer = facts.customers.find(({ username }) => username === grant.username) ?? facts.customer
      return past.rules.accountsSeen({ ...facts, grant, customer })
    },
  },
  'accessIsFresh',
)
