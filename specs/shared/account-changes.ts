/** Changes for the chapters about accounts: which accounts a call opens, to which token, and under which names. */
import { accept, alter, refuse, when, type FactsOf, type isFor, type Past } from './changes.ts'

export type OpenFacts = FactsOf<'accountIsOpen'>
export type Account = OpenFacts['account']

/** The calls that a change is about, such as `isFor('account', 'first')`. */
export type Calls = ReturnType<typeof isFor>

/** Whether an account is held at another bank. */
export const isAtAnotherBank = ({ bankCode }: Pick<Account, 'bankCode'>): boolean => bankCode !== '9801'

/** Whether an account is one of another customer. */
export const isForeign = ({ account, customer }: Pick<OpenFacts, 'account' | 'customer'>): boolean =>
  !customer.accounts.includes(account)

/** Whether an account is one of the customer, with or without a consent to it. */
export const isOwn = (facts: Pick<OpenFacts, 'account' | 'customer'>): boolean => !isForeign(facts)

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

type Where = (facts: OpenFacts, past: Past<'accountIsOpen'>) => boolean

/** Opens such accounts, whatever the customer has consented to. */
export const open = (calls: Calls, where?: Where) => when(calls, accept('accountIsOpen', where))

/** Refuses such accounts, although the customer has consented to them. */
export const close = (calls: Calls, where?: Where) => when(calls, refuse('accountIsOpen', where))

/** Opens such accounts after an allowed call with the same key, without another check of the consent. */
export const openAfterwards = (calls: Calls, where: Where, keyOf: (facts: OpenFacts) => string) =>
  open(
    calls,
    (facts, past) =>
      where(facts, past) &&
      past
        .of('accountIsOpen')
        .some((call) => call.answer && calls(call.facts) && keyOf(call.facts) === keyOf(facts)),
  )

/** Opens an account that was opened to the same client under another consent of the same customer. */
export const openUnderAnyConsent = (calls: Calls) =>
  openAfterwards(calls, isOwn, ({ grant: { environment, clientId, username }, account: { accountId } }) =>
    [environment, clientId, username, accountId].join(' '),
  )

/** Finds an account under an id that the bank has not issued. `idOf` gives the id that the bank has for an account. */
export const findAccount = (
  calls: Calls,
  find: (facts: FactsOf<'accountOfUnknownId'>, idOf: (account: Account) => string) => Account | undefined,
) =>
  when(
    calls,
    alter({
      accountOfUnknownId: (usual, facts, { rules }) =>
        usual ?? find(facts, (account) => rules.accountIdOf({ ...facts, account })),
    }),
  )

/** Corrects the spelling of an IBAN, and opens the account that it names without a check of the consent. */
export const openRespelledIbans = (
  calls: Calls,
  respell: (iban: string) => string,
  where: (facts: OpenFacts) => boolean = () => true,
) =>
  when(
    calls,
    alter({
      accountOfIban: (_, facts, { rules }) => rules.accountOfIban({ ...facts, iban: respell(facts.iban) }),
      accountIsOpen: (isOpen, facts, past) => {
        const iban = past.of('accountOfIban').at(-1)?.facts.iban ?? ''
        return isOpen || (facts.naming === 'iban' && respell(iban) !== iban && where(facts))
      },
    }),
  )

/** Lets other requests that are under way come first. */
export const aMoment = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Keeps the grant of the last caller in one place for all requests: at the same moment one is taken for another. */
export const mixGrantsOfCallers = (calls: Calls) =>
  when(
    calls,
    alter(
      {
        accountIsOpen: async (_, facts, past) => {
          await aMoment()
          const last = past.of('accessIsFresh').findLast((call) => call.answer && calls(call.facts))
          return past.rules.accountIsOpen({ ...facts, grant: last?.facts.grant ?? facts.grant })
        },
      },
      'accessIsFresh',
    ),
  )

/** Refuses for this reason with another status. */
export const refuseWith = (calls: Calls, error: FactsOf<'refusalStatus'>['error'], status: number) =>
  when(
    (facts: FactsOf<'refusalStatus'>) => calls(facts) && facts.error === error,
    alter({ refusalStatus: status }),
  )

/** Serves such a call as the last caller who had a token that the bank has issued. */
export const serveTheLastCaller = (
  calls: Calls,
  where: (header: string | undefined, isIssued: (token: string | undefined) => boolean) => boolean,
) =>
  when(
    calls,
    alter(
      {
        bearerToken: (usual, { header }, past) => {
          const isIssued = (token: string | undefined) =>
            past.of('newAccessToken').some(({ answer }) => answer === token)
          return where(header, isIssued)
            ? past.of('bearerToken').findLast(({ answer }) => isIssued(answer))?.answer
            : usual
        },
      },
      'newAccessToken',
    ),
  )
